"""Fits the judges, and cross-validates them.

What can be chosen is chosen on folds inside the training forms. In cross-validation every form is
judged by a judge that has seen no form of its host.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.forms.features import FEATURES
from leadline.learn.c45 import fit_tree
from leadline.learn.evaluation import deal_folds
from leadline.learn.linear import Fit, Linear, Platt, fit_logistic
from tools.form_training.examples import Chances, FitJudge, Judge, Labels, Lesson

STRENGTHS = (100.0, 30.0, 10.0)
"""Penalties tried: from next to nothing said to nearly free."""
_INNER_FOLDS = 5
_UNTAUGHT = [FEATURES.index(name) for name in ("image buttons", "reset buttons")]
_MUTED_WEIGHT = 0.1
"""Of a form without its words of searching: at 0.3 twice as many modern forms are judged wrong."""
_VEILED_WEIGHT = 0.5
"""A form under names that say nothing counts half: it is the same form, and rarer."""
_SPEAKING_FOR = frozenset({
    "the word search", "search boxes", "marked as a search region", "a text box named like a query",
    "a text box named like a query alone", "asks for nothing personal",
    "asks for three kinds of things that records have or more, and nothing personal",
})  # fmt: skip
_SPEAKING_AGAINST = frozenset({
    "password boxes", "file uploads", "e-mail boxes", "phone boxes", "message boxes",
    "controls that must be filled in", "nothing to fill in", "tick boxes only",
    "one tick box only", "browsers are to fill in personal data", "does something else",
    "does something else and does not speak of searching",
})  # fmt: skip


class Fitted(NamedTuple):
    model: Linear
    strength: float


def fit_default(lesson: Lesson) -> Fitted:
    """Logistic regression on the wider features, calibrated on forms it was not fitted on.

    Each penalty is tried on folds grouped by host and the scores it gives are calibrated;
    the penalty whose chances then have the least log loss is taken, and its calibration.
    """
    folds = deal_folds(lesson.hosts.tolist(), _INNER_FOLDS)
    losses: dict[float, tuple[float, Platt]] = {}
    for strength in STRENGTHS:
        scores = _score_held_out(lesson, folds, strength)
        real = lesson.weights == 1.0
        # Calibrated on real forms: how many generated ones search was chosen by their writer.
        platt = Platt.fit(scores[real], lesson.labels[real])
        losses[strength] = log_loss(platt.chances(scores[real]), lesson.labels[real]), platt
    strength = min(losses, key=lambda each: losses[each][0])
    found = _fit(lesson, strength)
    model = Linear(FEATURES, found.weights, found.intercept, losses[strength][1])
    return Fitted(model, strength)


def fit_default_judge(lesson: Lesson) -> Judge:
    return fit_default(lesson).model.chances


def fit_c45_judge(lesson: Lesson) -> Judge:
    """FFC's judge."""
    tree = fit_tree(lesson.rows, lesson.labels.astype(np.int64))
    return lambda asked: tree.chances(asked)[:, 1]


def feature_signs() -> NDArray[np.int8]:
    """Which way a feature may speak, where that is known: words of an account never for a search.

    Without it a handful of forms teach oddities that the next site pays for.
    """
    return np.array([_sign(name) for name in FEATURES], np.int8)


def _sign(name: str) -> int:
    if name in _SPEAKING_FOR or name.startswith("words of searching"):
        return 1
    if name in _SPEAKING_AGAINST:
        return -1
    # `Go` and `Filter` are on searches and others alike.
    is_open = name.startswith(("words of going", "words of narrowing"))
    return -1 if name.startswith("words of") and not is_open else 0


def log_loss(chances: Chances, labels: Labels) -> float:
    right = np.where(labels, chances, 1 - chances)
    return float(-np.log(np.maximum(right, 1e-12)).mean())


def _score_held_out(lesson: Lesson, folds: NDArray[np.int64], strength: float) -> Chances:
    scores = np.empty(len(lesson.rows))
    for fold in range(_INNER_FOLDS):
        out = folds == fold
        found = _fit(lesson.only(~out), strength)
        scores[out] = lesson.rows[out] @ found.weights + found.intercept
    return scores


def _fit(lesson: Lesson, strength: float) -> Fit:
    rows = np.vstack([lesson.rows, lesson.veiled, lesson.muted])
    targets = np.tile(lesson.labels.astype(np.float64), 3)
    weights = np.repeat([1.0, _VEILED_WEIGHT, _MUTED_WEIGHT], len(lesson.rows))
    weights *= np.tile(lesson.weights, 3)
    # Buttons as pictures and for clearing are marks of the years in which the older forms were
    # written; they say nothing about what a form is for.
    rows[:, _UNTAUGHT] = 0.0
    return fit_logistic(rows, targets, strength, feature_signs(), weights)


FOLDS = 10


def cross_validate(fit: FitJudge, lesson: Lesson, extra: Lesson | None = None) -> Chances:
    """A chance for each row of the lesson.

    What is `extra` teaches, except what is of a host being tested, and is not tested itself.
    """
    folds = deal_folds(lesson.hosts.tolist(), FOLDS)
    chances = np.empty(len(lesson.rows))
    for fold in range(FOLDS):
        out = folds == fold
        taught = lesson.only(~out)
        if extra is not None:
            taught = taught.joined(extra.only(~np.isin(extra.hosts, lesson.hosts[out])))
        chances[out] = fit(taught)(lesson.rows[out])
    return chances
