"""Packed bodies are undone in time linear in what came and what goes out."""

import gzip
import time
import zlib

import brotli
import pytest
import zstandard

from leadline.web.unpack import UnpackError, unpack

SIZE = 5_000_000
ROOM = 20_000_000
MOST_CPU_S = 2.0
"""For 5 MB, which take 0.05 s at most on a quiet machine; gzip members took 16 s."""
EMPTY_BLOCK = b"\0\0\0\xff\xff"
ZSTD = zstandard.ZstdCompressor()

HOSTILE = {
    "empty gzip members": ("gzip", gzip.compress(b"", mtime=0)),
    "gzip members of one byte": ("gzip", gzip.compress(b"a", mtime=0)),
    "empty blocks of raw deflate": ("deflate", EMPTY_BLOCK),
    "empty zstd frames": ("zstd", ZSTD.compress(b"")),
    "zstd frames of one byte": ("zstd", ZSTD.compress(b"a")),
    "zstd frames to skip": ("zstd", b"\x50\x2a\x4d\x18\0\0\0\0"),
    "brotli that is none": ("br", b"\x06"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_packing_takes_long_to_undo(name: str) -> None:
    coding, piece = HOSTILE[name]
    body = piece * (SIZE // len(piece))
    began = time.process_time()
    try:
        unpack(body, coding, ROOM)
    except UnpackError:
        assert coding in ("gzip", "br")
    assert time.process_time() - began < MOST_CPU_S


def test_brotli_that_was_flushed_after_every_byte_is_undone() -> None:
    packer = brotli.Compressor()
    body = b"".join(packer.process(b"a") + packer.flush() for _ in range(100_000))
    began = time.process_time()
    assert unpack(body, "br", ROOM) == b"a" * 100_000
    assert time.process_time() - began < MOST_CPU_S


def test_gzip_members_are_joined_whatever_their_size() -> None:
    # Longer than the window that later members are read by.
    texts = [bytes([number]) * (40_000 * number) for number in range(1, 9)]
    noise = zlib.compress(bytes(range(256)) * 200, 0)
    packed = b"".join(map(gzip.compress, [*texts, noise * 5]))
    assert unpack(packed + b"\0" * 7, "gzip", ROOM) == b"".join(texts) + noise * 5


def test_more_gzip_members_than_any_file_has_are_refused() -> None:
    with pytest.raises(UnpackError, match="more than 1000 gzip members"):
        unpack(gzip.compress(b"a") * 1_001, "gzip", ROOM)
    assert unpack(gzip.compress(b"a") * 1_000, "gzip", ROOM) == b"a" * 1_000
