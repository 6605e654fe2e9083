"""Fits the judges of form domains: L2 logistic regression, one domain against the rest."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.forms.domain import DOMAINS, ENOUGH, DomainWeights
from leadline.learn.evaluation import deal_folds
from leadline.learn.linear import Platt
from leadline.learn.naive_bayes import places_among
from leadline.page.words import WordIds
from tools.critic_training.material import Example, is_sure, targets
from tools.critic_training.vocabulary import own_words, telling_words

Numbers = NDArray[np.float64]
Marks = NDArray[np.bool_]

SHARES = {"written": 0.45, "real": 0.25, "lab": 0.3}
"""How much each source of examples counts, however many there are; half of it for the forms of
the domain and half for the others. Real forms are few, and the lab's words are our own."""
STRENGTH = 3.0
"""Inverse of the penalty, as scikit-learn has it, where all examples together count as 1,000.
Chosen among 0.3, 1, 3 and 10 on two development worlds and folds of real sites."""
_TOTAL = 1_000.0
_FOLDS = 5
_SEED = 1


class Taught(Struct, frozen=True, eq=False):
    """Judges of all domains before calibration."""

    ids: WordIds
    weights: Numbers
    """One row per domain."""
    biases: Numbers

    def scores(self, rows: Any) -> Numbers:
        """One row per row, one column per domain."""
        scores: Numbers = rows @ self.weights.T + self.biases
        return scores


class Lesson:
    """Examples as numbers: what is fitted on all of them or on some."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = examples
        self.ids: WordIds = np.array(sorted(telling_words()), np.int32)
        self.rows = rows_of(examples, self.ids)
        self.is_own = np.stack([targets(examples, domain) for domain in DOMAINS])
        self.is_used = np.stack([self._is_telling(place) for place in range(len(DOMAINS))])
        self._sources = np.array([one.source for one in examples])

    def _is_telling(self, place: int) -> Marks:
        """What can be learned from: not what is doubtful, nor forms that do not say what they
        search."""
        domain = DOMAINS[place]
        own = np.isin(self.ids, list(own_words(domain)))
        is_silent = self.rows[:, own].getnnz(axis=1) == 0
        told: Marks = is_sure(self.examples, domain) & ~(self.is_own[place] & is_silent)
        return told

    def teach(self, some: Marks) -> Taught:
        """Judges of every domain from those examples."""
        fits = [self._fit(place, some) for place in range(len(DOMAINS))]
        weights = np.stack([weights for weights, _ in fits])
        return Taught(self.ids, weights, np.array([bias for _, bias in fits]))

    def _fit(self, place: int, some: Marks) -> tuple[Numbers, float]:
        from sklearn.linear_model import LogisticRegression

        is_own = self.is_own[place]
        counts = self._counts(is_own, self.is_used[place] & some)
        used = counts > 0
        model = LogisticRegression(C=STRENGTH, max_iter=500)
        model.fit(self.rows[used], is_own[used], sample_weight=counts[used])
        return model.coef_[0], float(model.intercept_[0])

    def _counts(self, is_own: Marks, is_used: Marks) -> Numbers:
        """How much each example counts: 0 for those that are not used."""
        counts = np.zeros(len(is_own))
        for source, share in SHARES.items():
            for side in (is_own, ~is_own):
                some = is_used & side & (self._sources == source)
                counts[some] = share * _TOTAL / 2 / max(1, some.sum())
        return counts

    def cross_scores(self) -> Numbers:
        """Scores of each example by judges that never saw its owner."""
        folds = deal_folds([one.owner for one in self.examples], _FOLDS, _SEED)
        scores = np.zeros((len(self.examples), len(DOMAINS)))
        for fold in range(_FOLDS):
            tested = folds == fold
            scores[tested] = self.teach(~tested).scores(self.rows[tested])
        return scores


def rows_of(examples: Sequence[Example], ids: WordIds) -> Any:
    """Examples as sparse rows: 1 for a word that is there, less where there are many."""
    from scipy import sparse

    sizes = np.array([len(one.words) for one in examples])
    words = np.concatenate([*(one.words for one in examples), np.zeros(0, np.int32)])
    places, is_known = places_among(ids, words)
    owner = np.repeat(np.arange(len(examples)), sizes)[is_known]
    known = np.bincount(owner, minlength=len(examples))
    values = np.sqrt(ENOUGH / np.maximum(known, ENOUGH))[owner]
    return sparse.csr_matrix((values, (owner, places)), shape=(len(examples), len(ids)))


def calibrate(examples: Sequence[Example], scores: Numbers) -> Numbers:
    """Slope and offset for each domain, from scores of judges that never saw the owners.

    Written forms are left out: they always say what they search. As many forms of the domain
    as others are used, because that is what the chances are about.
    """
    used = np.array([one.is_searchable and one.source != "written" for one in examples])
    found = []
    for column, domain in enumerate(DOMAINS):
        is_own = targets(examples, domain)
        some = used & is_sure(examples, domain)
        even = _even(np.flatnonzero(some & is_own), np.flatnonzero(some & ~is_own))
        platt = Platt.fit(scores[even, column], is_own[even])
        found.append((platt.slope, platt.offset))
    return np.array(found)


def _even(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """As many of the one as of the other: the fewer ones all, the rest evenly spread."""
    n = min(len(one), len(other))
    spread = [some[np.linspace(0, len(some) - 1, n).astype(np.int64)] for some in (one, other)]
    return np.concatenate(spread)


def learned(taught: Taught, platt: Numbers) -> DomainWeights:
    """As it is kept."""
    words = telling_words()
    named = tuple(words[number] for number in taught.ids.tolist())
    return DomainWeights(taught.ids, named, taught.weights.astype(np.float32), taught.biases, platt)
