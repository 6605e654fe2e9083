"""A topic by the few words that a person has for it, looked for in texts, names and addresses."""

import re
from collections.abc import Iterable

from leadline.learn.search_words import fold

_SHORT = 4
"""Words up to this length are looked for as they are, at the beginning of a word only."""
_LONG = 7
"""Of words from this length on, two letters may be an ending: library, libraries; vacancy."""
_MOST_PIECES = 50_000
"""Pieces of texts that are remembered."""
_BLANK = re.compile(r"\s")


class TopicWords:
    """Finds words of the topic, also in other forms and in compounds. Picklable.

    Texts are looked at piece by piece, as blanks part them, and what was found in a piece is
    remembered: most pieces of a page were on the pages before.
    """

    def __init__(self, words: Iterable[str]) -> None:
        stems = dict.fromkeys(cut_ending(fold(word.strip())) for word in words)
        self.stems = tuple(stem for stem in stems if len(stem) > 1)
        whole = [stem for stem in self.stems if _BLANK.search(stem)]
        self._anywhere = _make_pattern(self.stems)
        # Most texts have none, and literals alone are looked for in a third of the time.
        self._is_possible = re.compile("|".join(map(re.escape, self.stems)) or r"(?!)").search
        self._in_piece = _make_pattern(stem for stem in self.stems if stem not in whole)
        self._in_text = _make_pattern(whole) if whole else None
        self._seen: set[str] = set()
        self._hits: dict[str, list[str]] = {}
        """Of the pieces seen those with a word of the topic."""

    def find(self, text: str) -> list[str]:
        """Every place where a word of the topic stands."""
        pieces, hits = text.split(), self._hits
        if not self._seen.issuperset(pieces):
            self._look_up(pieces)
        found: list[str] = []
        if not hits.keys().isdisjoint(pieces):
            for piece in pieces:
                if piece in hits:
                    found += hits[piece]
        if self._in_text is not None:
            found += self._in_text.findall(fold(text))
        return found

    def find_in_address(self, path: str) -> list[str]:
        """The same in path and query of an address, which seldom repeat."""
        folded = fold(path)
        return self._anywhere.findall(folded) if self._is_possible(folded) else []

    def _look_up(self, pieces: list[str]) -> None:
        if len(self._seen) > _MOST_PIECES:
            self._seen.clear()
            self._hits.clear()
        for piece in set(pieces) - self._seen:
            folded = fold(piece)
            if self._is_possible(folded) and (found := self._in_piece.findall(folded)):
                self._hits[piece] = found
        self._seen.update(pieces)


def cut_ending(word: str) -> str:
    """The word without what may be an ending.

    >>> [cut_ending(word) for word in ("library", "films", "job")]
    ['libra', 'film', 'job']
    """
    if len(word) <= _SHORT:
        return word
    return word[:-2] if len(word) >= _LONG else word[:-1]


def _make_pattern(stems: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(map(_write_pattern, stems)) or r"(?!)")


def _write_pattern(stem: str) -> str:
    is_anywhere = len(stem) > _SHORT or not stem.isascii()
    return re.escape(stem) if is_anywhere else rf"(?<![^\W_]){re.escape(stem)}"
