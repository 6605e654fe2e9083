"""Conditions that may be joined, and how many of the records held fulfil two of them at once."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.holdings import Holdings
from leadline.harvester.policies.yield_per_cost.captures import Mask
from leadline.harvester.policies.yield_per_cost.controls import Condition
from leadline.harvester.terms import PLACES

Columns = NDArray[np.float32]
Floats = NDArray[np.float64]
Members = tuple[int, ...]

_MOST_ROWS = 8_000
"""Records looked at: a count of two hundred among them is off by a fourteenth."""
_GROWTH = 1.1
"""Of the holdings, before an even part of a larger sample is looked at again."""
_FEWEST_PAIRS = 20
_SPREAD, _NARROW, _WIDE = 2.0, 0.1, 5.0
"""Shapes: when little is known, at least and at most. Even where most conditions are independent
some exclude each other, and what is never met together is not expected to be."""
_MOST_LIFT = 2.0


class Member(Struct, frozen=True):
    """A condition, and by what records show that they fulfil it."""

    condition: Condition
    row: int = -1
    """Of its term; -1 when records do not show it."""
    counts: Mask | None = None
    """Places in which the term counts."""
    place: int = -1
    """The one where it stands most."""


class Pool:
    """Which records of the sample fulfil which conditions, and how many fulfil each two.

    Records that come are added. Members change by `choose_members` only.
    """

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self.choose_members([])

    def choose_members(self, members: Sequence[Member]) -> None:
        self.members = list(members)
        self.numbers = {member.condition: number for number, member in enumerate(members)}
        self.is_told = np.array([member.row >= 0 for member in members], np.bool_)
        self.control = np.array([member.condition.control for member in members], np.int64)
        self.asked = np.zeros((len(members), len(members)), np.bool_)
        """Pairs that were asked for."""
        self._epoch = self._holdings.terms.epoch
        self._read = 0
        self.records = 0
        """Held when it was brought up to date."""
        self._scale = 1.0
        """Records held for each one that is looked at."""
        self._columns: Columns = np.zeros((0, len(members)), np.float32)
        self._sums = np.zeros((len(members), len(members)), np.float32)
        self.update()
        self.lifts, self.shapes = self._gather()
        """What is expected of each two before they are counted: how much more often than by chance
        they are fulfilled together, and how sure that is (the shape of a gamma distribution).
        Values of one field exclude each other, words of one text do not."""

    def __len__(self) -> int:
        return len(self.members)

    @property
    def is_stale(self) -> bool:
        """Whether terms were renumbered since."""
        return self._epoch != self._holdings.terms.epoch

    @property
    def together(self) -> Floats:
        """Records held that fulfil each two conditions; one with itself: those that fulfil it."""
        return self._sums.astype(float) * self._scale

    def with_all(self, members: Members) -> Floats:
        """Records held that fulfil all of these conditions and each one of all."""
        # Few records fulfil several conditions: summing those is quicker than a product with all.
        chosen = np.flatnonzero(self._columns[:, members].all(axis=1))
        found: Floats = self._columns[chosen].sum(axis=0).astype(float) * self._scale
        return found

    def update(self) -> None:
        """Take in the records that came since."""
        if not self.members or self.is_stale:
            return
        sample, held = self._holdings.sample, len(self._holdings)
        if len(sample) <= _MOST_ROWS:
            more = self._made(sample.codes[self._read :])
            self._read = len(sample)
            self._columns = np.concatenate((self._columns, more))
            self._sums += more.T @ more
        elif not self._read or held > _GROWTH * self._read:
            step = -(-len(sample) // _MOST_ROWS)
            self._read = held
            self._columns = self._made(sample.codes[::step])
            self._sums = self._columns.T @ self._columns
        self.records = held
        self._scale = held / max(1, len(self._columns))

    def _made(self, codes: NDArray[np.int32]) -> Columns:
        made = np.zeros((len(codes), len(self.members)), np.float32)
        rows, places = codes // PLACES, codes % PLACES
        for control in np.unique(self.control[self.is_told]).tolist():
            own = np.flatnonzero((self.control == control) & self.is_told)
            # The last cell stands for "no term".
            column = np.full(len(self._holdings.terms) + 1, -1, np.int32)
            column[[self.members[number].row for number in own]] = own
            counts = self.members[own[0]].counts
            found = (
                np.where(counts[places], column[rows], -1) if counts is not None else column[rows]
            )
            record, slot = np.nonzero(found >= 0)
            made[record, found[record, slot]] = 1
        return made

    def _gather(self) -> tuple[Floats, Floats]:
        """Lifts and shapes of each two, by the places that both are about."""
        counts = self._sums.astype(float)
        alone = np.diag(counts)
        expected = alone[:, None] * alone[None, :] / max(1, len(self._columns))
        places = np.array([member.place for member in self.members])
        is_same = places[:, None] == places[None, :]
        is_counted = (expected > 0) & ~np.eye(len(counts), dtype=bool)
        lifts, shapes = np.ones(counts.shape), np.full(counts.shape, _SPREAD)
        groups = [is_same & (places == place)[:, None] for place in np.unique(places)]
        for group in (~is_same, *groups):
            chosen = group & is_counted
            if chosen.sum() >= _FEWEST_PAIRS:
                lifts[group] = _lift(counts[chosen], expected[chosen])
                shapes[group] = _shape(counts[chosen], lifts[group][0] * expected[chosen])
        return lifts, shapes


def _lift(counts: Floats, expected: Floats) -> float:
    """How much more often than by chance conditions of a group are fulfilled together."""
    return min(_MOST_LIFT, float(counts.sum() + _SPREAD) / float(expected.sum() + _SPREAD))


def _shape(counts: Floats, expected: Floats) -> float:
    """By the method of moments."""
    excess = float(np.square(counts - expected).sum() - expected.sum())
    total = float(np.square(expected).sum())
    return min(_WIDE, max(_NARROW, (total + _SPREAD) / (max(excess, 0.0) + 1.0)))
