"""A form as what can be asked through it: its boxes, menus and ranges, and words to begin with."""

import re
from collections.abc import Sequence

from leadline.core.page import Field, Form, Option, Page
from leadline.forms.entries import is_typed
from leadline.forms.meaning import Meaning
from leadline.forms.query import query_field
from leadline.harvester.interface import Box, Choosable, Interface, Menu, Span
from leadline.harvester.survey.first_words import first_words
from leadline.harvester.survey.open_choices import open_choice, real_choices, says_open
from leadline.harvester.survey.roles import (
    BOX,
    MENU,
    SCOPE,
    SIZE,
    TICK,
    Range,
    Role,
    Roles,
    roles_of,
)

_LARGEST_PAGE = 500
"""Results a page asked for: more are slow to make, and servers set limits of their own."""
_BY_OPENNESS = (
    "keyword", "title", "other", "category", "organisation", "person", "place", "code", "year",
    "date", "number", "price",
)  # fmt: skip
"""Meanings of boxes, those that words fit best first; each finds more than the next."""
_UNTOLD = frozenset({"keyword", "other"})
_amount = re.compile(r"\d[\d.,\u00a0 ]*").search


def describe(form: Form, page: Page | None = None, given: Sequence[str] = ()) -> Interface:
    """What the form can be asked, as far as it can be told without asking.

    `given` are words that a database behind it would know, of the rest of its site or its topic.
    """
    roles = roles_of(form)
    menus = _menus(roles)
    return Interface(
        boxes=_boxes(form, roles),
        menus=menus,
        spans=tuple(_span(ends) for ends in roles.ranges),
        fixed=_fixed(roles),
        words=first_words(form, page, menus, given),
        language=page.language if page is not None else "",
    )


def _boxes(form: Form, roles: Roles) -> tuple[Box, ...]:
    main = query_field(form)
    found = [role for role in roles.used_as(BOX) if role.field.kind not in ("range", "color")]
    found.sort(key=lambda r: (r.meaning.kind != "keyword", r.field is not main, _openness(r)))
    once = {role.field.name: role for role in reversed(found)}
    return tuple(_box(role) for role in found if once[role.field.name] is role)


def _openness(role: Role) -> int:
    kind = role.meaning.kind
    return _BY_OPENNESS.index(kind) if kind in _BY_OPENNESS else len(_BY_OPENNESS)


def _box(role: Role) -> Box:
    field = role.field
    return Box(field.name, _label(field), _meaning(role.meaning), field.max_length)


def _meaning(meaning: Meaning) -> str:
    told = f"{meaning.kind}:{meaning.part}".strip(":")
    return "" if meaning.kind in _UNTOLD else told


def _label(field: Field) -> str:
    return field.label or field.placeholder or field.title


def _menus(roles: Roles) -> tuple[Menu, ...]:
    """Those of one name are one: its boxes to tick, or lists that a page shows twice."""
    named: dict[str, list[Role]] = {}
    for role in roles.used_as(MENU, TICK):
        named.setdefault(role.field.name, []).append(role)
    return tuple(_menu(name, group) for name, group in named.items())


def _menu(name: str, group: Sequence[Role]) -> Menu:
    first = group[0]
    offered: dict[str, Choosable] = {}
    for role in group:
        for choice in _choices(role.field):
            offered.setdefault(choice.value, choice)
    label = "" if first.use == TICK and len(group) > 1 else _label(first.field)
    return Menu(name, tuple(offered.values()), label, _meaning(first.meaning))


def _choices(field: Field) -> list[Choosable]:
    if field.kind == "checkbox":
        return [Choosable(field.value, field.label)]
    return [Choosable(option.value, option.text) for option in real_choices(field)]


def _span(ends: Range) -> Span:
    low, high = ends.low.field, ends.high.field
    label = " / ".join(filter(None, dict.fromkeys((_label(low), _label(high)))))
    meaning = _meaning(ends.low.meaning)
    # What is known by nothing but its ends counts something.
    meaning = "number" if meaning == "place" else meaning
    return Span(low.name, high.name, _rising(low), _rising(high), label, meaning)


def _rising(field: Field) -> tuple[str, ...]:
    """Values in the order of their amounts; as they stand where some have none."""
    options = real_choices(field) if field.options else []
    amounts = [amount_of(option) for option in options]
    if any(amount is None for amount in amounts):
        return tuple(option.value for option in options)
    ranked = sorted(zip(amounts, options, strict=True), key=lambda both: both[0] or 0.0)
    return tuple(dict.fromkeys(option.value for _, option in ranked))


def amount_of(option: Option) -> float | None:
    """The number that an option stands for: that in its value, else that in its text."""
    for text in (option.value, option.text):
        found = _amount(text[:40])
        if found:
            digits = re.sub(r"[^\d.]", "", re.sub(r"[.,](?=\d{3}(?:\D|$))", "", found[0]))
            whole, _, part = digits.strip(".").partition(".")
            return float(f"{whole or 0}.{part.replace('.', '') or 0}")
    return None


def _fixed(roles: Roles) -> tuple[tuple[str, str], ...]:
    """The largest pages, all places to look in, and the first choice of menus that need one."""
    found: dict[str, str] = {}
    for role in roles.controls:
        value = _fixed_value(role)
        if value is not None:
            found.setdefault(role.field.name, value)
    return tuple(sorted(found.items()))


def _fixed_value(role: Role) -> str | None:
    field = role.field
    if role.use == SIZE:
        return _largest(field)
    if role.use == SCOPE and field.options:
        return _widest(field)
    if not field.is_required or is_typed(field):
        return None
    if field.kind == "checkbox":
        return field.value if role.use == TICK else None
    chosen = [option for option in field.options if option.is_selected and option.value]
    offered = chosen or real_choices(field)
    return offered[0].value if offered else None


def _largest(field: Field) -> str | None:
    sizes = [(amount_of(option), option.value) for option in real_choices(field)]
    fitting = [(size, value) for size, value in sizes if size and size <= _LARGEST_PAGE]
    return max(fitting)[1] if fitting else None


def _widest(field: Field) -> str | None:
    """The choice to look everywhere, if another one is preselected."""
    selected = next((option for option in field.options if option.is_selected), field.options[0])
    widest = open_choice(field) or next((o for o in field.options if says_open(o.text)), None)
    return None if widest is None or widest.value == selected.value else widest.value
