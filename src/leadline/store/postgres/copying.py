"""Rows into and out of tables in bulk: binary COPY, the quickest way PostgreSQL has."""

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

import numpy as np
from numpy.typing import NDArray
from psycopg import sql

from leadline.store.postgres.connecting import Connection

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
