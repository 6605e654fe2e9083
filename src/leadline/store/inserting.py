"""Rows into a table, many in one statement."""

import sqlite3
from collections.abc import Sequence
from itertools import chain
from typing import Any

ROWS_A_STATEMENT = 128
"""Python lets other threads run at each statement, and gets its turn back only
milliseconds later when the crawl is busy; with 128 rows in one that is bearable.
18 columns times 128 stay far below SQLite's limit of 32,766 parameters."""


def insert(
    connection: sqlite3.Connection,
    table: str,
    columns: str,
    rows: Sequence[tuple[Any, ...]],
    verb: str = "INSERT",
) -> None:
    """Append rows; `table`, `columns` and `verb` are words of our own."""
    one = f"({', '.join('?' * (columns.count(',') + 1))})"
    head = f"{verb} INTO {table} ({columns}) VALUES "
    whole = len(rows) - len(rows) % ROWS_A_STATEMENT
    many = head + ", ".join([one] * ROWS_A_STATEMENT)
    for start in range(0, whole, ROWS_A_STATEMENT):
        cells = chain.from_iterable(rows[start : start + ROWS_A_STATEMENT])
        connection.execute(many, list(cells))
    connection.executemany(head + one, rows[whole:])
