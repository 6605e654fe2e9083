"""What `harvest all` takes on a site whose forms open onto one database, and on two databases.

    python -m bench.several_forms --records 200 600 --budgets 10 27 100

A site of four forms, three of them onto one database, is harvested through all of them, and each
database through one form alone; the truth is the site's own log. The last line is one JSON object:
records that the store holds twice, requests against those of one form each, and the requests that
budgets were exceeded by.
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from tests.e2e.test_harvest_budget import CountingSite, ManyDoors, find_forms, harvest
from tests.harvester.session.http_shelf import HOME
from tests.harvester.session.sources import Shelf, record

from leadline.store import open_store_view

_BESIDE_BUDGET = 2
"""Requests that are no harvest's yet: robots.txt, and the page on which the form is looked for."""


def make_shelf(records: int) -> Shelf:
    return Shelf(tuple(record(number) for number in range(1, records + 1)), page_size=10)


def make_site(records: int) -> ManyDoors:
    site = ManyDoors(make_shelf(records))
    site.other = Shelf(
        tuple(record(number) for number in range(2 * records, 2 * records + records // 3)),
        page_size=10,
    )
    return site


def count_twice(store: Path) -> tuple[int, int]:
    """Rows of records in the store, and how many of them repeat another one's key."""
    view = open_store_view(store)
    try:
        heads = list(view.harvests.all())
        keys = [kept.record.key for head in heads for kept in view.harvests.records(head.id)]
    finally:
        view.close()
    return len(keys), len(keys) - len(set(keys))


async def compare(records: int, folder: Path) -> dict[str, Any]:
    async with make_site(records) as site:
        found = folder / f"all-{records}.leadline"
        await find_forms(site, found)
        before = site.asked
        done = await harvest(site, "all", found)
        spent = site.asked - before
    alone = 0
    for page in ("", "attic"):
        async with make_site(records) as site:
            await harvest(site, f"{HOME}{page}", folder / f"one-{records}-{page}.leadline")
            alone += site.asked
    rows, twice = count_twice(found)
    return {
        "records": rows,
        "twice": twice,
        "requests": spent,
        "one form each": alone,
        "more": round(spent / alone - 1, 3),
        "reasons": {one.harvest.subject.form.page: one.reason for one in done.harvests},
    }


async def exceed(budget: int, folder: Path) -> int:
    """Requests beyond a budget, of a site that redirects every search."""
    async with CountingSite(make_shelf(200)) as site:
        site.redirects = True
        store = folder / f"budget-{budget}.leadline"
        await harvest(site, HOME, store, harvest__max_requests=budget)
        return max(0, site.asked - budget - _BESIDE_BUDGET)


async def exceed_in_all(budget: int, folder: Path) -> int:
    """The same of all harvests of a store together."""
    async with make_site(200) as site:
        store = folder / f"total-{budget}.leadline"
        await find_forms(site, store)
        before = site.asked
        await harvest(site, "all", store, harvest__max_total_requests=budget)
        return max(0, site.asked - before - budget - _BESIDE_BUDGET)


async def measure(records: list[int], budgets: list[int]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return {
            "several forms": {str(one): await compare(one, folder) for one in records},
            "beyond the budget of a source": {str(b): await exceed(b, folder) for b in budgets},
            "beyond the budget of all": {str(b): await exceed_in_all(b, folder) for b in budgets},
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[200, 600])
    parser.add_argument("--budgets", type=int, nargs="+", default=[1, 3, 10, 27, 100])
    given = parser.parse_args()
    print(json.dumps(asyncio.run(measure(given.records, given.budgets))))


if __name__ == "__main__":
    main()
