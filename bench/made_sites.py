"""What a harvest brings of search sites that are made up for tests, each odd in its own way.

    python -m bench.made_sites
    python -m bench.made_sites --only DateWindow Tokens --requests 100

The sites and what is expected of each are those of `tests/harvester/made`; they run in this
process. The last line is one JSON object: for each site the share of its records, records that are
none, requests to 90 %, whether the interval holds the truth, and why the harvest stopped.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.harvester.made.harvesting import harvest_made
from tests.harvester.made.site import MadeSite
from tests.harvester.made.test_made import KINDS


def measure(kind: type[MadeSite], requests: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "a.leadline"
        done = asyncio.run(harvest_made(kind, store, harvest__max_requests=requests))
    return {
        "share": round(done.share, 3),
        "false": done.false,
        "requests": done.requests,
        "to_90": done.to_90,
        "over_bound": done.to_90 and round(done.to_90 / kind.listing_requests(), 2),
        "holds": done.low is None or done.low <= done.size <= (done.high or done.size),
        "exceeded": max(0, done.requests - requests - _BESIDE_BUDGET),
        "stopped": done.reason,
    }


_BESIDE_BUDGET = 13
"""Requests that look for the form, which are none of its harvest yet: the page that was given, and
at most a dozen others."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=())
    parser.add_argument("--requests", type=int, default=160)
    given = parser.parse_args()
    found: dict[str, Any] = {}
    for kind in KINDS:
        if not given.only or kind.__name__ in given.only:
            one = found[kind.__name__] = measure(kind, given.requests)
            sys.stderr.write(f"{kind.__name__}: {json.dumps(one)}\n")
    over = [one["over_bound"] for one in found.values() if one["over_bound"]]
    summary = {
        "sites": len(found),
        "with 95 % of their records": sum(one["share"] >= 0.95 for one in found.values()),
        "false": sum(one["false"] for one in found.values()),
        "median over bound": statistics.median(over) if over else None,
        "intervals that hold": sum(one["holds"] for one in found.values()),
        "budgets exceeded": sum(one["exceeded"] > 0 for one in found.values()),
    }
    print(json.dumps({"summary": summary, "sites": found}))


if __name__ == "__main__":
    main()
