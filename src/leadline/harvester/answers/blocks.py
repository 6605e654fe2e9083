"""Containers of items on a page, weighed: how much each looks like a list of results."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from leadline.core.url import Url
from leadline.harvester.answers.memory import Known
from leadline.harvester.answers.parts import Part, parts_in, place_of
from leadline.harvester.answers.sight import Sight
from leadline.harvester.answers.splitting import (
    Item,
    Links,
    Split,
    best_split,
    known_of,
    known_split,
    marked,
)
from leadline.page.outline import Outline

# The shares and factors below were chosen on pages of the lab's development worlds and on written
# ones; most pages are read the same with half or twice of each.
SECOND = 0.02
"""Weight, against the best block's, below which no other is looked at."""
_ASIDE = frozenset({"nav", "aside", "footer", "header", "select"})
_TYPED = frozenset({"select", "textarea", "input"})
_UNTYPED = frozenset({"hidden", "checkbox", "submit", "image", "button", "reset"})
"""Kinds of inputs that lists of results have too."""
_LEAST_EVEN = 1.3
"""A container in which one part outweighs the others is only a wrapper."""
_MOST_ITEM_CHARS = 400
"""What an item counts for at most: a long text is no better a result."""
_LEAST_MASS = 12
"""Letters of fresh text: two short titles."""
_MOST_CONTAINERS = 500
"""Looked at on a page; those of ordinary ones are left out long before by their weight."""
_LEAST_WEIGHT = 2.0
"""What two short linked titles weigh."""
_PART = 0.5
"""A container inside the best block so far cannot be better if it has less than this share of
the weight in text."""
_UNLINKED = 0.5
"""Factor of a block without links."""
_COUNTED_LABELS = 0.3
"""Factor of names with counts."""
_BESIDES = 0.3
"""Factor of what stands beside the main part of the page."""
_SHORT = 0.5
"""Factor of items below this number of letters."""
_SHORT_CHARS = 14
_ALL_LINKED = 0.8
"""Share of a row's cells that must link to be records each."""
_COUNT_CHARS = 60
_FEW = 3
_figure = re.compile(r"\d").search
_ends_in_count = re.compile(r"[(\[]\s*[\d.,\s]+\s*[)\]]\s*$").search

T = TypeVar("T")


class Block(Struct, frozen=True):
    """A container and the items in it."""

    row: int
    place: str
    split: Split
    weight: float


class Finder:
    """Finds the blocks of one page."""

    def __init__(self, sight: Sight, is_own: Callable[[Url], bool]) -> None:
        """`is_own` tells links that lead back into the search."""
        self.sight = sight
        self.all_links = Links(sight.anchors)
        self._own = {a.row for a in sight.anchors if is_own(a.url)}
        self.links = Links([a for a in sight.anchors if a.row not in self._own])
        self._parts: dict[int, list[Part]] = {}
        outline = sight.outline
        self._typed = [
            row
            for row, tag in enumerate(outline.tags)
            if tag in _TYPED and outline.attributes[row].get("type") not in _UNTYPED
        ]

    def parts(self, row: int) -> list[Part]:
        """Of a container; those with a link are marked."""
        if row not in self._parts:
            self._parts[row] = marked(parts_in(self.sight, row), self.links)
        return self._parts[row]

    def candidates(self) -> Iterator[Block]:
        """Heaviest containers first."""
        sight, ends = self.sight, self.sight.outline.ends
        rows = [
            (sight.mass(row, ends[row]), row)
            for row, children in enumerate(sight.children)
            if len(children) > 1 and sight.mass(row, ends[row]) >= _LEAST_MASS
        ]
        best, inside = 0.0, range(0)
        for mass, row in sorted(rows, key=lambda pair: (-pair[0], pair[1]))[:_MOST_CONTAINERS]:
            if mass < SECOND * best:
                return
            if row in inside and mass < _PART * best:
                continue
            block = self._block(row)
            if block is not None:
                yield block
                if block.weight > best:
                    best, inside = block.weight, range(row, ends[row])

    def _block(self, row: int) -> Block | None:
        if not self._is_even(row):
            return None
        split = best_split(self.sight, self.parts(row), self.links)
        if split is None or split.even < _LEAST_EVEN or self._are_cells(row, split):
            return None
        weight = self.weight(row, split)
        if weight < _LEAST_WEIGHT:
            return None
        return Block(row, place_of(self.sight.outline, row), split, weight)

    def _are_cells(self, row: int, split: Split) -> bool:
        """Whether the items are the cells of a row that is one record."""
        return self.sight.outline.tags[row] == "tr" and split.linked < _ALL_LINKED

    def _is_even(self, row: int) -> bool:
        sight, ends = self.sight, self.sight.outline.ends
        masses = [sight.mass(child, ends[child]) for child in sight.children[row]]
        squares = sum(mass * mass for mass in masses)
        return squares > 0 and sum(masses) ** 2 >= _LEAST_EVEN * squares

    def weight(self, row: int, split: Split) -> float:
        """How much the items look like results: fresh text in many equal pieces, above all."""
        masses = [min(self.sight.mass(i.first, i.end), _MOST_ITEM_CHARS) for i in split.items]
        weight = sum(masses) * (1 - 1 / max(1.0, split.even)) ** 2 * split.likeness
        weight *= self._linking(split.items)
        if share(masses, lambda mass: mass < _SHORT_CHARS) > 0.5:
            weight *= _SHORT
        above = set(self._above(row))
        if not _ASIDE.isdisjoint(above):
            weight *= _BESIDES
        return 0.0 if self._is_filled_in(row, split, above) else weight

    def _is_filled_in(self, row: int, split: Split, above: set[str]) -> bool:
        """Whether the items are rows of a form, or a form is among them."""
        if "form" in above and split.linked < 0.5:
            return self._asks(row, self.sight.outline.ends[row])
        asking = share(split.items, lambda item: self._asks(item.first, item.end))
        return 0 < asking < 0.9

    def _asks(self, first: int, end: int) -> bool:
        """Whether there is a control to type into or choose from."""
        place = bisect_left(self._typed, first)
        return place < len(self._typed) and self._typed[place] < end

    def _linking(self, items: Sequence[Item]) -> float:
        own = sum(self.is_own(item) for item in items)
        linked = sum(bool(self.links.within(item.first, item.end)) for item in items)
        if 2 * own > len(items):
            return 0.0
        if not linked and len(items) <= _FEW and all(map(self._is_count, items)):
            return 0.0
        factor = _UNLINKED + (1 - _UNLINKED) * linked / len(items)
        texts = [self.sight.outline.text(i.first) for i in items if len(i.parts) == 1]
        if texts and share(texts, lambda text: bool(_ends_in_count(text[-20:]))) > 0.7:
            factor *= _COUNTED_LABELS
        return factor

    def _is_count(self, item: Item) -> bool:
        """Whether the item is a short sentence with a number: how many, which ones."""
        texts = [text for text in self.sight.outline.texts[item.first : item.end] if text]
        return len(texts) == 1 and len(texts[0]) < _COUNT_CHARS and bool(_figure(texts[0]))

    def is_own(self, item: Item) -> bool:
        """Whether all that the item offers is another question to the source."""
        links = self.all_links.within(item.first, item.end)
        return bool(links) and all(link.row in self._own for link in links)

    def _above(self, row: int) -> Iterator[str]:
        outline = self.sight.outline
        yield from (outline.tags[r] for r in (row, *ancestors(outline, row)))

    def at_places(self, places: Mapping[str, Known]) -> list[Block]:
        """Blocks at places that are known to hold results."""
        outline = self.sight.outline
        last = {place.partition(" ")[0].rpartition("/")[2] or "body" for place in places}
        depths = {place.partition(" ")[0].count("/") for place in places}
        found = []
        for row in self.sight.containers():
            if outline.tags[row] not in last or self.sight.depths[row] - 1 not in depths:
                continue
            place = place_of(outline, row)
            if place in places and not self.sight.is_steady(row, outline.ends[row]):
                block = self._known(row, place, places[place])
                found += [block] if block else []
        return found

    def _known(self, row: int, place: str, known: Known) -> Block | None:
        split = known_split(self.sight, self.parts(row), self.links, known)
        items = [item for item in split.items if not self.is_own(item)]
        if not items or 2 * len(items) < len(split.items):
            return None
        return Block(row, place, split, self.weight(row, split))


def share(things: Sequence[T], claim: Callable[[T], bool]) -> float:
    return sum(map(claim, things)) / len(things)


def known_from(sight: Sight, block: Block) -> Known:
    """How to read the block's place on other pages."""
    return known_of(sight, block.split.way, block.split.items)


def ancestors(outline: Outline, row: int) -> Iterator[int]:
    """From the parent up, the body left out."""
    while outline.parents[row] > 0:
        row = outline.parents[row]
        yield row
