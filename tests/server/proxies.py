"""Tiny forward proxies: HTTP (absolute URLs and CONNECT) and SOCKS5, all to one loopback port."""

import asyncio
import ipaddress
from contextlib import suppress

from tests.server.wire import LoopbackServer


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    with suppress(ConnectionError):
        writer.close()


async def _join(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
    finally:
        far_writer.close()


class _Proxy(LoopbackServer):
    """Sends every target to `to_port` on loopback and remembers what was asked for."""

    def __init__(self, to_port: int) -> None:
        super().__init__()
        self.to_port = to_port
        self.targets: list[str] = []


class HttpProxy(_Proxy):
    """Takes `GET http://host/path` and `CONNECT host:port`."""

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                method, target, _ = head.split(b" ", 2)
                self.targets.append(target.decode())
                if method == b"CONNECT":
                    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                    return await _join(reader, writer, self.to_port)
                path = b"/" + target.split(b"/", 3)[3]
                writer.write(await _pass_on(head.replace(target, path, 1), self.to_port))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def _pass_on(head: bytes, port: int) -> bytes:
    """The whole answer to a request without body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(head[:-2] + b"Connection: close\r\n\r\n")
        return await reader.read()
    finally:
        writer.close()


class Refusing(LoopbackServer):
    """Says no in HTTP to whatever it hears, be it TLS or SOCKS."""

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(4096)
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        writer.close()


class SocksProxy(_Proxy):
    """SOCKS5 without authentication (RFC 1928)."""

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            _, methods = await reader.readexactly(2)
            await reader.readexactly(methods)
            writer.write(b"\x05\x00")
            *_, kind = await reader.readexactly(4)
            host = await _socks_host(reader, kind)
            port = int.from_bytes(await reader.readexactly(2), "big")
            self.targets.append(f"{host}:{port}")
            writer.write(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
            await _join(reader, writer, self.to_port)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def _socks_host(reader: asyncio.StreamReader, kind: int) -> str:
    if kind == 3:
        (size,) = await reader.readexactly(1)
        return (await reader.readexactly(size)).decode()
    return str(ipaddress.ip_address(await reader.readexactly(4 if kind == 1 else 16)))
