"""What came beside what was expected, the latest counting most."""


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
