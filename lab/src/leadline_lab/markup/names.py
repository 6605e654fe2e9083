"""Class names and small words of a site, all from its key."""

from leadline_lab.draw import numbers

_ROLES: dict[str, tuple[str, ...]] = {
    "page": ("page", "site", "wrap", "container", "doc", "outer", "frame"),
    "inner": ("inner", "in", "hold", "centered", "bd", "body"),
    "head": ("head", "header", "top", "masthead", "hd", "banner"),
    "brand": ("brand", "logo", "name", "sitename", "title"),
    "nav": ("nav", "navigation", "bar", "topnav", "menubar", "mainnav"),
    "menu": ("menu", "links", "tabs", "items", "entries"),
    "sub": ("sub", "drop", "panel", "level2", "flyout"),
    "group": ("group", "section", "stack", "unit"),
    "middle": ("middle", "both", "mid", "center", "area"),
    "main": ("main", "content", "primary", "story", "left"),
    "aside": ("aside", "sidebar", "side", "secondary", "rail", "right"),
    "foot": ("foot", "footer", "bottom", "ft", "end"),
    "cols": ("cols", "columns", "set", "strip"),
    "col": ("col", "column", "part", "span"),
    "box": ("box", "block", "module", "widget", "panel", "portlet"),
    "fill": ("fill", "content", "bd", "inside", "pad"),
    "cap": ("cap", "caption", "hd", "boxtitle", "label"),
    "list": ("list", "links", "index", "more", "entries"),
    "item": ("item", "entry", "el", "li", "node"),
    "hits": ("hits", "results", "listing", "catalog", "stream", "feed"),
    "hit": ("hit", "result", "item", "record", "teaser", "card"),
    "name": ("name", "title", "headline", "hd"),
    "pic": ("pic", "thumb", "image", "photo"),
    "text": ("text", "desc", "summary", "intro", "copy"),
    "meta": ("meta", "details", "props", "by", "data"),
    "fact": ("fact", "prop", "field", "attr"),
    "key": ("key", "term", "k", "what"),
    "crumbs": ("crumbs", "path", "trail", "where", "breadcrumb"),
    "tags": ("tags", "cloud", "topics", "keywords"),
    "tag": ("tag", "t", "topic", "kw"),
    "pager": ("pager", "pages", "paging", "steps"),
    "step": ("step", "pg", "page", "no"),
    "specs": ("specs", "facts", "properties", "details", "sheet"),
    "grid": ("grid", "table", "cells", "calendar"),
    "form": ("form", "query", "fields", "entry", "input"),
    "field": ("field", "row", "line", "group", "control"),
    "label": ("label", "lbl", "caption", "prompt"),
    "input": ("input", "ctl", "value", "box"),
    "buttons": ("buttons", "actions", "submit", "go"),
    "heading": ("heading", "title", "headline", "h"),
    "story": ("story", "copy", "prose", "article", "text"),
}
_SLOTS = tuple(_ROLES)
_SYLLABLES = tuple(
    first + vowel + last
    for first in "b d f g k l m n p r s t v z".split()
    for vowel in "aeiou"
    for last in ("", "n", "r", "x", "lo", "ki", "ra")
)
_BARS = (" | ", " &#183; ", " &nbsp;|&nbsp; ", " - ", " / ", " &bull; ", " :: ")
_ARROWS = (" &gt; ", " &raquo; ", " &#8250; ", " / ", " → ", " :: ")
_COLORS = ("#336699", "#003366", "#8b1a1a", "#2d6a4f", "#444444", "#5b3a8c", "#b35900", "#0b7285")
_UTILITIES = tuple(
    f"{what}-{size}"
    for what in ("pad", "gap", "txt", "bg", "w", "rnd", "sh", "m")
    for size in ("1", "2", "3", "4", "sm", "lg", "auto")
)
_PAIRS = tuple(f"{one} {other}" for one in _UTILITIES for other in _UTILITIES if one != other)
_COUNT = len(_PAIRS)
_NAMES = 48
"""Draws kept for the names of classes; those after them are for words and style."""


def site_names(key: int, style: str) -> dict[str, str]:
    """A value for every class and word a pattern may ask for; `slot.` is the first class alone."""
    drawn: list[int] = numbers(key, _NAMES + 7).tolist()
    own, words = drawn[: len(_SLOTS)], drawn[_NAMES:]
    prefix = _SYLLABLES[words[0] % len(_SYLLABLES)]
    if words[1] & 1:
        prefix += _SYLLABLES[words[1] % len(_SYLLABLES)]
    written = _WAYS[style] if style != "any" else _EACH[words[2] % len(_EACH)]
    roles = _roles(own)
    first = [written(prefix, role, n >> 8) for role, n in zip(roles, own, strict=True)]
    names = {f"{slot}.": name for slot, name in zip(_SLOTS, first, strict=True)}
    if style == "utility":
        first = [f"{name} {_utilities(n >> 16)}" for name, n in zip(first, own, strict=True)]
    names.update(zip(_SLOTS, first, strict=True))
    names["prefix"] = prefix
    names["bar"] = _BARS[words[3] % len(_BARS)]
    names["arrow"] = _ARROWS[words[4] % len(_ARROWS)]
    names["color"] = _COLORS[words[5] % len(_COLORS)]
    names["color."] = names["color"]
    names["width"] = str(130 + words[6] % 11 * 10)
    return names


def _roles(drawn: list[int]) -> list[str]:
    """A word for every slot, no two the same as long as there are others."""
    roles: dict[str, None] = {}
    words = []
    for slot, number in zip(_SLOTS, drawn, strict=True):
        ways = _ROLES[slot]
        word = ways[number % len(ways)]
        if word in roles:
            word = next((way for way in ways if way not in roles), word)
        roles[word] = None
        words.append(word)
    return words


def _utilities(number: int) -> str:
    """Two to four classes that say what an element looks like."""
    first, second = _PAIRS[number % _COUNT], _PAIRS[(number >> 16) % _COUNT]
    return f"{first} {second}" if number & 1 << 40 else first


def _plain(_prefix: str, role: str, _number: int) -> str:
    return role


def _dashed(prefix: str, role: str, _number: int) -> str:
    return f"{prefix}-{role}"


def _camel(prefix: str, role: str, _number: int) -> str:
    return prefix + role.capitalize()


def _suffixed(prefix: str, role: str, _number: int) -> str:
    return f"{role}_{prefix}"


def _numbered(_prefix: str, role: str, number: int) -> str:
    return f"{role}{number % 9 + 1}"


def _nested(prefix: str, role: str, _number: int) -> str:
    return f"{prefix}__{role}"


def _hashed(prefix: str, _role: str, number: int) -> str:
    return f"{prefix[0]}{number & 0xFFFFF:05x}"


_WAYS = {
    "plain": _plain,
    "dashed": _dashed,
    "camel": _camel,
    "suffixed": _suffixed,
    "numbered": _numbered,
    "nested": _nested,
    "hashed": _hashed,
    "utility": _dashed,
}
_EACH = tuple(_WAYS.values())
