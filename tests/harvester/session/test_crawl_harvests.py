"""A crawl that hands over the forms it finds, over real HTTP and from one budget."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from msgspec import structs

from leadline.config import Config, load_config
from leadline.core.crawl import JudgedForm
from leadline.core.harvest import OVER, HarvestSource
from leadline.core.inbox import exclude_order
from leadline.core.store import NOTHING_LEFT, Store
from leadline.core.url import Url, site_of
from leadline.crawler.assembly import make_plan
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.harvests.crawl_harvests import CrawlHarvests, HandoverRules
from leadline.crawler.links import EXCLUDED, make_seed
from leadline.crawler.network import PausableFetcher, make_fetcher, make_scope
from leadline.crawler.reading import InlineReader
from leadline.crawler.run import INTERRUPTED
from leadline.harvester.session.pool import HarvestPool
from leadline.harvester.session.session import SessionPlan as HarvestPlan
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.topics import TopicCritic, open_topic
from tests.crawler.test_local import until
from tests.harvester.session.http_shelf import ShelfSite, opening
from tests.harvester.session.sources import Shelf
from tests.store.samples import judged

FIRST = Url("http://shelf.test/")


@pytest.fixture
async def site() -> AsyncIterator[ShelfSite]:
    async with ShelfSite(Shelf()) as served:
        yield served


def settled(site: ShelfSite, pages: int) -> Config:
    return load_config(
        settings={
            "web.resolve": {"*": site.address},
            "politeness.delay_s": 0.0,
            "topic.words": ["shelf", "trees", "search"],
            "strategy.name": "breadth_first",
            "budget.pages": pages,
        }
    )[0]


@asynccontextmanager
async def ready(
    site: ShelfSite,
    pages: int,
    *,
    store: Store | None = None,
    share: float = 0.5,
    least: float = 0.0,
) -> AsyncIterator[tuple[Crawl, Store, HarvestPool]]:
    """A crawl from the shelf's page that harvests beside it."""
    store, config = store or MemoryStore(), settled(site, pages)
    async with AsyncExitStack() as stack:
        scope = make_scope(config, [])
        fetcher = make_fetcher(config, store, scope.why_not)
        stack.push_async_callback(fetcher.close)
        store.links.put([make_seed(FIRST)])
        resting = PausableFetcher(fetcher)
        harvester = HarvestPool(
            *(store, resting, opening()(config, store, resting)),
            HarvestPlan(),
            concurrency=4,
            with_details=False,
            now=time.time,
        )
        harvester.why_not = scope.why_excluded
        rules = HandoverRules(config.submit, least, share)
        handover = CrawlHarvests(harvester, store, rules, resting)
        critic = TopicCritic(open_topic(config.topic.name, config.topic.words))
        reader = InlineReader(critic, config.urls.rules, config.page.limits)
        strategy = make_strategy(config.strategy.name, config.strategy.own)
        parts = CrawlParts(store, fetcher, reader, strategy, None, handover, scope=scope)
        yield Crawl(parts, make_plan(config, scope)), store, harvester


async def crawled(
    site: ShelfSite, pages: int, *, store: Store | None = None
) -> tuple[str, Store, HarvestPool]:
    """The reason why it ended, and what was kept."""
    async with ready(site, pages, store=store) as (crawl, kept, harvester):
        return await crawl.run(), kept, harvester


async def test_a_found_form_is_harvested_while_the_crawl_goes_on(site: ShelfSite) -> None:
    reason, store, harvester = await crawled(site, 0)
    assert reason == NOTHING_LEFT
    assert list(harvester.reasons.values()) == ["nothing left worth asking"]
    (head,) = store.harvests.all()
    assert store.harvests.tally(head.id).records == 199
    kinds = [event.kind for event in store.reader.events()]
    assert kinds.count("handed-over") == 1
    assert kinds[-3:] == ["harvest-stopped", "sample", "stopped"]


async def test_a_form_that_is_believed_after_its_site_is_known_is_harvested(
    site: ShelfSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ready(site, 0, least=0.999) as (crawl, store, harvester):
        evidence = crawl._loop._evidence

        async def believe(*_: object) -> list[JudgedForm]:
            doors = evidence.of(site_of(FIRST)).doors
            return [structs.replace(door, relevant=1.0) for door in doors]

        monkeypatch.setattr(evidence, "close", believe)
        assert await crawl.run() == NOTHING_LEFT
        assert list(harvester.reasons.values()) == ["nothing left worth asking"]
        (head,) = store.harvests.all()
        assert store.harvests.tally(head.id).records == 199


async def test_the_crawl_and_its_harvests_have_one_budget(site: ShelfSite) -> None:
    reason, store, harvester = await crawled(site, 20)
    assert reason == "budget: pages"
    assert store.reader.counts().visits + harvester.requests == 20
    again, store, harvester = await crawled(site, 40, store=store)
    assert store.reader.counts().visits + harvester.requests == 40
    assert again == "budget: pages"
    assert len(site.log) == len(set(site.log))


async def test_harvests_rest_while_their_crawl_is_paused(site: ShelfSite) -> None:
    async with ready(site, 0) as (crawl, store, harvester):
        running = asyncio.create_task(crawl.run())
        await until(lambda: harvester.requests > 3)
        crawl.pause()
        await until(lambda: not crawl.under_way)
        # What was under way may still end; a pool that does not rest asks on without a pause.
        asked = -1
        while asked != len(site.log):
            asked = len(site.log)
            await asyncio.sleep(0.3)
        await asyncio.sleep(0.1)
        assert len(site.log) == asked
        crawl.resume()
        await until(lambda: len(site.log) > asked)
        crawl.pause()
        crawl.stop()
        assert await running == INTERRUPTED
        kept = store
    reason, store, harvester = await crawled(site, 0, store=kept)
    assert reason == NOTHING_LEFT
    (head,) = store.harvests.all()
    assert store.harvests.tally(head.id).records == 199


async def test_a_harvest_of_an_excluded_site_ends(site: ShelfSite) -> None:
    async with ready(site, 0) as (crawl, store, harvester):
        running = asyncio.create_task(crawl.run())
        await until(lambda: harvester.requests > 3)
        crawl.pause()
        store.inbox.give(exclude_order(1.0, ["shelf.test"]))
        await until(lambda: bool(store.inbox.orders()[0].outcome))
        crawl.resume()
        assert await running == NOTHING_LEFT
        (head,) = store.harvests.all()
        assert (head.state, head.reason) == (OVER, EXCLUDED)
        kept = store
    asked = len(site.log)
    assert (await crawled(site, 0, store=kept))[0] == NOTHING_LEFT
    assert len(site.log) == asked


async def test_only_forms_that_may_be_submitted_are_handed_over_and_each_target_once() -> None:
    store = MemoryStore()
    handed: list[str] = []
    checked: list[str] = []

    class Noting:
        requests = under_way = 0
        is_busy = False

        def offer(self, subject, check) -> bool:  # type: ignore[no-untyped-def]
            handed.append(subject.signature)
            if check is not None:
                checked.append(f"{check.args[1].signature} after {check.args[0].signature}")
            return True

        def now(self) -> float:
            return 1.0

        def why_not(self, site: str) -> str:
            return "left" if site == "left.test" else ""

    rules = HandoverRules(load_config()[0].submit, 0.5)

    async def compare(_first: HarvestSource, _other: HarvestSource) -> str:
        return ""

    beside = CrawlHarvests(Noting(), store, rules, compare=compare)  # type: ignore[arg-type]
    assert beside.offer(judged("a"))
    assert not beside.offer(judged("a"))
    assert not beside.offer(judged("same target"))
    assert not beside.offer(judged("off topic", relevant=0.2))
    elsewhere = judged("another door")
    action = Url(f"{elsewhere.form.action}/advanced")
    form = structs.replace(elsewhere.form, action=action)
    assert beside.offer(structs.replace(elsewhere, form=form))
    assert handed == ["a", "another door"]
    assert checked == ["another door after a"]


def test_a_share_is_left_to_harvests_while_there_are_any() -> None:
    class Busy:
        requests, under_way, is_busy, allocator = 10, 1, True, None

    beside = CrawlHarvests(Busy(), MemoryStore(), HandoverRules(load_config()[0].submit))  # type: ignore[arg-type]
    assert beside.count_pages_left(limit=100, own=20) == 30
    assert beside.count_pages_left(limit=100, own=60) == -10
    Busy.is_busy = False
    assert beside.count_pages_left(limit=100, own=60) == 29
