"""A bounded, even sample of acquired records: which terms stand together."""

import numpy as np
from numpy.typing import NDArray

from leadline.harvester.terms import PLACES, Counts

WIDTH = 64
"""Terms in their places that are kept of one record."""
NOTHING = -1
_FIRST_ROOM = 256


class Sample:
    """Rows of codes (`TermTable.codes`), one a record, filled up with NOTHING.

    Until it is full it holds every record; afterwards each record so far with the same chance
    (J. Vitter, Algorithm R, ACM TOMS 11, 1985). Which ones depends on nothing but their keys
    and their order. `numbers` tells which record, counted from 1, stands in each row.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._codes: Counts = np.full((min(_FIRST_ROOM, most), WIDTH), NOTHING, np.int32)
        self._numbers = np.zeros(len(self._codes), np.int64)
        self._size = 0
        self._met = 0

    def __len__(self) -> int:
        return self._size

    @property
    def codes(self) -> Counts:
        return self._codes[: self._size]

    @property
    def rows(self) -> Counts:
        """The same without the places; NOTHING stays."""
        return self.codes // PLACES

    @property
    def numbers(self) -> NDArray[np.int64]:
        return self._numbers[: self._size]

    def take(self, key: int, codes: list[int]) -> None:
        """Offer the next record; `key` is its hash."""
        self._met += 1
        slot = self._size if self._size < self.most else key % self._met
        if slot >= self.most:
            return
        if slot == len(self._codes):
            self._grow()
        kept = list(dict.fromkeys(codes))[:WIDTH]
        self._codes[slot, : len(kept)] = kept
        self._codes[slot, len(kept) :] = NOTHING
        self._numbers[slot] = self._met
        self._size = max(self._size, slot + 1)

    def renumber(self, moved: Counts) -> None:
        """After `Terms.keep`."""
        codes = self._codes[: self._size]
        rows = np.where(codes < 0, NOTHING, moved[codes // PLACES])
        codes[:] = np.where(rows < 0, NOTHING, rows * PLACES + codes % PLACES)

    def _grow(self) -> None:
        more = min(len(self._codes), self.most - len(self._codes))
        empty = np.full((more, WIDTH), NOTHING, np.int32)
        self._codes = np.concatenate((self._codes, empty))
        self._numbers = np.concatenate((self._numbers, np.zeros(more, np.int64)))
