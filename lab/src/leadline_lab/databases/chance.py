"""Rows of draws for many records at once; one record's draws are a row of its own."""

import numpy as np
from numpy.typing import NDArray

from leadline_lab.draw import Numbers, Shuffle, numbers_at

Places = NDArray[np.int64]

_STRIDE = np.uint64(16)
"""Draws that one record may take from one key."""
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFF_FFFF)


def draws(key: int, records: Places, count: int = 1) -> Numbers:
    """A row of `count` draws, at most 16, for each record."""
    first: Numbers = records.astype(np.uint64) * _STRIDE + np.uint64(1)
    steps: Numbers = np.arange(count, dtype=np.uint64)
    return numbers_at(key, first[:, None] + steps)


def below(drawn: Numbers, n: int) -> Places:
    """0 <= taken < n, all alike; n up to 2^32."""
    return ((drawn >> _HALF) * np.uint64(n) >> _HALF).astype(np.int64)


def skewed(drawn: Numbers, n: int) -> Places:
    """0 <= taken < n, low ones more often: the product of two even draws."""
    both = (drawn >> _HALF) * (drawn & _LOW) >> _HALF
    return (both * np.uint64(n) >> _HALF).astype(np.int64)


def zipf(drawn: Numbers, n: int) -> Places:
    """0 <= taken < n, the r-th about as often as 1/r: even over the powers of two."""
    low = drawn & _LOW
    power = (drawn >> _HALF) * np.uint64(n.bit_length()) >> _HALF
    taken = (np.uint64(1) << power) + (low << power >> _HALF) - np.uint64(1)
    return np.where(taken < n, taken, low * np.uint64(n) >> _HALF).astype(np.int64)


def shuffled(shuffle: Shuffle, records: Places) -> Places:
    """Where each record goes."""
    gone = shuffle.back_all(records.ravel().astype(np.uint64))
    return gone.astype(np.int64).reshape(records.shape)
