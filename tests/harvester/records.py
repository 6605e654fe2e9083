"""Records for tests of what is held and what is asked next."""

from leadline.core.harvest import Cell, Record


def record(key: str, title: str = "", **cells: str) -> Record:
    return Record(key, title, tuple(Cell(place, text) for place, text in cells.items()))
