"""Forms that search: one for each way of asking a database, and the search box of any site."""

from collections.abc import Callable, Mapping

from msgspec import Struct

from leadline_lab.draw import Draw, running_sums
from leadline_lab.interfaces.fields import ask_attribute, selectable
from leadline_lab.interfaces.sheet import BARE, Sheet, same
from leadline_lab.interfaces.words import GENERAL
from leadline_lab.markup.model import FormModel
from leadline_lab.schema import Attribute, Schema, said

EVERYWHERE = "*"
POST_PER_MILLE = 249
"""90 of the 362 search forms among Formasaurus's labelled pages that were read."""
BUTTONLESS_PER_MILLE = 199
"""72 of them."""
ROLE_PER_MILLE = 97
"""35 of them say `role=search`."""
SEARCH_KIND_PER_MILLE = 75
"""27 of them have an input of type `search`."""
HIDDEN_SUMS = running_sums((187, 67, 44, 29, 12, 23))
"""Of them with 0, 1, 2, 3, 4, and 5 or more hidden controls."""
POOR_PER_MILLE = 350
"""Keyword boxes that say nothing of what they search, by design."""
MUTE_PER_MILLE = 150
"""Of those: the ones that do not even say that they search."""

_BOX_MANNERS = running_sums((560, 110, 90, 240))
"""Labels beside, hints inside, both, neither: of 391 text boxes in real search forms 258 have a
label, 39 have nothing but a hint, and 94 nothing at all; 126 have a hint."""
_MANNERS = running_sums((780, 110, 60, 50))
_BOX_NAMES = (
    ("q", 87), ("s", 40), ("keyword", 23), ("query", 22), ("search", 21), ("keywords", 15),
    ("search_query", 8), ("searchword", 7), ("searchbox", 6), ("text", 5), ("search_term", 4),
    ("searchTerm", 3), ("term", 2), ("find", 2), ("w", 2), ("qs", 2), ("Ntt", 2), ("sq", 2),
    ("what", 2), ("searchText", 2), ("words", 2), ("p", 2), ("expr", 1), ("kw", 2),
)  # fmt: skip
"""Names of the text boxes of real search forms with their counts, rare ones by design."""
_BOX_SUMS = running_sums([count for _, count in _BOX_NAMES])
_FORM_NAMES = (
    "", "", "", "", "search", "searchform", "searchForm", "frmSearch", "quicksearch", "search_form",
    "form1", "f", "aspnetForm", "frm", "top-search", "finder",
)  # fmt: skip
_NAMED_PER_MILLE = 80
"""Forms named after what they search."""
_MUTE_NAMES = ("", "", "form1", "f", "frm", "theForm", "aspnetForm")
_SUBMIT_NAMES = ("submit", "Submit", "search", "go", "btnSearch", "sa", "op", "B1", "doSearch")
_SIGNS = ("", "", "", "🔍", "»", "\uf002")
"""What stands on a button that shows a picture."""
_HIDDEN: tuple[tuple[str, str], ...] = (
    ("lang", ""), ("sort", "relevance"), ("per_page", "20"), ("page", "1"), ("mode", "basic"),
    ("utf8", "✓"), ("sid", "#"), ("state", "#"), ("__VIEWSTATE", "#"), ("site", "default"),
    ("start", "0"), ("view", "list"), ("ref", "#"), ("cmd", "list"), ("ie", "utf-8"),
    ("src", "top"),
)  # fmt: skip
"""For `Sheet.hide`."""
_SIZES = (("10", "20", "50"), ("20", "40", "100"), ("10", "25", "50", "100"))
_ORDER_VALUES = ("relevance", "date", "price", "name")


class SearchForm(Struct, frozen=True):
    """A form and what its controls ask a database for."""

    model: FormModel
    bound: dict[str, str]
    """Control name to attribute name; `name:min` or `name:max` for one end of a range; `*` for
    a box that searches the full text."""
    style: str
    scope: str = ""
    """The control whose value is the attribute that the full-text box is to be held against, or
    `keyword` for all of them; '' for none."""
    settings: dict[str, str] = {}
    """Controls that only arrange the answer: `sort` or `size`."""

    def bound_by(self, parameters: Mapping[str, str]) -> dict[str, str]:
        """`bound` for one query, after its scope was heeded."""
        scope = parameters.get(self.scope, "keyword")
        if not self.scope or scope == "keyword":
            return self.bound
        return {name: scope if to == EVERYWHERE else to for name, to in self.bound.items()}


class _Face(Struct):
    """What a form says besides its controls."""

    legend: str = ""
    button: str = ""
    name: str = ""
    is_mute: bool = False
    scope: str = ""


def search_form(schema: Schema, key: int, *, language: str, action: str, style: str) -> SearchForm:
    """Raises KeyError for a style not in `STYLES`."""
    draw = Draw(key)
    sheet = Sheet(draw, language, _BOX_MANNERS if style == "keyword" else _MANNERS, searches=True)
    face = _FILLED[style](sheet, schema)
    model = _finished(sheet, face, action, is_box=style == "keyword")
    return SearchForm(model, sheet.bound, style, face.scope, sheet.settings)


def site_search(key: int, language: str, action: str) -> FormModel:
    """The search box of any site: searchable, but of no domain. Its first text box takes words."""
    sheet = Sheet(Draw(key), language, _BOX_MANNERS, searches=True)
    return _finished(sheet, _poor_box(sheet), action, is_box=True)


def _keyword(sheet: Sheet, schema: Schema) -> _Face:
    draw = sheet.draw
    if draw.chance(POOR_PER_MILLE):
        return _poor_box(sheet)
    prompt = draw.pick(said(schema.prompts, sheet.language))
    place = draw.below(4)
    face = _Face(name=draw.pick(schema.paths) if draw.chance(_NAMED_PER_MILLE) else "")
    if place == 0 or sheet.manner == BARE:
        face.legend = prompt
    if place == 1:
        face.button = prompt
    label = prompt if place == 2 else sheet.say("keyword")
    if place == 3 and face.legend == "":
        label = _example(schema, sheet.language, draw.below(3))
    _box(sheet, label)
    if draw.chance(150):
        face.scope = _ask_scope(sheet, schema)
    return face


def _poor_box(sheet: Sheet) -> _Face:
    is_mute = sheet.draw.chance(MUTE_PER_MILLE)
    if is_mute:
        sheet.make_opaque()
        sheet.manner = BARE
    _box(sheet, sheet.say("plain"), is_mute=is_mute)
    return _Face(is_mute=is_mute)


def _box(sheet: Sheet, label: str, *, is_mute: bool = False) -> None:
    is_marked = sheet.draw.chance(SEARCH_KIND_PER_MILLE) and not is_mute
    base = _BOX_NAMES[sheet.draw.weighted(_BOX_SUMS)][0]
    sheet.bound[sheet.ask(base, "search" if is_marked else "text", label)] = EVERYWHERE


def _simple(sheet: Sheet, schema: Schema) -> _Face:
    draw = sheet.draw
    face = _heading(sheet, schema, "search")
    most = draw.between(2, 4)
    if draw.chance(450):
        _box(sheet, sheet.say("keyword"))
    for attribute in draw.some(schema.attributes[:7], most):
        left = most - len(sheet.controls)
        if left:
            ask_attribute(sheet, attribute, may_pair=left > 1)
    return face


def _advanced(sheet: Sheet, schema: Schema) -> _Face:
    draw = sheet.draw
    face = _heading(sheet, schema, "advanced")
    count = len(schema.attributes)
    asked = draw.between(5, count)
    left_out = draw.some(range(count), count - asked)
    if draw.chance(500):
        _box(sheet, sheet.say("keyword"))
    for number, attribute in enumerate(schema.attributes):
        left = _MOST_ASKED - len(sheet.controls)
        if number not in left_out and left > 0:
            ask_attribute(sheet, attribute, may_pair=left > 1)
    if draw.chance(400):
        _ask_settings(sheet)
    return face


def _select_only(sheet: Sheet, schema: Schema) -> _Face:
    draw = sheet.draw
    face = _heading(sheet, schema, "search")
    for attribute in draw.some(selectable(schema), draw.between(2, 5)):
        ask_attribute(sheet, attribute, may_pair=False, only_selects=True)
    return face


_MOST_ASKED = 10
"""Controls of an advanced form before the two that arrange its answers."""
_FILLED: dict[str, Callable[[Sheet, Schema], _Face]] = {
    "keyword": _keyword,
    "simple": _simple,
    "advanced": _advanced,
    "select_only": _select_only,
}
STYLES = tuple(_FILLED)


def _heading(sheet: Sheet, schema: Schema, general: str) -> _Face:
    """Most say what they look for above the controls or on the button; some leave it to those."""
    draw = sheet.draw
    place = draw.below(100)
    if place < 12:
        sheet.make_opaque()
    if place < 25:
        return _Face(is_mute=place < 10)
    if place < 75:
        name = draw.pick(schema.paths) if place >= 68 else ""
        return _Face(legend=draw.pick(said(schema.prompts, sheet.language)), name=name)
    if place < 88:
        return _Face(button=draw.pick(said(schema.prompts, sheet.language)))
    return _Face(legend=sheet.say(general))


def _ask_scope(sheet: Sheet, schema: Schema) -> str:
    kind = "radio" if sheet.draw.chance(600) else "select"
    base = sheet.draw.pick(("type", "searchtype", "in", "index", "field", "by", "sby"))
    options = _scopes(tuple(schema.attributes[:8]), sheet.say("keyword"), sheet.language)
    return sheet.ask(base, kind, sheet.say("in"), options)


def _ask_settings(sheet: Sheet) -> None:
    draw = sheet.draw
    if draw.chance(700):
        texts = said(GENERAL["orders"], sheet.language)
        base = draw.pick(("sort", "sortby", "order", "orderby"))
        options = tuple(zip(_ORDER_VALUES, texts, strict=True))
        sheet.settings[sheet.ask(base, "select", sheet.say("sort"), options)] = "sort"
    if draw.chance(600):
        base = draw.pick(("pagesize", "per_page", "num", "limit", "rows"))
        label, sizes = sheet.say("size"), same(draw.pick(_SIZES))
        sheet.settings[sheet.ask(base, "select", label, sizes)] = "size"


def _finished(sheet: Sheet, face: _Face, action: str, *, is_box: bool) -> FormModel:
    draw = sheet.draw
    sheet.hide(draw.weighted(HIDDEN_SUMS), _HIDDEN)
    names = _MUTE_NAMES if face.is_mute else _FORM_NAMES
    return FormModel(
        action=action,
        controls=tuple(sheet.controls),
        method="post" if draw.chance(POST_PER_MILLE) else "get",
        submits=_submits(sheet, face, is_box=is_box),
        legend=face.legend,
        name=face.name or draw.pick(names),
        has_search_role=is_box and not face.is_mute and draw.chance(ROLE_PER_MILLE),
    )


def _submits(sheet: Sheet, face: _Face, *, is_box: bool) -> tuple[tuple[str, str], ...]:
    draw = sheet.draw
    if face.button == "" and draw.chance(BUTTONLESS_PER_MILLE if is_box else 40):
        return ()
    name = "" if draw.chance(720) else draw.pick(_SUBMIT_NAMES)
    if face.is_mute:
        return (("", sheet.say("mute")),)
    if face.button:
        return ((name, face.button),)
    if draw.chance(280 if is_box else 60):
        return ((name, draw.pick(_SIGNS)),)
    return ((name, sheet.say("search")),)


_SCOPED = ("title", "person", "code", "place", "text")


def _example(schema: Schema, language: str, turn: int) -> str:
    """A label that lists what may be typed: `Title, Author or ISBN`."""
    asked = [a for a in schema.attributes if a.kind in _SCOPED][: 2 + turn % 2]
    labels = [said(attribute.labels, language) for attribute in asked]
    return ", ".join(words[turn % len(words)] for words in labels)


def _scopes(
    attributes: tuple[Attribute, ...], every: str, language: str
) -> tuple[tuple[str, str], ...]:
    named = [a for a in attributes if a.kind in _SCOPED][:4]
    return (("keyword", every), *((a.name, said(a.labels, language)[0]) for a in named))
