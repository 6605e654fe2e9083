"""What each control of a form asks for, and which two ask for the ends of one range.

Known by words, types and options alone (`senses`, `choices`, `clues`): words to
look for, a place, a date, a price ...; no site is named.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from msgspec import Struct, structs

from leadline.core.page import Field, Form
from leadline.forms.clues import Setting, guess
from leadline.forms.entries import BUTTONS, is_typed
from leadline.forms.hazards import says_search
from leadline.forms.senses import Ends, Said, ends_of, rest_of, said_of

KINDS = (
    "keyword", "title", "person", "organisation", "place", "date", "year", "price", "number",
    "code", "category", "yes/no", "sort", "page size", "language", "state", "user", "password",
    "email", "phone", "link", "payment", "message", "captcha", "file", "button", "other",
)  # fmt: skip
_PAIRED = frozenset({"price", "number", "year", "date", "place"})
_ENDED = _PAIRED | {"other"}
_REACH = 6
"""How many controls further the other end of a range may stand: those of two dates in parts."""
_BY_ENDS = "it says that it is one end, and not of what"
_PERSONAL_KINDS = frozenset({"password", "email", "textarea", "tel"})
_PERSONAL_SENSES = frozenset({"email", "password", "phone"})


class Meaning(Struct, frozen=True):
    """What one control asks for, and how that is known."""

    kind: str
    """One of KINDS."""
    part: str = ""
    """Which part: of a place its `zip`, of a date the `month`, of a person the `family` name."""
    end: str = ""
    """`from` or `to` where it asks for one end of a range or way."""
    why: str = ""

    @property
    def shown(self) -> str:
        """As in `place: zip` or `price to`."""
        return " ".join(filter(None, (f"{self.kind}:{self.part}".strip(":"), self.end)))


class Pair(Struct, frozen=True):
    """Two controls that ask for the ends of one range, or of one way between places."""

    kind: str
    low: int
    high: int
    """Numbers among the form's fields."""
    why: str = ""


class _Seen(NamedTuple):
    """A control that people see, with what it means."""

    number: int
    field: Field
    meaning: Meaning
    ends: Ends


def meanings(form: Form) -> tuple[Meaning, ...]:
    """One for each of the form's fields, in their order."""
    said = [said_of(field) for field in form.fields]
    setting = _setting(form, said)
    found = [_meaning(*both, setting) for both in zip(form.fields, said, strict=True)]
    for earlier, later in pairwise(_seen(form, found)):
        if shared := _shared(earlier, later):
            found[earlier.number] = _filled_in(earlier.meaning, shared, "from")
            found[later.number] = _filled_in(later.meaning, shared, "to")
    return tuple(found)


def pairs(form: Form, meant: Sequence[Meaning]) -> tuple[Pair, ...]:
    """Of controls with these meanings; an upper end belongs to the nearest lower one before it."""
    found: list[Pair] = []
    open_ends: list[_Seen] = []
    for high in _seen(form, meant):
        low = next((low for low in reversed(open_ends[-_REACH:]) if _are_ends(low, high)), None)
        if low is None:
            open_ends.append(high)
            continue
        open_ends.remove(low)
        why = f"{low.field.name!r} and {high.field.name!r} are its ends"
        found.append(Pair(low.meaning.kind, low.number, high.number, why))
    return tuple(found)


def _setting(form: Form, said: Sequence[Sequence[Said]]) -> Setting:
    typed = [field.kind for field in form.fields if is_typed(field)]
    senses = {sense for texts in said for text in texts for sense in text.senses[:1]}
    is_personal = not (_PERSONAL_KINDS.isdisjoint(typed) and _PERSONAL_SENSES.isdisjoint(senses))
    return Setting(is_lone=len(typed) == 1 and says_search(form), is_personal=is_personal)


def _meaning(field: Field, said: Sequence[Said], setting: Setting) -> Meaning:
    clue = guess(field, said, setting)
    ends = ends_of(said)
    end = (ends.end or ends.leg) if clue.kind in _ENDED else ""
    return Meaning(clue.kind, clue.part, end, clue.why)


def _seen(form: Form, meant: Sequence[Meaning]) -> list[_Seen]:
    numbered = enumerate(zip(form.fields, meant, strict=True))
    return [
        _Seen(number, field, meaning, ends_of(said_of(field)) if meaning.end else Ends())
        for number, (field, meaning) in numbered
        if field.kind not in BUTTONS and field.kind != "hidden"
    ]


def _shared(earlier: _Seen, later: _Seen) -> Meaning | None:
    """What two controls ask for of which one says no more than which end it is."""
    first, second = earlier.meaning, later.meaning
    if second.end != "to" or first.end == "to" or not _are_alike(earlier.field, later.field):
        return None
    if second.kind in ("other", "number") and first.kind in _PAIRED:
        return first
    if first.kind == second.kind == "other" and first.end == "from":
        is_bare = earlier.ends.is_bare and later.ends.is_bare
        return Meaning("place" if is_bare else "number", why=_BY_ENDS)
    return None


def _filled_in(meaning: Meaning, shared: Meaning, end: str) -> Meaning:
    if meaning.kind == shared.kind:
        return structs.replace(meaning, end=end)
    why = shared.why if shared.why == _BY_ENDS else f"the other end: {shared.why}"
    return Meaning(shared.kind, shared.part, end, why)


def _are_alike(one: Field, other: Field) -> bool:
    return one.kind == other.kind or (is_typed(one) and is_typed(other))


def _are_ends(low: _Seen, high: _Seen) -> bool:
    """Whether two controls bound one thing. Those that say nothing else are told by their numbers
    (`date1`, `date2`), and what ends ways ends no ranges (`return from` is none of `depart`)."""
    kind, part = low.meaning.kind, low.meaning.part
    is_one_thing = (kind, part) == (high.meaning.kind, high.meaning.part)
    if kind not in _PAIRED or not is_one_thing or not _are_alike(low.field, high.field):
        return False
    names = low.field.name, high.field.name
    if names[0][:-1] == names[1][:-1] and names[0][-1:] + names[1][-1:] == "12":
        return True
    rests = rest_of(names[0]), rest_of(names[1])
    if low.ends.end or high.ends.end:
        is_range = (low.meaning.end, high.ends.end) == ("from", "to")
        return is_range and (rests[0] == rests[1] or "" in rests or kind == "place")
    return (low.ends.leg, high.ends.leg) == ("from", "to")
