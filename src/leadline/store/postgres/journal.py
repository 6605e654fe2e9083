"""The journal of one process that has a PostgreSQL database alone: what it writes and recovers."""

from collections.abc import Iterable, Sequence
from contextlib import ExitStack

import numpy as np
import psycopg

from leadline.core.crawl import LIKELY, JudgedForm, SiteState
from leadline.errors import StoreError
from leadline.frontier import Frontier, SeenUrls
from leadline.frontier.links import Ids, LinkColumns
from leadline.frontier.ranks import Ranks
from leadline.store.address import mask_password
from leadline.store.batch import Batch
from leadline.store.harvests.tables import TableHarvests, WrittenHarvests
from leadline.store.index import PASSED_OVER, SKIPPED, Arrival, CrawlIndex, digest_keys
from leadline.store.indexed import IndexedStore
from leadline.store.journal import WrittenJournal
from leadline.store.leases import StoreClock
from leadline.store.postgres.connection import (
    Connection,
    Copier,
    connect,
    one_row,
    read_integers,
    translate_errors,
)
from leadline.store.postgres.deliveries import (
    TALLY,
    URL_COLUMNS,
    VISIT_COLUMNS,
    WAITING_COLUMNS,
    count_outcomes,
    ends_of,
    state_cells,
    url_row,
)
from leadline.store.postgres.harvests import write_harvests
from leadline.store.postgres.inbox import PostgresInbox
from leadline.store.postgres.links import ALONE, rank_columns, wait_again
from leadline.store.postgres.reader import PostgresReader, read_sums, read_totals
from leadline.store.postgres.schema import locked_error, migrate, try_lock
from leadline.store.postgres.store import SAVE
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    STATE_COLUMNS,
    Row,
    event_row,
    form_row,
    rejudged_row,
    state_of,
    to_signed,
    visit_row,
)
from leadline.store.writer import Writer

_STATES = """
    UPDATE sites SET pages = s.pages, forms = s.forms, searchable = s.searchable,
        errors = s.errors, errors_in_a_row = s.errors_in_a_row, delay_s = s.delay_s,
        closed = s.closed, ready_at = s.ready_at + (SELECT shift FROM clock), has_state = true,
        mark = nextval('marks')
    FROM unnest(%s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::float8[],
        %s::text[], %s::float8[]) AS s (id, pages, forms, searchable, errors, errors_in_a_row,
        delay_s, closed, ready_at)
    WHERE sites.id = s.id
"""
_RANKS = """
    UPDATE sites SET rank = s.rank, score = s.score, mark = nextval('marks')
    FROM unnest(%s::int[], %s::bigint[], %s::float8[]) AS s (id, rank, score)
    WHERE sites.id = s.id
"""
_RANKS_AGAIN = """
    UPDATE waiting SET rank = again.rank FROM again
    WHERE waiting.id = again.id AND waiting.rank <> again.rank
"""
_WORKER = """
    UPDATE workers SET known = known + %s, skipped = skipped + %s, forms = forms + %s,
        searchable = searchable + %s
    WHERE id = %s
"""


class BatchWriter:
    """Writes batches over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._copier = Copier(connection)

    def write(self, batch: Batch) -> None:
        """Write a batch, all or nothing."""
        with self._connection.transaction():
            # Seen by others before it takes any number: see catalogue.
            self._connection.execute("SELECT pg_current_xact_id()")
            self._write_urls(batch)
            self._write_visits(batch)
            self._write_forms(batch)
            self._write_sites(batch)
            self._many(SAVE, batch.saved.items())
            if batch.ranks is not None:
                self._rank_again(*batch.ranks)
            write_harvests(self._connection, self._copier, batch.harvests)

    def _write_urls(self, batch: Batch) -> None:
        arrivals = list(batch.arrivals.values())
        for table in ("sites", "names"):
            self._copy(table, "id, site", batch.sites)
        if not arrivals:
            return
        self._copy("urls", URL_COLUMNS, [_url_row(arrival) for arrival in arrivals])
        skipped = sum(arrival.rank == SKIPPED for arrival in arrivals)
        self._copy("waiting", WAITING_COLUMNS, _waiting_rows(arrivals))
        self._connection.execute("SELECT setval('url_ids', %s)", (arrivals[-1].id,))
        self._connection.execute(_WORKER, (len(arrivals), skipped, 0, 0, ALONE))

    def _write_visits(self, batch: Batch) -> None:
        if batch.is_reopening:
            wait_again(self._connection, self._copier)
        visits = [visit for visit, _ in batch.visits.values()]
        if not visits:
            return
        rows = [visit_row(visit, site) for visit, site in batch.visits.values()]
        self._copy("visits", VISIT_COLUMNS, rows)
        self._connection.execute("DELETE FROM waiting WHERE id = ANY(%s)", (list(batch.visits),))
        self._many("INSERT INTO ends VALUES (%s) ON CONFLICT DO NOTHING", ends_of(visits))
        self._many(TALLY, [(ALONE, *tally) for tally in count_outcomes(visits)])
        visited = {site for visit, site in batch.visits.values() if visit.outcome != PASSED_OVER}
        self._connection.execute(
            "UPDATE sites SET is_visited = true WHERE id = ANY(%s) AND NOT is_visited",
            (sorted(visited),),
        )

    def _write_forms(self, batch: Batch) -> None:
        self._copy("forms", FORM_COLUMNS, [form_row(*form) for form in batch.forms])
        self._many(
            "UPDATE forms SET sightings = sightings + %s WHERE signature = %s",
            [(times, signature) for signature, times in batch.sightings.items()],
        )
        self._many(
            "UPDATE forms SET relevant = %s, judged = %s WHERE signature = %s",
            [rejudged_row(judged) for judged in batch.rejudged.values()],
        )
        if batch.rejudged_change:
            self._connection.execute(_WORKER, (0, 0, batch.rejudged_change, 0, ALONE))
        self._copy("events", EVENT_COLUMNS, [event_row(event) for event in batch.events])
        if batch.forms:
            counted = likely(judged for judged, *_ in batch.forms)
            self._connection.execute(_WORKER, (0, 0, *counted, ALONE))

    def _write_sites(self, batch: Batch) -> None:
        if batch.states:
            self._connection.execute(_STATES, _state_columns(batch.states))
        if batch.site_ranks:
            self._connection.execute(_RANKS, rank_columns(batch.site_ranks))

    def _rank_again(self, ids: Ids, ranks: Ranks) -> None:
        self._connection.execute(
            "CREATE TEMP TABLE again (id bigint PRIMARY KEY, rank bigint) ON COMMIT DROP"
        )
        rows = zip(ids.tolist(), ranks.tolist(), strict=True)
        # A table of the same name had other types' numbers: it is dropped each time.
        Copier(self._connection).write("again", "id, rank", rows)
        self._connection.execute(_RANKS_AGAIN)

    def _copy(self, table: str, columns: str, rows: Sequence[Row]) -> None:
        if rows:
            self._copier.write(table, columns, rows)

    def _many(self, statement: str, rows: Iterable[Row]) -> None:
        values = list(rows)
        if values:
            with self._connection.cursor() as cursor:
                cursor.executemany(statement, values)


def likely(forms: Iterable[JudgedForm]) -> tuple[int, int]:
    """How many of the forms are relevant, and how many searchable."""
    relevant = searchable = 0
    for judged in forms:
        relevant += judged.relevant >= LIKELY
        searchable += judged.searchable >= LIKELY
    return relevant, searchable


def _state_columns(states: dict[int, SiteState]) -> list[list[object]]:
    rows = [(site, *state_cells(states[site]), states[site].ready_at) for site in sorted(states)]
    return [list(column) for column in zip(*rows, strict=True)]


def _url_row(arrival: Arrival) -> Row:
    return url_row(arrival.id, to_signed(arrival.hash), arrival.site, arrival.candidate)


def _waiting_rows(arrivals: Iterable[Arrival]) -> list[Row]:
    return [(a.id, a.rank, a.site, 0) for a in arrivals if a.rank != SKIPPED]


_WAITING = (
    "SELECT waiting.site, waiting.rank, waiting.id FROM waiting JOIN sites ON"
    " sites.id = waiting.site WHERE sites.closed = '' ORDER BY waiting.id"
)


def recover(connection: Connection, frontier: Frontier) -> CrawlIndex:
    """The index as it was when the last transaction was committed."""
    index = CrawlIndex(frontier)
    _recover_sites(connection, index)
    (wanted,) = read_integers(connection, "SELECT hash FROM urls WHERE skip = ''", ["i8"])
    (ends,) = read_integers(connection, "SELECT hash FROM ends", ["i8"])
    (skipped,) = read_integers(connection, "SELECT hash FROM urls WHERE skip <> ''", ["i8"])
    index.seen_urls = SeenUrls(np.concatenate([wanted, ends]).view(np.uint64))
    index.skips = SeenUrls(skipped.view(np.uint64))
    digests = "SELECT site, digest FROM visits WHERE digest <> 0"
    index.digests = SeenUrls(digest_keys(*read_integers(connection, digests, ["i4", "i8"])))
    rows = connection.execute("SELECT signature FROM forms").fetchall()
    index.signatures = {signature for (signature,) in rows}
    index.totals = read_totals(connection)
    (last,) = one_row(connection, "SELECT coalesce(max(id), 0) FROM urls")
    index.begin_at(last, read_sums(connection).known)
    frontier.fill(waiting_links(connection))
    return index


def waiting_links(connection: Connection) -> LinkColumns:
    """Candidates neither visited nor skipped, on open sites."""
    sites, ranks, ids = read_integers(connection, _WAITING, ["i4", "i8", "i8"])
    return LinkColumns(sites.astype(np.int32), ranks, ids)


def _recover_sites(connection: Connection, index: CrawlIndex) -> None:
    frontier = index.frontier
    query = "SELECT id, site, rank, is_visited FROM sites ORDER BY id"
    for number, site, rank, is_visited in connection.execute(query):
        if frontier.number(site) != number:
            raise StoreError(f"the store is damaged: site {number} ({site}) is out of order")
        if rank is not None:
            frontier.rank(number, rank)
        if is_visited:
            index.visited.add(number)
    query = f"SELECT id, site, {STATE_COLUMNS} FROM site_states ORDER BY id"  # noqa: S608
    for number, site, *columns in connection.execute(query):
        state = index.states[site] = state_of(tuple(columns), site)
        frontier.rest(number, state.ready_at)
        if state.closed:
            frontier.close(number)


class PostgresJournal(WrittenJournal):
    """Batches go to the database a quarter of a second later."""

    def __init__(self, writer: Writer, reader: PostgresReader, url: str) -> None:
        super().__init__(writer, reader)
        self._connection = reader.connection
        self._url = url

    def waiting_links(self) -> LinkColumns:
        with translate_errors(self._url):
            return waiting_links(self._connection)


class AlonePostgresStore(IndexedStore):
    """A database that one process writes: it holds a lock as long as its connection lives."""

    def __init__(
        self,
        url: str,
        width: int = 0,
        memory_links: int | None = None,
        clock: StoreClock | None = None,
    ) -> None:
        with translate_errors(url), ExitStack() as undo:
            connection = connect(url, is_bounded=False, name="leadline writing")
            undo.callback(connection.close)
            if not try_lock(connection, is_shared=False):
                raise locked_error(url)
            migrate(connection, url)
            connection.execute("UPDATE run SET is_sorted = false")
            reader = PostgresReader(url)
            undo.callback(reader.close)
            writer = Writer(BatchWriter(connection).write, mask_password(url), (psycopg.Error,))
            undo.callback(writer.close)
            journal = PostgresJournal(writer, reader, url)
            frontier = Frontier(width, memory_links, journal.features)
            journal.index = recover(reader.connection, frontier)
            super().__init__(journal.index, journal, clock or StoreClock(), undo.pop_all())
            self.harvests = WrittenHarvests(writer, TableHarvests(reader))
            self.inbox = PostgresInbox(url)
