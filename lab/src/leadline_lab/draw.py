"""Chance that is a function of a key: the same key, the same draws, on every machine.

Only integers are drawn, by arithmetic modulo 2^64, because the last digits of
floating-point functions differ between processors and a world must not.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
import xxhash
from numpy.typing import NDArray

T = TypeVar("T")
Numbers = NDArray[np.uint64]

_MASK = (1 << 64) - 1
_STEP = 0x9E37_79B9_7F4A_7C15
_MIX_1 = 0xBF58_476D_1CE4_E5B9
_MIX_2 = 0x94D0_49BB_1331_11EB
"""The constants of SplitMix64 (Steele, Lea and Flood 2014)."""
_COUNT: Numbers = np.arange(1, 4097, dtype=np.uint64) * np.uint64(_STEP)


def key_of(parent: int, *labels: int | str) -> int:
    """A key below `parent`, as good as independent of every other key."""
    for label in labels:
        parent = xxhash.xxh3_64_intdigest(str(label).encode(), parent)
    return parent


def numbers(key: int, n: int) -> Numbers:
    """`n` draws of 64 bits; a longer row begins with the shorter one."""
    steps = _COUNT[:n]
    if n > len(_COUNT):
        steps = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(_STEP)
    return _scatter_row(steps + np.uint64(key))


def numbers_at(key: int, places: Numbers) -> Numbers:
    """The draws with these places in the endless row of `numbers`, the first being 1."""
    return _scatter_row(places * np.uint64(_STEP) + np.uint64(key))


def number_at(key: int, place: int) -> int:
    """One of them."""
    return _scatter(place * _STEP + key & _MASK)


class Draw:
    """Draws one after another from one key."""

    __slots__ = ("_state",)

    def __init__(self, key: int) -> None:
        self._state = key

    def number(self) -> int:
        """64 bits: the next of `numbers`."""
        self._state = mixed = self._state + _STEP & _MASK
        mixed = (mixed ^ mixed >> 30) * _MIX_1 & _MASK
        mixed = (mixed ^ mixed >> 27) * _MIX_2 & _MASK
        return mixed ^ mixed >> 31

    def below(self, n: int) -> int:
        """0 <= drawn < n."""
        return self.number() * n >> 64

    def between(self, low: int, high: int) -> int:
        """Both ends included."""
        return low + (self.number() * (high - low + 1) >> 64)

    def chance(self, per_mille: int) -> bool:
        """True in `per_mille` of 1,000 draws."""
        return self.number() * 1000 >> 64 < per_mille

    def pick(self, things: Sequence[T]) -> T:
        return things[self.number() * len(things) >> 64]

    def weighted(self, sums: Sequence[int]) -> int:
        """An index, by running sums of whole weights."""
        return bisect_right(sums, self.number() * sums[-1] >> 64)

    def some(self, things: Sequence[T], n: int) -> list[T]:
        """Up to `n` different ones, in drawn order."""
        left = list(things)
        for at in range(min(n, len(left))):
            other = at + self.below(len(left) - at)
            left[at], left[other] = left[other], left[at]
        return left[: min(n, len(left))]

    def quantile(self, row: Sequence[int]) -> int:
        """From a distribution given by its quantiles at equal steps, straight lines between."""
        place = self.number() >> 11
        whole = place * (len(row) - 1)
        low, rest = whole >> 53, whole & ((1 << 53) - 1)
        return row[low] + ((row[low + 1] - row[low]) * rest >> 53)


class Shuffle:
    """A keyed permutation of 0..size-1 that can be walked both ways, one by one or in rows.

    A Feistel network of three rounds on the smallest even number of bits that
    holds `size` (three make a permutation that looks like chance: Luby and
    Rackoff 1988); what falls outside is sent round again.
    """

    __slots__ = ("_bits", "_keys", "_low", "size")

    def __init__(self, key: int, size: int) -> None:
        self.size = size
        self._bits = max(1, ((max(size, 2) - 1).bit_length() + 1) // 2)
        self._low = (1 << self._bits) - 1
        self._keys = [key_of(key, "round", n) for n in range(3)]

    def at(self, place: int) -> int:
        """Where `place` goes."""
        place = self._forth(place)
        while place >= self.size:
            place = self._forth(place)
        return place

    def back(self, place: int) -> int:
        """What goes to `place`."""
        place = self._back(place)
        while place >= self.size:
            place = self._back(place)
        return place

    def back_all(self, places: Numbers) -> Numbers:
        """`back` for a row of places."""
        found = self._back_row(places)
        outside = np.flatnonzero(found >= np.uint64(self.size))
        while len(outside):
            found[outside] = self._back_row(found[outside])
            outside = outside[found[outside] >= np.uint64(self.size)]
        return found

    def at_all(self, places: Numbers) -> Numbers:
        """`at` for a row of places."""
        found = self._forth_row(places)
        outside = np.flatnonzero(found >= np.uint64(self.size))
        while len(outside):
            found[outside] = self._forth_row(found[outside])
            outside = outside[found[outside] >= np.uint64(self.size)]
        return found

    def _forth(self, place: int) -> int:
        low = self._low
        left, right = place >> self._bits, place & low
        for key in self._keys:
            # `_scatter`, written out: half of a page's links and titles pass here.
            mixed = right + key & _MASK
            mixed = (mixed ^ mixed >> 30) * _MIX_1 & _MASK
            mixed = (mixed ^ mixed >> 27) * _MIX_2 & _MASK
            left, right = right, left ^ ((mixed ^ mixed >> 31) & low)
        return left << self._bits | right

    def _back(self, place: int) -> int:
        left, right = place >> self._bits, place & self._low
        for key in reversed(self._keys):
            left, right = right ^ (_scatter(left + key & _MASK) & self._low), left
        return left << self._bits | right

    def _forth_row(self, places: Numbers) -> Numbers:
        bits, low = np.uint64(self._bits), np.uint64(self._low)
        left, right = places >> bits, places & low
        for key in self._keys:
            left, right = right, left ^ (_scatter_row(right + np.uint64(key)) & low)
        return left << bits | right

    def _back_row(self, places: Numbers) -> Numbers:
        bits, low = np.uint64(self._bits), np.uint64(self._low)
        left, right = places >> bits, places & low
        for key in reversed(self._keys):
            left, right = right ^ (_scatter_row(left + np.uint64(key)) & low), left
        return left << bits | right


def _scatter(number: int) -> int:
    number = (number ^ number >> 30) * _MIX_1 & _MASK
    number = (number ^ number >> 27) * _MIX_2 & _MASK
    return number ^ number >> 31


def _scatter_row(row: Numbers) -> Numbers:
    row = (row ^ row >> np.uint64(30)) * np.uint64(_MIX_1)
    row = (row ^ row >> np.uint64(27)) * np.uint64(_MIX_2)
    mixed: Numbers = row ^ row >> np.uint64(31)
    return mixed


def running_sums(weights: Sequence[int]) -> list[int]:
    """For `Draw.weighted`."""
    total = 0
    sums = []
    for weight in weights:
        total += weight
        sums.append(total)
    return sums
