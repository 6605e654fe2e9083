"""Which terms stand in records that few queries bring: there are more of those to be had.

A record that is held was brought by one query at least, and again by every later one whose whole
answer it is in. Of a term's records those that were brought once (f1) and those that were brought
twice (f2) tell how many never were: about f1^2 / 2 f2 (A. Chao, Scandinavian Journal of Statistics
11, 1984). Terms that exclude what was asked for, as the values of one field do, and terms of a
part of the database that no query has touched stand out by it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.harvester.holdings import Holdings
from leadline.harvester.terms import PLACES

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Times = NDArray[np.int16]

_SHRINK = 8.0
"""Records of all terms that count as much as those of the term itself."""
_FURTHEST = 4.0
"""Times by which a term is taken to be more or less unknown than the average."""
_LEAST_RATE, _MOST_RATE = 0.02, 20.0
_FEWEST = 3
"""Whole answers before anything can be told from them."""
_SEARCHED = 0.5
"""Share of matches from which on a place counts as searched."""
_ROOM = 1024


class Captures:
    """Counts, for each term, records of the sample that were brought once and twice."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._answers = 0
        self._epoch = -1
        self._counts = np.zeros((2, 0), np.int32)
        self._times: Times = np.zeros(0, np.int16)
        self._numbers = np.zeros(0, np.int64)
        self.update(None)

    def update(self, brought: Mask | None) -> None:
        """Take in an answer: the records of the sample it held, as `fulfilling` finds them, or None
        when it was not seen whole. Records that came with it count as brought once."""
        if self._epoch != self._holdings.terms.epoch:
            self._begin()
        sample = self._holdings.sample
        numbers = sample.numbers.copy()
        old = len(self._times)
        is_same = self._numbers == numbers[:old]
        after: Times = np.ones(len(numbers), np.int16)
        after[:old][is_same] = self._times[is_same]
        if brought is not None:
            self._answers += 1
            after[:old] += brought[:old] & is_same
        before: Times = np.zeros(len(numbers), np.int16)
        before[:old] = self._times
        self._move(np.flatnonzero(before != after), before, after)
        self._times, self._numbers = after, numbers

    def factor(self, terms: Rows) -> Floats:
        """How much more of these terms is unknown than of the average, for each known record."""
        if self._answers < _FEWEST:
            return np.ones(len(terms))
        self._grow()
        once, twice = self._counts[:, terms].astype(float)
        all_once, all_twice = (float((self._times == times).sum()) for times in (1, 2))
        rate = min(_MOST_RATE, max(_LEAST_RATE, 2 * all_twice / max(1.0, all_once)))
        own = np.clip((2 * twice + _SHRINK * rate) / (once + _SHRINK), _LEAST_RATE, _MOST_RATE)
        found: Floats = np.clip(np.expm1(rate) / np.expm1(own), 1 / _FURTHEST, _FURTHEST)
        return found

    def _move(self, changed: Rows, before: Times, after: Times) -> None:
        self._grow()
        rows = self._holdings.sample.rows
        for counts, times in zip(self._counts, (1, 2), strict=True):
            for state, step in ((before, -1), (after, 1)):
                terms = rows[changed[state[changed] == times]].ravel()
                np.add.at(counts, terms[terms >= 0], step)

    def _grow(self) -> None:
        more = len(self._holdings.terms) - self._counts.shape[1]
        if more > 0:
            self._counts = np.hstack((self._counts, np.zeros((2, more + _ROOM), np.int32)))

    def _begin(self) -> None:
        self._epoch = self._holdings.terms.epoch
        self._counts = np.zeros((2, 0), np.int32)
        self._times = np.zeros(0, np.int16)
        self._numbers = np.zeros(0, np.int64)


def fulfilling(holdings: Holdings, terms: Sequence[tuple[str, Mask]], *, is_any: bool) -> Mask:
    """Records of the sample that show the terms, all of them or any; each term comes with the
    places in which it counts."""
    codes = holdings.sample.codes
    rows, places = codes // PLACES, codes % PLACES
    found = np.full(len(codes), not is_any)
    for term, counts in terms:
        row = holdings.terms.numbers.get(term, -2)
        own = ((rows == row) & counts[places]).any(axis=1)
        found = found | own if is_any else found & own
    return found


def searched(share: Floats) -> Mask:
    """Places that count for a box, by `Matching.share`."""
    is_searched: Mask = share >= _SEARCHED
    return is_searched
