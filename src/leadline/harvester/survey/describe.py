"""A form as what can be asked through it: its boxes, menus and ranges, and words to begin with."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

from leadline.core.page import Field, Form, Option, Page
from leadline.core.text import fold
from leadline.forms.field_roles import FieldRole
from leadline.forms.form_data import is_typed
from leadline.forms.query import find_query_field, pick_topical_words
from leadline.forms.word_patterns import ACCOUNT, SEARCH
from leadline.harvester.interface import Box, Interface, Menu, MenuChoice, Span
from leadline.harvester.survey.control_uses import (
    BOX,
    MENU,
    SCOPE,
    SIZE,
    TICK,
    ControlUse,
    FormControls,
    RangeEnds,
    find_control_uses,
    find_open_choice,
    list_real_choices,
    says_open,
)
from leadline.page.words import split_words, vocabulary

FIRST_WORDS = 24
"""A survey takes three, a policy without records some more."""
_LEAST_WORD_CHARS = 4
_READ_LEAVES = 2_000
_unspaced = re.compile(
    "[\u4e00-\u9fff]{2,4}(?![\u4e00-\u9fff])|[\u30a1-\u30fa\u30fc]{3,12}|[\uac00-\ud7a3]{2,6}"
).findall
"""Words of scripts in which blanks part sentences or phrases, or in which two letters are a word:
ends of runs of Han letters, katakana, Hangul."""
_LARGEST_PAGE = 500
"""Results a page asked for: more are slow to make, and servers set limits of their own."""
_BY_OPENNESS = (
    "keyword", "title", "other", "category", "organisation", "person", "place", "code", "year",
    "date", "number", "price",
)  # fmt: skip
"""Meanings of boxes, those that words fit best first; each finds more than the next."""
_UNTOLD = frozenset({"keyword", "other"})
_amount = re.compile(r"\d[\d.,\u00a0 ]*").search


def choose_first_words(
    form: Form, page: Page | None, menus: Sequence[Menu], given: Sequence[str] = ()
) -> tuple[str, ...]:
    """Those given, those of the page, and those of the choices: names of what is held."""
    told = pick_topical_words(page, form, given, FIRST_WORDS) if page is not None else [*given]
    if page is not None and len(told) < FIRST_WORDS:
        told = [*(word for word in told if not _unspaced(word)), *_short_words(page)]
    known = vocabulary(page.language if page is not None else "").word
    offered = (choice.text for menu in menus for choice in menu.choices[:FIRST_WORDS])
    more = [w for w in _single_words(offered) if len(w) >= _LEAST_WORD_CHARS and known(w)]
    return tuple(dict.fromkeys([*told, *more]))[:FIRST_WORDS]


def _single_words(texts: Iterable[str]) -> list[str]:
    return [word for text in texts for word in split_words(text[:80]) if word.isalpha()]


def _short_words(page: Page) -> list[str]:
    """The most frequent first."""
    texts = (page.title, page.description, *islice(page.leaves, _READ_LEAVES))
    counts = Counter(word for text in texts for word in _unspaced(text))
    ranked = sorted(counts, key=lambda word: -counts[word])
    return [word for word in ranked if not (SEARCH(fold(word)) or ACCOUNT(fold(word)))]


def describe_form(form: Form, page: Page | None = None, given: Sequence[str] = ()) -> Interface:
    """What the form can be asked, as far as it can be told without asking.

    `given` are words that a database behind it would know, of the rest of its site or its topic.
    """
    roles = find_control_uses(form)
    menus = _make_menus(roles)
    return Interface(
        boxes=_order_boxes(form, roles),
        menus=menus,
        spans=tuple(_make_span(ends) for ends in roles.ranges),
        fixed=_fixed_values(roles),
        words=choose_first_words(form, page, menus, given),
        language=page.language if page is not None else "",
    )


def _order_boxes(form: Form, roles: FormControls) -> tuple[Box, ...]:
    main = find_query_field(form)
    found = [role for role in roles.used_as(BOX) if role.field.kind not in ("range", "color")]
    found.sort(key=lambda r: (r.meaning.kind != "keyword", r.field is not main, _openness(r)))
    once = {role.field.name: role for role in reversed(found)}
    return tuple(_make_box(role) for role in found if once[role.field.name] is role)


def _openness(role: ControlUse) -> int:
    kind = role.meaning.kind
    return _BY_OPENNESS.index(kind) if kind in _BY_OPENNESS else len(_BY_OPENNESS)


def _make_box(role: ControlUse) -> Box:
    field = role.field
    return Box(field.name, _label_of(field), _meaning_text(role.meaning), field.max_length)


def _meaning_text(meaning: FieldRole) -> str:
    told = f"{meaning.kind}:{meaning.part}".strip(":")
    return "" if meaning.kind in _UNTOLD else told


def _label_of(field: Field) -> str:
    return field.label or field.placeholder or field.title


def _make_menus(roles: FormControls) -> tuple[Menu, ...]:
    """Those of one name are one: its boxes to tick, or lists that a page shows twice."""
    named: dict[str, list[ControlUse]] = {}
    for role in roles.used_as(MENU, TICK):
        named.setdefault(role.field.name, []).append(role)
    return tuple(_make_menu(name, group) for name, group in named.items())


def _make_menu(name: str, group: Sequence[ControlUse]) -> Menu:
    first = group[0]
    offered: dict[str, MenuChoice] = {}
    for role in group:
        for choice in _list_choices(role.field):
            offered.setdefault(choice.value, choice)
    label = "" if first.use == TICK and len(group) > 1 else _label_of(first.field)
    return Menu(name, tuple(offered.values()), label, _meaning_text(first.meaning))


def _list_choices(field: Field) -> list[MenuChoice]:
    if field.kind == "checkbox":
        return [MenuChoice(field.value, field.label)]
    return [MenuChoice(option.value, option.text) for option in list_real_choices(field)]


def _make_span(ends: RangeEnds) -> Span:
    low, high = ends.low.field, ends.high.field
    label = " / ".join(filter(None, dict.fromkeys((_label_of(low), _label_of(high)))))
    meaning = _meaning_text(ends.low.meaning)
    # What is known by nothing but its ends counts something.
    meaning = "number" if meaning == "place" else meaning
    return Span(low.name, high.name, _sorted_values(low), _sorted_values(high), label, meaning)


def _sorted_values(field: Field) -> tuple[str, ...]:
    """Values in the order of their amounts; as they stand where some have none."""
    options = list_real_choices(field) if field.options else []
    amounts = [option_amount(option) for option in options]
    if any(amount is None for amount in amounts):
        return tuple(option.value for option in options)
    ranked = sorted(zip(amounts, options, strict=True), key=lambda both: both[0] or 0.0)
    return tuple(dict.fromkeys(option.value for _, option in ranked))


def option_amount(option: Option) -> float | None:
    """The number that an option stands for: that in its value, else that in its text."""
    for text in (option.value, option.text):
        found = _amount(text[:40])
        if found:
            digits = re.sub(r"[^\d.]", "", re.sub(r"[.,](?=\d{3}(?:\D|$))", "", found[0]))
            whole, _, part = digits.strip(".").partition(".")
            return float(f"{whole or 0}.{part.replace('.', '') or 0}")
    return None


def _fixed_values(roles: FormControls) -> tuple[tuple[str, str], ...]:
    """The largest pages, all places to look in, and the first choice of menus that need one."""
    found: dict[str, str] = {}
    for role in roles.controls:
        value = _fixed_value(role)
        if value is not None:
            found.setdefault(role.field.name, value)
    return tuple(sorted(found.items()))


def _fixed_value(role: ControlUse) -> str | None:
    field = role.field
    if role.use == SIZE:
        return _largest_size(field)
    if role.use == SCOPE and field.options:
        return _widest_scope(field)
    if not field.is_required or is_typed(field):
        return None
    if field.kind == "checkbox":
        return field.value if role.use == TICK else None
    chosen = [option for option in field.options if option.is_selected and option.value]
    offered = chosen or list_real_choices(field)
    return offered[0].value if offered else None


def _largest_size(field: Field) -> str | None:
    sizes = [(option_amount(option), option.value) for option in list_real_choices(field)]
    fitting = [(size, value) for size, value in sizes if size and size <= _LARGEST_PAGE]
    return max(fitting)[1] if fitting else None


def _widest_scope(field: Field) -> str | None:
    """The choice to look everywhere, if another one is preselected."""
    selected = next((option for option in field.options if option.is_selected), field.options[0])
    widest = find_open_choice(field) or next((o for o in field.options if says_open(o.text)), None)
    return None if widest is None or widest.value == selected.value else widest.value
