"""The harvests of a store in memory: counts, coverage and record keys of each."""

from collections import defaultdict
from collections.abc import Callable, Iterable

import msgspec
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.change_feed import ChangeFeed, HarvestHead, PageEntry
from leadline.core.harvest import HarvestId, Outcome, ResultPage, StoredQuery
from leadline.harvester.coverage import Coverage, CoverageMonitor
from leadline.harvester.interface import Interface
from leadline.harvester.session.answer_pages import AnswerPages

MOST_POINTS = 400
_ORDER_BITS = 40
"""Enough to number records by."""
_PAGES, _HEADS, _QUERIES = 5_000, 500, 1_000
"""Rows read at a time."""
_decode_interface = msgspec.msgpack.Decoder(Interface).decode

InterfaceOf = Callable[[str], bytes]
"""The interface of the form with a signature as its harvest keeps it; b'' before it is known."""


class CoveragePoint(Struct, frozen=True):
    """How far a harvest was after so many requests."""

    requests: int
    records: int
    sightings: int
    size: int | None
    """Records that searching can reach, as estimated then; None before anything came."""
    low: int | None
    high: int | None

    @staticmethod
    def make(requests: int, records: int, sightings: int, coverage: Coverage) -> "CoveragePoint":
        if not coverage.held:
            return CoveragePoint(requests, records, sightings, None, None, None)
        sizes = (coverage.size, coverage.low, coverage.high)
        return CoveragePoint(requests, records, sightings, *sizes)


class CoverageHistory:
    """The coverage estimate of one harvest over time.

    Takes finished queries in their order, each with the keys of its records: the coverage is that
    which the running harvest printed after the same query.
    """

    def __init__(self, interface: Interface | None) -> None:
        self.queries = 0
        self.requests = 0
        self.capped = 0
        """Queries that the source cut short."""
        self._monitor = CoverageMonitor(interface)
        self._curve: list[CoveragePoint] = []
        self._step = 1
        self._next = 1
        self._latest: Coverage | None = None

    def add(self, asked: StoredQuery, outcome: Outcome, keys: Iterable[int]) -> None:
        self._monitor.learn_query(asked, outcome, keys)
        self._latest = None
        self.queries = asked.number
        self.requests += outcome.requests
        self.capped += outcome.is_cut
        if self.requests >= self._next:
            self._curve.append(self._point())
            # A long harvest keeps every second point, so the curve stays below MOST_POINTS.
            if len(self._curve) > MOST_POINTS:
                self._curve = self._curve[::2]
                self._step *= 2
            self._next = self.requests + self._step

    @property
    def coverage(self) -> Coverage | None:
        """None before anything came."""
        return self._coverage() if self._monitor.evidence.held else None

    def coverage_with_part(self, pages: AnswerPages, records: int) -> Coverage:
        """The coverage that the harvest printed when it stopped in the middle of an answer."""
        return self._monitor.with_part(pages.outcome(), pages.keys).coverage(records)

    def curve(self) -> list[CoveragePoint]:
        """Thinned; the last point is that after the last finished query."""
        latest = [self._point()] if self.queries else []
        earlier = self._curve[:-1] if self._curve[-1:] == latest else self._curve
        return [*earlier, *latest]

    def _coverage(self) -> Coverage:
        if self._latest is None:
            self._latest = self._monitor.coverage()
        return self._latest

    def _point(self) -> CoveragePoint:
        evidence = self._monitor.evidence
        return CoveragePoint.make(
            self.requests, evidence.held, evidence.sightings, self._coverage()
        )


class RecordKeys:
    """The records of a harvest by number, and how often each was seen: 24 bytes a record."""

    def __init__(self) -> None:
        self.numbers: NDArray[np.int64] = np.zeros(0, np.int64)
        """In the order of first sight."""
        self._keys: NDArray[np.uint64] = np.zeros(0, np.uint64)
        """Sorted."""
        self._order: NDArray[np.int64] = np.zeros(0, np.int64)
        """The position of each among the numbers."""
        self._times: NDArray[np.int32] = np.zeros(0, np.int32)

    @property
    def mark(self) -> int:
        return int(self.numbers[-1]) if len(self.numbers) else 0

    def add(self, numbers: NDArray[np.int64], keys: NDArray[np.uint64]) -> None:
        """Adds new records, in the order of first sight."""
        if not len(numbers):
            return
        order = np.argsort(keys)
        at = np.searchsorted(self._keys, keys[order])
        self._order = np.insert(self._order, at, order + len(self.numbers))
        self._times = np.insert(self._times, at, 0)
        self._keys = np.insert(self._keys, at, keys[order])
        self.numbers = np.concatenate([self.numbers, numbers])

    def count(self, keys: NDArray[np.uint64]) -> None:
        """Counts one sighting more for each; keys of records that are not here yet are left out."""
        if not len(self._keys) or not len(keys):
            return
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        np.add.at(self._times, at[self._keys[at] == keys], 1)

    def most_seen(self, offset: int, limit: int) -> list[int]:
        """Numbers of records, those seen most often first."""
        most = min(offset + limit, len(self._times))
        if offset >= most:
            return []
        # Of equally frequent ones the first comes first, or pages of the list would overlap.
        order = self._order - (self._times.astype(np.int64) << _ORDER_BITS)
        best = np.argpartition(order, most - 1)[:most]
        best = best[np.argsort(order[best])]
        found: list[int] = self.numbers[self._order[best[offset:]]].tolist()
        return found

    def count_repeated(self) -> int:
        """How many records were seen more than once."""
        return int(np.count_nonzero(self._times > 1))

    def count_by_sightings(self, most: int) -> dict[int, int]:
        """Records by how often they were seen; `most` stands for that often or more."""
        counted = np.bincount(np.minimum(self._times, most))
        return {times: int(n) for times, n in enumerate(counted) if n and times}


class HarvestMirror:
    """One harvest."""

    def __init__(self, head: HarvestHead) -> None:
        self.head = head
        self.page_requests = 0
        """Requests for pages of results."""
        self.records = 0
        self.sightings = 0
        self.details = 0
        self.detail_requests = 0
        self.keys = RecordKeys()
        self.history = CoverageHistory(None)
        self._interface = b""
        self._open_pages: dict[int, list[PageEntry]] = defaultdict(list)
        """Pages by query, of queries that are not finished."""
        self._unfinished: StoredQuery | None = None
        self._stopped: tuple[int, Coverage] | None = None
        """The coverage with the part of an unfinished answer, and the records then."""
        self._pages: list[PageEntry] = []
        self._detail_mark = 0

    @property
    def requests(self) -> int:
        """All of them."""
        return self.page_requests + self.detail_requests + self.head.requests

    @property
    def coverage(self) -> Coverage | None:
        """The estimate rests on finished queries; what the one under way has brought counts as
        held, and as a part of its answer if the harvest has stopped. None before anything came."""
        if self.head.reason and self._unfinished is not None and self._open_pages:
            return self._coverage_when_stopped(self._unfinished)
        coverage = self.history.coverage
        more = self.records - coverage.held if coverage else 0
        if coverage is None or more <= 0:
            return coverage
        why = f"{coverage.why}; {more:,} more came by a query that is still being read"
        return structs.replace(coverage.extend_to(self.records), why=why)

    def _coverage_when_stopped(self, asked: StoredQuery) -> Coverage | None:
        if self._stopped is None or self._stopped[0] != self.records:
            pages = AnswerPages(asked)
            for number, page in enumerate(self._open_pages[asked.number], 1):
                pages.add(_result_page(page, number))
            self._stopped = self.records, self.history.coverage_with_part(pages, self.records)
        return self._stopped[1] if self.records else None

    def curve(self) -> list[CoveragePoint]:
        """Coverage by requests, with what the query under way has brought as the last point."""
        finished, now, curve = self.history.coverage, self.coverage, self.history.curve()
        if finished is None or now is None or now.held <= finished.held:
            return curve
        requests = max(self.page_requests, self.history.requests)
        return [*curve, CoveragePoint.make(requests, self.records, self.sightings, now)]

    def add(self, page: PageEntry) -> None:
        self.page_requests += page.requests
        self.records += page.fresh
        self.sightings += len(page.keys)
        self._open_pages[page.query].append(page)
        self._pages.append(page)

    def catch_up(self, feed: ChangeFeed, interface: bytes) -> None:
        """Reads what its new pages brought."""
        # Its state and reason change without a new page.
        self.head = feed.harvest(self.head.id)
        self.keys.add(*feed.record_keys(self.head.id, self.keys.mark))
        if self._pages:
            self.keys.count(np.concatenate([page.keys for page in self._pages]))
            self._pages.clear()
        sums = feed.details(self.head.id, self._detail_mark)
        self._detail_mark = sums.mark
        self.details += sums.pages
        self.detail_requests += sums.requests
        if interface != self._interface:
            # The survey found out what can be asked: the estimate starts again with that.
            if self.history.queries:
                self._open_pages = _pages_by_query(feed, self.head.id)
            self._interface = interface
            self.history = CoverageHistory(_decode_interface(interface))
        self._extend_history(feed)

    def _extend_history(self, feed: ChangeFeed) -> None:
        self._unfinished = self._stopped = None
        while asked := feed.queries(self.head.id, self.history.queries, _QUERIES):
            for query in asked:
                # Queries end in their order; one under way is read again with the next look.
                if query.outcome is None:
                    self._unfinished = query
                    return
                pages = self._open_pages.pop(query.number, [])
                keys = [page.keys for page in pages]
                distinct = np.unique(np.concatenate(keys)).tolist() if keys else []
                self.history.add(query, query.outcome, distinct)


class HarvestTable:
    """All harvests so far, by number, in the order in which they were begun."""

    def __init__(self) -> None:
        self.mark = 0
        self.by_id: dict[HarvestId, HarvestMirror] = {}
        self.by_signature: dict[str, HarvestMirror] = {}

    def __len__(self) -> int:
        return len(self.by_id)

    @property
    def records(self) -> int:
        return sum(harvest.records for harvest in self.by_id.values())

    def catch_up(self, feed: ChangeFeed, touched: Iterable[str], interface_of: InterfaceOf) -> None:
        """`touched` are forms whose harvests events were about."""
        changed = {signature for signature in touched if signature in self.by_signature}
        changed |= self._add_begun(feed)
        while found := feed.result_pages(self.mark, _PAGES):
            self.mark = found[-1].mark
            changed |= self._add_begun(feed)
            for page in found:
                harvest = self.by_id[page.harvest]
                harvest.add(page)
                changed.add(harvest.head.signature)
        for signature in changed:
            self.by_signature[signature].catch_up(feed, interface_of(signature))

    def _add_begun(self, feed: ChangeFeed) -> set[str]:
        begun = set[str]()
        while heads := feed.harvests(max(self.by_id, default=0), _HEADS):
            for head in heads:
                made = self.by_id[head.id] = self.by_signature[head.signature] = HarvestMirror(head)
                begun.add(made.head.signature)
        return begun


def _result_page(page: PageEntry, number: int) -> ResultPage:
    return ResultPage(
        query=page.query,
        number=number,
        at=0.0,
        kind=page.kind,
        requests=page.requests,
        total=page.total,
        is_total_exact=page.is_total_exact,
        keys=tuple(page.keys.tolist()),
        fresh=page.fresh,
    )


def _pages_by_query(feed: ChangeFeed, harvest: HarvestId) -> dict[int, list[PageEntry]]:
    pages: dict[int, list[PageEntry]] = defaultdict(list)
    mark = 0
    while found := feed.result_pages(mark, _PAGES):
        mark = found[-1].mark
        for page in found:
            if page.harvest == harvest:
                pages[page.query].append(page)
    return pages
