"""How a form asks for one attribute: a box, a list, buttons, or the two ends of a range."""

from functools import lru_cache

from leadline_lab.interfaces.sheet import Sheet
from leadline_lab.interfaces.words import GENERAL
from leadline_lab.schema import Attribute, Schema, said

NEWEST_YEAR = 2025
"""Of the years offered."""
_RANGED = frozenset({"price", "year", "number", "date"})
_FEW = 5
"""Choices that still stand as buttons beside each other."""
_ENDS = (("{}_min", "{}_max"), ("{}From", "{}To"), ("min_{}", "max_{}"), ("{}1", "{}2"),
         ("{}_lo", "{}_hi"), ("from_{}", "to_{}"))  # fmt: skip
_AT_LEAST = (
    "salary", "score", "rating", "area", "posted", "filed", "updated", "enacted", "sold", "movein",
    "start", "amount", "enrollment", "deadline", "acres",
)  # fmt: skip
_AT_MOST = ("mileage", "radius", "distance", "time", "end", "runtime")
_END_OF = dict.fromkeys(_AT_LEAST, ":min") | dict.fromkeys(_AT_MOST, ":max")
"""Attributes that a single control bounds rather than fixes; so does any price, from above."""
_BOUNDING = ("Max", "Min")
"""How labels begin that speak of one end."""
_PAIRED_PER_MILLE = 450
"""Amounts asked for by their two ends."""
_TICKED_PER_MILLE, _BUTTONS_PER_MILLE = 60, 250
"""Below the first a category is one box to tick, below the second a row of buttons if they are
few; both by design."""
_YEARS = (12, 25, 40, 60)
_DATE_HINT = "YYYY-MM-DD"


def selectable(schema: Schema) -> list[Attribute]:
    """The attributes that can be asked for without typing."""
    return [a for a in schema.attributes if a.choices or a.kind == "year"]


def ask_attribute(
    sheet: Sheet, attribute: Attribute, *, may_pair: bool, only_selects: bool = False
) -> None:
    """One control, or two for a range."""
    drawn, labels = sheet.draw.number(), said(attribute.labels, sheet.language)
    base = attribute.names[drawn % len(attribute.names)]
    label = labels[(drawn >> 16) % len(labels)]
    way = 500 if only_selects else (drawn >> 32) % 1000
    if attribute.kind == "category":
        _ask_category(sheet, attribute, base, label, way)
        return
    if attribute.kind not in _RANGED:
        sheet.bound[sheet.ask(base, "text", label)] = attribute.name
        return
    offered = _offered(sheet, attribute, only_selects)
    whole = labels[0] if label.startswith(_BOUNDING) else label
    if may_pair and way < _PAIRED_PER_MILLE:
        base = attribute.names[0] if base.startswith(("max", "min")) else base
        _ask_range(sheet, attribute, base, whole, offered)
        return
    end = _END_OF.get(attribute.name, ":max" if attribute.kind == "price" else "")
    if end == ":max" and way % 5 < 2:
        label = sheet.say("most").format(whole)
    _ask_amount(sheet, attribute, base, label, offered, attribute.name + end)


def _ask_category(sheet: Sheet, attribute: Attribute, base: str, label: str, way: int) -> None:
    choices = attribute.choices
    if way < _TICKED_PER_MILLE:
        choice = choices[way % len(choices)]
        name = sheet.ask(base, "checkbox", f"{sheet.say('only')} {choice}", value=choice)
    elif way < _BUTTONS_PER_MILLE and len(choices) <= _FEW:
        name = sheet.ask(base, "radio", label, sheet.choices(choices, ""))
    else:
        name = sheet.ask(base, "select", label, sheet.choices(choices, label))
    sheet.bound[name] = attribute.name


def _offered(sheet: Sheet, attribute: Attribute, only_selects: bool) -> tuple[str, ...]:
    """What a select offers; () for a box to type into."""
    if attribute.kind == "date" or not (only_selects or sheet.draw.chance(550)):
        return ()
    if attribute.kind == "year":
        return _years(sheet.draw.pick(_YEARS))
    return attribute.choices


def _ask_range(
    sheet: Sheet, attribute: Attribute, base: str, label: str, offered: tuple[str, ...]
) -> None:
    draw = sheet.draw
    low_name, high_name = draw.pick(_ENDS)
    place = draw.number()
    lows, highs = (said(GENERAL[end], sheet.language) for end in ("lowest", "highest"))
    low, high = lows[place % len(lows)], highs[place % len(highs)]
    low = f"{label} {low}" if place >> 62 else f"{low} {label}"
    if place >> 61 & 1:
        high = f"{high} {label}"
    name = attribute.name
    _ask_amount(sheet, attribute, low_name.format(base), low, offered, f"{name}:min")
    _ask_amount(sheet, attribute, high_name.format(base), high, offered, f"{name}:max")


def _ask_amount(
    sheet: Sheet, attribute: Attribute, base: str, label: str, offered: tuple[str, ...], target: str
) -> None:
    if offered:
        name = sheet.ask(base, "select", label, sheet.choices(offered, label))
    elif attribute.kind == "date":
        name = _ask_date(sheet, base, label)
    else:
        is_number = attribute.kind != "price" and sheet.draw.chance(80)
        name = sheet.ask(base, "number" if is_number else "text", label)
    sheet.bound[name] = target


def _ask_date(sheet: Sheet, base: str, label: str) -> str:
    way = sheet.draw.below(100)
    if way < 15:
        return sheet.ask(base, "date", label)
    return sheet.ask(base, "text", f"{label} ({_DATE_HINT})" if way < 45 else label)


@lru_cache(maxsize=8)
def _years(count: int) -> tuple[str, ...]:
    return tuple(str(NEWEST_YEAR - ago) for ago in range(count))
