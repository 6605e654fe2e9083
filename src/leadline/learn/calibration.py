"""Turns scores into chances that hold: of forms given 0.8, four in five are what is claimed."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.learn.logistic import fit_logistic, sigmoid

Numbers = NDArray[np.float64]


class Platt(Struct, frozen=True):
    """Chance = sigmoid(slope * score + offset)."""

    slope: float = 1.0
    offset: float = 0.0

    @staticmethod
    def fit(scores: Numbers, labels: NDArray[np.bool_]) -> "Platt":
        """On scores of rows the model was not fitted on.

        Targets are a little off 0 and 1, as Platt (1999) has them: by Laplace's rule.
        """
        positive = int(labels.sum())
        negative = len(labels) - positive
        targets = np.where(labels, (positive + 1) / (positive + 2), 1 / (negative + 2))
        found = fit_logistic(scores[:, None], targets, strength=0.0)
        return Platt(float(found.weights[0]), found.intercept)

    def chances(self, scores: Numbers) -> Numbers:
        return sigmoid(self.slope * scores + self.offset)


class Steps(Struct, frozen=True, eq=False):
    """Chances that rise with the score, straight lines between the known points."""

    at: Numbers
    """Scores, rising."""
    chance: Numbers
    """At each of them; never falling."""

    @staticmethod
    def fit(scores: Numbers, labels: NDArray[np.bool_]) -> "Steps":
        """Isotonic regression: neighbours that fall are pooled until none does."""
        order = np.argsort(scores, kind="stable")
        pools: list[tuple[float, float, int]] = []
        for score, label in zip(scores[order].tolist(), labels[order].tolist(), strict=True):
            pools.append((score, float(label), 1))
            while len(pools) > 1 and _share(pools[-2]) >= _share(pools[-1]):
                (score_sum, label_sum, rows), last = pools[-2], pools.pop()
                pools[-1] = (score_sum + last[0], label_sum + last[1], rows + last[2])
        means = [score_sum / rows for score_sum, _, rows in pools]
        return Steps(np.array(means), np.array([_share(pool) for pool in pools]))

    def chances(self, scores: Numbers) -> Numbers:
        return np.interp(scores, self.at, self.chance)


def _share(pool: tuple[float, float, int]) -> float:
    return pool[1] / pool[2]


Calibration = Platt | Steps
