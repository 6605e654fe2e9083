"""How harvests are written to PostgreSQL."""

from psycopg import sql

from leadline.store.harvests.batch import HarvestBatch
from leadline.store.harvests.rows import (
    DETAIL_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
    harvest_row,
    outcome_row,
)
from leadline.store.postgres.connecting import Connection
from leadline.store.postgres.copying import Copier, storable


def _names(columns: str, pattern: str = "{0}") -> sql.Composable:
    parts = [sql.SQL(pattern).format(sql.Identifier(name)) for name in columns.split(", ")]
    return sql.SQL(", ").join(parts)


_PLACES = sql.SQL(", ").join([sql.Placeholder()] * len(HARVEST_COLUMNS.split(", ")))
_HEAD = sql.SQL("INSERT INTO harvests ({}) VALUES ({}) ON CONFLICT (id) DO UPDATE SET {}").format(
    _names(HARVEST_COLUMNS), _PLACES, _names(HARVEST_COLUMNS, "{0} = excluded.{0}")
)
_OUTCOME = sql.SQL("UPDATE queries SET {} WHERE harvest = %s AND number = %s").format(
    _names(OUTCOME_COLUMNS, "{0} = %s")
)
_TURNED = "UPDATE result_pages SET turn = NULL WHERE harvest = %s AND query = %s AND number = %s"
_SEEN = "UPDATE records SET sightings = sightings + %s WHERE harvest = %s AND hash = %s"


def write_harvests(connection: Connection, copier: Copier, batch: HarvestBatch) -> None:
    """Inside the transaction of the whole batch."""
    heads = [storable(harvest_row(harvest)) for harvest in batch.heads.values()]
    # A turn tells the way that led to it: kept for every page, it would grow with their square.
    turned = [(harvest, query, number - 1) for harvest, query, number, *_ in batch.pages]
    seen = [(times, *record) for record, times in batch.sightings.items()]
    ended = [(*outcome_row(outcome), *query) for query, outcome in batch.outcomes.items()]
    with connection.cursor() as cursor:
        if heads:
            cursor.executemany(_HEAD, heads)
        for table, columns, rows in (
            ("queries", QUERY_COLUMNS, batch.queries),
            ("result_pages", PAGE_COLUMNS, batch.pages),
            ("records", RECORD_COLUMNS, batch.records),
            ("details", DETAIL_COLUMNS, batch.details),
        ):
            if rows:
                copier.write(table, columns, rows)
        for statement, changes in ((_TURNED, turned), (_SEEN, seen), (_OUTCOME, ended)):
            if changes:
                cursor.executemany(statement, [storable(change) for change in changes])
