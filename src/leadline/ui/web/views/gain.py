"""What going on is expected to bring, from what the latest pages brought."""

import math

import numpy as np

from leadline.ui.web.models import Gain

AHEAD = 1_000
"""Pages for which it is told."""
LATEST = 1_000
"""Pages it rests on, at most: as far back as ahead."""
_PRIOR = 0.5
"""Of the Gamma distribution (Jeffreys): what brought nothing yet may still bring something."""
_OUTSIDE = 0.05
"""On each side of the interval."""


def expected_gain(forms: int, pages: int) -> Gain | None:
    """New forms of the next pages, when the latest `pages` brought `forms`; None before any page.

    The rate is Gamma distributed after what was seen, so the number to come is negative binomial.
    """
    if pages <= 0:
        return None
    shape, ratio = forms + _PRIOR, AHEAD / pages
    low, high = _interval(shape, ratio)
    return Gain(
        pages=AHEAD,
        forms=round(shape * ratio, 2),
        low=low,
        high=high,
        why=f"the latest {pages:,} pages brought {forms:,} new forms",
    )


def _interval(shape: float, ratio: float) -> tuple[float, float]:
    """The numbers below and above which it lies with one chance in twenty each."""
    spread = math.sqrt(shape * ratio * (1 + ratio))
    counts = np.arange(int(shape * ratio + 12 * spread) + 20)
    steps = (counts[:-1] + shape) / (counts[:-1] + 1) * (ratio / (1 + ratio))
    logs = np.concatenate([[0.0], np.cumsum(np.log(steps))])
    chances = np.exp(logs - logs.max())
    below = np.cumsum(chances) / chances.sum()
    ends = np.searchsorted(below, (_OUTSIDE, 1 - _OUTSIDE))
    return float(counts[ends[0]]), float(counts[ends[1]])
