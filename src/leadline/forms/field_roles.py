"""What each control of a form asks for, and which two ask for the ends of one range.

Known from words, types and options alone (`field_texts`): words to look for, a place, a date, a
price ...; no site is named. Each text at a control is a clue with a weight, and the role with the
heaviest clues wins. Weights and word lists were set by hand on half of the real forms of
Formasaurus; `bench/field_roles.py` measures them on the other half, and in the lab.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, structs

from leadline.core.page import Field, Form
from leadline.forms.features import QUERY_NAMES
from leadline.forms.field_texts import (
    FieldEnds,
    FieldText,
    join_ends,
    own_name,
    read_texts,
    recognise_options,
    strip_ends,
)
from leadline.forms.form_data import BUTTONS, is_typed
from leadline.forms.hazards import says_search

ROLE_KINDS = (
    "keyword", "title", "person", "organisation", "place", "date", "year", "price", "number",
    "code", "category", "yes/no", "sort", "page size", "language", "state", "user", "password",
    "email", "phone", "link", "payment", "message", "captcha", "file", "button", "other",
)  # fmt: skip
_PAIRED = frozenset({"price", "number", "year", "date", "place"})
"""Roles of which forms ask for two ends."""
_ENDED = _PAIRED | {"other"}
"""Roles for which an end is noted; a control that says no more than `to` has none of its own."""
_REACH = 6
"""How many controls further the other end of a range may stand: two dates, each in parts."""
_BY_ENDS = "it says that it is one end, and not of what"
# A form with one of these asks for the person before it, so that a `name` is theirs; else it is
# the name of what is looked for.
_PERSONAL_KINDS = frozenset({"password", "email", "textarea", "tel"})
_PERSONAL_SENSES = frozenset({"email", "password", "phone"})


class FieldRole(Struct, frozen=True):
    """What one control asks for, and how that is known."""

    kind: str
    """One of ROLE_KINDS."""
    part: str = ""
    """Which part: of a place its `zip`, of a date the `month`, of a person the `family` name."""
    end: str = ""
    """`from` or `to` if it asks for one end of a range, or of a way between places."""
    why: str = ""

    @property
    def text(self) -> str:
        """As in `place:zip` or `price to`."""
        return " ".join(filter(None, (f"{self.kind}:{self.part}".strip(":"), self.end)))


class FieldRange(Struct, frozen=True):
    """Two controls that ask for the ends of one range, or of one way between places."""

    kind: str
    low: int
    high: int
    """Numbers among the form's fields."""
    why: str = ""


class _VisibleField(NamedTuple):
    """A control that people see, with its role."""

    number: int
    field: Field
    role: FieldRole
    ends: FieldEnds


class RoleClue(NamedTuple):
    """A reason for a role."""

    kind: str
    part: str
    why: str
    weight: float = 1.0


class FormContext(NamedTuple):
    """What the rest of its form says about a control."""

    is_lone: bool
    """The only box to type into, in a form that speaks of searching."""
    is_personal: bool
    """The form asks for other data of the person before it: names are theirs."""


def find_roles(form: Form) -> tuple[FieldRole, ...]:
    """One for each of the form's fields, in their order."""
    said = [read_texts(field) for field in form.fields]
    context = _read_context(form, said)
    found = []
    for field, texts in zip(form.fields, said, strict=True):
        clue, ends = _weigh_clues(field, texts, context), join_ends(texts)
        end = (ends.end or ends.leg) if clue.kind in _ENDED else ""
        found.append(FieldRole(clue.kind, clue.part, end, clue.why))
    # `Price [from] to [to]`: the second box says no more than that it is an end. What it is the end
    # of stands at the first.
    for earlier, later in pairwise(_visible_fields(form, found)):
        if shared := _shared_role(earlier, later):
            for one, end in ((earlier, "from"), (later, "to")):
                found[one.number] = _complete_role(one.role, shared, end)
    return tuple(found)


def find_ranges(form: Form, roles: Sequence[FieldRole]) -> tuple[FieldRange, ...]:
    """Pairs of controls with these roles; an upper end belongs to the nearest lower one before."""
    found: list[FieldRange] = []
    open_ends: list[_VisibleField] = []
    for high in _visible_fields(form, roles):
        low = next((low for low in reversed(open_ends[-_REACH:]) if _are_ends(low, high)), None)
        if low is None:
            open_ends.append(high)
            continue
        open_ends.remove(low)
        why = f"{low.field.name!r} and {high.field.name!r} are its ends"
        found.append(FieldRange(low.role.kind, low.number, high.number, why))
    return tuple(found)


def _read_context(form: Form, said: Sequence[Sequence[FieldText]]) -> FormContext:
    typed = [field.kind for field in form.fields if is_typed(field)]
    senses = {sense for texts in said for text in texts for sense in text.senses[:1]}
    is_personal = not (_PERSONAL_KINDS.isdisjoint(typed) and _PERSONAL_SENSES.isdisjoint(senses))
    return FormContext(is_lone=len(typed) == 1 and says_search(form), is_personal=is_personal)


def _visible_fields(form: Form, roles: Sequence[FieldRole]) -> list[_VisibleField]:
    numbered = enumerate(zip(form.fields, roles, strict=True))
    return [
        _VisibleField(
            number, field, meaning, join_ends(read_texts(field)) if meaning.end else FieldEnds()
        )
        for number, (field, meaning) in numbered
        if field.kind not in BUTTONS and field.kind != "hidden"
    ]


def _shared_role(earlier: _VisibleField, later: _VisibleField) -> FieldRole | None:
    """The role of two controls of which one says no more than which end it is; None for others."""
    first, second = earlier.role, later.role
    if second.end != "to" or first.end == "to" or not _are_alike(earlier.field, later.field):
        return None
    if second.kind in ("other", "number") and first.kind in _PAIRED:
        return first
    if first.kind == second.kind == "other" and first.end == "from":
        # A bare `from` and `to` are those of a journey; with words beside, of some amount.
        is_bare = earlier.ends.is_bare and later.ends.is_bare
        return FieldRole("place" if is_bare else "number", why=_BY_ENDS)
    return None


def _complete_role(role: FieldRole, shared: FieldRole, end: str) -> FieldRole:
    if role.kind == shared.kind:
        return structs.replace(role, end=end)
    why = shared.why if shared.why == _BY_ENDS else f"the other end: {shared.why}"
    return FieldRole(shared.kind, shared.part, end, why)


def _are_alike(one: Field, other: Field) -> bool:
    return one.kind == other.kind or (is_typed(one) and is_typed(other))


def _are_ends(low: _VisibleField, high: _VisibleField) -> bool:
    """Whether two controls are the ends of one thing."""
    kind, part = low.role.kind, low.role.part
    is_one_thing = (kind, part) == (high.role.kind, high.role.part)
    if kind not in _PAIRED or not is_one_thing or not _are_alike(low.field, high.field):
        return False
    names = low.field.name, high.field.name
    # `date1`, `date2`: nothing else tells which end each is.
    if names[0][:-1] == names[1][:-1] and names[0][-1:] + names[1][-1:] == "12":
        return True
    rests = strip_ends(names[0]), strip_ends(names[1])
    # Words for ranges and for legs of a way are not mixed: `return date from` is the lower end of
    # one range, and not the upper end of `depart`.
    if low.ends.end or high.ends.end:
        is_range = (low.role.end, high.ends.end) == ("from", "to")
        return is_range and (rests[0] == rests[1] or "" in rests or kind == "place")
    return (low.ends.leg, high.ends.leg) == ("from", "to")


_OF_TYPE = {
    "password": "password", "email": "email", "tel": "phone", "url": "link", "search": "keyword",
    "date": "date", "datetime-local": "date", "week": "date", "month": "date:month",
    "time": "date:time", "file": "file", "color": "other",
}  # fmt: skip
"""What a type says alone. Numbers are left out: they may be prices or years."""
_OF_AUTOCOMPLETE = {
    "name": "person", "given-name": "person:given", "additional-name": "person",
    "family-name": "person:family", "nickname": "user", "username": "user",
    "new-password": "password", "current-password": "password", "one-time-code": "captcha",
    "email": "email", "organization": "organisation", "street-address": "place:street",
    "address-line1": "place:street", "address-line2": "place:street",
    "address-level1": "place:region", "address-level2": "place:city", "postal-code": "place:zip",
    "country": "place:country", "country-name": "place:country", "tel": "phone",
    "tel-national": "phone", "bday": "date:birth", "url": "link", "language": "language",
    "cc-number": "payment", "cc-name": "payment", "cc-csc": "payment", "cc-exp": "payment",
    "cc-exp-month": "payment", "cc-exp-year": "payment",
}  # fmt: skip
"""HTML's names for what browsers fill in by themselves."""
_QUERY_NAMES = QUERY_NAMES | frozenset(
    "sq p wd what str searchbox searchkey searchkeyword searchwords searchterms".split()
)
"""Names of boxes for words, underscores left out: those of real search URLs, and some more."""
_KIND_OF = {
    "search": "keyword", "text": "keyword", "scope": "category:where to look", "id": "code",
    "mailing": "email", "named": "title", "date:travel": "date",
}  # fmt: skip
"""Senses of `role_words` that are no roles, by the role they stand for."""
_VAGUE = frozenset({"text", "search", "name", "named", "id", "date:travel"})
_VAGUENESS = 1.5
"""Weight that vague senses lose, so that a more exact one at another text wins."""
_SHOWN_CHARS = 40
_CHOSEN = frozenset({"select", "radio"})
_CHOSEN_KINDS = frozenset(
    {"sort", "page size", "language", "place", "date", "year", "price", "number", "category"}
    | {"payment", "scope"}
)
"""What lists of choices can ask for: nobody chooses a name or an address from one."""
_ARRANGING = frozenset({"sort", "page size", "scope"})
"""What boxes to type into do not ask for."""
_WRITTEN = frozenset({"captcha", "place:street"})
"""What boxes of several lines ask for besides messages."""
_NUMERIC = frozenset({"price", "page size", "number", "year", "date"})
"""Kinds whose options may be bare numbers."""
_LONE_WEIGHT = 2.5
_QUERY_WEIGHT, _LOOK_WEIGHT, _NUMBERS_WEIGHT = 5.0, 3.5, 5.0
"""Beside the weights of texts: a query's name outweighs a label, the look of options a name."""


def _weigh_clues(field: Field, said: Sequence[FieldText], context: FormContext) -> RoleClue:
    """The strongest clue to the role that all clues together speak most for."""
    certain = _certain_clue(field, said)
    if certain is not None:
        return certain
    clues = _clues_of_texts(field, said, context)
    if field.kind not in _CHOSEN and field.kind != "textarea":
        name = own_name(field.name).lower().replace("_", "").replace("-", "")
        if name in _QUERY_NAMES:
            why = f"boxes for words are called {name!r}"
            clues.append(RoleClue("keyword", "", why, _QUERY_WEIGHT))
        if context.is_lone:
            why = "the only box of a form that searches"
            clues.append(RoleClue("keyword", "", why, _LONE_WEIGHT))
    if field.options:
        clues = _weigh_options(field, clues)
    if not clues:
        return _default_clue(field)
    totals: dict[str, float] = {}
    for clue in clues:
        totals[clue.kind] = totals.get(clue.kind, 0.0) + clue.weight
    kind = max(totals, key=totals.__getitem__)
    agreed = sorted((clue for clue in clues if clue.kind == kind), key=lambda clue: -clue.weight)
    # The part may come from a weaker clue: `Location` with the name `zip` is a zip code.
    part = next((clue.part for clue in agreed if clue.part), "")
    return agreed[0]._replace(part=part)


def _certain_clue(field: Field, said: Sequence[FieldText]) -> RoleClue | None:
    """A clue that needs no weighing against others."""
    if field.kind == "hidden":
        return RoleClue("state", "", "nobody sees it")
    if field.kind in BUTTONS:
        return RoleClue("button", "", "it is pressed")
    if field.kind == "checkbox":
        return RoleClue("yes/no", "", "a box to tick")
    # `shipping postal-code`: the last word says what, those before it for which address.
    hint = field.autocomplete.lower().split()[-1:]
    if hint and hint[0] in _OF_AUTOCOMPLETE:
        return _clue_of(_OF_AUTOCOMPLETE[hint[0]], f"browsers are to fill in {hint[0]!r}")
    if field.kind == "password" and any("payment" in text.senses for text in said):
        return RoleClue("payment", "", "it hides what is typed and speaks of a card")
    if field.kind in _OF_TYPE:
        return _clue_of(_OF_TYPE[field.kind], f"its type is {field.kind}")
    return None


def _clue_of(sense: str, why: str) -> RoleClue:
    kind, _, part = sense.partition(":")
    return RoleClue(kind, part, why)


def _clues_of_texts(
    field: Field, said: Sequence[FieldText], context: FormContext
) -> list[RoleClue]:
    """The first sense of each text that such a control can ask for."""
    found = []
    for text in said:
        sense = next((sense for sense in text.senses if _can_ask_for(sense, field)), "")
        if sense:
            kind, part = _role_of(sense, field, text, context)
            weight = text.weight - (_VAGUENESS if sense in _VAGUE else 0.0)
            why = f"its {text.where} says {text.text[:_SHOWN_CHARS]!r}"
            found.append(RoleClue(kind, part, why, weight))
    return found


def _can_ask_for(sense: str, field: Field) -> bool:
    if field.kind == "textarea":
        return sense in _WRITTEN
    if field.kind in _CHOSEN:
        return sense.partition(":")[0] in _CHOSEN_KINDS
    return sense not in _ARRANGING


def _role_of(sense: str, field: Field, text: FieldText, context: FormContext) -> tuple[str, str]:
    if sense == "name" or (sense == "named" and text.where == "name"):
        return ("person" if context.is_personal else "title"), ""
    # `Rooms from`: what has an end is counted, not chosen from a list.
    if sense == "category" and (text.ends.end or text.ends.leg) and field.kind not in _CHOSEN:
        return "number", ""
    kind, _, part = _KIND_OF.get(sense, sense).partition(":")
    return kind, part


def _weigh_options(field: Field, clues: list[RoleClue]) -> list[RoleClue]:
    """The clues with that of the options. Bare numbers may count, cost or date something: then
    the words at the control tell which."""
    kind, part = recognise_options(field.options)
    # `Show: new, used` arranges nothing; how many to show is a number.
    if kind != "number":
        clues = [clue for clue in clues if clue.kind != "page size"]
    if not kind:
        return clues
    why = f"its options look like {kind}{f': {part}' if part else ''}"
    amount = next((c for c in clues if c.kind in _NUMERIC), None) if kind == "number" else None
    if amount:
        return [*clues, amount._replace(weight=_LOOK_WEIGHT)]
    weight = _NUMBERS_WEIGHT if kind == "number" else _LOOK_WEIGHT
    return [*clues, RoleClue(kind, part, why, weight)]


def _default_clue(field: Field) -> RoleClue:
    """For a control at which nothing is known."""
    if field.kind == "textarea":
        return RoleClue("message", "", "a box of several lines")
    if field.kind in _CHOSEN:
        return RoleClue("category", "", "a list of choices")
    if field.kind in ("number", "range"):
        return RoleClue("number", "", f"its type is {field.kind}")
    return RoleClue("other", "", "nothing at it is known")
