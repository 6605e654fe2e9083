"""How alike the texts of columns are: what a column of publishers has in common with another one.

`records.matching` compares columns that nothing names with columns of other sources that are surely
called something. A profile counts words, the lengths of numbers, signs and how many words a text
has; what all columns have says little, as in any search engine (inverse document frequency).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
import xxhash
from numpy.typing import NDArray

Floats = NDArray[np.float32]
_tokens = re.compile(r"[^\W\d_]+|\d+|[^\w\s]").findall
_DIMENSIONS = 2048
"""Of a profile: a source has some hundred columns of some hundred words, most of them rare."""
_TEXTS, _CHARS = 40, 120
"""Of each column and each text that are counted."""
_MOST_WORDS = 8
_LEAST_TEXTS = 3


def read_profiles(columns: Sequence[Sequence[str]]) -> Floats:
    """A row of length one for each column of texts, of zeros for one with too few."""
    counts = np.zeros((len(columns), _DIMENSIONS), np.float32)
    for row, texts in enumerate(columns):
        some = texts[:_TEXTS]
        if len(some) < _LEAST_TEXTS:
            continue
        for text in some:
            counts[row, list(_find_tokens(text[:_CHARS]))] += 1 / len(some)
    spread = (counts > 0).sum(axis=0)
    rarity = np.log(np.maximum(len(columns), 1) / np.maximum(spread, 1)).astype(np.float32)
    profiles = np.sqrt(counts) * rarity
    lengths = np.linalg.norm(profiles, axis=1, keepdims=True)
    found: Floats = profiles / np.maximum(lengths, 1e-9)
    return found


def _find_tokens(text: str) -> set[int]:
    words = _tokens(text)
    found = {_hash(f"words {min(_MOST_WORDS, len(text.split()))}")}
    for word in words:
        if word.isdigit():
            found.add(_hash(f"digits {len(word)}"))
        elif word[0].isalpha():
            found.add(_hash(word.casefold()))
            found.add(_hash("capital" if word[0].isupper() else "small"))
        else:
            found.add(_hash(word))
    return found


@lru_cache(maxsize=50_000)
def _hash(token: str) -> int:
    return xxhash.xxh32_intdigest(token.encode("utf-8", "replace")) % _DIMENSIONS


def rate_likeness(
    profiles: Floats, sources: Sequence[str], known: Mapping[str, Sequence[int]]
) -> dict[str, Floats]:
    """By field how alike each column is to columns of other sources that are known to be it.

    `known`: the numbers of these columns by field. What is most alike in its source counts whole,
    as far as it is alike at all: in each source some column is the one most alike.
    """
    numbers = {source: number for number, source in enumerate(dict.fromkeys(sources))}
    of = np.array([numbers[source] for source in sources])
    found = {}
    for field, columns in known.items():
        likeness = profiles @ profiles[list(columns)].T
        likeness[of[:, None] == of[list(columns)][None, :]] = 0
        best = likeness.max(axis=1, initial=0)
        tops = np.zeros(len(numbers), np.float32)
        np.maximum.at(tops, of, best)
        top = tops[of]
        share = np.where(top > 0, best / np.maximum(top, 1e-9), 0)
        found[field] = (share * np.minimum(1, best / _ALIKE)).astype(np.float32)
    return found


_ALIKE = 0.3
"""From which columns are alike for sure: of the development sites of SWDE, columns of one attribute
reach it where its values have words of their own, and columns of names of things and people, which
share no words, never."""
