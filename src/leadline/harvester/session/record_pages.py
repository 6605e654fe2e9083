"""The records' own pages: each fetched once, in the order in which the records were met."""

import asyncio
from collections.abc import Awaitable, Callable

from leadline.core.harvest import RECORD, UNCLEAR, Answer, HarvestId, Record
from leadline.core.http import Request
from leadline.core.ports import Fetcher
from leadline.core.store import SessionStore
from leadline.core.url import Site, Url, host_of, registered_domain, site_of
from leadline.errors import OutOfScopeError
from leadline.harvester.answers.records import read_detail_cells
from leadline.harvester.reply import reply_of
from leadline.harvester.session.retries import Retrier

FetchDetail = Callable[[Url], Awaitable[Answer]]
"""Fetches a record's own page. Raises FetchError."""

_BATCH = 20
"""Pages looked up in the store together."""


class RecordPages:
    """Continues where the store says that it stopped; what a page said is durable before the next
    is fetched. A page that cannot be fetched is skipped."""

    def __init__(
        self,
        store: SessionStore,
        harvest: HarvestId,
        fetch_detail: FetchDetail,
        retrier: Retrier,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._harvests = store.harvests
        self._harvest = harvest
        self._fetch_detail = fetch_detail
        self._retrier = retrier
        self._now = now

    async def catch_up(self, why_stop: Callable[[], str]) -> str:
        """Fetches all pages that wait; the reason to stop before that, or ''."""
        while waiting := self._harvests.without_detail(self._harvest, _BATCH):
            for number, url in waiting:
                if reason := why_stop() or await self._fetch(number, url):
                    return reason
        return ""

    async def _fetch(self, number: int, url: Url) -> str:
        got = await self._retrier.ask(lambda: self._fetch_detail(url))
        if got.is_over:
            return got.why
        records = got.answer.records if got.answer is not None else ()
        requests = got.wasted + (got.answer.requests if got.answer is not None else 0)
        cells = [cell for record in records for cell in record.cells]
        self._harvests.add_detail(self._harvest, number, cells, requests, self._now())
        await asyncio.to_thread(self._store.flush)
        return ""


def make_detail_fetcher(fetcher: Fetcher, site: Site) -> FetchDetail:
    """Fetches pages of the source's own domain; others are not its records' pages to fetch."""
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
        record = Record(url, reply.page.title, read_detail_cells(reply), url)
        return Answer(RECORD, (record,), requests=response.requests, url=response.url)

    return fetch_detail
