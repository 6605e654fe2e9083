"""Fits logistic regression: Newton's method with a quadratic penalty and weights of known sign."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
Numbers = NDArray[np.float64]

_MAX_STEPS = 100
_CLOSE = 1e-8
"""Fall of the loss per row at which the fit is done."""
_MIN_STEP = 1e-6
_RIDGE = 1e-9
"""Keeps the equations solvable where nothing else does."""


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
        """Newton's step among the weights that no bound holds fast."""
        chances = sigmoid(self.rows @ weights)
        slope = self.rows.T @ (self.shares * (chances - self.targets)) + self.penalty * weights
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
