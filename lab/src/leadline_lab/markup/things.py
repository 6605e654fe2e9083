"""Listings, facts, tables and running text."""

from leadline_lab.markup.escape import escape_text
from leadline_lab.markup.inlines import Inlines
from leadline_lab.markup.model import Facts, Grid, Item, Listing, Prose
from leadline_lab.markup.pieces import (
    FactPieces,
    GridPieces,
    ListingPieces,
    PairPieces,
    ProsePieces,
)


class Listings:
    """Writes `Listing`, in the family's own layout or in the one a page insists on."""

    __slots__ = ("_inlines", "_title", "_ways")

    def __init__(self, ways: dict[str, ListingPieces], title: PairPieces, inlines: Inlines) -> None:
        self._ways = ways
        self._title = title
        self._inlines = inlines

    def written(self, listing: Listing) -> str:
        items = listing.items
        way = self._ways[listing.layout or "listing"]
        title = ""
        if listing.title:
            title = f"{self._title.start}{escape_text(listing.title)}{self._title.end}"
        if not items:
            return title
        names = _shared_names(items) if way.head else ()
        head = ""
        if names:
            cells = way.between_heads.join(["", *map(escape_text, names)])
            head = f"{way.head}{cells}{way.after_head}"
        things = self._items(items, way, is_named=not names)
        return f"{title}{way.box}{head}{things}{way.end}"

    def _items(self, items: tuple[Item, ...], way: ListingPieces, *, is_named: bool) -> str:
        anchor, inline = self._inlines.anchor, self._inlines.inline
        start, after_name = way.each + way.name, way.after_name
        parts: list[str] = []
        add = parts.append
        for item in items:
            add(start)
            if item.image:
                add(f"{self._inlines.image(item.image)} ")
            add(anchor(item.anchor))
            add(after_name)
            if item.text:
                add(f"{way.text}{inline(item.text)}{way.after_text}")
            add(way.body_end)
            if item.facts:
                add(_facts(item.facts, way, is_named=is_named))
            add(way.each_end)
        return "".join(parts)


def _facts(facts: tuple[tuple[str, str], ...], way: ListingPieces, *, is_named: bool) -> str:
    if is_named:
        key, after_key = way.key, way.after_key
        written = [
            f"{key}{escape_text(name)}{after_key}{escape_text(value)}"
            if name
            else escape_text(value)
            for name, value in facts
        ]
    else:
        written = [escape_text(value) for _, value in facts]
    between = way.after_fact + way.fact
    return f"{way.facts}{way.fact}{between.join(written)}{way.after_fact}{way.facts_end}"


def _shared_names(items: tuple[Item, ...]) -> tuple[str, ...]:
    """The names of facts if all things have the same: a table says them once, at its head."""
    names = tuple([name for name, _ in items[0].facts])
    for item in items:
        if tuple([name for name, _ in item.facts]) != names:
            return ()
    return names if any(names) else ()


def write_prose(prose: Prose, way: ProsePieces, inlines: Inlines) -> str:
    if not prose.paragraphs:
        return ""
    written = [inlines.inline(paragraph) for paragraph in prose.paragraphs]
    return f"{way.start}{way.between.join(written)}{way.end}"


def write_facts(facts: Facts, way: FactPieces) -> str:
    if not facts.pairs:
        return ""
    between = way.between
    written = [f"{escape_text(name)}{between}{escape_text(value)}" for name, value in facts.pairs]
    return f"{way.start}{way.next_pair.join(written)}{way.end}"


def write_grid(grid: Grid, way: GridPieces, inlines: Inlines) -> str:
    head = ""
    if grid.head:
        cells = way.between_heads.join(map(escape_text, grid.head))
        head = f"{way.head}{cells}{way.after_head}"
    rows = [way.between.join([inlines.inline(cell) for cell in row]) for row in grid.rows]
    return f"{way.start}{head}{way.first}{way.next_row.join(rows)}{way.end}"
