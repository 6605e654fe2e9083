"""A way to the Web that can be shut for a while: who asks meanwhile waits."""

import asyncio

from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site


class RestingFetcher:
    """A fetcher that sends nothing between `rest` and `go_on`. What is under way then ends."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._is_going = asyncio.Event()
        self._is_going.set()

    def rest(self) -> None:
        self._is_going.clear()

    def go_on(self) -> None:
        self._is_going.set()

    async def fetch(self, request: Request) -> Response:
        await self._is_going.wait()
        return await self._fetcher.fetch(request)

    def ready_at(self, site: Site) -> float:
        return self._fetcher.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self._fetcher.delay_of(site)

    async def close(self) -> None:
        await self._fetcher.close()
