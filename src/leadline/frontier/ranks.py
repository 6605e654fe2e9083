"""Priorities as integers whose order is the order of wanting: smaller is sooner.

A rank has 48 bits: the tier, then the score as a float32 turned upside down.
A place has 88: a rank, then the candidate's number, so that the older of two
equals comes first. Comparing one integer is quicker than comparing a tuple and
takes a third of its memory.
"""

import struct

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import Priority

Ranks = NDArray[np.int64]

TIERS = 1 << 16
SCORE_BITS = 32
ID_BITS = 40
RANK_BITS = 48
PLACE_BITS = RANK_BITS + ID_BITS
ID_MASK = (1 << ID_BITS) - 1
SCORE_MASK = (1 << SCORE_BITS) - 1

NOWHERE = 1 << PLACE_BITS
"""Behind every place."""

LARGEST = float(np.finfo(np.float32).max)
_MAGNITUDE = 0x7FFF_FFFF
"""All but the sign of a float32; also the largest int32."""

_MINUS_ZERO = -1 << 31
"""Equal to zero as a number, the least of all as bits."""

_pack_float = struct.Struct("=f").pack
_unpack_int = struct.Struct("=i").unpack
_pack_int = struct.Struct("=i").pack
_unpack_float = struct.Struct("=f").unpack


def rank_of(tier: int, score: float) -> int:
    """The rank of one priority. A score beyond float32 counts as its largest, NaN as its least."""
    if not 0 <= tier < TIERS:
        raise ValueError(f"tier {tier} is outside 0..{TIERS - 1}")
    # max() with NaN second drops the NaN.
    bits: int = _unpack_int(_pack_float(min(LARGEST, max(-LARGEST, score))))[0]
    if bits < 0:
        bits = 0 if bits == _MINUS_ZERO else bits ^ _MAGNITUDE
    return (tier << SCORE_BITS) | (_MAGNITUDE - bits)


def priority_of(rank: int, why: str = "") -> Priority:
    """The priority a rank was made from, its score rounded to float32."""
    bits = _MAGNITUDE - (rank & SCORE_MASK)
    if bits < 0:
        bits ^= _MAGNITUDE
    score: float = _unpack_float(_pack_int(bits))[0]
    return Priority(rank >> SCORE_BITS, score, why)


def ranks_of(tiers: NDArray[np.int32], scores: NDArray[np.float32]) -> Ranks:
    """`rank_of` for many."""
    if (tiers >> 16).any():
        raise ValueError(f"a tier is outside 0..{TIERS - 1}")
    # Adding 0.0 makes -0.0 into 0.0.
    tidy = np.fmin(np.fmax(scores, np.float32(-LARGEST)), np.float32(LARGEST)) + np.float32(0.0)
    bits = tidy.view(np.int32)
    bits = np.where(bits < 0, bits ^ np.int32(_MAGNITUDE), bits).astype(np.int64)
    ranks: Ranks = (tiers.astype(np.int64) << SCORE_BITS) | (_MAGNITUDE - bits)
    return ranks


def priorities_of(ranks: Ranks) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The tiers and scores many ranks were made from."""
    bits = (_MAGNITUDE - (ranks & SCORE_MASK)).astype(np.int32)
    bits = np.where(bits < 0, bits ^ np.int32(_MAGNITUDE), bits)
    return (ranks >> SCORE_BITS).astype(np.int32), bits.view(np.float32)


def place_of(rank: int, number: int) -> int:
    """Where candidate `number` stands among all."""
    return (rank << ID_BITS) | number
