"""The words records are made of, drawn once per topic and then taken by number."""

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from leadline.page.words import split_words
from leadline_lab.databases.chance import below, skewed
from leadline_lab.draw import Numbers, key_of, numbers

Words = Callable[[Numbers], list[str]]
"""One word for each number, as an urn gives them."""
Slots = NDArray[np.uint16]
Codes = NDArray[np.uint16]

_SLOTS = 1 << 16
_SPREAD = np.uint64(40503)
"""An odd number near 2^16 divided by the golden ratio: scatters neighbouring slots."""
_KEY = key_of(0, "lexicon")
_RARE_KEY = key_of(0, "rare words")
_RARE_WORDS = 40_000
_ODD = np.uint64(0x9E37_79B9_7F4A_7C15)
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_ENDS = ("n", "r", "x", "th", "l", "sk", "m")
_SPELLINGS = len(_ENDS) * (len(_CONSONANTS) * len(_VOWELS)) ** 3
_STRIDE = 1_234_577
"""Has no divisor in common with the number of spellings."""


class Lexicon:
    """65,535 words drawn from an urn, repetitions and all; 16 bits of chance take one of them.

    Urns hold the common words of a topic. Records also have words that hardly
    any other record has, which no count of common words knows: `rare_per_mille`
    of the words are made up. Words carry codes from 1 on, the most frequent
    first; 0 is no word. Shared by all sources of one topic and language; made
    in about 50 ms.
    """

    __slots__ = ("_islands", "_slots", "words")

    def __init__(self, words: Words, rare_per_mille: int = 150) -> None:
        drawn = [_only_word(text) for text in words(numbers(_KEY, _SLOTS - 1))]
        chance = numbers(_RARE_KEY, len(drawn))
        ranks = skewed(chance, _RARE_WORDS)
        for place in np.flatnonzero(below(chance * _ODD, 1000) < rare_per_mille).tolist():
            drawn[place] = rare_word(int(ranks[place]))
        ranked = [word for word, _ in Counter(drawn).most_common()]
        code = {word: place for place, word in enumerate(ranked, 1)}
        self.words = ("", *ranked)
        self._slots: Codes = np.array([code[word] for word in (*drawn, drawn[0])], np.uint16)
        self._islands: dict[tuple[int, int], NDArray[np.uint16]] = {}

    def take(self, slots: Slots) -> Codes:
        return self._slots[slots]

    def take_from(self, islands: NDArray[np.int64], slots: Slots, shape: tuple[int, int]) -> Codes:
        """Words of each row's island. `shape` is how many islands there are, and the per mille
        of words that belong to none."""
        if shape not in self._islands:
            self._islands[shape] = np.stack([self._island(n, shape) for n in range(shape[0])])
        return self._islands[shape][islands[:, None], slots]

    def _island(self, island: int, shape: tuple[int, int]) -> Codes:
        own = self._slots[self._slots % shape[0] == island]
        places = np.arange(_SLOTS, dtype=np.uint64)
        if not len(own):
            return self._slots
        is_bridge = (places * _SPREAD % np.uint64(_SLOTS)) * np.uint64(1000) < np.uint64(
            shape[1] * _SLOTS
        )
        return np.where(is_bridge, self._slots, own[places * np.uint64(len(own)) >> np.uint64(16)])


def rare_word(number: int) -> str:
    """Numbers below 2,401,000 all make different words: their digits are read as syllables."""
    number, end = divmod(number * _STRIDE % _SPELLINGS, len(_ENDS))
    found = ""
    for _ in range(3):
        number, consonant = divmod(number, len(_CONSONANTS))
        number, vowel = divmod(number, len(_VOWELS))
        found += _CONSONANTS[consonant] + _VOWELS[vowel]
    return found + _ENDS[end]


def _only_word(text: str) -> str:
    """What a search box would make of it, the first word if there are several."""
    found = split_words(text)
    return found[0] if found else "untitled"
