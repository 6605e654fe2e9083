"""A crawl does what people leave on its desk, over real HTTP on loopback."""

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from leadline.config import Config
from leadline.core.crawl import Budget
from leadline.core.http import Request, Response
from leadline.core.inbox import (
    BUDGET,
    EXCLUDE,
    PAUSE,
    RESUME,
    SEEDS,
    STOP,
    Inbox,
    Order,
    budget_order,
    exclude_order,
    seeds_order,
)
from leadline.core.store import PAUSED, RUNNING, STOPPED, Store, correct_run_state
from leadline.core.url import Site, Url
from leadline.crawler.assembly import crawl_async, open_crawl
from leadline.crawler.links import EXCLUDED, Scope, make_seed
from leadline.crawler.network import PausableFetcher
from leadline.crawler.orders import NOTHING_RUNS
from leadline.harvester.session.session import STOP_ORDERED
from leadline.store import open_store_view
from leadline.store.inbox import open_inbox
from leadline.store.leases import StoreClock
from leadline.store.lock import is_locked
from leadline.store.memory import MemoryStore
from tests.crawler.test_local import until
from tests.server.good import GoodSite

MakeConfig = Callable[..., Config]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "c.leadline"


def outcomes(desk: Inbox) -> list[str]:
    return [order.outcome for order in desk.orders()]


def state_at(path: Path) -> str:
    """What another process sees."""
    reader = open_store_view(path)
    state = correct_run_state(reader.reader.run(), is_written=is_locked(path))
    reader.close()
    return state.state


def kinds(store: Store) -> list[str]:
    return [event.kind for event in store.reader.events()]


async def test_a_crawl_is_paused_changed_and_resumed_from_elsewhere(
    config: MakeConfig, site: GoodSite, path: Path
) -> None:
    settings = config(store__path=str(path), politeness__delay_s=0.15)
    async with open_crawl(settings) as (crawl, store):
        running_crawl = asyncio.create_task(crawl.run())
        await until(lambda: store.reader.counts().visits >= 3)
        desk = open_inbox(path)
        desk.give(Order(PAUSE, 1.0))
        desk.give(Order(PAUSE, 1.5))
        await until(lambda: len(list(filter(None, outcomes(desk)))) == 2 and not crawl.under_way)
        assert outcomes(desk) == ["paused", "was paused already"]
        asked, visits = len(site.log), store.reader.counts().visits
        await until(lambda: state_at(path) == PAUSED)
        desk.give(budget_order(2.0, pages=visits + 3, forms=None))
        desk.give(seeds_order(2.5, ["site0.test", "http://site3.test/elsewhere", "mailto:me"]))
        await until(lambda: bool(outcomes(desk)[-1]))
        assert len(site.log) == asked
        desk.give(Order(RESUME, 3.0))
        assert await running_crawl == "budget: pages"
        assert store.pages.are_known([Url("http://site3.test/elsewhere")]) == [True]
        assert crawl.plan.budget == Budget(pages=visits + 3)
        told = [kind for kind in kinds(store) if kind in ("paused", "resumed", "order")]
    assert told == ["paused", "order", "order", "order", "order", "resumed", "order"]
    words = outcomes(desk)[2:]
    assert words[0] == f"budget: pages {visits + 3}, forms without limit"
    assert words[1] == ("1 seeds added, 1 known already; refused: mailto:me (not an http(s) URL)")
    assert words[2] == "goes on"
    assert state_at(path) == STOPPED


async def test_a_crawl_is_stopped_from_elsewhere_and_goes_on_later(
    config: MakeConfig, path: Path
) -> None:
    settings = config(store__path=str(path), politeness__delay_s=0.05)
    async with open_crawl(settings) as (crawl, store):
        running_crawl = asyncio.create_task(crawl.run())
        await until(lambda: store.reader.counts().visits >= 3)
        await until(lambda: state_at(path) == RUNNING)
        open_inbox(path).give(Order(STOP, 1.0))
        assert await running_crawl == STOP_ORDERED
    desk = open_inbox(path)
    assert outcomes(desk) == ["stops"]
    result = await crawl_async(config(store__path=str(path), seeds=[]))
    assert result.counts.pages == 60
    assert outcomes(desk) == ["stops"]


async def test_what_was_meant_for_a_run_that_is_over_does_not_hit_the_next(
    config: MakeConfig, path: Path
) -> None:
    await crawl_async(config(store__path=str(path), budget__pages=5))
    desk = open_inbox(path)
    for kind in (STOP, PAUSE, RESUME):
        desk.give(Order(kind, 1.0))
    result = await crawl_async(config(store__path=str(path), seeds=[]))
    assert result.counts.pages == 60
    assert outcomes(desk) == [NOTHING_RUNS] * 3


async def test_what_is_ordered_while_a_run_begins_is_meant_for_it(config: MakeConfig) -> None:
    async with open_crawl(config()) as (crawl, store):
        store.inbox.give(Order(STOP, time.time()))
        assert await crawl.run() == STOP_ORDERED
        assert store.reader.counts().visits == 0


async def test_what_is_left_between_runs_is_obeyed_by_the_next(
    config: MakeConfig, path: Path
) -> None:
    await crawl_async(config(store__path=str(path), budget__pages=5))
    desk = open_inbox(path)
    desk.give(budget_order(1.0, pages=20))
    desk.give(exclude_order(1.0, ["site1.test"]))
    desk.give(seeds_order(1.0, ["http://site2.test/extra"]))
    async with open_crawl(config(store__path=str(path), seeds=[])) as (crawl, store):
        assert await crawl.run() == "budget: pages"
        later = [visit.site for visit in list(store.reader.visits())[5:]]
        assert store.pages.are_known([Url("http://site2.test/extra")]) == [True]
        saved = store.load("config")
    assert Site("site1.test") not in later
    assert all(order.done_at is not None for order in desk.orders())
    assert saved is not None
    assert json.loads(saved)["budget"] == {"pages": 20, "seconds": 0, "bytes": 0, "forms": 0}
    assert Config.model_validate_json(saved).budget.limits == Budget(pages=20)


async def test_an_excluded_site_is_left_at_once_and_for_good(
    config: MakeConfig, site: GoodSite, path: Path
) -> None:
    settings = config(store__path=str(path), crawl__concurrency=1, politeness__delay_s=0.01)
    async with open_crawl(settings) as (crawl, store):
        running_crawl = asyncio.create_task(crawl.run())
        await until(lambda: store.links.site(Site("site1.test")).pages > 0)
        crawl.pause()
        await until(lambda: not crawl.under_way)
        desk = open_inbox(path)
        desk.give(exclude_order(1.0, ["http://SITE1.test/some/page", "site3.test"]))
        await until(lambda: bool(outcomes(desk)[0]))
        asked = len(site.log)
        crawl.resume()
        await running_crawl
        assert store.links.site(Site("site1.test")).closed == EXCLUDED
        assert store.links.site(Site("site3.test")).closed == EXCLUDED
        left = [e.subject for e in store.reader.events() if e.detail == EXCLUDED and e.subject]
    assert set(left) == {"site1.test", "site3.test"}
    assert outcomes(desk) == ["excluded site1.test, site3.test; open sites closed: 2"]
    assert {entry.host for entry in site.log[asked:]} == {"site0.test", "site2.test"}
    async with open_crawl(config(store__path=str(path), seeds=["site1.test/new"])) as (
        crawl,
        store,
    ):
        desk.give(seeds_order(1.0, ["site3.test/new"]))
        await crawl.run()
        assert store.pages.are_known([Url("http://site3.test/new")]) == [False]
    assert outcomes(desk)[1] == f"refused: site3.test/new ({EXCLUDED})"
    assert {entry.host for entry in site.log[asked:]} == {"site0.test", "site2.test"}


async def test_a_fallback_does_not_open_excluded_sites(config: MakeConfig, site: GoodSite) -> None:
    early = {"strategy__name": "baseline_sc", "strategy__max_pages": 2}
    async with open_crawl(config(**early, strategy__fallback="breadth_first")) as (crawl, store):
        store.inbox.give(exclude_order(1.0, ["site2.test"]))
        await crawl.run()
        assert "fallback" in kinds(store)
        assert store.links.site(Site("site2.test")).closed in (EXCLUDED, "")
        assert store.reader.counts().pages > 20
    assert "site2.test" not in {entry.host for entry in site.log}


async def test_an_order_that_makes_no_sense_is_refused_and_changes_nothing(
    config: MakeConfig,
) -> None:
    async with open_crawl(config(budget__pages=6)) as (crawl, store):
        for kind, detail in (
            (BUDGET, "much"),
            (BUDGET, '{"pages": 0}'),
            (SEEDS, "[]"),
            (SEEDS, '["mailto:me"]'),
            (EXCLUDE, '["..", "b.test"]'),
        ):
            store.inbox.give(Order(kind, 1.0, detail))
        before = crawl.plan
        assert await crawl.run() == "budget: pages"
        assert crawl.plan == before
        assert store.load("excluded") is None
        told = outcomes(store.inbox)
        assert [e.detail for e in store.reader.events() if e.kind == "order"] == told
    assert all(outcome.startswith("refused: ") for outcome in told)


def test_seconds_do_not_count_while_a_crawl_is_paused() -> None:
    seconds = [100.0]
    store = MemoryStore(clock=StoreClock(lambda: seconds[0], lambda: seconds[0]))
    store.links.put([make_seed(Url("http://a.test/"))])
    store.run.begin(Budget(seconds=10.0))
    seconds[0] = 105.0
    store.run.pause()
    seconds[0] = 120.0
    assert store.run.stop_reason() == ""
    store.run.resume()
    seconds[0] = 124.0
    assert store.run.stop_reason() == ""
    seconds[0] = 125.0
    assert store.run.stop_reason() == "budget: seconds"


class Noting:
    """A fetcher that only says it was asked."""

    asked = 0

    async def fetch(self, request: Request) -> Response:
        self.asked += 1
        return Response(request.url, 200, (), b"", at=0.0)

    def ready_at(self, site: Site) -> float:
        return float(len(site))

    def delay_of(self, site: Site) -> float:
        return float(len(site))

    async def close(self) -> None:
        self.asked = -1


async def test_who_asks_while_a_fetcher_rests_waits() -> None:
    inner = Noting()
    fetcher = PausableFetcher(inner)
    await fetcher.fetch(Request(Url("http://a.test/")))
    fetcher.pause()
    waiting = asyncio.create_task(fetcher.fetch(Request(Url("http://a.test/"))))
    await asyncio.sleep(0)
    assert inner.asked == 1
    fetcher.resume()
    await waiting
    assert inner.asked == 2
    assert fetcher.ready_at(Site("a.test")) == fetcher.delay_of(Site("a.test")) == 6.0
    await fetcher.close()
    assert inner.asked == -1


def test_a_scope_excludes_hosts_and_registered_domains() -> None:
    scope = Scope(deny=["denied.example"])
    url = Url("http://www.shop.example/")
    assert scope.why_not(url) == ""
    assert not scope.excludes
    scope.exclude(["SHOP.example", "one.host.example"])
    assert scope.why_not(url) == scope.why_excluded(Site("www.shop.example")) == EXCLUDED
    assert scope.why_excluded(Site("one.host.example")) == EXCLUDED
    assert scope.why_excluded(Site("two.host.example")) == ""
    assert scope.why_not(Url("http://denied.example/")) == "its site is denied"
    assert scope.why_excluded(Site("denied.example")) == ""
