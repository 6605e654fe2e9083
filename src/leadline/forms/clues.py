"""What one control asks for, weighed from the texts at it, its type and its options."""

from collections.abc import Sequence
from typing import NamedTuple

from leadline.core.page import Field
from leadline.forms.choices import look_of
from leadline.forms.entries import BUTTONS
from leadline.forms.senses import Said, last_name
from leadline.forms.traits import QUERY_NAMES


class Clue(NamedTuple):
    """A reason to take a control for something."""

    kind: str
    part: str
    why: str
    weight: float = 1.0


class Setting(NamedTuple):
    """What is known of a control by the rest of its form."""

    is_lone: bool
    """The only box to type into, in a form that speaks of searching."""
    is_personal: bool
    """The form asks for more of the person before it: names are theirs."""


_OF_TYPE = {
    "password": "password", "email": "email", "tel": "phone", "url": "link", "search": "keyword",
    "date": "date", "datetime-local": "date", "week": "date", "month": "date:month",
    "time": "date:time", "file": "file", "color": "other",
}  # fmt: skip
"""What types say alone. Numbers may be prices or years."""
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
_VAGUE = frozenset({"text", "search", "name", "named", "id", "date:travel"})
_SHOWN_CHARS = 40
_VAGUENESS = 1.5
"""What vague senses lose: they give way to what says more."""
_CHOSEN = frozenset({"select", "radio"})
_CHOSEN_KINDS = frozenset(
    {"sort", "page size", "language", "place", "date", "year", "price", "number", "category"}
    | {"payment", "scope"}
)
_ARRANGING = frozenset({"sort", "page size", "scope"})
_WRITTEN = frozenset({"captcha", "place:street"})
"""What boxes of several lines ask for besides messages."""
_AMOUNTS = frozenset({"price", "page size", "number", "year", "date"})
"""Kinds whose options may be bare numbers."""
_LONE_WEIGHT = 2.5
_QUERY_WEIGHT, _LOOK_WEIGHT, _NUMBERS_WEIGHT = 5.0, 3.5, 5.0
"""Beside the weights of texts: a query's name outweighs a label, the look of options a name."""


def guess(field: Field, said: Sequence[Said], setting: Setting) -> Clue:
    """The best reason for what most reasons speak for."""
    plain = _plain(field, said)
    if plain is not None:
        return plain
    clues = [*_spoken(field, said, setting), *_query_name(field)]
    if setting.is_lone and field.kind not in _CHOSEN and field.kind != "textarea":
        clues.append(Clue("keyword", "", "the only box of a form that searches", _LONE_WEIGHT))
    if field.options:
        clues = _with_look(field, clues)
    return _heaviest(clues) if clues else _silent(field)


def _heaviest(clues: Sequence[Clue]) -> Clue:
    totals: dict[str, float] = {}
    for clue in clues:
        totals[clue.kind] = totals.get(clue.kind, 0.0) + clue.weight
    kind = max(totals, key=totals.__getitem__)
    agreed = sorted((clue for clue in clues if clue.kind == kind), key=lambda clue: -clue.weight)
    part = next((clue.part for clue in agreed if clue.part), "")
    return agreed[0]._replace(part=part)


def _plain(field: Field, said: Sequence[Said]) -> Clue | None:
    """What needs no weighing."""
    if field.kind == "hidden":
        return Clue("state", "", "nobody sees it")
    if field.kind in BUTTONS:
        return Clue("button", "", "it is pressed")
    if field.kind == "checkbox":
        return Clue("yes/no", "", "a box to tick")
    hint = field.autocomplete.lower().split()[-1:]
    if hint and hint[0] in _OF_AUTOCOMPLETE:
        return _told(_OF_AUTOCOMPLETE[hint[0]], f"browsers are to fill in {hint[0]!r}")
    if field.kind == "password" and any("payment" in text.senses for text in said):
        return Clue("payment", "", "it hides what is typed and speaks of a card")
    if field.kind in _OF_TYPE:
        return _told(_OF_TYPE[field.kind], f"its type is {field.kind}")
    return None


def _told(sense: str, why: str) -> Clue:
    kind, _, part = sense.partition(":")
    return Clue(kind, part, why)


def _spoken(field: Field, said: Sequence[Said], setting: Setting) -> list[Clue]:
    """What each text says first of what such a control can ask for."""
    found = []
    for text in said:
        sense = next((sense for sense in text.senses if _is_apt(sense, field)), "")
        if sense:
            kind, part = _kind_of(sense, field, text, setting)
            weight = text.weight - (_VAGUENESS if sense in _VAGUE else 0.0)
            why = f"its {text.where} says {text.text[:_SHOWN_CHARS]!r}"
            found.append(Clue(kind, part, why, weight))
    return found


def _is_apt(sense: str, field: Field) -> bool:
    if field.kind == "textarea":
        return sense in _WRITTEN
    if field.kind in _CHOSEN:
        return sense.partition(":")[0] in _CHOSEN_KINDS
    return sense not in _ARRANGING


def _kind_of(sense: str, field: Field, text: Said, setting: Setting) -> tuple[str, str]:
    if sense == "name" or (sense == "named" and text.where == "name"):
        return ("person" if setting.is_personal else "title"), ""
    if sense == "category" and (text.ends.end or text.ends.leg) and field.kind not in _CHOSEN:
        return "number", ""
    kind, _, part = _KIND_OF.get(sense, sense).partition(":")
    return kind, part


def _query_name(field: Field) -> list[Clue]:
    name = last_name(field.name).lower().replace("_", "").replace("-", "")
    if name not in _QUERY_NAMES or field.kind == "textarea" or field.kind in _CHOSEN:
        return []
    return [Clue("keyword", "", f"boxes for words are called {name!r}", _QUERY_WEIGHT)]


def _with_look(field: Field, clues: list[Clue]) -> list[Clue]:
    """Bare numbers may count, cost or date something: words tell which."""
    kind, part = look_of(field.options)
    if kind != "number":
        clues = [clue for clue in clues if clue.kind != "page size"]
    if not kind:
        return clues
    why = f"its options look like {kind}{f': {part}' if part else ''}"
    amount = next((c for c in clues if c.kind in _AMOUNTS), None) if kind == "number" else None
    if amount:
        return [*clues, amount._replace(weight=_LOOK_WEIGHT)]
    return [*clues, Clue(kind, part, why, _NUMBERS_WEIGHT if kind == "number" else _LOOK_WEIGHT)]


def _silent(field: Field) -> Clue:
    if field.kind == "textarea":
        return Clue("message", "", "a box of several lines")
    if field.kind in _CHOSEN:
        return Clue("category", "", "a list of choices")
    if field.kind in ("number", "range"):
        return Clue("number", "", f"its type is {field.kind}")
    return Clue("other", "", "nothing at it is known")
