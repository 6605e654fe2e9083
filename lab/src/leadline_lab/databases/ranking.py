"""In which order a source shows what matches."""

import numpy as np

from leadline_lab.databases.chance import draws
from leadline_lab.databases.column import Column, Rows
from leadline_lab.databases.index import Index
from leadline_lab.databases.kinds import held
from leadline_lab.databases.query import Query
from leadline_lab.draw import key_of

_TITLE_WEIGHT = 3
"""Of a word in the attribute that records are listed under."""
_ORDERED = ("year", "price", "date", "number")


def ranked(index: Index, query: Query, now: float) -> Rows:
    """The matches, best first, cut at the source's cap."""
    behaviour = index.source.behaviour
    rows = index.matches(query)
    if behaviour.ranking == "relevance":
        rows = rows[np.argsort(-_scores(index, query)[rows], kind="stable")]
    elif behaviour.ranking == "random":
        key = key_of(index.source.key, "moment", query.text, repr(float(now)))
        rows = rows[np.argsort(draws(key, rows.astype(np.int64))[:, 0], kind="stable")]
    return rows[: behaviour.cap] if behaviour.cap else rows


def sorted_by(index: Index, rows: Rows, name: str) -> Rows:
    """By an attribute of that name or kind that has an order, else as they are.

    Sorting comes after the cap, so it brings no record to light that was not there before.
    """
    ordered = (a for a in held(index.source.schema) if a.kind in _ORDERED)
    attribute = next((a for a in ordered if name in (a.name, a.kind)), None)
    if attribute is None:
        return rows
    column = index.column(attribute.name)
    if not isinstance(column, Column):
        return rows
    return rows[np.argsort(column.codes[rows, 0], kind="stable")]


def _scores(index: Index, query: Query) -> Rows:
    """For each record: occurrences of the query's words, rare words counting for more."""
    size = index.source.size
    scores = np.zeros(size, np.int32)
    listed = held(index.source.schema)[0].name
    for target, words in query.words:
        for word in dict.fromkeys(words):
            weight = (size // (1 + int(index.holding(target, word).sum()))).bit_length()
            for column in index.searched(target):
                times = np.bincount(column.occurrences(word), minlength=size)
                factor = weight * (_TITLE_WEIGHT if column.name == listed else 1)
                scores += (times * factor).astype(np.int32)
    return scores
