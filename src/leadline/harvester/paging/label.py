"""What a link or a button says about turning pages."""

import re
from functools import lru_cache

from msgspec import Struct

from leadline.forms.hazard_words import fold
from leadline.harvester.paging import words
from leadline.harvester.paging.words import pieces_of

NEXT = "next"
PREVIOUS = "previous"
FIRST = "first"
LAST = "last"
NUMBER = "number"
"""The number of a page, or the range of results that stand on it."""
MORE = "more"
OLDER = "older"
NEWER = "newer"
GAP = "gap"
"""Dots between numbers."""
NOTHING = "nothing"
"""No text at all."""
OTHER = "other"

SIGN_NEXT = "single"
SIGN_NEXT_TWICE = "double"
"""The next page, or the last one where a single arrow stands beside it."""

MAX_CHARS = 60
"""Longer texts are titles and sentences; `Go to the next page of results (21 to 40)` has 42."""
_MAX_PAGE = 100_000
"""Higher numbers are years' worth of pages, or no page numbers at all."""

_ONWARD = "\u203a\u276f>→▶►⟩〉⇒⟶➔➜➡▸⏵☞"
_ONWARD_TWICE = "»≫⏩⇉⇶"
_BACKWARD = "\u2039\u276e<←◀◄⟨〈⇐⟵⬅◂⏴☜«≪⏪⇇"
_signs = re.compile(rf"[{_ONWARD}{_ONWARD_TWICE}{_BACKWARD}|⏭⏮⇥⇤]+").findall
_to_last = re.compile(rf"[{_ONWARD}{_ONWARD_TWICE}]\||⏭|⇥").search
_to_first = re.compile(rf"\|[{_BACKWARD}]|⏮|⇤").search
_is_dots = re.compile(r"[\s.·\[\]()]*\.\.[\s.·\[\]()]*").fullmatch
_range = re.compile(r"(\d+)\s*(?:-|\u2013|—|\.\.+|to|bis|a|al|až|до)\s*(\d+)").fullmatch


class Label(Struct, frozen=True):
    """What is said, and how."""

    kind: str
    number: int = 0
    """Of a page; of the first result, where a range is said."""
    end: int = 0
    """Of the last result in a range; 0 for a single number."""
    sign: str = ""
    """The arrow in it, whatever the words are."""
    has_words: bool = False
    is_of_pages: bool = False
    """It names pages or results: `next page`, not `next` alone."""


@lru_cache(maxsize=20_000)
def label_of(text: str) -> Label:
    """What a text says; `OTHER` for anything that is not about turning pages.

    The pages of one source say the same again and again.

    >>> label_of("Next page »").kind, label_of("Next month »").kind, label_of("[ 3 ]").number
    ('next', 'other', 3)
    """
    if len(text) > MAX_CHARS:
        return Label(OTHER, has_words=True)
    folded = fold(text).strip()
    pieces = pieces_of(folded)
    sign, kind = _sign(folded)
    if not pieces:
        kind = kind or (GAP if _is_dots(folded) else OTHER if folded else NOTHING)
        return Label(kind, sign=sign)
    said = [piece for piece in pieces if not piece.isdecimal()]
    if not said:
        return _numbered(folded, pieces, sign)
    if all(piece in words.PAGES for piece in said):
        return _paged(folded, pieces, sign)
    spoken = _spoken(said)
    if spoken == OTHER and any(piece in words.NEXT for piece in said):
        # The next of something else, whatever arrow stands beside it.
        sign = ""
    is_of_pages = any(piece in words.PAGES for piece in said)
    return Label(spoken, sign=sign, has_words=True, is_of_pages=is_of_pages)


def _spoken(said: list[str]) -> str:
    """The kind of a label with words in it."""
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


def _sign(folded: str) -> tuple[str, str]:
    """The arrow in a text, and the kind of a text that is nothing but that."""
    runs = "".join(_signs(folded))
    if not runs or runs.strip("|") == "":
        return "", ""
    if _to_last(runs):
        return "", LAST
    if _to_first(runs):
        return "", FIRST
    arrows = runs.strip("|")
    if arrows[-1] in _BACKWARD:
        return "", PREVIOUS
    if arrows[0] in _BACKWARD:
        # Arrows to both sides: a slider, or decoration.
        return "", OTHER
    is_double = len(arrows) > 1 or arrows in _ONWARD_TWICE
    return (SIGN_NEXT_TWICE if is_double else SIGN_NEXT), NEXT


def _numbered(folded: str, pieces: list[str], sign: str) -> Label:
    bare = folded.strip(" []()|·•:-\u2013—")
    if len(pieces) == 1 and bare.rstrip(".") == pieces[0]:
        return _number(pieces[0], sign)
    found = _range(bare)
    return _ranged(found[1], found[2], sign) if found else Label(OTHER, sign=sign)


def _paged(folded: str, pieces: list[str], sign: str) -> Label:
    """Words for pages alone, with a number or a range: `page 3`, `results 11 to 20`."""
    numbers = [piece for piece in pieces if piece.isdecimal()]
    if len(numbers) == 1:
        return _number(numbers[0], sign, has_words=True)
    start = folded.find(numbers[0]) if numbers else -1
    found = _range(folded[start:].strip(" []()")) if start >= 0 else None
    if found:
        return _ranged(found[1], found[2], sign)
    return Label(OTHER, sign=sign, has_words=True)


def _number(piece: str, sign: str, *, has_words: bool = False) -> Label:
    is_page = len(piece) <= 6 and 0 < int(piece) <= _MAX_PAGE
    kind = NUMBER if is_page else OTHER
    return Label(kind, int(piece) if is_page else 0, sign=sign, has_words=has_words)


def _ranged(low: str, high: str, sign: str) -> Label:
    if len(low) > 9 or len(high) > 9 or not 0 < int(low) < int(high):
        return Label(OTHER, sign=sign)
    return Label(NUMBER, int(low), int(high), sign)
