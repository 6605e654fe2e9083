"""Words drawn as often as they are met in life."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from leadline_lab.draw import Draw, Numbers

Cells = NDArray[np.object_]
"""Words, each as often as it is to be drawn."""

_URN_BITS = 15
"""A cell is 30 of a million words: the rarest words of a topic take turns."""
URN_SHIFT = np.uint64(64 - _URN_BITS)
"""Leaves of a draw the bits that pick a cell."""


class Urn:
    """Words in proportion to their counts; a draw of 64 bits picks one by its high bits."""

    __slots__ = ("cells",)

    def __init__(self, counts: Mapping[str, int]) -> None:
        sums = np.cumsum(np.fromiter(counts.values(), np.int64, len(counts)))
        edges = (sums << _URN_BITS) // sums[-1]
        words = np.array(list(counts), object)
        self.cells: Cells = words.repeat(np.diff(edges, prepend=0))

    def take(self, drawn: Numbers) -> list[str]:
        """One word for each draw."""
        found: list[str] = self.cells.take(drawn >> URN_SHIFT).tolist()
        return found

    def pick(self, draw: Draw) -> str:
        word: str = self.cells[draw.number() >> 64 - _URN_BITS]
        return word
