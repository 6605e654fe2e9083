"""What the text of a record offers to be typed: its words, and whole values of short cells."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import stopwordsiso

DIGITS, CAPITAL, COMMON, VALUE = 1, 2, 4, 8
"""Shapes of a term, to be added up: it has a digit; it was first met with a capital letter; it is
a short word that every text has; it is a whole value of several words."""

_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0963\u0966-\u109f"
"""Signs that stand inside words of Hebrew, Arabic and the scripts of India and its neighbours."""
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
"""Lists of such words have longer ones too, which few sources leave out."""
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
    """Whether many sources would not search for a word, in lower case."""
    return len(word) <= _MAX_COMMON_CHARS and word in _common_words()


@lru_cache(maxsize=1)
def _common_words() -> frozenset[str]:
    """Of all languages known: whoever asks for the word of another one is only warned."""
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
        return Amount(year * 372.0 + month * 31 + date, text)
    found = _amount(text)
    if not found:
        return None
    typed = _plain(found[1], found[2])
    return Amount(float(typed), typed)


def _plain(whole: str, rest: str) -> str:
    """Without marks between thousands: the last mark is a decimal one unless three digits follow
    it."""
    parts = re.split("[.,]", whole + rest)
    if len(parts) > 1 and len(parts[-1]) != 3:
        return "".join(parts[:-1]) + "." + parts[-1]
    return "".join(parts)
