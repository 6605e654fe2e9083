"""Records for machines that have no real ones: words by Zipf's law, the same on every machine.

They have the fields of the real collections, so that the same applications can be filled.
"""

import random
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

_ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl qu r s sh st t tr v w".split()
_VOWELS = "a e i o u ai ea ou".split()
_ENDS = ("", "n", "r", "l", "st", "nd", "m", "ck")
_WORDS = 4_000
_GENRES = ("Drama", "Comedy", "Western", "Crime", "Adventure")


def generate_rows(seed: int = 7) -> Iterator[dict[str, Any]]:
    """Without end; the row of a number depends on nothing but the number and the seed."""
    draw = random.Random(seed)
    words = list(dict.fromkeys(_make_word(draw) for _ in range(2 * _WORDS)))[:_WORDS]
    weights = list(accumulate(1 / (rank + 3) for rank in range(len(words))))
    number = 0
    while True:
        number += 1
        own = random.Random(seed * 1_000_003 + number)

        def some(low: int, high: int, own: random.Random = own) -> list[str]:
            return own.choices(words, cum_weights=weights, k=own.randint(low, high))

        title = " ".join(some(2, 5)).capitalize()
        text = " ".join(some(25, 60)).capitalize()
        yield {
            "title": title,
            "year": 1900 + number % 110,
            "cast": [" ".join(some(2, 2)).title() for _ in range(3)],
            "genres": own.sample(_GENRES, 2),
            "extract": text,
            "body": text,
            "topics": some(1, 2),
            "name": f"{some(1, 1)[0]}-{number}",
            "summary": title,
            "description": text,
        }


def _make_word(draw: random.Random) -> str:
    parts = (
        draw.choice(_ONSETS) + draw.choice(_VOWELS) + draw.choice(_ENDS)
        for _ in range(draw.randint(1, 3))
    )
    return "".join(parts)
