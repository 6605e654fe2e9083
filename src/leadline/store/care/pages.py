"""The pages of a SQLite file, read without SQLite: what SQLite refuses to read as a whole can be
read page by page. Used by `leadline store salvage` only.

Follows the published file format (sqlite.org/fileformat2.html). Nothing here trusts what it reads:
whatever does not fit is skipped.
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from leadline.store.care.wal import read_wal

TABLE_LEAF, TABLE_INNER, INDEX_LEAF, INDEX_INNER = 0x0D, 0x05, 0x0A, 0x02
HEADER_BYTES = 100
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))
_OURS = 4096
"""SQLite's default, which every store has unless its owner ran VACUUM with another one."""
_MOST_DEPTH = 40
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Bytes by serial type."""

Row = tuple[Any, ...]


class PageCell(NamedTuple):
    """A row of a table, or an entry of an index."""

    rowid: int | None
    values: Row


class UnreadableCellError(ValueError):
    """A cell that does not fit into its page, or whose values do not fit into it."""


class PageFile:
    """All pages of a file, with those of its log over them.

    States: opened, and never changed. Every method gives what can be read and leaves out the rest;
    `broken` collects the numbers of pages that were wholly or partly unreadable.
    """

    def __init__(self, path: Path) -> None:
        self._data = path.read_bytes()
        self._over = read_wal(path).pages
        size = self._size_by_header()
        if self._over:
            size = len(next(iter(self._over.values())))
        self._size = size
        self._usable = size - (self._data[20] if len(self._data) > HEADER_BYTES else 0)
        # A reserved area at the end of pages is for extensions that no store uses.
        if self._usable < size - 64:
            self._usable = size
        self.count = max([len(self._data) // size, *self._over])
        self.broken: set[int] = set()

    def page(self, number: int) -> bytes:
        """'' for a page that is not there or not whole."""
        if number in self._over:
            return self._over[number]
        start = (number - 1) * self._size
        data = self._data[start : start + self._size]
        return data if number > 0 and len(data) == self._size else b""

    def kind(self, number: int) -> int:
        page = self.page(number)
        return page[HEADER_BYTES if number == 1 else 0] if page else 0

    def tree(self, root: int) -> list[int]:
        """The pages of a tree that can be reached from its root."""
        found: dict[int, None] = {}
        waiting = [(root, 0)]
        while waiting:
            number, depth = waiting.pop()
            if number in found or depth > _MOST_DEPTH or not 0 < number <= self.count:
                continue
            found[number] = None
            if self.kind(number) in (TABLE_INNER, INDEX_INNER):
                waiting += [(child, depth + 1) for child in self._children(number)]
            elif self.kind(number) not in (TABLE_LEAF, INDEX_LEAF):
                self.broken.add(number)
        return list(found)

    def cells(self, number: int) -> Iterator[PageCell]:
        """The rows on one page; of an inner page of an index, too, which has rows of its own."""
        kind, page = self.kind(number), self.page(number)
        if kind not in (TABLE_LEAF, INDEX_LEAF, INDEX_INNER):
            return
        for at in self._cell_places(number):
            try:
                yield self._cell(page, kind, at)
            except (UnreadableCellError, IndexError, UnicodeDecodeError, struct.error):
                self.broken.add(number)

    def free_pages(self) -> set[int]:
        """Pages in which nothing is, but the remains of what was deleted."""
        free: set[int] = set()
        first = self.page(1)
        trunk = int.from_bytes(first[32:36], "big") if first else 0
        while 0 < trunk <= self.count and trunk not in free:
            free.add(trunk)
            page = self.page(trunk)
            if len(page) < 8:
                break
            count = min(int.from_bytes(page[4:8], "big"), (self._size - 8) // 4)
            free.update(struct.unpack_from(f">{count}I", page, 8))
            trunk = int.from_bytes(page[:4], "big")
        return free

    def _size_by_header(self) -> int:
        told = int.from_bytes(self._data[16:18], "big")
        told = 1 << 16 if told == 1 else told
        if told in _PAGE_SIZES and len(self._data) % told == 0:
            return told
        return _OURS

    def _cell_places(self, number: int) -> list[int]:
        page, base = self.page(number), HEADER_BYTES if number == 1 else 0
        count = int.from_bytes(page[base + 3 : base + 5], "big")
        start = base + (12 if self.kind(number) in (TABLE_INNER, INDEX_INNER) else 8)
        if start + 2 * count > self._size:
            self.broken.add(number)
            count = (self._size - start) // 2
        return list(struct.unpack_from(f">{count}H", page, start))

    def _children(self, number: int) -> list[int]:
        page, base = self.page(number), HEADER_BYTES if number == 1 else 0
        places = [at for at in self._cell_places(number) if at + 4 <= self._size]
        children = [int.from_bytes(page[at : at + 4], "big") for at in places]
        return [*children, int.from_bytes(page[base + 8 : base + 12], "big")]

    def _cell(self, page: bytes, kind: int, at: int) -> PageCell:
        if kind == INDEX_INNER:
            at += 4
        size, at = _varint(page, at)
        rowid: int | None = None
        if kind == TABLE_LEAF:
            rowid, at = _varint(page, at)
            rowid = rowid - (1 << 64) if rowid >> 63 else rowid
        if size > len(self._data) + self._size * (len(self._over) + 1):
            raise UnreadableCellError
        return PageCell(rowid, _values(self._payload(page, kind, at, size)))

    def _payload(self, page: bytes, kind: int, at: int, size: int) -> bytes:
        usable = self._usable
        most = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        if size <= most:
            if at + size > self._size:
                raise UnreadableCellError
            return page[at : at + size]
        least = (usable - 12) * 32 // 255 - 23
        here = least + (size - least) % (usable - 4)
        here = least if here > most else here
        pieces, left = [page[at : at + here]], size - here
        following, met = int.from_bytes(page[at + here : at + here + 4], "big"), set[int]()
        while left > 0:
            more = self.page(following)
            if not more or following in met:
                raise UnreadableCellError
            met.add(following)
            pieces.append(more[4 : 4 + min(left, usable - 4)])
            left -= usable - 4
            following = int.from_bytes(more[:4], "big")
        return b"".join(pieces)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(8):
        byte = data[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | data[at + 8], at + 9


def _values(payload: bytes) -> Row:
    length, at = _varint(payload, 0)
    if length > len(payload):
        raise UnreadableCellError
    values: list[Any] = []
    body = length
    while at < length:
        kind, at = _varint(payload, at)
        value, body = _value(payload, kind, body)
        values.append(value)
    if body != len(payload) or at != length:
        raise UnreadableCellError
    return tuple(values)


def _value(payload: bytes, kind: int, at: int) -> tuple[Any, int]:
    if kind in _INTEGERS:
        end = at + _INTEGERS[kind]
        return int.from_bytes(payload[at:end], "big", signed=True), end
    if kind == 7:
        return struct.unpack_from(">d", payload, at)[0], at + 8
    if kind in (0, 8, 9):
        return {0: None, 8: 0, 9: 1}[kind], at
    if kind < 12:
        raise UnreadableCellError
    end = at + (kind - 12) // 2
    data = payload[at:end]
    return (data.decode() if kind % 2 else data), end
