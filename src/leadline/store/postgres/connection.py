"""Connections to PostgreSQL that cannot hang, its errors in our words, and rows in bulk."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, LiteralString

import numpy as np
import psycopg
from numpy.typing import NDArray
from psycopg import conninfo, sql
from psycopg.conninfo import conninfo_to_dict

from leadline.errors import StoreError, StoreUnreachableError
from leadline.store.address import mask_password

Connection = psycopg.Connection[tuple[Any, ...]]

PATIENCE: Mapping[str, str] = {
    "connect_timeout": "10",
    "keepalives": "1",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
"""A server that has gone silent is noticed within 11 seconds, whichever side was to speak."""

STATEMENT_MS = 60_000
LOCK_MS = 10_000
IDLE_MS = 15_000
"""A worker that was stopped in a transaction lets go of its rows after this."""

_PASSING = (
    psycopg.errors.QueryCanceled,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.SerializationFailure,
    psycopg.errors.DeadlockDetected,
    psycopg.errors.IdleInTransactionSessionTimeout,  # this process stood still
    psycopg.errors.TooManyConnections,
    psycopg.errors.DiskFull,
    psycopg.errors.OutOfMemory,
)


def connect(url: str, *, is_bounded: bool = True, name: str = "leadline") -> Connection:
    """A connection in autocommit mode. `is_bounded`: statements and transactions are, too.

    What the URL says itself holds. Raises StoreUnreachableError.
    """
    with translate_errors(url):
        given = conninfo_to_dict(url)
        options = str(given.pop("options", None) or "")
        bounds = f"-c statement_timeout={STATEMENT_MS} -c lock_timeout={LOCK_MS}"
        bounds += f" -c idle_in_transaction_session_timeout={IDLE_MS}"
        merged = {"application_name": name, **PATIENCE, **given}
        merged["options"] = f"{bounds} {options}" if is_bounded else options
        return psycopg.connect(conninfo.make_conninfo("", **merged), autocommit=True)


def one_row(connection: Connection, query: LiteralString, *values: object) -> tuple[Any, ...]:
    """The one row of a query that always has one."""
    row = connection.execute(query, values).fetchone()
    if row is None:
        raise StoreError(f"the store is damaged: nothing answers {query!r}")
    return row


@contextmanager
def translate_errors(url: str) -> Iterator[None]:
    """Turn psycopg's errors into ours."""
    try:
        yield
    except psycopg.Error as error:
        raise unusable(url, error) from error


def unusable(url: str, error: psycopg.Error) -> StoreError:
    what = f"{mask_password(url)} cannot be used: {_describe_error(error)}"
    if _may_pass(error):
        return StoreUnreachableError(f"{what}; try again")
    return StoreError(what)


def _may_pass(error: psycopg.Error) -> bool:
    """Whether the same call may succeed later. A connection that broke has no state; class 57 is
    the server going down or coming up, 08 a connection's trouble."""
    if isinstance(error, _PASSING):
        return True
    if not isinstance(error, psycopg.OperationalError):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57"))


def _describe_error(error: psycopg.Error) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


Row = tuple[Any, ...]

_HEADER_BYTES = 19
"""Signature, flags and the length of an extension that nobody has."""
_TRAILER_BYTES = 2
_CELLS = {"i8": ">i8", "i4": ">i4"}


class Copier:
    """Writes rows over one connection, each cell in the type that its column has."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._known: dict[tuple[str, str], tuple[sql.Composed, list[int]]] = {}

    def write(self, table: str, columns: str, rows: Iterable[Row]) -> None:
        """Append rows; `columns` are their names, separated by commas."""
        command, types = self._known.get((table, columns)) or self._learn(table, columns)
        with self._connection.cursor() as cursor, cursor.copy(command) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(storable(row))

    def _learn(self, table: str, columns: str) -> tuple[sql.Composed, list[int]]:
        names = columns.split(", ")
        command = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
            sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, names))
        )
        query = "SELECT attname, atttypid FROM pg_attribute WHERE attrelid = %s::regclass"
        types: dict[str, int] = dict(self._connection.execute(query, (table,)).fetchall())
        self._known[table, columns] = command, [types[name] for name in names]
        return self._known[table, columns]


def storable(row: Row) -> Row:
    """PostgreSQL's text has no NUL."""
    for cell in row:
        if type(cell) is str and "\0" in cell:
            return tuple(_without_nul(cell) if type(cell) is str else cell for cell in row)
    return row


def _without_nul(text: str) -> str:
    return text.replace("\0", "\ufffd")


def read_integers(
    connection: Connection, query: LiteralString, cells: Sequence[str]
) -> list[NDArray[np.int64]]:
    """The columns of a query that gives integers and no NULL; `cells` are `i8` or `i4` each."""
    fields = [("count", ">i2")]
    for at, cell in enumerate(cells):
        fields += [(f"size{at}", ">i4"), (f"cell{at}", _CELLS[cell])]
    command = sql.SQL("COPY ({}) TO STDOUT (FORMAT BINARY)").format(sql.SQL(query))
    with connection.cursor() as cursor, cursor.copy(command) as copy:
        told = b"".join(copy)
    rows = np.frombuffer(told[_HEADER_BYTES:-_TRAILER_BYTES], np.dtype(fields))
    return [rows[f"cell{at}"].astype(np.int64) for at in range(len(cells))]
