"""What was acquired of one source so far: which records, and what they offer to ask for next.

Memory is bounded but for 16 to 32 bytes a record: terms beyond `max_terms` are dropped, the
rarest first, and records themselves are held only as a sample of their terms.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.core.harvest import Cell, Record
from leadline.frontier.seen_urls import SeenUrls, text_hash
from leadline.harvester.terms import (
    PLACES,
    Amount,
    Counts,
    TermTable,
    amount_of,
    value_of,
    words_of,
)

WIDTH = 64
"""Terms in their places that are kept of one record."""
NO_TERM = -1
_FIRST_ROOM = 256
MAX_TERMS = 200_000
"""Some 40 MB. A million records of 35 words have more, nearly all of them in one record only."""
MAX_SAMPLE = 20_000
"""Records; 5 MB."""
_MAX_WORDS = 400
"""Of one record. What a list of results shows of a record is shorter."""
_MAX_AMOUNTS = 2_048
"""Kept of one place: enough for steps of a thousandth."""
_TRIED_VALUES = 50
_REPEATED_SHARE = 0.1
"""Whole values of a place are kept as terms while one in ten is a repetition; titles are not."""
TITLE = "title"
"""The place of a title that is not among the cells."""


class RecordSample:
    """Rows of codes (`TermTable.codes`), one a record, filled up with NO_TERM.

    Until it is full it holds every record; afterwards each record so far with the same chance
    (J. Vitter, Algorithm R, ACM TOMS 11, 1985). Which ones depends on nothing but their keys
    and their order. `numbers` tells which record, counted from 1, stands in each row.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._codes: Counts = np.full((min(_FIRST_ROOM, most), WIDTH), NO_TERM, np.int32)
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
        """The same without the places; NO_TERM stays."""
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
        self._codes[slot, len(kept) :] = NO_TERM
        self._numbers[slot] = self._met
        self._size = max(self._size, slot + 1)

    def renumber(self, moved: Counts) -> None:
        """After `TermTable.keep`."""
        codes = self._codes[: self._size]
        rows = np.where(codes < 0, NO_TERM, moved[codes // PLACES])
        codes[:] = np.where(rows < 0, NO_TERM, rows * PLACES + codes % PLACES)

    def _grow(self) -> None:
        more = min(len(self._codes), self.most - len(self._codes))
        empty = np.full((more, WIDTH), NO_TERM, np.int32)
        self._codes = np.concatenate((self._codes, empty))
        self._numbers = np.concatenate((self._numbers, np.zeros(more, np.int64)))


# What was acquired of one source so far: which records, and what they offer to ask for next.
#
# Memory is bounded but for 16 to 32 bytes a record: terms beyond `max_terms` are dropped, the
# rarest first, and records themselves are kept only as a sample of their terms.


class Holdings:
    """Takes each record once, and is what policies read. The same records in the same order make
    the same holdings."""

    def __init__(self, *, max_terms: int = MAX_TERMS, max_sample: int = MAX_SAMPLE) -> None:
        self.terms = TermTable()
        self.sample = RecordSample(max_sample)
        self.places: list[str] = []
        """By number; at most PLACES."""
        self._max_terms = max_terms
        self._keys = SeenUrls()
        self._places: dict[str, int] = {}
        self._values = [[0, 0] for _ in range(PLACES)]
        self._amounts: list[list[Amount]] = [[] for _ in range(PLACES)]
        self._cells = [0] * PLACES
        self._amounts_met = [0] * PLACES

    def __len__(self) -> int:
        """Distinct records."""
        return len(self._keys)

    def has(self, key: str) -> bool:
        return self._keys.has((text_hash(key),))[0]

    def add(self, record: Record) -> bool:
        """Whether the record is a new one."""
        key = text_hash(record.key)
        if not self._keys.add((key,))[0]:
            return False
        codes = [code for cell in _cells_of(record) for code in self._read(cell, key)]
        self.terms.count(codes[:_MAX_WORDS])
        self.sample.take(key, codes)
        if len(self.terms) > self._max_terms or len(self.terms.numbers) > 4 * self._max_terms:
            self.sample.renumber(self.terms.keep(self._max_terms // 2))
        return True

    def add_all(self, records: Iterable[Record]) -> int:
        """How many of them are new."""
        return sum([self.add(record) for record in records])

    def amounts(self, place: int) -> Sequence[Amount]:
        """Numbers or days that stand in a place alone, an even sample of them."""
        return self._amounts[place]

    def amount_share(self, place: int) -> float:
        """Of its cells those that are a number or a day."""
        return self._amounts_met[place] / max(1, self._cells[place])

    def _read(self, cell: Cell, key: int) -> list[int]:
        place = self._place(cell.place)
        words = words_of(cell.text)
        self._cells[place] += 1
        self._keep_amount(place, cell.text, key)
        value = value_of(cell.text, words)
        if value and self._is_kept(value, place):
            words.append(value)
        return self.terms.codes(words[:_MAX_WORDS], place)

    def _place(self, name: str) -> int:
        found = self._places.get(name)
        if found is not None:
            return found
        if len(self.places) < PLACES:
            self._places[name] = len(self.places)
            self.places.append(name)
            return len(self.places) - 1
        return PLACES - 1

    def _is_kept(self, value: str, place: int) -> bool:
        """Whether a value of several words is worth a row of its own."""
        seen = self._values[place]
        seen[0] += 1
        if value.lower() in self.terms.numbers:
            seen[1] += 1
            return True
        return seen[0] <= _TRIED_VALUES or seen[1] >= _REPEATED_SHARE * seen[0]

    def _keep_amount(self, place: int, text: str, key: int) -> None:
        amount = amount_of(text)
        if amount is None:
            return
        self._amounts_met[place] += 1
        kept = self._amounts[place]
        slot = key % self._amounts_met[place]
        if len(kept) < _MAX_AMOUNTS:
            kept.append(amount)
        elif slot < _MAX_AMOUNTS:
            kept[slot] = amount


def _cells_of(record: Record) -> tuple[Cell, ...]:
    """Its cells, and its title where no cell holds it."""
    if not record.title or any(cell.text == record.title for cell in record.cells):
        return record.cells
    return (Cell(TITLE, record.title), *record.cells)
