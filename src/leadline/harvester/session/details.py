"""The records' own pages: each fetched once, in the order in which the records were met."""

import asyncio
from collections.abc import Awaitable, Callable

from leadline.core.harvest import RECORD, UNCLEAR, Answer, Record
from leadline.core.http import Request
from leadline.core.kept import HarvestId
from leadline.core.ports import Fetcher, Store
from leadline.core.url import Site, Url, host_of, registered_domain, site_of
from leadline.harvester.answers.records import read_detail_cells
from leadline.harvester.reply import reply_of
from leadline.harvester.session.patience import Patience

Look = Callable[[Url], Awaitable[Answer]]
"""Fetches a record's own page. Raises FetchError."""
_AT_ONCE = 20
"""Looked up in the store together."""


class Details:
    """Goes on where the store says that it stopped; what a page said is durable before the next is
    asked for. A page that cannot be had is passed over."""

    def __init__(
        self,
        store: Store,
        harvest: HarvestId,
        look: Look,
        patience: Patience,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._harvests = store.harvests
        self._harvest = harvest
        self._look = look
        self._patience = patience
        self._now = now

    async def catch_up(self, why_stop: Callable[[], str]) -> str:
        """Fetch all that wait; the reason to stop before that, or ''."""
        while waiting := self._harvests.without_detail(self._harvest, _AT_ONCE):
            for number, url in waiting:
                if reason := why_stop() or await self._fetch(number, url):
                    return reason
        return ""

    async def _fetch(self, number: int, url: Url) -> str:
        got = await self._patience.ask(lambda: self._look(url))
        if got.is_over:
            return got.why
        records = got.answer.records if got.answer is not None else ()
        requests = got.wasted + (got.answer.requests if got.answer is not None else 0)
        cells = [cell for record in records for cell in record.cells]
        self._harvests.add_detail(self._harvest, number, cells, requests, self._now())
        await asyncio.to_thread(self._store.flush)
        return ""


def looking(fetcher: Fetcher, site: Site) -> Look:
    """Fetches pages of the source's own domain; others are not its records' pages to fetch."""
    home = registered_domain(host_of(site))

    async def look(url: Url) -> Answer:
        if registered_domain(host_of(site_of(url))) != home:
            return Answer(UNCLEAR, requests=0, url=url, why="on another site")
        response = await fetcher.fetch(Request(url))
        if not 200 <= response.status < 300:
            why = f"status {response.status}"
            return Answer(UNCLEAR, requests=response.requests, url=url, why=why)
        reply = reply_of(response)
        record = Record(url, reply.page.title, read_detail_cells(reply), url)
        return Answer(RECORD, (record,), requests=response.requests, url=response.url)

    return look
