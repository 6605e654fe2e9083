"""Connections that write a store file: that of the crawl, and those of its desk."""

import sqlite3
from pathlib import Path

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
