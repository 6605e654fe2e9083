"""The words of a page as numbers, so that all its links are described in a few array steps."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import stopwordsiso
import xxhash
from numpy.typing import NDArray
from Stemmer import Stemmer, algorithms

from leadline.core.page import Link, Page

WordIds = NDArray[np.int32]
"""One id per word; 0 stands for a word that says nothing."""

SEPARATOR = -1
"""Stands between the words of two leaves."""

AROUND = 10
"""Words read before and after a link: what ACHE's published code uses."""

_NEAR_LEAVES = 40
"""How far the words around a link are looked for; ten words seldom take ten leaves."""
_MAX_WORDS = 200_000
"""Of one vocabulary in memory. Words are forgotten in bulk then, their ids never change."""
_MAX_WORD_CHARS = 40
_STEMMERS = {
    "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish",
    "fr": "french", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
_TELLING = frozenset(
    {"find", "home", "page", "index", "help", "site", "web", "click", "world", "system"}
)
"""Stop words of the list in use that tell something about where a link leads."""
_MARK = b"\x00"
_ID = np.dtype("<i4")
_LOWER = bytes(
    ord(chr(i).lower()) if chr(i).isalnum() else (0x20 if i else 0) for i in range(128)
) + bytes(range(128, 256))
"""ASCII in lower case, its punctuation as blanks; the bytes of other letters stay."""
_WIDE_BLANKS = ("\u00a0", "\u2013", "\u2014", "\u2019", "\u00b7", "\u2022", "\u00bb")
"""Blanks, dashes and bullets beyond ASCII that often stand between words."""
_words = re.compile(r"[^\W_]+").findall


def split_words(text: str) -> list[str]:
    """Words in lower case: runs of letters and digits."""
    found: list[str] = _words(text.lower())
    return found


class Vocabulary(dict[bytes, bytes]):
    """Maps a piece of text between blanks to the id of its first word's stem.

    An id is 31 bits of the stem's hash, 0 for stop words and numbers; it
    depends on the stem alone, so ids agree between processes and machines. It
    is kept as the four bytes of an int32, because joining bytes is the
    quickest way to an array.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        name = _STEMMERS.get(language, "english")
        self._stem = Stemmer(name if name in algorithms() else "english", 0).stemWord
        stop = stopwordsiso.stopwords(language if language in _STEMMERS else "en")
        self._stop = frozenset(stop) - _TELLING
        self[_MARK] = _packed(SEPARATOR)

    def __missing__(self, piece: bytes) -> bytes:
        if len(self) > _MAX_WORDS:
            self.clear()
            self[_MARK] = _packed(SEPARATOR)
        words = split_words(piece.decode("utf-8", "replace"))
        number = self[piece] = _packed(self.word(words[0]) if words else 0)
        return number

    def numbers(self, pieces: list[bytes]) -> WordIds:
        """The ids of all pieces."""
        return np.frombuffer(b"".join(map(self.__getitem__, pieces)), _ID)

    def word(self, word: str) -> int:
        """The id of one word in lower case."""
        if len(word) > _MAX_WORD_CHARS or word.isdigit() or word in self._stop:
            return 0
        return word_id(self._stem(word))


def _packed(number: int) -> bytes:
    return number.to_bytes(4, "little", signed=True)


def word_id(stem: str) -> int:
    """The id of a stem: never 0, never negative."""
    return (xxhash.xxh3_64_intdigest(stem.encode("utf-8", "surrogatepass")) & 0x7FFFFFFF) or 1


@lru_cache(maxsize=32)
def vocabulary(language: str) -> Vocabulary:
    """The vocabulary of a language; that of English for unknown ones."""
    return Vocabulary(language)


def _pieces(text: str) -> list[bytes]:
    """The text between blanks and punctuation, in bytes: five times quicker than a pattern."""
    if not text.isascii():
        for blank in _WIDE_BLANKS:
            text = text.replace(blank, " ")
    return text.encode("utf-8", "replace").translate(_LOWER).split()


class Words:
    """The words of several texts, numbered in one go.

    The words of text t are ids[starts[t]:starts[t + 1]]; `text_of[i]` is the
    text in which word i stands.
    """

    __slots__ = ("ids", "starts", "text_of")

    def __init__(self, texts: Sequence[str], vocabulary: Vocabulary) -> None:
        raw = vocabulary.numbers(_pieces(" \x00 ".join(texts)))
        is_mark = raw == SEPARATOR
        text_of = is_mark.cumsum(dtype=np.int32)
        self.ids: WordIds = raw[~is_mark]
        self.text_of = text_of[~is_mark]
        marks = is_mark.nonzero()[0]
        self.starts = np.zeros(len(texts) + 1, np.int32)
        self.starts[1:-1] = marks - np.arange(len(marks))
        self.starts[-1] = len(self.ids)


def page_words(page: Page) -> Words:
    """The words of a page, leaf by leaf."""
    return Words(page.leaves, vocabulary(page.language))


def around(page: Page, link: Link, words: int = AROUND) -> tuple[list[str], list[str]]:
    """The words before and after a link as they stand there, at most `words` each."""
    before: list[str] = []
    for leaf in reversed(page.leaves[max(0, link.first_leaf - _NEAR_LEAVES) : link.first_leaf]):
        before[:0] = leaf.rsplit(None, words)[-(words - len(before)) :]
        if len(before) >= words:
            break
    after: list[str] = []
    for leaf in page.leaves[link.last_leaf + 1 : link.last_leaf + 1 + _NEAR_LEAVES]:
        after += leaf.split(None, words)[: words - len(after)]
        if len(after) >= words:
            break
    return before, after


def at_offset(page: Page, link: Link, offset: int) -> str:
    """The text of the leaf `offset` leaves away from the link; offset 0 is the anchor itself.

    Chakrabarti's DOM offset: leaves are counted left to right, textless ones too.
    """
    if offset == 0:
        return " ".join(filter(None, page.leaves[link.first_leaf : link.last_leaf + 1]))
    place = link.first_leaf + offset if offset < 0 else link.last_leaf + offset
    return page.leaves[place] if 0 <= place < len(page.leaves) else ""
