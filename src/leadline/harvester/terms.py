"""Terms of acquired records: how texts are split into them, and a table of their counts.

Policies choose what to type next from this table; `holdings` fills it.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeVar

import numpy as np
import stopwordsiso
import xxhash
from numpy.typing import NDArray

Counts = NDArray[np.int32]
Column = TypeVar("Column", bound=np.generic)

PLACES = 16
"""Places that are told apart; a source with more has the others counted as its last one."""
_FIRST_ROOM = 1024
_MAX_CHARS = 60
"""Of a term: longer words are none, and longer values are sentences."""
_MAX_SCRIPTS = 120
_MAX_UNCOUNTED = 50_000
"""Terms in their places that wait to be added up, at most: 4 MB, and a thousand records or two."""
DIGITS, CAPITAL, COMMON, VALUE = 1, 2, 4, 8
"""Shapes of a term, to be added up: it has a digit; it was first met with a capital letter; it is
a short word that every text has; it is a whole value of several words."""

_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u109f"
"""Signs inside words of Hebrew, Arabic and the scripts of India and its neighbours, which regular
expressions do not count as letters."""
_words = re.compile(rf"[\w{_MARKS}]+").findall
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
"""Scripts that put no blanks between words."""
_PIECE = 2
"""Letters of the pieces that searches of such scripts are commonly indexed by."""
_MAX_CELL_CHARS = 4_000
_MAX_VALUE_CHARS = 60
_MAX_VALUE_WORDS = 5
"""Names, places and categories seldom have more; titles have."""
_MAX_COMMON_CHARS = 5
"""Lists of stop words have longer ones too, which few sources leave out."""
_MAX_AMOUNT_CHARS = 24
_amount = re.compile(
    r"[^\w.,-]{0,3}\s*([0-9]{1,12})((?:[.,][0-9]{1,6}){0,4})(?:\s*[^\s\d.,-]{1,4})?"
).fullmatch
_day = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})").fullmatch


class Amount(NamedTuple):
    """A cell that is a number or a day."""

    number: float
    typed: str
    """How it is written into a box."""


def words_of(text: str) -> list[str]:
    """Words as they are written, in their order.

    >>> words_of("The Sea_wolf, 1904")
    ['The', 'Sea', 'wolf', '1904']
    """
    found: list[str] = _words(text[:_MAX_CELL_CHARS].replace("_", " "))
    if text.isascii():
        return found
    return [piece for word in found for piece in _pieces(word)]


def _pieces(word: str) -> Iterator[str]:
    if len(word) <= _PIECE or not _UNSPACED.search(word):
        yield word
        return
    for place in range(len(word) - _PIECE + 1):
        yield word[place : place + _PIECE]


def value_of(text: str, words: list[str]) -> str:
    """The cell as one value, in its words; '' for a single word or a longer text."""
    if not 2 <= len(words) <= _MAX_VALUE_WORDS or len(text) > _MAX_VALUE_CHARS:
        return ""
    return " ".join(words)


def shape_of(written: str) -> int:
    has_digit = any(letter.isdigit() for letter in written)
    shape = DIGITS if has_digit else 0
    if written[:1].isupper():
        shape |= CAPITAL
    if is_common(written.lower()):
        shape |= COMMON
    return shape | (VALUE if " " in written else 0)


def is_common(word: str) -> bool:
    """Whether many sources ignore a word, given in lower case."""
    return len(word) <= _MAX_COMMON_CHARS and word in _common_words()


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    """Of all languages: a word that is common in another one is only ranked lower."""
    found: set[str] = set()
    for language in stopwordsiso.langs():
        found |= {
            word for word in stopwordsiso.stopwords(language) if len(word) <= _MAX_COMMON_CHARS
        }
    return frozenset(found)


def script_of(word: str) -> str:
    """The script of its first letter, as Unicode names it: LATIN, CYRILLIC, CJK; '' for none."""
    letter = next((letter for letter in word if letter.isalpha()), "")
    if not letter or letter.isascii():
        return "LATIN" if letter else ""
    return unicodedata.name(letter, "").partition(" ")[0]


def amount_of(text: str) -> Amount | None:
    """The number or the day that a cell is; None for anything else.

    >>> amount_of("$1,250.50")
    Amount(number=1250.5, typed='1250.50')
    """
    text = text.strip()
    if len(text) > _MAX_AMOUNT_CHARS or not any(map(str.isdigit, text)):
        return None
    day = _day(text)
    if day:
        year, month, date = (int(part) for part in day.groups())
        # Days in order, with all months of 31 days: only order and distance matter.
        return Amount(year * 372.0 + month * 31 + date, text)
    found = _amount(text)
    if not found:
        return None
    # Without marks between thousands: the last mark is a decimal one unless three digits follow it.
    parts = re.split("[.,]", found[1] + found[2])
    is_decimal = len(parts) > 1 and len(parts[-1]) != 3
    typed = "".join(parts[:-1]) + "." + parts[-1] if is_decimal else "".join(parts)
    return Amount(float(typed), typed)


class TermTable:
    """A table of terms, one row each; a row keeps its number until `keep` renumbers them.

    `epoch` grows with every renumbering. Counts are those of all records so far: what was counted
    last is added up when a count is read.
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
        """Each term in a place; new terms get a row. Terms too long to be typed are left out."""
        known = self.numbers
        if not known.keys() >= set(written):
            written = [word for word in written if word in known or self._note(word, place)]
        return [known[word] * PLACES + place for word in written]

    def count(self, codes: list[int]) -> None:
        """Counts one record: the code of each of its terms, row * PLACES + place, as often as it
        stands there."""
        self._met += codes
        different = set(codes)
        self._codes += different
        self._rows += {code // PLACES for code in different}
        if len(self._met) > _MAX_UNCOUNTED:
            self._add_up()

    @property
    def tf(self) -> Counts:
        self._add_up()
        return self._tf[: len(self)]

    @property
    def df(self) -> Counts:
        """Records with the term anywhere."""
        self._add_up()
        return self._df[: len(self)]

    @property
    def df_by_place(self) -> Counts:
        """Records with the term in each place: a row for each term."""
        self._add_up()
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
        """Of the terms: random numbers that depend on nothing else."""
        return self._hash[: len(self)]

    def keep(self, most: int) -> Counts:
        """Drops the rarest, of equal ones the oldest; the new number of each row, -1 for a dropped
        one."""
        self._add_up()
        size = len(self)
        kept = np.sort(np.lexsort((np.arange(size), self._df[:size]))[-most:])
        moved: Counts = np.full(size, -1, np.int32)
        moved[kept] = np.arange(len(kept), dtype=np.int32)
        self.written = [self.written[row] for row in kept.tolist()]
        self.numbers = {word: row for row, word in enumerate(self.written)}
        self.numbers |= {word.lower(): row for row, word in enumerate(self.written)}
        for column in (
            self._tf, self._df, self._by_place, self._first,
            self._shape, self._script, self._length, self._hash,
        ):  # fmt: skip
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
        self._script[row] = min(script, _MAX_SCRIPTS)
        self._length[row] = len(written)
        self._hash[row] = xxhash.xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))
        return row

    def _grow(self) -> None:
        self._tf, self._df = _double(self._tf), _double(self._df)
        self._by_place, self._first = _double(self._by_place), _double(self._first)
        self._shape, self._script = _double(self._shape), _double(self._script)
        self._length, self._hash = _double(self._length), _double(self._hash)

    def _add_up(self) -> None:
        if not self._codes:
            return
        np.add.at(self._tf, np.array(self._met, np.int64) // PLACES, 1)
        np.add.at(self._df, np.array(self._rows, np.int64), 1)
        np.add.at(self._by_place.reshape(-1), np.array(self._codes, np.int64), 1)
        self._met, self._rows, self._codes = [], [], []


def _double(column: NDArray[Column]) -> NDArray[Column]:
    return np.concatenate((column, np.zeros_like(column)))


def ridf(tf: Counts, df: Counts, records: int) -> NDArray[np.float64]:
    """Residual IDF: how much rarer a term's records are than its occurrences, thrown at random
    over all records, would make them (M. Yamamoto and K. Church, Computational Linguistics 27,
    2001)."""
    size = max(records, 1)
    found: NDArray[np.float64] = np.zeros(len(tf))
    # A term that no record is known to have any more, because the rarer half was dropped, has none.
    met = (tf > 0) & (df > 0)
    found[met] = np.log(-np.expm1(-tf[met] / size)) - np.log(df[met] / size)
    return found
