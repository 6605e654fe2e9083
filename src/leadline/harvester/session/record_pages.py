"""The records' own pages: each fetched once, in the order in which the records were met."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import msgspec

from leadline.core.crawl import Event
from leadline.core.harvest import RECORD, UNCLEAR, Answer, Cell, HarvestId, Record
from leadline.core.http import Request
from leadline.core.ports import Fetcher
from leadline.core.store import SessionStore
from leadline.core.table import Wrapper
from leadline.core.url import Site, Url, host_of, registered_domain, site_of
from leadline.errors import OutOfScopeError
from leadline.extraction.structured import has_structured_data, read_structured
from leadline.extraction.wrapper_learning import SourcePage
from leadline.harvester.answers.records import read_detail_cells
from leadline.harvester.reply import reply_of
from leadline.harvester.session.detail_reader import LEARN_FROM, DetailReader
from leadline.harvester.session.retries import Retrier
from leadline.page.html_tree import parse_html

FetchDetail = Callable[[Url], Awaitable[Answer]]
"""Fetches a record's own page. Raises FetchError."""

_BATCH = 20
"""Pages looked up in the store together."""


class RecordPages:
    """Continues where the store says that it stopped. A page that cannot be fetched is skipped.

    What a page said is durable before the next is fetched, except for the few pages from which the
    source's wrapper is learned: they are stored together, and a kill has them fetched again.
    """

    def __init__(
        self,
        store: SessionStore,
        harvest: HarvestId,
        fetch_detail: FetchDetail,
        retrier: Retrier,
        now: Callable[[], float],
        pages: "DetailPages | None" = None,
    ) -> None:
        self._store = store
        self._harvests = store.harvests
        self._harvest = harvest
        self._fetch_detail = fetch_detail
        self._retrier = retrier
        self._now = now
        self._pages = pages
        self._held: list[_HeldPage] = []

    async def catch_up(self, why_stop: Callable[[], str]) -> str:
        """Fetches all pages that wait; the reason to stop before that, or ''."""
        while waiting := self._harvests.without_detail(self._harvest, _BATCH):
            for number, url in waiting:
                if reason := why_stop() or await self._fetch(number, url):
                    await self._store_held()
                    return reason
            await self._store_held()
        return ""

    async def _fetch(self, number: int, url: Url) -> str:
        got = await self._retrier.ask(lambda: self._fetch_detail(url))
        if got.is_over:
            return got.why
        records = got.answer.records if got.answer is not None else ()
        requests = got.wasted + (got.answer.requests if got.answer is not None else 0)
        cells = tuple(cell for record in records for cell in record.cells)
        page = self._pages.seen.pop(url, None) if self._pages is not None else None
        if self._pages is not None and page is not None:
            fields = self._pages.reader.read(page)
            if fields is None and self._pages.reader.can_learn:
                self._held.append(_HeldPage(number, page, cells, requests))
                if len(self._held) >= LEARN_FROM:
                    await self._store_held()
                return ""
            cells = cells if fields is None else fields
        await self._keep(number, cells, requests)
        return ""

    async def _store_held(self) -> None:
        """Learns from the pages held back, if they are enough, and stores what they say; of fewer
        all visible text is kept, because nothing tells frame and values apart."""
        held, self._held = self._held, []
        if self._pages is not None and len(held) >= LEARN_FROM:
            source = [one.page for one in held]
            wrapper = await asyncio.to_thread(self._pages.reader.learn, source)
            if wrapper is not None:
                self._store.note(describe_wrapper(wrapper, self._now()))
        for one in held:
            fields = self._pages.reader.read(one.page) if self._pages is not None else None
            await self._keep(one.number, one.cells if fields is None else fields, one.requests)

    async def _keep(self, number: int, cells: Sequence[Cell], requests: int) -> None:
        self._harvests.add_detail(self._harvest, number, cells, requests, self._now())
        await asyncio.to_thread(self._store.flush)


class _HeldPage(NamedTuple):
    """A page of a record that waits for a wrapper."""

    number: int
    page: SourcePage
    cells: tuple[Cell, ...]
    requests: int


class DetailPages:
    """Fetches records' own pages, and has them ready for their reader."""

    def __init__(self, source: str, fetch: FetchDetail, seen: dict[Url, SourcePage]) -> None:
        self.reader = DetailReader(source)
        self.seen = seen
        self._fetch = fetch

    async def __call__(self, url: Url) -> Answer:
        return await self._fetch(url)


def describe_wrapper(wrapper: Wrapper, at: float) -> Event:
    """What `explain` shows of a wrapper: each of its slots, and where it stands."""
    slots = [
        {"labels": slot.labels[:3], "kind": slot.kind, "filled": slot.filled, "why": slot.why}
        for slot in wrapper.slots
    ]
    detail = {"version": wrapper.version, "pages": wrapper.pages, "slots": slots}
    return Event(at, "wrapper", wrapper.source, msgspec.json.encode(detail).decode())


def make_detail_pages(fetcher: Fetcher, site: Site, source: str) -> DetailPages:
    """The pages of a source's records, read by wrappers that are learned from them."""
    seen: dict[Url, SourcePage] = {}
    return DetailPages(source, make_detail_fetcher(fetcher, site, seen), seen)


def make_detail_fetcher(
    fetcher: Fetcher, site: Site, seen: dict[Url, SourcePage] | None = None
) -> FetchDetail:
    """Fetches pages of the source's own domain; others are not its records' pages to fetch. Pages
    are left in `seen`."""
    home = registered_domain(host_of(site))

    async def fetch_detail(url: Url) -> Answer:
        if registered_domain(host_of(site_of(url))) != home:
            return Answer(UNCLEAR, requests=0, url=url, why="on another site")
        try:
            response = await fetcher.fetch(Request(url))
        except OutOfScopeError as error:
            # The address, or where it redirects to, would change something: no page to read.
            return Answer(UNCLEAR, requests=error.requests, url=url, why=error.reason)
        if not 200 <= response.status < 300:
            why = f"status {response.status}"
            return Answer(UNCLEAR, requests=response.requests, url=url, why=why)
        reply = reply_of(response)
        if seen is not None:
            body = response.body
            tree = (
                parse_html(body, response.content_type).tree if has_structured_data(body) else None
            )
            said = read_structured(tree) if tree is not None else {}
            seen[url] = SourcePage(reply.outline, reply.page.title, said)
        record = Record(url, reply.page.title, read_detail_cells(reply), url)
        return Answer(RECORD, (record,), requests=response.requests, url=response.url)

    return fetch_detail
