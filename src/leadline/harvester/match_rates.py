"""How likely a record that shows a term in some place is returned by a query for the term.

Not all that a list shows is searched, so the number of acquired records that show a word is not the
number of those that a query for it returns again. The rate is learned place by place.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.harvester.holdings import Holdings
from leadline.harvester.terms import PLACES, Counts

Floats = NDArray[np.float64]

_MAX_QUERIES = 240
"""The latest queries that are learned from."""
_ROUNDS = 12
"""Of expectation and maximisation."""
_FAITH = 3.0
"""Queries that the first expectation counts for."""
_MAX_WEIGHT = 25.0
"""A frequent word tells no more than so many records: its errors are not independent."""


class PriorTermCounts(NamedTuple):
    """A term before an answer."""

    by_place: Floats
    """Records held with the term in each place."""
    df: float
    """Records held with the term anywhere."""
    records: int
    """All records held."""


class TermSnapshot:
    """Counts of terms as they were at the latest `update`: before the latest answer."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._terms = holdings.terms
        self.update()

    def update(self) -> None:
        self._records = len(self._holdings)
        self._epoch = self._terms.epoch
        self._df: Counts = self._terms.df.copy()
        self._by_place: Counts = self._terms.df_by_place.copy()

    def counts(self, term: str, records: int) -> PriorTermCounts | None:
        """Of a term, in lower case, when `records` were held; None if the snapshot is of another
        moment, or terms were renumbered since. A term that was not there had no records."""
        if self._epoch != self._terms.epoch or self._records != records:
            return None
        row = self._terms.numbers.get(term, len(self._df))
        if row >= len(self._df):
            return PriorTermCounts(np.zeros(PLACES), 0.0, records)
        return PriorTermCounts(self._by_place[row].astype(float), float(self._df[row]), records)


class MatchRates:
    """Learns from queries of one term whose whole answer was seen.

    Records that show the term in several places are shared out between these by expectation and
    maximisation.
    """

    def __init__(self, prior: Floats | float = 0.75, strength: float = 2.0) -> None:
        self._prior: Floats = np.broadcast_to(np.asarray(prior, float), (PLACES,)) * strength
        self._strength = strength
        self.share: Floats = self._prior / strength
        """By place."""
        self._shown = np.zeros((0, PLACES))
        self._again = np.zeros(0)
        self._most = np.zeros(0)

    def __len__(self) -> int:
        return len(self._again)

    def set_prior(self, prior: Floats, strength: float) -> None:
        """Begins from another guess, and learns from the same queries again."""
        self._prior, self._strength = prior * strength, strength
        self._learn_again()

    def estimate_known(self, by_place: NDArray[np.generic], df: NDArray[np.generic]) -> Floats:
        """How many of the acquired records queries for these terms would return again."""
        expected = by_place.astype(np.float32) @ self.share.astype(np.float32)
        found: Floats = np.minimum(expected, df).astype(float)
        return found

    def learn(self, by_place: Floats, df: float, again: int) -> None:
        """From a query: the counts of its term before, and how many known records came."""
        if df <= 0:
            return
        weight = min(1.0, _MAX_WEIGHT / df)
        self._shown = np.vstack((self._shown, by_place * weight))[-_MAX_QUERIES:]
        self._again = np.append(self._again, min(float(again), df) * weight)[-_MAX_QUERIES:]
        self._most = np.append(self._most, df * weight)[-_MAX_QUERIES:]
        self._learn_again()

    def _learn_again(self) -> None:
        """From the first guess each time: the order of queries makes no difference."""
        self.share = self._prior / self._strength
        # If less was matched than first expected in some places, less is expected of others.
        first = np.minimum((self._shown * self._prior / self._strength).sum(axis=1), self._most)
        came = float(np.minimum(self._again / np.maximum(first, 1e-9), 1.0).sum())
        faith = (_FAITH + came) / (_FAITH + len(first))
        prior = self._prior * faith
        shown = self._shown.sum(axis=0)
        for _ in range(_ROUNDS):
            expected = self._shown * self.share
            total = np.maximum(expected.sum(axis=1), 1e-9)
            brought = np.minimum(expected * (self._again / total)[:, None], self._shown)
            self.share = (prior + brought.sum(axis=0)) / (self._strength + shown)
