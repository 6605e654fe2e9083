"""What strategies remember, by key: exact rows for sites, hashed cells for words."""

from collections.abc import Sequence

import numpy as np
import zstandard
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows

Numbers = NDArray[np.float32]
Places = NDArray[np.int64]
CELLS = 1 << 18
"""Of a hashed table: a crawl of 100,000 pages meets fewer words and families that count."""
_MOST_ROWS = 200_000
"""Of an exact table: then the older half is forgotten."""
_FIRST_ROWS = 1_024
_ROW_CELLS = 1 << 20
"""Five times as many as rows at most, so that few keys share one."""


_CHUNK = 2_048
"""Rows scored at a time: their cells fit into the processor's cache."""


class SavedTable(Struct, frozen=True, array_like=True):
    """A table as bytes, packed."""

    keys: bytes
    values: bytes


class RowTable:
    """Rows of a few numbers by key, above 0. Row 0 is that of all unknown keys and never changes.

    Many keys are found at once by a table of hashed cells; keys that fall on the cell of another
    one are looked up singly.
    """

    def __init__(self, unknown: tuple[float, ...]) -> None:
        self._unknown = np.array(unknown, np.float32)
        self._values: Numbers = np.tile(self._unknown, (_FIRST_ROWS, 1))
        self._keys = np.zeros(0, np.int32)
        self._index([])

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, key: int) -> bool:
        return key in self._places

    def row(self, key: int) -> Numbers:
        """The row of a key, to be changed in place; it has one from now on."""
        place = self._places.get(key)
        if place is None:
            if len(self._places) >= _MOST_ROWS:
                self._forget()
            place = len(self._places) + 1
            if place >= len(self._values):
                more = np.tile(self._unknown, (len(self._values), 1))
                self._values = np.concatenate([self._values, more])
                self._keys = np.concatenate([self._keys, np.zeros_like(self._keys)])
            self._enter(key, place)
        row: Numbers = self._values[place]
        return row

    def peek(self, key: int) -> Numbers:
        """The row of a key, or that of unknown ones, to be read."""
        row: Numbers = self._values[self._places.get(key, 0)]
        return row

    def find(self, keys: NDArray[np.int32]) -> tuple[Numbers, NDArray[np.bool_]]:
        """The rows of many keys, and whether each is known."""
        # Pages have a dozen links: what counts is the number of array steps.
        places = self._cells.take(keys & (_ROW_CELLS - 1))
        is_known = places > 0
        is_other = is_known & (self._keys.take(places) != keys)
        if is_other.any():
            for at in np.flatnonzero(is_other).tolist():
                places[at] = self._places.get(int(keys[at]), 0)
            is_known = places > 0
        return self._values.take(places, axis=0), is_known

    def save(self) -> SavedTable:
        keys = np.array([*self._places], np.int64)
        return SavedTable(_pack(keys), _pack(self._values[1 : len(keys) + 1]))

    def load(self, saved: SavedTable) -> None:
        keys = np.frombuffer(zstandard.decompress(saved.keys), np.int64).tolist()
        rows = np.frombuffer(zstandard.decompress(saved.values), np.float32)
        free = np.tile(self._unknown, (max(_FIRST_ROWS, len(keys)), 1))
        kept = rows.reshape(len(keys), len(self._unknown))
        self._values = np.concatenate([self._unknown[None], kept, free])
        self._index(keys)

    def _index(self, keys: list[int]) -> None:
        """These keys have the first rows, and no other has one."""
        self._places: dict[int, int] = {}
        self._keys = np.zeros(len(self._values), np.int32)
        self._cells = np.zeros(_ROW_CELLS, np.int32)
        for place, key in enumerate(keys, 1):
            self._enter(key, place)

    def _enter(self, key: int, place: int) -> None:
        self._places[key] = place
        self._keys[place] = key
        cell = key & (_ROW_CELLS - 1)
        if not self._cells[cell]:
            self._cells[cell] = place

    def _forget(self) -> None:
        kept = [*self._places.items()][_MOST_ROWS // 2 :]
        self._values[1 : len(kept) + 1] = self._values[[place for _, place in kept]]
        self._values[len(kept) + 1 :] = self._unknown
        self._index([key for key, _ in kept])


class CellTable:
    """One number per hashed key; keys that fall on the same cell share it."""

    def __init__(self) -> None:
        self.cells: Numbers = np.zeros(CELLS, np.float32)

    def get(self, keys: FeatureRows) -> Numbers:
        found: Numbers = self.cells.take(keys & (CELLS - 1))
        return found

    def add(self, keys: FeatureRows, amounts: float | Numbers) -> None:
        np.add.at(self.cells, keys & (CELLS - 1), amounts)

    def put(self, keys: FeatureRows, amount: float) -> None:
        self.cells[keys & (CELLS - 1)] = amount

    def save(self) -> SavedTable:
        return _pack_cells(self.cells)

    def load(self, saved: SavedTable) -> None:
        self.cells[:] = _unpack_cells(saved)


class WordWeights:
    """Weights of words for several questions at once, learned one page at a time (AdaGrad). Word 0
    is none and weighs nothing."""

    def __init__(self, questions: int, rate: float) -> None:
        self._rate = rate
        self._weights: Numbers = np.zeros((questions, CELLS), np.float32)
        self._squares: Numbers = np.zeros((questions, CELLS), np.float32)

    def learn(self, words: FeatureRows, errors: Sequence[float]) -> None:
        """Move the weights of one link's words against the error of each prediction."""
        cells = [*{word & (CELLS - 1) for word in words.tolist() if word}]
        if not cells or not self._rate:
            return
        missed = np.array(errors, np.float32)[:, None]
        squares = self._squares[:, cells] + missed * missed
        self._squares[:, cells] = squares
        # The 1 makes first steps small: a single page says little about a word.
        self._weights[:, cells] += self._rate * missed / np.sqrt(1.0 + squares)
        self._weights[:, 0] = 0.0

    def sum(self, words: FeatureRows) -> Numbers:
        """For each question and row the sum of the weights of its words; a million rows of 32 take
        0.2 s for three questions."""
        ones = np.ones(words.shape[1], np.float32)
        sums: Numbers = np.empty((len(self._weights), len(words)), np.float32)
        for start in range(0, len(words), _CHUNK):
            cells = (words[start : start + _CHUNK] & (CELLS - 1)).astype(np.intp)
            for weights, found in zip(self._weights, sums, strict=True):
                found[start : start + _CHUNK] = weights.take(cells, mode="clip") @ ones
        return sums

    def sum_one(self, question: int, words: FeatureRows) -> float:
        """The sum of the weights of one row's words."""
        return float(self._weights[question].take(words & (CELLS - 1)).sum())

    def save(self) -> list[tuple[SavedTable, SavedTable]]:
        tables = zip(self._weights, self._squares, strict=True)
        return [(_pack_cells(weights), _pack_cells(squares)) for weights, squares in tables]

    def load(self, saved: Sequence[tuple[SavedTable, SavedTable]]) -> None:
        for number, (weights, squares) in enumerate(saved):
            self._weights[number] = _unpack_cells(weights)
            self._squares[number] = _unpack_cells(squares)


def _pack_cells(cells: Numbers) -> SavedTable:
    used = np.flatnonzero(cells)
    return SavedTable(_pack(used.astype(np.int64)), _pack(cells[used]))


def _unpack_cells(saved: SavedTable) -> Numbers:
    cells: Numbers = np.zeros(CELLS, np.float32)
    used = np.frombuffer(zstandard.decompress(saved.keys), np.int64)
    cells[used] = np.frombuffer(zstandard.decompress(saved.values), np.float32)
    return cells


def _pack(values: NDArray[np.int64] | Numbers) -> bytes:
    return zstandard.compress(np.ascontiguousarray(values).tobytes(), 1)
