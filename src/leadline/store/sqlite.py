"""The store in one SQLite file: durable, written by one thread, read at once from memory."""

import sqlite3
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from leadline.frontier import Frontier
from leadline.frontier.links import LinkColumns
from leadline.store.batch import write
from leadline.store.connecting import connect
from leadline.store.harvests.reading import TableHarvests
from leadline.store.harvests.written import WrittenHarvests
from leadline.store.inbox import SqliteInbox
from leadline.store.indexed import IndexedStore
from leadline.store.journal import WrittenJournal
from leadline.store.leases import StoreClock
from leadline.store.lock import WriteLock
from leadline.store.recovery import read_arrivals, recover, waiting_links
from leadline.store.schema import migrate
from leadline.store.sqlite_reading import SqliteReader, translated
from leadline.store.writer import Writer


class SqliteJournal(WrittenJournal):
    """Batches go to the file a quarter of a second later."""

    def __init__(self, writer: Writer, reader: SqliteReader) -> None:
        super().__init__(writer, reader)
        self._connection = reader.connection

    def waiting_links(self) -> LinkColumns:
        return waiting_links(self._connection, read_arrivals(self._connection))


class SqliteStore(IndexedStore):
    """One file, and a lock file beside it. Keeps the guarantees of `Store` across kill -9."""

    def __init__(
        self,
        path: Path,
        width: int = 0,
        memory_links: int | None = None,
        clock: StoreClock | None = None,
    ) -> None:
        with translated(path), ExitStack() as undo:
            undo.callback(WriteLock(path).release)
            connection = connect(path)
            undo.callback(connection.close)
            migrate(connection, path)
            reader = SqliteReader(path)
            undo.callback(reader.close)
            writer = Writer(partial(write, connection), path, (sqlite3.Error,))
            undo.callback(writer.close)
            journal = SqliteJournal(writer, reader)
            frontier = Frontier(width, memory_links, journal.features)
            journal.index = recover(reader.connection, frontier)
            super().__init__(journal.index, journal, clock or StoreClock(), undo.pop_all())
            self.harvests = WrittenHarvests(writer, TableHarvests(reader))
            self.inbox = SqliteInbox(path)
