"""Real pages of the Web of shops, portals and forums, told apart from those of 1997."""

from collections.abc import Iterator
from pathlib import Path

from tools.lab_statistics import sources
from tools.lab_statistics.sources import RealPage


class Modern:
    """Pages of Formasaurus, SWDE and autopager, one after another; read anew each time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __iter__(self) -> Iterator[RealPage]:
        for real, _ in sources.formasaurus(self._folder):
            yield real
        yield from sources.swde(self._folder)
        yield from sources.autopager(self._folder)

    def with_old(self) -> Iterator[tuple[RealPage, bool]]:
        """Those and the pages of WebKB, each with whether it is modern."""
        for real in self:
            yield real, True
        for real in sources.webkb(self._folder):
            yield real, False
