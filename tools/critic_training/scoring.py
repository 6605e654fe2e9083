"""Figures of judges of form domains, where half of the forms are of the domain."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.forms.domain import DOMAINS
from leadline.learn.evaluation import BINS
from leadline.learn.linear import sigmoid
from tools.critic_training.material import Example, is_sure, targets

Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]
LIKELY = 0.5


class Figures(Struct, frozen=True):
    """Of one domain. The forms of the domain and all others weigh the same, however many."""

    own: int
    others: int
    recall: float
    """Of the forms of the domain."""
    false_alarms: float
    """Share of the others that are taken for forms of the domain."""

    @property
    def accuracy(self) -> float:
        return (self.recall + 1 - self.false_alarms) / 2

    @property
    def precision(self) -> float:
        claimed = self.recall + self.false_alarms
        return self.recall / claimed if claimed else 0.0

    def rounded(self) -> dict[str, float]:
        names = ("own", "others", "accuracy", "precision", "recall", "false_alarms")
        return {name: round(getattr(self, name), 4) for name in names}


def figures(chances: Numbers, is_own: Marks) -> Figures:
    """At the threshold 0.5."""
    said = chances >= LIKELY
    own, others = int(is_own.sum()), int((~is_own).sum())
    recall = float(said[is_own].mean()) if own else 0.0
    return Figures(own, others, recall, float(said[~is_own].mean()) if others else 0.0)


def calibration_error(chances: Numbers, is_own: Marks) -> float:
    """Expected calibration error in 15 bins, both halves weighing the same."""
    halves = np.where(is_own, 0.5 / max(1, is_own.sum()), 0.5 / max(1, (~is_own).sum()))
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    gaps = np.bincount(bins, (chances - is_own) * halves, BINS)
    return float(np.abs(gaps).sum())


def by_domain(examples: Sequence[Example], chances: Numbers) -> dict[str, Figures]:
    """Of the searchable forms among the examples; one column of chances per domain."""
    is_searchable = np.array([one.is_searchable for one in examples])
    found = {}
    for column, domain in enumerate(DOMAINS):
        used = is_searchable & is_sure(examples, domain)
        found[domain] = figures(chances[used, column], targets(examples, domain)[used])
    return found


def calibrated(scores: Numbers, platt: Numbers) -> Numbers:
    """Chances of scores, one column per domain."""
    return sigmoid(scores * platt[:, 0] + platt[:, 1])


def even_scores(examples: Sequence[Example], scores: Numbers, platt: Numbers) -> dict[str, float]:
    """Accuracy by domain on forms of the lab and of real sites, for a manifest."""
    used = [at for at, one in enumerate(examples) if one.source != "written"]
    some = [examples[at] for at in used]
    found = by_domain(some, calibrated(scores[used], platt))
    return {domain: round(one.accuracy, 4) for domain, one in found.items()}
