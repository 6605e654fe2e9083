"""The providers of backlinks, and which one the settings name.

own: links that crawls of one's own have met. Free, and blind to what they have not visited. Every
    page it names was visited by the crawl that knows it: to that crawl the answer brings nothing
    new to visit, but tells learners what links to a page. The store of another crawl may name
    pages that this one does not know.
searxng: any SearXNG instance (https://docs.searxng.org/dev/search_api.html). A search engine names
    pages that it takes to be about the query; that they link to the page is likely at best, and
    only a visit shows.
service: a service that answers in JSON, as that of the lab does. It is sent
    `ADDRESS?url=<URL>&limit=20` and answers `{"links": [{"url": ...}, ...]}`; whatever else the
    answer holds is ignored.
commoncrawl: the home pages of the hosts that link to a host, from an imported host graph.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import urlencode

import msgspec
from msgspec import Struct, structs

from leadline.backlinks.host_graph import HostGraph
from leadline.backlinks.settings import PROVIDERS, BackLinkSettings
from leadline.core.http import Request
from leadline.core.ports import BacklinkAnswer, Backlinks, Fetcher
from leadline.core.url import (
    Url,
    UrlRules,
    canonical,
    host_of,
    is_home_page,
    registered_domain,
    site_of,
)
from leadline.errors import BadResponseError, ConfigError, FetchError
from leadline.plugins import make_part
from leadline.store import open_store_view

JSON = "application/json"
_WHOLE = UrlRules(frozenset(), drop_path_session=False)
"""Nothing is cut from a question."""
_OK = 200
MOST_HITS = 100
"""Of one page of results: more than any engine gives."""
SEED_QUERIES = ("{phrase} search", "{phrase} database", "{phrase} directory", "{phrase}")
"""What is searched for seeds, in this order until there are enough: sites that search their own
records, then pages that list such sites, then whatever is about the phrase."""

Answer = TypeVar("Answer")
_FORM = "application/x-www-form-urlencoded"


def keep_found(urls: Iterable[str | None], target: Url, limit: int) -> tuple[Url, ...]:
    """Those that are URLs, each once, without the page itself; without its site for a home page."""
    is_home, site = is_home_page(target), site_of(target)
    found: dict[Url, None] = {}
    for text in urls:
        url = canonical(text) if text else None
        if url is None or url == target or (is_home and site_of(url) == site):
            continue
        found.setdefault(url)
    return tuple(found)[:limit]


def query_url(address: str) -> Url:
    """The URL of a question; raises FetchError for one that cannot be put."""
    url = canonical(address, rules=_WHOLE)
    if url is None:
        raise make_unsent_error(address, "too long to be asked about")
    return url


def make_unsent_error(url: str, reason: str) -> FetchError:
    """A failure before any request was made."""
    error = FetchError(url, reason)
    error.requests = 0
    return error


async def ask_json(fetcher: Fetcher, request: Request, kind: type[Answer]) -> tuple[Answer, int]:
    """The answer and the requests it cost; raises FetchError, also for one that is no `kind`."""
    request = msgspec.structs.replace(request, accept=(JSON,))
    # The service is one that the user set.
    response = await fetcher.fetch(structs.replace(request, is_meant=True))
    try:
        if response.status != _OK:
            raise BadResponseError(request.url, f"status {response.status} instead of an answer")
        return _decode(response.body, request.url, kind), response.requests
    except FetchError as error:
        error.requests = response.requests
        raise


def _decode(body: bytes, url: Url, kind: type[Answer]) -> Answer:
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadResponseError(url, f"the answer is not as expected: {error}") from error


class LinkSource(Protocol):
    """What is needed of a store."""

    def backlinks(self, target: Url, limit: int) -> list[Url]: ...


class OwnLinks:
    """Asks stores, the first one first. Costs no requests.

    Raises StoreError, beside the port's promise, when a store cannot be read: nothing else is
    wrong with a store that would get better by going on.
    """

    def __init__(self, stores: Sequence[LinkSource]) -> None:
        self._stores = stores

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        found: tuple[Url, ...] = ()
        for store in self._stores:
            if len(found) < limit:
                found = keep_found((*found, *store.backlinks(url, limit)), url, limit)
        return BacklinkAnswer(found)


class SearxngHit(Struct, frozen=True):
    """A page found."""

    url: str | None = None


class SearxngHits(Struct, frozen=True):
    """The first page of results."""

    results: tuple[SearxngHit, ...] = ()


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
                hits, requests = await self._ask(query_about(url, query))
            except FetchError as error:
                error.requests += spent
                raise
            spent += requests
            found = keep_found((hit.url for hit in hits.results), url, limit)
            if found:
                return BacklinkAnswer(found, spent)
        return BacklinkAnswer((), spent)

    async def find_pages(self, words: str, limit: int = MOST_HITS) -> BacklinkAnswer:
        """The first page of results, in their order. Raises FetchError."""
        hits, requests = await self._ask(words)
        found = (canonical(hit.url) for hit in hits.results if hit.url)
        urls = list(dict.fromkeys(url for url in found if url is not None))
        return BacklinkAnswer(tuple(urls[:limit]), requests)

    async def _ask(self, query: str) -> tuple[SearxngHits, int]:
        return await ask_json(self._fetcher, self._request(query), SearxngHits)

    def _request(self, query: str) -> Request:
        asked = urlencode({"q": query, "format": "json"})
        if self._is_post:
            return Request(query_url(self._search), "POST", asked.encode(), _FORM)
        return Request(query_url(f"{self._search}?{asked}"))


def query_about(url: Url, query: str) -> str:
    """The query about one page.

    >>> query_about(Url("http://a.test/"), '"{page}" -site:{host}')
    '"a.test" -site:a.test'
    """
    page = url.partition("://")[2].removesuffix("/")
    return query.format(url=url, page=page, host=host_of(site_of(url)))


class ServiceLink(Struct, frozen=True):
    """A page that links to what was asked about."""

    url: str | None = None


class ServiceAnswer(Struct, frozen=True):
    """The answer."""

    links: tuple[ServiceLink, ...]


class ServiceLinks:
    """Asks a service, one request a question and that for its robots.txt."""

    def __init__(self, fetcher: Fetcher, address: str) -> None:
        self._fetcher = fetcher
        self._address = address + ("&" if "?" in address else "?")

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        question = query_url(self._address + urlencode({"url": url, "limit": limit}))
        answer, requests = await ask_json(self._fetcher, Request(question), ServiceAnswer)
        return BacklinkAnswer(keep_found((link.url for link in answer.links), url, limit), requests)


class HostLinks:
    """Costs no requests. Knows hosts only: what links to a page is what links to its host."""

    def __init__(self, graph: HostGraph) -> None:
        self._graph = graph

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        host = host_of(site_of(url))
        # Common Crawl cuts a leading `www.` off every name, and has a graph of domains too.
        names = (host, host.removeprefix("www."), registered_domain(host))
        answers = (self._graph.find_backlinks(name, limit) for name in names)
        hosts: list[str] = next(filter(None, answers), [])
        # The graph does not know schemes; a site that has left http redirects from there.
        return BacklinkAnswer(keep_found((f"http://{name}/" for name in hosts), url, limit))


async def find_seeds(
    settings: BackLinkSettings, fetcher: Fetcher, phrase: str, most: int
) -> list[Url]:
    """Pages to start from, for a user who has none: what a SearXNG instance names for the phrase,
    one page a site. Raises FetchError if it does not answer, ConfigError if none is set."""
    if settings.provider != "searxng":
        raise ConfigError(
            "no seeds: give some with --seeds (URLs, or a file with one a line), or name a SearXNG "
            "instance that is searched for them: --set backlinks.provider=searxng "
            "--set backlinks.address=https://search.example.org/"
        )
    searxng = SearxngLinks(fetcher, settings.address, (), is_post=settings.post)
    found: dict[str, Url] = {}
    for query in SEED_QUERIES:
        for url in (await searxng.find_pages(query.format(phrase=phrase))).urls:
            found.setdefault(site_of(url), url)
        if len(found) >= most:
            break
    return list(found.values())[:most]


@contextmanager
def open_backlinks(
    settings: BackLinkSettings, store: LinkSource, fetcher: Fetcher
) -> Iterator[Backlinks | None]:
    """The provider; None for none. `store` and `fetcher` are the crawl's own, and stay open.

    Raises ConfigError or StoreError when its file cannot be read.
    """
    if settings.provider == "own" and settings.file:
        other = open_store_view(settings.file)
        try:
            yield OwnLinks([store, other.pages])
        finally:
            other.close()
    else:
        yield _make_provider(settings, store, fetcher)


def _make_provider(
    settings: BackLinkSettings, store: LinkSource, fetcher: Fetcher
) -> Backlinks | None:
    match settings.provider:
        case "own":
            return OwnLinks([store])
        case "searxng":
            return SearxngLinks(fetcher, settings.address, settings.queries, is_post=settings.post)
        case "service":
            return ServiceLinks(fetcher, settings.address)
        case "commoncrawl":
            return HostLinks(HostGraph(Path(settings.file)))
        case "none":
            return None
    provider: Backlinks = make_part(PROVIDERS, settings.provider, settings.own, fetcher)
    return provider
