"""How well two kinds of things can be told apart by their marks alone."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.learn.naive_bayes import NaiveBayes
from leadline_lab.draw import Draw, key_of

_SHUFFLES = 999
_SEED = 20_250_601
_ALARM = 0.001
"""Below it a verdict is no accident, though twenty are passed on each world."""


class Row(Struct, frozen=True):
    """One thing: the site it is of, whether it is of the kind looked for, and its marks."""

    site: int
    is_wanted: bool
    marks: tuple[str, ...]


class Verdict(Struct, frozen=True):
    """How well a learner tells things of sites it has not seen apart."""

    auc: float
    """0.5 is chance, 1 is always."""
    p: float
    """Share of random labellings that do as well or as badly."""
    rows: int
    """Things that were told apart."""
    spread: float
    """The standard deviation of `auc` under random labels."""

    @property
    def is_chance(self) -> bool:
        return self.p > _ALARM


def tell_apart(rows: Sequence[Row]) -> Verdict:
    """Learn from half the sites, grade on the other half; NaN where there is nothing to grade."""
    halves: tuple[list[Row], list[Row]] = ([], [])
    for row in rows:
        halves[Draw(key_of(_SEED, "half", row.site)).below(2)].append(row)
    train, test = halves
    labels = np.array([row.is_wanted for row in test], np.bool_)
    if not 0 < labels.sum() < len(labels) or len({row.is_wanted for row in train}) < 2:
        return Verdict(np.nan, np.nan, len(test), np.nan)
    return _grade(_scores(train, test), labels)


def _scores(train: Sequence[Row], test: Sequence[Row]) -> NDArray[np.float64]:
    marks = chain.from_iterable(row.marks for row in (*train, *test))
    numbers = {mark: number for number, mark in enumerate(dict.fromkeys(marks), 1)}

    def ids(rows: Sequence[Row]) -> list[NDArray[np.int32]]:
        return [np.array([numbers[mark] for mark in row.marks], np.int32) for row in rows]

    names = ["wanted" if row.is_wanted else "other" for row in train]
    learned = NaiveBayes.fit(ids(train), names)
    # As if each had one mark: the same order, and no two rounded to the same certainty.
    chances = learned.probabilities(ids(test), length=1)
    scores: NDArray[np.float64] = chances[:, learned.labels.index("wanted")]
    return scores


def _grade(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> Verdict:
    ranks = _mean_ranks(scores)
    wanted = int(labels.sum())
    pairs = wanted * (len(labels) - wanted)
    auc = (float(ranks[labels].sum()) - wanted * (wanted + 1) / 2) / pairs
    chance = np.random.default_rng(_SEED)
    sums = np.array([ranks[chance.permutation(labels)].sum() for _ in range(_SHUFFLES)])
    shuffled = (sums - wanted * (wanted + 1) / 2) / pairs
    extreme = int((np.abs(shuffled - 0.5) >= abs(auc - 0.5)).sum())
    p = (extreme + 1) / (_SHUFFLES + 1)
    return Verdict(round(auc, 4), round(p, 4), len(labels), round(float(shuffled.std()), 4))


def _mean_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """From 1; equals share the mean of theirs."""
    _, places, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: NDArray[np.float64] = (ends - (counts - 1) / 2)[places]
    return ranks
