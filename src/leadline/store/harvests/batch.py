"""What of harvests waits to be written, and how it is written."""
# ruff: noqa: S608 - the only words put into queries are column lists of harvests.rows

import sqlite3
from collections import Counter
from dataclasses import dataclass, field

from leadline.core.harvest import Harvest, HarvestId, Outcome
from leadline.store.harvests.rows import (
    DETAIL_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
    Row,
    harvest_row,
    outcome_row,
)
from leadline.store.inserting import insert


@dataclass(slots=True, eq=False)
class HarvestBatch:
    """Everything recorded of harvests since the last transaction."""

    heads: dict[HarvestId, Harvest] = field(default_factory=dict)
    queries: list[Row] = field(default_factory=list)
    pages: list[Row] = field(default_factory=list)
    records: list[Row] = field(default_factory=list)
    sightings: Counter[tuple[HarvestId, int]] = field(default_factory=Counter)
    """Of records met before, by harvest and signed hash."""
    outcomes: dict[tuple[HarvestId, int], Outcome] = field(default_factory=dict)
    """By harvest and number of the query."""
    details: list[Row] = field(default_factory=list)


def write_harvests(connection: sqlite3.Connection, batch: HarvestBatch) -> None:
    """Inside the transaction of the whole batch."""
    heads = [harvest_row(harvest) for harvest in batch.heads.values()]
    insert(connection, "harvests", HARVEST_COLUMNS, heads, "INSERT OR REPLACE")
    insert(connection, "queries", QUERY_COLUMNS, batch.queries)
    insert(connection, "result_pages", PAGE_COLUMNS, batch.pages)
    # A turn tells the way that led to it: kept for every page, it would grow with their square.
    connection.executemany(
        "UPDATE result_pages SET turn = NULL WHERE harvest = ? AND query = ? AND number = ?",
        [(harvest, query, number - 1) for harvest, query, number, *_ in batch.pages if number > 1],
    )
    insert(connection, "records", RECORD_COLUMNS, batch.records)
    connection.executemany(
        "UPDATE records SET sightings = sightings + ? WHERE harvest = ? AND hash = ?",
        [(times, *record) for record, times in batch.sightings.items()],
    )
    places = ", ".join(f"{column} = ?" for column in OUTCOME_COLUMNS.split(", "))
    connection.executemany(
        f"UPDATE queries SET {places} WHERE harvest = ? AND number = ?",
        [(*outcome_row(outcome), *query) for query, outcome in batch.outcomes.items()],
    )
    insert(connection, "details", DETAIL_COLUMNS, batch.details)
