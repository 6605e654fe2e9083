"""Keyword queries: sent only to a provider that searches."""

import asyncio

from leadline.backlinks.providers import OwnLinks, SearxngLinks
from leadline.core.http import Request, Response
from leadline.core.ports import PageSearch
from leadline.core.url import Site, Url


class OneAnswer:
    """A fetcher that always answers alike, and remembers what it was asked."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.asked: list[Url] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        return Response(request.url, 200, (), self.body, 0.0)

    def ready_at(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    async def close(self) -> None:
        """Nothing to close."""


def test_searxng_finds_pages_for_words_in_one_request() -> None:
    body = (
        b'{"results": [{"url": "http://b.test/"}, {"url": "http://b.test"}, {"url": "mailto:x"}]}'
    )
    fetcher = OneAnswer(body)
    search = SearxngLinks(fetcher, "http://s.test/", ())
    answer = asyncio.run(search.find_pages("hotel rooms", 10))
    assert answer.urls == ("http://b.test/",)
    assert answer.requests == 1
    assert fetcher.asked == ["http://s.test/search?q=hotel+rooms&format=json"]


def test_a_crawls_own_links_answer_no_words() -> None:
    assert isinstance(SearxngLinks(OneAnswer(b""), "http://s.test/", ()), PageSearch)
    assert not isinstance(OwnLinks(()), PageSearch)
