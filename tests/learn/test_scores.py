"""Figures of merit on answers that can be counted by hand."""

import numpy as np
import pytest

from leadline.learn.scores import measure


def test_errors_are_counted() -> None:
    chances = np.array([0.9, 0.8, 0.6, 0.4, 0.1, 0.2])
    labels = np.array([True, True, False, True, False, False])
    found = measure(chances, labels, list("abcdef"))
    assert found.error.value == pytest.approx(2 / 6)
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.recall.value == pytest.approx(2 / 3)


def test_calibration_is_the_mean_gap_between_promise_and_share() -> None:
    """Ten forms given 0.7, of which five are positive: off by 0.2, in one bin."""
    labels = np.array([True] * 5 + [False] * 5)
    found = measure(np.full(10, 0.7), labels, list("abcdefghij"))
    assert found.calibration.value == pytest.approx(0.2)


def test_honest_chances_have_little_calibration_error() -> None:
    rng = np.random.default_rng(7)
    chances = rng.random(6_000)
    found = measure(chances, rng.random(6_000) < chances, [str(n) for n in range(6_000)])
    assert found.calibration.value < 0.03
    assert found.adaptive.value < 0.03


def test_intervals_are_wider_when_forms_come_in_groups() -> None:
    rng = np.random.default_rng(8)
    wrong = np.repeat(rng.random(40) < 0.2, 10)
    chances = np.where(wrong, 0.9, 0.1)
    labels = np.zeros(400, np.bool_)
    alone = measure(chances, labels, [str(n) for n in range(400)]).error
    grouped = measure(chances, labels, [str(n // 10) for n in range(400)]).error
    assert alone.value == grouped.value
    assert alone.low < alone.value < alone.high
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)
