"""Logistic regression: known answers, and signs that hold."""

import numpy as np
import pytest

from leadline.learn.logistic import fit_logistic, sigmoid


def test_without_penalty_a_single_column_gives_the_odds_of_the_counts() -> None:
    """3 of 4 rows with 0 are negative, 3 of 4 with 1 positive: odds 1/3 and 3."""
    rows = np.repeat([[0.0], [1.0]], 4, axis=0)
    found = fit_logistic(rows, np.array([0, 0, 0, 1, 0, 1, 1, 1.0]), strength=0.0)
    assert found.intercept == pytest.approx(-np.log(3), abs=1e-4)
    assert found.weights[0] == pytest.approx(2 * np.log(3), abs=1e-4)


def test_a_stronger_penalty_says_less() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(200, 5))
    targets = (rows[:, 0] > 0).astype(np.float64)
    sizes = [
        np.abs(fit_logistic(rows, targets, strength).weights).sum() for strength in (1, 10, 99)
    ]
    assert sizes == sorted(sizes, reverse=True)


def test_at_the_answer_the_slope_of_the_loss_is_zero() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(300, 8)) * [1, 2, 3, 4, 5, 6, 7, 8]
    targets = (rng.random(300) < sigmoid(rows[:, 0] - rows[:, 1])).astype(np.float64)
    found = fit_logistic(rows, targets, strength=2.0)
    gaps = sigmoid(rows @ found.weights + found.intercept) - targets
    spread = rows.std(axis=0)
    slope = ((rows - rows.mean(axis=0)) / spread).T @ gaps + 2.0 * found.weights * spread
    assert np.abs(slope).max() < 0.01
    assert abs(gaps.sum()) < 0.01


def test_signs_hold_and_the_rest_makes_the_best_of_it() -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(400, 3))
    targets = (rng.random(400) < sigmoid(2 * rows[:, 0] - 2 * rows[:, 1])).astype(np.float64)
    free = fit_logistic(rows, targets).weights
    held = fit_logistic(rows, targets, signs=np.array([-1, 0, 1], np.int8)).weights
    assert free[0] > 0
    assert held[0] == 0
    assert held[1] < 0
    assert held[2] >= 0


def test_columns_that_never_change_weigh_nothing() -> None:
    rows = np.array([[0.0, 5.0], [1.0, 5.0], [0.0, 5.0], [1.0, 5.0]])
    assert fit_logistic(rows, np.array([0, 1, 0, 1.0])).weights[1] == 0


def test_the_sigmoid_does_not_overflow() -> None:
    assert sigmoid(np.array([-1e4, 0.0, 1e4])).tolist() == [0.0, 0.5, 1.0]
