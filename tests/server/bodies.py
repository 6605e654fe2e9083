"""Resources whose framing is right and whose bodies are not."""

import asyncio
import gzip
import random
import zlib
from functools import cache

import brotli
import zstandard

from tests.server.table import resource
from tests.server.wire import Ask, answer_bytes

MIB = 1024 * 1024
_ZEROS = bytes(MIB)


@cache
def gzip_of_zeros(size_mib: int) -> bytes:
    """One packed block again and again; its checksum is wrong, but nobody gets that far."""
    packer = zlib.compressobj(wbits=-15)
    block = packer.compress(_ZEROS) + packer.flush(zlib.Z_FULL_FLUSH)
    return gzip.compress(b"")[:10] + block * size_mib


@cache
def brotli_of_zeros(size_mib: int) -> bytes:
    packer = brotli.Compressor(quality=1)
    return b"".join([*(packer.process(_ZEROS) for _ in range(size_mib)), packer.finish()])


@cache
def zstd_of_zeros(size_mib: int) -> bytes:
    packer = zstandard.ZstdCompressor(level=1).compressobj()
    return b"".join([*(packer.compress(_ZEROS) for _ in range(size_mib)), packer.flush()])


def _packed(body: bytes, coding: str) -> bytes:
    return answer_bytes(body, extra=f"Content-Encoding: {coding}\r\n")


@resource
async def gzip_bomb(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(gzip_of_zeros(100), "gzip"))
    return True


@resource
async def brotli_bomb(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(brotli_of_zeros(100), "br"))
    return True


@resource
async def zstd_bomb(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(zstd_of_zeros(100), "zstd"))
    return True


@resource
async def nested_bomb(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(gzip.compress(gzip_of_zeros(100)), "gzip, gzip"))
    return True


@resource
async def many_codings(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(b"x", ", ".join(["gzip"] * 500)))
    return True


@resource
async def claims_gzip(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(b"<html>plain</html>", "gzip"))
    return True


@resource
async def claims_brotli(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(b"\xff" * 50, "br"))
    return True


@resource
async def claims_zstd(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(b"<html>plain</html>", "zstd"))
    return True


@resource
async def cut_gzip(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(gzip.compress(b"first part " * 1000)[:-20], "gzip"))
    return True


@resource
async def made_up_coding(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(_packed(b"plain", "utf-8"))
    return True


@resource
async def packed(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    """`/packed/<coding>`, done right."""
    coding = ask.path.split("/")[2]
    plain = b"<p>hello</p>" * 2_000
    pack = {
        "gzip": gzip.compress,
        "deflate": zlib.compress,
        "br": brotli.compress,
        "zstd": zstandard.compress,
    }
    writer.write(_packed(pack[coding](plain), coding))
    return True


@resource
async def raw_deflate(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    packer = zlib.compressobj(wbits=-15)
    writer.write(_packed(packer.compress(b"raw") + packer.flush(), "deflate"))
    return True


@resource
async def wrong_charset(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    body = "caf\u00e9".encode("utf-16")
    writer.write(answer_bytes(body, kind="text/html; charset=no-such-charset"))
    return True


@resource
async def nested_tags(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes(b"<div>" * (2 * MIB)))
    return True


@resource
async def million_links(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes(b"<a href=/>" * 1_000_000))
    return True


@resource
async def nul_bytes(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes(b"<html>\0\0\0</html>\0"))
    return True


@resource
async def announces_much(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99999999999\r\n\r\n"
    )
    await writer.drain()
    await asyncio.Event().wait()
    return False


@resource
async def picture(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes(b"\x89PNG", kind="image/png"))
    return True


@resource
async def odd_type(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes(b"<p>", kind=" TEXT/HTML ;;; charset"))
    return True


@resource
async def no_type(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<p>")
    return True


@resource
async def cookie_flood(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    lines = "".join(f"Set-Cookie: c{n}={'v' * 300}; Path=/\r\n" for n in range(150))
    writer.write(answer_bytes("full", extra=lines))
    return True


@resource
async def mutant(ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    """A sound answer with some bytes changed, dropped or doubled, by the host's name."""
    chance = random.Random(ask.host)
    reply = bytearray(_packed(gzip.compress(b"<p>hello</p>" * 20), "gzip"))
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(reply))
        piece = chance.choice([b"", b"\r\n", b"\0", b":", reply[at : at + 9], chance.randbytes(2)])
        reply[at : at + chance.randint(0, 3)] = piece
    writer.write(bytes(reply))
    return False


@resource
async def foreign_cookie(_ask: Ask, writer: asyncio.StreamWriter, _count: int) -> bool:
    writer.write(answer_bytes("", extra="Set-Cookie: spy=1; Domain=.test; Path=/\r\n"))
    return True
