"""The store in a PostgreSQL database, for many workers; and for who only looks at it."""
# ruff: noqa: S608 - only column lists of store.rows are put into queries

from collections.abc import Callable
from contextlib import closing
from functools import cached_property

from leadline.core.crawl import Event
from leadline.core.store import Claim, HarvestStore
from leadline.store.harvests.tables import TableHarvests
from leadline.store.leases import boottime
from leadline.store.postgres.connection import connect, storable, translate_errors
from leadline.store.postgres.harvests import SharedHarvests
from leadline.store.postgres.inbox import PostgresInbox
from leadline.store.postgres.links import PostgresLinks
from leadline.store.postgres.reader import PostgresPages, PostgresReader, checked_reader
from leadline.store.postgres.run import PostgresLearning, PostgresRun
from leadline.store.postgres.schema import is_locked, make_if_absent, version_of
from leadline.store.postgres.servers import PostgresServers
from leadline.store.postgres.session import Session, SiteNumbers, this_machine
from leadline.store.readonly import TableView
from leadline.store.rows import EVENT_COLUMNS, event_row

# Seen by others before it takes a number: see change_feed.
_NOTE = f"""
    WITH seen AS MATERIALIZED (SELECT pg_current_xact_id())
    INSERT INTO events ({EVENT_COLUMNS}) SELECT %s, %s, %s, %s FROM seen
"""
SAVE = "INSERT INTO saved VALUES (%s, %s) ON CONFLICT (key) DO UPDATE SET value = excluded.value"


class PostgresStore:
    """Keeps the guarantees of `Store` across the death of any process, the server's too. What a
    call changes is durable when it returns.

    `machine` and `boot` are this machine's name and CLOCK_BOOTTIME, `clock` the server's clock in
    SQL: only tests say other ones.
    """

    def __init__(
        self,
        url: str,
        machine: str | None = None,
        boot: Callable[[], float] = boottime,
        clock: str = "clock_timestamp()",
    ) -> None:
        self._session = Session(url, machine or this_machine(), boot, clock)
        numbers = SiteNumbers()
        self.reader = PostgresReader(url)
        self.links = PostgresLinks(self._session, numbers, self.reader)
        self.run = PostgresRun(self._session, numbers)
        self.pages = PostgresPages(self._session, numbers, self.reader)
        self.learning = PostgresLearning(self._session)
        self.inbox = PostgresInbox(url)
        self.servers = PostgresServers(self._session)

    @cached_property
    def harvests(self) -> HarvestStore:
        """Where several workers harvest, each needs a claim: see `claimed_harvests`."""
        return SharedHarvests(self._session, None, TableHarvests(self.reader))

    def claimed_harvests(self, claim: Claim) -> HarvestStore:
        return SharedHarvests(self._session, claim, TableHarvests(self.reader))

    def note(self, event: Event) -> None:
        with self._session.hold_connection() as connection:
            connection.execute(_NOTE, storable(event_row(event)))

    def save(self, key: str, value: bytes) -> None:
        with self._session.hold_connection() as connection:
            connection.execute(SAVE, (key, value))

    def load(self, key: str) -> bytes | None:
        query = "SELECT value FROM saved WHERE key = %s"
        with self._session.hold_connection() as connection:
            row = connection.execute(query, (key,)).fetchone()
        return None if row is None else row[0]

    def flush(self) -> None:
        """Nothing to do: everything is durable."""

    def close(self) -> None:
        self._session.close()
        self.reader.close()


def open_database_view(url: str) -> TableView:
    """A database to look at, also while it is written."""
    reader = checked_reader(url)
    return TableView(reader, TableHarvests(reader), PostgresInbox(url, is_read_only=True))


def make_store(url: str) -> None:
    """Make the tables in a database that has none."""
    with translate_errors(url), closing(connect(url)) as connection:
        make_if_absent(connection, url)


def has_tables(url: str) -> bool:
    """Whether there is a store in the database."""
    with translate_errors(url), closing(connect(url, name="leadline looking")) as connection:
        return bool(version_of(connection, url))


def is_in_use(url: str) -> bool:
    """Whether some process writes the store."""
    with translate_errors(url), closing(connect(url, name="leadline looking")) as connection:
        return is_locked(connection)
