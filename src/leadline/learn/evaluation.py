"""How good a judge of yes or no is: errors, calibration, and folds to measure them on."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Labels = NDArray[np.bool_]

BINS = 15
"""Of the expected calibration error, as most papers report it."""
RELIABILITY_BINS = 10
"""Of equal width; more would hold too few of the labels that people give."""
_RESAMPLES = 2_000
"""Of the bootstrap."""


def deal_folds(groups: Sequence[str], folds: int, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each row, for cross-validation; rows of one group share theirs, because rows of
    one host are alike, and folds are about equally large.

    The largest groups are dealt out first, each to the smallest fold. Equal for equal groups
    and seed; groups of equal size are shuffled by the seed.
    """
    sizes = Counter(groups)
    if len(sizes) < folds:
        raise ValueError(f"{len(sizes)} groups cannot fill {folds} folds")
    dealt = sorted(sizes, key=lambda group: (-sizes[group], _shuffle_key(group, seed)))
    loads, fold_of = [0] * folds, {}
    for group in dealt:
        fold_of[group] = loads.index(min(loads))
        loads[fold_of[group]] += sizes[group]
    return np.array([fold_of[group] for group in groups], np.int64)


def _shuffle_key(group: str, seed: int) -> int:
    return xxhash.xxh3_64_intdigest(group.encode("utf-8", "replace"), seed)


class Interval(NamedTuple):
    """A figure with the bounds that contain it in 95 of 100 resamplings of the groups."""

    value: float
    low: float
    high: float


class JudgeScores(NamedTuple):
    """Shares between 0 and 1."""

    error: Interval
    precision: Interval
    recall: Interval
    calibration: Interval
    """Expected calibration error in 15 bins of equal width."""
    adaptive: Interval
    """The same in 15 bins of equally many rows."""


def measure_scores(
    chances: Numbers, labels: Labels, groups: Sequence[str], seed: int = 0
) -> JudgeScores:
    """Figures at the threshold 0.5. Intervals by bootstrap over whole groups.

    An expected calibration error is never negative, so resampling can only add to it: its
    interval is an upper bound, and says nothing of how small it may be.
    """
    names, owner = np.unique(np.asarray(groups), return_inverse=True)
    # Whole groups are drawn, because the rows of one host are alike.
    rng = np.random.default_rng(seed)
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), _RESAMPLES)
    draws = np.vstack([np.ones(len(names), np.int64), drawn]).astype(np.float64)

    def sums(columns: Numbers) -> Numbers:
        """Of each column in each resampling, the first of which is the rows themselves."""
        by_group = np.zeros((len(names), columns.shape[1]))
        np.add.at(by_group, owner, columns)
        totals: Numbers = draws @ by_group
        return totals

    said = chances >= 0.5
    outcome = np.stack([said != labels, said & labels, said, labels, np.ones_like(said)], axis=1)
    wrong, right, claimed, true, rows = sums(outcome.astype(np.float64)).T
    even = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    return JudgeScores(
        _interval(wrong / rows),
        _interval(right / np.maximum(claimed, 1)),
        _interval(right / np.maximum(true, 1)),
        _interval(_total_gap(sums(_spread_over_bins(chances - labels, even))) / rows),
        _interval(
            _total_gap(sums(_spread_over_bins(chances - labels, _adaptive_bins(chances)))) / rows
        ),
    )


def _spread_over_bins(values: Numbers, bins: NDArray[np.int64]) -> Numbers:
    """One column per bin: the value in the row's own bin, 0 in the others."""
    return np.eye(BINS)[bins] * values[:, None]


def _total_gap(totals: Numbers) -> Numbers:
    gap: Numbers = np.abs(totals).sum(axis=1)
    return gap


def _adaptive_bins(chances: Numbers) -> NDArray[np.int64]:
    """Bins of equally many rows; equal chances may be split, which moves no more than a row."""
    ranks = np.empty(len(chances), np.int64)
    ranks[np.argsort(chances, kind="stable")] = np.arange(len(chances))
    return ranks * BINS // len(chances)


def _interval(figures: Numbers) -> Interval:
    low, high = np.quantile(figures[1:], [0.025, 0.975])
    return Interval(float(figures[0]), float(low), float(high))


class ReliabilityBin(Struct, frozen=True):
    """Cases that were given about the same chance."""

    said: float
    """The mean chance they were given."""
    right: float
    """The share that was right."""
    cases: int


class Reliability(Struct, frozen=True):
    """A reliability diagram in figures."""

    bins: tuple[ReliabilityBin, ...]
    """By rising chance; those without cases are left out."""
    error: float
    """Expected calibration error: the mean gap between `said` and `right`; 0 without cases."""


def measure_reliability(
    chances: Sequence[float], is_right: Sequence[bool], bins: int = RELIABILITY_BINS
) -> Reliability:
    """Whether chances can be believed: of what was given 0.8, was four in five right?"""
    said, right = np.asarray(chances, np.float64), np.asarray(is_right, np.float64)
    places = np.minimum((said * bins).astype(np.int64), bins - 1)
    cases = np.bincount(places, minlength=bins)
    said_sums, right_sums = (np.bincount(places, some, bins) for some in (said, right))
    error = float(np.abs(said_sums - right_sums).sum() / max(1, len(said)))
    found = [
        ReliabilityBin(
            float(said_sums[at] / cases[at]), float(right_sums[at] / cases[at]), int(cases[at])
        )
        for at in np.flatnonzero(cases).tolist()
    ]
    return Reliability(tuple(found), error)
