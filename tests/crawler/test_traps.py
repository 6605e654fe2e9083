"""Traps are recognised by what their pages bring, named, and left; good sites lose nothing."""

import asyncio
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.crawl import Budget
from leadline.core.page import Link, Page
from leadline.core.store import Store
from leadline.core.url import DEFAULT_RULES, Url, canonical, site_of
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import PASSED_OVER, CrawlPlan
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.crawler.reading import InlineReader
from leadline.crawler.traps import TrapWatch, find_shape, find_traps
from leadline.page.parse import PageLimits
from leadline.store.memory import MemoryStore
from leadline.strategies import make_strategy
from leadline.topics import make_critic, open_topic
from tests.server.trap_web import DETAILS, GOOD, KINDS, TRAP_DETAILS, TrapWeb

CRITIC = make_critic("hifi", open_topic("book", ()), {})
ALLOWANCE = 60
"""Requests that a trap may get: what tells it, and one more for each doubling of its links."""


def crawl(hosts: Iterable[str], pages: int, store: Store | None = None) -> tuple[TrapWeb, Store]:
    """By breadth, which follows everything it may."""
    strategy, web = make_strategy("breadth_first"), TrapWeb()
    store = store or MemoryStore(0)
    store.links.put([make_seed(Url(f"http://{host}/")) for host in hosts])
    scope = Scope(allow=[*hosts])
    reader = InlineReader(CRITIC, DEFAULT_RULES, PageLimits())
    plan = CrawlPlan("forms", Budget(pages=pages), LinkRules(scope.why_not), width=1)

    async def run() -> None:
        await Crawl(CrawlParts(store, web, reader, strategy), plan).run()

    asyncio.run(run())
    return web, store


@pytest.mark.parametrize("kind", KINDS)
def test_a_trap_is_named_and_gets_few_requests_while_all_else_is_visited(kind: str) -> None:
    web, store = crawl([f"{kind}.test"], 400)
    assert len(web.asked) <= TRAP_DETAILS + 1 + ALLOWANCE
    named = find_traps(store.reader.events())
    assert named
    assert {event.subject for event in named} <= {f"{kind}.test"}
    visited = {url.partition("/book/")[2].partition("?")[0] for url in web.asked}
    assert {str(number) for number in range(TRAP_DETAILS)} <= visited


def test_a_good_site_of_many_like_pages_is_visited_whole() -> None:
    web, store = crawl([GOOD[0]], 1_000)
    assert len([url for url in web.asked if "/book/" in url]) == DETAILS
    assert not find_traps(store.reader.events())


def test_a_link_that_was_set_aside_says_why() -> None:
    _, store = crawl(["calendar.test"], 400)
    refused = [visit.reason for visit in store.reader.visits() if visit.outcome == PASSED_OVER]
    assert set(refused) == {"trap: endless numbers or dates, as a calendar has (/events/#/#)"}


def test_the_next_run_knows_the_traps_of_the_last() -> None:
    _, store = crawl(["calendar.test"], 400)
    watch = TrapWatch()
    watch.restore(store.reader.events())
    months = [Url(f"http://calendar.test/events/{year}/7") for year in range(3000, 4000)]
    followed = [url for url in months if not watch.why_left(url)]
    assert 1 <= len(followed) <= 6
    assert not watch.why_left(Url("http://calendar.test/book/7"))


def page_of(url: Url, text: str) -> Page:
    return Page(url, "", (text,), (), ())


def test_a_shape_that_becomes_rich_again_is_taken_up_again() -> None:
    watch, words = TrapWatch(), iter(range(10_000))

    def visit(number: int, text: str) -> None:
        url = Url(f"http://a.test/n/{number}")
        watch.learn_page(url, page_of(url, text), (), has_new_form=False)
        watch.name_trap(url, 0.0)

    for number in range(60):
        visit(number, "nothing but the same again")
    later = Url("http://a.test/n/99999")
    assert watch.why_left(later)
    for number in range(60, 75):
        visit(
            number,
            " ".join(
                f"{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}x"
                for n in (next(words) for _ in range(12))
            ),
        )
    assert not watch.why_left(later)


def test_a_value_under_which_texts_differ_is_no_session_id() -> None:
    watch = TrapWatch()
    gone = [watch.learn_digest(Url(f"http://a.test/item?id={n}"), 7, 0.0) for n in range(3)]
    found = [watch.learn_digest(Url(f"http://a.test/item?id={n}"), n, 0.0) for n in range(100, 130)]
    assert not any(gone)
    assert not any(found)


def test_shapes_take_numbers_dates_and_ids_out_and_keep_words() -> None:
    shapes = {
        "/events/2024/5": "/events/#/#",
        "/day/2024-05-07": "/day/#",
        "/s/3f9a0c71b2/item-12.html": "/s/~/item-#.html",
        "/a/b/a/b/a/b": "/a/b/+",
        "/x/y/x/z/x": "/x/y/z/+",
        "/?page=about&n=3&n=4": "/?n&page=about",
        "/": "/",
    }
    assert {path: find_shape(Url(f"http://a.test{path}")).name for path in shapes} == shapes


@given(st.text(max_size=80), st.text(max_size=40))
def test_any_url_has_a_shape_and_watching_it_never_fails(path: str, text: str) -> None:
    url = canonical(f"http://a.test/{path}")
    if url is None or site_of(url) != "a.test":
        return
    watch = TrapWatch()
    page = Page(url, "", (text,), (Link(url, text, 0, 0, "", 0),), ())
    for number in range(4):
        value = watch.learn_page(url, page, (0,), has_new_form=False)
        watch.learn_digest(url, number, 0.0)
        watch.learn_nothing(url, is_same=True)
        watch.name_trap(url, 0.0)
        watch.sort_out(page.links, [0])
        assert 0.0 <= value <= 1.0
    assert find_shape(url) == find_shape(url)
