"""How good a judge of yes or no is: errors, calibration, and how sure we may be of both."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Labels = NDArray[np.bool_]

BINS = 15
"""Of the expected calibration error, as most who report it."""
_RESAMPLES = 2_000


class Interval(NamedTuple):
    """A figure with the bounds that hold it in 95 of 100 resamplings of the groups."""

    value: float
    low: float
    high: float


class Scores(NamedTuple):
    """Shares between 0 and 1."""

    error: Interval
    precision: Interval
    recall: Interval
    calibration: Interval
    """Expected calibration error in 15 bins of equal width."""
    adaptive: Interval
    """The same in 15 bins of equally many rows."""


def measure(chances: Numbers, labels: Labels, groups: Sequence[str], seed: int = 0) -> Scores:
    """Figures at the threshold 0.5. Intervals by bootstrap over whole groups.

    An expected calibration error is never negative, so resampling can only add to it: its
    interval says how large it may be, not that it is not smaller.
    """
    names, owner = np.unique(np.asarray(groups), return_inverse=True)
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
    return Scores(
        _interval(wrong / rows),
        _interval(right / np.maximum(claimed, 1)),
        _interval(right / np.maximum(true, 1)),
        _interval(_gap(sums(_in_bins(chances - labels, even))) / rows),
        _interval(_gap(sums(_in_bins(chances - labels, _adaptive_bins(chances)))) / rows),
    )


def _in_bins(values: Numbers, bins: NDArray[np.int64]) -> Numbers:
    """One column per bin: the value in the row's own bin, 0 in the others."""
    return np.eye(BINS)[bins] * values[:, None]


def _gap(totals: Numbers) -> Numbers:
    gap: Numbers = np.abs(totals).sum(axis=1)
    return gap


def _adaptive_bins(chances: Numbers) -> NDArray[np.int64]:
    """Bins of equally many rows; equal chances may part, which changes no more than a row."""
    ranks = np.empty(len(chances), np.int64)
    ranks[np.argsort(chances, kind="stable")] = np.arange(len(chances))
    return ranks * BINS // len(chances)


def _interval(figures: Numbers) -> Interval:
    low, high = np.quantile(figures[1:], [0.025, 0.975])
    return Interval(float(figures[0]), float(low), float(high))
