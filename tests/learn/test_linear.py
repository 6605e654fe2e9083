"""Logistic regression, calibration, and linear models with named features."""

import pickle

import numpy as np
import pytest

from leadline.errors import ModelError
from leadline.learn.linear import Calibration, Linear, Platt, Steps, fit_logistic, sigmoid


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


NAMES = ("password boxes", "the word search")
STEPS = Steps(np.array([-1.0, 1.0]), np.array([0.1, 0.9]))


def model(calibration: Calibration) -> Linear:
    return Linear(NAMES, np.array([-2.0, 3.0]), 0.5, calibration)


def test_a_chance_is_the_calibrated_score() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert model(Platt()).scores(rows).tolist() == [-1.5, 3.5]
    assert np.allclose(model(Platt(2.0, 1.0)).chances(rows), sigmoid(np.array([-2.0, 8.0])))
    assert model(STEPS).chances(rows).tolist() == [0.1, 0.9]


def test_contributions_name_what_the_row_has_the_strongest_first() -> None:
    assert model(Platt()).contributions(np.array([1.0, 1.0])) == [
        ("the word search", 3.0),
        ("password boxes", -2.0),
    ]
    assert model(Platt()).contributions(np.array([0.0, 0.0])) == []


@pytest.mark.parametrize("calibration", [Platt(1.5, -0.5), STEPS])
def test_a_model_survives_arrays_and_pickling(calibration: Calibration) -> None:
    rows = np.array([[1.0, 0.5], [0.0, 1.0]])
    first = model(calibration)
    for copy in (Linear.of(first.arrays(), NAMES), pickle.loads(pickle.dumps(first))):
        assert (copy.chances(rows) == first.chances(rows)).all()
        assert copy.names == NAMES


def test_a_model_of_other_features_is_refused() -> None:
    with pytest.raises(ModelError, match="other features"):
        Linear.of(model(Platt()).arrays(), ("a", "b"))


def test_platt_undoes_overconfidence() -> None:
    rng = np.random.default_rng(4)
    true = rng.normal(size=4_000)
    labels = rng.random(4_000) < sigmoid(true)
    found = Platt.fit(3 * true + 1, labels)
    assert found.slope == pytest.approx(1 / 3, abs=0.03)
    assert found.offset == pytest.approx(-1 / 3, abs=0.1)


def test_steps_pool_neighbours_that_fall() -> None:
    found = Steps.fit(np.array([0.0, 1.0, 2.0, 3.0]), np.array([False, True, False, True]))
    assert found.at.tolist() == [0.0, 1.5, 3.0]
    assert found.chance.tolist() == [0.0, 0.5, 1.0]


def test_steps_never_fall_and_stay_within_zero_and_one() -> None:
    rng = np.random.default_rng(5)
    scores = rng.normal(size=500)
    found = Steps.fit(scores, rng.random(500) < sigmoid(scores))
    chances = found.chances(np.linspace(-9, 9, 200))
    assert (np.diff(chances) >= 0).all()
    assert chances.min() >= 0
    assert chances.max() <= 1
