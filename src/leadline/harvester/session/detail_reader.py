"""Reads records' own pages by wrappers learned from the first of them, and keeps their fields.

Until enough pages of one template were seen they are held back, then all are read by what they
taught. A page that no wrapper fits is held back likewise: enough of these teach another wrapper, so
a site that is rebuilt, or has several templates, is learned again.
"""

from collections.abc import Sequence

from leadline.core.harvest import Cell
from leadline.core.table import Slot, Wrapper
from leadline.extraction.wrapper_learning import SourcePage, learn_wrapper, read_slots
from leadline.harvester.answers.records import DETAIL_PREFIX

LEARN_FROM = 6
"""Pages of one template: attributes of the development sites of SWDE are read from six pages with
an F1 of .974, from ten with .980, from forty with .986."""
_LEAST_FIT = 0.4
"""Share of the slots that pages of its template fill in the median that a page must fill."""
_LEAST_PROMINENCE = 0.45
"""Of a slot that is kept: what is far from the record's name, hardly filled or always the same
speaks of other records or of the page. On the development sites of SWDE this drops 48 % of the
slots, and none that holds an attribute (the least of these has .50)."""
_MOST_WRAPPERS = 5


class DetailReader:
    """All wrappers of one source, and the pages that wait for one."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.wrappers: list[Wrapper] = []
        self._places: list[dict[str, str]] = []

    def read(self, page: SourcePage) -> tuple[Cell, ...] | None:
        """The fields of a page by the wrapper that fits best; None if none fits."""
        best: tuple[float, int, dict[str, list[str]]] | None = None
        for number, wrapper in enumerate(self.wrappers):
            found = read_slots(wrapper, page)
            fit = len(found) / max(1, len(wrapper.slots)) / max(0.01, wrapper.fit)
            if fit >= _LEAST_FIT and (best is None or fit > best[0]):
                best = fit, number, found
        if best is None:
            return None
        _, number, found = best
        places = self._places[number]
        return tuple(
            Cell(places[name], text)
            for name, texts in found.items()
            if name in places
            for text in texts
        )

    @property
    def can_learn(self) -> bool:
        return len(self.wrappers) < _MOST_WRAPPERS

    def learn(self, pages: Sequence[SourcePage]) -> Wrapper | None:
        """Takes over a wrapper of these pages; None if they teach nothing."""
        wrapper = learn_wrapper(self.source, pages, len(self.wrappers) + 1)
        if not wrapper.slots:
            return None
        self.wrappers.append(wrapper)
        self._places.append(name_places(wrapper.slots))
        return wrapper


def name_places(slots: Sequence[Slot]) -> dict[str, str]:
    """The places of the cells of the slots that are kept, by their labels: the same label gets the
    same place when it is learned again."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for slot in sorted(slots, key=lambda slot: -slot.prominence):
        if slot.prominence < _LEAST_PROMINENCE:
            break
        label = slot.labels[0].lstrip("@") if slot.labels else "value"
        place = f"{DETAIL_PREFIX}{label}"
        number = 2
        while place in taken:
            place = f"{DETAIL_PREFIX}{label} {number}"
            number += 1
        taken.add(place)
        found[slot.name] = place
    return found
