"""How often the same thing agrees, learned from pairs of rows without examples.

The model of Fellegi and Sunter (1969): a pair's log-odds of being one thing is the sum of what
its levels say, of which how often they come by chance (u) is counted on random pairs, and how often
the same thing reaches them (m) is learned by expectation maximisation. Used by `records.linkage`.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.records.comparisons import MISSING, Floats, Levels

_MOST_LEARNED = 1_000_000
"""Pairs that the expectation maximisation learns from; more change nothing in the third digit."""
_ROUNDS = 60
_ENOUGH = 1e-6


class LevelOdds(Struct, frozen=True):
    """What one level of agreement in one field says."""

    field: str
    level: int
    """0 is the best."""
    same: float
    """Share of the pairs of one thing that reach it."""
    chance: float
    """Share of random pairs that do."""


class MatchModel:
    """How often each level is reached by one thing (m) and by chance (u), and how many pairs are
    one thing."""

    def __init__(self, name: str, priors: Mapping[str, Sequence[float]]) -> None:
        """`name` is the field of names, whose values are of different rarity. `priors` are shares
        of the levels that the same thing reaches, by field: where the learning begins, and what
        one pair's worth of it stays with."""
        self._name = name
        self._fields = list(priors)
        self._priors = {name: np.array(shares) for name, shares in priors.items()}
        self._counts = {name: len(shares) for name, shares in priors.items()}
        self._same = dict(self._priors)
        self._chance = {name: np.ones(count) / count for name, count in self._counts.items()}
        self._shares = [1e-6, 1e-7]
        """Of all pairs of different sources, and of one source, that are one thing."""

    def count_chance(self, levels: Mapping[str, Levels], others: Floats) -> None:
        """On random pairs, of which `others` says how likely each is two things: where each thing
        has several rows, some random pairs are one thing, and would make all names look common."""
        for name in self._fields:
            known = levels[name] != MISSING
            reached = np.bincount(levels[name][known], others[known], minlength=self._counts[name])
            # Half a pair for levels that no random pair reached: rare is not impossible.
            counted = reached.astype(float) + 0.5
            self._chance[name] = counted / counted.sum()

    def learn(
        self,
        levels: Mapping[str, Levels],
        is_same_source: NDArray[np.bool_],
        sides: tuple[float, float],
        name_chances: Floats,
        by_identifier: NDArray[np.int8],
        by_chance: Mapping[str, Levels],
        rng: np.random.Generator,
    ) -> None:
        random = len(next(iter(by_chance.values()), ()))
        nothing, across = np.zeros(random), np.zeros(random, bool)
        self.count_chance(by_chance, np.ones(random))
        count = len(is_same_source)
        if not count:
            return
        taken = np.arange(count)
        if count > _MOST_LEARNED:
            taken = rng.choice(count, _MOST_LEARNED, replace=False)
        scale = count / len(taken)
        own = {name: levels[name][taken] for name in self._fields}
        inside, extra, decided = is_same_source[taken], name_chances[taken], by_identifier[taken]
        for _ in range(_ROUNDS):
            chances = self.judge(own, inside, extra)
            chances = np.where(decided > 0, 1.0, np.where(decided < 0, 0.0, chances))
            before = list(self._shares)
            for side, total in enumerate(sides):
                met = float(chances[inside == bool(side)].sum()) * scale
                self._shares[side] = min(max((met + 0.1) / total, 1e-12), 0.5)
            for name in self._fields:
                known = own[name] != MISSING
                counted = np.bincount(
                    own[name][known], chances[known], minlength=self._counts[name]
                )
                self._same[name] = (counted + self._priors[name]) / (counted.sum() + 1.0)
            self.count_chance(by_chance, 1.0 - self.judge(by_chance, across, nothing))
            moved = max(abs(np.log(a / b)) for a, b in zip(self._shares, before, strict=True))
            if moved < _ENOUGH:
                break

    def judge(
        self, levels: Mapping[str, Levels], is_same_source: NDArray[np.bool_], name_chances: Floats
    ) -> Floats:
        shares = np.array(self._shares)
        priors = np.log(shares / (1 - shares))
        total = priors[is_same_source.astype(int)]
        # An equal name has a chance of its own, in place of that of all equal names.
        is_rated = name_chances > 0
        if is_rated.any():
            usual = self._chance[self._name][0]
            total = total + np.log(np.where(is_rated, usual / np.maximum(name_chances, 1e-12), 1.0))
        for name in self._fields:
            odds = np.log(self._same[name] / self._chance[name])
            # The last place is of missing values, which say nothing.
            total = total + np.append(odds, 0.0)[levels[name]]
        chances: Floats = 1.0 / (1.0 + np.exp(-np.clip(total, -50, 50)))
        return chances

    def odds(self) -> tuple[LevelOdds, ...]:
        return tuple(
            LevelOdds(name, level, float(self._same[name][level]), float(self._chance[name][level]))
            for name in self._fields
            for level in range(self._counts[name])
        )
