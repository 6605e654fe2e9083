"""Checksums of what a store file holds, because SQLite has none: a byte that a disk changes inside
a text or a blob would go unnoticed.

The writer sums what a transaction has added or changed, as SQLite gives it back; `leadline store
check` sums everything again. Rows that are only ever appended have one sum for all of a
transaction, which is why it is cheap; rows that change have one each.
"""
# ruff: noqa: S608 - the only words put into queries are names of our own

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import xxhash

from leadline.store.harvests.rows import (
    DETAIL_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
)
from leadline.store.index import PASSED_OVER
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    STATE_COLUMNS,
    URL_COLUMNS,
    VISIT_COLUMNS,
    Row,
    to_signed,
)

SIGHTINGS = "sightings"
"""The kind of the one sum that is no checksum: how often forms were met, in all. That number of a
form changes with nearly every page, and summing the form anew each time would cost more."""

ROWS_A_SUM = 1_000
"""When a whole file is summed at once: as many rows are lost together when one of them is."""

_encode = msgspec.msgpack.Encoder().encode
_SCORE_AT = URL_COLUMNS.split(", ").index("score")
_PAIR = "(harvest << 32 | {})"


class Summed(NamedTuple):
    """Rows that are summed, and how they are told apart."""

    table: str
    key: str
    """A whole number, in SQL, in whose order the rows are summed."""
    columns: str
    order: str = ""
    """The order of the key in words that an index knows."""
    claim: str = "true"
    is_range: bool = False
    """Whether the rows of a transaction have one sum: for tables that are only appended to."""

    def query(self, claim: str = "true") -> str:
        """Rows, each with its key first."""
        order = self.order or self.key
        return (
            f"SELECT {self.key}, {self.columns} FROM {self.table}"
            f" WHERE {self.claim} AND {claim} ORDER BY {order}"
        )


def _without(columns: str, name: str) -> str:
    return ", ".join(column for column in columns.split(", ") if column != name)


_IS_PASSED = f"outcome = '{PASSED_OVER}'"

SUMMED: Mapping[str, Summed] = {
    "sites": Summed("sites", "id", "site", is_range=True),
    # By `url_sum` when they are written: they are nine rows of ten.
    "urls": Summed("urls", "id", _without(URL_COLUMNS, "id"), is_range=True),
    "visits": Summed("visits", "seq", VISIT_COLUMNS, claim=f"NOT {_IS_PASSED}", is_range=True),
    # Apart, because a fallback strategy deletes them all.
    "passed": Summed("visits", "seq", VISIT_COLUMNS, claim=_IS_PASSED, is_range=True),
    "states": Summed("states", "seq", f"site, {STATE_COLUMNS}", is_range=True),
    "site_ranks": Summed("site_ranks", "seq", "site, tier, score", is_range=True),
    "events": Summed("events", "id", EVENT_COLUMNS, is_range=True),
    # How often a record was met is checked against the result pages.
    "records": Summed("records", "id", _without(RECORD_COLUMNS, "sightings"), is_range=True),
    "lessons": Summed("lessons", "id", "body", is_range=True),
    "arrivals": Summed("arrivals", "first", "hashes, sites, ranks"),
    "forms": Summed("forms", "id", _without(FORM_COLUMNS, "sightings")),
    "saved": Summed("saved", "0", "key, value", order="key"),
    "models": Summed("models", "version", "state, upto"),
    "harvests": Summed("harvests", "id", HARVEST_COLUMNS),
    "queries": Summed(
        "queries",
        _PAIR.format("number"),
        f"{QUERY_COLUMNS}, {OUTCOME_COLUMNS}",
        order="harvest, number",
    ),
    "result_pages": Summed("result_pages", "seq", PAGE_COLUMNS),
    "details": Summed("details", _PAIR.format("record"), DETAIL_COLUMNS, order="harvest, record"),
    "orders": Summed("orders", "id", "kind, at, detail, done_at, outcome"),
    "labels": Summed("labels", "id", "what, subject, verdict, at, topic, before"),
}
"""By the kind that `sums` has."""

_GROWING = (
    *(kind for kind, summed in SUMMED.items() if summed.is_range and kind != "urls"),
    *("forms", "arrivals"),
)
_MARKED = tuple(dict.fromkeys(SUMMED[kind].table for kind in _GROWING))
_KEYS = {summed.table: summed.key for summed in SUMMED.values()}
_MARKS = ", ".join(f"(SELECT coalesce(max({_KEYS[name]}), -1) FROM {name})" for name in _MARKED)
_PUT = "INSERT OR REPLACE INTO sums VALUES (?, ?, ?, ?)"

Marks = dict[str, int]
"""The last key of each table that grows, before a transaction."""
Sum = tuple[int, int, int]
"""First key, last key, and the checksum of the rows from the one to the other."""


Touched = tuple[str, str, tuple[Any, ...]]
"""Rows that a transaction has changed: their kind, a claim in SQL, and its values."""

ONE_FORM = "signature = ?"
ONE_BLOCK = "first = ?"
ONE_HARVEST = "id = ?"
ONE_QUERY = "harvest = ? AND number = ?"
ONE_DETAIL = "harvest = ? AND record = ?"
PAGE_AND_BEFORE = "harvest = ?1 AND query = ?2 AND number IN (?3 - 1, ?3)"
"""What to ask next is kept for the last page of an answer only: the one before it changes too."""


def has_sums(connection: sqlite3.Connection) -> bool:
    """Whether the file is of a format with checksums."""
    query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'sums'"
    return connection.execute(query).fetchone() is not None


def sum_of(rows: Sequence[Row]) -> int:
    """The checksum of rows, as a column of SQLite holds it."""
    return to_signed(xxhash.xxh3_64_intdigest(_encode(rows)))


def read_marks(connection: sqlite3.Connection) -> Marks:
    return dict(zip(_MARKED, connection.execute(f"SELECT {_MARKS}").fetchone(), strict=True))


def write_sums(
    connection: sqlite3.Connection,
    marks: Marks,
    urls: Sequence[Row],
    saved: Mapping[str, bytes],
    touched: Iterable[Touched],
) -> None:
    """Inside the transaction whose rows they are of, after all of them were written. `urls` and
    `saved` are rows as they were written; what else was added is found by the marks."""
    if urls:
        connection.execute(_PUT, _url_sum(urls))
    # Texts and bytes come back as they were given: reading them would take three times as long.
    rows = [_with_text_key((0, key, value)) for key, value in saved.items()]
    connection.executemany(_PUT, [("saved", row[0], row[0], sum_of([row])) for row in rows])
    grown = {name for name, last in read_marks(connection).items() if last > marks[name]}
    for kind in _GROWING:
        summed = SUMMED[kind]
        if summed.table in grown:
            _sum(connection, kind, f"{summed.key} > ?", (marks[summed.table],))
    for kind, claim, values in touched:
        _sum(connection, kind, claim, values)


def forget_passed(connection: sqlite3.Connection) -> None:
    """What was passed over waits again: its visits are deleted."""
    connection.execute("DELETE FROM sums WHERE kind = 'passed'")


def sum_model(connection: sqlite3.Connection, upto: int) -> None:
    """A new model replaces the one before it, and the lessons in it are gone."""
    connection.execute("DELETE FROM sums WHERE kind = 'models'")
    _sum(connection, "models", "true", ())
    cut = connection.execute(
        "SELECT max(last) FROM sums WHERE kind = 'lessons' AND first <= ? AND last > ?",
        (upto, upto),
    ).fetchone()[0]
    connection.execute("DELETE FROM sums WHERE kind = 'lessons' AND first <= ?", (upto,))
    if cut is not None:
        _sum(connection, "lessons", "id <= ?", (cut,))


def count_sightings(connection: sqlite3.Connection, more: int) -> None:
    connection.execute("UPDATE sums SET sum = sum + ? WHERE kind = ?", (more, SIGHTINGS))


def sum_rows(connection: sqlite3.Connection, kind: str, first: int, last: int) -> None:
    """Sum the rows of an inbox that changed; a file of an older format is left as it is."""
    if has_sums(connection):
        _sum(connection, kind, "id BETWEEN ? AND ?", (first, last))


def sum_everything(connection: sqlite3.Connection) -> None:
    """The sums of a file that was written as a whole, inside a transaction."""
    connection.execute("DELETE FROM sums")
    connection.execute(
        "INSERT INTO sums SELECT ?, 0, 0, coalesce(sum(sightings), 0) FROM forms", (SIGHTINGS,)
    )
    for kind, summed in SUMMED.items():
        rows = keyed_rows(connection, kind)
        size = ROWS_A_SUM if summed.is_range else 1
        while chunk := [row for _, row in zip(range(size), rows, strict=False)]:
            connection.execute(_PUT, (kind, chunk[0][0], chunk[-1][0], sum_of(chunk)))


def keyed_rows(connection: sqlite3.Connection, kind: str) -> Iterator[Row]:
    """All rows of a kind, each with its key first, by rising key."""
    rows = connection.execute(SUMMED[kind].query())
    if kind != "saved":
        return rows
    return iter(sorted(map(_with_text_key, rows)))


def read_sums(connection: sqlite3.Connection, kind: str) -> list[Sum]:
    query = "SELECT first, last, sum FROM sums WHERE kind = ? ORDER BY first"
    return connection.execute(query, (kind,)).fetchall()


def _sum(connection: sqlite3.Connection, kind: str, claim: str, values: tuple[Any, ...]) -> None:
    rows = connection.execute(SUMMED[kind].query(claim), values).fetchall()
    if kind == "saved":
        rows = [_with_text_key(row) for row in rows]
    if not rows:
        return
    if SUMMED[kind].is_range:
        connection.execute(_PUT, (kind, rows[0][0], rows[-1][0], sum_of(rows)))
    else:
        connection.executemany(_PUT, [(kind, row[0], row[0], sum_of([row])) for row in rows])


def _url_sum(rows: Sequence[Row]) -> Row:
    """Of rows as they are given to SQLite, which keeps scores as floats, and NaN as NULL: reading
    them back would take longer than all the rest."""
    kept = [
        row
        if isinstance(score := row[_SCORE_AT], float) and score == score
        else (*row[:_SCORE_AT], None if score != score else float(score), *row[_SCORE_AT + 1 :])
        for row in rows
    ]
    return ("urls", rows[0][0], rows[-1][0], sum_of(kept))


def _with_text_key(row: Row) -> Row:
    """Rows of `saved` have no number that VACUUM would leave alone: the text's hash is one."""
    _, key, value = row
    text = key if isinstance(key, bytes) else str(key).encode("utf-8", "replace")
    return (to_signed(xxhash.xxh3_64_intdigest(text)), key, value)
