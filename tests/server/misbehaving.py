"""A server with one resource per misbehaviour: its path is the name of the function.

Resources break HTTP on purpose, so they write their own bytes. Those of other
modules (`bodies`, `robots_zoo`) join the same table.
"""

import asyncio
import socket
import ssl
import struct
from email.utils import formatdate

from tests.server import bodies, robots_zoo
from tests.server.table import RESOURCES, resource
from tests.server.wire import Ask, LoopbackServer, answer_bytes

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
NOT_FOUND = answer_bytes("no such page", status="404 Not Found")

_LINKED = (bodies, robots_zoo)


class MisbehavingServer(LoopbackServer):
    """Serves every resource of the table, for any host. `asks` lists all requests in order."""

    def __init__(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        super().__init__(tls, host)
        self.asks: list[Ask] = []
        self._heard = asyncio.Condition()

    async def hears(self, path: str) -> None:
        """Return once the path has been asked for."""
        async with asyncio.timeout(10), self._heard:
            await self._heard.wait_for(lambda: self.count(path) > 0)

    def count(self, path: str) -> int:
        return sum(ask.path == path for ask in self.asks)

    async def answer(self, ask: Ask, writer: asyncio.StreamWriter) -> bool:
        async with self._heard:
            self.asks.append(ask)
            self._heard.notify_all()
        if ask.path == "/robots.txt":
            return await robots_zoo.answer_robots(ask, writer)
        name = ask.path.split("/")[1]
        if name in RESOURCES:
            return await RESOURCES[name](ask, writer, self.count(ask.path))
        writer.write(NOT_FOUND)
        return True


@resource
async def fine(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes(f"<title>fine</title>{ask.method} {ask.host} {ask.target}"))
    return True


@resource
async def echo(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    lines = [f"{ask.method} {ask.target}", *(f"{k}: {v}" for k, v in ask.headers.items())]
    writer.write(answer_bytes("\n".join(lines) + "\n\n" + ask.body.decode(), kind="text/plain"))
    return True


@resource
async def once_then_close(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes("bye", extra="Connection: close\r\n"))
    return False


# Time


@resource
async def silence(_ask: Ask, _writer: asyncio.StreamWriter, _count: int) -> bool:
    await asyncio.Event().wait()
    return False


@resource
async def slow_headers(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    for byte in OK + b"X-Slow: " + b"z" * 10_000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.02)
    return False


@resource
async def slow_body(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Content-Length: 100000\r\n\r\n")
    for _ in range(100_000):
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.02)
    return False


@resource
async def stalled_body(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Content-Length: 1000\r\n\r\nhalf")
    await writer.drain()
    await asyncio.Event().wait()
    return False


# Framing


@resource
async def endless_body(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"\r\n")
    while True:
        writer.write(b"more " * 2_000)
        await writer.drain()


@resource
async def endless_chunks(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"a\r\n0123456789\r\n" * 500)
        await writer.drain()


@resource
async def promises_more(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Content-Length: 1000\r\n\r\nonly this")
    return False


@resource
async def sends_more(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Content-Length: 4\r\n\r\nfour and a great deal more")
    return True


@resource
async def two_lengths(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Content-Length: 4\r\nContent-Length: 9\r\n\r\nfour")
    return False


@resource
async def negative_length(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Content-Length: -1\r\n\r\nwhat")
    return False


@resource
async def broken_chunks(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nZZ\r\nnonsense\r\n")
    return False


@resource
async def missing_last_chunk(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    return False


@resource
async def reset_mid_body(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"Content-Length: 1000\r\n\r\nhalf")
    await writer.drain()
    _reset(writer)
    return False


@resource
async def reset_at_once(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    _reset(writer)
    return False


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with RST in place of FIN."""
    raw: socket.socket = writer.get_extra_info("socket")
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@resource
async def empty_reply(_ask: Ask, _writer: asyncio.StreamWriter, _count: int) -> bool:
    return False


@resource
async def empty_reply_once(_ask: Ask, writer: asyncio.StreamWriter, count: int) -> bool:
    if count == 1:
        return False
    writer.write(answer_bytes("second time lucky"))
    return True


@resource
async def http_0_9(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(b"<html>no headers at all</html>")
    return False


@resource
async def binary_junk(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(bytes(range(256)) * 40)
    return False


@resource
async def many_headers(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"".join(b"X-%d: y\r\n" % n for n in range(50_000)) + b"\r\n")
    return False


@resource
async def giant_header(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"X-Giant: " + b"y" * 2_000_000 + b"\r\n\r\n")
    return False


@resource
async def endless_header(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(OK + b"X-Endless: ")
    while True:
        writer.write(b"y" * 10_000)
        await writer.drain()


@resource
async def body_on_204(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(b"HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\nsurprise!")
    return True


@resource
async def body_on_304(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\nsurprise!")
    return True


@resource
async def unasked_continue(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" + answer_bytes("after all"))
    return True


@resource
async def unasked_upgrade(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nxx")
    return False


# Busy


@resource
async def busy_seconds(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_refusal("429 Too Many Requests", "120"))
    return True


@resource
async def busy_date(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_refusal("503 Service Unavailable", formatdate(4_000_000_000, usegmt=True)))
    return True


@resource
async def busy_garbage(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_refusal("429 Too Many Requests", "when the moon is full"))
    return True


@resource
async def busy_once(_ask: Ask, writer: asyncio.StreamWriter, count: int) -> bool:
    writer.write(_refusal("503 Later", "0") if count == 1 else answer_bytes("here it is"))
    return True


@resource
async def flapping_gateway(_ask: Ask, writer: asyncio.StreamWriter, count: int) -> bool:
    bad = answer_bytes("bad gateway", status="502 Bad Gateway")
    writer.write(bad if count % 2 else answer_bytes("good gateway"))
    return True


@resource
async def broken(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes("oops", status="500 Internal Server Error"))
    return True


def _refusal(status: str, retry_after: str) -> bytes:
    return answer_bytes("busy", status=status, extra=f"Retry-After: {retry_after}\r\n")


# Redirects


def _redirect(location: str, status: str = "302 Found", extra: str = "") -> bytes:
    return answer_bytes("moved", status=status, extra=f"Location: {location}\r\n{extra}")


@resource
async def to(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    """`/to/<status>?<location>`"""
    status = ask.path.split("/")[2]
    writer.write(_redirect(ask.target.partition("?")[2], f"{status} Moved"))
    return True


@resource
async def loop(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_redirect("/loop/b" if ask.path != "/loop/b" else "/loop/a"))
    return True


@resource
async def chain(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    left = int(ask.path.split("/")[2])
    writer.write(_redirect(f"/chain/{left - 1}") if left else answer_bytes("the end"))
    return True


@resource
async def cookie_wall(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    if "pass=1" in ask.headers.get("cookie", ""):
        writer.write(answer_bytes("welcome"))
    else:
        writer.write(_redirect(ask.target, extra="Set-Cookie: pass=1\r\n"))
    return True


@resource
async def no_location(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes("where?", status="302 Found"))
    return True


@resource
async def endless_redirect(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(b"HTTP/1.1 302 Found\r\nLocation: /fine\r\n\r\n")
    while True:
        writer.write(b"more " * 2_000)
        await writer.drain()
