"""Corrects judges whose verdicts are joined by *and*, from cases of which only the whole is known.

A case is right if every question about it is answered by yes: chance = product over the questions
of sigmoid(log-odds + correction). The log-odds are those of judges that stay as they are; each
correction is linear in its question's traits, with a normal prior around 0, so that without cases
nothing changes, few cases move what is like them, and many overrule the judges. A wrong case is
laid to the questions in proportion to how doubtful each was: of a form that surely searches
something, the topic is at fault.

The mode of the posterior is found by Newton's method with the expected curvature, over the cases
instead of the traits (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
section 3.4, has it for one question).
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.learn.logistic import sigmoid

Numbers = NDArray[np.float64]
Labels = NDArray[np.bool_]

_MAX_STEPS = 50
_CLOSE = 1e-6
"""Fall of the loss at which the fit is done."""
_MIN_STEP = 1e-4
_LEAST = 1e-12


class Question(Struct, frozen=True, eq=False):
    """What is asked of every case."""

    before: Numbers
    """The log-odds of yes, by a judge that stays as it is."""
    likeness: Numbers
    """likeness[i, j]: how far what is learned of case i holds for case j; the covariance of their
    corrections before anything is learned."""


def fit_conjunction(questions: Sequence[Question], is_right: Labels) -> list[Numbers]:
    """One row per question: what each case adds to the correction of whatever is like it.

    The correction of case j is the sum over i of row[i] * likeness[i, j]. Takes the cube of
    questions times cases: 0.1 s for 200 cases and two questions.
    """
    size = len(is_right)
    if not size:
        return [np.zeros(0) for _ in questions]
    parts, loss = np.zeros((len(questions), size)), np.inf
    fitted = parts
    for _ in range(_MAX_STEPS):
        less, tried = _descended(questions, is_right, fitted, parts, loss)
        if loss - less < _CLOSE:
            break
        fitted, loss = tried, less
        parts = _newton(questions, is_right, fitted)
    return list(fitted)


def _descended(
    questions: Sequence[Question], is_right: Labels, old: Numbers, new: Numbers, loss: float
) -> tuple[float, Numbers]:
    """As far towards the new parts as the loss falls."""
    length, tried = 1.0, new
    while (less := _loss(questions, is_right, tried)) > loss and length > _MIN_STEP:
        length /= 2
        tried = old + length * (new - old)
    return less, tried


def _corrections(questions: Sequence[Question], parts: Numbers) -> Numbers:
    return np.stack([one.likeness @ part for one, part in zip(questions, parts, strict=True)])


def _yes(questions: Sequence[Question], corrections: Numbers) -> Numbers:
    """The chance of yes to each question in each case."""
    return sigmoid(np.stack([one.before for one in questions]) + corrections)


def _loss(questions: Sequence[Question], is_right: Labels, parts: Numbers) -> float:
    """Minus the logarithm of the posterior."""
    corrections = _corrections(questions, parts)
    chance = _yes(questions, corrections).prod(axis=0)
    likely = np.where(is_right, chance, 1 - chance)
    return float(0.5 * (parts * corrections).sum() - np.log(np.maximum(likely, _LEAST)).sum())


def _newton(questions: Sequence[Question], is_right: Labels, parts: Numbers) -> Numbers:
    """Solves (1 + W K) parts = W f + slope, where f = K parts are the corrections."""
    corrections = _corrections(questions, parts)
    yes = _yes(questions, corrections)
    chance = yes.prod(axis=0)
    odds = chance / np.maximum(1 - chance, _LEAST)
    slope = np.where(is_right, 1 - yes, -(1 - yes) * odds)
    bend = odds * (1 - yes)[:, None] * (1 - yes)[None, :]
    count, size = yes.shape
    left = np.eye(count * size).reshape(count, size, count, size)
    for column, question in enumerate(questions):
        left[:, :, column] += bend[:, column, :, None] * question.likeness
    right = np.einsum("abi,bi->ai", bend, corrections) + slope
    solved = np.linalg.solve(left.reshape(count * size, -1), right.ravel())
    return solved.reshape(count, size)
