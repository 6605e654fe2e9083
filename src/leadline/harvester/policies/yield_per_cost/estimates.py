"""Estimates that the policy learns while it asks: how large the database is, which terms lead to
records that are not held, and what a source shows of an answer."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.holdings import Holdings
from leadline.harvester.terms import PLACES

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Times = NDArray[np.int16]

_YIELD_MEMORY = 30.0
"""Requests after which a query counts a third (1 / e) in the recent yield."""


class LearnedRatio:
    """What came by what was expected, the latest counting most. Begins at `start`, which counts as
    much as `weight` expected records."""

    def __init__(self, weight: float, fading: float, start: float = 1.0) -> None:
        self._start, self._weight, self._fading = start, weight, fading
        self._came = 0.0
        self._expected = 0.0

    @property
    def value(self) -> float:
        came = self._came + self._weight * self._start
        return came / (self._expected + self._weight)

    def learn(self, came: float, expected: float) -> None:
        self._came = self._fading * self._came + came
        self._expected = self._fading * self._expected + expected


class RecentYield:
    """New records for each of the latest requests."""

    def __init__(self) -> None:
        self._fresh = 0.0
        self._requests = 0.0

    @property
    def value(self) -> float:
        """Infinite before anything was asked."""
        return self._fresh / self._requests if self._requests else math.inf

    def learn(self, fresh: int, requests: int) -> None:
        kept = math.exp(-requests / _YIELD_MEMORY)
        self._fresh = kept * self._fresh + fresh
        self._requests = kept * self._requests + requests


_BINS = 14
"""Powers of two: terms of one acquired record, of two or three, of four to seven ..."""
_SIZE_FADING = 0.985
"""Weight of a query when the next one is counted: half after 46. Old queries count less because
the share of known records among those that come keeps rising."""
_FIRST_WEIGHT = 1.0
"""Weight of the first guess, in queries with one known record."""
_FIRST_FACTOR = 6.0
"""Before anything is known a database is taken to be six times what is held of it."""
_OVERALL_WEIGHT = 3.0
"""Weight of all queries beside those of one bin or one control."""
_MOST_WEIGHT = 4.0
"""Largest weight of one query: what hundreds of records agree on may still be the accident of one
term."""
_HALF = 0.5
"""Added to counts, so that no estimate is infinite."""
_LEAST_NEW_RATE = 0.03
"""New records for a known one, at least: nothing is ever ruled out, and terms keep their order."""
_FURTHEST_SQUARED = 5.0
"""Largest squared logarithm that counts: nine times too much or too little."""
_MOST_VARIANCE = 2.0
LARGEST = 1e12
"""Stands for no upper bound."""


class SizeEstimate:
    """How large the database is, by how many of the records that came were known (C. G. J.
    Petersen's estimate of 1896): apart for rare and for frequent terms, and, with a parent, apart
    for one control.

    Estimates of single queries are averaged by their logarithms: a term that excludes what was
    asked before finds next to nothing known, and must not outweigh all others.
    """

    def __init__(self, parent: "SizeEstimate | None" = None) -> None:
        self._parent = parent
        self._sums = np.zeros(_BINS)
        self._weights = np.zeros(_BINS)
        self._excess = np.zeros(_BINS)
        """Squares of what estimates were off, beyond what chance explains."""
        self.guess = 0.0
        """A size that is likely for other reasons, while little was learned."""
        self.reasons = 0.0
        """How much these reasons count beside the number of records held."""
        self.least = 0.0
        """A size that is known to be exceeded."""
        self.most = LARGEST
        """A size that is not exceeded, as far as known."""

    def learn(self, held: float, size: float, again: float, records: float) -> None:
        """A query that matches `size` records, `again` of them known, when `records` were held and
        `held` of those were expected to match."""
        if self._parent is not None:
            self._parent.learn(held, size, again, records)
        self._sums *= _SIZE_FADING
        self._weights *= _SIZE_FADING
        self._excess *= _SIZE_FADING
        if not size:
            return
        place = min(_BINS - 1, int(np.log2(max(held, 1.0))))
        weight = min(_MOST_WEIGHT, float(np.sqrt(again + _HALF)))
        estimate = max(records, 1.0) * (max(size, again) + _HALF) / (again + _HALF)
        off = np.log(estimate) - np.log(self._by_bin(int(records))[place])
        self._excess[place] += weight * (min(off * off, _FURTHEST_SQUARED) - 1 / (again + _HALF))
        self._sums[place] += weight * np.log(estimate)
        self._weights[place] += weight

    def database(self, records: int) -> float:
        """Its size, for terms of any frequency."""
        if self._parent is None:
            weight, prior = _FIRST_WEIGHT, self._first(max(records, 1))
        else:
            weight, prior = _OVERALL_WEIGHT, self._parent.database(records)
        mean = (self._sums.sum() + weight * np.log(prior)) / (self._weights.sum() + weight)
        return float(max(min(np.exp(mean), self.most), records, self.least, 1.0))

    def _first(self, records: int) -> float:
        """The size before anything was learned by queries for terms."""
        blind = max(_FIRST_FACTOR * records, self.guess)
        informed = max(float(records), self.guess)
        return float(blind * (informed / blind) ** (self.reasons / (1.0 + self.reasons)))

    def new(self, held: Floats, records: int, *, is_mean: bool = False) -> Floats:
        """Records that are not held, for terms with so many held ones: of the median term, or the
        mean over terms, which a few large ones raise."""
        by_bin = self._by_bin(records)
        if is_mean:
            by_bin *= np.exp(self._variance() / 2)
        places = np.log2(np.maximum(held, 1.0))
        database = np.interp(places, np.arange(_BINS) + 0.5, by_bin)
        share: Floats = np.maximum(database / max(records, 1) - 1, _LEAST_NEW_RATE)
        return held * share

    def _by_bin(self, records: int) -> Floats:
        overall = np.log(self.database(records))
        found: Floats = np.exp(
            (self._sums + _OVERALL_WEIGHT * overall) / (self._weights + _OVERALL_WEIGHT)
        )
        return found

    def _variance(self) -> Floats:
        """Of the logarithms. It is large if a database has parts and few terms lead from one to
        another."""
        overall = self._excess.sum() / (self._weights.sum() + _OVERALL_WEIGHT)
        own = (self._excess + _OVERALL_WEIGHT * overall) / (self._weights + _OVERALL_WEIGHT)
        found: Floats = np.clip(own, 0.0, _MOST_VARIANCE)
        return found


_SHRINK = 8.0
"""Records of one term that the rate of all terms counts for."""
_FURTHEST_FACTOR = 4.0
"""Times by which a term is taken to be more or less unknown than the average."""
_LEAST_RATE, _MOST_RATE = 0.02, 20.0
_FEWEST_ANSWERS = 3
"""Whole answers before their counts say anything."""
_SEARCHED = 0.5
"""Share of matches from which on a place counts as searched."""
_ROOM = 1024
"""Terms by which the counts grow at a time."""


class CaptureCounts:
    """Counts for each term the records of the sample that were returned once and twice: which terms
    stand in records that few queries return, so that more of those are left.

    A record that is held was returned by one query at least, and again by every later one whose
    whole answer includes it. Of a term's records those returned once (f1) and twice (f2) say how
    many never were: about f1^2 / 2 f2 (A. Chao, Scandinavian Journal of Statistics 11, 1984).
    Terms that exclude what was asked, as values of one field do, stand out by it, and so do terms
    of a part of the database that no query has reached.
    """

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._answers = 0
        self._epoch = -1
        self._counts = np.zeros((2, 0), np.int32)
        self._times: Times = np.zeros(0, np.int16)
        self._numbers = np.zeros(0, np.int64)
        self.update(None)

    def update(self, returned: Mask | None) -> None:
        """Takes in an answer: the records of the sample that it included (`find_matching`), or None
        if it was not seen whole. Records that came with it count as returned once."""
        if self._epoch != self._holdings.terms.epoch:
            # Terms were renumbered: all counts by term are void.
            self._epoch = self._holdings.terms.epoch
            self._counts = np.zeros((2, 0), np.int32)
            self._times = np.zeros(0, np.int16)
            self._numbers = np.zeros(0, np.int64)
        sample = self._holdings.sample
        numbers = sample.numbers.copy()
        old = len(self._times)
        is_same = self._numbers == numbers[:old]
        after: Times = np.ones(len(numbers), np.int16)
        after[:old][is_same] = self._times[is_same]
        if returned is not None:
            self._answers += 1
            after[:old] += returned[:old] & is_same
        before: Times = np.zeros(len(numbers), np.int16)
        before[:old] = self._times
        self._recount(np.flatnonzero(before != after), before, after)
        self._times, self._numbers = after, numbers

    def factor(self, terms: Rows) -> Floats:
        """How many more unknown records these terms have than the average term, for each known
        one."""
        if self._answers < _FEWEST_ANSWERS:
            return np.ones(len(terms))
        self._grow()
        once, twice = self._counts[:, terms].astype(float)
        all_once, all_twice = (float((self._times == times).sum()) for times in (1, 2))
        rate = min(_MOST_RATE, max(_LEAST_RATE, 2 * all_twice / max(1.0, all_once)))
        own = np.clip((2 * twice + _SHRINK * rate) / (once + _SHRINK), _LEAST_RATE, _MOST_RATE)
        found: Floats = np.clip(
            np.expm1(rate) / np.expm1(own), 1 / _FURTHEST_FACTOR, _FURTHEST_FACTOR
        )
        return found

    def _recount(self, changed: Rows, before: Times, after: Times) -> None:
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


def find_matching(holdings: Holdings, terms: Sequence[tuple[str, Mask]], *, is_any: bool) -> Mask:
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


def searched_places(share: Floats) -> Mask:
    """Places that count for a box, by `MatchRates.share`."""
    is_searched: Mask = share >= _SEARCHED
    return is_searched


_EDGES = (1.4, 2.8, 8.0)
"""Classes of answers by how many times they overflow: a source that always shows the same records
first shows fewer new ones the more match."""
_LOGISTIC = 1.702
"""Scale at which the logistic curve is as steep as the normal one."""


class ExpectedReturn(Struct, frozen=True, eq=False):
    """Expected of each of several queries."""

    fresh: Floats
    requests: Floats

    @property
    def index(self) -> Floats:
        """New records per request."""
        return self.fresh / self.requests


class OverflowBias:
    """New records in overflowing answers by those that chance would show."""

    def __init__(self) -> None:
        self._ratios = [LearnedRatio(25.0, 0.93) for _ in range(len(_EDGES) + 1)]

    def learn(self, times: float, fresh: float, expected: float) -> None:
        """Takes in an answer that matched so many times more than was shown."""
        self._ratios[int(np.searchsorted(_EDGES, times))].learn(fresh, expected)

    def factor(self, times: Floats) -> Floats:
        found: Floats = np.array([min(1.0, ratio.value) for ratio in self._ratios])
        return found[np.searchsorted(_EDGES, times)]


class ShownLimit(Struct, frozen=True, eq=False):
    """What a source shows of an answer, as far as known."""

    cap: float
    """Records at most; infinite if there is no limit."""
    page: float
    requests: float
    """Of one page."""
    bias: OverflowBias
    is_shuffled: bool = False
    """Whether pages repeat records: an answer of few records shows only some of them."""

    def expect(self, held: Floats, new: Floats, spread: float) -> ExpectedReturn:
        """What queries bring that match `held` known records and `new` others; `spread` is the
        standard deviation of the logarithm of their sum."""
        size = np.maximum(held + new, 1e-9)
        times = size / self.cap
        over = 1 / (1 + np.exp(-np.clip(_LOGISTIC * np.log(times + 1e-30) / spread, -50, 50)))
        shown = np.minimum(size, self.cap)
        complete = np.minimum(new, shown)
        if self.is_shuffled:
            shown = -size * np.expm1(-shown / size)
            complete = new * shown / size
        fresh = (1 - over) * complete
        fresh += over * shown * (new / size) * self.bias.factor(times)
        # A page begun counts whole; where the last one ends is not known beforehand.
        pages = np.minimum(
            1 + np.maximum(0.0, size / self.page - 0.5), np.ceil(self.cap / self.page)
        )
        return ExpectedReturn(fresh, np.maximum(pages, 1.0) * self.requests)
