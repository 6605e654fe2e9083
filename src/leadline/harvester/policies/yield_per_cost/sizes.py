"""How large the database is, as queries for terms of acquired records see it."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_BINS = 14
"""Powers of two: terms of one acquired record, of two or three, of four to seven ..."""
_FADING = 0.985
"""Weight of a query when the next one is counted: half after 46. The share of known records among
those that come changes all the while."""
_FIRST_WEIGHT = 1.0
_FIRST_FACTOR = 6.0
"""Before anything is known a database is taken to be six times what is held of it."""
_WEIGHT = 3.0
"""Of all queries, beside those of one bin or one control."""
_MOST_WEIGHT = 4.0
"""Of one query: what hundreds of records agree on may still be the accident of one term."""
_HALF = 0.5
_LEAST_NEW = 0.03
"""New records for a known one, at least: nothing is ever ruled out, and terms keep their order."""
_FURTHEST = 5.0
"""Square of a logarithm: nine times too much or too little."""
_MOST_VARIANCE = 2.0
LARGEST = 1e12


class Sizes:
    """Had from how many of the records that came were known (C. G. J. Petersen's estimate of 1896),
    apart for rare and for frequent terms, and apart for each control where it has a parent.

    Estimates of single queries are averaged by their logarithms: a term that excludes what was
    asked before finds next to nothing known, and must not outweigh all others.
    """

    def __init__(self, parent: "Sizes | None" = None) -> None:
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
        """A size that is not exceeded, as far as can be told."""

    def learn(self, held: float, size: float, again: float, records: float) -> None:
        """A query that matches `size` records, `again` of them known, when `records` were held and
        `held` of those were expected to match."""
        if self._parent is not None:
            self._parent.learn(held, size, again, records)
        self._sums *= _FADING
        self._weights *= _FADING
        self._excess *= _FADING
        if not size:
            return
        place = min(_BINS - 1, int(np.log2(max(held, 1.0))))
        weight = min(_MOST_WEIGHT, float(np.sqrt(again + _HALF)))
        estimate = max(records, 1.0) * (max(size, again) + _HALF) / (again + _HALF)
        off = np.log(estimate) - np.log(self._by_bin(int(records))[place])
        self._excess[place] += weight * (min(off * off, _FURTHEST) - 1 / (again + _HALF))
        self._sums[place] += weight * np.log(estimate)
        self._weights[place] += weight

    def database(self, records: int) -> float:
        """Its size, for terms of any frequency."""
        if self._parent is None:
            weight, prior = _FIRST_WEIGHT, self._first(max(records, 1))
        else:
            weight, prior = _WEIGHT, self._parent.database(records)
        mean = (self._sums.sum() + weight * np.log(prior)) / (self._weights.sum() + weight)
        return float(max(min(np.exp(mean), self.most), records, self.least, 1.0))

    def _first(self, records: int) -> float:
        """Before anything was learned by queries for terms."""
        blind = max(_FIRST_FACTOR * records, self.guess)
        told = max(float(records), self.guess)
        return float(blind * (told / blind) ** (self.reasons / (1.0 + self.reasons)))

    def new(self, held: Floats, records: int, *, is_mean: bool = False) -> Floats:
        """Records that are not held, for terms with so many held ones: of a term in the middle, or
        the mean, to which a few large ones add."""
        by_bin = self._by_bin(records)
        if is_mean:
            by_bin *= np.exp(self._variance() / 2)
        places = np.log2(np.maximum(held, 1.0))
        database = np.interp(places, np.arange(_BINS) + 0.5, by_bin)
        share: Floats = np.maximum(database / max(records, 1) - 1, _LEAST_NEW)
        return held * share

    def _by_bin(self, records: int) -> Floats:
        overall = np.log(self.database(records))
        found: Floats = np.exp((self._sums + _WEIGHT * overall) / (self._weights + _WEIGHT))
        return found

    def _variance(self) -> Floats:
        """Of logarithms. It is large where a database has parts, and few terms lead to others."""
        overall = self._excess.sum() / (self._weights.sum() + _WEIGHT)
        own = (self._excess + _WEIGHT * overall) / (self._weights + _WEIGHT)
        found: Floats = np.clip(own, 0.0, _MOST_VARIANCE)
        return found
