"""A linear model that is never changed: a weight for each named feature, and honest chances."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.errors import ModelError
from leadline.learn.calibration import Calibration, Platt, Steps

Rows = NDArray[np.float64]
Numbers = NDArray[np.float64]


class Linear(Struct, frozen=True, eq=False):
    """Score = intercept + weights * row; the calibration makes a chance of it. Picklable."""

    names: tuple[str, ...]
    """What each column of a row is, in words."""
    weights: Numbers
    intercept: float = 0.0
    calibration: Calibration = Platt()

    def scores(self, rows: Rows) -> Numbers:
        scores: Numbers = rows @ self.weights + self.intercept
        return scores

    def chances(self, rows: Rows) -> Numbers:
        """One chance between 0 and 1 per row."""
        return self.calibration.chances(self.scores(rows))

    def contributions(self, row: Numbers) -> list[tuple[str, float]]:
        """What each feature the row has adds to its score, the strongest first."""
        added = self.weights * row
        order = np.argsort(-np.abs(added), kind="stable")
        return [(self.names[at], float(added[at])) for at in order if added[at]]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The whole model, to be written out; `of` reads it."""
        return {
            "names": np.array(self.names),
            "weights": self.weights,
            "intercept": np.array([self.intercept]),
            **_calibration_arrays(self.calibration),
        }

    @staticmethod
    def of(arrays: Mapping[str, NDArray[Any]], names: Sequence[str]) -> "Linear":
        """The model in these arrays, if it was made for features of these names."""
        if list(arrays["names"]) != list(names):
            raise ModelError("the model was made for other features than these: train it again")
        intercept = float(arrays["intercept"][0])
        return Linear(tuple(names), arrays["weights"], intercept, _calibration_of(arrays))


def _calibration_arrays(calibration: Calibration) -> dict[str, NDArray[Any]]:
    if isinstance(calibration, Platt):
        return {"platt": np.array([calibration.slope, calibration.offset])}
    return {"steps": np.stack([calibration.at, calibration.chance])}


def _calibration_of(arrays: Mapping[str, NDArray[Any]]) -> Calibration:
    if "platt" in arrays:
        slope, offset = arrays["platt"].tolist()
        return Platt(slope, offset)
    at, chance = arrays["steps"]
    return Steps(at, chance)
