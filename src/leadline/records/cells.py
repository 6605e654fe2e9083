"""Cells of a CSV file: texts from the Web as a spreadsheet may open them.

A text that a spreadsheet would run gets an apostrophe before it; what cannot be seen is written
out; numbers stay as they are. JSON lines and Parquet are read by programs and stay as they came.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterable

SEPARATOR = "; "
"""Between the items of a list in one cell."""
_TRIGGERS = frozenset("=+-@")
"""With these a formula begins; tabs and line ends before it are passed over as other blanks are."""
_MARK = "'"
_plain_number = re.compile(
    # Digits as people group them, a fraction, an exponent, a percent sign; or a telephone number,
    # whose groups are parted by blanks or dots: with hyphens between them it would be computed.
    r"[+-]?(?:\d+|\d{1,3}(?:[.,'\u2019 \u00a0\u202f]\d{3})+)?(?:[.,]\d+)?(?:[eE][+-]?\d+)?\s?%?"
    r"|\+\d[\d .\u00a0\u202f]*",
    re.ASCII,
).fullmatch
_unseen = re.compile(
    # Control characters but tab and line feed; marks that turn or hide the reading order; lone
    # surrogates, which no encoding can write. Marks that Arabic, Hebrew or Persian text needs
    # (U+200C to U+200F) stay.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def make_cell(value: object) -> object:
    """What is written for a value: numbers unchanged, a list as its items, a mapping as JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        # A spreadsheet knows no infinity: `-inf` would be minus something called inf.
        return make_text(str(value))
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, str):
        return make_text(value)
    if isinstance(value, list | tuple):
        return SEPARATOR.join(_name_items(value))
    return make_text(_encode(value))


def make_text(text: str) -> str:
    """A text that no spreadsheet runs, with everything in it to be seen."""
    cleaned = text.replace("\r\n", "\n") if "\r" in text else text
    if _unseen.search(cleaned):
        cleaned = _unseen.sub(lambda found: f"<U+{ord(found[0]):04X}>", cleaned)
    return _MARK + cleaned if would_run(text) else cleaned


def would_run(text: str) -> bool:
    """Whether a spreadsheet could take the text for a formula."""
    start = 0
    while start < len(text) and _is_passed_over(text[start]):
        start += 1
    # Full-width, small and raised forms are read as the plain ones by some.
    first = unicodedata.normalize("NFKC", text[start : start + 1])[:1]
    if first not in _TRIGGERS or not first:
        return False
    return not all(_is_number(part) for part in text.split(SEPARATOR))


def _is_number(text: str) -> bool:
    return any(character.isdigit() for character in text) and bool(_plain_number(text))


def _is_passed_over(character: str) -> bool:
    """Blanks, controls and characters without width, which readers drop before they look."""
    return character.isspace() or unicodedata.category(character) in {"Cc", "Cf", "Cs"}


def _name_items(items: Iterable[object]) -> Iterable[str]:
    for item in items:
        if isinstance(item, dict):
            name = item.get("label") or item.get("name") or item
            yield str(make_cell(name))
        elif isinstance(item, list | tuple):
            yield make_text(_encode(item))
        else:
            yield "" if item is None else str(make_cell(item))


def _encode(value: object) -> str:
    # The standard library's: it passes lone surrogates on, which are written out afterwards.
    return json.dumps(value, ensure_ascii=False)
