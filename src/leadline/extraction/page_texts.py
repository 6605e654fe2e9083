"""The texts of a page with their addresses: where each stands in the template of its site.

An address is a digest that is the same on all pages of a site for texts in the same place. Three
kinds are made, because none is right everywhere: behind a text of the template (`after`), by the
path of tags and classes (`path`), by the exact position in the tree (`spot`).
"""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

import xxhash

from leadline.page.outline import TEXT, Outline

_digits = re.compile(r"\d+").sub
_has_word = re.compile(r"\w").search
_COUNTED = frozenset({"td", "th"})
"""Tags whose place among their siblings says what they hold."""
_SHUT = frozenset({"option", "select", "button", "textarea"})
_TAIL = 2
"""Steps of the path below which texts behind one label are alike."""
MAX_TEXTS = 4_000
MAX_CHARS = 2_000


class PageText(NamedTuple):
    """One text of a page."""

    row: int
    text: str
    path: int
    """Digest of the tags and classes above it."""
    spot: int
    """Digest of the tags above it with their places among their siblings."""
    tail: int
    """Digest of the last steps of the path."""
    mark: int
    """Digest of path and text: what a template repeats."""
    is_control: bool = False


def digest(*parts: object) -> int:
    return xxhash.xxh3_64_intdigest("\x1f".join(map(str, parts)).encode("utf-8", "replace")) >> 1


def read_texts(outline: Outline) -> list[PageText]:
    """All texts with a letter or digit, in document order."""
    count = len(outline)
    paths, spots, steps = [0] * count, [0] * count, [""] * count
    shut = [False] * count
    numbers: list[dict[str, int]] = [{} for _ in range(count)]
    found: list[PageText] = []
    for row, tag in enumerate(outline.tags):
        above = outline.parents[row]
        if tag == TEXT:
            text = outline.texts[row]
            if len(found) < MAX_TEXTS and _has_word(text):
                found.append(_make_text(outline, row, text[:MAX_CHARS], paths, spots, steps, shut))
            continue
        number = 0
        if above >= 0:
            number = numbers[above].get(tag, 0)
            numbers[above][tag] = number + 1
            shut[row] = shut[above]
        shut[row] = shut[row] or tag in _SHUT
        steps[row] = _step(outline, row, tag, number)
        paths[row] = digest(paths[above] if above >= 0 else "", steps[row])
        spots[row] = digest(spots[above] if above >= 0 else "", tag, number)
    return found


def _step(outline: Outline, row: int, tag: str, number: int) -> str:
    attributes = outline.attributes[row]
    name = attributes.get("itemprop") or attributes.get("id") or ""
    classes = attributes.get("class", "").split()
    # Classes that mark one row of two, the first and the last are no part of the place.
    kept = [c for c in classes if c.lower() not in _PASSING][:2]
    place = number if tag in _COUNTED else ""
    return _digits("0", f"{tag}{place and ':'}{place}.{'.'.join(kept)}#{name}")


_PASSING = frozenset("odd even first last active selected current alt clearfix row0 row1".split())


def _make_text(
    outline: Outline,
    row: int,
    text: str,
    paths: Sequence[int],
    spots: Sequence[int],
    steps: Sequence[str],
    shut: Sequence[bool],
) -> PageText:
    above = outline.parents[row]
    before = sum(outline.tags[other] == TEXT for other in _siblings_before(outline, row, above))
    grand = outline.parents[above]
    tail = digest(steps[above], steps[grand] if grand >= 0 else "")
    path = paths[above]
    return PageText(
        *(row, text, path, digest(spots[above], before), tail),
        digest(path, text.casefold()),
        shut[above],
    )


def _siblings_before(outline: Outline, row: int, above: int) -> list[int]:
    """Some rows before it under the same element; few texts stand beside one another."""
    found: list[int] = []
    child = above + 1
    while child < row and len(found) < 50:
        found.append(child)
        child = outline.ends[child]
    return found


class Address(NamedTuple):
    """Where one text stands, in three ways."""

    after: int
    path: int
    spot: int
    anchor: int
    """The number of the text of the template before it; -1 at the top of the page."""
    number: int
    """How many texts of the same tail stand between the anchor and it."""


def find_addresses(texts: Sequence[PageText], frame: Collection[int]) -> list[Address | None]:
    """For each text that is no part of the frame; None for those that are."""
    found: list[Address | None] = []
    anchor, anchor_mark = -1, 0
    repeats: dict[int, int] = defaultdict(int)
    since: dict[int, int] = {}
    along: dict[int, int] = defaultdict(int)
    for number, text in enumerate(texts):
        if text.mark in frame:
            anchor, anchor_mark = number, digest(text.mark, repeats[text.mark])
            repeats[text.mark] += 1
            since = {}
            found.append(None)
            continue
        if text.is_control:
            found.append(None)
            continue
        place = since.get(text.tail, 0)
        since[text.tail] = place + 1
        after = digest("after", anchor_mark, text.tail)
        path = digest("path", text.path, along[text.path])
        along[text.path] += 1
        found.append(Address(after, path, digest("spot", text.spot), anchor, place))
    return found
