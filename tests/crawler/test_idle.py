"""A crawl does not stand idle while anything allowed can be fetched: over real HTTP on loopback."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from leadline.config import Config, load_config
from leadline.crawler.assembly import crawl_async, open_crawl
from leadline.crawler.run import BUSY_LEFT
from leadline.store.address import place_of
from leadline.views.mirror.store import open_mirror
from leadline.views.overview import read_status
from tests.server.good import GoodSite
from tests.server.wire import Ask, answer_bytes

PATIENCE_S = 180.0
"""Far less than the hour that busy hosts ask for, and enough for a busy machine."""
BUSY = answer_bytes("later", status="429 Too Many Requests", extra="Retry-After: 3600\r\n")
BROKEN = answer_bytes("broken", status="502 Bad Gateway")


class BusyTown(GoodSite):
    """A town of which some hosts answer 429 to everything but robots.txt, and some 502 to that."""

    def __init__(self, pages: int, hosts: int) -> None:
        super().__init__(pages, hosts)
        self.busy: set[str] = set()
        self.broken: set[str] = set()

    def page(self, ask: Ask) -> bytes:
        if ask.host in self.broken:
            return BROKEN
        if ask.host in self.busy and ask.path != "/robots.txt":
            return BUSY
        return super().page(ask)

    def asked(self, host: str) -> list[str]:
        return [entry.path for entry in self.log if entry.host == host]


@pytest.fixture
async def town() -> AsyncIterator[BusyTown]:
    served = BusyTown(pages=120, hosts=30)
    await served.start(0)
    yield served
    await served.stop()


@pytest.fixture
def config(town: BusyTown) -> Callable[..., Config]:
    def make(**changes: Any) -> Config:
        settings = {
            "seeds": ["http://site0.test/"],
            "topic.name": "book",
            "strategy.name": "breadth_first",
            "strategy.fallback": "",
            "web.resolve": {"*": f"127.0.0.1:{town.port}"},
            "politeness.delay_s": 0.0,
            "store.path": ":memory:",
        }
        named = {name.replace("__", "."): value for name, value in changes.items()}
        return load_config(settings={**settings, **named})[0]

    return make


MakeConfig = Callable[..., Config]


async def crawl_within(seconds: float, config: Config) -> tuple[str, set[str]]:
    """The reason and the pages of a crawl that must not take longer."""
    async with asyncio.timeout(seconds), open_crawl(config) as (crawl, store):
        reason = await crawl.run()
        return reason, {visit.url for visit in store.reader.visits() if visit.outcome == "page"}


async def test_one_busy_host_holds_up_no_other(config: MakeConfig, town: BusyTown) -> None:
    town.busy = {"site3.test"}
    seeds = [town.town.url(n) for n in range(30)]
    reason, pages = await crawl_within(PATIENCE_S, config(seeds=seeds))
    assert reason.startswith(BUSY_LEFT)
    elsewhere = {town.town.url(n) for n in range(120) if n % 30 != 3}
    # What only the busy host links to cannot be known.
    assert len(elsewhere - pages) <= 8
    assert town.asked("site3.test").count("/") == 1


async def test_what_was_passed_over_is_followed_at_once_when_all_else_is_busy(
    config: MakeConfig, town: BusyTown
) -> None:
    """The first strategy leaves most links behind; one of its sites is busy for an hour."""
    town.busy = {"site1.test"}
    early = {"strategy__name": "baseline_sc", "strategy__max_pages": 2}
    _, few = await crawl_within(PATIENCE_S, config(**early))
    reason, pages = await crawl_within(
        PATIENCE_S, config(**early, strategy__fallback="breadth_first")
    )
    assert reason.startswith(BUSY_LEFT)
    assert len(pages) > 1.5 * len(few)
    assert len(pages) > 90


async def test_a_strategy_that_keeps_all_links_stays_while_sites_rest(
    config: MakeConfig, town: BusyTown
) -> None:
    """A fallback would give the better ranking up for nothing."""
    town.busy = {"site1.test", "site2.test"}
    given = {"strategy__name": "expected_gain", "strategy__fallback": "baseline_sc"}
    async with asyncio.timeout(PATIENCE_S), open_crawl(config(**given)) as (crawl, store):
        reason = await crawl.run()
        pages = {visit.url for visit in store.reader.visits() if visit.outcome == "page"}
        assert crawl.strategy.name == "expected_gain"
        assert not any(event.kind == "fallback" for event in store.reader.events())
    assert reason.startswith(BUSY_LEFT)
    assert len(pages) > 90


async def test_hosts_without_robots_rules_hold_up_no_other(
    config: MakeConfig, town: BusyTown
) -> None:
    """Thirteen answer 502 to the question for robots.txt, and so must not be asked for pages."""
    town.broken = {f"site{n}.test" for n in range(1, 14)}
    early = {"strategy__name": "baseline_sc", "strategy__max_pages": 2}
    seeds = ["http://site0.test/", "http://site20.test/", "http://site25.test/"]
    reason, pages = await crawl_within(
        40,
        config(
            **early, seeds=seeds, strategy__fallback="breadth_first", robots__unreachable_wait_s=90
        ),
    )
    assert reason.startswith(BUSY_LEFT)
    assert not any(f"site{n}.test" in url for url in pages for n in range(1, 14))
    assert len(pages) > 30
    assert all(set(town.asked(host)) <= {"/robots.txt"} for host in town.broken)


async def test_the_first_strategy_is_not_given_up_for_nothing(
    config: MakeConfig, town: BusyTown
) -> None:
    """All seeds are busy and nothing was passed over: there is nothing for a fallback."""
    town.busy = {"site0.test"}
    async with open_crawl(config(strategy__fallback="baseline_sc")) as (crawl, store):
        reason = await crawl.run()
        kinds = {event.kind for event in store.reader.events()}
        assert crawl.strategy.name == "breadth_first"
    assert reason.startswith(BUSY_LEFT)
    assert "fallback" not in kinds


async def test_a_long_retry_after_is_respected_after_a_restart(
    config: MakeConfig, town: BusyTown, tmp_path: Path
) -> None:
    town.busy = {"site0.test"}
    path = str(tmp_path / "c.leadline")
    await crawl_async(config(store__path=path, seeds=["http://site0.test/"]))
    asked = len(town.asked("site0.test"))
    result = await crawl_async(config(store__path=path, seeds=["http://site1.test/"]))
    assert result.reason.startswith(BUSY_LEFT)
    assert len(town.asked("site0.test")) == asked
    assert result.counts.pages > 20


async def test_a_short_wait_is_waited_for(config: MakeConfig, town: BusyTown) -> None:
    answers = [answer_bytes("", status="503 Busy", extra="Retry-After: 600\r\n")]
    serve = town.page

    def once(ask: Ask) -> bytes:
        return answers.pop() if answers and ask.path == "/" else serve(ask)

    town.page = once  # type: ignore[method-assign]
    result = await crawl_async(
        config(politeness__max_retry_after_s=0.2, politeness__first_backoff_s=0.1)
    )
    assert result.reason == "nothing left to follow"
    assert result.counts.pages > 100


async def test_a_site_whose_turn_is_far_off_holds_no_place(
    config: MakeConfig, town: BusyTown
) -> None:
    """With one place, sites that want a long pause after robots.txt do not keep it."""
    town.robots = "User-agent: *\nCrawl-delay: 20\n"
    seeds = [town.town.url(n) for n in range(30)]
    plan = config(seeds=seeds, crawl__concurrency=1, crawl__max_idle_s=0, budget__seconds=15)
    await crawl_async(plan)
    # Each host was asked for its rules before any of the pauses was over.
    assert {entry.host for entry in town.log} == {f"site{n}.test" for n in range(30)}


async def test_status_says_how_many_sites_share_a_server(
    config: MakeConfig, town: BusyTown, tmp_path: Path
) -> None:
    path = str(tmp_path / "c.leadline")
    seeds = [town.town.url(n) for n in range(6)]
    await crawl_async(
        config(store__path=path, seeds=seeds, politeness__delay_s=0.01, budget__pages=12)
    )
    with closing(open_mirror(path, place_of(path))) as mirror, mirror.refresh():
        shared = read_status(mirror).politeness.shared
    assert shared.servers == 1
    assert shared.most[0].name == "address 127.0.0.1"
    assert shared.sites == shared.most[0].sites >= 6
