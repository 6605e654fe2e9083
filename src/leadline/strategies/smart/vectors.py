"""Cosine similarity between sets of frequent words and the words of many links at once."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.learn.features import in_space, space_key
from leadline.strategies.smart.terms import Term

Values = NDArray[np.float32]

_CHUNK = 1_024
"""Rows compared at a time: every cell with every other of its row, some MB."""


class Context(NamedTuple):
    """The frequent words of one context, and where links have theirs."""

    name: str
    space: int
    """Of learn.features: a word in two of them is two features."""
    width: int
    """Cells of a row that belong to it."""
    terms: tuple[Term, ...]


class Vectors:
    """Contexts side by side. A word weighs w = 1 + ln tf (Eq. 3), in them and in a link."""

    def __init__(self, contexts: Sequence[Context]) -> None:
        widths = [context.width for context in contexts]
        owner = np.repeat(np.arange(len(contexts)), widths)
        self._names = [contexts[at].name for at in owner.tolist()]
        self._columns = (owner[:, np.newaxis] == np.arange(len(contexts))).astype(np.float32)
        cells = np.concatenate([_cells(context) for context in contexts])
        weights = np.concatenate([_weights(context.terms) for context in contexts])
        order = np.argsort(cells, kind="stable")
        self._cells, self._weights = cells[order], weights[order]
        words = [term.word for context in contexts for term in context.terms]
        self._words = [words[at] for at in order.tolist()]
        counts = np.arange(1, sum(widths) + 2, dtype=np.float32)
        # Each of tf equal cells carries its part, so that rows need not be sorted.
        self._dot_parts = np.concatenate([[0], (1 + np.log(counts)) / counts]).astype(np.float32)
        self._square_parts = self._dot_parts**2 * np.concatenate([[0], counts]).astype(np.float32)

    def similarity(self, rows: FeatureRows) -> Values:
        """The sum of the cosines (Eq. 5) of all contexts, for each row."""
        similar = np.zeros(len(rows), np.float32)
        if len(self._cells):
            for start in range(0, len(rows), _CHUNK):
                chunk = slice(start, start + _CHUNK)
                dots, lengths, _ = self._parts(rows[chunk])
                similar[chunk] = ((dots @ self._columns) / lengths).sum(axis=1)
        return similar

    def shares(self, row: FeatureRows) -> list[tuple[str, float]]:
        """What each word of one link adds, with the name of its context."""
        if not len(self._cells):
            return []
        dots, lengths, places = self._parts(row[np.newaxis])
        values = dots[0] / (self._columns @ lengths[0])
        return [
            (f"{self._names[at]}: {self._words[places[0, at]]}", float(values[at]))
            for at in np.flatnonzero(dots[0]).tolist()
        ]

    def _parts(self, rows: FeatureRows) -> tuple[Values, Values, NDArray[np.intp]]:
        """What each cell adds to the product, each context's length, and which word it is."""
        times = (rows[:, :, np.newaxis] == rows[:, np.newaxis, :]).sum(axis=2)
        times *= rows != 0
        lengths = np.sqrt(self._square_parts[times] @ self._columns)
        lengths[lengths == 0] = 1
        places = self._cells.searchsorted(rows)
        places[places == len(self._cells)] = 0
        is_known = self._cells[places] == rows
        return self._weights[places] * is_known * self._dot_parts[times], lengths, places


def _cells(context: Context) -> FeatureRows:
    ids = np.array([term.id for term in context.terms], np.int32)
    return in_space(ids, space_key(context.space))


def _weights(terms: Sequence[Term]) -> Values:
    weights = 1 + np.log(np.array([term.times for term in terms], np.float32))
    length = float(np.sqrt((weights**2).sum())) or 1.0
    scaled: Values = (weights / length).astype(np.float32)
    return scaled
