"""A linear model over 30 hashed features a link, in numpy: what a peer scores its links with."""

import re
from collections.abc import Sequence

import numpy as np
import xxhash
from numpy.typing import NDArray

WIDTH = 30
"""Features kept per link."""
BITS = 18
_MASK = (1 << BITS) - 1

_words = re.compile(r"[a-z0-9]+").findall


class HashedModel:
    """Scores links by the summed weights of their words; hashes of words are remembered."""

    def __init__(self, seed: int = 1) -> None:
        self._weights = np.random.default_rng(seed).normal(0, 1, 1 << BITS).astype(np.float32)
        self._weights[0] = 0.0
        self._ids: dict[str, int] = {}

    def row(self, href: str, anchor: str, around: str) -> list[int]:
        """Feature ids of a link: words of its anchor, its URL and its surroundings."""
        ids = self._ids
        found: list[int] = []
        for prefix, text in (("a:", anchor), ("u:", href), ("w:", around)):
            for word in _words(text.lower()):
                name = prefix + word
                number = ids.get(name)
                if number is None:
                    number = ids[name] = (xxhash.xxh32_intdigest(name.encode()) & _MASK) or 1
                found.append(number)
        return (found + [0] * WIDTH)[:WIDTH]

    def scores(self, rows: Sequence[list[int]]) -> NDArray[np.float32]:
        """One score per row of feature ids."""
        if not rows:
            return np.zeros(0, np.float32)
        summed: NDArray[np.float32] = self._weights[np.array(rows, np.int32)].sum(axis=1)
        return summed
