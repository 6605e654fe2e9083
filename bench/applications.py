"""How many of the records of a real search application a harvest brings, and for how many requests.

    python -m bench.applications --install FOLDER
    python -m bench.applications --software FOLDER --split development --requests 100 300 1000
    python -m bench.applications --software FOLDER --only gitweb

The applications and their split are those of `bench/applications.toml`, fixed before any was run.
The truth is what each was filled with; `to_90`, the requests to 90 %, is compared with the least
that pages of results allow, 0.9 N / page size. The last line is one JSON object.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.realdata.conftest import find_data, read_rows
from tests.software import cgi_programs, site_programs, text_servers
from tests.software.application import SOFTWARE, Row
from tests.software.generated import generate_rows
from tests.software.subject import StartSubject, Subject

from leadline import harvest_async, load_config
from leadline.errors import LeadlineError
from leadline.harvester.coverage.bounds import listing_bound
from leadline.store import open_store_view

LIST = Path(__file__).with_suffix(".toml")
STARTERS: dict[str, StartSubject] = {
    "namazu": cgi_programs.namazu,
    "gitweb": cgi_programs.gitweb,
    "cgit": cgi_programs.cgit,
    "json-server": site_programs.json_server,
    "bukuserver": site_programs.bukuserver,
    "hgweb": site_programs.hgweb,
    "wagtail": site_programs.wagtail,
    "raneto": site_programs.raneto,
    "public-inbox": text_servers.public_inbox,
    "gitit": text_servers.gitit,
    "groonga": text_servers.groonga,
    "otterwiki": text_servers.otter_wiki,
}
RECORDS = 600
_COLLECTION = "records/reuters"


def install(folder: Path) -> None:
    """What the list names of PyPI and npm; Debian's packages are left to apt-get."""
    listed = tomllib.loads(LIST.read_text(encoding="utf-8")).values()
    wanted = [entry["from"].partition(": ") for entry in listed]
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    python = [name for maker, _, name in wanted if maker == "PyPI"]
    subprocess.run([folder / "bin" / "pip", "install", "-q", *python], check=True)
    script = [name for maker, _, name in wanted if maker == "npm"]
    subprocess.run(
        ["npm", "install", "--silent", "--ignore-scripts", "--prefix", folder, *script], check=True
    )
    debian = [name for maker, _, name in wanted if maker == "Debian"]
    sys.stderr.write(f"as root: apt-get install {' '.join(debian).replace(',', '')}\n")


def take_rows(count: int) -> Iterable[Row]:
    folder = find_data()
    return islice(read_rows(folder, _COLLECTION) if folder else generate_rows(), count)


async def measure(subject: Subject, requests: int, store: Path) -> dict[str, Any]:
    """One harvest with a budget, judged by the truth."""
    settings = {
        "web.allow_private": True,
        "politeness.delay_s": 0.0,
        "robots.obey": False,
        "store.path": str(store),
        "harvest.max_requests": requests,
        "harvest.retry_pause_s": 0.2,
        "harvest.max_seconds": 240.0,
    }
    try:
        done = await harvest_async(subject.start, load_config(settings=settings)[0])
    except LeadlineError as error:
        return {"budget": requests, "share": 0.0, "stopped": str(error)}
    (one,) = done.harvests
    view = open_store_view(store)
    try:
        return _judge(subject, requests, one, view)
    finally:
        view.close()


def _judge(subject: Subject, requests: int, one: Any, view: Any) -> dict[str, Any]:
    (head,) = view.harvests.all()
    found: dict[str, tuple[int, int]] = {}
    false = 0
    for kept in view.harvests.records(head.id):
        name = subject.name_record(kept.record)
        if name and name not in found:
            found[name] = (kept.query, kept.page)
        else:
            false += 1
    spent, to_90 = head.requests, None
    reached = 0
    firsts: dict[tuple[int, int], int] = {}
    for place in found.values():
        firsts[place] = firsts.get(place, 0) + 1
    for page, _ in view.harvests.pages(head.id):
        spent += page.requests
        reached += firsts.get((page.query, page.number), 0)
        if to_90 is None and reached >= 0.9 * len(subject.names):
            to_90 = spent
    bound = listing_bound(len(subject.names), subject.page_size, subject.cap)
    coverage = one.coverage
    return {
        "budget": requests,
        "spent": one.tally.requests,
        "share": round(len(found) / len(subject.names), 4),
        "false": false,
        "interval": [coverage.low, coverage.high] if coverage else None,
        "holds": coverage is not None
        and coverage.low <= len(subject.names) <= (coverage.high or float("inf")),
        "to_90": to_90,
        "over_bound": round(to_90 / bound, 2) if to_90 else None,
        "stopped": one.reason,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--install", type=Path)
    parser.add_argument("--software", type=Path)
    splits = ("development", "untouched", "untouched-2")
    parser.add_argument("--split", default="development", choices=splits)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--requests", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--records", type=int, default=RECORDS)
    given = parser.parse_args()
    if given.install:
        install(given.install)
        return
    if given.software:
        os.environ[SOFTWARE] = str(given.software.resolve())
    listed = tomllib.loads(LIST.read_text(encoding="utf-8"))
    wanted = [n for n in STARTERS if listed[n]["split"] == given.split]
    found: dict[str, Any] = {}
    for name in [n for n in wanted if not given.only or n in given.only]:
        try:
            found[name] = _measure_all(name, given.requests, given.records)
        except pytest.skip.Exception as skipped:
            found[name] = {"skipped": str(skipped)}
        except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
            found[name] = {"failed": str(error)[-300:]}
        sys.stderr.write(f"{name}: {json.dumps(found[name])}\n")
    print(json.dumps(found))


def _measure_all(name: str, budgets: list[int], count: int) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "application"
        place.mkdir()
        with STARTERS[name](take_rows(count), place) as subject:
            rows: list[dict[str, Any]] = []
            for budget in sorted(budgets):
                if rows and not rows[-1]["stopped"].startswith("budget"):
                    # It ended by itself: a higher budget changes nothing.
                    rows.append({**rows[-1], "budget": budget})
                    continue
                store = Path(folder) / f"{budget}.leadline"
                rows.append(asyncio.run(measure(subject, budget, store)))
            return rows


if __name__ == "__main__":
    main()
