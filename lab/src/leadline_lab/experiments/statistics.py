"""Whether one strategy is better than another, and by how much.

The unit is a world with a domain; strategies are compared on the same units,
with the runs of several algorithm seeds averaged before. Worlds are drawn
independently, domains of one world are not, so intervals resample worlds.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Row = NDArray[np.float64]
_DRAWS = 10_000
_SEED = 20_070_508
_CONFIDENCE = 0.95
_TIE = 1e-9
_FEWEST = 5
"""Clusters below which there is no interval: resampled means never leave the range of the
numbers, and that of four independent ones misses their centre one time in eight."""


class Interval(Struct, frozen=True):
    """A mean and its 95 % confidence interval; NaN ends when the worlds are too few."""

    mean: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        return self.low > 0 or self.high < 0


class Record(Struct, frozen=True):
    """Units won, tied and lost."""

    wins: int
    ties: int
    losses: int


class Ranks(Struct, frozen=True):
    """Friedman's test over all strategies, with Nemenyi's critical distance."""

    mean_ranks: dict[str, float]
    """1 is the best."""
    p: float
    critical_distance: float
    """Mean ranks further apart than this differ at the 5 % level."""
    units: int


def clustered_interval(clusters: Sequence[Sequence[float]], draws: int = _DRAWS) -> Interval:
    """The mean over all numbers, with an interval from resampling whole clusters.

    Percentile intervals of few clusters are too narrow; their levels are widened
    as a t quantile is to a normal one (T. Hesterberg, The American Statistician
    69, 2015).
    """
    from scipy.stats import norm, t

    sums = np.array([sum(cluster) for cluster in clusters], np.float64)
    sizes = np.array([len(cluster) for cluster in clusters], np.float64)
    mean = float(sums.sum() / sizes.sum())
    n = len(clusters)
    if n < _FEWEST:
        return Interval(mean, math.nan, math.nan)
    picks = np.random.default_rng(_SEED).integers(0, n, (draws, n))
    means = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    wide = math.sqrt(n / (n - 1)) * t.ppf((1 - _CONFIDENCE) / 2, n - 1)
    level = float(norm.cdf(wide))
    low, high = np.quantile(means, [level, 1 - level])
    return Interval(mean, float(low), float(high))


def signed_rank_p(differences: Sequence[float]) -> float:
    """Wilcoxon's signed-rank test, two-sided; 1 when nothing differs."""
    from scipy.stats import wilcoxon

    row = np.asarray(differences, np.float64)
    if not np.any(np.abs(row) > _TIE):
        return 1.0
    return float(wilcoxon(row).pvalue)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values after Holm's correction for all of them together, in their order."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted


def hodges_lehmann(differences: Sequence[float]) -> float:
    """The median of all means of two (or once the same): a shift that outliers do not move."""
    row = np.asarray(differences, np.float64)
    first, second = np.triu_indices(len(row))
    return float(np.median((row[first] + row[second]) / 2))


def wins_ties_losses(differences: Sequence[float]) -> Record:
    row = np.asarray(differences, np.float64)
    wins, losses = int((row > _TIE).sum()), int((row < -_TIE).sum())
    return Record(wins, len(row) - wins - losses, losses)


def friedman(values: Mapping[str, Sequence[float]]) -> Ranks:
    """Ranks of all strategies over the units, the more the better; p is NaN below three.

    With two strategies Friedman's test is the sign test, and Wilcoxon's is better.
    """
    from scipy.stats import friedmanchisquare, rankdata, studentized_range

    names = list(values)
    table = np.array([values[name] for name in names], np.float64)
    strategies, units = table.shape
    ranks = rankdata(-table, axis=0).mean(axis=1)
    p = math.nan
    if strategies > 2 and units > 1 and np.any(table != table[0]):
        p = float(friedmanchisquare(*table).pvalue)
    quantile = studentized_range.ppf(_CONFIDENCE, max(2, strategies), math.inf) / math.sqrt(2)
    distance = float(quantile) * math.sqrt(strategies * (strategies + 1) / (6 * units))
    return Ranks(dict(zip(names, map(float, ranks), strict=True)), p, distance, units)
