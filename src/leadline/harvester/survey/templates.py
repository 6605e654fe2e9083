"""Whether the choices of a template are worth asking for.

Madhavan, Ko, Kot, Ganapathy, Rasmussen, Halevy, "Google's Deep-Web crawl" (PVLDB 2008): a query
template, that is a set of controls to fill, is informative if the answers to its submissions are
distinct in at least a fifth of the cases.

Departures: submissions are judged one after the other, so that two different answers mostly
suffice; answers are told apart by their records instead of a signature of the page's text; a
refusal counts as no answer at all.
"""

from collections.abc import Hashable, Sequence
from math import comb
from typing import TypeVar

from leadline.core.harvest import Answer

T = TypeVar("T")

LEAST_DISTINCT = 0.2
"""The paper's threshold."""
SURE = 0.95
"""Probability from which no more is asked."""


class Distinctness:
    """Counts how many of the answers to one template differ."""

    def __init__(self, most: int) -> None:
        """After `most` answers the share decides alone."""
        self._most = most
        self._seen: set[Hashable] = set()
        self._answers = 0

    def add(self, answer: Answer) -> None:
        self._answers += 1
        self._seen.add(signature_of(answer))

    @property
    def verdict(self) -> bool | None:
        """None: it cannot be told yet. One and the same answer to all is never informative."""
        if self._answers >= self._most:
            return len(self._seen) > 1 and len(self._seen) >= LEAST_DISTINCT * self._answers
        chance = chance_of_least(len(self._seen) - 1, self._answers - len(self._seen))
        if self._answers < 2 or 1 - SURE < chance < SURE:
            return None
        return chance >= SURE


def signature_of(answer: Answer) -> Hashable:
    """Equal for answers with the same records, in whatever order."""
    return frozenset(record.key for record in answer.records) or answer.kind


def chance_of_least(fresh: int, repeated: int, least: float = LEAST_DISTINCT) -> float:
    """That further answers are new at least so often, all shares alike before the first.

    The upper tail of a Beta distribution with whole parameters, which is a sum of binomials.

    >>> round(chance_of_least(1, 0), 2), round(chance_of_least(0, 5), 2)
    (0.96, 0.26)
    """
    n = fresh + repeated + 1
    return sum(comb(n, k) * least**k * (1 - least) ** (n - k) for k in range(fresh + 1))


def spread(things: Sequence[T], most: int) -> list[T]:
    """Up to `most` of them, far from each other first: the first, the last, the middle ..."""
    if len(things) <= 2:
        return list(things[:most])
    places = [0, len(things) - 1]
    step = len(things)
    while len(places) < min(most, len(things)) and step > 1:
        step = (step + 1) // 2
        places += [place for place in range(step, len(things), step) if place not in places]
    return [things[place] for place in places[:most]]
