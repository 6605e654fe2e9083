"""Naive Bayes over word ids: which class a text belongs to, or how far to one of two."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.page.words import WordIds

Numbers = NDArray[np.float64]
Scores = NDArray[np.float64]
PRIOR_WORDS = 20.0
"""Added to a text's length, so that three words alone do not decide."""
_COUNTED = 1 + np.log(np.arange(1_000, dtype=np.float32).clip(1))
"""What n occurrences of a word count: 1 + log(n); from 1,000 on no more."""

_END_MASK = 0xFFFF
"""Of a word's id: one unknown word in thirteen has the last bits of one of 5,000 known ones."""


class NaiveBayes(Struct, frozen=True, eq=False):
    """Learned weights, never changed afterwards. Equal texts get equal answers in any process."""

    labels: tuple[str, ...]
    """The classes, sorted."""
    words: WordIds
    """The words met in training, in rising order."""
    weights: NDArray[np.float32]
    """weights[class, word]: the logarithm of the word's probability in the class."""
    priors: Scores
    """Logarithms of the classes' shares of the training texts."""

    @staticmethod
    def fit(rows: Sequence[WordIds], labels: Sequence[str], smoothing: float = 1.0) -> "NaiveBayes":
        """Learns from one label per row. The word 0 is passed over.

        `smoothing` is added to every count of a word in a class; 1 is Laplace's rule.
        """
        if not rows or len(rows) != len(labels):
            raise ValueError(f"{len(rows)} texts and {len(labels)} labels: need one each")
        names = tuple(sorted(set(labels)))
        number = {name: at for at, name in enumerate(names)}
        classes = np.array([number[label] for label in labels], np.int64)
        every = np.concatenate(rows)
        owners = np.repeat(classes, [len(row) for row in rows])[every != 0]
        words, places = np.unique(every[every != 0], return_inverse=True)
        cells = np.bincount(owners * len(words) + places, minlength=len(names) * len(words))
        counts = cells.reshape(len(names), len(words)) + smoothing
        weights = np.log(counts / counts.sum(axis=1, keepdims=True)).astype(np.float32)
        priors = np.log(np.bincount(classes, minlength=len(names)) / len(rows))
        return NaiveBayes(names, words, weights, priors)

    def predict(self, rows: Sequence[WordIds]) -> list[str]:
        """The likeliest class of each text; the first by name among equals."""
        return [self.labels[best] for best in self._scores(rows, 0).argmax(axis=1)]

    def probabilities(self, rows: Sequence[WordIds], length: int = 0) -> Scores:
        """One row per text, one column per label.

        With `length` every text weighs as if it had that many known words: the
        words of a text depend on each other, so the probabilities of long texts
        are otherwise 0 or 1 whatever they are worth.
        """
        scores = self._scores(rows, length)
        # Keeps exp in bounds; the probabilities stay the same.
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        return scores

    def _scores(self, rows: Sequence[WordIds], length: int) -> Scores:
        scores = np.empty((len(rows), len(self.labels)))
        for at, row in enumerate(rows):
            known, _ = places_among(self.words, row)
            said = self.weights[:, known].sum(axis=1, dtype=np.float64)
            scores[at] = self.priors + (said * length / max(1, len(known)) if length else said)
        return scores


def places_among(words: WordIds, row: WordIds) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where those words of the row stand that are among `words`, which rise; and which these are.

    >>> places_among(np.array([3, 5, 9], np.int32), np.array([9, 4, 3], np.int32))
    (array([2, 0]), array([ True, False,  True]))
    """
    if not len(words):
        return np.zeros(0, np.int64), np.zeros(len(row), np.bool_)
    places = words.searchsorted(row)
    is_known = words.take(places, mode="clip") == row
    return places[is_known], is_known


class LogOdds(Struct, frozen=True, eq=False, dict=True):
    """Naive Bayes of two classes as one weight per word. Picklable.

    A text's score is the mean weight of its words. A word that occurs n times counts 1 + log(n)
    times, because a writer chooses it once and then repeats it. The mean, instead of the sum, makes
    long and short texts comparable: the words of a text depend on each other.
    """

    words: WordIds
    """In rising order."""
    weights: NDArray[np.float32]
    """Logarithms of ratios of probabilities: above 0 what speaks for the first class."""

    def score(self, ids: WordIds) -> float:
        """Unknown words count as words of weight 0."""
        unique, counts = damp_counts(ids)
        # Most words of most pages are unknown: they are sorted out before any is searched for.
        likely = self._ends.take(unique & _END_MASK).nonzero()[0]
        places, is_known = places_among(self.words, unique[likely])
        said = self.weights[places] @ counts[likely[is_known]]
        return float(said / (counts.sum() + PRIOR_WORDS))

    @cached_property
    def _ends(self) -> NDArray[np.bool_]:
        """By the last bits of an id, whether any known word has them."""
        found = np.zeros(_END_MASK + 1, np.bool_)
        found[self.words & _END_MASK] = True
        return found

    def contributions(self, ids: WordIds) -> list[tuple[int, float]]:
        """What each known word adds to the score, as (place among `words`, part), strongest
        first."""
        unique, counts = damp_counts(ids)
        places, is_known = places_among(self.words, unique)
        parts = self.weights[places] * counts[is_known] / (counts.sum() + PRIOR_WORDS)
        order = np.argsort(-np.abs(parts), kind="stable")
        return [(int(places[at]), float(parts[at])) for at in order]


def damp_counts(ids: WordIds) -> tuple[WordIds, NDArray[np.float32]]:
    """Each word once, in rising order, and how much it counts. The word 0 is passed over."""
    ordered = ids.copy()
    ordered.sort()
    ordered = ordered[ordered.searchsorted(1) :]
    if not len(ordered):
        return ordered, _COUNTED[:0]
    # By methods of arrays: functions such as `np.flatnonzero` take as long again to call them.
    edges = (ordered[1:] != ordered[:-1]).nonzero()[0]
    bounds = np.empty(len(edges) + 2, np.int64)
    bounds[0], bounds[-1] = 0, len(ordered)
    np.add(edges, 1, out=bounds[1:-1])
    return ordered[bounds[:-1]], _COUNTED.take(bounds[1:] - bounds[:-1], mode="clip")


def log_odds(one: Numbers, other: Numbers, floor: float) -> Numbers:
    """Of shares of all words: `floor` is added to both, so that rare words say little."""
    return np.log((one + floor) / (other + floor))
