"""A topic by the few words that a person has for it, looked for in texts, names and addresses."""

import re
from collections.abc import Iterable

from leadline.learn.search_words import fold

_SHORT = 4
"""Words up to this length are looked for as they are, at the beginning of a word only."""
_LONG = 7
"""Of words from this length on, two letters may be an ending: library, libraries; vacancy."""


class TopicWords:
    """Finds words of the topic, also in other forms and in compounds. Picklable."""

    def __init__(self, words: Iterable[str]) -> None:
        stems = dict.fromkeys(cut_ending(fold(word.strip())) for word in words)
        self.stems = tuple(stem for stem in stems if len(stem) > 1)
        self._pattern = re.compile("|".join(map(_write_pattern, self.stems)) or r"(?!)")

    def find(self, text: str) -> list[str]:
        """Every place where a word of the topic stands."""
        return self._pattern.findall(fold(text))


def cut_ending(word: str) -> str:
    """The word without what may be an ending.

    >>> [cut_ending(word) for word in ("library", "films", "job")]
    ['libra', 'film', 'job']
    """
    if len(word) <= _SHORT:
        return word
    return word[:-2] if len(word) >= _LONG else word[:-1]


def _write_pattern(stem: str) -> str:
    is_anywhere = len(stem) > _SHORT or not stem.isascii()
    return re.escape(stem) if is_anywhere else rf"(?<![^\W_]){re.escape(stem)}"
