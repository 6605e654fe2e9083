"""Harvests that only the holder of a claim may change."""

from collections.abc import Callable, Iterator, Sequence

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
