"""A JSON service of back-links, asked through the crawl's own fetcher."""

import json

import pytest

from leadline.backlinks.providers import ServiceLinks
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.errors import BadResponseError, FetchError, WrongTypeError
from leadline_lab.server.fetcher import LabFetcher
from leadline_lab.server.serve import open_world
from leadline_lab.server.services import BACKLINKS
from tests.backlinks.servers import JSON, Fixed, LinkServer, asked
from tests.server.wire import answer_bytes
from tests.web.rig import fetching

PAGE = Url("http://a.test/shop?id=1&x=%C3%BC")
ADDRESS = "http://links.test/links"
PAGES = ["http://b.test/", "http://c.test/hub#top", "http://b.test/"]


async def test_it_is_asked_in_one_request_and_one_for_robots_txt() -> None:
    async with LinkServer(PAGES) as server, fetching(server) as fetcher:
        service = ServiceLinks(fetcher, ADDRESS)
        first = await service.find_backlinks(PAGE, 20)
        again = await service.find_backlinks(PAGE, 20)
    assert first.urls == ("http://b.test/", "http://c.test/hub")
    assert (first.requests, again.requests) == (2, 1)
    (question, _) = server.asks
    assert question.path == "/links"
    assert asked(question) == {"url": PAGE, "limit": "20"}
    assert question.headers["accept"] == JSON


async def test_an_address_with_parameters_keeps_them() -> None:
    async with LinkServer(PAGES) as server, fetching(server) as fetcher:
        await ServiceLinks(fetcher, f"{ADDRESS}?sid=7").find_backlinks(PAGE, 5)
    assert asked(server.asks[0]) == {"sid": "7", "url": PAGE, "limit": "5"}


async def test_json_is_accepted_for_questions_only() -> None:
    async with LinkServer(PAGES) as server, fetching(server) as fetcher:
        await ServiceLinks(fetcher, ADDRESS).find_backlinks(PAGE, 20)
        with pytest.raises(WrongTypeError):
            await fetcher.fetch(Request(Url("http://links.test/links?url=x")))


@pytest.mark.parametrize(
    ("answer", "error", "reason"),
    [
        (answer_bytes("{}", kind=JSON), BadResponseError, "not as expected"),
        (answer_bytes("<p>", kind=JSON), BadResponseError, "not as expected"),
        (answer_bytes(b'{"links": [{"url": "\xff"}]}', kind=JSON), BadResponseError, "expected"),
        (answer_bytes(json.dumps({"links": [{"url": 7}]}), kind=JSON), BadResponseError, "int"),
        (answer_bytes("no", status="403 Forbidden", kind=JSON), BadResponseError, "status 403"),
        (answer_bytes("<p>Please log in"), WrongTypeError, "text/html"),
    ],
)
async def test_what_is_no_answer_is_a_failure_that_was_paid_for(
    answer: bytes, error: type[FetchError], reason: str
) -> None:
    async with Fixed(answer) as server, fetching(server) as fetcher:
        with pytest.raises(error, match=reason) as caught:
            await ServiceLinks(fetcher, ADDRESS).find_backlinks(PAGE, 20)
    assert caught.value.requests == 2


async def test_a_question_that_cannot_be_put_costs_nothing() -> None:
    long = Url("http://a.test/" + "%C3%BC" * 320)
    async with LinkServer(PAGES) as server, fetching(server) as fetcher:
        with pytest.raises(FetchError, match="too long") as caught:
            await ServiceLinks(fetcher, ADDRESS).find_backlinks(long, 20)
    assert caught.value.requests == 0
    assert server.asks == []


async def test_the_service_of_the_lab_answers() -> None:
    world = open_world("small", 1)
    service = ServiceLinks(LabFetcher(world), f"http://{BACKLINKS}/links")
    found = [(await service.find_backlinks(seed, 20)).urls for seed in world.seeds("book", 8)]
    assert any(found)
    assert all(len(urls) <= 20 for urls in found)
