"""What an item shows: cells by place, title, links, images."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from msgspec import Struct

from leadline.core.harvest import Cell
from leadline.core.url import Url
from leadline.harvester.answers.parts import HEAD, Part, named
from leadline.harvester.answers.sight import BREAKS, CONTROLS, INLINE, Sight
from leadline.harvester.answers.splitting import Item
from leadline.page.outline import TEXT, Outline

_MOST_CELLS = 60
_MOST_CHARS = 2_000
_MOST_IMAGES = 20
_MOST_LABEL_CHARS = 40
_MOST_SPAN = 40
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MARKING = frozenset({"b", "strong", "em", "i", "mark", "span", "font", "u"})
_SIGNS = " :=\uff1a"
"""What stands between the name of a value and the value."""
_signs = re.compile(r"\s?[:=\uff1a](?=\s|$)").finditer
_has_sign = re.compile(r"[:=\uff1a]").search
_ends_a_name = re.compile(r"[:=\uff1a|;,.!?()]").finditer


class Run(Struct, frozen=True):
    """Text that reads on: no break, no other cell between its pieces."""

    path: str
    pieces: tuple[str, ...]
    column: int = -1
    """Of a cell in a row of a table, else -1."""
    is_marked: bool = False
    """Something in it is set off from the rest, as query words are."""
    text: str = ""
    """Its pieces as one."""


def runs_of(sight: Sight, item: Item) -> list[Run]:
    found: list[Run] = []
    for part in item.parts:
        _Reading(sight, part, found).read()
    return found[:_MOST_CELLS]


class _Reading:
    """Collects the runs of one part."""

    def __init__(self, sight: Sight, part: Part, found: list[Run]) -> None:
        self._sight = sight
        self._outline = sight.outline
        self._part = part
        self._found = found
        self._top = sight.outline.parents[part.first]
        self._pieces: list[str] = []
        self._first = -1
        self._home = -1
        self._marked = False

    def read(self) -> None:
        outline, row = self._outline, self._part.first
        while row < self._part.end:
            tag = outline.tags[row]
            if tag == TEXT:
                self._add(row)
            elif tag in CONTROLS:
                row = outline.ends[row]
                continue
            elif tag in BREAKS or tag not in INLINE:
                self._close()
            row += 1
        self._close()

    def _add(self, row: int) -> None:
        home = self._home_of(row)
        if home != self._home:
            self._close()
            self._home, self._first = home, row
        elif self._outline.tags[self._outline.parents[row]] in _MARKING:
            self._marked = True
        self._pieces.append(self._outline.texts[row])

    def _home_of(self, row: int) -> int:
        """The element whose line the text belongs to: the nearest one that is no mere mark
        inside other text."""
        outline, has_text = self._outline, self._sight.has_text
        home = outline.parents[row]
        while outline.tags[home] in INLINE and home > self._top:
            above = outline.parents[home]
            if not has_text[above]:
                break
            home = above
        return home

    def _close(self) -> None:
        if self._pieces and len(self._found) < _MOST_CELLS:
            path, column = path_of(self._sight, self._outline.parents[self._first], self._top)
            text = " ".join(self._pieces)
            run = Run(path, tuple(self._pieces), column, self._marked, text)
            self._found.append(run)
        self._pieces, self._home, self._marked = [], -1, False


def path_of(sight: Sight, row: int, top: int) -> tuple[str, int]:
    """The tags, with their first class, from below `top` down to the row; and the column of a
    table row that it stands in, or -1."""
    outline = sight.outline
    steps: list[str] = []
    column = -1
    while row > top:
        tag = outline.tags[row]
        if tag in ("td", "th") and outline.parents[outline.parents[row]] == top:
            column = _column(sight, row)
            tag = f"{tag}{column}"
        steps.append(named(outline, row).replace(outline.tags[row], tag, 1))
        row = outline.parents[row]
    return "/".join(reversed(steps)) or TEXT[1:], column


def _column(sight: Sight, cell: int) -> int:
    """Counted from 0, with the columns that cells before it span."""
    outline = sight.outline
    column = 0
    for other in sight.children[outline.parents[cell]]:
        if other == cell:
            break
        if outline.tags[other] in ("td", "th"):
            column += _span(outline, other)
    return column


def _span(outline: Outline, cell: int) -> int:
    said = outline.attributes[cell].get("colspan", "1")
    return min(int(said), _MOST_SPAN) if said.isascii() and said.isdigit() else 1


def headings_of(sight: Sight, parts: Sequence[Part], items: Sequence[Item]) -> dict[int, str]:
    """The names of a table's columns: its row of headings, or the row before the first item."""
    rows = [part for part in parts if part.label == HEAD]
    rows = rows or [part for part in parts if part.end <= items[0].first and part.label[:2] == "tr"]
    if not rows:
        rows = _head_rows(sight, items[0].first)
    return _named_columns(sight, rows[0].first) if rows else {}


def _head_rows(sight: Sight, row: int) -> list[Part]:
    """Rows of headings in another section of the table."""
    outline = sight.outline
    table = outline.parents[outline.parents[row]] if row else 0
    if outline.tags[row] != "tr" or outline.tags[table] != "table":
        return []
    heads = [h for c in sight.children[table] if outline.tags[c] == "thead" for h in [c]]
    return [Part(r, outline.ends[r], HEAD) for h in heads[:1] for r in sight.children[h][:1]]


def _named_columns(sight: Sight, row: int) -> dict[int, str]:
    outline = sight.outline
    names: dict[int, str] = {}
    column = 0
    for cell in sight.children[row]:
        text = outline.text(cell)[:_MOST_LABEL_CHARS].strip(" :↑↓▲▼")
        if text:
            names[column] = text
        column += _span(outline, cell)
    return names if len(names) > 1 else {}


class Labels:
    """Tells the names of values from the values: `Author: Smith`."""

    def __init__(self, rows: Sequence[Sequence[Run]], known: Mapping[str, int]) -> None:
        counts = Counter(label for runs in rows for label in {n for r in runs for n in _named(r)})
        least = max(2, 0.3 * len(rows))
        common = {label for label, n in counts.items() if n >= least}
        self.names = frozenset({*known, *common})

    def cells(self, run: Run, headings: Mapping[int, str]) -> list[Cell]:
        """The run as one cell, or as one for each name in it."""
        place = headings.get(run.column) or run.path
        if len(run.pieces) > 1 and run.pieces[0].rstrip(_SIGNS) in self.names:
            rest = " ".join(run.pieces[1:]).lstrip(_SIGNS)
            return self._parted(run.pieces[0].rstrip(_SIGNS), rest)
        return self._parted(place, run.text)

    def _parted(self, place: str, text: str) -> list[Cell]:
        if not _has_sign(text):
            return [Cell(place, text[:_MOST_CHARS])] if text else []
        cells = []
        start = 0
        for sign in _signs(text):
            name = self._ending(_before(text, sign.start()))
            if not name:
                continue
            before = text[start : sign.start() - len(name)].strip()
            if before:
                cells.append(Cell(place, before[:_MOST_CHARS]))
            place, start = name, sign.end()
        rest = text[start:].strip()
        if rest:
            cells.append(Cell(place, rest[:_MOST_CHARS]))
        return cells

    def _ending(self, text: str) -> str:
        """The longest known name that the text ends with; '' for none."""
        words = text.split(" ")
        ends = (" ".join(words[n:]) for n in range(len(words)))
        return next((end for end in ends if end in self.names), "")


def _named(run: Run) -> set[str]:
    """What may be the name of a value in a run."""
    names = {run.pieces[0].rstrip(_SIGNS)} if len(run.pieces) > 1 else set()
    for sign in _signs(run.text) if _has_sign(run.text) else ():
        words = _before(run.text, sign.start()).split(" ")
        names |= {" ".join(words[n:]) for n in range(max(0, len(words) - 3), len(words))}
    return {name for name in names if name[:1].isalpha() and len(name) <= _MOST_LABEL_CHARS}


def _before(text: str, end: int) -> str:
    """What may name the value after a sign: the words before it, back to another sign."""
    words = text[max(0, end - _MOST_LABEL_CHARS) : end]
    start = max((sign.end() for sign in _ends_a_name(words)), default=0)
    return words[start:].lstrip()


def title_of(
    sight: Sight, item: Item, link_text: str, cells: Sequence[Cell], common: Set[str]
) -> str:
    """Of the link, else of a heading, else the first text that is not `common` to all items."""
    if link_text:
        return link_text[:_MOST_CHARS]
    outline = sight.outline
    for row in range(item.first, item.end):
        if outline.tags[row] in _HEADINGS:
            text = outline.text(row)
            if text:
                return text[:_MOST_CHARS]
    own = (cell.text for cell in cells if cell.text not in common)
    return next(own, cells[0].text if cells else "")


def images_of(sight: Sight, item: Item) -> tuple[Url, ...]:
    outline = sight.outline
    sources = (
        outline.join(outline.attributes[row].get("src", "").strip())
        for row in range(item.first, item.end)
        if outline.tags[row] == "img"
    )
    return tuple(dict.fromkeys(filter(None, sources)))[:_MOST_IMAGES]
