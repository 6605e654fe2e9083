"""How far from a form is where a link leads? Naive Bayes over chosen words of links.

Classes are levels: 1 for links to a page with a form, 2 for links to a page that has such a link,
and so on; 0, where there is one, for links that lead to none. A word is there or not (Bernoulli),
however often it stands around the link, and absent words count as well.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.learn.link_selection import Feature, Selection, select
from leadline.learn.link_terms import Terms
from leadline.learn.naive_bayes import places_among

NOWHERE = 0
"""The class of links that lead to no form."""
_BITS = 16
_MASK = np.int32((1 << _BITS) - 1)
_CHUNK = 2_048
"""Rows judged at a time: their cells stay in the cache."""
_PRIOR_LINKS = 10.0
"""As many links of every class count as being like the average link. Laplace's rule would give a
class of seven links one in nine for each word it never had, and with it most links with a word."""

Counts = NDArray[np.int64]
Numbers = NDArray[np.float32]


class Lesson(NamedTuple):
    """Links to learn from."""

    levels: Mapping[int, Sequence[Terms]]
    """The words of links of each level, from 1 on."""
    others: FeatureRows
    """Rows of links that lead to no form."""


class Taught(NamedTuple):
    """A classifier, and what it was learned from for those that learn on."""

    levels: "LinkLevels"
    lesson: Lesson


class LinkLevels:
    """A link classifier: counts of chosen words in each class, never changed afterwards."""

    def __init__(
        self,
        classes: Sequence[int],
        features: Sequence[Feature],
        counts: Counts,
        totals: Counts,
    ) -> None:
        """counts[class, feature] links with the feature of totals[class] links."""
        self.classes = tuple(classes)
        self.features = tuple(features)
        self.counts = counts
        self.totals = totals
        self._index()
        shares = _shares(counts, totals)
        # All classes are equally likely: how many links of each were gathered was the choice of
        # whoever gathered them, and says nothing of the Web.
        self._bias = np.log1p(-shares).sum(axis=1)
        self._weights = np.log(shares) - np.log1p(-shares)

    def _index(self) -> None:
        """The ids of all features, rising, and for each the features it is of."""
        pairs = sorted((id_, at) for at, feature in enumerate(self.features) for id_ in feature.ids)
        every = np.array([id_ for id_, _ in pairs], np.int32)
        self._members = np.array([at for _, at in pairs], np.int64)
        self._ids, self._starts = np.unique(every, return_index=True)
        self._sizes = np.diff(np.append(self._starts, len(every)))
        self._may_hold = np.zeros(1 << _BITS, np.bool_)
        self._may_hold[self._ids & _MASK] = True

    def judge(self, rows: FeatureRows) -> tuple[NDArray[np.int64], Numbers]:
        """For each link the place of its likeliest class in `classes`, and the probabilities."""
        chances = np.empty((len(rows), len(self.classes)), np.float32)
        for start in range(0, len(rows), _CHUNK):
            chances[start : start + _CHUNK] = self._chances(rows[start : start + _CHUNK])
        return chances.argmax(axis=1), chances

    def _chances(self, rows: FeatureRows) -> Numbers:
        pairs = np.flatnonzero(self.present(rows))
        links, features = np.divmod(pairs, max(1, len(self.features)))
        # Sums of the few weights there are: multiplying matrices of mostly zeros takes longer.
        sums = [
            np.bincount(links, weights[features], minlength=len(rows)) for weights in self._weights
        ]
        scores: NDArray[np.float64] = np.array(sums).T + self._bias
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        chances: Numbers = scores.astype(np.float32)
        return chances

    def present(self, rows: FeatureRows) -> NDArray[np.bool_]:
        """One row per link, one column per feature: whether the link has it."""
        held = np.zeros((len(rows), len(self.features)), np.bool_)
        cells = np.flatnonzero(self._may_hold.take(rows & _MASK))
        places, is_known = places_among(self._ids, rows.reshape(-1)[cells])
        links = cells[is_known] // max(1, rows.shape[1])
        sizes = self._sizes[places]
        ends = sizes.cumsum()
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        members = self._members[np.repeat(self._starts[places], sizes) + within]
        held[np.repeat(links, sizes), members] = True
        return held

    def evidence(self, row: FeatureRows) -> list[tuple[Feature, float]]:
        """The features of one link, each with how much it speaks for the likeliest class.

        The number is the logarithm of how much likelier the feature is in that class than in the
        others on average.
        """
        best = int(self.judge(row[None])[0][0])
        others = np.delete(self._weights, best, axis=0)
        average = others.mean(axis=0) if len(others) else np.zeros(len(self.features))
        found = np.flatnonzero(self.present(row[None])[0]).tolist()
        return [(self.features[at], float(self._weights[best, at] - average[at])) for at in found]

    def weights(self) -> list[tuple[int, list[tuple[Feature, float]]]]:
        """Of each class how much every feature speaks for it: as in `evidence`."""
        found = []
        for at, level in enumerate(self.classes):
            others = np.delete(self._weights, at, axis=0)
            average = others.mean(axis=0) if len(others) else np.zeros(len(self.features))
            parts = (self._weights[at] - average).tolist()
            found.append((level, list(zip(self.features, parts, strict=True))))
        return found

    def narrowed(self, levels: int, *, has_none: bool) -> "LinkLevels":
        """The same with fewer classes: levels up to that one, with or without class 0."""
        kept = [
            at
            for at, level in enumerate(self.classes)
            if (level == NOWHERE and has_none) or 1 <= level <= levels
        ]
        classes = [self.classes[at] for at in kept]
        return LinkLevels(classes, self.features, self.counts[kept], self.totals[kept])


def _shares(counts: Counts, totals: Counts) -> NDArray[np.float64]:
    """The chance of each feature in each class."""
    average = (counts.sum(axis=0) + 0.5) / (totals.sum() + 1.0)
    shares: NDArray[np.float64] = (counts + _PRIOR_LINKS * average) / (
        totals[:, None] + _PRIOR_LINKS
    )
    return shares


def learn_levels(lesson: Lesson, selection: Selection) -> LinkLevels:
    """Chooses words from the links of all levels, then counts them in each class.

    Class 0 comes last, where there are links for it.
    """
    levels = [level for level in sorted(lesson.levels) if lesson.levels[level]]
    features = select([terms for level in levels for terms in lesson.levels[level]], selection)
    counts = [_counted(lesson.levels[level], features) for level in levels]
    totals = [len(lesson.levels[level]) for level in levels]
    if len(lesson.others):
        empty = LinkLevels(
            (1,), features, np.zeros((1, len(features)), np.int64), np.zeros(1, np.int64)
        )
        counts.append(empty.present(lesson.others).sum(axis=0).astype(np.int64))
        totals.append(len(lesson.others))
        levels.append(NOWHERE)
    table = np.array(counts, np.int64).reshape(len(levels), len(features))
    return LinkLevels(levels, features, table, np.array(totals, np.int64))


def _counted(links: Sequence[Terms], features: Sequence[Feature]) -> Counts:
    """How many of the links have each feature."""
    counts = np.zeros(len(features), np.int64)
    ids = [frozenset(feature.ids) for feature in features]
    for terms in links:
        here = {term.feature for term in terms}
        counts += np.array([not here.isdisjoint(own) for own in ids], np.int64)
    return counts
