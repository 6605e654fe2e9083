"""Several workers on one shared store crawl what one process would."""

import asyncio
from collections import Counter
from collections.abc import Callable

from leadline.config import Config
from leadline.core.events import sample_of
from leadline.core.store import STOPPED
from leadline.crawler.store_calls import StoreCalls, run_at_once
from leadline.crawler.team import MemberParts, begin_run, join_team
from leadline.store.memory import MemoryStore
from tests.server.good import GoodSite

MakeConfig = Callable[..., Config]


async def take_part(config: Config, store: MemoryStore, name: str) -> None:
    async with join_team(config, store, name, MemberParts(StoreCalls(run_at_once))) as member:
        await member.run()


async def crawl(config: Config, members: int) -> MemoryStore:
    store = MemoryStore()
    begin_run(store, config)
    await asyncio.gather(*(take_part(config, store, f"w{n}") for n in range(members)))
    return store


async def test_a_team_visits_every_page_once(config: MakeConfig, site: GoodSite) -> None:
    store = await crawl(config(budget__pages=0, crawl__concurrency=2, crawl__ask_forms=False), 3)
    assert store.run.state().state == STOPPED
    assert store.run.state().reason == "nothing left to follow"
    visited = Counter(visit.url for visit in store.reader.visits() if visit.outcome == "page")
    assert visited == Counter(site.town.url(n) for n in range(60))
    asked = Counter(entry.path for entry in site.log)
    assert asked["/robots.txt"] == 4
    assert sum(asked.values()) == 64


async def test_what_waits_is_sampled_for_the_whole_team(config: MakeConfig) -> None:
    store = await crawl(config(budget__pages=40, crawl__concurrency=2), 2)
    samples = [sample_of(event) for event in store.reader.events() if event.kind == "sample"]
    assert samples
    assert samples[-1].pages == 40
    assert sum(samples[-1].queues.values()) == store.reader.counts().waiting


async def test_a_member_that_leaves_delivers_and_the_others_go_on(config: MakeConfig) -> None:
    store, settings = MemoryStore(), config(budget__pages=0, crawl__concurrency=2)
    begin_run(store, settings)
    parts = MemberParts(StoreCalls(run_at_once))
    async with join_team(settings, store, "first", parts) as first:
        working = asyncio.create_task(first.run())
        while store.reader.counts().visits < 5:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        first.leave()
        await working
    assert store.run.state().state == "running"
    assert not any(one.is_present for one in store.run.workers())
    assert store.reader.counts().visits < 60
    await take_part(settings, store, "second")
    assert store.reader.counts().pages == 60
