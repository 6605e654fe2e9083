"""Claims held against trials: a ratio, its interval, and whether that is what the paper says."""

import math
from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline_lab.experiments.comparison import Comparison
from leadline_lab.experiments.trial import Result
from leadline_lab.reproduction.claims import Claim

HOLDS, WEAKER, UNDECIDED, CONTRARY = "holds", "weaker", "not decided", "the contrary"
_DRAWS = 4_000
_SEED = 20_070_508
_LEVELS = (0.025, 0.975)
_FEWEST = 4
"""Pairs of trials below which no interval is given."""


class Grade(Struct, frozen=True):
    """A claim and what came of it."""

    claim: Claim
    pairs: int
    """Worlds with domains on which both strategies were run."""
    one: float
    """Mean of the first strategy."""
    other: float
    ratio: float
    low: float
    """Of the 95 % interval of the ratio; NaN with too few pairs."""
    high: float
    verdict: str

    @property
    def comes_out(self) -> bool:
        """Whether the ratio is what the paper says, be it by chance."""
        most = math.inf if self.claim.most is None else self.claim.most
        return self.claim.least <= self.ratio <= most


def grade(claim: Claim, results: Sequence[Result]) -> Grade | None:
    """None where the strategies were not run on the same worlds."""
    values = Comparison(results, claim.metric).values
    one, other = values.get(claim.one, {}), values.get(claim.other, {})
    units = [unit for unit in one if unit in other and _is_about(claim, unit[1])]
    if not units:
        return None
    firsts = np.array([one[unit] for unit in units])
    seconds = np.array([other[unit] for unit in units])
    ratio = float(firsts.sum() / max(1e-9, seconds.sum()))
    low, high = _interval(firsts, seconds)
    return Grade(
        claim,
        len(units),
        float(firsts.mean()),
        float(seconds.mean()),
        ratio,
        low,
        high,
        verdict(claim, ratio, low, high),
    )


def _is_about(claim: Claim, domain: str) -> bool:
    return not claim.domains or domain in claim.domains


def _interval(firsts: NDArray[np.float64], seconds: NDArray[np.float64]) -> tuple[float, float]:
    """Of the ratio of sums, pairs drawn anew."""
    n = len(firsts)
    if n < _FEWEST:
        return float("nan"), float("nan")
    picks = np.random.default_rng(_SEED).integers(0, n, (_DRAWS, n))
    ratios = firsts[picks].sum(axis=1) / np.maximum(1e-9, seconds[picks].sum(axis=1))
    low, high = np.quantile(ratios, _LEVELS)
    return float(low), float(high)


def verdict(claim: Claim, ratio: float, low: float, high: float) -> str:
    """A claim of more is contrary to less, weaker if more but not so much; equality is a range."""
    if math.isnan(low):
        return UNDECIDED
    most = float("inf") if claim.most is None else claim.most
    is_equality = claim.least < 1 < most
    is_open = not is_equality and low <= 1 <= high
    if claim.least <= ratio <= most and not is_open:
        return HOLDS
    if is_equality:
        return CONTRARY if low > most or high < claim.least else UNDECIDED
    is_more_claimed = claim.least >= 1
    is_contrary = high < 1 if is_more_claimed else low > 1
    if is_contrary:
        return CONTRARY
    is_right_way = low > 1 if is_more_claimed else high < 1
    return WEAKER if is_right_way else UNDECIDED
