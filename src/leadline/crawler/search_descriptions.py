"""Fetches the OpenSearch descriptions that pages name, for crawls and for single harvests.

A description is no page: it is read with the page that names it, whose words tell what is searched.
"""

from collections.abc import Sequence

from msgspec import Struct, structs

from leadline.core.crawl import LIKELY, Candidate, CandidateId, Judgement, Priority
from leadline.core.http import Request
from leadline.core.page import BOX, Form, Page
from leadline.core.ports import Critic, Fetcher
from leadline.core.store import PageIndex
from leadline.core.url import Url, site_of
from leadline.crawler.reading import PageReading
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import FetchError, LeaseOverError
from leadline.page.doors import select_new_doors
from leadline.page.opensearch import read_description
from leadline.page.words import PageWords

READ = "a search description, read with its page"
_TYPES = (
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
    asked: tuple[Url, ...] = ()


NO_DOORS = FetchedDoors()


async def fetch_doors(urls: Sequence[Url], page: Url, fetcher: Fetcher) -> FetchedDoors:
    """The doors of the descriptions at `urls`, as doors of `page`. One that cannot be had tells
    nothing. Raises LeaseOverError, and no other error."""
    doors: list[Form] = []
    requests = 0
    for url in urls:
        try:
            response = await fetcher.fetch(Request(url, accept=_TYPES))
        except LeaseOverError:
            raise
        except FetchError as error:
            requests += error.requests
            continue
        requests += response.requests
        if 200 <= response.status < 300:
            kind = response.header("content-type")
            doors += read_description(response.body, response.url, page, kind)
    return FetchedDoors(tuple(doors), requests, tuple(urls))


class SearchDescriptions:
    """Reads the descriptions of pages on the topic, each once in a store.

    One request is worth it if the page is about the topic and shows no other door that can be
    asked. Only the page's own site is asked: it alone is leased.
    """

    def __init__(self, fetcher: Fetcher, pages: PageIndex, calls: StoreCalls) -> None:
        self._fetcher = fetcher
        self._pages = pages
        self._calls = calls

    async def find(self, reading: PageReading) -> FetchedDoors:
        """Raises LeaseOverError."""
        page = reading.page
        own = [url for url in page.search_descriptions if site_of(url) == site_of(page.url)]
        if not own or not _is_worth_asking(reading.judgement):
            return NO_DOORS
        known = await self._calls(lambda: self._pages.are_known(own))
        fresh = [url for url, is_known in zip(own, known, strict=True) if not is_known]
        return await fetch_doors(fresh, page.url, self._fetcher) if fresh else NO_DOORS


def _is_worth_asking(judgement: Judgement) -> bool:
    if judgement.relevance < LIKELY:
        return False
    return not any(
        judged.searchable >= LIKELY and judged.form.source != BOX for judged in judgement.forms
    )


def add_doors(reading: PageReading, doors: Sequence[Form], critic: Critic) -> PageReading:
    """The reading of the same page with these doors, judged again."""
    page = reading.page
    fresh = select_new_doors(page.forms, doors)
    if not fresh:
        return reading
    page = structs.replace(page, forms=(*page.forms, *fresh))
    words = PageWords(page)
    judgement = critic.judge(page, words)
    kept = words if reading.words is not None else None
    return structs.replace(reading, page=page, judgement=judgement, words=kept)


def mark_read(asked: Sequence[Url], page: Page, visit: CandidateId) -> tuple[Candidate, ...]:
    """What makes the store know the descriptions, so that no page has them asked for again."""
    skipped = Priority(0, 0.0, "")
    return tuple(
        Candidate(url, site_of(page.url), skipped, parent=visit, skip=READ) for url in asked
    )
