"""How often the next page is found on real pages, and how often one is seen where there is none.

    python -m tools.paging_evaluation FOLDER [--verbose]

FOLDER holds `pagination/autopager.jsonl.gz`: pages with the CSS selectors of their links to the
previous, next, first, last and numbered pages. Pages of one half of the sites (`developed`)
served to write words and rules, those of the other half (`held_out`) tell how good they are.
`pages/swde.jsonl.gz` are pages of single records and `forms/formasaurus.jsonl.gz` pages of all
kinds: for these it prints the share of pages with a next page. The last line is JSON.
"""

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import xxhash
from selectolax.lexbor import LexborHTMLParser, LexborNode

from leadline.core.harvest import NextPage, Query, Trail
from leadline.core.http import Request, Response
from leadline.core.url import AS_IT_IS, Url, canonical, host_of, registered_domain, site_of
from leadline.harvester.paging import find_next_page
from leadline.harvester.reply import Reply, reply_of

_HTML = (("content-type", "text/html; charset=utf-8"),)
_NOBODY_ASKED = Query(())
FOUND = "found"
WRONG = "wrong"
MISSED = "missed"
FALSE = "false"
"""A next page was found where nobody marked a link to one."""
BY_NUMBER = "by_number"
"""The same, but it leads to what was marked as a numbered page."""
NONE = "none"


class Case(NamedTuple):
    """A page that was judged."""

    is_held_out: bool
    has_next: bool
    verdict: str
    url: str
    next_page: NextPage | None


def rows_of(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def is_held_out(url: Url) -> bool:
    """By the site's hash: half of the sites."""
    domain = registered_domain(host_of(site_of(url)))
    return bool(xxhash.xxh3_64_intdigest(domain.encode()) & 1)


def next_page_on(html: str, url: Url) -> tuple[Reply, NextPage | None]:
    """The next page of a page that nobody came to by a query."""
    body = html.encode("utf-8", "replace")
    reply = reply_of(Response(url, 200, _HTML, body, 0.0))
    return reply, find_next_page(reply, _NOBODY_ASKED, Request(url), Trail())


def judge_marked_pages(folder: Path) -> Iterator[Case]:
    for row in rows_of(folder / "pagination" / "autopager.jsonl.gz"):
        url = canonical(row["page url"], rules=AS_IT_IS)
        if url is not None:
            reply, next_page = next_page_on(row["html"], url)
            verdict = _verdict(row, reply, next_page)
            yield Case(is_held_out(url), bool(row["next"]), verdict, url, next_page)


def _verdict(row: dict[str, Any], reply: Reply, next_page: NextPage | None) -> str:
    if next_page is None:
        return MISSED if row["next"] else NONE
    target = next_page.request.url
    tree = LexborHTMLParser(row["html"])
    if row["next"]:
        return FOUND if target in marked_urls(tree, row["next"], reply) else WRONG
    return BY_NUMBER if target in marked_urls(tree, row["page"], reply) else FALSE


def marked_urls(tree: LexborHTMLParser, selector: str, reply: Reply) -> set[Url]:
    """Where the links that a selector marks lead: it may name what is inside or around them."""
    hrefs: set[str] = set()
    for node in tree.css(selector) if selector else ():
        for anchor in (_anchor_above(node), *node.css("a")):
            if anchor is not None:
                hrefs |= {anchor.attributes.get(name) or "" for name in ("href", "data-href")}
    urls = (reply.outline.join(href.strip()) for href in hrefs if href)
    return {url for url in urls if url is not None}


def _anchor_above(node: LexborNode) -> LexborNode | None:
    found: LexborNode | None = node
    while found is not None and found.tag != "a":
        found = found.parent
    return found


def count_verdicts(cases: list[Case]) -> dict[str, float]:
    """Shares are of the pages that have a next page, and of those that have none."""
    counts = Counter((case.has_next, case.verdict) for case in cases)
    with_next = sum(case.has_next for case in cases)
    without = len(cases) - with_next
    return {
        "pages": len(cases),
        "with_next": with_next,
        FOUND: counts[True, FOUND],
        WRONG: counts[True, WRONG],
        MISSED: counts[True, MISSED],
        "found_share": round(counts[True, FOUND] / max(1, with_next), 4),
        "without_next": without,
        BY_NUMBER: counts[False, BY_NUMBER],
        FALSE: counts[False, FALSE],
        "false_share": round(counts[False, FALSE] / max(1, without), 4),
    }


def judge_other_pages(path: Path) -> Iterator[Case]:
    """Pages of which nobody marked where they lead."""
    for row in rows_of(path):
        url = canonical(row["url"], rules=AS_IT_IS)
        if url is not None:
            _, next_page = next_page_on(row["html"], url)
            yield Case(is_held_out(url), False, FALSE if next_page else NONE, url, next_page)


def count_next_pages(cases: list[Case]) -> dict[str, float]:
    found = sum(case.next_page is not None for case in cases)
    return {"pages": len(cases), "found": found, "share": round(found / max(1, len(cases)), 4)}


def measure(folder: Path) -> dict[str, list[Case]]:
    """Cases by the set they are from."""
    others = {"records": "pages/swde.jsonl.gz", "any": "forms/formasaurus.jsonl.gz"}
    found = {"pagination": list(judge_marked_pages(folder))}
    return found | {name: list(judge_other_pages(folder / path)) for name, path in others.items()}


def report(measured: dict[str, list[Case]]) -> dict[str, Any]:
    by_set: dict[str, Any] = {}
    for name, cases in measured.items():
        count = count_verdicts if name == "pagination" else count_next_pages
        by_set[name] = {
            "developed": count([case for case in cases if not case.is_held_out]),
            "held_out": count([case for case in cases if case.is_held_out]),
            "all": count(cases),
        }
    return by_set


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--verbose", action="store_true", help="what was chosen, developed half")
    options = parser.parse_args()
    measured = measure(options.folder)
    for name, cases in measured.items() if options.verbose else ():
        for case in cases:
            if not case.is_held_out and case.verdict not in (NONE, FOUND):
                found = case.next_page
                target = f"{found.way} {found.request.url}" if found else "-"
                sys.stdout.write(f"{name} {case.verdict} {case.url} {target}\n")
    sys.stdout.write(json.dumps(report(measured)) + "\n")


if __name__ == "__main__":
    main()
