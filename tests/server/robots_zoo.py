"""robots.txt of every kind: the first label of the host name chooses it."""

import asyncio
from collections.abc import Awaitable, Callable

from tests.server.wire import Ask, answer_bytes

DENY = "User-agent: *\nDisallow: /fine\n"

Zoo = Callable[[Ask, asyncio.StreamWriter], Awaitable[bool]]


def _status(status: str) -> bytes:
    return answer_bytes("whatever", status=status, kind="text/plain")


def _text(body: str | bytes) -> bytes:
    return answer_bytes(body, kind="text/plain")


FIXED: dict[str, bytes] = {
    "robots-401": _status("401 Unauthorized"),
    "robots-403": _status("403 Forbidden"),
    "robots-404": _status("404 Not Found"),
    "robots-429": _status("429 Too Many Requests"),
    "robots-500": _status("500 Oops"),
    "robots-503": _status("503 Busy"),
    "robots-deny": _text(DENY),
    "robots-bom": _text("\ufeff" + DENY),
    "robots-html": answer_bytes("<html><p>Not here</p></html>"),
    "robots-html-deny": answer_bytes(DENY),
    "robots-binary": _text(bytes(range(256)) * 100),
    "robots-delay": _text("User-agent: *\nCrawl-delay: 0.2\n"),
    "robots-long-delay": _text("User-agent: *\nCrawl-delay: 86400\n"),
    "robots-named": _text("User-agent: leadline\nDisallow: /fine\n\nUser-agent: *\nDisallow:\n"),
    "robots-sitemap": _text("Sitemap: http://robots-sitemap.test/sitemap.xml\n"),
    "robots-utf16": _text(DENY.encode("utf-16")),
}
"""Whole answers by host label."""


async def _redirect(ask: Ask, writer: asyncio.StreamWriter) -> bool:
    port = ask.host.partition(":")[2]
    target = f"http://robots-deny.test{':' + port if port else ''}/robots.txt"
    writer.write(answer_bytes("", status="301 Moved", extra=f"Location: {target}\r\n"))
    return True


async def _circle(_ask: Ask, writer: asyncio.StreamWriter) -> bool:
    writer.write(answer_bytes("", status="302 Found", extra="Location: /robots.txt\r\n"))
    return True


async def _private(_ask: Ask, writer: asyncio.StreamWriter) -> bool:
    location = "Location: http://169.254.169.254/latest\r\n"
    writer.write(answer_bytes("", status="302 Found", extra=location))
    return True


async def _silence(_ask: Ask, _writer: asyncio.StreamWriter) -> bool:
    await asyncio.Event().wait()
    return False


async def _huge(_ask: Ask, writer: asyncio.StreamWriter) -> bool:
    writer.write(_text(DENY.encode() + b"# filler line\n" * 800_000))
    await writer.drain()
    return True


async def _endless(_ask: Ask, writer: asyncio.StreamWriter) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n" + DENY.encode())
    while True:
        writer.write(b"# and so on\n" * 1_000)
        await writer.drain()


async def _empty_reply(_ask: Ask, _writer: asyncio.StreamWriter) -> bool:
    return False


MOVING: dict[str, Zoo] = {
    "robots-redirect": _redirect,
    "robots-circle": _circle,
    "robots-private": _private,
    "robots-silence": _silence,
    "robots-huge": _huge,
    "robots-endless": _endless,
    "robots-empty-reply": _empty_reply,
}


async def answer_robots(ask: Ask, writer: asyncio.StreamWriter) -> bool:
    name = ask.host.partition(".")[0]
    if name in MOVING:
        return await MOVING[name](ask, writer)
    writer.write(FIXED.get(name, FIXED["robots-404"]))
    return True
