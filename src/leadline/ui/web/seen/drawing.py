"""How one harvest went: told once more to what estimates coverage, query by query."""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.harvest import Outcome
from leadline.core.kept import Asked
from leadline.harvester.coverage import Coverage, CoverageMonitor
from leadline.harvester.interface import Interface

MOST_POINTS = 400
_ORDER_BITS = 40
"""Enough to number records by."""


class CoverageMoment(Struct, frozen=True):
    """What was known after so many requests."""

    requests: int
    records: int
    sightings: int
    coverage: Coverage


class Drawing:
    """Takes in finished queries in their order, each with the keys of its records.

    The words of the records, by which a running harvest also compares what a source tells of a
    word with what it holds, are not read again: that would take minutes for a million records.
    """

    def __init__(self, interface: Interface | None) -> None:
        self.queries = 0
        self.requests = 0
        self.cut = 0
        """Queries that the source cut short."""
        self._monitor = CoverageMonitor(interface)
        self._curve: list[CoverageMoment] = []
        self._step = 1
        self._next = 1
        self._latest: CoverageMoment | None = None

    def take(self, asked: Asked, outcome: Outcome, keys: Iterable[int]) -> None:
        self._monitor.learn(outcome, keys)
        self._latest = None
        self.queries = asked.number
        self.requests += outcome.requests
        self.cut += outcome.is_cut
        if self.requests >= self._next:
            self._curve.append(self._moment())
            if len(self._curve) > MOST_POINTS:
                self._curve = self._curve[::2]
                self._step *= 2
            self._next = self.requests + self._step

    @property
    def coverage(self) -> Coverage | None:
        """None before anything came."""
        return self._moment().coverage if self._monitor.evidence.held else None

    def curve(self) -> list[CoverageMoment]:
        """Thinned; the last point is that after the last finished query."""
        latest = [self._moment()] if self.queries else []
        kept = self._curve[:-1] if self._curve[-1:] == latest else self._curve
        return [*kept, *latest]

    def _moment(self) -> CoverageMoment:
        if self._latest is None:
            evidence = self._monitor.evidence
            self._latest = CoverageMoment(
                self.requests, evidence.held, evidence.sightings, self._monitor.coverage()
            )
        return self._latest


class RecordKeys:
    """The records of a harvest by number, and how often each was seen: 24 bytes a record."""

    def __init__(self) -> None:
        self.numbers: NDArray[np.int64] = np.zeros(0, np.int64)
        """In the order of first sight."""
        self._keys: NDArray[np.uint64] = np.zeros(0, np.uint64)
        """Sorted."""
        self._order: NDArray[np.int64] = np.zeros(0, np.int64)
        """Where among the numbers each of them stands."""
        self._times: NDArray[np.int32] = np.zeros(0, np.int32)

    @property
    def mark(self) -> int:
        return int(self.numbers[-1]) if len(self.numbers) else 0

    def add(self, numbers: NDArray[np.int64], keys: NDArray[np.uint64]) -> None:
        """Records that are new, in the order of first sight."""
        if not len(numbers):
            return
        order = np.argsort(keys)
        at = np.searchsorted(self._keys, keys[order])
        self._order = np.insert(self._order, at, order + len(self.numbers))
        self._times = np.insert(self._times, at, 0)
        self._keys = np.insert(self._keys, at, keys[order])
        self.numbers = np.concatenate([self.numbers, numbers])

    def count(self, keys: NDArray[np.uint64]) -> None:
        """One sighting more for each; keys of records that are not here yet are left out."""
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

    def seen_again(self) -> int:
        """How many records were seen more than once."""
        return int(np.count_nonzero(self._times > 1))

    def by_times(self, most: int) -> dict[int, int]:
        """Records by how often they were seen; `most` stands for as often or more."""
        counted = np.bincount(np.minimum(self._times, most))
        return {times: int(n) for times, n in enumerate(counted) if n and times}
