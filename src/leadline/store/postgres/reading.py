"""What a store in PostgreSQL says when asked."""
# ruff: noqa: S608 - the only words put into queries are column lists of store.rows

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import lru_cache
from itertools import count
from typing import Any

from psycopg import RawCursor, RawServerCursor

from leadline.core.crawl import Candidate, CandidateId, Counts, SiteState, Waiting
from leadline.core.url import Site, Url, is_home_page, site_of
from leadline.frontier.ranks import SCORE_BITS
from leadline.frontier.sieve import text_hash
from leadline.store.address import shown
from leadline.store.index import counts_of
from leadline.store.postgres.connecting import Connection, connect, translated
from leadline.store.postgres.counting import read_sums, read_totals
from leadline.store.postgres.schema import check_version
from leadline.store.reading import PAGE_ROWS, Reader
from leadline.store.rows import STATE_COLUMNS, URL_COLUMNS, Row, candidate_of, signed, state_of

_LINKS_ELSEWHERE = (
    "SELECT parent.url FROM urls AS link JOIN urls AS parent ON parent.id = link.parent"
    " WHERE link.site = (SELECT id FROM names WHERE site = ?) AND link.depth = 0"
    " AND link.parent IS NOT NULL AND parent.site <> link.site ORDER BY link.id"
)
_SITE_STATE = (
    f"SELECT {STATE_COLUMNS} FROM site_states WHERE id = (SELECT id FROM names WHERE site = ?)"
)
_OF_URL = "((t.hash = ?1 AND t.skip = '') OR (t.hash = ?1 AND t.skip <> '')) AND t.url = ?2"
_LINKS_HERE = (
    "SELECT parent.url FROM urls AS t JOIN urls AS parent ON parent.id = t.parent"
    f" WHERE {_OF_URL} ORDER BY t.id"
)
_FIND = (
    f"SELECT {URL_COLUMNS}, (SELECT site FROM sites AS s WHERE s.id = t.site) FROM urls AS t"
    f" WHERE {_OF_URL} ORDER BY t.id DESC LIMIT 1"
)
_KNOWS = (
    "SELECT EXISTS (SELECT FROM urls AS t WHERE t.hash = ?1 AND t.url = ?2)"
    " OR EXISTS (SELECT FROM ends WHERE hash = ?1)"
)
_WAITING = "FROM waiting JOIN sites ON sites.id = waiting.site WHERE closed = ''"


class PostgresReader(Reader):
    """Read access to the tables of a database. A connection that broke is made anew."""

    path: str

    def __init__(self, url: str) -> None:
        self._url = url
        self.path = shown(url)
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._url, is_bounded=False, name="leadline reading")
        return self._connection

    def find(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        rows = self.all(_FIND, signed(text_hash(url)), url)
        return (rows[0][0], candidate_of(rows[0][:-1], rows[0][-1])) if rows else None

    def linking(self, target: Url, limit: int) -> list[Url]:
        if is_home_page(target):
            rows = self.rows(_LINKS_ELSEWHERE, site_of(target))
        else:
            rows = iter(self.all(_LINKS_HERE, signed(text_hash(target)), target))
        found: dict[Url, None] = {}
        for (url,) in rows:
            if len(found) >= limit:
                break
            found[url] = None
        return list(found)

    def site(self, site: Site) -> SiteState:
        rows = self.all(_SITE_STATE, site)
        return state_of(rows[0], site) if rows else SiteState(site)

    def knows(self, url: Url) -> bool:
        return bool(self.all(_KNOWS, signed(text_hash(url)), url)[0][0])

    def counts(self) -> Counts:
        with translated(self._url):
            sums = read_sums(self.connection)
            totals = read_totals(self.connection)
        return counts_of(totals, sites=sums.visited, known=sums.known, waiting=sums.waiting)

    def waiting(self) -> Waiting:
        tiers = self.all(f"SELECT rank >> {SCORE_BITS}, count(*) {_WAITING} GROUP BY 1")
        sites = self.all(f"SELECT count(DISTINCT waiting.site) {_WAITING}")
        return Waiting(dict(tiers), sites[0][0])

    def all(self, query: str, *values: object) -> list[Row]:
        with translated(self._url), RawCursor(self.connection) as cursor:
            return cursor.execute(numbered(query), _sent(values)).fetchall()

    def rows(self, query: str, *values: object) -> Iterator[Row]:
        """On a connection of its own: whoever gets them may ask other things between two."""
        with (
            translated(self._url),
            closing(connect(self._url, is_bounded=False, name="leadline streaming")) as connection,
            connection.transaction(),
            RawServerCursor(connection, "rows") as cursor,
        ):
            cursor.itersize = PAGE_ROWS
            cursor.execute(numbered(query), _sent(values))
            yield from cursor

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


@lru_cache(maxsize=256)
def numbered(query: str) -> str:
    """A query with `?` or `?1` for values as PostgreSQL wants it: with `$1`."""
    if re.search(r"\?\d", query):
        return re.sub(r"\?(\d)", r"$\1", query)
    numbers = count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", query)


def _sent(values: tuple[object, ...]) -> list[Any]:
    return list(values)


def checked_reader(url: str) -> PostgresReader:
    """A reader of a database whose tables this version knows. Raises StoreError."""
    with ExitStack() as unless_known:
        reader = PostgresReader(url)
        unless_known.callback(reader.close)
        check_version(reader.connection, url)
        unless_known.pop_all()
    return reader
