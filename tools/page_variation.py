"""Real pages as other makers would have written them, to train the scorer of result blocks.

What a page shows stays; how it is marked up is drawn anew: classes are renamed or left out, tags
that mean the same are swapped, items get a box more or less around them, items and pieces beside
the list are left out, and pieces of pages of other sites are put between the items and around them.
`tools.block_training` measures some variants of each page, so that trees learn what lists of
results have in common rather than how a few services write theirs.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from leadline.page.outline import Outline

_MIN_PIECE_ROWS, _MAX_PIECE_ROWS = 12, 250
_MAX_PIECES = 400
_SWAPS: tuple[tuple[dict[str, str], float], ...] = (
    ({"li": "div", "ul": "div", "ol": "div"}, 0.2),
    ({"article": "div", "section": "div", "main": "div"}, 0.35),
    ({"div": "section"}, 0.1),
    ({f"h{n}": "div" for n in range(1, 7)}, 0.25),
    ({f"h{n}": "h3" for n in range(1, 7)}, 0.15),
    ({"em": "span", "b": "span", "strong": "span", "mark": "span", "font": "span"}, 0.25),
    ({"nav": "div", "aside": "div", "header": "div", "footer": "div"}, 0.4),
    ({"p": "div"}, 0.2),
    ({"table": "div", "tbody": "div", "tr": "div", "td": "div", "th": "div"}, 0.15),
    ({"dl": "div", "dt": "div", "dd": "div"}, 0.2),
    ({"ul": "table", "ol": "table", "li": "tr"}, 0.08),
    ({"ul": "dl", "ol": "dl", "li": "dd"}, 0.05),
    ({"table": "ul", "tbody": "ul", "tr": "li", "td": "span", "th": "span"}, 0.08),
    ({"article": "li", "section": "li"}, 0.08),
)
"""Tags that are written for one another, and how often."""


class Piece(NamedTuple):
    """Some element of a page with all that is in it; parents count from its first row."""

    tags: list[str]
    texts: list[str]
    attributes: list[dict[str, str]]
    parents: list[int]


class Variant(NamedTuple):
    outline: Outline
    left_out: frozenset[int]
    """Numbers of the items that are not on it."""


def cut_pieces(outlines: Sequence[Outline], rng: random.Random) -> list[Piece]:
    """Menus, boxes, lists and texts of pages, with absolute addresses."""
    pieces = []
    for outline in outlines:
        rows = [
            row
            for row in range(1, len(outline))
            if _MIN_PIECE_ROWS <= outline.ends[row] - row <= _MAX_PIECE_ROWS
        ]
        for row in rng.sample(rows, min(len(rows), 5)):
            end = outline.ends[row]
            attributes = [dict(given) for given in outline.attributes[row:end]]
            for given in attributes:
                if "href" in given:
                    given["href"] = outline.join(given["href"].strip()) or "#"
            parents = [parent - row for parent in outline.parents[row:end]]
            pieces.append(Piece(outline.tags[row:end], outline.texts[row:end], attributes, parents))
    return rng.sample(pieces, min(len(pieces), _MAX_PIECES))


def vary_page(
    outline: Outline, items: Sequence[tuple[int, int]], pieces: Sequence[Piece], rng: random.Random
) -> Variant:
    """One variant. `items`: rows of the beginning and end of each item of its main list."""
    left_out = _choose_items(items, rng)
    dropped = {items[number] for number in left_out} | set(_choose_others(outline, items, rng))
    inserted = dict(_place_pieces(outline, items, pieces, rng))
    swaps = {
        old: new for swap, share in _SWAPS if rng.random() < share for old, new in swap.items()
    }
    naming = rng.choice(("kept", "kept", "renamed", "renamed", "none"))
    salt = f"{rng.getrandbits(24):x}"
    has_images = rng.random() < 0.8
    around = rng.choice((*[""] * 7, "div", "div", "open"))
    firsts = {first for first, end in items if end == outline.ends[first]}

    made = Outline(outline.url, outline.join)
    made.relations = outline.relations
    places: dict[int, int] = {}
    starts = dict(sorted(dropped))
    row = 0
    while row < len(outline):
        if row in inserted:
            parent = places.get(outline.parents[row], 0)
            _add_piece(made, inserted[row], parent)
        if row in starts and row > 0:
            row = max(starts[row], row + 1)
            continue
        tag = outline.tags[row]
        if tag == "img" and not has_images:
            row += 1
            continue
        parent = places.get(outline.parents[row], 0) if row else -1
        if around == "div" and row in firsts:
            parent = _add_box(made, parent)
        if around == "open" and row in firsts and tag not in ("a", "tr"):
            # Without the element around it: its parts stand in the list themselves.
            places[row] = parent
            row += 1
            continue
        places[row] = len(made.tags)
        made.tags.append(swaps.get(tag, tag))
        made.parents.append(parent)
        made.texts.append(outline.texts[row])
        made.attributes.append(_rename(outline.attributes[row], naming, salt))
        row += 1
    _find_ends(made)
    return Variant(made, frozenset(left_out))


def _add_box(made: Outline, parent: int) -> int:
    made.tags.append("div")
    made.parents.append(parent)
    made.texts.append("")
    made.attributes.append({})
    return len(made.tags) - 1


def _choose_items(items: Sequence[tuple[int, int]], rng: random.Random) -> list[int]:
    if len(items) < 4 or rng.random() < 0.5:
        return []
    kept = rng.randrange(2, len(items))
    return rng.sample(range(len(items)), len(items) - kept)


def _choose_others(
    outline: Outline, items: Sequence[tuple[int, int]], rng: random.Random
) -> Iterator[tuple[int, int]]:
    """Pieces beside the list that are left out."""
    if rng.random() < 0.4:
        return
    inside: set[int] = set()
    for first, end in items:
        inside.update(range(first, end))
        above = outline.parents[first]
        while above > 0:
            inside.add(above)
            above = outline.parents[above]
    row = 1
    while row < len(outline):
        end = outline.ends[row]
        is_free = row not in inside and inside.isdisjoint(range(row, min(end, row + 400)))
        if is_free and 5 <= end - row <= 400 and rng.random() < 0.25:
            yield row, end
            row = end
        else:
            row += 1


def _place_pieces(
    outline: Outline, items: Sequence[tuple[int, int]], pieces: Sequence[Piece], rng: random.Random
) -> Iterator[tuple[int, Piece]]:
    """Pieces of other sites by the row that they are put before."""
    if pieces and items and rng.random() < 0.3:
        for first, _ in rng.sample(list(items), min(len(items), rng.randrange(1, 4))):
            yield first, rng.choice(pieces)
    if pieces and rng.random() < 0.5:
        covered: set[int] = set()
        for first, end in items:
            covered.update(range(first, end))
        free = [row for row in range(1, len(outline)) if row not in covered]
        for row in rng.sample(free, min(len(free), rng.randrange(1, 5))):
            if outline.tags[row] not in ("tr", "td", "option", "#text"):
                yield row, rng.choice(pieces)


def _add_piece(made: Outline, piece: Piece, parent: int) -> None:
    start = len(made.tags)
    made.tags.extend(piece.tags)
    made.texts.extend(piece.texts)
    made.attributes.extend(piece.attributes)
    made.parents.extend(start + above if n else parent for n, above in enumerate(piece.parents))


def _rename(attributes: dict[str, str], naming: str, salt: str) -> dict[str, str]:
    if naming == "kept" or not ("class" in attributes or "id" in attributes):
        return attributes
    renamed = dict(attributes)
    for name in ("class", "id"):
        given = renamed.pop(name, "")
        if given and naming == "renamed":
            # The same name on the whole page, without a word in it.
            renamed[name] = " ".join(f"c{hash_name(word, salt)}" for word in given.split())
    return renamed


def hash_name(word: str, salt: str) -> str:
    """Letters for a name; digits would be taken for what tells odd rows from even ones."""
    number = sum(ord(letter) * 131**place for place, letter in enumerate(word + salt)) % 26**5
    letters = ""
    for _ in range(5):
        number, rest = divmod(number, 26)
        letters += chr(ord("a") + rest)
    return letters


def _find_ends(outline: Outline) -> None:
    outline.ends[:] = [row + 1 for row in range(len(outline.tags))]
    for row in range(len(outline.tags) - 1, 0, -1):
        above = outline.parents[row]
        outline.ends[above] = max(outline.ends[above], outline.ends[row])
