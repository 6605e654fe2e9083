"""How harvests are written to PostgreSQL, by a worker that has a claim on them."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections.abc import Iterator
from types import TracebackType

from psycopg import sql

from leadline.core.harvest import Harvest, HarvestId, HarvestSource
from leadline.core.store import Claim
from leadline.errors import StoreError
from leadline.store.batch import Batch
from leadline.store.harvests.rows import (
    DETAIL_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
    Account,
    HarvestBatch,
    harvest_row,
    outcome_row,
)
from leadline.store.harvests.tables import TableHarvests, WrittenHarvests
from leadline.store.postgres.connection import Connection, Copier, storable
from leadline.store.postgres.run import check_claim
from leadline.store.postgres.session import Session


def _names(columns: str, pattern: str = "{0}") -> sql.Composable:
    parts = [sql.SQL(pattern).format(sql.Identifier(name)) for name in columns.split(", ")]
    return sql.SQL(", ").join(parts)


_PLACES = sql.SQL(", ").join([sql.Placeholder()] * len(HARVEST_COLUMNS.split(", ")))
_STORE_HEAD = sql.SQL(
    "INSERT INTO harvests ({}) VALUES ({}) ON CONFLICT (id) DO UPDATE SET {}"
).format(_names(HARVEST_COLUMNS), _PLACES, _names(HARVEST_COLUMNS, "{0} = excluded.{0}"))
_OUTCOME = sql.SQL("UPDATE queries SET {} WHERE harvest = %s AND number = %s").format(
    _names(OUTCOME_COLUMNS, "{0} = %s")
)
_TURNED = "UPDATE result_pages SET turn = NULL WHERE harvest = %s AND query = %s AND number = %s"
_SEEN_AGAIN = "UPDATE records SET sightings = sightings + %s WHERE harvest = %s AND hash = %s"


def write_harvests(connection: Connection, copier: Copier, batch: HarvestBatch) -> None:
    """Inside the transaction of the whole batch."""
    heads = [storable(harvest_row(harvest)) for harvest in batch.heads.values()]
    # A turn tells the way that led to it: kept for every page, it would grow with their square.
    turned = [(harvest, query, number - 1) for harvest, query, number, *_ in batch.pages]
    seen = [(times, *record) for record, times in batch.sightings.items()]
    ended = [(*outcome_row(outcome), *query) for query, outcome in batch.outcomes.items()]
    with connection.cursor() as cursor:
        if heads:
            cursor.executemany(_STORE_HEAD, heads)
        for table, columns, rows in (
            ("queries", QUERY_COLUMNS, batch.queries),
            ("result_pages", PAGE_COLUMNS, batch.pages),
            ("records", RECORD_COLUMNS, batch.records),
            ("details", DETAIL_COLUMNS, batch.details),
        ):
            if rows:
                copier.write(table, columns, rows)
        for statement, changes in ((_TURNED, turned), (_SEEN_AGAIN, seen), (_OUTCOME, ended)):
            if changes:
                cursor.executemany(statement, [storable(change) for change in changes])


_COLUMNS = HARVEST_COLUMNS.removeprefix("id, ")
_BEGIN = (
    f"INSERT INTO harvests ({_COLUMNS}) VALUES ({', '.join(['%s'] * (_COLUMNS.count(',') + 1))})"
    " ON CONFLICT (signature) DO NOTHING RETURNING id"
)


class ClaimedWriter:
    """Stands where the writing thread does: writes each change in a transaction of its own, under
    a claim."""

    def __init__(self, session: Session, claim: Claim | None) -> None:
        self._session = session
        self._claim = claim
        self._batch = Batch()
        self.failed = False
        """Whether what is held in memory may not be in the database."""

    def __enter__(self) -> Batch:
        self._batch = Batch()
        return self._batch

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            return
        self.failed = True
        with self._session.transaction() as connection:
            if self._claim is not None:
                check_claim(connection, self._claim)
            write_harvests(connection, self._session.copier, self._batch.harvests)
        self.failed = False

    def begin(self, subject: HarvestSource, at: float) -> Harvest:
        row = storable(harvest_row(Harvest(HarvestId(0), subject, at))[1:])
        with self._session.transaction() as connection:
            if self._claim is not None:
                check_claim(connection, self._claim)
            found = connection.execute(_BEGIN, row).fetchone()
        if found is None:
            raise StoreError(f"form {subject.signature} has a harvest already")
        return Harvest(HarvestId(found[0]), subject, at)

    def flush(self) -> None:
        """Everything is written already."""

    def check(self) -> None:
        """Any call may be made."""


class SharedHarvests(WrittenHarvests):
    """After a call that failed, what is held in memory is read anew."""

    def __init__(self, session: Session, claim: Claim | None, reader: TableHarvests) -> None:
        self._writer_at_once = ClaimedWriter(session, claim)
        super().__init__(self._writer_at_once, reader)

    def begin(self, subject: HarvestSource, at: float) -> Harvest:
        head = self._writer_at_once.begin(subject, at)
        self._heads[head.id] = head
        self._accounts[head.id] = Account()
        return head

    def all(self) -> Iterator[Harvest]:
        return self._reader.all()

    def _account(self, harvest: HarvestId) -> Account:
        if self._writer_at_once.failed:
            self._accounts = {}
            self._heads = {head.id: head for head in self._reader.all()}
            self._writer_at_once.failed = False
        return super()._account(harvest)
