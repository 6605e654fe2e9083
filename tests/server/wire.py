"""A loopback server that speaks bytes: it reads requests, and answers whatever it is told to."""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Self


@dataclass(frozen=True, slots=True)
class Ask:
    """One request as it came in."""

    method: str
    target: str
    host: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]


Answerer = Callable[[Ask, asyncio.StreamWriter], Awaitable[bool]]
"""Writes an answer; True keeps the connection open."""


async def read_ask(reader: asyncio.StreamReader) -> Ask | None:
    """The next request, or None when the client is gone."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ")
    pairs = (line.partition(":") for line in lines if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Ask(method, target, headers.get("host", ""), headers, body)


def answer_bytes(
    body: bytes | str, *, status: str = "200 OK", kind: str = "text/html", extra: str = ""
) -> bytes:
    """A well-formed answer; `extra` holds further header lines, each ending in CRLF."""
    raw = body.encode() if isinstance(body, str) else body
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(raw)}\r\n{extra}\r\n"
    return head.encode("latin-1") + raw


class LoopbackServer:
    """Serves on a loopback address while its `async with` lasts, then drops every connection."""

    def __init__(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self._tls = tls
        self._host = host
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self.port = 0

    @property
    def address(self) -> str:
        """For the resolve map."""
        return f"{self._host}:{self.port}"

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def start(self, port: int = 0) -> None:
        self._server = await asyncio.start_server(
            self._accept, self._host, port, ssl=self._tls, limit=1 << 20
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        tasks = list(self._connections)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._converse(reader, writer))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (ask := await read_ask(reader)) is not None:
                keeps = await self.answer(ask, writer)
                if not keeps or ask.headers.get("connection", "").lower() == "close":
                    break
        except ConnectionError:
            pass
        finally:
            # Also when cancelled: an answer in the making is not worth waiting for.
            if writer.transport.get_write_buffer_size():
                writer.transport.abort()
            writer.close()
