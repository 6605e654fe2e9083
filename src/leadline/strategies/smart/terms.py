"""The words of a context, counted: what FSS and FSL are chosen from."""

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from leadline.page.words import split_words, vocabulary

MOST_TERMS = 5_000
"""Words remembered a context: the top 30 are used, and rare ones do not get there."""


class SpelledWord(NamedTuple):
    """A word and the id of its stem."""

    id: int
    word: str


class Term(NamedTuple):
    """A word of a feature set, and how often it was met."""

    id: int
    word: str
    times: int


def spell_words(text: str, language: str) -> list[SpelledWord]:
    """The words of a text that say something, in order."""
    known = vocabulary(language)
    words = (word for word in split_words(text) if not word[0].isdigit())
    pairs = (SpelledWord(known.word(word), word) for word in words)
    return [pair for pair in pairs if pair.id]


class TermCounts(Struct):
    """How often each word was met. Holds at most MOST_TERMS, the rarest go first."""

    counts: dict[int, int] = {}
    words: dict[int, str] = {}
    """The shortest spelling met of each."""

    def add(self, words: Iterable[SpelledWord], times: int = 1) -> None:
        for number, word in words:
            self.counts[number] = self.counts.get(number, 0) + times
            before = self.words.setdefault(number, word)
            if (len(word), word) < (len(before), before):
                self.words[number] = word
        if len(self.counts) > MOST_TERMS:
            self._forget(MOST_TERMS // 2)

    def top(self, most: int) -> tuple[Term, ...]:
        """The most frequent words, equals by the alphabet."""
        terms = (Term(number, self.words[number], count) for number, count in self.counts.items())
        return tuple(sorted(terms, key=lambda term: (-term.times, term.word, term.id))[:most])

    def _forget(self, keep: int) -> None:
        kept = self.top(keep)
        self.counts = {term.id: term.times for term in kept}
        self.words = {term.id: term.word for term in kept}
