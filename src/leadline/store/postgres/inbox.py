"""What people told a crawl, in its database."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from msgspec import structs

from leadline.core.inbox import NONE, Label, Order, check_label, check_order
from leadline.errors import StoreError
from leadline.store.postgres.connection import (
    Connection,
    connect,
    one_row,
    storable,
    translate_errors,
)
from leadline.store.postgres.schema import check_version

_LARGEST = (1 << 63) - 1
_ORDERS = (
    "SELECT kind, at, detail, id, done_at, outcome FROM orders WHERE id > %s ORDER BY id LIMIT %s"
)
_LABELS = (
    "SELECT what, subject, verdict, at, topic, before FROM labels WHERE id IN"
    " (SELECT max(id) FROM labels GROUP BY what, subject) AND verdict <> %s ORDER BY id"
)


def open_postgres_inbox(url: str) -> "PostgresInbox":
    """The desk of an existing store. Raises StoreError where there is none."""
    with closing(connect(url, name="leadline desk")) as connection:
        check_version(connection, url)
    return PostgresInbox(url)


class PostgresInbox:
    """Keeps the guarantees of `Inbox` across kill -9 and power cuts, beside any other writer.

    Orders and labels are few: each call has a connection of its own, and writers take turns, so
    that numbers rise in the order in which others get to see them.
    """

    def __init__(self, url: str, *, is_read_only: bool = False) -> None:
        self._url = url
        self._is_read_only = is_read_only

    def give(self, order: Order) -> Order:
        check_order(order)
        query = (
            "INSERT INTO orders (kind, at, detail, outcome) VALUES (%s, %s, %s, '') RETURNING id"
        )
        with self._begin_writing("orders") as connection:
            (number,) = one_row(connection, query, *storable((order.kind, order.at, order.detail)))
        return structs.replace(order, id=number, done_at=None, outcome="")

    def orders(self, after: int = 0, limit: int | None = None) -> list[Order]:
        most = None if limit is None else min(max(limit, 0), _LARGEST)
        with self._open_connection() as connection:
            rows = connection.execute(_ORDERS, (min(max(after, 0), _LARGEST), most)).fetchall()
        return [Order(*row) for row in rows]

    def finish(self, order: int, at: float, outcome: str) -> None:
        number = min(order, _LARGEST)
        with self._begin_writing("orders") as connection:
            query = "SELECT 1 FROM orders WHERE id = %s"
            if connection.execute(query, (number,)).fetchone() is None:
                raise StoreError(f"order {order} was never given")
            connection.execute(
                "UPDATE orders SET done_at = %s, outcome = %s WHERE id = %s AND done_at IS NULL",
                (at, *storable((outcome,)), number),
            )

    def label(self, labels: Sequence[Label]) -> None:
        for label in labels:
            check_label(label)
        query = (
            "INSERT INTO labels (what, subject, verdict, at, topic, before)"
            " VALUES (%s, %s, %s, %s, %s, %s)"
        )
        with self._begin_writing("labels") as connection, connection.cursor() as cursor:
            if labels:
                cursor.executemany(query, [storable(structs.astuple(x)) for x in labels])

    def labels(self) -> list[Label]:
        with self._open_connection() as connection:
            return [Label(*row) for row in connection.execute(_LABELS, (NONE,))]

    @contextmanager
    def _open_connection(self) -> Iterator[Connection]:
        connection = connect(self._url, name="leadline desk")
        with translate_errors(self._url), closing(connection):
            yield connection

    @contextmanager
    def _begin_writing(self, table: str) -> Iterator[Connection]:
        if self._is_read_only:
            raise StoreError(
                "this store was opened read-only; leave orders and labels by open_inbox"
            )
        with self._open_connection() as connection, connection.transaction():
            connection.execute("SET LOCAL synchronous_commit = on")
            connection.execute(f"LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE")
            yield connection
