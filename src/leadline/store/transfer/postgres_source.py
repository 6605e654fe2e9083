"""Databases to carry stores away from."""
# ruff: noqa: S608 - the only words put into queries are names of our own

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
from psycopg import IsolationLevel
from psycopg.rows import tuple_row

from leadline.frontier.ranks import SCORE_BITS, rank_of
from leadline.store.index import SKIPPED
from leadline.store.postgres.connection import connect, one_row, read_integers, translated
from leadline.store.postgres.schema import check_version, locked_error, try_lock
from leadline.store.reading import PAGE_ROWS
from leadline.store.rows import STATE_COLUMNS, URL_COLUMNS, Row
from leadline.store.transfer.tables import (
    COLUMNS,
    FORMS,
    PLAIN,
    SITE_RANKS,
    SITES,
    STATES,
    URLS,
    VISITS,
)

_SPECIAL = {
    SITES: "SELECT id, site FROM sites ORDER BY id",
    STATES: f"SELECT id, {STATE_COLUMNS} FROM site_states ORDER BY id",
    SITE_RANKS: f"SELECT id, (rank >> {SCORE_BITS})::integer, score FROM sites"
    " WHERE rank IS NOT NULL ORDER BY id",
    URLS: f"SELECT w.rank, {', '.join(f'u.{name}' for name in URL_COLUMNS.split(', '))}"
    " FROM urls AS u LEFT JOIN waiting AS w ON w.id = u.id ORDER BY u.id",
}


class PostgresSource:
    """One moment of a database that nobody writes."""

    def __init__(self, url: str) -> None:
        self._url = url
        with translated(url), ExitStack() as undo:
            self._connection = connect(url, is_bounded=False, name="leadline copying")
            undo.callback(self._connection.close)
            check_version(self._connection, url)
            if not try_lock(self._connection, is_shared=False):
                raise locked_error(url)
            self._connection.isolation_level = IsolationLevel.REPEATABLE_READ
            undo.enter_context(self._connection.transaction(force_rollback=True))
            (self._ids,) = read_integers(
                self._connection, "SELECT id FROM urls ORDER BY id", ["i8"]
            )
            self._closing = undo.pop_all()

    def rows(self, table: str) -> Iterator[Row]:
        query = _SPECIAL.get(table) or (
            f"SELECT {COLUMNS[table]} FROM {table} ORDER BY {PLAIN[table]}"
        )
        with translated(self._url), self._connection.cursor(table, row_factory=tuple_row) as cursor:
            cursor.itersize = PAGE_ROWS
            cursor.execute(query)
            yield from map(self._dense(table), cursor)

    def count(self, table: str) -> int:
        with translated(self._url):
            query = _SPECIAL.get(table, f"SELECT * FROM {table}")
            return int(one_row(self._connection, f"SELECT count(*) FROM ({query}) AS t")[0])

    def close(self) -> None:
        self._closing.close()

    def _dense(self, table: str) -> Any:
        """Rows with candidates numbered without gaps."""
        if table == URLS:
            return self._url_row
        if table == VISITS:
            return lambda row: (row[0], self._number(row[1]), *row[2:])
        if table == FORMS:
            return lambda row: (*row[:3], self._number(row[3]), *row[4:])
        return lambda row: row

    def _url_row(self, row: Row) -> Row:
        rank, number, url, site, tier, score, why, depth, parent, *rest, skip = row
        if rank is None:
            rank = SKIPPED if skip else rank_of(tier, score)
        parent = None if parent is None else self._number(parent)
        place = site, tier, score, why, depth, parent
        return (rank, self._number(number), url, *place, *rest, skip)

    def _number(self, number: int) -> int:
        return int(np.searchsorted(self._ids, number)) + 1
