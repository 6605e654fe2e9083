"""What waits to be written, and the one transaction that writes it."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from msgspec import structs

from leadline.core.crawl import CandidateId, Event, JudgedForm, Priority, SiteState, Visit
from leadline.core.store import PublishedModel
from leadline.core.url import Site
from leadline.frontier.links import Ids
from leadline.frontier.ranks import Ranks
from leadline.store import sums
from leadline.store.harvests.rows import HarvestBatch, write_harvests
from leadline.store.index import PASSED_OVER, Arrival
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    STATE_COLUMNS,
    URL_COLUMNS,
    VISIT_COLUMNS,
    Row,
    event_row,
    form_row,
    rejudged_row,
    state_row,
    url_row,
    visit_row,
)
from leadline.store.sqlite_connection import insert


@dataclass(slots=True, eq=False)
class Batch:
    """Everything recorded since the last transaction. Later states replace earlier ones."""

    sites: list[tuple[int, Site]] = field(default_factory=list)
    """Those first met, with their numbers."""
    arrivals: dict[CandidateId, Arrival] = field(default_factory=dict)
    visits: dict[CandidateId, tuple[Visit, int]] = field(default_factory=dict)
    """With the numbers of their sites."""
    forms: list[tuple[JudgedForm, int, Visit, str]] = field(default_factory=list)
    """First met, with the number of their site, the visit and the topic."""
    sightings: Counter[str] = field(default_factory=Counter)
    """Of forms met before."""
    rejudged: dict[str, JudgedForm] = field(default_factory=dict)
    """Forms stored before that labels have changed."""
    rejudged_change: int = 0
    """How many more of them are relevant."""
    states: dict[int, SiteState] = field(default_factory=dict)
    site_ranks: dict[int, Priority | None] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    saved: dict[str, bytes] = field(default_factory=dict)
    ranks: tuple[Ids, Ranks] | None = None
    """New ranks of waiting links, by rising id."""
    is_reopening: bool = False
    """Whether what was passed over before this batch waits again."""
    lessons: dict[int, bytes] = field(default_factory=dict)
    model: PublishedModel | None = None
    """The newest one; lessons up to its own are forgotten."""
    harvests: HarvestBatch = field(default_factory=HarvestBatch)

    def rank_again(self, ids: Ids, ranks: Ranks) -> None:
        """Take in the new ranks of some waiting links, by rising id."""
        if self.ranks is not None:
            # Of a link that moved twice the first of its rows counts.
            both = np.concatenate([ids, self.ranks[0]])
            ids, first = np.unique(both, return_index=True)
            ranks = np.concatenate([ranks, self.ranks[1]])[first]
        self.ranks = ids, ranks


def write(connection: sqlite3.Connection, batch: Batch) -> None:
    """Write a batch, all or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if batch.is_reopening:
            connection.execute("DELETE FROM visits WHERE outcome = ?", (PASSED_OVER,))
            sums.forget_passed(connection)
        # After that: SQLite gives the numbers of the last rows again when they are gone.
        marks = sums.read_marks(connection)
        urls = [url_row(arrival) for arrival in batch.arrivals.values()]
        _write_urls(connection, batch, urls)
        _write_visits(connection, batch)
        _write_sites(connection, batch)
        connection.executemany(
            "INSERT INTO saved VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            batch.saved.items(),
        )
        ranked = [] if batch.ranks is None else _write_ranks(connection, *batch.ranks)
        _write_lessons(connection, batch)
        write_harvests(connection, batch.harvests)
        sums.write_sums(connection, marks, urls, batch.saved, _list_touched(batch, ranked))
        sums.count_sightings(connection, len(batch.forms) + batch.sightings.total())
        connection.execute("COMMIT")
    finally:
        # A full disk may have undone the transaction already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _list_touched(batch: Batch, ranked: list[int]) -> Iterator[sums.Touched]:
    """What is changed and not only added."""
    harvests = batch.harvests
    yield from (("arrivals", sums.ONE_BLOCK, (first,)) for first in ranked)
    yield from (("forms", sums.ONE_FORM, (signature,)) for signature in batch.rejudged)
    yield from (("harvests", sums.ONE_HARVEST, (number,)) for number in harvests.heads)
    queries = {*harvests.outcomes, *((row[0], row[1]) for row in harvests.queries)}
    yield from (("queries", sums.ONE_QUERY, query) for query in queries)
    yield from (("result_pages", sums.PAGE_AND_BEFORE, row[:3]) for row in harvests.pages)
    yield from (("details", sums.ONE_DETAIL, row[:2]) for row in harvests.details)


def _write_urls(connection: sqlite3.Connection, batch: Batch, rows: list[Row]) -> None:
    arrivals = list(batch.arrivals.values())
    if not arrivals:
        return
    insert(connection, "urls", URL_COLUMNS, rows)
    columns = (
        np.array([arrival.hash for arrival in arrivals], "<u8"),
        np.array([arrival.site for arrival in arrivals], "<i4"),
        np.array([arrival.rank for arrival in arrivals], "<i8"),
    )
    connection.execute(
        "INSERT INTO arrivals VALUES (?, ?, ?, ?)",
        (arrivals[0].id, *(column.tobytes() for column in columns)),
    )


def _write_visits(connection: sqlite3.Connection, batch: Batch) -> None:
    visits = [visit_row(visit, site) for visit, site in batch.visits.values()]
    insert(connection, "visits", VISIT_COLUMNS, visits)
    insert(connection, "forms", FORM_COLUMNS, [form_row(*form) for form in batch.forms])
    connection.executemany(
        "UPDATE forms SET sightings = sightings + ? WHERE signature = ?",
        [(times, signature) for signature, times in batch.sightings.items()],
    )
    connection.executemany(
        "UPDATE forms SET relevant = ?, judged = ? WHERE signature = ?",
        [rejudged_row(judged) for judged in batch.rejudged.values()],
    )
    insert(connection, "events", EVENT_COLUMNS, [event_row(event) for event in batch.events])


def _write_sites(connection: sqlite3.Connection, batch: Batch) -> None:
    insert(connection, "sites", "id, site", batch.sites)
    states = [(site, *state_row(state)) for site, state in batch.states.items()]
    insert(connection, "states", f"site, {STATE_COLUMNS}", states)
    ranks = [(site, *(rank or (None, None))[:2]) for site, rank in batch.site_ranks.items()]
    insert(connection, "site_ranks", "site, tier, score", ranks)


def _write_lessons(connection: sqlite3.Connection, batch: Batch) -> None:
    insert(connection, "lessons", "id, body", list(batch.lessons.items()))
    if batch.model is not None:
        model = batch.model
        connection.execute("DELETE FROM models")
        insert(connection, "models", "version, state, upto", [structs.astuple(model)])
        connection.execute("DELETE FROM lessons WHERE id <= ?", (model.upto,))
        sums.sum_model(connection, model.upto)


def _write_ranks(connection: sqlite3.Connection, ids: Ids, ranks: Ranks) -> list[int]:
    """The blocks that have changed, by their first candidates."""
    changed: list[Row] = []
    for first, cells in connection.execute("SELECT first, ranks FROM arrivals"):
        held = np.frombuffer(cells, "<i8").copy()
        start, end = np.searchsorted(ids, (first, first + len(held)))
        if start < end:
            held[ids[start:end] - first] = ranks[start:end]
            changed.append((held.tobytes(), first))
    connection.executemany("UPDATE arrivals SET ranks = ? WHERE first = ?", changed)
    return [first for _, first in changed]
