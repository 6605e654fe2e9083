"""Datasette: a table of films with SQLite's full-text search; a page begins after the last key."""

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from tests.software.application import Application, Row, digest, insert, installed, select
from tests.software.serving import free_port, serving

RECORDS = "records/movies"
COUNT = 2_000
"""Forty pages of a hundred."""

_TABLES = """
CREATE TABLE films (id INTEGER PRIMARY KEY, title TEXT, year INTEGER, actors TEXT, genres TEXT,
                    story TEXT);
CREATE VIRTUAL TABLE films_fts USING fts5 (title, actors, story, content="films");
"""


@contextmanager
def datasette(rows: Iterable[Row], folder: Path) -> Iterator[Application]:
    program, port = installed("datasette"), free_port()
    database = folder / "cinema.db"
    _fill(database, rows)
    command = [program, "serve", "--host", "127.0.0.1", "--port", str(port), database]
    with serving(command, folder, port, {}) as served:
        yield Application(
            served=served,
            search="/cinema/films",
            words=("film", "cinema", "actor", "comedy", "drama"),
            reachable=_reachable(database),
            content=lambda: digest(database),
        )


def _fill(database: Path, rows: Iterable[Row]) -> None:
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(_TABLES)
    insert(database, "films", (_film(number, row) for number, row in enumerate(rows, start=1)))
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO films_fts (films_fts) VALUES ('rebuild')")


def _film(number: int, row: Row) -> dict[str, object]:
    return {
        "id": number,
        "title": row["title"],
        "year": row["year"],
        "actors": ", ".join(row["cast"]),
        "genres": ", ".join(row["genres"]),
        "story": row.get("extract"),
    }


def _reachable(database: Path) -> frozenset[str]:
    """Those that the index knows, and the page of the table lists without any query."""
    indexed = select(database, "SELECT id FROM films_fts_docsize")
    return frozenset(f"/cinema/films/{number}" for (number,) in indexed)
