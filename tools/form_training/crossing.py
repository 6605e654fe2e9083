"""Cross-validation: every form judged by a judge that has seen no form of its host."""

import numpy as np

from leadline.learn.evaluation import deal_folds
from tools.form_training.lesson import Chances, FitJudge, Lesson

FOLDS = 10


def cross(fit: FitJudge, lesson: Lesson, extra: Lesson | None = None) -> Chances:
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
