"""How much likelier the words of a text are in one kind of text than in another, word by word."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.learn.naive_bayes import places_among
from leadline.page.words import WordIds

Numbers = NDArray[np.float64]

PRIOR_WORDS = 20.0
"""Added to a text's length, so that three words in a row decide nothing."""
_COUNTED = 1 + np.log(np.arange(1_000, dtype=np.float32).clip(1))
"""What so many occurrences of a word count; more count as many as the last."""


class LogOdds(Struct, frozen=True, eq=False):
    """Naive Bayes of two classes as one weight per word. Picklable.

    A text's score is the mean weight of its words. A word that is repeated counts as often as
    the logarithm of its count and one: it was chosen once and not anew each time. The mean
    makes long texts and short ones alike, whose words depend on each other.
    """

    words: WordIds
    """In rising order."""
    weights: NDArray[np.float32]
    """Logarithms of ratios of probabilities: above 0 what speaks for the first class."""

    def score(self, ids: WordIds) -> float:
        """Words that are not known count as words that say nothing."""
        unique, counts = damped(ids)
        places, is_known = places_among(self.words, unique)
        said = self.weights[places] @ counts[is_known]
        return float(said / (counts.sum() + PRIOR_WORDS))

    def contributions(self, ids: WordIds) -> list[tuple[int, float]]:
        """What each known word adds to the score, as (place among `words`, part), strongest
        first."""
        unique, counts = damped(ids)
        places, is_known = places_among(self.words, unique)
        parts = self.weights[places] * counts[is_known] / (counts.sum() + PRIOR_WORDS)
        order = np.argsort(-np.abs(parts), kind="stable")
        return [(int(places[at]), float(parts[at])) for at in order]


def damped(ids: WordIds) -> tuple[WordIds, NDArray[np.float32]]:
    """Each word once, in rising order, and how much it counts. The word 0 is passed over."""
    ordered = np.sort(ids)
    ordered = ordered[ordered.searchsorted(1) :]
    edges = np.flatnonzero(ordered[1:] != ordered[:-1])
    begins = np.zeros(len(edges) + min(1, len(ordered)), np.int64)
    begins[1:] = edges + 1
    counts = np.full(len(begins), len(ordered))
    counts[:-1] = begins[1:]
    counts -= begins
    return ordered[begins], _COUNTED.take(counts, mode="clip")


def log_odds(one: Numbers, other: Numbers, floor: float) -> Numbers:
    """Of shares of all words: `floor` is added to both, so that rare words say little."""
    return np.log((one + floor) / (other + floor))
