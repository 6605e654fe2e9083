"""Fetches the OpenSearch descriptions that pages name, for crawls and for single harvests.

A description is no page: it is read with the page that names it, whose words tell what is searched.
"""

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct, structs

from leadline.core.crawl import LIKELY, Judgement
from leadline.core.http import Request
from leadline.core.page import BOX, Form, Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url, site_of
from leadline.crawler.network import ValueStore
from leadline.crawler.reading import PageReading
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import FetchError, LeaseOverError
from leadline.page.doors import select_new_doors
from leadline.page.opensearch import read_description
from leadline.page.words import PageWords

JudgePage = Callable[[Page, PageWords], Judgement]

_KEY = "search-description:"
"""Under which the store keeps the doors of a description."""
_MOST_KEPT = 2_000
"""Descriptions whose doors are also kept in memory."""
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(tuple[Form, ...]).decode
DESCRIPTION_TYPES = (
    "application/opensearchdescription+xml",
    "application/xml",
    "text/xml",
    "text/plain",
    "text/html",
    "application/octet-stream",
)
"""Under which servers send descriptions."""


class FetchedDoors(Struct, frozen=True):
    """What descriptions told, and what that cost."""

    doors: tuple[Form, ...] = ()
    requests: int = 0


NO_DOORS = FetchedDoors()


async def fetch_doors(urls: Sequence[Url], page: Url, fetcher: Fetcher) -> FetchedDoors:
    """The doors of the descriptions at `urls`, as doors of `page`. One that cannot be had tells
    nothing. Raises LeaseOverError, and no other error."""
    doors: list[Form] = []
    requests = 0
    for url in urls:
        try:
            response = await fetcher.fetch(Request(url, accept=DESCRIPTION_TYPES))
        except LeaseOverError:
            raise
        except FetchError as error:
            requests += error.requests
            continue
        requests += response.requests
        if 200 <= response.status < 300:
            kind = response.header("content-type")
            doors += read_description(response.body, response.url, page, kind)
    return FetchedDoors(tuple(doors), requests)


class SearchDescriptions:
    """Reads the descriptions that pages on the topic name, each once in a store.

    The request is worth it if the page is about the topic and shows no other door that can be
    asked. Only the page's own site is asked: it alone is leased. What a description told is kept,
    so that its door counts for every page that names it, as a form that stands on all pages does.
    """

    def __init__(self, fetcher: Fetcher, store: ValueStore, calls: StoreCalls) -> None:
        self._fetcher = fetcher
        self._store = store
        self._calls = calls
        self._kept: dict[Url, tuple[Form, ...]] = {}

    async def find(self, reading: PageReading) -> FetchedDoors:
        """Raises LeaseOverError."""
        page = reading.page
        own = [url for url in page.search_descriptions if site_of(url) == site_of(page.url)]
        if not own or not is_worth_asking(reading.judgement):
            return NO_DOORS
        doors: list[Form] = []
        requests = 0
        for url in own:
            known = await self._load(url)
            if known is None:
                fetched = await fetch_doors([url], page.url, self._fetcher)
                requests += fetched.requests
                known = fetched.doors
                await self._save(url, known)
            doors += [structs.replace(door, page=page.url) for door in known]
        return FetchedDoors(tuple(doors), requests)

    async def _load(self, url: Url) -> tuple[Form, ...] | None:
        if url in self._kept:
            return self._kept[url]
        value = await self._calls(lambda: self._store.load(f"{_KEY}{url}"))
        return self._keep(url, _decode(value)) if value is not None else None

    async def _save(self, url: Url, doors: tuple[Form, ...]) -> None:
        self._keep(url, doors)
        await self._calls(lambda: self._store.save(f"{_KEY}{url}", _encode(doors)))

    def _keep(self, url: Url, doors: tuple[Form, ...]) -> tuple[Form, ...]:
        self._kept[url] = doors
        if len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return doors


def is_worth_asking(judgement: Judgement) -> bool:
    """Whether a description may tell of the only door of a page on the topic."""
    if judgement.relevance < LIKELY:
        return False
    return not any(
        judged.searchable >= LIKELY and judged.form.source != BOX for judged in judgement.forms
    )


def add_doors(reading: PageReading, doors: Sequence[Form], judge: JudgePage) -> PageReading:
    """The reading of the same page with these doors, judged again."""
    page = reading.page
    fresh = select_new_doors(page.forms, doors)
    if not fresh:
        return reading
    page = structs.replace(page, forms=(*page.forms, *fresh))
    words = PageWords(page)
    judgement = judge(page, words)
    kept = words if reading.words is not None else None
    return structs.replace(reading, page=page, judgement=judgement, words=kept)
