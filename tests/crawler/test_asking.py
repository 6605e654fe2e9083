"""What strategies may want besides links: extra_urls, questions, and passing over."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from leadline.backlinks.providers import ServiceLinks
from leadline.config import load_config
from leadline.core.crawl import (
    BacklinkQuery,
    Budget,
    Candidate,
    ExtraUrl,
    PageView,
    Priority,
    SiteState,
    Skip,
)
from leadline.core.ports import BacklinkAnswer, Backlinks
from leadline.core.store import Store
from leadline.core.url import DEFAULT_RULES, Url, canonical, is_home_page, origin_of
from leadline.crawler.assembly import open_crawl
from leadline.crawler.backlink_queries import BacklinkQueries
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.crawler.reading import InlineReader
from leadline.crawler.store_calls import DirectCalls
from leadline.errors import FetchTimeoutError
from leadline.page.parse import DEFAULT_LIMITS
from leadline.plugins import Part
from leadline.store import open_store
from leadline.store.memory import MemoryStore
from leadline.strategies import STRATEGIES
from leadline.strategies.base import BaseStrategy
from leadline.strategies.simple import BreadthFirstSettings
from leadline.topics import KEYWORDS, KeywordTopic, TopicCritic
from tests.server.wire import Ask, LoopbackServer, answer_bytes
from tests.web.rig import fetching

SEED = Url("http://start.test/in/1")
PAGES = {
    "start.test/in/1": "<p>start <a href=/in/2>on</a> <a href=http://far.test/deep/1>far</a>",
    "start.test/in/2": "<p>another page of the first site, with more words on it",
    "start.test/": "<p>the home page of start, which no link leads to",
    "far.test/deep/1": "<p>deep inside of the second site",
    "far.test/": "<p>the home page of far",
    "hub.test/list": "<p>a list of links <a href=http://start.test/in/1>to start</a>",
    "hub.test/more": "<p>a list of other links, not wanted",
}
NAMED = ("http://hub.test/list", "http://hub.test/more", "http://denied.test/")
WIDE = CrawlPlan("forms", Budget(), LinkRules(Scope(deny=["denied.test"]).why_not), width=1)


class LinkedTown(LoopbackServer):
    """Four sites of known pages, and a service that names three pages for any URL."""

    def __init__(self, *, is_silent: bool = False) -> None:
        super().__init__()
        self.asks: list[str] = []
        self.is_silent = is_silent

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        self.asks.append(ask.host + ask.path)
        writer.write(self.reply(ask))
        await writer.drain()
        return True

    def reply(self, ask: Ask) -> bytes:
        if ask.path == "/robots.txt":
            return answer_bytes("", kind="text/plain")
        if ask.host == "who.test":
            if self.is_silent:
                return answer_bytes("", status="500 Broken")
            links = {"links": [{"url": url} for url in NAMED]}
            return answer_bytes(json.dumps(links), kind="application/json")
        body = PAGES.get(ask.host + ask.path)
        return answer_bytes(body) if body else answer_bytes("", status="404 Not Found")


class Curious(BaseStrategy):
    """Wishes for home pages, asks who links to them, and shuns pages of deep folders."""

    name = "curious"

    def __init__(self) -> None:
        self.told: list[tuple[BacklinkQuery, list[Url]]] = []

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        return [Priority(0, 0.0)] * len(view.links)

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:
        page = view.page.url
        if is_home_page(page):
            return [BacklinkQuery(page, "a home page")]
        home = canonical("/", page)
        assert home is not None
        extra = ExtraUrl(home, Priority(1, 0.0, "a home page"))
        links = view.links
        far = [n for n, link in enumerate(links) if origin_of(link.target) != origin_of(page)]
        homes = [(canonical("/", links[n].target), n) for n in far]
        others = [ExtraUrl(url, Priority(1, 1.0, "far"), n) for url, n in homes if url]
        denied = ExtraUrl(Url("http://denied.test/"), Priority(0, 9.0))
        return [extra, *others, denied]

    def rank_backlinks(
        self, question: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]:
        self.told.append((question, list(found)))
        return [
            Priority(0, 0.0, "links there") if url.endswith("/list") else Skip("not a list")
            for url in found
        ]

    def admit(self, candidate: Candidate, site: SiteState) -> Skip | None:
        del site
        return Skip("too deep") if "/deep/" in candidate.url else None


@asynccontextmanager
async def crawling(
    town: LinkedTown,
    plan: CrawlPlan = WIDE,
    *,
    store: Store | None = None,
    is_asked: bool = True,
) -> AsyncIterator[tuple[Crawl, Store, Curious]]:
    critic = TopicCritic(KeywordTopic("book", KEYWORDS["book"]))
    strategy = Curious()
    kept = store or open_store(":memory:")
    kept.links.put([make_seed(SEED)])
    async with town, fetching(town) as fetcher:
        reader = InlineReader(critic, DEFAULT_RULES, DEFAULT_LIMITS)
        asked = ServiceLinks(fetcher, "http://who.test/links") if is_asked else None
        yield Crawl(CrawlParts(kept, fetcher, reader, strategy, asked), plan), kept, strategy
    kept.close()


def requests_of(crawl: Crawl) -> int:
    """Spent on backlink queries."""
    return crawl._loop.query_requests


def events_of(store: Store, kind: str) -> list[tuple[str, str]]:
    return [(event.subject, event.detail) for event in store.reader.events() if event.kind == kind]


async def test_what_is_wished_for_is_visited_with_the_words_of_its_link() -> None:
    async with crawling(LinkedTown()) as (crawl, store, _):
        assert await crawl.run() == "nothing left to follow"
        visited = {visit.url: visit for visit in store.reader.visits() if visit.outcome == "page"}
        far, start = (
            store.reader.candidate(Url(f"http://{name}.test/")) for name in ("far", "start")
        )
    assert {"http://start.test/", "http://far.test/"} <= set(visited)
    assert far is not None
    assert start is not None
    assert (far[1].anchor, far[1].depth, far[1].priority.why) == ("far", 0, "far")
    assert far[1].around.partition("\t")[0].endswith("on")
    assert start[1].parent == visited[SEED].id
    assert start[1].anchor == ""


async def test_what_is_out_of_scope_is_not_visited_whoever_names_it() -> None:
    town = LinkedTown()
    async with crawling(town) as (crawl, store, strategy):
        await crawl.run()
        assert store.pages.are_known([Url("http://denied.test/")]) == [False]
    assert not [ask for ask in town.asks if ask.startswith("denied.test")]
    assert all("http://denied.test/" not in found for _, found in strategy.told)


async def test_a_candidate_that_is_passed_over_costs_nothing_and_is_told() -> None:
    town = LinkedTown()
    async with crawling(town) as (crawl, store, _):
        await crawl.run()
        (passed,) = [visit for visit in store.reader.visits() if visit.outcome == "passed-over"]
        site = store.links.site(passed.site)
    assert (passed.url, passed.reason, passed.requests) == (
        "http://far.test/deep/1",
        "too deep",
        0,
    )
    assert "far.test/deep/1" not in town.asks
    assert (site.pages, site.errors) == (1, 0)


async def test_pages_that_link_there_wait_like_links_and_the_question_is_noted() -> None:
    async with crawling(LinkedTown()) as (crawl, store, strategy):
        await crawl.run()
        visited = {visit.url for visit in store.reader.visits()}
        found = store.reader.candidate(Url("http://hub.test/list"))
        asked = events_of(store, "asked")
    assert found is not None
    assert found[1].priority.why == "links there"
    assert found[1].anchor.startswith("links to http://")
    assert "http://hub.test/list" in visited
    assert "http://hub.test/more" not in visited
    first = asked[0]
    assert first[1] == "3 pages link there, 1 of them new: a home page"
    assert asked[1][1].startswith("3 pages link there, 0 of them new")
    assert [question.url for question, _ in strategy.told] == [subject for subject, _ in asked]
    assert strategy.told[0][1] == ["http://hub.test/list", "http://hub.test/more"]


async def test_a_failure_to_answer_is_noted_and_the_crawl_goes_on() -> None:
    async with crawling(LinkedTown(is_silent=True)) as (crawl, store, strategy):
        assert await crawl.run() == "nothing left to follow"
        pages = store.reader.counts().pages
        failed = events_of(store, "not-answered")
        spent = requests_of(crawl)
    assert pages == 4
    assert [subject for subject, _ in failed] == ["http://far.test/", "http://start.test/"]
    assert {detail for _, detail in failed} == {"status 500 instead of an answer"}
    assert strategy.told == []
    assert spent >= 3


async def test_questions_count_against_the_budget_of_pages() -> None:
    town = LinkedTown()
    plan = structs.replace(WIDE, budget=Budget(pages=5))
    async with crawling(town, plan) as (crawl, store, _):
        assert await crawl.run() == "budget: pages"
        counts, spent = store.reader.counts(), requests_of(crawl)
    free = counts.outcomes.get("passed-over", 0)
    assert counts.visits - free + spent == 5
    assert spent == sum(ask.startswith("who.test") for ask in town.asks) > 0


async def test_nothing_is_asked_when_the_budget_is_spent() -> None:
    town = LinkedTown()
    plan = structs.replace(WIDE, budget=Budget(pages=3))
    async with crawling(town, plan) as (crawl, store, _):
        assert await crawl.run() == "budget: pages"
        assert store.reader.counts().pages == 3
    assert not [ask for ask in town.asks if ask.startswith("who.test")]


async def test_what_was_spent_is_remembered_by_the_store(tmp_path: Path) -> None:
    path, plan = tmp_path / "crawl.db", structs.replace(WIDE, budget=Budget(pages=6))
    async with crawling(LinkedTown(), plan, store=open_store(path)) as (crawl, _, _):
        await crawl.run()
    town = LinkedTown()
    async with crawling(town, plan, store=open_store(path)) as (crawl, _, _):
        assert await crawl.run() == "budget: pages"
        assert requests_of(crawl) == 0
    assert town.asks == []


async def test_with_nobody_to_ask_questions_are_dropped() -> None:
    town = LinkedTown()
    async with crawling(town, is_asked=False) as (crawl, store, strategy):
        await crawl.run()
        assert events_of(store, "asked") == events_of(store, "not-answered") == []
        assert store.reader.counts().pages == 4
    assert strategy.told == []


class Failing:
    """A provider that fails after some requests."""

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        del limit
        error = FetchTimeoutError(url, "the answer took too long")
        error.requests = 4
        raise error


class Known:
    """A provider that remembers how much it was asked for."""

    limits: Sequence[int] = ()

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        del url
        self.limits = (*self.limits, limit)
        return BacklinkAnswer((Url("http://hub.test/list"),) * (limit > 0), requests=2)


def queries(provider: Backlinks, store: Any) -> BacklinkQueries:
    return BacklinkQueries(store, DirectCalls(), provider, "w", now=lambda: 1.0)


def begun() -> MemoryStore:
    store = MemoryStore()
    store.links.put([make_seed(SEED)])
    store.run.begin(Budget(pages=9))
    return store


@pytest.mark.parametrize(("provider", "spent"), [(Failing(), 4), (Known(), 2)])
async def test_requests_are_counted_whether_or_not_there_is_an_answer(
    provider: Backlinks, spent: int
) -> None:
    store = begun()
    sender = queries(provider, store)
    for times in (1, 2):
        if await sender.claim(BacklinkQuery(SEED, "why not"), Curious()):
            await sender.send(BacklinkQuery(SEED, "why not"), Curious(), WIDE.rules, most=7)
        assert sender.requests == times * spent
    store.run.spend("w", 8 - 2 * spent)
    assert store.run.stop_reason() == ""
    store.run.spend("w", 1)
    assert store.run.stop_reason() == "budget: pages"


async def test_as_many_pages_are_asked_for_as_the_plan_says() -> None:
    provider = Known()
    sender = queries(provider, begun())
    if await sender.claim(BacklinkQuery(SEED), Curious()):
        await sender.send(BacklinkQuery(SEED), Curious(), WIDE.rules, most=7)
    assert provider.limits == (7,)


async def test_the_provider_of_the_settings_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class FromSettings(Curious):
        def __init__(self, settings: BreadthFirstSettings) -> None:
            del settings
            super().__init__()

    monkeypatch.setitem(STRATEGIES, "curious", Part(FromSettings, BreadthFirstSettings))
    async with LinkedTown() as town:
        config, _ = load_config(
            settings={
                "seeds": [SEED],
                "topic.name": "book",
                "strategy.name": "curious",
                "store.path": ":memory:",
                "web.resolve": {"*": town.address},
                "politeness.delay_s": 0.0,
                "backlinks.provider": "service",
                "backlinks.address": "http://who.test/links",
                "backlinks.max_pages": 2,
            }
        )
        async with open_crawl(config) as (crawl, store):
            await crawl.run()
            asked = events_of(store, "asked")
    assert [detail.partition(":")[0] for _, detail in asked] == [
        "2 pages link there, 1 of them new",
        "2 pages link there, 0 of them new",
    ]
