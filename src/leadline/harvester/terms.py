"""The terms of acquired records with their counts: what a policy chooses from."""

from typing import TypeVar

import numpy as np
import xxhash
from numpy.typing import NDArray

from leadline.harvester.wording import script_of, shape_of

Counts = NDArray[np.int32]
Column = TypeVar("Column", bound=np.generic)

PLACES = 16
"""Places that are told apart; a source with more has the others counted as its last one."""
_FIRST_ROOM = 1024
_MAX_CHARS = 60
"""Of a term: longer words are none, and longer values are sentences."""
_MOST_SCRIPTS = 120
_WAITING = 50_000
"""Terms in their places that wait to be added up, at most: 4 MB, and a thousand records or two."""


class Terms:
    """A table of terms, one row each; a row keeps its number until `keep` renumbers them.

    `epoch` grows with every renumbering. Counts are those of all records so far:
    what was counted last is added up when somebody reads.
    """

    def __init__(self) -> None:
        self.epoch = 0
        self.numbers: dict[str, int] = {}
        """By the term in lower case, and by every other spelling it was met in."""
        self.written: list[str] = []
        """As it was first met, to be typed."""
        self._scripts: dict[str, int] = {}
        self._met: list[int] = []
        self._rows: list[int] = []
        self._codes: list[int] = []
        self._tf = np.zeros(_FIRST_ROOM, np.int32)
        self._df = np.zeros(_FIRST_ROOM, np.int32)
        self._by_place = np.zeros((_FIRST_ROOM, PLACES), np.int32)
        self._first = np.zeros(_FIRST_ROOM, np.int8)
        self._shape = np.zeros(_FIRST_ROOM, np.int8)
        self._script = np.zeros(_FIRST_ROOM, np.int8)
        self._length = np.zeros(_FIRST_ROOM, np.int16)
        self._hash = np.zeros(_FIRST_ROOM, np.uint64)

    def __len__(self) -> int:
        return len(self.written)

    def codes(self, written: list[str], place: int) -> list[int]:
        """Each term in a place; rows are made for those met first. Terms too long to be typed are
        left out."""
        known = self.numbers
        if not known.keys() >= set(written):
            written = [word for word in written if word in known or self._note(word, place)]
        return [known[word] * PLACES + place for word in written]

    def count(self, codes: list[int]) -> None:
        """Take in one record: the code of each of its terms, row * PLACES + place, as often as it
        stands there."""
        self._met += codes
        different = set(codes)
        self._codes += different
        self._rows += {code // PLACES for code in different}
        if len(self._met) > _WAITING:
            self._settle()

    @property
    def tf(self) -> Counts:
        self._settle()
        return self._tf[: len(self)]

    @property
    def df(self) -> Counts:
        """Records with the term anywhere."""
        self._settle()
        return self._df[: len(self)]

    @property
    def df_by_place(self) -> Counts:
        """Records with the term in each place: a row for each term."""
        self._settle()
        return self._by_place[: len(self)]

    @property
    def first_place(self) -> NDArray[np.int8]:
        return self._first[: len(self)]

    @property
    def shape(self) -> NDArray[np.int8]:
        """Sums of DIGITS, CAPITAL, VALUE."""
        return self._shape[: len(self)]

    @property
    def script(self) -> NDArray[np.int8]:
        """A number for each script of letters; stands for the language."""
        return self._script[: len(self)]

    @property
    def length(self) -> NDArray[np.int16]:
        """In letters."""
        return self._length[: len(self)]

    @property
    def hashes(self) -> NDArray[np.uint64]:
        """Of the terms: chance that depends on nothing else."""
        return self._hash[: len(self)]

    def keep(self, most: int) -> Counts:
        """Drop the rarest, of equal ones the oldest; the new number of each row, -1 for a dropped
        one."""
        self._settle()
        size = len(self)
        kept = np.sort(np.lexsort((np.arange(size), self._df[:size]))[-most:])
        moved: Counts = np.full(size, -1, np.int32)
        moved[kept] = np.arange(len(kept), dtype=np.int32)
        self.written = [self.written[row] for row in kept.tolist()]
        self.numbers = {word: row for row, word in enumerate(self.written)}
        self.numbers |= {word.lower(): row for row, word in enumerate(self.written)}
        for column in self._columns():
            column[: len(kept)] = column[kept]
            column[len(kept) :] = 0
        self.epoch += 1
        return moved

    def _note(self, written: str, place: int) -> bool:
        """Whether it is a term, known from here on in this spelling."""
        if len(written) > _MAX_CHARS:
            return False
        key = written.lower()
        row = self.numbers.get(key)
        self.numbers[written] = self._new(key, written, place) if row is None else row
        return True

    def _new(self, key: str, written: str, place: int) -> int:
        row = len(self.written)
        if row == len(self._df):
            self._grow()
        script = self._scripts.setdefault(script_of(written), len(self._scripts))
        self.numbers[key] = row
        self.written.append(written)
        self._first[row] = place
        self._shape[row] = shape_of(written)
        self._script[row] = min(script, _MOST_SCRIPTS)
        self._length[row] = len(written)
        self._hash[row] = xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))
        return row

    def _columns(self) -> tuple[NDArray[np.generic], ...]:
        return (
            self._tf, self._df, self._by_place, self._first,
            self._shape, self._script, self._length, self._hash,
        )  # fmt: skip

    def _grow(self) -> None:
        self._tf, self._df = _doubled(self._tf), _doubled(self._df)
        self._by_place, self._first = _doubled(self._by_place), _doubled(self._first)
        self._shape, self._script = _doubled(self._shape), _doubled(self._script)
        self._length, self._hash = _doubled(self._length), _doubled(self._hash)

    def _settle(self) -> None:
        if not self._codes:
            return
        np.add.at(self._tf, np.array(self._met, np.int64) // PLACES, 1)
        np.add.at(self._df, np.array(self._rows, np.int64), 1)
        np.add.at(self._by_place.reshape(-1), np.array(self._codes, np.int64), 1)
        self._met, self._rows, self._codes = [], [], []


def _doubled(column: NDArray[Column]) -> NDArray[Column]:
    return np.concatenate((column, np.zeros_like(column)))


def ridf(tf: Counts, df: Counts, records: int) -> NDArray[np.float64]:
    """Residual IDF: how much rarer a term's records are than its occurrences, thrown at random
    over all records, would make them (M. Yamamoto and K. Church, Computational Linguistics 27,
    2001)."""
    size = max(records, 1)
    expected = -np.expm1(-tf / size)
    found: NDArray[np.float64] = np.log(expected) - np.log(df / size)
    return found
