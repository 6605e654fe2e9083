"""Harvests in a durable store: written with all else by its one thread, or only looked at."""

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Protocol

from leadline.core.harvest import (
    Cell,
    Harvest,
    HarvestCounts,
    HarvestId,
    HarvestSource,
    Outcome,
    Record,
    ResultPage,
    StoredQuery,
    StoredRecord,
)
from leadline.core.url import Url
from leadline.errors import StoreError
from leadline.store.batch import Batch
from leadline.store.harvests.reading import TableHarvests
from leadline.store.harvests.rows import (
    Account,
    detail_row,
    page_row,
    query_row,
    record_row,
    with_reader,
)
from leadline.store.rows import signed


class BatchKeeper(Protocol):
    """Where changes are left: the writing thread, or one who writes at once."""

    def __enter__(self) -> Batch:
        """The batch to add one record to; it is not written before the block ends."""
        ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def flush(self) -> None: ...

    def check(self) -> None: ...


class WrittenHarvests:
    """Keeps the guarantees of `Harvests` across kill -9.

    In memory are 16 to 32 bytes a record of the harvests that were written to; records
    themselves are on disk only.
    """

    def __init__(
        self,
        writer: BatchKeeper,
        reader: TableHarvests,
        lock: Callable[[], Callable[[], None]] | None = None,
    ) -> None:
        """`lock` is called before the first change, if others may write harvests too: it returns
        what releases the lock, or raises StoreLockedError."""
        self._writer = writer
        self._lock = lock
        self._unlock: Callable[[], None] | None = None
        self._reader = reader
        self._heads = {head.id: head for head in reader.all()}
        self._accounts: dict[HarvestId, Account] = {}

    def close(self) -> None:
        """Let others write harvests."""
        if self._unlock is not None:
            self._unlock()
            self._unlock = None

    def _become_writer(self) -> None:
        if self._lock is None:
            return
        self._unlock, self._lock = self._lock(), None
        # Another process may have written harvests since this one opened the store.
        self._heads = {head.id: head for head in self._reader.all()}
        self._accounts.clear()

    def begin(self, subject: HarvestSource, at: float) -> Harvest:
        self._become_writer()
        if self.find(subject.signature) is not None:
            raise StoreError(f"form {subject.signature} has a harvest already")
        head = Harvest(HarvestId(max(self._heads, default=0) + 1), subject, at)
        with self._writer as batch:
            batch.harvests.heads[head.id] = self._heads[head.id] = head
        self._accounts[head.id] = Account()
        return head

    def keep(self, harvest: Harvest) -> None:
        self._become_writer()
        before = self._heads[harvest.id]
        self._account(harvest.id).count_requests(harvest.requests - before.requests)
        with self._writer as batch:
            batch.harvests.heads[harvest.id] = self._heads[harvest.id] = harvest

    def begin_query(self, harvest: HarvestId, asked: StoredQuery) -> None:
        account = self._account(harvest)
        with self._writer as batch:
            account.count_query(asked.number)
            batch.harvests.queries.append(query_row(harvest, asked))

    def add_page(
        self,
        harvest: HarvestId,
        page: ResultPage,
        records: Sequence[Record],
        reader: bytes | None = None,
    ) -> ResultPage:
        account = self._account(harvest)
        with self._writer as batch:
            page, are_new = account.admit(page, records)
            batch.harvests.pages.append(page_row(harvest, page))
            if reader is not None:
                head = with_reader(self._heads[harvest], reader)
                batch.harvests.heads[harvest] = self._heads[harvest] = head
            columns = zip(records, page.keys, are_new, strict=True)
            for position, (record, key, is_new) in enumerate(columns, start=1):
                if is_new:
                    place = page.query, page.number, position, page.at
                    kept = StoredRecord(harvest, 0, record, *place)
                    batch.harvests.records.append(record_row(kept, signed(key)))
                else:
                    batch.harvests.sightings[harvest, signed(key)] += 1
        return page

    def end_query(self, harvest: HarvestId, number: int, outcome: Outcome) -> None:
        with self._writer as batch:
            batch.harvests.outcomes[harvest, number] = outcome

    def add_detail(
        self, harvest: HarvestId, record: int, cells: Sequence[Cell], requests: int, at: float
    ) -> None:
        account = self._account(harvest)
        with self._writer as batch:
            row = detail_row(harvest, record, tuple(cells), requests, at)
            batch.harvests.details.append(row)
            account.count_detail(requests)

    def without_detail(self, harvest: HarvestId, limit: int) -> list[tuple[int, Url]]:
        self._writer.flush()
        return self._reader.without_detail(harvest, limit)

    def all(self) -> Iterator[Harvest]:
        self._writer.check()
        return iter(list(self._heads.values()))

    def find(self, signature: str) -> Harvest | None:
        return next((head for head in self.all() if head.subject.signature == signature), None)

    def queries(self, harvest: HarvestId) -> Iterator[StoredQuery]:
        self._writer.flush()
        return self._reader.queries(harvest)

    def pages(self, harvest: HarvestId) -> Iterator[tuple[ResultPage, list[Record]]]:
        self._writer.flush()
        return self._reader.pages(harvest)

    def records(self, harvest: HarvestId | None = None) -> Iterator[StoredRecord]:
        self._writer.flush()
        return self._reader.records(harvest)

    def tally(self, harvest: HarvestId) -> HarvestCounts:
        self._writer.check()
        return self._account(harvest).tally

    def _account(self, harvest: HarvestId) -> Account:
        account = self._accounts.get(harvest)
        if account is None:
            account = self._accounts[harvest] = self._reader.account(harvest)
        return account
