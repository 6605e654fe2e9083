"""A form as a row of numbers, each with a name in words: FFC's features, and a wider set."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.core.page import Form
from leadline.forms.traits import FFC_FEATURES, NUMBERS, PLACES, TELLING, read_form
from leadline.forms.wording import MEANINGS

Rows = NDArray[np.float64]
"""One row per form, one column per feature."""

FEATURES = (
    *NUMBERS,
    *(f"words of {meaning} in {place}" for place in PLACES for meaning in TELLING),
)
"""Numbers enter as log2(1 + n), so that a claim that holds is 1; meanings are 0 or 1."""
_ALL_BITS = (1 << len(MEANINGS)) - 1
_SHIFTS = np.array([MEANINGS.index(meaning) for meaning in TELLING])
_MEANINGS_OF = (np.arange(_ALL_BITS + 1)[:, None] >> _SHIFTS & 1).astype(np.float64)
"""What each combination of bits is in the columns of a place."""


def rows(forms: Sequence[Form]) -> Rows:
    """The wider features of each form, in the order of FEATURES."""
    read = _readings(forms)
    numbers, spoken = read[:, : len(NUMBERS)], read[:, len(NUMBERS) :]
    meanings = _MEANINGS_OF.take(spoken & _ALL_BITS, axis=0)
    width = len(FEATURES) - len(NUMBERS)
    return np.concatenate((np.log2(numbers + 1), meanings.reshape(len(forms), width)), axis=1)


def ffc_rows(forms: Sequence[Form]) -> Rows:
    """FFC's features of each form as they are counted, in the order of FFC_FEATURES."""
    return _readings(forms)[:, : len(FFC_FEATURES)].astype(np.float64)


def _readings(forms: Sequence[Form]) -> NDArray[np.int64]:
    width = len(NUMBERS) + len(PLACES)
    return np.array([read_form(form) for form in forms], np.int64).reshape(len(forms), width)


class _Columns(dict[int, list[tuple[int, float]]]):
    """What each combination of bits is as cells of the place whose columns begin at `first`."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    def __missing__(self, bits: int) -> list[tuple[int, float]]:
        held = np.flatnonzero(_MEANINGS_OF[bits & _ALL_BITS]) + self._first
        self[bits] = [(column, 1.0) for column in held.tolist()]
        return self[bits]


_COLUMNS_OF = [_Columns(first) for first in range(len(NUMBERS), len(FEATURES), len(TELLING))]


def cells(form: Form) -> list[tuple[int, float]]:
    """The features a form has, each with its column among FEATURES; all others are 0.

    The same as its row, and quicker for the two or three forms of a page.
    """
    read, log2 = read_form(form), math.log2
    numbers = enumerate(read[: len(NUMBERS)])
    found = [(column, log2(number + 1)) for column, number in numbers if number]
    for columns, bits in zip(_COLUMNS_OF, read[len(NUMBERS) :], strict=True):
        found += columns[bits]
    return found
