"""Corrects judges from cases that people labelled; the judges themselves stay as they are.

Their answers are joined by *and*, and of a case only the whole is known: a case is right if every
question about it is answered by yes: chance = product over the questions of sigmoid(log-odds +
correction). Each correction is linear in its question's traits, with a normal prior around 0, so
that without cases nothing changes, few cases move what is like them, and many overrule the judges.
A wrong case counts against the questions in proportion to how doubtful each was: of a form that
surely searches something, the topic is at fault.

The mode of the posterior is found by Newton's method with the expected curvature, over the cases
instead of the traits (Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006,
section 3.4, has it for one question).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.learn.linear import sigmoid
from leadline.learn.naive_bayes import places_among

Ids = NDArray[np.int32]
Numbers = NDArray[np.float64]
Labels = NDArray[np.bool_]

_CHUNK = 4_096
"""Traits compared at a time: some megabytes for a thousand cases."""
_MAX_JOINT_STEPS = 50
_JOINT_CLOSE = 1e-6
"""Fall of the loss at which the fit is done."""
_MIN_JOINT_STEP = 1e-4
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
    # The start is no correction at all: what the judges say holds until a case contradicts it.
    parts, loss = np.zeros((len(questions), size)), np.inf
    fitted = parts
    for _ in range(_MAX_JOINT_STEPS):
        less, tried = _descend(questions, is_right, fitted, parts, loss)
        if loss - less < _JOINT_CLOSE:
            break
        fitted, loss = tried, less
        parts = _take_newton_step(questions, is_right, fitted)
    return list(fitted)


def _descend(
    questions: Sequence[Question], is_right: Labels, old: Numbers, new: Numbers, loss: float
) -> tuple[float, Numbers]:
    """As far towards the new parts as the loss falls."""
    # The loss of a product of chances is not convex, so that a full step may make it worse.
    length, tried = 1.0, new
    while (less := _loss(questions, is_right, tried)) > loss and length > _MIN_JOINT_STEP:
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


def _take_newton_step(questions: Sequence[Question], is_right: Labels, parts: Numbers) -> Numbers:
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


class Traits(NamedTuple):
    """What a case is known by."""

    ids: Ids
    """Distinct, in rising order."""
    values: Numbers


class CorrectionPrior(NamedTuple):
    """How far a correction may be from nothing before any case was seen, as variances."""

    traits: float
    """Of the part of each trait whose value is 1."""
    shift: float
    """Of what is added to all cases alike."""
    slope: float
    """Of what is added for each unit of the judge's own log-odds: how much surer or less sure it
    should be."""


class Correction(Struct, frozen=True, eq=False):
    """Adds to log-odds. Picklable; one that is all zero adds nothing."""

    ids: Ids
    """In rising order."""
    weights: NDArray[np.float32]
    shift: float = 0.0
    slope: float = 0.0

    def of(self, traits: Traits, before: float) -> float:
        """What is added for something with these traits, of which the judge says so much."""
        places, is_known = places_among(self.ids, traits.ids)
        said = float(self.weights[places] @ traits.values[is_known])
        return self.shift + self.slope * before + said

    def parts(self, traits: Traits) -> list[tuple[int, float]]:
        """What each trait adds, strongest first; shift and slope are left out."""
        places, is_known = places_among(self.ids, traits.ids)
        added = self.weights[places] * traits.values[is_known]
        order = np.argsort(-np.abs(added), kind="stable")
        return [(int(self.ids[places[at]]), float(added[at])) for at in order if added[at]]


NO_CORRECTION = Correction(np.zeros(0, np.int32), np.zeros(0, np.float32))


class QuestionCases(NamedTuple):
    """A question, what its judge said of each case, and what each case is known by."""

    before: Sequence[float]
    """Log-odds of yes."""
    traits: Sequence[Traits]
    prior: CorrectionPrior


def fit_corrections(asked: Sequence[QuestionCases], is_right: Sequence[bool]) -> list[Correction]:
    """One for each question; a case is right if the answers to all of them are yes."""
    labels: Labels = np.array(is_right, np.bool_)
    questions = [Question(np.array(one.before), _compute_likeness(one)) for one in asked]
    parts = fit_conjunction(questions, labels)
    return [_sum_correction(one, part) for one, part in zip(asked, parts, strict=True)]


def _compute_likeness(asked: QuestionCases) -> Numbers:
    size = len(asked.traits)
    ids, owners, values = _flatten(asked.traits)
    words, columns = np.unique(ids, return_inverse=True)
    same = asked.prior.shift + asked.prior.slope * np.outer(asked.before, asked.before)
    for first in range(0, len(words), _CHUNK):
        here = (columns >= first) & (columns < first + _CHUNK)
        block = np.zeros((size, min(_CHUNK, len(words) - first)))
        block[owners[here], columns[here] - first] = values[here]
        same += asked.prior.traits * (block @ block.T)
    return same


def _sum_correction(asked: QuestionCases, parts: Numbers) -> Correction:
    ids, owners, values = _flatten(asked.traits)
    words, columns = np.unique(ids, return_inverse=True)
    added = np.bincount(columns, values * parts[owners], len(words)) * asked.prior.traits
    shift = asked.prior.shift * float(parts.sum())
    slope = asked.prior.slope * float(parts @ np.asarray(asked.before))
    return Correction(words, added.astype(np.float32), shift, slope)


def _flatten(traits: Sequence[Traits]) -> tuple[Ids, NDArray[np.int64], Numbers]:
    """All traits of all cases in one row, and the case of each."""
    ids = np.concatenate([np.zeros(0, np.int32), *(one.ids for one in traits)])
    values = np.concatenate([np.zeros(0), *(one.values for one in traits)])
    return ids, np.repeat(np.arange(len(traits)), [len(one.ids) for one in traits]), values
