"""Damage that crawls and harvests do to a site made for it, and real links that the judge refuses.

    python bench/damage.py [FOLDER] [--show N]

A site on loopback offers every target of `tests/adversary/damage_targets.py` as a link, a record's
page, a next page, a form or the aim of a redirect; a crawl, a harvest with details and a harvest of
its forms are run against it, and what they asked for is counted: 0 is wanted. FOLDER (or
LEADLINE_DATA) holds real pages, which are not in this repository: their links and real search
addresses are judged, and the share that is refused is counted. Some of these links do change
something (shops, forums), so the share is an upper bound of what is wrongly refused; --show prints
a random sample of the refused to read, of hosts that are not held out. The last line is JSON.
"""

import argparse
import gzip
import json
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.adversary import blind_targets as blind
from tests.adversary import fresh_targets as fresh
from tests.adversary.damage_site import DamageSite, serve_damage
from tests.adversary.damage_targets import TARGETS
from tests.adversary.stranger_targets import DEVELOPMENT, HELD_OUT, count_passing
from tools.splits import is_held_out

import leadline
from leadline.core.state_change import find_state_change, is_assent
from leadline.core.url import Url, canonical, host_of, site_of
from leadline.errors import ConfigError
from leadline.page import parse_page

PAGES = {
    "pages/modern": "domain",
    "pages/swde": "url",
    "forms/formasaurus": "url",
    "pages/webkb": "url",
    "pages/wikipedia-schools": "path",
    "answers/serps": "url",
    "pagination/autopager": "page url",
}
"""Sets of pages, and which of their fields tells where a page stood."""
EVERY_NTH = {"pages/wikipedia-schools": 10}
"""Its pages have the same links over and over."""
_list_links = re.compile(r"\[([^\]]*)\]\((https?://[^)\s]+)\)").findall


class RealLink(NamedTuple):
    """A link of a real page."""

    url: Url
    text: str
    host: str
    """Of the page."""
    beside: str = ""
    """Before a link that only agrees to something."""


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def read_page_links(folder: Path, name: str) -> set[RealLink]:
    found: set[RealLink] = set()
    for number, row in enumerate(read_rows(folder / f"{name}.jsonl.gz")):
        place = str(row[PAGES[name]])
        known = {"domain": f"https://{place}/", "path": f"http://pages.example/{place}"}
        url = canonical(known.get(PAGES[name], place))
        if url is not None and number % EVERY_NTH.get(name, 1) == 0:
            host = host_of(site_of(url))
            page = parse_page(row["html"].encode(), url)
            for link in page.links:
                beside = page.text_before(link) if is_assent(link.anchor) else ""
                found.add(RealLink(link.target, link.anchor, host, beside))
    return found


def read_lists(folder: Path) -> set[RealLink]:
    texts = (path.read_text() for path in sorted((folder / "sources/lists").glob("*.md")))
    pairs = [(canonical(url), text) for page in texts for text, url in _list_links(page)]
    return {RealLink(url, text, host_of(site_of(url))) for url, text in pairs if url}


def read_searches(folder: Path) -> set[RealLink]:
    rows = read_rows(folder / "sources/search-templates.jsonl.gz")
    pairs = [(row["template"].replace("{{{s}}}", "river"), row["host"]) for row in rows]
    return {RealLink(Url(url), "", host) for url, host in pairs}


def judge_real_links(folder: Path, shown: int) -> dict[str, object]:
    sets = {name: read_page_links(folder, name) for name in PAGES}
    sets |= {"sources/lists": read_lists(folder), "real searches": read_searches(folder)}
    refused: list[tuple[RealLink, str]] = []
    by_set: dict[str, str] = {}
    started = time.process_time()
    for name, links in sets.items():
        bad = [
            (link, why)
            for link in links
            if (why := find_state_change(link.url, link.text, "", link.beside))
        ]
        refused += bad
        by_set[name] = f"{len(bad)} of {len(links)}"
    judged = sum(map(len, sets.values()))
    per_link_us = (time.process_time() - started) / judged * 1e6
    readable = [(link, why) for link, why in refused if not is_held_out(link.host)]
    seen = sorted({(link.url, link.text, why) for link, why in readable})
    for url, text, why in random.Random(1).sample(seen, min(shown, len(seen))):
        print(f"{url[:120]} {text[:40]!r}: {why}")
    return {
        "links judged": judged,
        "refused": len(refused),
        "refused share": round(len(refused) / judged, 5),
        "refused by set": by_set,
        "microseconds a link": round(per_link_us, 2),
    }


def count_damage() -> dict[str, object]:
    site = DamageSite()
    with serve_damage(site) as port, tempfile.TemporaryDirectory() as folder:
        settings = {
            "web.resolve": {"*": f"127.0.0.1:{port}"},
            "web.allow_private": True,
            "politeness.delay_s": 0.0,
            "strategy.name": "breadth_first",
            # Its pages differ in a number only.
            "scope.leave_traps": False,
            "harvest.details": True,
        }
        store = f"{folder}/crawl"
        leadline.crawl("book", ["http://shop.example/"], pages=900, store=store, settings=settings)
        for page, requests in (("catalogue", 300), ("forms", 50)):
            try:
                leadline.harvest(
                    *(f"http://shop.example/{page}", f"{folder}/{page}"),
                    requests=requests,
                    settings=settings,
                )
            except ConfigError as error:
                print(f"{page}: {error}")
    hits = [f"{target.kind} {target.url} {target.text}" for target in site.list_hits()]
    requests = len(site.asked)
    return {"targets": len(TARGETS), "hits": len(hits), "hit": hits, "requests": requests}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=os.environ.get("LEADLINE_DATA"))
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    figures = count_damage()
    for half, targets in (("development", DEVELOPMENT), ("held out", HELD_OUT)):
        figures[f"a stranger's targets passing, {half}"] = (
            f"{count_passing(targets)} of {len(targets)}"
        )
    for half, own in (
        ("development", fresh.DEVELOPMENT),
        ("held out", fresh.HELD_OUT),
        ("later", fresh.LATER),
    ):
        figures[f"fresh targets passing, {half}"] = (
            f"{fresh.count_fresh_passing(own)} of {len(own)}"
        )
    for half, is_held_out_half in (("development", False), ("held out", True)):
        changing, harmless = blind.list_passing(held_out=is_held_out_half)
        figures[f"blind targets passing, {half}"] = f"{sum(changing)} of {len(changing)}"
        figures[f"harmless look-alikes passing, {half}"] = f"{sum(harmless)} of {len(harmless)}"
    if options.folder is not None:
        figures |= judge_real_links(Path(options.folder), options.show)
    print(json.dumps(figures, ensure_ascii=False))


if __name__ == "__main__":
    main()
