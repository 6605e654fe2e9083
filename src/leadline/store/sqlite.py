"""The store in one SQLite file: durable, written by one thread, read at once from memory."""

import sqlite3
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from leadline.frontier import Frontier
from leadline.frontier.tail import Spilled
from leadline.store.batch import write
from leadline.store.connecting import connect
from leadline.store.durable import LedgerStore
from leadline.store.inbox import SqliteInbox
from leadline.store.ledger import Ledger
from leadline.store.lock import WriteLock
from leadline.store.recovery import read_arrivals, recover, waiting_links
from leadline.store.schema import migrate
from leadline.store.sqlite_reading import SqliteReader, translated
from leadline.store.writer import Writer


class SqliteStore(LedgerStore):
    """One file, and a lock file beside it."""

    def __init__(self, path: Path, width: int = 0, memory_links: int | None = None) -> None:
        with translated(path), ExitStack() as undo:
            undo.callback(WriteLock(path).release)
            connection = connect(path)
            undo.callback(connection.close)
            migrate(connection, path)
            reader = SqliteReader(path)
            self._connection = reader.connection
            undo.callback(reader.close)
            writer = Writer(partial(write, connection), path, (sqlite3.Error,))
            undo.callback(writer.close)
            self._begin(reader, writer, width, memory_links)
            self.inbox = SqliteInbox(path)
            self._closing = undo.pop_all()

    def _recover(self, frontier: Frontier) -> Ledger:
        return recover(self._connection, frontier)

    def _waiting_links(self) -> Spilled:
        return waiting_links(self._connection, read_arrivals(self._connection))
