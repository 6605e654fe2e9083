"""A store carried from one place to another: its tables, and a SQLite file as source or sink."""
# ruff: noqa: S608 - the only words put into queries are names of our own

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np

from leadline.errors import ConfigError
from leadline.frontier.seen_urls import text_hash
from leadline.store.harvests.rows import (
    DETAIL_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
)
from leadline.store.lock import WriteLock
from leadline.store.recovery import read_arrivals
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    STATE_COLUMNS,
    URL_COLUMNS,
    VISIT_COLUMNS,
    Row,
)
from leadline.store.schema import migrate
from leadline.store.sqlite_connection import connect, insert
from leadline.store.sqlite_reading import translate_errors
from leadline.store.sums import sum_everything

SITES, STATES, SITE_RANKS, URLS = "sites", "states", "site_ranks", "urls"
VISITS, FORMS = "visits", "forms"

COLUMNS: Mapping[str, str] = {
    SITES: "id, site",
    STATES: f"site, {STATE_COLUMNS}",
    SITE_RANKS: "site, tier, score",
    URLS: f"rank, {URL_COLUMNS}",
    VISITS: f"seq, {VISIT_COLUMNS}",
    FORMS: f"id, {FORM_COLUMNS}",
    "events": f"id, {EVENT_COLUMNS}",
    "saved": "key, value",
    "harvests": HARVEST_COLUMNS,
    "queries": f"{QUERY_COLUMNS}, {OUTCOME_COLUMNS}",
    "result_pages": f"seq, {PAGE_COLUMNS}",
    "records": f"id, {RECORD_COLUMNS}",
    "details": DETAIL_COLUMNS,
    "orders": "id, kind, at, detail, done_at, outcome",
    "labels": "id, what, subject, verdict, at, topic, before",
}
"""In the order in which they are carried."""

PLAIN: Mapping[str, str] = {
    VISITS: "seq",
    FORMS: "id",
    "events": "id",
    "saved": "key",
    "harvests": "id",
    "queries": "harvest, number",
    "result_pages": "seq",
    "records": "id",
    "details": "harvest, record",
    "orders": "id",
    "labels": "id",
}
"""Tables that are the same in every database, with the order of their rows."""


class CopySource(Protocol):
    """A store that is not written while it is read."""

    def rows(self, table: str) -> Iterator[Row]:
        """The rows of a table, of its COLUMNS, in order."""
        ...

    def count(self, table: str) -> int: ...

    def close(self) -> None: ...


class CopySink(Protocol):
    """An empty store. Nothing of it is there before `finish`."""

    def write(self, table: str, rows: Iterator[Row]) -> int:
        """Append the rows; how many there were."""
        ...

    def count(self, table: str) -> int: ...

    def finish(self) -> None: ...

    def close(self) -> None:
        """Without `finish`, nothing stays behind."""
        ...


ROWS_A_BLOCK = 10_000
"""Candidates whose hashes, sites and ranks share a row of `arrivals`."""

_SPECIAL = {
    SITES: "SELECT id, site FROM sites ORDER BY id",
    STATES: f"SELECT id, {STATE_COLUMNS} FROM site_states ORDER BY id",
    SITE_RANKS: "SELECT site, tier, score FROM site_ranks WHERE seq IN"
    " (SELECT max(seq) FROM site_ranks GROUP BY site) AND tier IS NOT NULL ORDER BY site",
}


class SqliteSource:
    """Keeps other writers out while it is read, and brings an older file up to date first."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise ConfigError(f"there is no store at {path}")
        self._path = path
        with translate_errors(path), ExitStack() as undo:
            undo.callback(WriteLock(path).release)
            self._connection = connect(path)
            undo.callback(self._connection.close)
            migrate(self._connection, path)
            self._closing = undo.pop_all()

    def rows(self, table: str) -> Iterator[Row]:
        with translate_errors(self._path):
            if table == URLS:
                yield from self._urls()
            elif table in _SPECIAL:
                yield from self._connection.execute(_SPECIAL[table])
            else:
                query = f"SELECT {COLUMNS[table]} FROM {table} ORDER BY {PLAIN[table]}"
                yield from self._connection.execute(query)

    def count(self, table: str) -> int:
        with translate_errors(self._path):
            query = _SPECIAL.get(table, f"SELECT * FROM {table}")
            (count,) = self._connection.execute(f"SELECT count(*) FROM ({query})").fetchone()
            return int(count)

    def close(self) -> None:
        self._closing.close()

    def _urls(self) -> Iterator[Row]:
        ranks = read_arrivals(self._connection).ranks
        for row in self._connection.execute(f"SELECT {URL_COLUMNS} FROM urls ORDER BY id"):
            yield (int(ranks[row[0] - 1]), *row)


class SqliteSink:
    """A file of another name until it is finished."""

    def __init__(self, path: Path) -> None:
        if path.exists():
            raise ConfigError(f"{path} is there already: name a file that is not")
        self._path = path
        self._draft = path.with_name(path.name + ".part")
        self._draft.unlink(missing_ok=True)
        with translate_errors(path):
            self._connection = connect(self._draft)
            migrate(self._connection, self._draft)
            self._connection.execute("PRAGMA synchronous = OFF")
            self._connection.execute("BEGIN IMMEDIATE")

    def write(self, table: str, rows: Iterator[Row]) -> int:
        count = 0
        with translate_errors(self._path):
            while chunk := list(islice(rows, ROWS_A_BLOCK)):
                count += len(chunk)
                if table == URLS:
                    self._write_urls(chunk)
                else:
                    insert(self._connection, table, COLUMNS[table], chunk)
        return count

    def count(self, table: str) -> int:
        with translate_errors(self._path):
            (count,) = self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            return int(count)

    def finish(self) -> None:
        with translate_errors(self._path):
            sum_everything(self._connection)
            self._connection.execute("COMMIT")
            # Everything is in the one file, and on the platter, before it gets its name.
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._connection.close()
        self._draft.rename(self._path)

    def close(self) -> None:
        self._connection.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{self._draft}{suffix}").unlink(missing_ok=True)

    def _write_urls(self, chunk: list[Row]) -> None:
        insert(self._connection, URLS, URL_COLUMNS, [row[1:] for row in chunk])
        ranks, ids, urls, sites = zip(*(row[:4] for row in chunk), strict=True)
        cells = _pack(map(text_hash, urls), "<u8"), _pack(sites, "<i4"), _pack(ranks, "<i8")
        self._connection.execute("INSERT INTO arrivals VALUES (?, ?, ?, ?)", (ids[0], *cells))


def _pack(numbers: Iterable[int], kind: str) -> bytes:
    return np.array(list(numbers), kind).tobytes()
