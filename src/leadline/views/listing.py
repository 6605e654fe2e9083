"""What all lists and numbers of the read model have in common."""

import math
from collections.abc import Sequence
from typing import Generic, TypeVar

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")

LARGEST = 10**12
"""Of any number that may be sent: far below what SQLite can count to."""
MOST = 200
"""Items on one page of a list."""


class Listing(Struct, Generic[T], frozen=True):
    """One page of a longer list."""

    items: tuple[T, ...]
    total: int
    """How many there are in all, with the filters in force."""
    offset: int
    limit: int

    @staticmethod
    def cut(found: Sequence[T], offset: int, limit: int) -> "Listing[T]":
        """One page of a list that is held as a whole."""
        return Listing(tuple(found[offset : offset + limit]), len(found), offset, limit)


class ListQuery(BaseModel):
    """Which part of a list is asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    offset: int = Field(0, ge=0, le=LARGEST, description="Leave out so many.")
    limit: int = Field(50, ge=1, le=MOST, description="Show at most so many.")


def round_score(score: float) -> float:
    """Four digits; 0 for what is not a number, which JSON cannot hold.

    >>> round_score(0.123456), round_score(float("nan"))
    (0.1235, 0.0)
    """
    return round(score, 4) if math.isfinite(score) else 0.0


def finite(number: float | None) -> float | None:
    """None for what is not a number.

    >>> finite(2.0), finite(float("nan")), finite(None)
    (2.0, None, None)
    """
    return number if number is not None and math.isfinite(number) else None
