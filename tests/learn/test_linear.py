"""A linear model that explains itself, and chances that hold."""

import pickle

import numpy as np
import pytest

from leadline.errors import ModelError
from leadline.learn.calibration import Calibration, Platt, Steps
from leadline.learn.linear import Linear
from leadline.learn.logistic import sigmoid

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
