"""Connections that write a store file, and rows into its tables, many in one statement."""

import sqlite3
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

CHECKPOINT_PAGES = 4_000
"""WAL pages (16 MB) before they are copied into the file: four times SQLite's own
choice, because a page that several transactions append to is then copied once."""

BUSY_S = 60.0
"""How long a stranger (a backup, a shell) may hold the file before writing fails."""


def connect(path: Path, *, is_durable_at_once: bool = False) -> sqlite3.Connection:
    """A connection for a writer. Durable at once: a commit waits for the platter, so that not
    even a power cut undoes it."""
    connection = sqlite3.connect(
        path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {'FULL' if is_durable_at_once else 'NORMAL'}")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    # Debian's SQLite overwrites what it deletes with zeros unless told otherwise.
    connection.execute("PRAGMA secure_delete = OFF")
    return connection


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
