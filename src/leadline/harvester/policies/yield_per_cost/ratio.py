"""What came beside what was expected, and how fast, the latest counting most."""

import math

_MEMORY = 30.0
"""Requests after which what was learned of the pace counts a third."""


class Ratio:
    """Begins at `start` with the weight of so much expected, and moves to what is learned."""

    def __init__(self, weight: float, fading: float, start: float = 1.0) -> None:
        self._start, self._weight, self._fading = start, weight, fading
        self._came = 0.0
        self._expected = 0.0

    @property
    def value(self) -> float:
        came = self._came + self._weight * self._start
        return came / (self._expected + self._weight)

    def learn(self, came: float, expected: float) -> None:
        self._came = self._fading * self._came + came
        self._expected = self._fading * self._expected + expected


class Pace:
    """New records for each of the latest requests."""

    def __init__(self) -> None:
        self._fresh = 0.0
        self._requests = 0.0

    @property
    def value(self) -> float:
        """Without end before anything was asked."""
        return self._fresh / self._requests if self._requests else math.inf

    def learn(self, fresh: int, requests: int) -> None:
        kept = math.exp(-requests / _MEMORY)
        self._fresh = kept * self._fresh + fresh
        self._requests = kept * self._requests + requests
