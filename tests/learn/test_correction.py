"""Judges joined by *and* are corrected by cases of which only the whole is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.learn.correction import Numbers, Question, fit_conjunction
from leadline.learn.linear import sigmoid


def question(before: list[float], likeness: Numbers) -> Question:
    return Question(np.array(before), likeness)


def after(questions: list[Question], is_right: list[bool]) -> Numbers:
    """The chance of yes to each question in each case, corrected."""
    parts = fit_conjunction(questions, np.array(is_right))
    moved = [one.before + one.likeness @ part for one, part in zip(questions, parts, strict=True)]
    return sigmoid(np.stack(moved))


def test_without_cases_nothing_is_learned() -> None:
    empty = question([], np.zeros((0, 0)))
    assert [len(part) for part in fit_conjunction([empty, empty], np.zeros(0, bool))] == [0, 0]


def test_a_wrong_case_is_laid_to_the_question_that_was_in_doubt() -> None:
    sure, doubtful = question([5.0], np.eye(1)), question([0.5], np.eye(1))
    first, second = after([sure, doubtful], [False])[:, 0]
    assert sigmoid(np.array(5.0)) - first < 0.01
    assert sigmoid(np.array(0.5)) - second > 0.1


def test_what_is_alike_moves_along_and_what_is_not_stays() -> None:
    alike = np.array([[4.0, 3.0, 0.0], [3.0, 4.0, 0.0], [0.0, 0.0, 4.0]])
    parts = fit_conjunction([question([1.0], alike[:1, :1])], np.array([False]))
    moved = alike[:, 0] * parts[0][0]
    assert moved[0] < moved[1] < -0.5
    assert moved[2] == 0


def test_many_cases_overrule_a_judge_and_few_do_not() -> None:
    few = after([question([4.0] * 2, np.full((2, 2), 1.0))], [False] * 2)
    many = after([question([4.0] * 60, np.full((60, 60), 1.0))], [False] * 60)
    assert few[0, 0] > 0.5 > many[0, 0]


def test_one_question_is_logistic_regression_with_a_prior() -> None:
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(40, 3))
    is_right = rows[:, 0] + rng.normal(size=40) > 0
    parts = fit_conjunction([question([0.0] * 40, rows @ rows.T)], is_right)[0]
    weights = rows.T @ parts
    slope = rows.T @ (sigmoid(rows @ weights) - is_right) + weights
    assert slope == pytest.approx(np.zeros(3), abs=1e-3)


@given(
    st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.booleans()), min_size=1, max_size=8)
)
def test_labels_never_make_what_they_say_less_likely(
    cases: list[tuple[float, float, bool]],
) -> None:
    one, other, is_right = map(list, zip(*cases, strict=True))
    alone = np.eye(len(cases))
    questions = [question(one, alone), question(other, 4 * alone)]
    before = sigmoid(np.array([one, other])).prod(axis=0)
    now = after(questions, is_right).prod(axis=0)
    for right, old, new in zip(is_right, before, now, strict=True):
        assert (new >= old - 1e-6) if right else (new <= old + 1e-6)
