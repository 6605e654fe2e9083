"""A store read in pieces, by who keeps up with it while a crawl writes it."""
# ruff: noqa: S608 - the only words put into queries are column lists of store.rows

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from leadline.core.change_feed import (
    ArrivalColumns,
    ChangeFeed,
    EventEntry,
    FormEntry,
    RankEntry,
    StateEntry,
    VisitColumns,
)
from leadline.core.crawl import Event, Priority, Visit
from leadline.core.store import Team
from leadline.core.url import Site
from leadline.errors import StoreError
from leadline.store.address import is_database
from leadline.store.harvests.change_feed import HarvestChangeFeed
from leadline.store.index import SKIPPED
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    STATE_COLUMNS,
    VISIT_COLUMNS,
    Row,
    event_of,
    form_of,
    score_of,
    state_of,
    visit_of,
)
from leadline.store.schema import (
    TOPIC_BY_EVENTS,
    WITH_HARVESTS,
    WITH_HELD_MATCHES,
    WITH_TOPICS,
    check_version,
)
from leadline.store.sqlite_reading import SqliteReader, translate_errors

SITE_NAME = "(SELECT site FROM sites AS s WHERE s.id = t.site)"
_SEEN = "seq, id, site, outcome, at, size_bytes, requests, forms, final_url"
_FORM = (
    "SELECT f.id, {}, {{}}, v.title, v.language, s.site FROM forms AS f"
    " LEFT JOIN visits AS v ON v.id = f.visit JOIN sites AS s ON s.id = f.site"
).format(", ".join(f"f.{name}" for name in FORM_COLUMNS.removesuffix(", topic").split(", ")))


class TableChangeFeed(HarvestChangeFeed):
    """What is asked alike of every database."""

    @property
    def _form(self) -> str:
        return _FORM.format(self._reader.topic_column.format("f"))

    def visits(self, after: int, limit: int) -> VisitColumns:
        query = f"SELECT {_SEEN} FROM visits WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
        rows = self._reader.all(query, after, self._upto("visits"), limit)
        return VisitColumns(*zip(*rows, strict=True)) if rows else VisitColumns(*[()] * 9)

    def forms(self, after: int, limit: int) -> list[FormEntry]:
        query = f"{self._form} WHERE f.id > ? AND f.id <= ? ORDER BY f.id LIMIT ?"
        return [_form(row) for row in self._reader.all(query, after, self._upto("forms"), limit)]

    def sites(self, after: int) -> list[Site]:
        rows = self._reader.rows("SELECT site FROM sites WHERE id >= ? ORDER BY id", after)
        return [Site(name) for (name,) in rows]

    def events(self, after: int, limit: int) -> list[EventEntry]:
        query = (
            f"SELECT id, {EVENT_COLUMNS} FROM events WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"
        )
        rows = self._reader.all(query, after, self._upto("events"), limit)
        return [EventEntry(row[0], event_of(row[1:])) for row in rows]

    def forms_numbered(self, marks: Sequence[int]) -> list[FormEntry]:
        return [_form(row) for row in self._rows_of(f"{self._form} WHERE f.id IN", marks)]

    def visits_marked(self, marks: Sequence[int]) -> list[Visit]:
        query = f"SELECT seq, {VISIT_COLUMNS}, {SITE_NAME} FROM visits AS t WHERE seq IN"
        return [visit_of(row[1:-1], row[-1]) for row in self._rows_of(query, marks)]

    def events_numbered(self, marks: Sequence[int]) -> list[Event]:
        query = f"SELECT id, {EVENT_COLUMNS} FROM events WHERE id IN"
        return [event_of(row[1:]) for row in self._rows_of(query, marks)]

    def close(self) -> None:
        self._reader.close()


class SqliteChangeFeed(TableChangeFeed):
    """Keeps the guarantees of `ChangeFeed` for one file. Each call sees what is committed."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise StoreError(f"there is no store at {path}")
        reader = SqliteReader(path)
        with translate_errors(path):
            version = check_version(reader.connection, path)
        if version < WITH_TOPICS:
            reader.topic_column = TOPIC_BY_EVENTS
        super().__init__(
            reader,
            has_harvests=version >= WITH_HARVESTS,
            has_held_matches=version >= WITH_HELD_MATCHES,
        )

    def arrivals(self, after: int, limit: int) -> list[ArrivalColumns]:
        query = "SELECT first, sites, ranks FROM arrivals WHERE first > ? ORDER BY first LIMIT ?"
        return [
            ArrivalColumns(
                first, np.frombuffer(sites, "<i4"), np.frombuffer(ranks, "<i8") == SKIPPED
            )
            for first, sites, ranks in self._reader.all(query, after, limit)
        ]

    def states(self, after: int) -> list[StateEntry]:
        # A bare column beside max() is that of the row with the maximum.
        query = (
            f"SELECT max(seq), t.site, {STATE_COLUMNS}, {SITE_NAME} FROM states AS t"
            " WHERE seq > ? GROUP BY t.site"
        )
        return [
            StateEntry(mark, site, state_of(tuple(columns), name))
            for mark, site, *columns, name in self._reader.rows(query, after)
        ]

    def ranks(self, after: int) -> list[RankEntry]:
        query = "SELECT max(seq), site, tier, score FROM site_ranks WHERE seq > ? GROUP BY site"
        return [
            RankEntry(mark, site, None if tier is None else Priority(tier, score_of(score)))
            for mark, site, tier, score in self._reader.rows(query, after)
        ]

    def team(self) -> Team | None:
        """None: one process has a file."""
        return None


def open_change_feed(path: str | Path) -> ChangeFeed:
    """The store at `path` for who keeps up with it. Raises StoreError when there is none."""
    if is_database(path):
        from leadline.store.postgres.change_feed import PostgresChangeFeed

        return PostgresChangeFeed(str(path))
    return SqliteChangeFeed(Path(path))


def _form(row: Row) -> FormEntry:
    mark, *columns, title, language, site = row
    return FormEntry(mark, form_of(tuple(columns), site), columns[1], title or "", language or "")
