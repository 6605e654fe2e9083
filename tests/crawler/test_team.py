"""Several workers on one shared store crawl what one process would."""

import asyncio
from collections import Counter
from collections.abc import Callable

from leadline.config import Config
from leadline.core.samples import sample_of
from leadline.core.shared import STOPPED, Shared
from leadline.crawler.store_calls import StoreCalls, run_at_once
from leadline.crawler.team import Outfit, begin_run, joined
from leadline.store.shared.memory import MemoryShared
from leadline.store.shared.tables import Tables
from tests.server.good import GoodSite

MakeConfig = Callable[..., Config]


async def take_part(config: Config, shared: Shared, name: str) -> None:
    async with joined(config, shared, name, Outfit(StoreCalls(run_at_once))) as member:
        await member.run()


async def crawl(config: Config, tables: Tables, members: int) -> Shared:
    shared = MemoryShared(tables)
    begin_run(shared, config)
    names = [f"w{n}" for n in range(members)]
    await asyncio.gather(*(take_part(config, MemoryShared(tables), name) for name in names))
    return shared


async def test_a_team_visits_every_page_once(config: MakeConfig, site: GoodSite) -> None:
    tables = Tables()
    shared = await crawl(config(budget__pages=0, crawl__concurrency=2), tables, 3)
    assert shared.run().state == STOPPED
    assert shared.run().reason == "nothing left to follow"
    visited = Counter(visit.url for visit in tables.visits.values() if visit.outcome == "page")
    assert visited == Counter(site.town.url(n) for n in range(60))
    asked = Counter(entry.path for entry in site.log)
    assert asked["/robots.txt"] == 4
    assert sum(asked.values()) == 64


async def test_what_waits_is_sampled_for_the_whole_team(config: MakeConfig) -> None:
    tables = Tables()
    await crawl(config(budget__pages=40, crawl__concurrency=2), tables, 2)
    samples = [sample_of(event) for event in tables.events if event.kind == "sample"]
    assert samples
    assert samples[-1].pages == 40
    assert sum(samples[-1].queues.values()) == sum(
        len(row.waiting) for row in tables.sites.values()
    )


async def test_a_member_that_leaves_delivers_and_the_others_go_on(config: MakeConfig) -> None:
    tables, settings = Tables(), config(budget__pages=0, crawl__concurrency=2)
    begin_run(MemoryShared(tables), settings)
    async with joined(
        settings, MemoryShared(tables), "first", Outfit(StoreCalls(run_at_once))
    ) as first:
        working = asyncio.create_task(first.run())
        while len(tables.visits) < 5:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        first.leave()
        await working
    assert tables.run.state == "running"
    assert not any(row.worker for row in tables.sites.values())
    assert not any(one.is_present for one in MemoryShared(tables).workers())
    assert len(tables.visits) < 60
    await take_part(settings, MemoryShared(tables), "second")
    assert sum(visit.outcome == "page" for visit in tables.visits.values()) == 60
