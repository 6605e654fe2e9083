"""Harvests that a worker draws up under a claim, beside others."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections.abc import Iterator
from types import TracebackType

from leadline.core.kept import Harvest, HarvestId, Subject
from leadline.core.shared import Claim
from leadline.errors import StoreError
from leadline.store.batch import Batch
from leadline.store.harvests.account import Account
from leadline.store.harvests.reading import HarvestReader
from leadline.store.harvests.rows import HARVEST_COLUMNS, harvest_row
from leadline.store.harvests.written import WrittenHarvests
from leadline.store.postgres.copying import storable
from leadline.store.postgres.harvesting import write_harvests
from leadline.store.postgres.learning import check_claim
from leadline.store.postgres.line import Line

_COLUMNS = HARVEST_COLUMNS.removeprefix("id, ")
_BEGIN = (
    f"INSERT INTO harvests ({_COLUMNS}) VALUES ({', '.join(['%s'] * (_COLUMNS.count(',') + 1))})"
    " ON CONFLICT (signature) DO NOTHING RETURNING id"
)


class AtOnce:
    """Stands where the writing thread does: writes each change in a transaction of its own, under
    a claim."""

    def __init__(self, line: Line, claim: Claim) -> None:
        self._line = line
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
        with self._line.transaction() as connection:
            check_claim(connection, self._claim)
            write_harvests(connection, self._line.copier, self._batch.harvests)
        self.failed = False

    def begin(self, subject: Subject, at: float) -> Harvest:
        row = storable(harvest_row(Harvest(HarvestId(0), subject, at))[1:])
        with self._line.transaction() as connection:
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

    def __init__(self, line: Line, claim: Claim, reader: HarvestReader) -> None:
        self._at_once = AtOnce(line, claim)
        super().__init__(self._at_once, reader)

    def begin(self, subject: Subject, at: float) -> Harvest:
        head = self._at_once.begin(subject, at)
        self._heads[head.id] = head
        self._accounts[head.id] = Account()
        return head

    def all(self) -> Iterator[Harvest]:
        return self._reader.heads()

    def _account(self, harvest: HarvestId) -> Account:
        if self._at_once.failed:
            self._accounts = {}
            self._heads = {head.id: head for head in self._reader.heads()}
            self._at_once.failed = False
        return super()._account(harvest)
