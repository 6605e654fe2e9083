"""Reliability diagrams in figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.learn.reliability import Bin, reliability


def test_a_judge_that_can_be_believed_has_no_error() -> None:
    found = reliability([0.8] * 5 + [0.2] * 5, [True] * 4 + [False] * 5 + [True])
    rounded = [Bin(round(said, 6), right, cases) for said, right, cases in found.bins]
    assert rounded == [Bin(0.2, 0.2, 5), Bin(0.8, 0.8, 5)]
    assert found.error == pytest.approx(0)


def test_the_error_is_the_mean_gap() -> None:
    found = reliability([1.0, 1.0, 0.0, 0.0], [True, False, False, False])
    assert [one.cases for one in found.bins] == [2, 2]
    assert found.error == pytest.approx(0.25)


def test_without_cases_there_is_nothing_to_tell() -> None:
    assert reliability([], []).bins == ()
    assert reliability([], []).error == 0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30), st.integers(1, 20))
def test_every_case_is_in_one_bin(cases: list[tuple[float, bool]], bins: int) -> None:
    found = reliability([one for one, _ in cases], [right for _, right in cases], bins)
    assert sum(one.cases for one in found.bins) == len(cases)
    assert [one.said for one in found.bins] == sorted(one.said for one in found.bins)
    assert 0 <= found.error <= 1
