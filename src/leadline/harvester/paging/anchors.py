"""The links of a page as one sees them who wants to turn it."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from leadline.core.url import Url
from leadline.forms.hazards import spoken
from leadline.harvester.paging.label import (
    LAST,
    MAX_CHARS,
    NEXT,
    NOTHING,
    OTHER,
    PREVIOUS,
    Label,
    label_of,
)
from leadline.harvester.paging.words import PAGER
from leadline.page.outline import TEXT, Outline

_BUTTONS = frozenset({"button", "input"})
_goes_to = re.compile(
    r"(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\()\s*['\"]([^'\"\s]{1,2000})['\"]"
).search
_is_scripted = re.compile(r"\s*(?:javascript:|#|$)", re.IGNORECASE).match
_OFF = frozenset({"disabled", "inactive", "disable", "unavailable"})
_CURRENT = frozenset({"current", "active", "selected", "actual", "curr", "here", "aktiv", "cur"})
_NEXT = frozenset({"next", "nxt", "nextpage", "pagenext", "forward", "weiter", "suivant"})
_PREVIOUS = frozenset({"prev", "previous", "prevpage", "back"})
_LAST = frozenset({"last", "end", "lastpage", "first"})
_ARROWS = frozenset({"arrow", "chevron", "angle", "caret", "triangle", "icon", "pager", "page"})
_MAX_AROUND = 3
"""Elements around a link whose class may speak for it: item, list, box."""
_MAX_PAGER_ROWS = 300
"""What is larger holds more than links to pages."""


class Anchor(Struct, frozen=True):
    """A link, or a button that a script leads somewhere."""

    row: int
    url: Url | None
    """None for one that leads nowhere."""
    label: Label
    is_rel_next: bool = False
    is_off: bool = False
    """Shown as not to be used."""
    is_current: bool = False
    """Marked as the page one is on."""
    hint: str = ""
    """`next`, `previous` or `last`, where only class, image or title say so."""
    is_in_pager: bool = False
    """It stands in what is called a pager."""


def anchors_of(outline: Outline) -> list[Anchor]:
    """All of a page, in its order."""
    return [_anchor(outline, row, href) for row, href in _linking(outline)]


def _linking(outline: Outline) -> Iterator[tuple[int, str | None]]:
    """Rows that lead somewhere; None for anchors that do not."""
    for row, tag in enumerate(outline.tags):
        if tag == "a":
            yield row, _address(outline.attributes[row])
        elif tag in _BUTTONS and "onclick" in outline.attributes[row]:
            found = _goes_to(outline.attributes[row]["onclick"][:2_100])
            if found:
                yield row, found[1]


def _address(attributes: dict[str, str]) -> str | None:
    href = attributes.get("href")
    if href is not None and not _is_scripted(href):
        return href
    # Scripts read where to go from the element itself, or have it written out.
    given = attributes.get("data-href") or attributes.get("data-url")
    found = None if given else _goes_to(attributes.get("onclick", "")[:2_100])
    return given or (found[1] if found else None)


def _anchor(outline: Outline, row: int, href: str | None) -> Anchor:
    attributes = outline.attributes[row]
    label, hint = _said(outline, row)
    url = outline.join(href.strip()) if href else None
    is_rel_next = "next" in attributes.get("rel", "").lower().split()
    if not (_tells(label) or hint or is_rel_next):
        return Anchor(row, url, label)
    around = list(_around(outline, row))
    marks = {word for one in (row, *around) for word in _class_words(outline, one)}
    return Anchor(
        row,
        url,
        label,
        is_rel_next=is_rel_next,
        is_off=_is_off(outline, row, marks),
        is_current="aria-current" in attributes or bool(marks & _CURRENT),
        hint=hint,
        is_in_pager=_is_in_pager(outline, row),
    )


def _is_off(outline: Outline, row: int, marks: set[str]) -> bool:
    attributes = outline.attributes[row]
    is_disabled = "disabled" in attributes or attributes.get("aria-disabled", "") == "true"
    return is_disabled or "hidden" in attributes or bool(marks & _OFF)


def _said(outline: Outline, row: int) -> tuple[Label, str]:
    """What the link says, and the hint of what is not said in words."""
    attributes = outline.attributes[row]
    label = label_of(_visible(outline, row))
    if label.kind in (NOTHING, OTHER) and not label.has_words:
        label = next(filter(_tells, _unseen_labels(outline, row)), label)
    if label.kind != OTHER and label.kind != NOTHING:
        return label, _title_hint(label, attributes)
    return label, _hint(outline, row)


def _visible(outline: Outline, row: int) -> str:
    texts: list[str] = []
    for text in outline.texts[row : outline.ends[row]]:
        if text:
            texts.append(text)
        if sum(map(len, texts)) > MAX_CHARS:
            break
    return " ".join(texts) or outline.attributes[row].get("value", "")


def _tells(label: Label) -> bool:
    return label.kind not in (NOTHING, OTHER)


def _unseen_labels(outline: Outline, row: int) -> Iterator[Label]:
    """Names for those who do not see, titles, and what stands for images."""
    for one in range(row, outline.ends[row]):
        attributes = outline.attributes[one]
        for name in ("aria-label", "title", "alt"):
            if attributes.get(name):
                yield label_of(attributes[name])


def _title_hint(label: Label, attributes: dict[str, str]) -> str:
    """A title may say that an arrow leads to the end."""
    if label.has_words:
        return ""
    named = (label_of(attributes[n]).kind for n in ("aria-label", "title") if n in attributes)
    return next((kind for kind in named if kind in (NEXT, PREVIOUS, LAST)), "")


def _hint(outline: Outline, row: int) -> str:
    """What class names and image files say."""
    said = [word for one in (row, *_around(outline, row)) for word in _class_words(outline, one)]
    for one in range(row + 1, min(outline.ends[row], row + 10)):
        said += _class_words(outline, one)
        said += _image_words(outline.attributes[one].get("src", ""))
    found = set(said)
    if found & _PREVIOUS or (found & _ARROWS and "left" in found):
        return PREVIOUS
    is_right = bool(found & _ARROWS) and "right" in found
    # What is older comes next in a list that begins with the newest: its arrow tells.
    if "older" in found:
        return NEXT if is_right else PREVIOUS
    if found & _NEXT:
        # The last item of a list is often called so, whatever it holds.
        return NEXT
    if found & _LAST:
        return LAST
    return NEXT if is_right else ""


def _image_words(source: str) -> list[str]:
    name = source.partition("?")[0].rpartition("/")[2][-60:]
    return spoken(name.rpartition(".")[0]).split()


def _class_words(outline: Outline, row: int) -> list[str]:
    attributes = outline.attributes[row]
    return _words_of(f"{attributes.get('class', '')} {attributes.get('id', '')}"[:200])


@lru_cache(maxsize=20_000)
def _words_of(name: str) -> list[str]:
    return spoken(name).split()


def _around(outline: Outline, row: int) -> Iterator[int]:
    """The elements that hold this link and nothing else."""
    above = outline.parents[row]
    for _ in range(_MAX_AROUND):
        if above <= 0 or not _holds_only(outline, above, row):
            return
        yield above
        row, above = above, outline.parents[above]


def _holds_only(outline: Outline, above: int, row: int) -> bool:
    others = (child for child in outline.children(above) if child != row)
    return not any(outline.tags[child] != TEXT or len(outline.texts[child]) > 2 for child in others)


def _is_in_pager(outline: Outline, row: int) -> bool:
    above = outline.parents[row]
    while above > 0 and outline.ends[above] - above <= _MAX_PAGER_ROWS:
        if any(word in PAGER or word.startswith("pagin") for word in _class_words(outline, above)):
            return True
        above = outline.parents[above]
    return False


def neighbours(anchors: Sequence[Anchor], outline: Outline, row: int) -> list[Anchor]:
    """The links that stand around one, in the smallest part of the page that holds others."""
    above = outline.parents[row]
    for _ in range(_MAX_AROUND + 1):
        if above <= 0 or outline.ends[above] - above > _MAX_PAGER_ROWS:
            return []
        found = [a for a in between(anchors, above, outline.ends[above]) if a.row != row]
        if found:
            return found
        above = outline.parents[above]
    return []


def between(anchors: Sequence[Anchor], low: int, high: int) -> Sequence[Anchor]:
    """Those in rows from `low` to before `high`."""
    return anchors[bisect_left(anchors, low, key=_row) : bisect_left(anchors, high, key=_row)]


def _row(anchor: Anchor) -> int:
    return anchor.row
