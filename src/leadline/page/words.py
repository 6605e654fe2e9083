"""The words of a page as numbers, so that all its links are described in a few array steps.

Words are found and hashed for the whole text at once: the hash of a word is the difference of two
sums of powers, so that Python touches a word only when it is new.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import stopwordsiso
import xxhash
from numpy.typing import NDArray
from Stemmer import Stemmer, algorithms

from leadline.core.page import Form, Link, Page

WordIds = NDArray[np.int32]
"""One id per word: 31 bits of its stem's hash; 0 for a stop word."""
Hashes = NDArray[np.uint32]
Places = NDArray[np.int64]

AROUND = 10
"""Words read before and after a link: what ACHE's published code uses."""
_NEAR_LEAVES = 40
"""How far the words around a link are searched; ten words seldom take ten leaves."""
_NEXT_LEAVES = 8
_MAX_TEXT_BYTES = 400_000
"""Of a page's text, read; the longest real pages at hand have half of it."""
_MAX_WORD_CHARS = 40
"""Longer runs of letters are no words."""
_MAX_OPTIONS = 50
"""Options of one select whose words are read: the others are more of the same."""
_MAX_VALUE_CHARS = 200
"""Of a default value: longer ones were not written for people."""
_UNREAD_VALUES = frozenset({"hidden", "password", "submit", "image", "button", "reset"})
"""Kinds of controls whose values nobody sees, or whose label is their value."""
_NEARBY_LABELS = frozenset({"before", "after", "cell", "name"})
"""Sources of labels that stand in the form's text already, or belong to something outside it."""
_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish",
}  # fmt: skip
_SAME_LANGUAGE = {"nb": "no", "nn": "no", "iw": "he", "in": "id"}
"""Codes that pages declare for a language which is known by another code."""
_UNSPACED = frozenset({"ja", "km", "ko", "lo", "my", "th", "zh"})
"""Languages whose words stand together in runs. Korean has blanks, but its particles and compounds
are written together with the nouns."""
_UKRAINIAN_ENDINGS = (
    "ами", "ями", "ого", "ому", "ими", "ій", "ої", "ий", "ів", "їв", "ах", "ях", "ам", "ям", "ою",  # noqa: RUF001
    "ею", "а", "я", "и", "і", "ї", "у", "ю", "о", "е", "є", "ь", "й",  # noqa: RUF001
)  # fmt: skip
_HEBREW_PREFIXES = "והבל"
"""And, the, in, to: written together with the word."""
_LEAST_STEM_CHARS = 3
_TELLING = frozenset(
    {"find", "home", "page", "index", "help", "site", "web", "click", "world", "system"}
)
"""Words of the stop list that say something about where a link leads."""
_BLANK = 0x20
_LETTER = 0xC0
"""In UTF-8, bytes from here on begin a letter outside ASCII; those from 0x80 continue one."""
_NINE = ord("9")
"""What begins with a digit is no word: there are endless numbers, and they say little."""
_ASCII = bytes(
    ord(chr(i).lower()) if chr(i).isalnum() else (_BLANK if i else 0) for i in range(128)
)
_LOWER = _ASCII + bytes(_BLANK if i in (0xC2, 0xE2) else i for i in range(128, 256))
"""ASCII in lower case and its punctuation as blanks; blank as well the first bytes of the
characters U+0080 to U+00BF and U+2000 to U+2FFF in UTF-8: blanks, dashes, quotes, bullets."""
_SPACED = bytes([_BLANK]) + _LOWER[1:]
"""The same with zero bytes as blanks."""
_words = re.compile(
    r"[^\W_]+(?:[\u0591-\u05bd\u0610-\u061a\u064b-\u0670\u06d6-\u06ed\u0900-\u0963\u0981-\u0dff"
    r"\u0e31-\u0e4e\u0eb1-\u0ecd\u102b-\u103e\u17b4-\u17d3]+[^\W_]*)*"
).findall
"""Vowel signs and tone marks are no letters to `re`, but parts of a word in Hindi or Thai."""
_ASCII_WORDS = "".join([chr(i) if chr(i).isalnum() else " " for i in range(128)])
_letter_runs = re.compile(
    r"[\u3400-\u9fff\uf900-\ufaff\u3005]+|[\u30a1-\u30fe]+|[\u3041-\u309e]+|[\uac00-\ud7a3]+"
    r"|[\u0e01-\u0eff]+|[\u1000-\u109f]+|[\u1780-\u17d3]+"
).sub
"""Runs of one script that is written without blanks. Where Japanese changes its script, a word
mostly ends."""
_LAST_ALPHABET = "\u1800"
"""Before it come alphabets (Thai, Lao, Khmer, Burmese), whose letters say less than a syllable."""
_seams = re.compile(r"(?<=[a-z])(?=[A-Z0-9])").sub
"""Where the words of a name meet: departCity, address2."""

_BASE = 0x9E37_79B1
_BASE_INVERSE = pow(_BASE, -1, 1 << 32)
_PAIR_BITS = 16
"""Of the table of known words: up to 130,000 in 1 MB."""
_HALF = np.uint64(32)
_MOST_PIECES = 50_000
"""Words of forms that a vocabulary caches: some 5 MB."""


def split_words(text: str) -> list[str]:
    """Words in lower case: runs of letters and digits."""
    text = text.lower()
    # Most texts, and six times as quick as the pattern.
    if text.isascii():
        return text.translate(_ASCII_WORDS).split()
    found: list[str] = _words(text)
    return found


def part_runs(text: str) -> str:
    """The text with blanks between the pieces of runs of letters of scripts without blanks.

    Pieces overlap: two characters of Chinese, Japanese and Korean, four letters of Thai, Lao,
    Khmer and Burmese. They need no dictionary, and a known word is found in any compound.

    >>> part_runs("図書館で").split()
    ['図書', '書館', 'で']
    """
    return _letter_runs(_part_run, text)


def _part_run(found: re.Match[str]) -> str:
    run = found[0]
    size = 4 if run[0] < _LAST_ALPHABET else 2
    pieces = [run[at : at + size] for at in range(max(1, len(run) - size + 1))]
    return f" {' '.join(pieces)} "


def split_words_of(text: str, language: str) -> list[str]:
    """Words in lower case as `Words` numbers them on a page in that language."""
    return split_words(part_runs(text) if language in _UNSPACED else text)


def _strip_ukrainian(word: str) -> str:
    """Without its ending: no stemmer of Ukrainian is at hand, and few endings are most of it."""
    for ending in _UKRAINIAN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM_CHARS:
            return word[: -len(ending)]
    return word


def _strip_hebrew(word: str) -> str:
    """Without prefixes. As many as there are, so that a word loses the same with and without."""
    while len(word) > _LEAST_STEM_CHARS and word[0] in _HEBREW_PREFIXES:
        word = word[1:]
    return word


_LIGHT_STEMMERS = {"uk": _strip_ukrainian, "he": _strip_hebrew}


def word_id(stem: str) -> int:
    """The id of a stem: never 0, never negative. Agrees between processes and machines."""
    return (xxhash.xxh3_64_intdigest(stem.encode("utf-8", "surrogatepass")) & 0x7FFFFFFF) or 1


class Vocabulary:
    """The ids of words of a language: looked up for words met before, computed for new ones.

    A table of pairs of cells, hash in the upper and id in the lower half, so that finding a word
    touches one line of memory. A word that finds both its cells taken replaces another, whose id is
    computed again when it is met.
    """

    def __init__(self, language: str, *, is_whole: bool = False) -> None:
        language = _SAME_LANGUAGE.get(language, language)
        name = _STEMMERS.get(language, "english")
        stemmer = Stemmer(name if name in algorithms() else "english", 0)
        self._stem = _LIGHT_STEMMERS.get(language, stemmer.stemWord)
        stop = stopwordsiso.stopwords(language if stopwordsiso.has_lang(language) else "en")
        self.is_unspaced = language in _UNSPACED
        """Whether runs of letters are parted before words are numbered."""
        self._stop = frozenset() if is_whole else frozenset(stop) - _TELLING
        self._cells: NDArray[np.uint64] = np.zeros((1 << _PAIR_BITS, 2), np.uint64)
        self._pieces: dict[bytes, int] = {}

    def word(self, word: str) -> int:
        """The id of one word in lower case."""
        if len(word) > _MAX_WORD_CHARS or word in self._stop:
            return 0
        stem: str = self._stem(word)
        return word_id(stem) if stem else 0

    def stem(self, word: str) -> str:
        """The stem of one word in lower case; '' for a stop word."""
        if len(word) > _MAX_WORD_CHARS or word in self._stop:
            return ""
        stem: str = self._stem(word)
        return stem

    def ids(self, hashes: Hashes, text: bytes, starts: Places, ends: Places) -> WordIds:
        """The ids of the words with these hashes, which stand in `text` from starts to ends."""
        pairs = (hashes >> np.uint32(32 - _PAIR_BITS)).astype(np.int64)
        # Rows by `take` and columns one by one: half the time of reducing both at once.
        cells = self._cells.take(pairs, axis=0)
        first, second = cells[:, 0], cells[:, 1]
        is_first = (first >> _HALF).astype(np.uint32) == hashes
        is_second = (second >> _HALF).astype(np.uint32) == hashes
        found: WordIds = np.where(is_first, first, second).astype(np.int32)
        new = (~(is_first | is_second)).nonzero()[0]
        if len(new):
            found[new] = self._learn_new(pairs[new], hashes[new], text, starts[new], ends[new])
        return found

    def _learn_new(
        self, pairs: Places, hashes: Hashes, text: bytes, starts: Places, ends: Places
    ) -> NDArray[np.int64]:
        """The ids of words that are not in the table, which holds them from now on."""
        places = zip(starts.tolist(), ends.tolist(), strict=True)
        pieces = [text[start:end] for start, end in places]
        ids = {piece: self._first_id(piece) for piece in set(pieces)}
        numbers = np.array([ids[piece] for piece in pieces])
        second = (self._cells[pairs, 0] != 0).astype(np.int64)
        self._cells[pairs, second] = hashes.astype(np.uint64) << _HALF | numbers.astype(np.uint64)
        return numbers

    def ids_of_short(self, text: str) -> WordIds:
        """The ids of the words of a short text, as `Words` has them: looked up one by one, which
        is faster below a hundred words."""
        text = part_runs(text) if self.is_unspaced else text
        pieces = text.encode("utf-8", "replace")[:_MAX_TEXT_BYTES].translate(_SPACED).split()
        known = self._pieces
        if not known.keys() >= set(pieces):
            self._learn(pieces)
        numbers = [known[piece] for piece in pieces]
        return np.array([number for number in numbers if number >= 0], np.int32)

    def _learn(self, pieces: Sequence[bytes]) -> None:
        if len(self._pieces) + len(pieces) > _MOST_PIECES:
            self._pieces.clear()
        for piece in pieces:
            is_named = piece[0] > _NINE and (piece[0] < 0x80 or piece[0] >= _LETTER)
            self._pieces[piece] = self._first_id(piece) if is_named else -1

    def _first_id(self, piece: bytes) -> int:
        """The id of the first word in what stands between two blanks."""
        text = piece.decode("utf-8", "replace")
        # In ASCII the blanks were put around words already.
        if text.isascii():
            return self.word(text)
        words = split_words(text)
        return self.word(words[0]) if words else 0


@lru_cache(maxsize=64)
def vocabulary(language: str) -> Vocabulary:
    """The vocabulary of a language; that of English for unknown ones."""
    return Vocabulary(language)


@lru_cache(maxsize=64)
def form_vocabulary(language: str) -> Vocabulary:
    """The same without stop words: `from`, `to`, `make` and `first` are what forms ask for."""
    return Vocabulary(language, is_whole=True)


class Words:
    """The words of several texts, numbered in one go.

    The words of text t are ids[starts[t]:starts[t + 1]].
    """

    __slots__ = ("ids", "starts")

    def __init__(self, texts: Sequence[str], vocabulary: Vocabulary) -> None:
        if vocabulary.is_unspaced:
            texts = [part_runs(text) for text in texts]
        text = _join_texts(texts)
        letters = np.frombuffer(text, np.uint8)
        is_word = letters > _BLANK
        # By methods: `np.flatnonzero` takes as long again to call them.
        edges = (is_word[1:] != is_word[:-1]).nonzero()[0] + 1
        begins, ends = edges[0::2], edges[1::2]
        first = letters[begins]
        is_named = (first > _NINE) & ((first < 0x80) | (first >= _LETTER))
        begins, ends = begins[is_named], ends[is_named]
        self.ids: WordIds = vocabulary.ids(_hashes(letters, begins, ends), text, begins, ends)
        marks = (letters == 0).nonzero()[0]
        self.starts = np.zeros(len(texts) + 1, np.int32)
        self.starts[1 : 1 + len(marks)] = begins.searchsorted(marks)
        self.starts[1 + len(marks) :] = len(begins)

    @property
    def text_of(self) -> NDArray[np.int32]:
        """The text in which each word stands."""
        return np.repeat(np.arange(len(self.starts) - 1, dtype=np.int32), np.diff(self.starts))


def _join_texts(texts: Sequence[str]) -> bytes:
    """The texts in lower case, a zero byte after each but the last, blanks around the whole."""
    text = " \x00 ".join(texts).encode("utf-8", "replace")[:_MAX_TEXT_BYTES]
    return b" " + text.translate(_LOWER) + b" "


def _hashes(letters: NDArray[np.uint8], begins: Places, ends: Places) -> Hashes:
    """A hash of each word, wherever it stands: its letters as digits to a large odd base."""
    powers, inverses = _powers(1 << (len(letters) - 1).bit_length())
    sums = (letters * powers[: len(letters)]).cumsum(dtype=np.uint32)
    hashes: Hashes = (sums[ends - 1] - sums[begins - 1]) * inverses[begins]
    hashes ^= hashes >> np.uint32(16)
    hashes *= np.uint32(_BASE)
    return hashes


@lru_cache(maxsize=32)
def _powers(size: int) -> tuple[Hashes, Hashes]:
    """Powers of the base and of its inverse modulo 2^32, from 0 on."""
    return _power_row(_BASE, size), _power_row(_BASE_INVERSE, size)


def _power_row(base: int, size: int) -> Hashes:
    row = np.full(size, base, np.uint32)
    row[0] = 1
    return row.cumprod(dtype=np.uint32)


class PageWords(Words):
    """All words of a page: of its leaves, title and link paths, in this order; and of its forms."""

    __slots__ = ("_forms", "_leaves", "_page", "paths")

    def __init__(self, page: Page) -> None:
        # As `path_of` has it, without a call for each.
        targets = [link.target for link in page.links]
        paths = [target[target.find("/", 8) :] for target in targets]
        super().__init__((*page.leaves, page.title, *paths), vocabulary(page.language))
        self._page = page
        self._leaves = len(page.leaves)
        self.paths = self._leaves + 1
        """The number of the first link's path among the texts."""
        self._forms: list[WordIds] | None = None

    @property
    def language(self) -> str:
        """Of the page, in two letters; '' if it is not known."""
        return _SAME_LANGUAGE.get(self._page.language, self._page.language)

    @property
    def body(self) -> WordIds:
        """The visible text."""
        return self.ids[: self.starts[self._leaves]]

    @property
    def title(self) -> WordIds:
        return self.ids[self.starts[self._leaves] : self.starts[self.paths]]

    def form(self, number: int) -> WordIds:
        """The words of the page's form of that number, stop words too."""
        if self._forms is None:
            language = self._page.language
            self._forms = [form_words(form, language) for form in self._page.forms]
        return self._forms[number]


def form_words(form: Form, language: str) -> WordIds:
    """The words of one form, as `PageWords.form` gives them on a page in that language."""
    return form_vocabulary(language).ids_of_short(form_text(form))


def name_words(name: str) -> str:
    """The words of a control's name, parted.

    >>> name_words("departCity2")
    'depart City 2'
    """
    return _seams(" ", name)


_layout_class = re.compile(
    r"(?:^|(?<=\s))(?:[\w-]+-)?(?:xs|sm|md|lg|xl|xxl)(?:-[\w-]+)?(?=\s|$)"
).sub
"""Classes for widths of screens, as `my-lg-0`, which frameworks put on every form."""


def form_text(form: Form) -> str:
    """All that a person reads in the form, and the names of its controls, as words."""
    names = [_layout_class(" ", form.attributes) if "-" in form.attributes else form.attributes]
    texts = [form.text]
    for field in (*form.fields, *form.submits):
        names.append(field.name)
        texts += (field.placeholder, field.title)
        if form.is_implicit or field.label_source not in _NEARBY_LABELS:
            texts.append(field.label)
        if field.kind not in _UNREAD_VALUES:
            texts.append(field.value[:_MAX_VALUE_CHARS])
        if field.options:
            texts += [option.text for option in field.options[:_MAX_OPTIONS]]
    return f"{name_words(' '.join(names))} {' '.join(texts)}"


def words_around(page: Page, link: Link, words: int = AROUND) -> tuple[list[str], list[str]]:
    """The words before and after a link as they are written, at most `words` each."""
    leaves, first, last = page.leaves, link.first_leaf, link.last_leaf + 1
    # Most often the next leaves hold as many.
    before = " ".join(leaves[max(0, first - _NEXT_LEAVES) : max(0, first)]).rsplit(None, words)
    if len(before) <= words:
        far = leaves[max(0, first - _NEAR_LEAVES) : max(0, first)]
        before = " ".join(far).rsplit(None, words)
    after = " ".join(leaves[last : last + _NEXT_LEAVES]).split(None, words)
    if len(after) <= words:
        after = " ".join(leaves[last : last + _NEAR_LEAVES]).split(None, words)
    return before[-words:], after[:words]


def text_at_offset(page: Page, link: Link, offset: int) -> str:
    """The text of the leaf `offset` leaves away from the link; offset 0 is the anchor itself.

    Chakrabarti's DOM offset: leaves are counted left to right, textless ones too.
    """
    if offset == 0:
        return " ".join(filter(None, page.leaves[link.first_leaf : link.last_leaf + 1]))
    place = link.first_leaf + offset if offset < 0 else link.last_leaf + offset
    return page.leaves[place] if 0 <= place < len(page.leaves) else ""
