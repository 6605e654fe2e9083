"""A shelf of records over real HTTP: a server that keeps a log, and a source that asks it."""

import asyncio
from collections.abc import Callable, Sequence
from urllib.parse import quote

import msgspec
from aiohttp import web

from leadline.config import Config
from leadline.core.harvest import Answer, Harvest, NextPage, Query
from leadline.core.http import Request
from leadline.core.ports import Fetcher
from leadline.core.store import SessionStore
from leadline.core.url import Url
from leadline.crawler.harvests.source_opener import MakeOpener
from leadline.harvester.session.pool import SourceOpener
from leadline.harvester.session.session import OpenedSource
from tests.harvester.session.sources import WORDS, Held, InOrder, Shelf
from tests.server.served import Served

HOME = "http://shelf.test/"
PAGE = (
    "<html lang=en><title>The shelf</title><h1>Trees on the shelf</h1>"
    "<form action=/find><label>Search the shelf <input type=search name=q></label>"
    "<button>Search</button></form>"
)


class ShelfSite(Served):
    """Serves any host while its `async with` lasts. `log` holds every search, and `marks`."""

    def __init__(self, shelf: Shelf, delay_s: float = 0.0) -> None:
        self.shelf = shelf
        self.log: list[str] = []
        self.delay_s = delay_s
        super().__init__()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/robots.txt":
            return web.Response(text="")
        if request.path.startswith("/r/"):
            self.log.append(request.path)
            number = request.path.removeprefix("/r/")
            body = f"<h1>Record {number}</h1><table><tr><th>Leaves:</th><td>{number}0</td></table>"
            return web.Response(text=body, content_type="text/html")
        if request.path != "/find":
            return web.Response(text=PAGE, content_type="text/html")
        self.log.append(request.path_qs)
        await asyncio.sleep(self.delay_s)
        query = Query.of(q=request.query["q"])
        answer = self.shelf._page(query, int(request.query.get("page", "1")))
        return web.Response(body=msgspec.json.encode(answer), content_type="application/json")


class HttpShelf:
    """Implements the Source port, on a site of the above."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def ask(self, query: Query) -> Answer:
        return await self._page(query, 1)

    async def ask_nonsense(self, query: Query) -> Answer:
        return await self._page(query, 1)

    async def fetch_next_page(self, query: Query, page: NextPage) -> Answer:
        return await self._page(query, page.number)

    async def _page(self, query: Query, number: int) -> Answer:
        url = Url(f"{HOME}find?q={quote(query.text)}&page={number}")
        response = await self._fetcher.fetch(Request(url, accept=("application/json",)))
        return msgspec.json.decode(response.body, type=Answer)


def opening(words: Sequence[str] = WORDS) -> MakeOpener:
    """Opens every form as a shelf, without a look at it."""

    def opener_of(_config: Config, _store: SessionStore, fetcher: Fetcher) -> SourceOpener:
        async def open_form(
            harvest: Harvest,
            why_stop: Callable[[], str],  # noqa: ARG001
            *,
            is_dry: bool = False,
        ) -> OpenedSource | str:
            sends = (lambda query: f"GET {HOME}find?q={query.text}") if is_dry else str
            return OpenedSource(harvest, HttpShelf(fetcher), InOrder(words), Held(), sends=sends)

        return open_form

    return opener_of
