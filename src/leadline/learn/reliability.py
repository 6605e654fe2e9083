"""Whether chances can be believed: of what was given 0.8, was four in five right?"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

BINS = 10
"""Of equal width; more would hold too few of the labels that people give."""


class Bin(NamedTuple):
    """Cases that were given about the same chance."""

    said: float
    """The mean chance they were given."""
    right: float
    """The share that was right."""
    cases: int


class Reliability(Struct, frozen=True):
    """A reliability diagram in figures."""

    bins: tuple[Bin, ...]
    """By rising chance; those without cases are left out."""
    error: float
    """Expected calibration error: the mean gap between `said` and `right`; 0 without cases."""


def reliability(
    chances: Sequence[float], is_right: Sequence[bool], bins: int = BINS
) -> Reliability:
    """Of chances between 0 and 1, each with what turned out to be so."""
    said, right = np.asarray(chances, np.float64), np.asarray(is_right, np.float64)
    places = np.minimum((said * bins).astype(np.int64), bins - 1)
    cases = np.bincount(places, minlength=bins)
    said_sums, right_sums = (np.bincount(places, some, bins) for some in (said, right))
    error = float(np.abs(said_sums - right_sums).sum() / max(1, len(said)))
    found = [
        Bin(float(said_sums[at] / cases[at]), float(right_sums[at] / cases[at]), int(cases[at]))
        for at in np.flatnonzero(cases).tolist()
    ]
    return Reliability(tuple(found), error)
