"""The store in one SQLite file: durable, written by one thread, read at once from memory."""

import sqlite3
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from leadline.core.crawl import Event
from leadline.frontier import Frontier
from leadline.frontier.links import LinkColumns
from leadline.store.batch import write
from leadline.store.harvests.tables import TableHarvests, WrittenHarvests
from leadline.store.inbox import SqliteInbox
from leadline.store.indexed import IndexedStore
from leadline.store.journal import WrittenJournal
from leadline.store.leases import StoreClock
from leadline.store.lock import HARVESTS, WriteLock, is_locked
from leadline.store.recovery import read_arrivals, recover, waiting_links
from leadline.store.schema import migrate
from leadline.store.sqlite_connection import connect
from leadline.store.sqlite_reading import SqliteReader, translate_errors
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
        with translate_errors(path), ExitStack() as undo:
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
            harvests = WrittenHarvests(
                writer, TableHarvests(reader), lambda: WriteLock(path, HARVESTS).release
            )
            undo.callback(harvests.close)
            super().__init__(journal.index, journal, clock or StoreClock(), undo.pop_all())
            self.harvests = harvests
            self.inbox = SqliteInbox(path)


class HarvestFile:
    """A store file opened for harvests alone: no waiting link is read, and the crawl's lock is left
    alone, so that a crawl may run on the same file.

    Keeps the guarantees of `HarvestStore` across kill -9. One process at a time writes harvests.
    `reader` sees what is committed, by a crawl too.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with translate_errors(path), ExitStack() as undo:
            undo.callback(WriteLock(path, HARVESTS).release)
            connection = connect(path)
            undo.callback(connection.close)
            migrate(connection, path)
            self.reader = SqliteReader(path)
            undo.callback(self.reader.close)
            self._writer = Writer(partial(write, connection), path, (sqlite3.Error,))
            undo.callback(self._writer.close)
            self.harvests = WrittenHarvests(self._writer, TableHarvests(self.reader))
            self._undo = undo.pop_all()

    @property
    def is_crawled(self) -> bool:
        """Whether a crawl writes the file at this moment."""
        return is_locked(self.path)

    def note(self, event: Event) -> None:
        with self._writer as batch:
            batch.events.append(event)

    def save(self, key: str, value: bytes) -> None:
        with self._writer as batch:
            batch.saved[key] = value

    def load(self, key: str) -> bytes | None:
        for batch in self._writer.list_pending():
            if key in batch.saved:
                return batch.saved[key]
        return self.reader.read_saved(key)

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._undo.close()
