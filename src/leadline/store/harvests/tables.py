"""Harvests in the tables of a store: read, and written by its one thread."""
# ruff: noqa: S608 - the only words put into queries are column lists of harvests.rows

from collections.abc import Callable, Iterator, Sequence
from types import TracebackType
from typing import Protocol

import numpy as np

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
from leadline.frontier.seen_urls import SeenUrls
from leadline.store.batch import Batch
from leadline.store.harvests.rows import (
    BEFORE_ALL,
    EARLIER_QUERY_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
    Account,
    Row,
    detail_row,
    harvest_of,
    kept_of,
    page_of,
    page_row,
    query_of,
    query_row,
    record_of,
    record_row,
    with_reader,
)
from leadline.store.reading import LOOKUPS, PAGE_ROWS, Reader
from leadline.store.rows import to_signed, to_unsigned

_DETAIL = "(SELECT d.cells FROM details AS d WHERE d.harvest = t.harvest AND d.record = t.id)"


class TableHarvests:
    """Read access to the harvests of a store. Sees what is committed."""

    def __init__(self, reader: Reader, *, has_held_matches: bool = True) -> None:
        """Without `has_held_matches` the file is older than that column."""
        self._query_columns = QUERY_COLUMNS if has_held_matches else EARLIER_QUERY_COLUMNS
        self._all = reader.all
        self._rows = reader.rows

    def all(self) -> Iterator[Harvest]:
        return map(harvest_of, self._all(f"SELECT {HARVEST_COLUMNS} FROM harvests ORDER BY id"))

    def find(self, signature: str) -> Harvest | None:
        query = f"SELECT {HARVEST_COLUMNS} FROM harvests WHERE signature = ?"
        rows = self._all(query, signature)
        return harvest_of(rows[0]) if rows else None

    def queries(self, harvest: HarvestId) -> Iterator[StoredQuery]:
        after = 0
        query = (
            f"SELECT {self._query_columns}, {OUTCOME_COLUMNS} FROM queries"
            " WHERE harvest = ? AND number > ? ORDER BY number LIMIT ?"
        )
        while rows := self._all(query, harvest, after, PAGE_ROWS):
            found = [query_of(row) for row in rows]
            yield from found
            after = found[-1].number

    def pages(self, harvest: HarvestId) -> Iterator[tuple[ResultPage, list[Record]]]:
        """Reads records where they were first seen in one go, and looks up those seen again."""
        fresh = self._record_rows(harvest)
        for page in self._pages(harvest):
            held = {
                row[2]: record_of(row) for _, row in zip(range(page.fresh), fresh, strict=False)
            }
            keys = [to_signed(key) for key in page.keys]
            held.update(self._lookup(harvest, [key for key in keys if key not in held]))
            yield page, [held[key] for key in keys]

    def records(self, harvest: HarvestId | None = None) -> Iterator[StoredRecord]:
        return map(kept_of, self._record_rows(harvest, f", {_DETAIL}"))

    def without_detail(self, harvest: HarvestId, limit: int) -> list[tuple[int, Url]]:
        query = (
            "SELECT id, url FROM records WHERE harvest = ?1 AND url IS NOT NULL AND id >"
            " (SELECT coalesce(max(record), 0) FROM details WHERE harvest = ?1)"
            " ORDER BY id LIMIT ?2"
        )
        return self._all(query, harvest, limit)

    def account(self, harvest: HarvestId) -> Account:
        """What the store holds in memory of a harvest, brought back."""
        rows = self._rows("SELECT hash FROM records WHERE harvest = ?", harvest)
        keys = np.fromiter((to_unsigned(key) for (key,) in rows), np.uint64)
        last = self._all(
            "SELECT query, number FROM result_pages WHERE harvest = ? ORDER BY seq DESC LIMIT 1",
            harvest,
        )
        return Account(SeenUrls(keys), last[0] if last else BEFORE_ALL, self.tally(harvest))

    def tally(self, harvest: HarvestId) -> HarvestCounts:
        (sums,) = self._all(
            "SELECT (SELECT count(*) FROM queries WHERE harvest = ?1),"
            " count(*), coalesce(sum(requests), 0), coalesce(sum(fresh), 0),"
            " coalesce(sum(length(keys)) / 8, 0) FROM result_pages WHERE harvest = ?1",
            harvest,
        )
        (details,) = self._all(
            "SELECT count(*), coalesce(sum(requests), 0) FROM details WHERE harvest = ?", harvest
        )
        ((others,),) = self._all("SELECT requests FROM harvests WHERE id = ?", harvest)
        queries, pages, requests, records, sightings = sums
        spent = requests + details[1] + others
        return HarvestCounts(queries, pages, spent, records, sightings, details[0])

    def last_id(self) -> int:
        ((number,),) = self._all("SELECT coalesce(max(id), 0) FROM harvests")
        return int(number)

    def _pages(self, harvest: HarvestId) -> Iterator[ResultPage]:
        query = (
            f"SELECT seq, {PAGE_COLUMNS} FROM result_pages"
            " WHERE harvest = ? AND seq > ? ORDER BY seq LIMIT ?"
        )
        after = 0
        while rows := self._all(query, harvest, after, PAGE_ROWS):
            yield from (page_of(row[1:]) for row in rows)
            after = rows[-1][0]

    def _record_rows(self, harvest: HarvestId | None, more: str = "") -> Iterator[Row]:
        """In the order of first sight; `more` columns behind the others."""
        query = (
            f"SELECT id, {RECORD_COLUMNS}{more} FROM records AS t"
            " WHERE id > ?1 AND (harvest = ?2 OR ?2 IS NULL) ORDER BY id LIMIT ?3"
        )
        after = 0
        while rows := self._all(query, after, harvest, PAGE_ROWS):
            yield from rows
            after = rows[-1][0]

    def _lookup(self, harvest: HarvestId, keys: list[int]) -> dict[int, Record]:
        found: dict[int, Record] = {}
        for start in range(0, len(keys), LOOKUPS):
            asked = keys[start : start + LOOKUPS]
            query = (
                f"SELECT {RECORD_COLUMNS} FROM records"
                f" WHERE harvest = ? AND hash IN ({', '.join('?' * len(asked))})"
            )
            found.update({row[1]: record_of(row) for row in self._all(query, harvest, *asked)})
        return found


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
                    batch.harvests.records.append(record_row(kept, to_signed(key)))
                else:
                    batch.harvests.sightings[harvest, to_signed(key)] += 1
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
