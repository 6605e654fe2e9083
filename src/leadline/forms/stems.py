"""Words known by pieces of them, so that one piece stands for all forms of a word."""

from collections.abc import Mapping
from typing import NamedTuple

from leadline.forms.hazard_words import fold

_HEAD = 2
"""Letters by which pieces are looked up; the shortest have as many."""
_KNOWN_WORDS = 50_000
_MAX_WORD_CHARS = 60


class _Stem(NamedTuple):
    letters: str
    bit: int
    is_beginning: bool
    is_end: bool


class Stems(dict[str, int]):
    """One bit for each of the named things a word speaks of; `stems[word]` never fails.

    Pieces are written with blanks between them: `^zip` begins a word, `name$`
    ends one, `^city$` is one, `stadt` stands anywhere. What was worked out is
    remembered, and worked out again when forgotten, so that it never shows.
    """

    def __init__(self, pieces: Mapping[str, str]) -> None:
        super().__init__()
        self.names = tuple(pieces)
        self._by_head: dict[str, list[_Stem]] = {}
        for number, marked in enumerate(pieces.values()):
            for piece in marked.split():
                self._add(piece, 1 << number)

    def _add(self, piece: str, bit: int) -> None:
        letters = fold(piece.strip("^$"))
        stem = _Stem(letters, bit, piece[0] == "^", piece[-1] == "$")
        self._by_head.setdefault(letters[:_HEAD], []).append(stem)

    def __missing__(self, word: str) -> int:
        if len(self) >= _KNOWN_WORDS:
            self.clear()
        bits = self._work_out(word[:_MAX_WORD_CHARS])
        if len(word) <= _MAX_WORD_CHARS:
            self[word] = bits
        return bits

    def across(self, first: str, second: str) -> int:
        """What two words speak of together, as if written in one: `zip code`, `check in`."""
        return self._work_out(first + second, len(first)) if first and second else 0

    def _work_out(self, word: str, seam: int = 0) -> int:
        """By the pieces in a word; where it has a seam, by those that reach over it."""
        bits = 0
        for at in range(min(len(word) - _HEAD + 1, seam or len(word))):
            for stem in self._by_head.get(word[at : at + _HEAD], ()):
                end = at + len(stem.letters)
                fits = word.startswith(stem.letters, at) and not (stem.is_beginning and at)
                if fits and end > seam and not (stem.is_end and end < len(word)):
                    bits |= stem.bit
        return bits
