"""How far from a form is the page a link leads to? Naive Bayes over chosen words of links.

Classes are levels: 1 for links to a page with a form, 2 for links to a page that has such a link,
and so on; 0, where there is one, for links that lead to none. A word is there or not (Bernoulli),
however often it stands around the link, and absent words count as well. Models are stored in
folders of kind `links`, with the links they were learned from.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.errors import ModelError
from leadline.learn.link_features import NAMES, LinkTerm, Terms
from leadline.learn.link_selection import ChosenTerm, Selection, select_terms
from leadline.learn.model_files import Arrays, Manifest, read_model, write_model
from leadline.learn.naive_bayes import places_among

NOWHERE = 0
"""The class of links that lead to no form."""
_BITS = 16
_MASK = np.int32((1 << _BITS) - 1)
"""Low bits of an id by which `present` skips nearly all cells that hold no chosen word."""
_CHUNK = 2_048
"""Rows judged at a time: their cells stay in the cache."""
_PRIOR_LINKS = 10.0
"""Links like the average one that are added to every class. Laplace's rule would instead give a
class of seven links a chance of one in nine for each word it never had, and with it most links."""

Counts = NDArray[np.int64]
Numbers = NDArray[np.float32]


class LinkLesson(NamedTuple):
    """Links to learn from."""

    levels: Mapping[int, Sequence[Terms]]
    """The words of links of each level, from 1 on."""
    others: FeatureRows
    """Rows of links that lead to no form."""


class LinkModel(NamedTuple):
    """A classifier, and what it was learned from for those that learn on."""

    levels: "LinkLevels"
    lesson: LinkLesson


class LinkLevels:
    """A link classifier: counts of chosen words in each class, never changed afterwards."""

    def __init__(
        self,
        classes: Sequence[int],
        features: Sequence[ChosenTerm],
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
        # Most cells hold no chosen word: their low bits rule them out before the search.
        cells = np.flatnonzero(self._may_hold.take(rows & _MASK))
        places, is_known = places_among(self._ids, rows.reshape(-1)[cells])
        links = cells[is_known] // max(1, rows.shape[1])
        sizes = self._sizes[places]
        ends = sizes.cumsum()
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
        members = self._members[np.repeat(self._starts[places], sizes) + within]
        held[np.repeat(links, sizes), members] = True
        return held

    def evidence(self, row: FeatureRows) -> list[tuple[ChosenTerm, float]]:
        """The features of one link, each with how much it speaks for the likeliest class.

        The number is the logarithm of how much likelier the feature is in that class than in the
        others on average.
        """
        best = int(self.judge(row[None])[0][0])
        others = np.delete(self._weights, best, axis=0)
        average = others.mean(axis=0) if len(others) else np.zeros(len(self.features))
        found = np.flatnonzero(self.present(row[None])[0]).tolist()
        return [(self.features[at], float(self._weights[best, at] - average[at])) for at in found]

    def weights(self) -> list[tuple[int, list[tuple[ChosenTerm, float]]]]:
        """Of each class how much every feature speaks for it: as in `evidence`."""
        found = []
        for at, level in enumerate(self.classes):
            others = np.delete(self._weights, at, axis=0)
            average = others.mean(axis=0) if len(others) else np.zeros(len(self.features))
            parts = (self._weights[at] - average).tolist()
            found.append((level, list(zip(self.features, parts, strict=True))))
        return found

    def narrow(self, levels: int, *, has_none: bool) -> "LinkLevels":
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


def learn_levels(lesson: LinkLesson, selection: Selection) -> LinkLevels:
    """Chooses words from the links of all levels, then counts them in each class.

    Class 0 comes last, where there are links for it.
    """
    levels = [level for level in sorted(lesson.levels) if lesson.levels[level]]
    features = select_terms(
        [terms for level in levels for terms in lesson.levels[level]], selection
    )
    counts = [_count_terms(lesson.levels[level], features) for level in levels]
    totals = [len(lesson.levels[level]) for level in levels]
    if len(lesson.others):
        # Only its index of ids is used; it has no counts yet.
        empty = LinkLevels(
            (1,), features, np.zeros((1, len(features)), np.int64), np.zeros(1, np.int64)
        )
        counts.append(empty.present(lesson.others).sum(axis=0).astype(np.int64))
        totals.append(len(lesson.others))
        levels.append(NOWHERE)
    table = np.array(counts, np.int64).reshape(len(levels), len(features))
    return LinkLevels(levels, features, table, np.array(totals, np.int64))


def _count_terms(links: Sequence[Terms], features: Sequence[ChosenTerm]) -> Counts:
    """How many of the links have each feature."""
    counts = np.zeros(len(features), np.int64)
    ids = [frozenset(feature.ids) for feature in features]
    for terms in links:
        here = {term.feature for term in terms}
        counts += np.array([not here.isdisjoint(own) for own in ids], np.int64)
    return counts


LINK_MODEL = "links"


def write_link_model(folder: Path, taught: LinkModel, manifest: Manifest) -> Manifest:
    """Writes the folder; its manifest tells where the model is from."""
    arrays = {**_levels_arrays(taught.levels), **_lesson_arrays(taught.lesson)}
    return write_model(folder, manifest, arrays)


def read_link_model(folder: Traversable) -> tuple[LinkModel, Manifest]:
    """Raises ModelError for a folder that holds no link classifier."""
    model = read_model(folder, LINK_MODEL)
    try:
        return LinkModel(_levels(model.arrays), _lesson(model.arrays)), model.manifest
    except KeyError as error:
        raise ModelError(f"the link model in {folder} lacks {error}: train it again") from None


def _levels_arrays(levels: LinkLevels) -> Arrays:
    return {
        "classes": np.array(levels.classes, np.int64),
        "totals": levels.totals,
        "counts": levels.counts,
        "feature_spaces": np.array([feature.space for feature in levels.features], np.int64),
        "feature_terms": np.array([feature.term for feature in levels.features], np.str_),
        **_flatten_rows("feature", [feature.ids for feature in levels.features]),
    }


def _levels(arrays: Arrays) -> LinkLevels:
    columns = (arrays["feature_spaces"].tolist(), arrays["feature_terms"].tolist())
    ids = _rows(arrays, "feature")
    features = [ChosenTerm(*row) for row in zip(*columns, map(tuple, ids), strict=True)]
    return LinkLevels(arrays["classes"].tolist(), features, arrays["counts"], arrays["totals"])


def _lesson_arrays(lesson: LinkLesson) -> Arrays:
    links = [(level, terms) for level in sorted(lesson.levels) for terms in lesson.levels[level]]
    table = sorted({term for _, terms in links for term in terms})
    number = {term: at for at, term in enumerate(table)}
    return {
        "link_levels": np.array([level for level, _ in links], np.int64),
        **_flatten_rows("link", [[number[term] for term in terms] for _, terms in links]),
        "term_spaces": np.array([term.space for term in table], np.int64),
        "term_words": np.array([term.word for term in table], np.str_),
        "term_stems": np.array([term.stem for term in table], np.str_),
        "term_features": np.array([term.feature for term in table], np.int64),
        "others": lesson.others,
    }


def _lesson(arrays: Arrays) -> LinkLesson:
    names = ("term_spaces", "term_words", "term_stems", "term_features")
    table = [LinkTerm(*row) for row in zip(*(arrays[name].tolist() for name in names), strict=True)]
    levels: dict[int, list[Terms]] = {}
    for level, row in zip(arrays["link_levels"].tolist(), _rows(arrays, "link"), strict=True):
        levels.setdefault(level, []).append(tuple(table[at] for at in row))
    return LinkLesson(levels, arrays["others"])


def _flatten_rows(name: str, rows: Sequence[Sequence[int]]) -> dict[str, NDArray[Any]]:
    """Rows of different lengths as two arrays."""
    flat = [value for row in rows for value in row]
    ends = np.cumsum([0, *(len(row) for row in rows)], dtype=np.int64)
    return {f"{name}_values": np.array(flat, np.int64), f"{name}_ends": ends}


def _rows(arrays: Arrays, name: str) -> Iterator[list[int]]:
    values = arrays[f"{name}_values"].tolist()
    return (values[begin:end] for begin, end in pairwise(arrays[f"{name}_ends"].tolist()))


class TermCount(Struct, frozen=True):
    """A chosen word and in how many links of each class it stands."""

    term: str
    counts: dict[str, int]


def count_chosen_terms(levels: LinkLevels, most: int = 0) -> dict[str, list[TermCount]]:
    """The chosen words of each space with their counts: FFC's Table 1, ACHE's Table 2.

    Those of most links of the levels first; with `most`, only so many.
    """
    return {
        name: list(_term_counts(levels, space))[: most or None] for space, name in NAMES.items()
    }


def _term_counts(levels: LinkLevels, space: int) -> Iterator[TermCount]:
    is_level = np.array([level > 0 for level in levels.classes])
    sums = levels.counts[is_level].sum(axis=0).tolist()
    here = [at for at, feature in enumerate(levels.features) if feature.space == space]
    for at in sorted(here, key=lambda at: (-sums[at], levels.features[at].term)):
        counts = dict(
            zip(map(class_name, levels.classes), levels.counts[:, at].tolist(), strict=True)
        )
        yield TermCount(levels.features[at].term, counts)


def class_name(level: int) -> str:
    """`level 2`, or `none`."""
    return f"level {level}" if level else "none"


def class_sizes(levels: LinkLevels) -> dict[str, int]:
    """How many links each class was learned from."""
    return dict(zip(map(class_name, levels.classes), levels.totals.tolist(), strict=True))
