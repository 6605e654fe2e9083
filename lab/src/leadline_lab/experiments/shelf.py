"""Where answers of a lab world are kept between trials: one SQLite file, or memory."""

import sqlite3
from collections import OrderedDict
from pathlib import Path
from typing import Protocol

import xxhash

from leadline.errors import StoreError

_BATCH = 200
"""Answers written in one transaction: more would be lost when a run is killed, fewer are slower."""
_BUSY_S = 60.0
"""How long one process waits while another writes."""
_SHARE_DROPPED = 10
"""One of this many of the answers goes when the file is full."""
_SCHEMA = """
create table if not exists kept (
  number integer primary key autoincrement,
  key integer not null unique,
  entry blob not null
)
"""


def shelf_key(url: str) -> int:
    """63 bits of a URL's hash: what SQLite can hold as a number."""
    return xxhash.xxh3_64_intdigest(url.encode("utf-8", "surrogatepass")) >> 1


class Shelf(Protocol):
    """Keeps bytes by key. What was put may be gone later; what is found is what was put."""

    def find(self, key: int) -> bytes | None: ...

    def put(self, key: int, entry: bytes) -> None: ...

    def close(self) -> None: ...


class MemoryShelf:
    """Keeps up to `max_bytes` in memory; the longest unused go first."""

    def __init__(self, max_bytes: int = 1 << 28) -> None:
        self._kept: OrderedDict[int, bytes] = OrderedDict()
        self._left_bytes = max_bytes

    def find(self, key: int) -> bytes | None:
        entry = self._kept.get(key)
        if entry is not None:
            self._kept.move_to_end(key)
        return entry

    def put(self, key: int, entry: bytes) -> None:
        before = self._kept.pop(key, b"")
        self._kept[key] = entry
        self._left_bytes += len(before) - len(entry)
        while self._left_bytes < 0:
            _, oldest = self._kept.popitem(last=False)
            self._left_bytes += len(oldest)

    def close(self) -> None:
        """Nothing to do."""


class SqliteShelf:
    """Keeps up to about `max_bytes` in one file; those put first go first.

    Several processes may use the same file. Entries wait in memory for their
    batch and are found there too. Raises StoreError when the file fails.
    """

    def __init__(self, path: Path, max_bytes: int = 4 << 30, memory_bytes: int = 1 << 26) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._near = MemoryShelf(memory_bytes)
        self._waiting: dict[int, bytes] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            self._database.execute("pragma journal_mode = wal")
            # A lost cache is made again, so nothing waits for the disk.
            self._database.execute("pragma synchronous = off")
            self._database.execute("pragma mmap_size = 1073741824")
            self._database.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot open the page cache {path}: {error}") from error

    def find(self, key: int) -> bytes | None:
        entry = self._waiting.get(key) or self._near.find(key)
        if entry is None:
            entry = self._read(key)
            if entry is not None:
                self._near.put(key, entry)
        return entry

    def put(self, key: int, entry: bytes) -> None:
        self._waiting[key] = entry
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if not self._waiting:
            return
        rows = list(self._waiting.items())
        try:
            self._database.execute("begin immediate")
            with self._database:
                self._database.executemany(
                    "insert or ignore into kept (key, entry) values (?, ?)", rows
                )
                while self._used_bytes() > self._max_bytes and self._drop_oldest():
                    pass
        except sqlite3.Error as error:
            raise StoreError(f"cannot write the page cache {self._path}: {error}") from error
        for key, entry in rows:
            self._near.put(key, entry)
        self._waiting.clear()

    def close(self) -> None:
        self.flush()
        self._database.close()

    def _read(self, key: int) -> bytes | None:
        try:
            row = self._database.execute("select entry from kept where key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"cannot read the page cache {self._path}: {error}") from error
        return None if row is None else bytes(row[0])

    def _used_bytes(self) -> int:
        pages, free, size = (
            int(self._database.execute(f"pragma {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def _drop_oldest(self) -> int:
        dropped = self._database.execute(
            "delete from kept where number <= "
            "(select min(number) + (max(number) - min(number)) / ? from kept)",
            (_SHARE_DROPPED,),
        )
        return dropped.rowcount


def open_shelf(path: Path | None, max_bytes: int = 4 << 30) -> Shelf:
    """The shelf in the file, or one that lives as long as the process."""
    return MemoryShelf(max_bytes) if path is None else SqliteShelf(path, max_bytes)
