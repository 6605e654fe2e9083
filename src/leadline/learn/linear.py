"""Linear models: logistic regression, calibration of scores, and weights with named features.

Trained by `tools/form_training` and `tools/critic_training`, read by `forms` and `topics`.
"""

from collections.abc import Mapping, Sequence
from math import log, tanh
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.errors import ModelError

Rows = NDArray[np.float64]
Numbers = NDArray[np.float64]

_MAX_STEPS = 100
_CLOSE = 1e-8
"""Fall of the loss per row at which the fit is done."""
_MIN_STEP = 1e-6
_RIDGE = 1e-9
"""Keeps the equations solvable if two columns are equal and there is no penalty."""
_SURE = 1e-4
"""Probabilities are kept this far from 0 and 1: no judge is surer than one in ten thousand."""


class Fit(NamedTuple):
    """Weights in the units of the rows as given."""

    weights: Numbers
    intercept: float


class _Problem(NamedTuple):
    rows: Rows
    """Centred, each column of spread 1, and a column of ones at the end."""
    targets: Numbers
    shares: Numbers
    """How much each row counts."""
    penalty: Numbers
    low: Numbers
    high: Numbers

    def loss(self, weights: Numbers) -> float:
        scores = self.rows @ weights
        fitted = self.shares * (np.logaddexp(0.0, scores) - self.targets * scores)
        return float(fitted.sum() + 0.5 * (self.penalty * weights**2).sum())

    def step(self, weights: Numbers) -> Numbers:
        """Newton's step among the weights that are not held at a bound."""
        chances = sigmoid(self.rows @ weights)
        slope = self.rows.T @ (self.shares * (chances - self.targets)) + self.penalty * weights
        # A weight at its bound stays there if the slope pushes it further out.
        held = ((weights <= self.low) & (slope > 0)) | ((weights >= self.high) & (slope < 0))
        free = np.flatnonzero(~held)
        rows = self.rows[:, free]
        bend = (rows * (self.shares * chances * (1 - chances))[:, None]).T @ rows
        bend[np.diag_indices_from(bend)] += self.penalty[free] + _RIDGE
        step = np.zeros_like(weights)
        step[free] = -np.linalg.solve(bend, slope[free])
        return step


def fit_logistic(
    rows: Rows,
    targets: Numbers,
    strength: float = 1.0,
    signs: NDArray[np.int8] | None = None,
    shares: Numbers | None = None,
) -> Fit:
    """Weights under which the targets, chances between 0 and 1, are likeliest.

    The penalty is half of `strength` times the sum of the squared weights of columns
    brought to spread 1; the intercept is free. `signs` holds 1 for a column whose weight
    may not be negative, -1 for one whose weight may not be positive, 0 for the others.
    `shares` says how much each row counts; all count 1 without it.
    """
    # Columns are brought to spread 1, so that one penalty suits all of them.
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    ones = np.ones((len(rows), 1))
    limits = np.zeros(rows.shape[1], np.int8) if signs is None else signs
    problem = _Problem(
        np.hstack([(rows - centre) / spread, ones]),
        targets,
        np.ones(len(rows)) if shares is None else shares,
        np.append(np.full(rows.shape[1], strength), 0.0),
        np.append(np.where(limits > 0, 0.0, -np.inf), -np.inf),
        np.append(np.where(limits < 0, 0.0, np.inf), np.inf),
    )
    found = _solve(problem)
    weights = found[:-1] / spread
    return Fit(weights, float(found[-1] - weights @ centre))


def _solve(problem: _Problem) -> Numbers:
    weights = np.zeros(problem.rows.shape[1])
    loss = problem.loss(weights)
    for _ in range(_MAX_STEPS):
        step, length = problem.step(weights), 1.0
        tried = np.clip(weights + step, problem.low, problem.high)
        # Far from the minimum Newton's step overshoots: it is halved until the loss falls.
        while (less := problem.loss(tried)) > loss and length > _MIN_STEP:
            length /= 2
            tried = np.clip(weights + length * step, problem.low, problem.high)
        if loss - less < _CLOSE * len(problem.rows):
            return tried if less < loss else weights
        weights, loss = tried, less
    return weights


def sigmoid(scores: Numbers) -> Numbers:
    """1 / (1 + exp(-score)), in a form that cannot overflow."""
    chances: Numbers = 0.5 * np.tanh(0.5 * scores) + 0.5
    return chances


def logit(chance: float) -> float:
    """The log-odds of a probability; never infinite."""
    chance = min(max(chance, _SURE), 1 - _SURE)
    return log(chance / (1 - chance))


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

    def chance_of(self, score: float) -> float:
        """Of one score, without the cost of an array."""
        return 0.5 * tanh(0.5 * (self.slope * score + self.offset)) + 0.5

    def chance(self, score: float) -> float:
        """Of one score, without the cost of an array."""
        return 0.5 * tanh(0.5 * (self.slope * score + self.offset)) + 0.5


class Steps(Struct, frozen=True, eq=False):
    """Isotonic calibration: probabilities that rise with the score, linear between known points.

    Fits better than `Platt` on many rows, and worse on few.
    """

    at: Numbers
    """Scores, rising."""
    chance: Numbers
    """At each of them; never falling."""

    @staticmethod
    def fit(scores: Numbers, labels: NDArray[np.bool_]) -> "Steps":
        """Pool adjacent violators: neighbours that fall are pooled until none does."""
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

    def chance_of(self, score: float) -> float:
        """Of one score."""
        return float(self.chances(np.array([score]))[0])


def _share(pool: tuple[float, float, int]) -> float:
    return pool[1] / pool[2]


Calibration = Platt | Steps


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
