"""The links of a page and what each says about other pages: next, previous, a number."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from leadline.core.text import fold
from leadline.core.url import Url
from leadline.forms.hazards import split_name
from leadline.harvester.paging import words
from leadline.harvester.paging.words import pieces_of
from leadline.page.outline import TEXT, Outline

NEXT = "next"
PREVIOUS = "previous"
FIRST = "first"
LAST = "last"
NUMBER = "number"
"""The number of a page, or the range of results that it shows."""
MORE = "more"
OLDER = "older"
NEWER = "newer"
GAP = "gap"
"""Dots between numbers."""
NOTHING = "nothing"
"""No text at all."""
OTHER = "other"
_UNTOLD = (NOTHING, OTHER)

ONE_ARROW = "single"
TWO_ARROWS = "double"
"""The next page, or the last one if a single arrow stands beside it."""

_MAX_CHARS = 60
"""Longer texts are titles and sentences; `Go to the next page of results (21 to 40)` has 42."""
_MAX_PAGE = 100_000
"""Higher numbers are keys of records: no answer of that many pages is shown."""
_MAX_HREF_CHARS = 2_100
"""Of a script that is searched for an address: the longest address and the words before it."""
_MAX_CLASS_CHARS = 200
_MAX_AROUND = 3
"""Elements around a link whose class may speak for it: item, list, box."""
_MAX_BESIDE = 20
"""Short texts, brackets and bars, beside a link that is alone in its element."""
_MAX_PAGER_ROWS = 300
"""A larger element holds more than links to pages."""
_MAX_TEXT_ROWS = 100
"""Rows inside a link that are searched for what it says: larger ones hold a part of the page."""
_MAX_INSIDE = 10
"""Rows inside a link whose classes and images are read: an icon takes two or three."""

_ONWARD = "\u203a\u276f>→▶►⟩〉⇒⟶➔➜➡▸⏵☞"
_ONWARD_TWICE = "»≫⏩⇉⇶"
_BACKWARD = "\u2039\u276e<←◀◄⟨〈⇐⟵⬅◂⏴☜«≪⏪⇇"
_signs = re.compile(rf"[{_ONWARD}{_ONWARD_TWICE}{_BACKWARD}|⏭⏮⇥⇤]+").findall
_to_last = re.compile(rf"[{_ONWARD}{_ONWARD_TWICE}]\||⏭|⇥").search
_to_first = re.compile(rf"\|[{_BACKWARD}]|⏮|⇤").search
_is_dots = re.compile(r"[\s.·\[\]()]*\.\.[\s.·\[\]()]*").fullmatch
_range = re.compile(r"(\d+)\s*(?:-|\u2013|—|\.\.+|to|bis|a|al|až|до)\s*(\d+)").fullmatch
_goes_to = re.compile(
    r"(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\()\s*['\"]([^'\"\s]{1,2000})['\"]"
).search
_is_scripted = re.compile(r"\s*(?:javascript:|#|$)", re.IGNORECASE).match

_BUTTONS = frozenset({"button", "input"})
_DISABLED_CLASSES = frozenset({"disabled", "inactive", "disable", "unavailable"})
_CURRENT_CLASSES = frozenset(
    {"current", "active", "selected", "actual", "curr", "here", "aktiv", "cur"}
)
_NEXT_CLASSES = frozenset({"next", "nxt", "nextpage", "pagenext", "forward", "weiter", "suivant"})
_PREVIOUS_CLASSES = frozenset({"prev", "previous", "prevpage", "back"})
_LAST_CLASSES = frozenset({"last", "end", "lastpage", "first"})
_ARROW_CLASSES = frozenset(
    {"arrow", "chevron", "angle", "caret", "triangle", "icon", "pager", "page"}
)


class PagerLabel(Struct, frozen=True):
    """What a text says about paging, and how."""

    kind: str
    number: int = 0
    """Of a page; of the first result, if a range is said."""
    end: int = 0
    """Of the last result in a range; 0 for a single number."""
    sign: str = ""
    """The arrow in it, whatever the words are."""
    has_words: bool = False
    is_of_pages: bool = False
    """It names pages or results: `next page`, not `next` alone."""

    @property
    def is_about_paging(self) -> bool:
        return self.kind not in _UNTOLD


@lru_cache(maxsize=20_000)
def read_label(text: str) -> PagerLabel:
    """What a text says; `OTHER` for anything that is not about paging.

    Cached, because the pages of one source say the same again and again.

    >>> read_label("Next page »").kind, read_label("Next month »").kind, read_label("[ 3 ]").number
    ('next', 'other', 3)
    """
    if len(text) > _MAX_CHARS:
        return PagerLabel(OTHER, has_words=True)
    folded = fold(text).strip()
    pieces = pieces_of(folded)
    sign, kind = _read_arrow(folded)
    if not pieces:
        kind = kind or (GAP if _is_dots(folded) else OTHER if folded else NOTHING)
        return PagerLabel(kind, sign=sign)
    said = [piece for piece in pieces if not piece.isdecimal()]
    if all(piece in words.PAGES for piece in said):
        return _read_numbers(folded, pieces, sign, has_words=bool(said))
    kind = _kind_of_words(said)
    if kind == OTHER and any(piece in words.NEXT for piece in said):
        # The next of something else, whatever arrow stands beside it.
        sign = ""
    is_of_pages = any(piece in words.PAGES for piece in said)
    return PagerLabel(kind, sign=sign, has_words=True, is_of_pages=is_of_pages)


def _kind_of_words(said: list[str]) -> str:
    for kind, own, beside in (
        (LAST, words.LAST, words.PAGES),
        (FIRST, words.FIRST, words.PAGES),
        (NEXT, words.NEXT, words.PAGES | words.OLDER),
        (PREVIOUS, words.PREVIOUS, words.PAGES | words.NEWER),
        (MORE, words.MORE, words.PAGES),
        (OLDER, words.OLDER, words.DATED),
        (NEWER, words.NEWER, words.DATED),
    ):
        if any(p in own for p in said) and all(p in own or p in beside for p in said):
            return kind
    return OTHER


def _read_arrow(folded: str) -> tuple[str, str]:
    """The arrow in a text, and the kind of a text that is nothing but that arrow."""
    signs = "".join(_signs(folded))
    arrows = signs.strip("|")
    if not arrows:
        return "", ""
    if _to_last(signs):
        return "", LAST
    if _to_first(signs):
        return "", FIRST
    if arrows[-1] in _BACKWARD:
        return "", PREVIOUS
    if arrows[0] in _BACKWARD:
        # Arrows to both sides: a slider, or decoration.
        return "", OTHER
    is_double = len(arrows) > 1 or arrows in _ONWARD_TWICE
    return (TWO_ARROWS if is_double else ONE_ARROW), NEXT


def _read_numbers(folded: str, pieces: list[str], sign: str, *, has_words: bool) -> PagerLabel:
    """Of a number or a range, alone or with words for pages: `[3]`, `results 11 to 20`."""
    numbers = [piece for piece in pieces if piece.isdecimal()]
    if has_words:
        is_single = len(numbers) == 1
        start = folded.find(numbers[0]) if numbers else len(folded)
        rest = folded[start:].strip(" []()")
    else:
        rest = folded.strip(" []()|·•:-\u2013—")
        is_single = len(pieces) == 1 and rest.rstrip(".") == pieces[0]
    if is_single:
        is_page = len(numbers[0]) <= 6 and 0 < int(numbers[0]) <= _MAX_PAGE
        number = int(numbers[0]) if is_page else 0
        return PagerLabel(NUMBER if is_page else OTHER, number, sign=sign, has_words=has_words)
    found = _range(rest)
    if not found:
        return PagerLabel(OTHER, sign=sign, has_words=has_words)
    low, high = found.groups()
    if len(low) > 9 or len(high) > 9 or not 0 < int(low) < int(high):
        return PagerLabel(OTHER, sign=sign)
    return PagerLabel(NUMBER, int(low), int(high), sign)


class PagerLink(Struct, frozen=True):
    """A link, or a button that a script leads somewhere."""

    row: int
    url: Url | None
    """None for one that leads nowhere."""
    label: PagerLabel
    is_rel_next: bool = False
    is_disabled: bool = False
    """Shown as not to be used."""
    is_current: bool = False
    """Marked as the page that it stands on."""
    hint: str = ""
    """`next`, `previous` or `last`, if only class, image or title say so."""
    is_in_pager: bool = False
    """It stands in an element that is called a pager."""


def find_links(outline: Outline) -> list[PagerLink]:
    """All of a page, in document order."""
    found = []
    for row, tag in enumerate(outline.tags):
        if tag == "a":
            found.append(_read_link(outline, row, _address(outline.attributes[row])))
        elif tag in _BUTTONS and "onclick" in outline.attributes[row]:
            target = _goes_to(outline.attributes[row]["onclick"][:_MAX_HREF_CHARS])
            if target:
                found.append(_read_link(outline, row, target[1]))
    return found


def _address(attributes: dict[str, str]) -> str | None:
    href = attributes.get("href")
    if href is not None and not _is_scripted(href):
        return href
    # Scripts read where to go from the element itself, or have it written out.
    given = attributes.get("data-href") or attributes.get("data-url")
    found = None if given else _goes_to(attributes.get("onclick", "")[:_MAX_HREF_CHARS])
    return given or (found[1] if found else None)


def _read_link(outline: Outline, row: int, href: str | None) -> PagerLink:
    attributes = outline.attributes[row]
    label, hint = _label_and_hint(outline, row)
    url = outline.join(href.strip()) if href else None
    is_rel_next = "next" in attributes.get("rel", "").lower().split()
    if not (label.is_about_paging or hint or is_rel_next):
        # Nine links in ten: what stands around them does not matter.
        return PagerLink(row, url, label)
    classes = {word for one in (row, *_around(outline, row)) for word in _class_words(outline, one)}
    is_disabled = "disabled" in attributes or attributes.get("aria-disabled", "") == "true"
    return PagerLink(
        row,
        url,
        label,
        is_rel_next=is_rel_next,
        is_disabled=is_disabled or "hidden" in attributes or bool(classes & _DISABLED_CLASSES),
        is_current="aria-current" in attributes or bool(classes & _CURRENT_CLASSES),
        hint=hint,
        is_in_pager=_is_in_pager(outline, row),
    )


def _label_and_hint(outline: Outline, row: int) -> tuple[PagerLabel, str]:
    """What the link says, and what only its title, classes and images hint at."""
    attributes = outline.attributes[row]
    label = read_label(_visible_text(outline, row))
    if not label.is_about_paging and not label.has_words:
        # Names for screen readers, titles, and texts that stand for images.
        unseen = (
            read_label(outline.attributes[one][name])
            for one in range(row, min(outline.ends[row], row + _MAX_TEXT_ROWS))
            for name in ("aria-label", "title", "alt")
            if outline.attributes[one].get(name)
        )
        label = next((other for other in unseen if other.is_about_paging), label)
    if not label.is_about_paging:
        return label, _hint(outline, row)
    if label.has_words:
        return label, ""
    # A title may say that an arrow leads to the end.
    titles = (read_label(attributes[n]).kind for n in ("aria-label", "title") if n in attributes)
    return label, next((kind for kind in titles if kind in (NEXT, PREVIOUS, LAST)), "")


def _visible_text(outline: Outline, row: int) -> str:
    texts: list[str] = []
    for text in outline.texts[row : min(outline.ends[row], row + _MAX_TEXT_ROWS)]:
        if text:
            texts.append(text)
        if sum(map(len, texts)) > _MAX_CHARS:
            break
    return " ".join(texts) or outline.attributes[row].get("value", "")


def _hint(outline: Outline, row: int) -> str:
    """What class names and image files say."""
    said = {word for one in (row, *_around(outline, row)) for word in _class_words(outline, one)}
    for one in range(row + 1, min(outline.ends[row], row + _MAX_INSIDE)):
        said.update(_class_words(outline, one))
        image = outline.attributes[one].get("src", "").partition("?")[0].rpartition("/")[2][-60:]
        said.update(split_name(image.rpartition(".")[0]).split())
    is_arrow = bool(said & _ARROW_CLASSES)
    if said & _PREVIOUS_CLASSES or (is_arrow and "left" in said):
        return PREVIOUS
    is_right = is_arrow and "right" in said
    # In a list that begins with the newest, `older` is next: its arrow tells.
    if "older" in said:
        return NEXT if is_right else PREVIOUS
    if said & _NEXT_CLASSES:
        # Before `last`: the last item of a list is often called so, whatever it holds.
        return NEXT
    if said & _LAST_CLASSES:
        return LAST
    return NEXT if is_right else ""


def _class_words(outline: Outline, row: int) -> list[str]:
    attributes = outline.attributes[row]
    return _words_of(f"{attributes.get('class', '')} {attributes.get('id', '')}"[:_MAX_CLASS_CHARS])


@lru_cache(maxsize=20_000)
def _words_of(name: str) -> list[str]:
    return split_name(name).split()


def _around(outline: Outline, row: int) -> Iterator[int]:
    """The elements that hold this link and nothing else."""
    above = outline.parents[row]
    for _ in range(_MAX_AROUND):
        if above <= 0:
            return
        children = list(islice(outline.children(above), _MAX_BESIDE + 1))
        others = (child for child in children if child != row)
        is_alone = not any(outline.tags[o] != TEXT or len(outline.texts[o]) > 2 for o in others)
        if not is_alone or len(children) > _MAX_BESIDE:
            return
        yield above
        row, above = above, outline.parents[above]


def _is_in_pager(outline: Outline, row: int) -> bool:
    above = outline.parents[row]
    while above > 0 and outline.ends[above] - above <= _MAX_PAGER_ROWS:
        classes = _class_words(outline, above)
        if any(word in words.PAGER_CLASSES or word.startswith("pagin") for word in classes):
            return True
        above = outline.parents[above]
    return False


def links_around(links: Sequence[PagerLink], outline: Outline, row: int) -> list[PagerLink]:
    """The links beside one, in the smallest part of the page that holds others."""
    above = outline.parents[row]
    for _ in range(_MAX_AROUND + 1):
        if above <= 0 or outline.ends[above] - above > _MAX_PAGER_ROWS:
            return []
        found = [a for a in links_between(links, above, outline.ends[above]) if a.row != row]
        if found:
            return found
        above = outline.parents[above]
    return []


def links_between(links: Sequence[PagerLink], low: int, high: int) -> Sequence[PagerLink]:
    """Those in rows from `low` to before `high`."""
    return links[bisect_left(links, low, key=_row) : bisect_left(links, high, key=_row)]


def _row(link: PagerLink) -> int:
    return link.row
