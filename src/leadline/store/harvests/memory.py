"""Harvests in memory: the reference for all others; and those that need a claim to be changed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from msgspec import structs

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
from leadline.core.store import HarvestStore
from leadline.core.url import Url
from leadline.errors import StoreError
from leadline.store.harvests.rows import Account, with_reader


@dataclass(slots=True)
class _Shelf:
    """One harvest."""

    head: Harvest
    account: Account = field(default_factory=Account)
    queries: dict[int, StoredQuery] = field(default_factory=dict)
    pages: list[ResultPage] = field(default_factory=list)
    records: dict[int, StoredRecord] = field(default_factory=dict)
    """By the hash of the key."""
    detailed: int = 0
    """The last record whose own page was asked for."""


class MemoryHarvests:
    """Keeps the guarantees of `Harvests` as long as the process lives."""

    def __init__(self) -> None:
        self._shelves: dict[HarvestId, _Shelf] = {}
        self._records = 0

    def begin(self, subject: HarvestSource, at: float) -> Harvest:
        if self.find(subject.signature) is not None:
            raise StoreError(f"form {subject.signature} has a harvest already")
        head = Harvest(HarvestId(len(self._shelves) + 1), subject, at)
        self._shelves[head.id] = _Shelf(head)
        return head

    def keep(self, harvest: Harvest) -> None:
        shelf = self._shelves[harvest.id]
        shelf.account.count_requests(harvest.requests - shelf.head.requests)
        shelf.head = harvest

    def begin_query(self, harvest: HarvestId, asked: StoredQuery) -> None:
        shelf = self._shelves[harvest]
        shelf.account.count_query(asked.number)
        shelf.queries[asked.number] = asked

    def add_page(
        self,
        harvest: HarvestId,
        page: ResultPage,
        records: Sequence[Record],
        reader: bytes | None = None,
    ) -> ResultPage:
        shelf = self._shelves[harvest]
        page, are_new = shelf.account.admit(page, records)
        shelf.head = with_reader(shelf.head, reader)
        if page.number > 1:
            shelf.pages[-1] = structs.replace(shelf.pages[-1], next_page=None)
        shelf.pages.append(page)
        columns = zip(records, page.keys, are_new, strict=True)
        for position, (record, key, is_new) in enumerate(columns, start=1):
            if is_new:
                self._records += 1
                place = page.query, page.number, position, page.at
                shelf.records[key] = StoredRecord(harvest, self._records, record, *place)
            else:
                kept = shelf.records[key]
                shelf.records[key] = structs.replace(kept, sightings=kept.sightings + 1)
        return page

    def end_query(self, harvest: HarvestId, number: int, outcome: Outcome) -> None:
        queries = self._shelves[harvest].queries
        queries[number] = structs.replace(queries[number], outcome=outcome)

    def add_detail(
        self,
        harvest: HarvestId,
        record: int,
        cells: Sequence[Cell],
        requests: int,
        at: float,  # noqa: ARG002
    ) -> None:
        shelf = self._shelves[harvest]
        for key, kept in shelf.records.items():
            if kept.number == record:
                shelf.records[key] = structs.replace(kept, detail=tuple(cells))
        shelf.detailed = max(shelf.detailed, record)
        shelf.account.count_detail(requests)

    def without_detail(self, harvest: HarvestId, limit: int) -> list[tuple[int, Url]]:
        shelf = self._shelves[harvest]
        waiting = (kept for kept in shelf.records.values() if kept.number > shelf.detailed)
        found = [(kept.number, kept.record.url) for kept in waiting if kept.record.url is not None]
        return found[:limit]

    def all(self) -> Iterator[Harvest]:
        return iter([shelf.head for shelf in self._shelves.values()])

    def find(self, signature: str) -> Harvest | None:
        return next((head for head in self.all() if head.subject.signature == signature), None)

    def queries(self, harvest: HarvestId) -> Iterator[StoredQuery]:
        return iter(list(self._shelves[harvest].queries.values()))

    def pages(self, harvest: HarvestId) -> Iterator[tuple[ResultPage, list[Record]]]:
        shelf = self._shelves[harvest]
        for page in list(shelf.pages):
            yield page, [shelf.records[key].record for key in page.keys]

    def records(self, harvest: HarvestId | None = None) -> Iterator[StoredRecord]:
        chosen = self._shelves.values() if harvest is None else [self._shelves[harvest]]
        found = [kept for shelf in chosen for kept in shelf.records.values()]
        return iter(sorted(found, key=lambda kept: kept.number))

    def tally(self, harvest: HarvestId) -> HarvestCounts:
        return self._shelves[harvest].account.tally


class GuardedHarvests:
    """Looks at the claim before each change; `check` raises LeaseLostError when it is lost."""

    def __init__(self, inner: HarvestStore, check: Callable[[], None]) -> None:
        self._inner = inner
        self._check = check

    def begin(self, subject: HarvestSource, at: float) -> Harvest:
        self._check()
        return self._inner.begin(subject, at)

    def keep(self, harvest: Harvest) -> None:
        self._check()
        self._inner.keep(harvest)

    def begin_query(self, harvest: HarvestId, asked: StoredQuery) -> None:
        self._check()
        self._inner.begin_query(harvest, asked)

    def add_page(
        self,
        harvest: HarvestId,
        page: ResultPage,
        records: Sequence[Record],
        reader: bytes | None = None,
    ) -> ResultPage:
        self._check()
        return self._inner.add_page(harvest, page, records, reader)

    def end_query(self, harvest: HarvestId, number: int, outcome: Outcome) -> None:
        self._check()
        self._inner.end_query(harvest, number, outcome)

    def add_detail(
        self, harvest: HarvestId, record: int, cells: Sequence[Cell], requests: int, at: float
    ) -> None:
        self._check()
        self._inner.add_detail(harvest, record, cells, requests, at)

    def without_detail(self, harvest: HarvestId, limit: int) -> list[tuple[int, Url]]:
        return self._inner.without_detail(harvest, limit)

    def all(self) -> Iterator[Harvest]:
        return self._inner.all()

    def find(self, signature: str) -> Harvest | None:
        return self._inner.find(signature)

    def queries(self, harvest: HarvestId) -> Iterator[StoredQuery]:
        return self._inner.queries(harvest)

    def pages(self, harvest: HarvestId) -> Iterator[tuple[ResultPage, list[Record]]]:
        return self._inner.pages(harvest)

    def records(self, harvest: HarvestId | None = None) -> Iterator[StoredRecord]:
        return self._inner.records(harvest)

    def tally(self, harvest: HarvestId) -> HarvestCounts:
        return self._inner.tally(harvest)
