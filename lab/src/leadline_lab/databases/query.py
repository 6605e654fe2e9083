"""What a request asks a database for, read from its parameters. Never fails."""

import re
from collections.abc import Mapping
from datetime import date

from msgspec import Struct

from leadline.page.words import split_words
from leadline_lab.databases.kinds import Source, held
from leadline_lab.databases.values import WORD_KINDS
from leadline_lab.schema import Attribute

EVERYWHERE = "*"
"""What the keyword box is bound to."""
Bound = Mapping[str, str]
"""Control name to what it asks for: an attribute's name, `*`, `name:min` or `name:max` for the
ends of a range; anything else is ignored."""

MAX_CHARS = 200
MAX_TERMS = 20
_ANY = frozenset(("any", "all", "alle", "tous", "toutes", "todos", "todas", "0", "-1"))
"""What selects send for "it does not matter"."""
_NEVER = (1, 0)
FAR = 10**12
_amount = re.compile(r"[^0-9]{0,2}([0-9]{1,9})(?:[.,]([0-9]{1,2}))?[^0-9]{0,4}").fullmatch
_span = re.compile(r"\s*([0-9.]+)\s*(?:-|\.\.|to)\s*([0-9.]+)\s*").fullmatch


class Query(Struct, frozen=True):
    """Conditions that must all hold."""

    words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(attribute or `*`, words)."""
    equals: tuple[tuple[str, str], ...] = ()
    ranges: tuple[tuple[str, int, int], ...] = ()
    """(attribute, lowest amount, highest amount)."""
    text: str = ""
    """As it was typed, for the page to say it again."""

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.equals or self.ranges)

    @property
    def keyword_letters(self) -> int:
        """Letters and digits in the keyword box."""
        return sum(len(word) for name, row in self.words if name == EVERYWHERE for word in row)

    @property
    def has_keywords(self) -> bool:
        return any(name == EVERYWHERE for name, _ in self.words)


def read_query(source: Source, bound: Bound, parameters: Mapping[str, str]) -> Query:
    """Values that are too long are ignored, and so are words after the twentieth."""
    attributes = {a.name: a for a in held(source.schema)}
    words: list[tuple[str, tuple[str, ...]]] = []
    equals: list[tuple[str, str]] = []
    ranges: list[tuple[str, int, int]] = []
    typed: list[str] = []
    for control, target in bound.items():
        value = parameters.get(control, "").strip()
        attribute = attributes.get(target.partition(":")[0])
        if not value or len(value) > MAX_CHARS or (attribute is None and target != EVERYWHERE):
            continue
        if attribute is None or attribute.kind in WORD_KINDS:
            words += _words(target, value)
        elif value.lower() in _ANY:
            continue
        elif attribute.kind in ("category", "code"):
            equals.append((attribute.name, value))
        else:
            ranges.append((attribute.name, *_range(attribute, edge_of(target), value)))
        typed.append(value)
    return Query(tuple(words), tuple(equals), tuple(ranges), " ".join(typed))


def _words(target: str, value: str) -> list[tuple[str, tuple[str, ...]]]:
    found = split_words(value)[:MAX_TERMS]
    return [(target, tuple(found))] if found else []


def edge_of(target: str) -> str:
    """`min`, `max`, or '' for a value on its own."""
    return target.partition(":")[2]


def _range(attribute: Attribute, edge: str, value: str) -> tuple[int, int]:
    """In the attribute's amounts; an empty range for what is no amount."""
    span = _span(value) if attribute.kind != "date" else None
    if span:
        low, high = _read(attribute, span[1]), _read(attribute, span[2])
        return (low[0], high[1]) if low and high else _NEVER
    single = _read(attribute, value)
    if single is None:
        return _NEVER
    return {"min": (single[0], FAR), "max": (-1, single[1])}.get(edge, single)


def _read(attribute: Attribute, value: str) -> tuple[int, int] | None:
    """The lowest and the highest amount that a text may stand for."""
    if attribute.kind == "date":
        return _read_date(value)
    found = _amount(value)
    if not found:
        return None
    whole = int(found[1])
    if attribute.kind != "price":
        return whole, whole
    if found[2] is None:
        return whole * 100, whole * 100 + 99
    cents = whole * 100 + int(found[2].ljust(2, "0"))
    return cents, cents


def _read_date(value: str) -> tuple[int, int] | None:
    try:
        day = date.fromisoformat(value).toordinal()
    except ValueError:
        return None
    return day, day
