"""A PostgreSQL database as the source or the sink of a store that is carried."""
# ruff: noqa: S608 - the only words put into queries are names of our own

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import islice
from typing import Any

import numpy as np
from psycopg import IsolationLevel
from psycopg.rows import tuple_row

from leadline.core.crawl import LIKELY
from leadline.errors import ConfigError
from leadline.frontier.ranks import SCORE_BITS, rank_of
from leadline.frontier.seen_urls import text_hash
from leadline.store.address import mask_password
from leadline.store.index import PASSED_OVER, SKIPPED
from leadline.store.postgres.connection import (
    Connection,
    Copier,
    connect,
    one_row,
    read_integers,
    translate_errors,
)
from leadline.store.postgres.deliveries import URL_COLUMNS as TABLE_COLUMNS
from leadline.store.postgres.deliveries import WAITING_COLUMNS
from leadline.store.postgres.links import ALONE
from leadline.store.postgres.schema import check_version, locked_error, migrate, try_lock
from leadline.store.reading import PAGE_ROWS
from leadline.store.rows import STATE_COLUMNS, URL_COLUMNS, Row, score_of, to_signed
from leadline.store.transfer.sqlite import (
    COLUMNS,
    FORMS,
    PLAIN,
    SITE_RANKS,
    SITES,
    STATES,
    URLS,
    VISITS,
)

ROWS_A_CHUNK = 10_000
_VISIT_END = COLUMNS[VISITS].split(", ").index("final_url")
_FLOAT8 = 701
"""PostgreSQL's number for the type."""

_STAGES = f"""
    CREATE TEMP TABLE states ON COMMIT DROP AS
        SELECT id AS site, {STATE_COLUMNS} FROM sites LIMIT 0;
    CREATE TEMP TABLE site_ranks ON COMMIT DROP AS
        SELECT id AS site, rank, score FROM sites LIMIT 0
"""
_SET_STATES = f"""
    UPDATE sites SET ({STATE_COLUMNS}) =
        ({", ".join(f"s.{name}" for name in STATE_COLUMNS.split(", "))}), has_state = true
    FROM states AS s WHERE sites.id = s.site
"""
_SET_RANKS = """
    UPDATE sites SET rank = r.rank, score = r.score FROM site_ranks AS r WHERE sites.id = r.site
"""
_SUMS = (
    "INSERT INTO names SELECT site, id FROM sites",
    f"INSERT INTO tallies SELECT {ALONE}, outcome, count(*), sum(requests), sum(size_bytes)"
    " FROM visits GROUP BY outcome",
    "UPDATE sites SET is_visited = true WHERE id IN"
    f" (SELECT site FROM visits WHERE outcome <> '{PASSED_OVER}')",
    f"""
    UPDATE workers SET known = (SELECT count(*) FROM urls),
        skipped = (SELECT count(*) FROM urls WHERE skip <> ''),
        forms = (SELECT count(*) FROM forms WHERE relevant >= {LIKELY} AND relevant <> 'NaN'),
        searchable = (SELECT count(*) FROM forms AS f
            WHERE f.searchable >= {LIKELY} AND f.searchable <> 'NaN')
    WHERE id = {ALONE}
    """,
    "UPDATE sites SET mark = nextval('marks') WHERE has_state OR rank IS NOT NULL",
    "UPDATE run SET is_sorted = false",
    "SELECT setval('url_ids', (SELECT coalesce(max(id), 0) + 1 FROM urls), false)",
)
_NUMBERED = {
    "visits": "seq",
    "forms": "id",
    "events": "id",
    "harvests": "id",
    "result_pages": "seq",
    "records": "id",
    "orders": "id",
    "labels": "id",
}


class PostgresSink:
    """One transaction: nobody sees anything of it before it is finished."""

    def __init__(self, url: str) -> None:
        self._url = url
        with translate_errors(url), ExitStack() as undo:
            self._connection = connect(url, is_bounded=False, name="leadline copying")
            undo.callback(self._connection.close)
            if not try_lock(self._connection, is_shared=False):
                raise locked_error(url)
            migrate(self._connection, url)
            _check_empty(self._connection, url)
            self._connection.execute("BEGIN")
            self._connection.execute(_STAGES)
            self._copier = Copier(self._connection)
            undo.pop_all()

    def write(self, table: str, rows: Iterator[Row]) -> int:
        count, take = 0, self._takers().get(table, self._take)
        with translate_errors(self._url):
            while chunk := list(islice(rows, ROWS_A_CHUNK)):
                take(table, chunk)
                count += len(chunk)
        return count

    def count(self, table: str) -> int:
        columns = {STATES: "has_state", SITE_RANKS: "rank IS NOT NULL"}
        where = columns.get(table, "true")
        name = SITES if table in columns else table
        with translate_errors(self._url):
            query = f"SELECT count(*) FROM {name} WHERE {where}"
            return int(one_row(self._connection, query)[0])

    def finish(self) -> None:
        with translate_errors(self._url):
            for statement in _SUMS:
                self._connection.execute(statement)
            for table, column in _NUMBERED.items():
                self._connection.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'),"
                    f" (SELECT coalesce(max({column}), 0) + 1 FROM {table}), false)"
                )
            self._connection.execute("COMMIT")
            self._connection.execute("ANALYZE")
        self._connection.close()

    def close(self) -> None:
        """Without `finish` the connection ends in the middle of its transaction."""
        self._connection.close()

    def _takers(self) -> dict[str, Callable[[str, list[Row]], None]]:
        return {
            STATES: self._take_states,
            SITE_RANKS: self._take_ranks,
            URLS: self._take_urls,
            VISITS: self._take_visits,
        }

    def _take(self, table: str, chunk: list[Row]) -> None:
        columns = COLUMNS[table]
        at = self._floats(table, columns)
        self._copier.write(table, columns, (_with_nan(row, at) for row in chunk))

    def _take_states(self, table: str, chunk: list[Row]) -> None:
        self._copier.write(table, COLUMNS[STATES], chunk)
        self._connection.execute(_SET_STATES)
        self._connection.execute("TRUNCATE states")

    def _take_ranks(self, table: str, chunk: list[Row]) -> None:
        rows = [(s, rank_of(tier, score_of(score)), score_of(score)) for s, tier, score in chunk]
        self._copier.write(table, "site, rank, score", rows)
        self._connection.execute(_SET_RANKS)
        self._connection.execute("TRUNCATE site_ranks")

    def _take_urls(self, _: str, chunk: list[Row]) -> None:
        self._copier.write("urls", TABLE_COLUMNS, map(_url_row, chunk))
        waiting = [(row[1], row[0], row[3], 0) for row in chunk if row[0] != SKIPPED]
        self._copier.write("waiting", WAITING_COLUMNS, waiting)

    def _take_visits(self, table: str, chunk: list[Row]) -> None:
        self._take(table, chunk)
        ends = {
            to_signed(text_hash(row[_VISIT_END])) for row in chunk if row[_VISIT_END] is not None
        }
        self._connection.execute(
            "INSERT INTO ends SELECT unnest(%s::bigint[]) ON CONFLICT DO NOTHING", (sorted(ends),)
        )
        self._connection.execute(
            "DELETE FROM waiting WHERE id = ANY(%s)", ([row[1] for row in chunk],)
        )

    def _floats(self, table: str, columns: str) -> frozenset[int]:
        """Where a number must stand: SQLite keeps one that is none as NULL."""
        query = (
            "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND atttypid = %s"
            " AND attnotnull"
        )
        names = {name for (name,) in self._connection.execute(query, (table, _FLOAT8))}
        return frozenset(at for at, name in enumerate(columns.split(", ")) if name in names)


def _check_empty(connection: Connection, url: str) -> None:
    for table in ("urls", "sites", "events", "saved", "harvests", "orders", "labels"):
        if one_row(connection, f"SELECT EXISTS (SELECT FROM {table})")[0]:
            raise ConfigError(
                f"{mask_password(url)} holds a store already: name an empty database"
                " (createdb makes one)"
            )


def _url_row(row: Row) -> Row:
    _, number, url, site, tier, score, why, depth, parent, *rest = row
    place = site, tier, score_of(score), parent, depth, url, why
    return (number, to_signed(text_hash(url)), *place, *rest)


def _with_nan(row: Row, at: frozenset[int]) -> Row:
    if not any(row[place] is None for place in at):
        return row
    return tuple(math.nan if cell is None and n in at else cell for n, cell in enumerate(row))


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
        with translate_errors(url), ExitStack() as undo:
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
        with (
            translate_errors(self._url),
            self._connection.cursor(table, row_factory=tuple_row) as cursor,
        ):
            cursor.itersize = PAGE_ROWS
            cursor.execute(query)
            yield from map(self._dense(table), cursor)

    def count(self, table: str) -> int:
        with translate_errors(self._url):
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
