"""A site on loopback while its `async with` lasts."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

from aiohttp import web


class Served(ABC):
    """Answers for any host; what it says is left to those who build on it."""

    def __init__(self) -> None:
        self._runner = web.ServerRunner(web.Server(self._answer))

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._runner.cleanup()

    @property
    def address(self) -> str:
        host, port = self._runner.addresses[0][:2]
        return f"{host}:{port}"

    @abstractmethod
    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse: ...
