"""A whole store from one place to another: everything, or nothing."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from leadline.errors import ConfigError, StoreError
from leadline.store import check_psycopg
from leadline.store.address import IN_MEMORY, is_database
from leadline.store.transfer.sqlite import COLUMNS, CopySink, CopySource, SqliteSink, SqliteSource

Told = Callable[[str, int], None]
"""Called with each table and how many rows of it were carried."""


def copy_store(source: str, target: str, tell: Told = lambda _table, _rows: None) -> dict[str, int]:
    """Carry the store at `source` to `target`; how many rows of each table there were.

    The one is a file, the other a database. Nobody may write the source meanwhile. What was copied
    is counted in the end, and nothing of it stays when the counts differ, or anything fails.
    """
    _check(source, target)
    check_psycopg()
    with closing(_source(source)) as rows_of, closing(_sink(target)) as into:
        counts = {}
        for table in COLUMNS:
            counts[table] = into.write(table, iter(rows_of.rows(table)))
            tell(table, counts[table])
        _verify(rows_of, into, counts)
        into.finish()
    return counts


def _verify(source: CopySource, sink: CopySink, counts: dict[str, int]) -> None:
    for table, sent in counts.items():
        held, arrived = source.count(table), sink.count(table)
        if not held == sent == arrived:
            raise StoreError(
                f"{table}: {held} rows in the source, {sent} sent, {arrived} arrived; "
                "nothing was kept"
            )


def _check(source: str, target: str) -> None:
    if IN_MEMORY in (source, target):
        raise ConfigError("a store in memory cannot be copied: name a file or a database")
    if is_database(source) and is_database(target):
        raise ConfigError("from database to database, use pg_dump and pg_restore")
    if not is_database(source) and not is_database(target):
        raise ConfigError(
            "from file to file, stop what writes it and use cp; one must be a database"
        )


def _source(place: str) -> CopySource:
    if not is_database(place):
        return SqliteSource(Path(place))
    from leadline.store.transfer.postgres import PostgresSource

    return PostgresSource(place)


def _sink(place: str) -> CopySink:
    if not is_database(place):
        return SqliteSink(Path(place))
    from leadline.store.transfer.postgres import PostgresSink

    return PostgresSink(place)
