"""How likely a record that shows a term in some place is returned by a query for the term.

Not all that a list shows is searched, so the number of acquired records that show a word is not
the number of those that a query for it brings again. How far it is, is learned place by place.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.harvester.holdings import Holdings
from leadline.harvester.terms import PLACES, Counts

Floats = NDArray[np.float64]

_LAST = 240
"""Queries learned from."""
_ROUNDS = 12
"""Of expectation and maximisation."""
_FAITH = 3.0
"""Queries that what is first expected counts for."""
_MOST_WEIGHT = 25.0
"""A frequent word tells no more than so many records: its errors are not independent."""


class Counted(NamedTuple):
    """A term before an answer."""

    by_place: Floats
    """Records held with the term in each place."""
    df: float
    """Records held with the term anywhere."""
    records: int
    """All records held."""


class Before:
    """Counts of terms as they were when it was told to `note` them: before the latest answer."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self._terms = holdings.terms
        self.note()

    def note(self) -> None:
        self._records = len(self._holdings)
        self._epoch = self._terms.epoch
        self._df: Counts = self._terms.df.copy()
        self._by_place: Counts = self._terms.df_by_place.copy()

    def counts(self, term: str, records: int) -> Counted | None:
        """A term, in lower case, when `records` were held; None when nothing was noted then, or
        terms were renumbered since. A term that was not there had no records."""
        if self._epoch != self._terms.epoch or self._records != records:
            return None
        row = self._terms.numbers.get(term, len(self._df))
        if row >= len(self._df):
            return Counted(np.zeros(PLACES), 0.0, records)
        return Counted(self._by_place[row].astype(float), float(self._df[row]), records)


class Matching:
    """Learns from queries of one term whose whole answer was seen.

    Records that show the term in several places are told apart by expectation and maximisation.
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

    def expect(self, prior: Floats, strength: float) -> None:
        """Begin from another guess, and learn from the same queries again."""
        self._prior, self._strength = prior * strength, strength
        self._settle()

    def held(self, by_place: NDArray[np.generic], df: NDArray[np.generic]) -> Floats:
        """Of acquired records those that queries for these terms would bring again."""
        expected = by_place.astype(np.float32) @ self.share.astype(np.float32)
        found: Floats = np.minimum(expected, df).astype(float)
        return found

    def learn(self, by_place: Floats, df: float, again: int) -> None:
        """Take in a query: the counts of its term before, and how many known records came."""
        if df <= 0:
            return
        weight = min(1.0, _MOST_WEIGHT / df)
        self._shown = np.vstack((self._shown, by_place * weight))[-_LAST:]
        self._again = np.append(self._again, min(float(again), df) * weight)[-_LAST:]
        self._most = np.append(self._most, df * weight)[-_LAST:]
        self._settle()

    @property
    def _faith(self) -> float:
        """By how much less was matched than first expected: what is known of some places is to be
        feared of others."""
        first = np.minimum((self._shown * self._prior / self._strength).sum(axis=1), self._most)
        came = float(np.minimum(self._again / np.maximum(first, 1e-9), 1.0).sum())
        return (_FAITH + came) / (_FAITH + len(first))

    def _settle(self) -> None:
        """From the first guess each time: what was learned in which order makes no difference."""
        self.share = self._prior / self._strength
        for _ in range(_ROUNDS):
            self._improve()

    def _improve(self) -> None:
        expected = self._shown * self.share
        total = np.maximum(expected.sum(axis=1), 1e-9)
        brought = np.minimum(expected * (self._again / total)[:, None], self._shown)
        shown = self._shown.sum(axis=0)
        prior = self._prior * self._faith
        self.share = (prior + brought.sum(axis=0)) / (self._strength + shown)
