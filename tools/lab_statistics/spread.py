"""Distributions and counts over several owners, in the form the lab draws from."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

STEPS = 16


def quantiles(values: Iterable[int]) -> list[int]:
    """At 0, 1/16, ... 1: what `Draw.quantile` takes. Zeros for no values at all."""
    row = sorted(values)
    if not row:
        return [0] * (STEPS + 1)
    return [row[round(at * (len(row) - 1) / STEPS)] for at in range(STEPS + 1)]


def ranked(counts: Mapping[str, int], most: int) -> dict[str, int]:
    """The highest counts first, equal ones in alphabetical order."""
    order = sorted(counts, key=lambda name: (-counts[name], name))
    return {name: counts[name] for name in order[:most]}


def per_mille(part: int, whole: int) -> int:
    return round(1000 * part / whole) if whole else 0


class Spread:
    """Counts of things, and by how many owners each was met."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._owners: dict[str, set[str]] = {}

    def add(self, owner: str, things: Iterable[str]) -> None:
        for thing in things:
            self._counts[thing] += 1
            self._owners.setdefault(thing, set()).add(owner)

    def met_by(self, owners: int, most: int) -> dict[str, int]:
        """Number of owners of each thing that at least so many have, the commonest first.

        Owners are counted, not pages: one site with a thousand pages is one way of doing it.
        """
        kept = {t: len(held) for t, held in self._owners.items() if len(held) >= owners}
        return ranked(kept, most)

    def counted(self, owners: int, most: int) -> dict[str, int]:
        """How often each was met that at least so many owners have."""
        kept = {t: n for t, n in self._counts.items() if len(self._owners[t]) >= owners}
        return ranked(kept, most)


def mean_quantiles(rows: Mapping[str, Sequence[int]]) -> dict[str, list[int]]:
    return {name: quantiles(row) for name, row in rows.items()}
