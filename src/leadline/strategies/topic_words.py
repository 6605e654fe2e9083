"""A topic by the few words that a person has for it, looked for in texts, names and addresses."""

import re
from collections.abc import Iterable

from leadline.learn.search_words import fold

_SHORT = 4
"""Words up to this length are looked for as they are, at the beginning of a word only."""
_LONG = 7
"""Of words from this length on, two letters may be an ending: library, libraries; vacancy."""


class TopicWords:
    """Finds words of the topic, also in other forms and in compounds. Picklable.

    Literals alone are looked for first: a pattern that says where a word begins takes three times
    as long, and most texts have none.
    """

    def __init__(self, words: Iterable[str]) -> None:
        stems = dict.fromkeys(cut_ending(fold(word.strip())) for word in words)
        self.stems = tuple(stem for stem in stems if len(stem) > 1)
        self._begins = frozenset(one for one in self.stems if len(one) <= _SHORT and one.isascii())
        self._stems = re.compile("|".join(map(re.escape, self.stems)) or r"(?!)")

    def find(self, text: str) -> list[str]:
        """Every place where a word of the topic stands."""
        return [stem for stem, _ in self.find_places(fold(text))]

    def find_places(self, folded: str) -> list[tuple[str, int]]:
        """Each word of the topic in a folded text, and where it begins."""
        begins, found = self._begins, []
        for hit in self._stems.finditer(folded):
            stem, at = hit.group(), hit.start()
            if stem not in begins or not at or not folded[at - 1].isalnum():
                found.append((stem, at))
        return found


def cut_ending(word: str) -> str:
    """The word without what may be an ending.

    >>> [cut_ending(word) for word in ("library", "films", "job")]
    ['libra', 'film', 'job']
    """
    if len(word) <= _SHORT:
        return word
    return word[:-2] if len(word) >= _LONG else word[:-1]
