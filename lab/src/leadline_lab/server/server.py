"""A world over real HTTP on one socket: virtual hosts by name, and a forward proxy."""

import asyncio
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from typing import cast

from msgspec import Struct

from leadline.core.url import host_of, site_of
from leadline_lab.reply import Reply
from leadline_lab.server.front import front_page
from leadline_lab.server.transport import CUT, TIMEOUT, Answering, has_body
from leadline_lab.server.wire import (
    CONTINUE,
    MAX_BODY_BYTES,
    Ask,
    RefusedError,
    RequestBuffer,
    refusal,
    wire_of,
)

_BACKLOG = 1_024
_MAX_WAITING_BYTES = MAX_BODY_BYTES
"""Of requests sent ahead while one is being answered; then no more is read."""
_LINGER_S = 2.0
"""What a closing server gives its last answers to leave."""


class Limits(Struct, frozen=True):
    """How far the server goes along with its world's faults, in seconds."""

    hold_s: float = 30.0
    """Longest silence of a site that never answers; then the connection is cut."""
    delay_s: float = 30.0
    """Longest wait before an answer."""
    idle_s: float = 120.0
    """How long a connection may rest between requests."""


class Conversation(asyncio.Protocol):
    """One connection.

    States: listening; waiting (an answer is due later, further requests queue);
    clogged (the client does not read, nothing is answered); closed.
    """

    __slots__ = (
        "_buffer", "_is_clogged", "_is_deaf", "_later", "_server", "_transport", "active_at"
    )  # fmt: skip

    def __init__(self, server: "Server") -> None:
        self._server = server
        self._buffer = RequestBuffer()
        self._transport: asyncio.Transport | None = None
        self._later: asyncio.TimerHandle | None = None
        self._is_clogged = False
        self._is_deaf = False
        self.active_at = server.loop.time()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._server.open.add(self)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 (asyncio's signature)
        self._server.forget(self)
        self._transport = None
        if self._later is not None:
            self._later.cancel()

    def pause_writing(self) -> None:
        self._is_clogged = True

    def resume_writing(self) -> None:
        self._is_clogged = False
        self._advance()

    def data_received(self, data: bytes) -> None:
        self.active_at = self._server.loop.time()
        self._buffer.feed(data)
        self._advance()

    def end(self) -> None:
        """Close, once what was written has left."""
        if self._transport is not None:
            if self._later is None:
                self._transport.close()
            else:
                self._transport.abort()

    def abort(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    @property
    def _is_held(self) -> bool:
        return self._later is not None or self._is_clogged

    def _advance(self) -> None:
        try:
            while self._transport and not self._transport.is_closing() and not self._is_held:
                ask = self._buffer.next()
                if ask is None:
                    break
                self._heed(ask)
        except RefusedError as error:
            self._write(refusal(error), keeps=False)
        if self._buffer.wants_continue and self._transport:
            self._buffer.wants_continue = False
            self._transport.write(CONTINUE)
        if self._is_deaf != (self._is_held and len(self._buffer) > _MAX_WAITING_BYTES):
            self._turn_ear()

    def _turn_ear(self) -> None:
        """Stop reading, or begin again."""
        self._is_deaf = not self._is_deaf
        if self._transport is None or self._transport.is_closing():
            return
        if self._is_deaf:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _heed(self, ask: Ask) -> None:
        server = self._server
        reply = server.answer(ask)
        if not reply.fault and not reply.delay_s:
            self._write(wire_of(reply, ask.method, ask.keeps), ask.keeps)
            return
        wait_s = min(reply.delay_s, server.limits.delay_s)
        if reply.fault == TIMEOUT:
            wait_s = server.limits.hold_s
        self._later = server.loop.call_later(wait_s, self._deliver, ask, reply)

    def _deliver(self, ask: Ask, reply: Reply) -> None:
        """What was due later, a fault perhaps; then go on with what came meanwhile."""
        self._later = None
        if reply.fault in ("", CUT):
            keeps = ask.keeps and not (reply.fault and has_body(reply, ask.method))
            self._write(wire_of(reply, ask.method, keeps), keeps)
        else:
            self._reset()
        self._advance()

    def _write(self, wire: bytes, keeps: bool) -> None:
        if self._transport is not None:
            self._transport.write(wire)
            if not keeps:
                self._transport.close()

    def _reset(self) -> None:
        """Close with RST in place of FIN."""
        if self._transport is not None:
            raw = self._transport.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._transport.abort()


class Server:
    """Serves a world on a listening socket, from `start` to `stop`, in a running event loop."""

    def __init__(
        self,
        world: Answering,
        limits: Limits | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`now` is the time the world is told."""
        self.limits = limits or Limits()
        self.open: set[Conversation] = set()
        self.loop: asyncio.AbstractEventLoop = asyncio.get_running_loop()
        self._world = world
        self._now = now
        self._port = ""
        self._listening: asyncio.Server | None = None
        self._sweep: asyncio.TimerHandle | None = None
        self._empty: asyncio.Event | None = None

    async def start(self, listener: socket.socket) -> None:
        """Take over a bound socket."""
        port = listener.getsockname()[1]
        self._port = f":{port}" if port != 80 else ""
        self._listening = await self.loop.create_server(
            lambda: Conversation(self), sock=listener, backlog=_BACKLOG
        )
        self._drop_idle()

    async def stop(self) -> None:
        """Let the last answers leave, then drop all connections."""
        if self._sweep is not None:
            self._sweep.cancel()
        if self._listening is not None:
            self._listening.close()
        for conversation in list(self.open):
            conversation.end()
        if self.open:
            self._empty = asyncio.Event()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._empty.wait(), _LINGER_S)
        for conversation in list(self.open):
            conversation.abort()
        await asyncio.sleep(0)

    def forget(self, conversation: Conversation) -> None:
        """A connection is over."""
        self.open.discard(conversation)
        if self._empty is not None and not self.open:
            self._empty.set()

    def answer(self, ask: Ask) -> Reply:
        site = site_of(ask.request.url)
        if site.endswith(self._port) and is_address(host_of(site)):
            return front_page(self._world, ask.request.url)
        return self._world.answer(ask.request, self._now())

    def _drop_idle(self) -> None:
        oldest = self.loop.time() - self.limits.idle_s
        for conversation in [one for one in self.open if one.active_at < oldest]:
            conversation.end()
        self._sweep = self.loop.call_later(self.limits.idle_s / 4, self._drop_idle)


def is_address(host: str) -> bool:
    """Whether a host is a number: no site of a world is, so the server itself is meant."""
    return host == "localhost" or ":" in host or host[-1:].isdecimal()


def listen(host: str = "127.0.0.1", port: int = 0, *, shared: bool = False) -> socket.socket:
    """A bound socket, not yet listening; `shared`: others may listen on the same port.

    Raises OSError when the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind((host, port))
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener
