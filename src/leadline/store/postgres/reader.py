"""What a store in PostgreSQL says when asked: everything, its sums, and what is known of pages."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

from msgspec.structs import replace
from psycopg import RawCursor, RawServerCursor

from leadline.core.crawl import Budget, Candidate, CandidateId, Counts, SiteState, Waiting
from leadline.core.store import NEVER, STOPPED, STOPPING, RunState
from leadline.core.url import Site, Url, is_home_page, site_of
from leadline.frontier.ranks import SCORE_BITS
from leadline.frontier.seen_urls import text_hash, text_hashes
from leadline.store.address import mask_password
from leadline.store.index import Totals, counts_of
from leadline.store.postgres.connection import (
    Connection,
    connect,
    one_row,
    storable,
    translate_errors,
)
from leadline.store.postgres.schema import LEASED, check_version
from leadline.store.postgres.session import Session, SiteNumbers
from leadline.store.reading import PAGE_ROWS, Reader
from leadline.store.rows import STATE_COLUMNS, URL_COLUMNS, Row, candidate_of, state_of, to_signed

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


class PostgresReader(Reader):
    """Read access to the tables of a database. A connection that broke is made anew."""

    place: str

    def __init__(self, url: str) -> None:
        self._url = url
        self.place = mask_password(url)
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._url, is_bounded=False, name="leadline reading")
        return self._connection

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        rows = self.all(_FIND, to_signed(text_hash(url)), url)
        return (rows[0][0], candidate_of(rows[0][:-1], rows[0][-1])) if rows else None

    def backlinks(self, target: Url, limit: int) -> list[Url]:
        if is_home_page(target):
            rows = self.rows(_LINKS_ELSEWHERE, site_of(target))
        else:
            rows = iter(self.all(_LINKS_HERE, to_signed(text_hash(target)), target))
        found: dict[Url, None] = {}
        for (url,) in rows:
            if len(found) >= limit:
                break
            found[url] = None
        return list(found)

    def site(self, site: Site) -> SiteState:
        rows = self.all(_SITE_STATE, site)
        return state_of(rows[0], site) if rows else SiteState(site)

    def _knows(self, url: Url) -> bool:
        return bool(self.all(_KNOWS, to_signed(text_hash(url)), url)[0][0])

    def run(self) -> RunState:
        """Of many workers, or of a process that has the store alone: the later one."""
        with translate_errors(self._url):
            shared = read_run(self.connection)
            (out,) = one_row(self.connection, "SELECT coalesce(sum(out), 0) FROM workers")
        if shared.state == STOPPED and out:
            shared = replace(shared, state=STOPPING)
        alone = super().run()
        return alone if alone.since > shared.since else shared

    def counts(self) -> Counts:
        with translate_errors(self._url):
            sums = read_sums(self.connection)
            totals = read_totals(self.connection)
        return counts_of(totals, sites=sums.visited, known=sums.known, waiting=sums.waiting)

    def count_waiting(self) -> Waiting:
        with translate_errors(self._url):
            return read_waiting(self.connection)

    def all(self, query: str, *values: object) -> list[Row]:
        with translate_errors(self._url), RawCursor(self.connection) as cursor:
            return cursor.execute(number_placeholders(query), _as_list(values)).fetchall()

    def rows(self, query: str, *values: object) -> Iterator[Row]:
        """On a connection of its own: whoever gets them may ask other things between two."""
        with (
            translate_errors(self._url),
            closing(connect(self._url, is_bounded=False, name="leadline streaming")) as connection,
            connection.transaction(),
            RawServerCursor(connection, "rows") as cursor,
        ):
            cursor.itersize = PAGE_ROWS
            cursor.execute(number_placeholders(query), _as_list(values))
            yield from cursor

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()


@lru_cache(maxsize=256)
def number_placeholders(query: str) -> str:
    """A query with `?` or `?1` for values as PostgreSQL wants it: with `$1`."""
    if re.search(r"\?\d", query):
        return re.sub(r"\?(\d)", r"$\1", query)
    numbers = count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", query)


def _as_list(values: tuple[object, ...]) -> list[Any]:
    return list(values)


def checked_reader(url: str) -> PostgresReader:
    """A reader of a database whose tables this version knows. Raises StoreError."""
    with ExitStack() as unless_known:
        reader = PostgresReader(url)
        unless_known.callback(reader.close)
        check_version(reader.connection, url)
        unless_known.pop_all()
    return reader


_SUMS = """
    SELECT coalesce(sum(known), 0)::bigint, coalesce(sum(skipped), 0)::bigint,
        coalesce(sum(forms), 0)::bigint, coalesce(sum(searchable), 0)::bigint,
        coalesce((SELECT sum(visits) FROM tallies), 0)::bigint,
        (SELECT count(*) FROM waiting JOIN sites ON sites.id = waiting.site WHERE closed <> '')
    FROM workers
"""
_SITES = "SELECT count(*) FILTER (WHERE is_visited), count(*) FILTER (WHERE forms > 0) FROM sites"
_MOST = 1_000_000
"""Rows of `waiting` that are counted one by one; of more a part is."""
_ROW_BYTES = 52
"""Of `waiting`, as measured."""
_SIZE = "SELECT pg_relation_size('waiting')"
_TIERS = f"""
    SELECT waiting.rank >> {SCORE_BITS}, count(*) FROM waiting TABLESAMPLE SYSTEM (%s)
        JOIN sites ON sites.id = waiting.site WHERE closed = '' GROUP BY 1
"""
_FREE = f"""
    SELECT count(*) FROM sites WHERE closed = '' AND phase <> {LEASED}
        AND EXISTS (SELECT FROM waiting WHERE waiting.site = sites.id)
"""
_TALLIES = """
    SELECT outcome, sum(visits)::bigint, sum(requests)::bigint, sum(size_bytes)::bigint
    FROM tallies GROUP BY outcome HAVING sum(visits) > 0 ORDER BY outcome
"""


class StoreSums(NamedTuple):
    known: int
    skipped: int
    forms: int
    searchable: int
    waiting: int
    """On open sites."""
    visited: int
    """Sites."""
    deep_sites: int


def read_run(connection: Connection) -> RunState:
    """The run that workers share."""
    state, since, reason, *limits, number = one_row(
        connection, "SELECT state, since, reason, pages, seconds, bytes, forms, number FROM run"
    )
    return RunState(state if number else NEVER, since, reason, Budget(*limits), number)


def read_sums(connection: Connection) -> StoreSums:
    known, skipped, forms, searchable, visits, on_closed = one_row(connection, _SUMS)
    visited, deep = one_row(connection, _SITES)
    waiting = known - skipped - visits - on_closed
    return StoreSums(known, skipped, forms, searchable, waiting, visited, deep)


def read_waiting(connection: Connection) -> Waiting:
    """Of a database that is shared: sites are sorted into their phases."""
    (size_bytes,) = one_row(connection, _SIZE)
    share = min(1.0, _MOST * _ROW_BYTES / max(1, size_bytes))
    rows = connection.execute(_TIERS, (100 * share,)).fetchall()
    tiers = {tier: round(count / share) for tier, count in rows}
    return Waiting(tiers, one_row(connection, _FREE)[0])


def read_totals(connection: Connection) -> Totals:
    sums = read_sums(connection)
    rows = connection.execute(_TALLIES).fetchall()
    return Totals(
        requests=sum(row[2] for row in rows),
        size_bytes=sum(row[3] for row in rows),
        forms=sums.forms,
        searchable=sums.searchable,
        deep_sites=sums.deep_sites,
        skipped=sums.skipped,
        outcomes=Counter({row[0]: row[1] for row in rows}),
    )


_KNOWN = """
    SELECT EXISTS (SELECT FROM urls WHERE urls.hash = a.hash AND skip = '' AND urls.url = a.url)
        OR EXISTS (SELECT FROM ends WHERE ends.hash = a.hash)
    FROM unnest(%s::bigint[], %s::text[]) WITH ORDINALITY AS a (hash, url, place) ORDER BY place
"""
_HAS_FORMS = "SELECT signature FROM forms WHERE signature = ANY(%s)"
_HAS_DIGESTS = """
    SELECT EXISTS (SELECT FROM visits WHERE visits.digest = a.digest AND visits.digest <> 0
        AND visits.site = a.site)
    FROM unnest(%s::bigint[], %s::integer[]) WITH ORDINALITY AS a (digest, site, place)
    ORDER BY place
"""
_PATH = """
    WITH RECURSIVE steps (id, parent, place) AS (
        SELECT id, parent, 1 FROM urls WHERE id = %s
        UNION ALL
        SELECT urls.id, urls.parent, place + 1 FROM steps JOIN urls ON urls.id = steps.parent
        WHERE (place < %s) IS NOT FALSE AND steps.parent < steps.id
    )
    SELECT {} , sites.site FROM steps JOIN urls AS u ON u.id = steps.id
        JOIN sites ON sites.id = u.site ORDER BY place DESC
""".format(", ".join(f"u.{name}" for name in URL_COLUMNS.split(", ")))


class PostgresPages:
    """Keeps the guarantees of `PageIndex`."""

    def __init__(self, session: Session, numbers: SiteNumbers, reader: PostgresReader) -> None:
        self._session = session
        self._numbers = numbers
        self._reader = reader

    def are_known(self, urls: Sequence[Url]) -> list[bool]:
        hashes = [to_signed(key) for key in text_hashes(urls)]
        with self._session.hold_connection() as connection:
            rows = connection.execute(_KNOWN, (hashes, list(storable(tuple(urls)))))
            return [is_known for (is_known,) in rows]

    def have_forms(self, signatures: Sequence[str]) -> list[bool]:
        with self._session.hold_connection() as connection:
            rows = connection.execute(_HAS_FORMS, (list(signatures),))
            met = {signature for (signature,) in rows}
        return [signature in met for signature in signatures]

    def have_digests(self, texts: Sequence[tuple[Site, int]]) -> list[bool]:
        with self._session.hold_connection() as connection:
            numbers = self._numbers.known_sites(connection, {site for site, _ in texts})
            digests = [to_signed(digest) for _, digest in texts]
            sites = [numbers.get(site, -1) for site, _ in texts]
            return [has for (has,) in connection.execute(_HAS_DIGESTS, (digests, sites))]

    def path(self, visit: CandidateId, length: int | None = None) -> list[Candidate]:
        if length is not None and length < 1:
            return []
        with self._session.hold_connection() as connection:
            rows = connection.execute(_PATH, (visit, length)).fetchall()
        return [candidate_of(row[:-1], row[-1]) for row in rows]

    def backlinks(self, target: Url, limit: int) -> list[Url]:
        return self._reader.backlinks(target, limit)
