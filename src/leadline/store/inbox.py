"""What people told a crawl, in memory and in its store file.

A desk in a file needs neither the store's lock nor its writing thread: each call is a
transaction of its own on a connection of its own, so that a dashboard can leave orders
and labels while another process crawls (decision 15).
"""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NoReturn

from msgspec import structs

from leadline.core.inbox import NONE, Inbox, Label, Order, check_label, check_order
from leadline.errors import StoreError, StoreLockedError
from leadline.store.address import is_database
from leadline.store.damage import explain_sqlite
from leadline.store.lock import WriteLock
from leadline.store.schema import WITH_INBOX, check_version, migrate
from leadline.store.sqlite_connection import connect, insert
from leadline.store.sqlite_reading import SqliteReader, translate_errors
from leadline.store.sums import sum_rows

_LARGEST = (1 << 63) - 1
"""SQLite's largest number."""
_ORDER_COLUMNS = "kind, at, detail, id, done_at, outcome"
_LABEL_COLUMNS = "what, subject, verdict, at, topic, before"
_ORDERS = f"SELECT {_ORDER_COLUMNS} FROM orders WHERE id > ? ORDER BY id LIMIT ?"  # noqa: S608
_LABELS = (
    f"SELECT {_LABEL_COLUMNS} FROM labels WHERE id IN"  # noqa: S608
    " (SELECT max(id) FROM labels GROUP BY what, subject) AND verdict != ? ORDER BY id"
)


class MemoryInbox:
    """Keeps the guarantees of `Inbox` as long as the process lives."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._orders: list[Order] = []
        self._labels: dict[tuple[str, str], Label] = {}

    def give(self, order: Order) -> Order:
        check_order(order)
        with self._lock:
            given = structs.replace(order, id=len(self._orders) + 1, done_at=None, outcome="")
            self._orders.append(given)
        return given

    def orders(self, after: int = 0, limit: int | None = None) -> list[Order]:
        with self._lock:
            found = self._orders[max(after, 0) :]
        return found if limit is None else found[: max(limit, 0)]

    def finish(self, order: int, at: float, outcome: str) -> None:
        with self._lock:
            if not 0 < order <= len(self._orders):
                raise _never_given(order)
            given = self._orders[order - 1]
            if given.done_at is None:
                ended = structs.replace(given, done_at=at, outcome=outcome)
                self._orders[order - 1] = ended

    def label(self, labels: Sequence[Label]) -> None:
        for label in labels:
            check_label(label)
        with self._lock:
            for label in labels:
                self._labels.pop((label.what, label.subject), None)
                self._labels[label.what, label.subject] = label

    def labels(self) -> list[Label]:
        with self._lock:
            return [label for label in self._labels.values() if label.verdict != NONE]


class SqliteInbox:
    """Keeps the guarantees of `Inbox` across kill -9 and power cuts, beside any other writer."""

    def __init__(self, path: Path) -> None:
        """The file must have the tables of a desk: see `open_inbox`."""
        self._path = path

    def give(self, order: Order) -> Order:
        check_order(order)
        row = order.kind, order.at, order.detail, ""
        with self._begin_writing() as connection:
            done = connection.execute(
                "INSERT INTO orders (kind, at, detail, outcome) VALUES (?, ?, ?, ?)", row
            )
            given = structs.replace(order, id=done.lastrowid or 0, done_at=None, outcome="")
            sum_rows(connection, "orders", given.id, given.id)
            return given

    def orders(self, after: int = 0, limit: int | None = None) -> list[Order]:
        with self._open_connection() as connection:
            return _orders(connection, after, limit)

    def finish(self, order: int, at: float, outcome: str) -> None:
        number = min(order, _LARGEST)
        with self._begin_writing() as connection:
            if not connection.execute("SELECT 1 FROM orders WHERE id = ?", (number,)).fetchone():
                raise _never_given(order)
            connection.execute(
                "UPDATE orders SET done_at = ?, outcome = ? WHERE id = ? AND done_at IS NULL",
                (at, outcome, number),
            )
            sum_rows(connection, "orders", number, number)

    def label(self, labels: Sequence[Label]) -> None:
        for label in labels:
            check_label(label)
        with self._begin_writing() as connection:
            (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM labels").fetchone()
            insert(connection, "labels", _LABEL_COLUMNS, [structs.astuple(x) for x in labels])
            sum_rows(connection, "labels", last + 1, last + len(labels))

    def labels(self) -> list[Label]:
        with self._open_connection() as connection:
            return _labels(connection)

    @contextmanager
    def _open_connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for one call: they are few, and no thread waits for another."""
        try:
            with closing(connect(self._path, is_durable_at_once=True)) as connection:
                yield connection
        except sqlite3.Error as error:
            raise explain_sqlite(self._path, error) from error

    @contextmanager
    def _begin_writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: what is raised inside undoes it."""
        with self._open_connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")


class ReadOnlyInbox:
    """Tells what is committed at the moment of asking. Every change raises StoreError."""

    def __init__(self, reader: SqliteReader) -> None:
        self._reader = reader

    def give(self, order: Order) -> Order:  # noqa: ARG002
        self._refuse()

    def orders(self, after: int = 0, limit: int | None = None) -> list[Order]:
        with translate_errors(self._reader.place):
            return _orders(self._reader.connection, after, limit) if self._has_inbox() else []

    def finish(self, order: int, at: float, outcome: str) -> None:  # noqa: ARG002
        self._refuse()

    def label(self, labels: Sequence[Label]) -> None:  # noqa: ARG002
        self._refuse()

    def labels(self) -> list[Label]:
        with translate_errors(self._reader.place):
            return _labels(self._reader.connection) if self._has_inbox() else []

    def _has_inbox(self) -> bool:
        """Asked each time: the file may be brought up to date while it is looked at."""
        return check_version(self._reader.connection, self._reader.place) >= WITH_INBOX

    def _refuse(self) -> NoReturn:
        raise StoreError(
            f"{self._reader.place} was opened read-only; leave orders and labels through open_inbox"
        )


def open_inbox(path: str | Path) -> Inbox:
    """The desk of an existing store, to write on, also while a crawl writes the store.

    A file that is older than desks are is brought up to date. Raises StoreLockedError when that
    has to wait for whoever writes it.
    """
    if is_database(path):
        from leadline.store.postgres.inbox import open_postgres_inbox

        return open_postgres_inbox(str(path))
    path = Path(path)
    if not path.exists():
        raise StoreError(f"there is no store at {path}")
    with closing(SqliteReader(path)) as reader, translate_errors(path):
        version = check_version(reader.connection, path)
    if version < WITH_INBOX:
        _bring_up_to_date(path, version)
    return SqliteInbox(path)


def _bring_up_to_date(path: Path, version: int) -> None:
    try:
        lock = WriteLock(path)
    except StoreLockedError as error:
        raise StoreLockedError(
            f"{path} has format {version}, which takes neither orders nor labels, and an older"
            " leadline writes it: stop that crawl and take it up again with this leadline"
        ) from error
    try:
        with translate_errors(path), closing(connect(path)) as connection:
            migrate(connection, path)
    finally:
        lock.release()


def _orders(connection: sqlite3.Connection, after: int, limit: int | None) -> list[Order]:
    most = -1 if limit is None else min(max(limit, 0), _LARGEST)
    rows = connection.execute(_ORDERS, (min(max(after, 0), _LARGEST), most))
    return [Order(*row) for row in rows]


def _labels(connection: sqlite3.Connection) -> list[Label]:
    return [Label(*row) for row in connection.execute(_LABELS, (NONE,))]


def _never_given(order: int) -> StoreError:
    return StoreError(f"order {order} was never given")
