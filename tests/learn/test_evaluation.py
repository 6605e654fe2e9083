"""Folds, scores and reliability."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.learn.evaluation import deal_folds, measure_reliability, measure_scores


@given(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=200), st.integers(0, 9))
def test_rows_of_one_group_share_a_fold(groups: list[str], seed: int) -> None:
    count = min(4, len(set(groups)))
    folds = deal_folds(groups, count, seed)
    for group in set(groups):
        assert (
            len({int(fold) for fold, own in zip(folds, groups, strict=True) if own == group}) == 1
        )
    assert set(folds.tolist()) == set(range(count))
    assert (folds == deal_folds(groups, count, seed)).all()


def test_folds_are_about_equally_large() -> None:
    rng = np.random.default_rng(6)
    groups = [f"host{n}" for n in rng.integers(0, 120, 1_000)]
    sizes = np.bincount(deal_folds(groups, 10))
    assert sizes.min() >= 95
    assert sizes.max() <= 105


def test_the_order_of_rows_changes_nothing() -> None:
    groups = list("aaabbcdddde")
    folds = dict(zip(groups, deal_folds(groups, 3).tolist(), strict=True))
    turned = groups[::-1]
    assert folds == dict(zip(turned, deal_folds(turned, 3).tolist(), strict=True))


def test_fewer_groups_than_folds_are_refused() -> None:
    with pytest.raises(ValueError, match="2 groups cannot fill 3 folds"):
        deal_folds(["a", "b", "a"], 3)


def test_errors_are_counted() -> None:
    chances = np.array([0.9, 0.8, 0.6, 0.4, 0.1, 0.2])
    labels = np.array([True, True, False, True, False, False])
    found = measure_scores(chances, labels, list("abcdef"))
    assert found.error.value == pytest.approx(2 / 6)
    assert found.precision.value == pytest.approx(2 / 3)
    assert found.recall.value == pytest.approx(2 / 3)


def test_calibration_is_the_mean_gap_between_promise_and_share() -> None:
    """Ten forms given 0.7, of which five are positive: off by 0.2, in one bin."""
    labels = np.array([True] * 5 + [False] * 5)
    found = measure_scores(np.full(10, 0.7), labels, list("abcdefghij"))
    assert found.calibration.value == pytest.approx(0.2)


def test_honest_chances_have_little_calibration_error() -> None:
    rng = np.random.default_rng(7)
    chances = rng.random(6_000)
    found = measure_scores(chances, rng.random(6_000) < chances, [str(n) for n in range(6_000)])
    assert found.calibration.value < 0.03
    assert found.adaptive.value < 0.03


def test_intervals_are_wider_when_forms_come_in_groups() -> None:
    rng = np.random.default_rng(8)
    wrong = np.repeat(rng.random(40) < 0.2, 10)
    chances = np.where(wrong, 0.9, 0.1)
    labels = np.zeros(400, np.bool_)
    alone = measure_scores(chances, labels, [str(n) for n in range(400)]).error
    grouped = measure_scores(chances, labels, [str(n // 10) for n in range(400)]).error
    assert alone.value == grouped.value
    assert alone.low < alone.value < alone.high
    assert grouped.high - grouped.low > 2 * (alone.high - alone.low)


def test_a_judge_that_can_be_believed_has_no_error() -> None:
    found = measure_reliability([0.8] * 5 + [0.2] * 5, [True] * 4 + [False] * 5 + [True])
    rounded = [(round(one.said, 6), one.right, one.cases) for one in found.bins]
    assert rounded == [(0.2, 0.2, 5), (0.8, 0.8, 5)]
    assert found.error == pytest.approx(0)


def test_the_error_is_the_mean_gap() -> None:
    found = measure_reliability([1.0, 1.0, 0.0, 0.0], [True, False, False, False])
    assert [one.cases for one in found.bins] == [2, 2]
    assert found.error == pytest.approx(0.25)


def test_without_cases_there_is_nothing_to_tell() -> None:
    assert measure_reliability([], []).bins == ()
    assert measure_reliability([], []).error == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30), st.integers(1, 20))
def test_every_case_is_in_one_bin(cases: list[tuple[float, bool]], bins: int) -> None:
    found = measure_reliability([one for one, _ in cases], [right for _, right in cases], bins)
    assert sum(one.cases for one in found.bins) == len(cases)
    assert [one.said for one in found.bins] == sorted(one.said for one in found.bins)
    assert 0 <= found.error <= 1
