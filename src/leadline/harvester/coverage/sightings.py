"""How often the records of a source came, counted on a bounded, even sample of them."""

from collections.abc import Iterable

from msgspec import Struct

RARE = 10
"""Sightings up to which a record counts as rarely seen: the cut of A. Chao and S.-M. Lee, Journal
of the American Statistical Association 87, 1992."""
MOST = 65_536
"""Records counted at most: 6 MB. Each frequency is then known to about a hundredth."""
_HALF = 1 << 20
"""Sightings in the second half of the queries are counted in steps of this."""


class Counts(Struct, frozen=True):
    """Records by how often they came, as numbers of all records rather than of the sample."""

    held: float
    sightings: float
    times: tuple[float, ...]
    """Records seen once, twice, ... RARE times."""
    first: float
    """Records that queries of the first half brought."""
    second: float
    both: float

    @property
    def once(self) -> float:
        return self.times[0]

    @property
    def twice(self) -> float:
        return self.times[1]


class Sightings:
    """Takes in each query's records. All of them are counted until they are too many, then those
    whose hash ends in one more zero: which ones depends on nothing but the hashes."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._mask = 0
        self._seen: dict[int, int] = {}
        self._times = [0] * (RARE + 2)
        self._in_half = [0, 0]
        self._in_both = 0

    def take(self, keys: Iterable[int], half: int) -> None:
        """The distinct records of one query, by 64-bit hashes; `half` is 0 or 1."""
        mask, seen = self._mask, self._seen
        step = _HALF if half else 1
        for key in keys:
            if not key & mask:
                before = seen.get(key, 0)
                seen[key] = before + step
                self._count(before, half)
        while len(seen) > self._most:
            self._thin()

    def counts(self, held: float, sightings: float) -> Counts:
        """Scaled to so many records and sightings."""
        scale = held / len(self._seen) if self._seen else 0.0
        return Counts(
            held,
            sightings,
            tuple(scale * number for number in self._times[1 : RARE + 1]),
            scale * self._in_half[0],
            scale * self._in_half[1],
            scale * self._in_both,
        )

    def _count(self, before: int, half: int) -> None:
        first, second = before % _HALF, before // _HALF
        times = min(first + second, RARE + 1)
        self._times[times] -= 1 if before else 0
        self._times[min(times + 1, RARE + 1)] += 1
        own, other = (second, first) if half else (first, second)
        if not own:
            self._in_half[half] += 1
            self._in_both += 1 if other else 0

    def _thin(self) -> None:
        self._mask = self._mask << 1 | 1
        kept = {key: times for key, times in self._seen.items() if not key & self._mask}
        self._seen.clear()
        self._seen.update(kept)
        numbers = [(packed % _HALF, packed // _HALF) for packed in kept.values()]
        self._times = [0] * (RARE + 2)
        for first, second in numbers:
            self._times[min(first + second, RARE + 1)] += 1
        self._in_half = [sum(a > 0 for a, _ in numbers), sum(b > 0 for _, b in numbers)]
        self._in_both = sum(a > 0 and b > 0 for a, b in numbers)
