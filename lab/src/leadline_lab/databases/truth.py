"""What graders and oracles know of a source: its words and its values."""

from collections.abc import Iterator, Mapping

import numpy as np

from leadline_lab.databases.column import Column
from leadline_lab.databases.index import Index
from leadline_lab.databases.query import EVERYWHERE


class Postings(Mapping[str, int]):
    """The words that a keyword box or an attribute knows, and how many records hold each.

    Counted when asked for: a few microseconds a word in small sources, a
    millisecond in one of a million. Words of lists that no record holds count 0.
    """

    def __init__(self, index: Index, target: str = EVERYWHERE) -> None:
        self._index = index
        self._target = target

    def __getitem__(self, word: str) -> int:
        return int(self._index.holding(self._target, word).sum())

    def __iter__(self) -> Iterator[str]:
        columns = self._index.searched(self._target)
        return iter(dict.fromkeys(word for column in columns for word in column.words()))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def values_of(index: Index, name: str) -> dict[str, int]:
    """The values of an attribute, single words for titles and texts, and how often each stands."""
    column = index.column(name)
    if not isinstance(column, Column):
        return dict.fromkeys(column.words(), 1)
    entries = column.entries
    counts = np.bincount(column.codes.ravel(), minlength=len(entries)).tolist()
    return {entries.entry(code): counts[code] for code in range(1, len(counts)) if counts[code]}
