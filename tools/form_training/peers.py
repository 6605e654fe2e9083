"""The other learners of FFC's Table 2, on its fourteen features. Needs scikit-learn.

FFC used Weka with its defaults. Here: a linear support vector machine and a perceptron with
one hidden layer of half as many nodes as there are features and classes, both on columns
brought into 0..1, as Weka has them; naive Bayes with normal distributions, no narrower than
a sixth of the usual gap between a column's values, which is Weka's floor.
"""

from typing import Any

import numpy as np

from leadline.forms.features import Rows
from leadline.learn.evaluation import deal_folds
from leadline.learn.linear import Platt
from tools.form_training.examples import Judge, Lesson

_HIDDEN = 8
"""(14 features + 2 classes) / 2: Weka's default."""
_PEER_FOLDS = 5
_NARROWEST = 1 / 6


def naive_bayes(lesson: Lesson) -> Judge:
    from sklearn.naive_bayes import GaussianNB

    gaps = np.array([_usual_gap(column) for column in lesson.rows.T])
    model = GaussianNB().fit(lesson.rows / gaps, lesson.labels)
    model.var_ = np.maximum(model.var_, _NARROWEST**2)
    return lambda asked: model.predict_proba(asked / gaps)[:, 1]


def _usual_gap(column: Rows) -> float:
    gaps = np.diff(np.unique(column))
    return float(gaps.mean()) if len(gaps) else 1.0


def support_vectors(lesson: Lesson) -> Judge:
    """Calibrated like ours: by Platt's rule on scores of folds held out."""
    rows, labels = lesson.rows, lesson.labels
    folds = deal_folds(lesson.hosts.tolist(), _PEER_FOLDS)
    scores = np.empty(len(rows))
    for fold in range(_PEER_FOLDS):
        out = folds == fold
        scores[out] = _machine().fit(rows[~out], labels[~out]).decision_function(rows[out])
    platt, model = Platt.fit(scores, labels), _machine().fit(rows, labels)
    return lambda asked: platt.chances(model.decision_function(asked))


def perceptron(lesson: Lesson) -> Judge:
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler

    network = MLPClassifier((_HIDDEN,), solver="lbfgs", alpha=0.01, max_iter=5_000, random_state=0)
    model = make_pipeline(MinMaxScaler(), network).fit(lesson.rows, lesson.labels)
    return lambda asked: model.predict_proba(asked)[:, 1]


def _machine() -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler
    from sklearn.svm import SVC

    return make_pipeline(MinMaxScaler(), SVC(kernel="linear", C=1.0))
