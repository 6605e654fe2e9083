"""Any SearXNG instance (https://docs.searxng.org/dev/search_api.html) as a back-link service.

A search engine names pages it takes to be about the query. That they link to the page is
likely at best; only a visit shows.
"""

from collections.abc import Sequence
from urllib.parse import urlencode

from msgspec import Struct

from leadline.backlinks.answers import ask_json, kept, question_url
from leadline.core.http import Request
from leadline.core.ports import BacklinkAnswer, Fetcher
from leadline.core.url import Url, canonical, host_of, site_of
from leadline.errors import FetchError

_FORM = "application/x-www-form-urlencoded"


class Hit(Struct, frozen=True):
    """A page found."""

    url: str | None = None


class Hits(Struct, frozen=True):
    """The first page of results."""

    results: tuple[Hit, ...] = ()


class SearxngLinks:
    """Asks one query after the other until one finds something; each costs a request."""

    def __init__(
        self, fetcher: Fetcher, address: str, queries: Sequence[str], *, is_post: bool = False
    ) -> None:
        """`queries` may hold `{url}`, `{page}` and `{host}`; `address` is the instance's root."""
        self._fetcher = fetcher
        self._search = str(canonical("search", address))
        self._queries = queries
        self._is_post = is_post

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        spent = 0
        for query in self._queries:
            try:
                hits, requests = await ask_json(
                    self._fetcher, self._request(query_about(url, query)), Hits
                )
            except FetchError as error:
                error.requests += spent
                raise
            spent += requests
            found = kept((hit.url for hit in hits.results), url, limit)
            if found:
                return BacklinkAnswer(found, spent)
        return BacklinkAnswer((), spent)

    def _request(self, query: str) -> Request:
        asked = urlencode({"q": query, "format": "json"})
        if self._is_post:
            return Request(question_url(self._search), "POST", asked.encode(), _FORM)
        return Request(question_url(f"{self._search}?{asked}"))


def query_about(url: Url, query: str) -> str:
    """The query about one page.

    >>> query_about(Url("http://a.test/"), '"{page}" -site:{host}')
    '"a.test" -site:a.test'
    """
    page = url.partition("://")[2].removesuffix("/")
    return query.format(url=url, page=page, host=host_of(site_of(url)))
