"""What each control of a form is there for: typing words, narrowing, ends of a range, arranging."""

from collections.abc import Sequence
from typing import NamedTuple

from leadline.core.page import Field, Form
from leadline.forms.choices import look_of
from leadline.forms.entries import is_typed
from leadline.forms.hazard_words import ARRANGING
from leadline.forms.hazards import own_text
from leadline.forms.meaning import Meaning, meanings
from leadline.harvester.survey.open_choices import open_choice, real_choices
from leadline.harvester.survey.ranges import ends_in
from leadline.harvester.survey.scopes import is_scope, is_scope_tick

BOX = "box"
MENU = "menu"
TICK = "tick"
"""A box to tick; those of one name are one menu."""
LOW, HIGH = "low", "high"
"""The ends of a range."""
SCOPE = "scope"
"""Says where the words are looked for, or how they are joined."""
SETTING = "setting"
"""Arranges the answer: order, page size, view, the site's language."""
SIZE = "page size"
PART = "part"
"""Of a date in pieces, or of something private: it is left as it is."""
UNUSED = "unused"
"""Nothing that a query could fill in."""

_CHOSEN = frozenset({"select", "radio"})
_PRIVATE = frozenset(
    {"user", "password", "email", "phone", "payment", "message", "captcha", "file", "link"}
)
_SIZES = frozenset("5 10 12 15 20 24 25 30 40 48 50 60 75 80 96 100 150 200 250 500 1000".split())
"""Results on a page, as forms offer them."""
_MOST_SIZES = 8


class Role(NamedTuple):
    """One control, what it asks for and what it is there for."""

    field: Field
    meaning: Meaning
    use: str


class Range(NamedTuple):
    """Two controls that are the ends of one."""

    low: Role
    high: Role


class Roles(NamedTuple):
    """All controls of a form, each with its use; ends of ranges again, by pairs."""

    controls: tuple[Role, ...]
    ranges: tuple[Range, ...]

    def used_as(self, *uses: str) -> list[Role]:
        return [role for role in self.controls if role.use in uses]


def roles_of(form: Form) -> Roles:
    """In the order of the form's fields."""
    meant = meanings(form)
    uses = [_use(field, meaning) for field, meaning in zip(form.fields, meant, strict=True)]
    ends = ends_in(form, meant, lambda number: uses[number] in (BOX, MENU))
    for low, high in ends:
        uses[low], uses[high] = LOW, HIGH
    _leave_date_parts(form, meant, uses)
    roles = tuple(map(Role, form.fields, meant, uses))
    whole = [(low, high) for low, high in ends if uses[low] == LOW]
    return Roles(roles, tuple(Range(roles[low], roles[high]) for low, high in whole))


def _use(field: Field, meaning: Meaning) -> str:
    if not field.name or field.is_disabled:
        return UNUSED
    if is_typed(field):
        return PART if meaning.kind in _PRIVATE or field.kind == "textarea" else BOX
    if field.kind == "checkbox":
        return SCOPE if is_scope_tick(field) else TICK
    return _use_of_list(field, meaning) if field.kind in _CHOSEN else UNUSED


def _use_of_list(field: Field, meaning: Meaning) -> str:
    """What narrows leaves a choice open; what arranges always has one of its choices."""
    is_open = open_choice(field) is not None
    if meaning.kind == "page size" or _offers_sizes(field, meaning):
        return SIZE if not is_open or _offers_usual_sizes(field) else MENU
    if _offers_orders(field) or (meaning.kind == "sort" and not is_open):
        return SETTING
    if is_scope(field, meaning):
        return SCOPE
    # The language of the pages is a setting, that of records leaves a choice open.
    is_arranging = meaning.kind in ("sort", "language") or ARRANGING(own_text(field)) is not None
    if is_arranging and not is_open:
        return SETTING
    return MENU if real_choices(field) else UNUSED


def _offers_orders(field: Field) -> bool:
    """The look of a list passes over its first option, which here is one as the others."""
    options = field.options
    return look_of(options)[0] == "sort" or look_of((*options[:1], *options))[0] == "sort"


def _offers_usual_sizes(field: Field) -> bool:
    values = [option.value.strip() for option in real_choices(field)]
    return 0 < len(values) <= _MOST_SIZES and _SIZES.issuperset(values)


def _offers_sizes(field: Field, meaning: Meaning) -> bool:
    """Whether a list of which nothing else is known offers a few usual page sizes, always one."""
    is_untold = meaning.kind == "number" and not meaning.part and meaning.why.startswith("its opt")
    is_closed = open_choice(field) is None and len(field.options) > 1
    return is_untold and is_closed and _offers_usual_sizes(field)


def _leave_date_parts(form: Form, meant: Sequence[Meaning], uses: list[str]) -> None:
    """Days and months mean nothing alone; where a form asks for several, they are left."""
    lists = [n for n, f in enumerate(form.fields) if f.kind == "select" and meant[n].kind == "date"]
    parts = [n for n in lists if meant[n].part in ("day", "month", "time")]
    if len({meant[n].part for n in parts}) > 1:
        for n in parts:
            uses[n] = PART
