"""The parts of a container as a browser lays them out: blocks, and lines between them."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from leadline.harvester.answers.sight import BREAKS, INLINE, Sight
from leadline.page.outline import LINE, TEXT, Outline

GAP = ""
"""The label of a part that only parts others: an empty line, a rule, an empty row."""
HEAD = "tr!"
"""The label of a table row that holds headings only."""
_MANY_HEADS = 3
_MOST_CLASS_CHARS = 200
_CELLS = frozenset({"td", "th"})
_INVISIBLE = frozenset({"input", "link", "meta", "col", "colgroup"})
_parity = re.compile(r"(?:^|[-_])(?:odd|even|alt|first|last|left|right)$|\d+", re.IGNORECASE)


class Part(NamedTuple):
    """The rows from `first` up to `end`."""

    first: int
    end: int
    label: str
    """Equal for parts that look alike from outside."""


def parts_in(sight: Sight, row: int) -> list[Part]:
    """In document order; every visible child is in one of them."""
    children = sight.children[row]
    tags = sight.outline.tags
    has_breaks = any(tags[child] in BREAKS for child in children)
    if not has_breaks and all(_is_inline(sight, child) for child in children):
        return _elements(sight, children)
    parts: list[Part] = []
    line: list[int] = []
    indent = False
    for child in children:
        if _is_inline(sight, child):
            line.append(child)
            continue
        is_break = tags[child] in BREAKS
        _close(sight, parts, line, indent=indent, is_break=is_break)
        line = []
        indent = tags[child] == LINE and bool(sight.outline.attributes[child])
        if not is_break:
            parts.append(_block(sight, child))
    _close(sight, parts, line, indent=indent, is_break=False)
    return _rows_of_headings(parts)


def _rows_of_headings(parts: list[Part]) -> list[Part]:
    """In a table whose rows are mostly made of heading cells these are no headings."""
    heads = sum(part.label == HEAD for part in parts)
    if heads < _MANY_HEADS or 2 * heads < len(parts):
        return parts
    return [part._replace(label="tr") if part.label == HEAD else part for part in parts]


def _is_inline(sight: Sight, row: int) -> bool:
    return sight.outline.tags[row] in INLINE and not sight.holds_block[row]


def _elements(sight: Sight, children: Sequence[int]) -> list[Part]:
    """Of a single line: each element with the text that follows it."""
    outline = sight.outline
    parts: list[Part] = []
    for child in children:
        tag, end = outline.tags[child], outline.ends[child]
        if tag == TEXT and parts:
            parts[-1] = parts[-1]._replace(end=end)
        elif tag not in _INVISIBLE:
            parts.append(Part(child, end, named(outline, child)))
    return parts


def _close(
    sight: Sight, parts: list[Part], line: list[int], *, indent: bool, is_break: bool
) -> None:
    """End a line. One without anything is a gap if a break ends it."""
    outline = sight.outline
    seen = [row for row in line if outline.tags[row] not in _INVISIBLE]
    if seen:
        tags = [outline.tags[row] for row in seen[:2]]
        opening = "a" if "a" in tags or outline.within(seen[0], "a") else tags[0]
        label = f"~{'+' if indent else ''}{opening}"
        parts.append(Part(seen[0], outline.ends[seen[-1]], label))
    elif is_break and parts and parts[-1].label.startswith("~"):
        end = parts[-1].end
        parts.append(Part(end, end, GAP))


def _block(sight: Sight, row: int) -> Part:
    outline = sight.outline
    tag, end = outline.tags[row], outline.ends[row]
    if tag == "hr":
        return Part(row, end, GAP)
    if tag == "tr":
        return Part(row, end, _row_label(sight, row))
    return Part(row, end, named(outline, row))


def _row_label(sight: Sight, row: int) -> str:
    """Rows with a cell over several columns are of another kind: titles, notes."""
    outline = sight.outline
    cells = [c for c in sight.children[row] if outline.tags[c] in _CELLS]
    if not any(outline.texts[row : outline.ends[row]]) and not outline.within(row, "img"):
        return GAP
    if cells and all(outline.tags[cell] == "th" for cell in cells):
        return HEAD
    is_wide = any(outline.attributes[c].get("colspan", "1") != "1" for c in cells)
    return "tr+" if is_wide else "tr"


def named(outline: Outline, row: int) -> str:
    """Tag and class, without what tells odd rows from even ones."""
    tag, classes = outline.tags[row], outline.attributes[row].get("class", "")
    return _named(tag, classes[:_MOST_CLASS_CHARS]) if classes else tag


@lru_cache(maxsize=4_096)
def _named(tag: str, classes: str) -> str:
    plain = (_parity.sub("", name) for name in classes.split()[:3])
    return next((f"{tag}.{name}" for name in plain if name), tag)


def place_of(outline: Outline, row: int) -> str:
    """Where a container stands, the same on all pages of a source: tags down from the body, and
    the names of the container and what holds it."""
    parent = outline.parents[row]
    names = [named(outline, above).partition(".")[2] for above in (parent, row) if above > 0]
    identity = _parity.sub("", outline.attributes[row].get("id", ""))
    return f"{outline.path(row)} {'>'.join(names)} {identity}".strip()
