"""What the spider middleware makes of the things that a spider yields."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from scrapy import FormRequest, Request
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from leadline.scrapy import FoundForm, LeadlineMiddleware
from leadline.scrapy.middleware import STEPS
from tests.api.bookshop import HOME
from tests.scrapy_bridge.test_link_ranker import FORM, page

OTHER = "http://other.test/x"


@contextmanager
def middleware(strategy: str = "sitewise", **settings: object) -> Iterator[LeadlineMiddleware]:
    own = {
        "LEADLINE_TOPIC": "book",
        "LEADLINE_STRATEGY": strategy,
        "SCHEDULER_PRIORITY_QUEUE": "leadline.scrapy.RankedQueue",
    }
    made = LeadlineMiddleware(get_crawler(settings_dict={**own, **settings}))
    yield made
    made.ranker.close("finished")


def response(path: str = "", body: str = FORM, kind: type[Response] = HtmlResponse) -> Response:
    answer = page(path, body)
    return kind(answer.url, body=answer.body, request=Request(answer.url))


def passed(made: LeadlineMiddleware, *things: Any) -> list[Any]:
    return list(made.process_spider_output(response(), things))


def test_requests_for_links_of_the_page_get_a_rank_and_nothing_else_does() -> None:
    item = {"title": "an item"}
    post = FormRequest(f"{HOME}a", formdata={"q": "x"}, priority=3)
    elsewhere = Request("http://unlinked.test/", priority=5, meta={"leadline": "stale"})
    with middleware() as made:
        ranked, *others = passed(made, Request(f"{HOME}a#top"), item, post, elsewhere)
    assert ranked.priority < 0
    assert ranked.meta["leadline"].url == f"{HOME}a"
    assert others == [item, post, elsewhere]
    assert (post.priority, elsewhere.priority) == (3, 5)
    assert "leadline" not in elsewhere.meta


def test_the_priority_that_a_spider_gave_is_added_to() -> None:
    with middleware() as made:
        low, high = passed(made, Request(f"{HOME}a"), Request(f"{HOME}a", priority=2_000))
    assert high.priority == low.priority + 2_000


def test_a_link_to_a_site_first_met_gets_the_rank_of_that_site() -> None:
    with middleware() as made:
        (request,) = passed(made, Request(OTHER))
    assert request.url == OTHER
    assert request.priority > -10 * STEPS, "not among the last"


def test_sites_are_entered_at_their_home_page_if_told_so() -> None:
    def callback(_response: Response, *_: Any, **__: Any) -> None:
        """Of the spider."""

    with middleware(LEADLINE_ENTER_SITES=True) as made:
        home, link = passed(made, Request(OTHER, callback=callback))
    assert (home.url, home.callback) == ("http://other.test/", callback)
    assert link.url == OTHER
    assert link.priority < home.priority - 10 * STEPS
    assert link.meta["leadline"].url == OTHER
    assert home.meta["leadline"].url == "http://other.test/"


def test_what_the_strategy_would_not_follow_is_dropped_if_told_so() -> None:
    with middleware(LEADLINE_ENTER_SITES=True, LEADLINE_DROP_SKIPPED=True) as made:
        urls = [request.url for request in passed(made, Request(OTHER))]
        stats = made.crawler.stats.get_stats()
    assert urls == ["http://other.test/"]
    assert stats["leadline/requests_dropped"] == 1


def test_forms_become_items_if_told_so() -> None:
    with middleware(LEADLINE_EMIT_FORMS=True) as made:
        (item,) = passed(made)
        again = passed(made)
    assert isinstance(item, FoundForm)
    assert (item.site, item.page) == ("bookshop.test", HOME)
    fields: Any = item.fields
    assert fields[0]["label"] == "Author or title"
    assert (item.topic, item.what) == ("book", "Books")
    assert again == []


def test_what_is_no_page_passes_untouched() -> None:
    request = Request(f"{HOME}a")
    with middleware() as made:
        (same,) = made.process_spider_output(response(kind=Response), [request])
        assert made.crawler.stats.get_stats() == {}
    assert same.meta == {}


async def test_the_same_for_spiders_that_await() -> None:
    async def yielded() -> AsyncIterator[Any]:
        yield Request(f"{HOME}a")
        yield {"title": "an item"}

    with middleware(LEADLINE_EMIT_FORMS=True) as made:
        things = [one async for one in made.process_spider_output_async(response(), yielded())]
    assert [type(thing) for thing in things] == [Request, dict, FoundForm]
    assert things[0].meta["leadline"]


def test_a_queue_that_heeds_no_ranks_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    aware = "scrapy.pqueues.DownloaderAwarePriorityQueue"
    with middleware(SCHEDULER_PRIORITY_QUEUE=aware):
        assert "heeds ranks inside a site only" in caplog.text
