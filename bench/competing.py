"""What a crawl with harvests brings under one budget: sources that compete against first come.

    python -m bench.competing --pages 400 --worlds 1 2 3

Crawls of lab worlds over real HTTP, once for each way to share the budget. The last line is one
JSON object: records, requests and records a request of each.
"""

import argparse
import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from leadline import crawl, load_config
from leadline.store import open_store_view
from leadline_lab.profile import profile_named
from leadline_lab.server.running import serving_apart
from leadline_lab.server.serve import open_world
from leadline_lab.world import World

WAYS = ("first_come", "yield")


def measure(given: argparse.Namespace, seed: int, way: str) -> dict[str, Any]:
    """One crawl of one world."""
    profile, domain, pages = given.profile, given.domain, given.pages
    world = World(profile_named(profile), seed)
    serve = partial(open_world, profile, seed)
    with tempfile.TemporaryDirectory() as folder, serving_apart(serve) as port:
        path = Path(folder) / "a.leadline"
        settings = {
            "seeds": world.seeds(domain, 12),
            "topic.name": domain,
            "store.path": str(path),
            "budget.pages": pages,
            "budget.seconds": 240.0,
            "web.first_byte_timeout_s": 3.0,
            "politeness.delay_s": 0.0,
            "politeness.sites_per_address": 0,
            "web.resolve": {"*": f"127.0.0.1:{port}"},
            "web.allow_private": True,
            "harvest.during_crawl": True,
            "harvest.retry_pause_s": 0.2,
            "harvest.allocation": way,
            "harvest.budget_share": given.share,
        }
        crawl(load_config(settings=settings)[0])
        view = open_store_view(path)
        try:
            tallies = [view.harvests.tally(head.id) for head in view.harvests.all()]
        finally:
            view.close()
    asked = sum(tally.requests for tally in tallies)
    records = sum(tally.records for tally in tallies)
    return {
        "records": records,
        "requests of harvests": asked,
        "sources": len(tallies),
        "sources with records": sum(tally.records > 0 for tally in tallies),
        "records a request of the budget": round(records / pages, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="demo")
    parser.add_argument("--domain", default="book")
    parser.add_argument("--worlds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--share", type=float, default=0.5, help="Left to harvests, first come.")
    parser.add_argument("--ways", nargs="+", default=list(WAYS), choices=WAYS)
    given = parser.parse_args()
    found: dict[str, Any] = {}
    for seed in given.worlds:
        for way in given.ways:
            one = measure(given, seed, way)
            found[f"{given.profile} {seed} {way}"] = one
            sys.stderr.write(f"{given.profile} {seed} {way}: {json.dumps(one)}\n")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
