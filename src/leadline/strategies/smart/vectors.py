"""Cosine similarity between sets of frequent words and the words of many links at once."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.learn.features import in_space, space_key
from leadline.strategies.smart.terms import Term

Values = NDArray[np.float32]

_CHUNK = 2_048
"""Rows compared at a time: their cells stay in the cache."""


class TermContext(NamedTuple):
    """The frequent words of one context, and where links have theirs."""

    name: str
    space: int
    """Of learn.features: a word in two of them is two features."""
    width: int
    """Cells of a row that belong to it."""
    terms: tuple[Term, ...]


class TermVectors:
    """Contexts side by side. A word weighs w = 1 + ln tf (Eq. 3), in them and in a link."""

    def __init__(self, contexts: Sequence[TermContext]) -> None:
        widths = [context.width for context in contexts]
        owner = np.repeat(np.arange(len(contexts)), widths)
        self._names = [contexts[at].name for at in owner.tolist()]
        self._columns = (owner[:, np.newaxis] == np.arange(len(contexts))).astype(np.float32)
        cells = np.concatenate([_cells(context) for context in contexts])
        weights = np.concatenate([_weights(context.terms) for context in contexts])
        order = np.argsort(cells, kind="stable")
        # One more at the end, for what would come after all of them.
        self._known = cells[order]
        self._cells = np.append(self._known, np.int32(0))
        self._weights = np.append(weights[order], np.float32(0))
        words = [term.word for context in contexts for term in context.terms]
        self._words = [words[at] for at in order.tolist()]
        named = [f"{context.name}: {term.word}" for context in contexts for term in context.terms]
        self._named = [named[at] for at in order.tolist()]
        ends = np.cumsum(widths).tolist()
        self._spans = [slice(end - width, end) for end, width in zip(ends, widths, strict=True)]
        self._places = np.arange(sum(widths))
        self._term_weights = (1 + np.log(np.arange(1, sum(widths) + 1))).astype(np.float32)

    def weights(self) -> list[tuple[str, float]]:
        """What each word counts for, with the name of its context, strongest first."""
        named = zip(self._named, self._weights.tolist(), strict=False)
        return sorted(named, key=lambda pair: (-pair[1], pair[0]))

    def similarity(self, rows: FeatureRows) -> Values:
        """The sum of the cosines (Eq. 5) of all contexts, for each row."""
        similar = np.zeros(len(rows), np.float32)
        if len(self._known):
            for start in range(0, len(rows), _CHUNK):
                chunk = slice(start, start + _CHUNK)
                dots, lengths, _ = self._parts(rows[chunk])
                similar[chunk] = ((dots @ self._columns) / lengths).sum(axis=1)
        return similar

    def shares(self, row: FeatureRows) -> list[tuple[str, float]]:
        """What each word of one link adds, with the name of its context."""
        if not len(self._known):
            return []
        dots, lengths, places = self._parts(row[np.newaxis])
        values = dots[0] / (self._columns @ lengths[0])
        return [
            (f"{self._names[at]}: {self._words[places[0, at]]}", float(values[at]))
            for at in np.flatnonzero(dots[0]).tolist()
        ]

    def _parts(self, rows: FeatureRows) -> tuple[Values, Values, NDArray[np.intp]]:
        """What each cell adds to the product, each context's length, and which word it is.

        Cells are in rising order within their context.
        """
        cells = rows.copy()
        for span in self._spans:
            cells[:, span].sort(axis=1)
        own = self._own_weights(cells)
        # No weight is below 1, so nothing but 0 is raised.
        lengths = np.maximum(np.sqrt((own * own) @ self._columns), 1)
        places = self._known.searchsorted(cells)
        own *= self._cells.take(places) == cells
        own *= self._weights.take(places)
        return own, lengths, places

    def _own_weights(self, cells: FeatureRows) -> Values:
        """The weight of each word at the last of its cells, 0 at the others."""
        is_first = np.ones(cells.shape, bool)
        np.not_equal(cells[:, 1:], cells[:, :-1], out=is_first[:, 1:])
        begin = np.maximum.accumulate(self._places * is_first, axis=1)
        is_last = cells != 0
        is_last[:, :-1] &= is_first[:, 1:]
        weights: Values = self._term_weights.take(self._places - begin) * is_last
        return weights


def _cells(context: TermContext) -> FeatureRows:
    ids = np.array([term.id for term in context.terms], np.int32)
    return in_space(ids, space_key(context.space))


def _weights(terms: Sequence[Term]) -> Values:
    weights = 1 + np.log(np.array([term.times for term in terms], np.float32))
    length = float(np.sqrt((weights**2).sum())) or 1.0
    scaled: Values = (weights / length).astype(np.float32)
    return scaled
