"""The store in a PostgreSQL database for one process that has it alone, until the loop leases."""

from contextlib import ExitStack

import psycopg

from leadline.frontier import Frontier
from leadline.frontier.links import LinkColumns
from leadline.store.address import shown
from leadline.store.harvests.reading import TableHarvests
from leadline.store.harvests.written import WrittenHarvests
from leadline.store.indexed import IndexedStore
from leadline.store.journal import WrittenJournal
from leadline.store.leases import StoreClock
from leadline.store.postgres.batch import BatchWriter
from leadline.store.postgres.connection import connect, translated
from leadline.store.postgres.inbox import PostgresInbox
from leadline.store.postgres.reader import PostgresReader
from leadline.store.postgres.recovery import recover, waiting_links
from leadline.store.postgres.schema import locked_error, migrate, try_lock
from leadline.store.writer import Writer


class PostgresJournal(WrittenJournal):
    """Batches go to the database a quarter of a second later."""

    def __init__(self, writer: Writer, reader: PostgresReader, url: str) -> None:
        super().__init__(writer, reader)
        self._connection = reader.connection
        self._url = url

    def waiting_links(self) -> LinkColumns:
        with translated(self._url):
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
        with translated(url), ExitStack() as undo:
            connection = connect(url, is_bounded=False, name="leadline writing")
            undo.callback(connection.close)
            if not try_lock(connection, is_shared=False):
                raise locked_error(url)
            migrate(connection, url)
            connection.execute("UPDATE run SET is_sorted = false")
            reader = PostgresReader(url)
            undo.callback(reader.close)
            writer = Writer(BatchWriter(connection).write, shown(url), (psycopg.Error,))
            undo.callback(writer.close)
            journal = PostgresJournal(writer, reader, url)
            frontier = Frontier(width, memory_links, journal.features)
            journal.index = recover(reader.connection, frontier)
            super().__init__(journal.index, journal, clock or StoreClock(), undo.pop_all())
            self.harvests = WrittenHarvests(writer, TableHarvests(reader))
            self.inbox = PostgresInbox(url)
