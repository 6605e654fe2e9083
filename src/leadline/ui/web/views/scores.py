"""Numbers as JSON can tell them."""

import math


def score_of(score: float) -> float:
    """What is no number counts for nothing.

    >>> score_of(0.123456), score_of(float("nan"))
    (0.1235, 0.0)
    """
    return round(score, 4) if math.isfinite(score) else 0.0


def told(number: float | None) -> float | None:
    """None for what is no number.

    >>> told(2.0), told(float("nan")), told(None)
    (2.0, None, None)
    """
    return number if number is not None and math.isfinite(number) else None
