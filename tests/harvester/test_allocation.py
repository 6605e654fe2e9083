"""One budget for several sources: the next request goes where it brings most."""

import asyncio
import itertools
import random
from collections.abc import Callable

from leadline.core.harvest import Answer, Harvest, HarvestSource, NextPage, Query
from leadline.core.url import Site
from leadline.harvester.allocation import RequestAllocator
from leadline.harvester.session.pool import HarvestPool
from leadline.harvester.session.session import OpenedSource, SessionPlan
from leadline.store.memory import MemoryStore
from leadline.web.archive import ReplayFetcher
from tests.harvester.session.sources import WORDS, Held, InOrder, Shelf, record
from tests.store.samples import judged


def test_the_source_that_brings_more_is_asked_and_the_other_seldom() -> None:
    allocator = RequestAllocator(random.Random(1))
    counts = {"rich": [0, 0], "poor": [0, 0]}
    gains = {"rich": 20, "poor": 1}
    for _ in range(200):
        for name, (requests, records) in counts.items():
            allocator.learn(name, requests, records)
        name = next(n for n in ("poor", "rich") if allocator.is_worth_asking(n, list(counts)))
        counts[name][0] += 1
        counts[name][1] += gains[name]
    assert counts["poor"][0] < 25
    assert counts["poor"][0] > 0


def test_a_source_that_is_emptied_leaves_the_requests_to_others() -> None:
    allocator = RequestAllocator(random.Random(1))
    allocator.learn("first", 30, 600)
    allocator.learn("second", 30, 90)
    assert allocator.expect("first") > allocator.expect("second")
    allocator.learn("first", 120, 610)
    assert allocator.expect("first") < allocator.expect("second")


def test_an_emptied_source_is_not_worth_what_a_new_one_is() -> None:
    allocator = RequestAllocator()
    for requests in range(1, 121):
        allocator.learn("small", requests, min(requests, 40))
    assert allocator.expect("new") > 1
    assert allocator.expect("small") < 0.1
    assert allocator.expect_of_crawl(200) > allocator.expect("small")


def test_the_best_of_those_that_wait_may_always_be_asked() -> None:
    allocator = RequestAllocator(random.Random(1))
    for seed in range(50):
        names = [str(n) for n in range(5)]
        for name in names:
            allocator.learn(name, seed + 1, int(name) * seed)
        best = max(names, key=allocator.expect)
        assert allocator.is_worth_asking(best, names)


def test_a_crawl_is_worth_more_the_more_doors_it_finds_and_the_more_they_bring() -> None:
    found = RequestAllocator()
    found.learn("a", 40, 800)
    assert found.expect_of_crawl(10) > found.expect_of_crawl(1_000)
    poor = RequestAllocator()
    poor.learn("a", 40, 4)
    assert poor.expect_of_crawl(10) < found.expect_of_crawl(10)


class _SeenShelf(Shelf):
    async def ask(self, query: Query) -> Answer:
        await asyncio.sleep(0)
        return await super().ask(query)

    async def fetch_next_page(self, query: Query, page: NextPage) -> Answer:
        await asyncio.sleep(0)
        return await super().fetch_next_page(query, page)


async def _harvest(allocator: RequestAllocator | None, budget: int) -> tuple[int, int, int]:
    """Requests to a poor and to a rich source, and the records of both."""
    store = MemoryStore()
    shelves = {
        "poor": _SeenShelf([record(n) for n in range(1, 8)], page_size=1),
        "rich": _SeenShelf([record(n) for n in range(1_000)], page_size=10),
    }

    async def open_shelf(
        harvest: Harvest,
        why_stop: Callable[[], str],  # noqa: ARG001
        *,
        is_dry: bool = False,  # noqa: ARG001
    ) -> OpenedSource | str:
        shelf = shelves[harvest.subject.signature]
        return OpenedSource(harvest, shelf, InOrder(WORDS), Held())

    pool = HarvestPool(
        *(store, ReplayFetcher(()), open_shelf, SessionPlan()),
        concurrency=2,
        with_details=False,
        now=itertools.count(1_000.0).__next__,
    )
    pool.allocator, pool.max_requests = allocator, budget
    for name in shelves:
        pool.offer(HarvestSource(name, Site(f"{name}.test"), judged(name).form))
    await pool.finish()
    tallies = [store.harvests.tally(head.id) for head in store.harvests.all()]
    assert pool.requests <= budget
    return len(shelves["poor"].log), len(shelves["rich"].log), sum(t.records for t in tallies)


async def test_under_a_common_budget_the_rich_source_gets_the_requests() -> None:
    poor, rich, records = await _harvest(RequestAllocator(random.Random(1)), 40)
    first_poor, _, first_records = await _harvest(None, 40)
    assert poor < rich
    assert poor < first_poor
    assert records > first_records


async def test_when_the_budget_is_large_every_source_is_harvested_to_its_end() -> None:
    competing = await _harvest(RequestAllocator(random.Random(1)), 10_000)
    assert competing == await _harvest(None, 10_000)


def test_a_survey_that_was_begun_is_carried_on_and_does_not_sink_its_source() -> None:
    allocator = RequestAllocator(random.Random(1))
    allocator.learn("rich", 40, 800)
    before = allocator.expect("new")
    for asked in range(1, 8):
        allocator.learn("new", asked, 0)
        assert allocator.is_worth_asking("new", ["rich"])
    # Half of eight requests for nothing, beside what sources bring when they are new.
    assert allocator.expect("new") > before / 3
    allocator.learn("new", 12, 0)
    asked = sum(allocator.is_worth_asking("new", ["rich"]) for _ in range(100))
    assert asked < 20
