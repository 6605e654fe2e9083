"""Numbers that only grow in number, without a Python object for each."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

_FIRST_CELLS = 1024


class Column:
    """An array with room at its end: appending costs the same at any length."""

    def __init__(self, kind: str) -> None:
        self._cells = np.zeros(_FIRST_CELLS, kind)
        self._length = 0

    def __len__(self) -> int:
        return self._length

    @property
    def cells(self) -> NDArray[Any]:
        """All of them, to be read and changed in place until the next one is added."""
        return self._cells[: self._length]

    def extend(self, more: Iterable[float] | NDArray[Any]) -> None:
        found = np.asarray(more if isinstance(more, np.ndarray) else list(more), self._cells.dtype)
        self.grow_to(self._length + len(found))
        self._cells[self._length - len(found) : self._length] = found

    def grow_to(self, length: int) -> None:
        """Add zeros until there are so many."""
        if length > len(self._cells):
            room = np.zeros(max(length, 2 * len(self._cells)), self._cells.dtype)
            room[: self._length] = self._cells[: self._length]
            self._cells = room
        self._length = max(self._length, length)


class Codes:
    """Numbers for words of which there are few, in order of first sight."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}

    def __getitem__(self, word: str) -> int:
        """A number of its own for each word, also for a new one."""
        number = self._numbers.get(word)
        if number is None:
            number = self._numbers[word] = len(self.words)
            self.words.append(word)
        return number

    def find(self, word: str) -> int:
        """-1 for a word never met."""
        return self._numbers.get(word, -1)
