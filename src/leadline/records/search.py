"""Full-text search over the things of a store: what agents look into before they ask anybody.

The things are written once into a SQLite file beside nothing of the user's, with an index; it is
made anew when the store has more records.
"""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from leadline.core.store import StoreView
from leadline.records.dataset import THINGS, build_dataset
from leadline.records.export import write_dataset
from leadline.views.stores import topic_of

_words = re.compile(r"\w+").findall
_MOST_ORIGINS = 20


class ThingSearch:
    """Searches one store. Close it, or use it as a context: its file goes with it."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="leadline-")
        self._file = Path(self._folder.name) / "things.sqlite"
        self._records = -1

    def find(self, store: StoreView, text: str, limit: int) -> list[Mapping[str, Any]]:
        """The things that have all of the words, the best first, each with its origins; the first
        ones if there are no words."""
        self._refresh(store)
        if not self._records:
            return []
        with closing(sqlite3.connect(self._file)) as connection:
            connection.row_factory = sqlite3.Row
            rows = connection.execute(*_make_query(connection, text, limit)).fetchall()
            return [self._complete(connection, row) for row in rows]

    def close(self) -> None:
        self._folder.cleanup()

    def _refresh(self, store: StoreView) -> None:
        count = sum(store.harvests.tally(head.id).records for head in store.harvests.all())
        if count != self._records and count:
            with self._file.open("wb") as stream:
                write_dataset(build_dataset(store, topic_of(store)), THINGS, "sqlite", stream)
        self._records = count

    @staticmethod
    def _complete(connection: sqlite3.Connection, row: sqlite3.Row) -> Mapping[str, Any]:
        found = {name: row[name] for name in row.keys() if row[name] is not None}  # noqa: SIM118
        asked = "SELECT site, form, url, seen_at FROM origins WHERE thing = ? LIMIT ?"
        origins = connection.execute(asked, (row["id"], _MOST_ORIGINS)).fetchall()
        return {**found, "origins": [dict(origin) for origin in origins]}


def _make_query(
    connection: sqlite3.Connection, text: str, limit: int
) -> tuple[str, tuple[object, ...]]:
    words = _words(text)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master").fetchall()}
    if not words or f"{THINGS}_fts" not in tables:
        return "SELECT * FROM things LIMIT ?", (limit,)
    # Quoted words: signs of the query language are nobody's to use here.
    match = " ".join(f'"{word}"' for word in words)
    query = (
        "SELECT things.* FROM things JOIN things_fts ON things.rowid = things_fts.rowid "
        "WHERE things_fts MATCH ? ORDER BY things_fts.rank LIMIT ?"
    )
    return query, (match, limit)
