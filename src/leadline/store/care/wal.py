"""The write-ahead log beside a store file, read without SQLite.

SQLite stops reading a log at its first broken frame and says nothing: whatever was committed after
it is gone without a word. This module says where a log breaks off, and gives its whole part to who
salvages.
"""

import struct
from pathlib import Path
from typing import NamedTuple

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_MAGIC = 0x377F0682
"""The last bit says whether checksums are of big-endian words."""
_MASK = 0xFFFF_FFFF


class WalState(NamedTuple):
    """What of a log can be used."""

    frames: int = 0
    """Those that SQLite reads: up to the last commit before the first broken one."""
    unread: int = 0
    """Frames of the same log that come after, whole or not."""
    fault: str = ""
    """Why nothing of it can be read; '' if it is a log, or there is none."""
    pages: dict[int, bytes] = {}  # noqa: RUF012 (never changed)
    """The newest committed content of each page in it, by number."""
    size_bytes: int = 0
    """Of the whole file, as the last commit says; 0 if there is none."""


def wal_path(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def read_wal(path: Path) -> WalState:
    """The log of the store file at `path`."""
    try:
        data = wal_path(path).read_bytes()
    except FileNotFoundError:
        return WalState()
    if not data:
        return WalState()
    if len(data) < _HEADER.size:
        return WalState(fault=f"it is cut: {len(data)} bytes are less than its header")
    magic, _, size, _, *salts, sum1, sum2 = _HEADER.unpack_from(data)
    is_big = bool(magic & 1)
    if magic & ~1 != _MAGIC or (sum1, sum2) != _sum(data[:24], is_big, 0, 0):
        return WalState(fault="its header is damaged, or it is no log of SQLite")
    return _read_frames(data, size, salts, is_big=is_big)


def _read_frames(data: bytes, size: int, salts: list[int], *, is_big: bool) -> WalState:
    last = _HEADER.unpack_from(data)[6:]
    whole = committed = ours = told = 0
    is_broken = False
    pending: dict[int, bytes] = {}
    pages: dict[int, bytes] = {}
    for at in range(_HEADER.size, len(data), _FRAME.size + size):
        head = data[at : at + _FRAME.size]
        if len(head) < 16 or list(struct.unpack(">2I", head[8:16])) != salts:
            # What follows is of an earlier round: the log is written again from its beginning.
            break
        ours += 1
        body = data[at + _FRAME.size : at + _FRAME.size + size]
        if is_broken or len(body) < size:
            is_broken = True
            continue
        number, commit, _, _, *sums = _FRAME.unpack(head)
        last = _sum(body, is_big, *_sum(head[:8], is_big, *last))
        if tuple(sums) != last:
            is_broken = True
            continue
        whole += 1
        pending[number] = body
        if commit:
            committed, told = whole, commit * size
            pages.update(pending)
            pending = {}
    return WalState(committed, ours - committed, "", pages, told)


def _sum(data: bytes, is_big: bool, one: int, two: int) -> tuple[int, int]:
    words = struct.unpack(f"{'>' if is_big else '<'}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = (one + even + two) & _MASK
        two = (two + odd + one) & _MASK
    return one, two
