"""What the texts at a control speak of: its label, hint, name, title and id."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from leadline.core.page import Field
from leadline.forms import hazard_words
from leadline.forms.entries import BUTTONS
from leadline.forms.hazard_words import fold
from leadline.forms.hazards import spoken
from leadline.forms.meaning_words import SENSES

_MAX_CHARS = 80
"""Of a text, read: what is longer explains, and names more than it asks for."""
_split = re.compile(r"[^\W\d_]+").findall
_segments = re.compile(r"[^\[\]$.]+").findall
_is_dated = re.compile(
    r"(?:yy|jj|aa|rr)(?:yy|jj|aa|rr)? ?[-./] ?mm|mm? ?[-./] ?(?:dd?|tt|jj|yy)"
    r"|(?:dd|tt|jj|gg) ?[-./] ?mm"
).search
"""How a date is to be written, in the letters of several languages."""
_PRIVATE = (
    ("password", hazard_words.PASSWORD),
    ("captcha", hazard_words.CAPTCHA),
    ("email", hazard_words.EMAIL),
    ("payment", hazard_words.PAYMENT),
    ("user", hazard_words.USER),
    ("phone", hazard_words.PHONE),
    ("message", hazard_words.MESSAGE),
)
_AMOUNTS = frozenset({"amount", "betrag", "montant", "import", "importe", "donation"})
"""Words for payments that are also those for prices to be looked for."""
_BITS = {name: 1 << number for number, name in enumerate(SENSES.names)}
_END_BITS = _BITS["from"] | _BITS["to"]
_WAY_BITS = _BITS["first"] | _BITS["last"]
_ALL_ENDS = _END_BITS | _WAY_BITS
_UNNAMED = _ALL_ENDS | _BITS["nothing"]
_goes_on = re.compile(r"[-\u2013\u2014~]|(?:and|und|et|och|og)\b.*|[yeiи]|en").fullmatch
"""What stands between the two controls of a range, before the second: a dash, an `and`."""
_WORDLESS = BUTTONS | {"hidden", "checkbox"}
_OWN = frozenset({"for", "wrap", "aria"})
_NEAR = frozenset({"before", "cell"})
_LISTED = frozenset({"title", "person", "code", "place", "organisation", "text"})
"""Kinds that boxes for anything list: `title, author or ISBN`."""


class Said(NamedTuple):
    """A text at a control, and what it speaks of, what says most first."""

    where: str
    weight: float
    text: str
    senses: tuple[str, ...]
    ends: "Ends"


class Ends(NamedTuple):
    """Which end of a range is spoken of: `from`, `to`, or '' for none or both."""

    end: str = ""
    leg: str = ""
    """The same by words that name a leg of a way or stay: `return`, `check-in`."""
    is_bare: bool = True
    """Nothing else is said."""


_WEIGHTS = {"label": 4.0, "hint": 3.5, "name": 3.0, "nearby text": 2.0, "title": 2.0, "id": 1.0}
"""How far a text is believed. A label that people tied to the control says more than a name, which
is for machines; text that merely stands before it may belong to something else."""


def said_of(field: Field) -> list[Said]:
    """What each text says; texts that say nothing are left out, as is what needs no words."""
    if field.kind in _WORDLESS:
        return []
    found = [_said(where, text, field) for where, text in _texts(field).items() if text]
    if not any(said.where == "name" and said.senses for said in found):
        found.append(_said("id", spoken(field.dom_id), field))
    return [said for said in found if said.senses or said.ends.end or said.ends.leg]


def _texts(field: Field) -> dict[str, str]:
    # What stands at a radio button is one of its options.
    label = "" if field.kind == "radio" else field.label
    return {
        "label": label if field.label_source in _OWN else "",
        "hint": field.placeholder,
        "name": spoken_name(field.name),
        "nearby text": label if field.label_source in _NEAR else "",
        "title": field.title,
    }


def _said(where: str, text: str, field: Field) -> Said:
    text = text[:_MAX_CHARS]
    senses, ends = _read(text, field.kind not in ("select", "radio"))
    if where != "name" and not ends.end and _goes_on(text.lower()):
        ends = Ends("to", is_bare=ends.is_bare)
    return Said(where, _WEIGHTS[where], text, senses, ends)


def ends_of(said: Sequence[Said]) -> Ends:
    """What they speak of together. Names are written for it, so they are asked first."""
    ends = [text.ends for text in sorted(said, key=lambda text: text.where != "name")]
    return Ends(
        next((one.end for one in ends if one.end), ""),
        next((one.leg for one in ends if one.leg), ""),
        is_bare=all(one.is_bare for one in ends),
    )


def rest_of(name: str) -> str:
    """A control's own name without ends, numbers and lone letters, by which two ends of one range
    are known.

    >>> rest_of("price_from"), rest_of("search[maxPrice]"), rest_of("date2")
    ('price', 'price', 'date')
    """
    words = _split(spoken(last_name(name)))
    return " ".join(word for word in words if len(word) > 1 and not SENSES[word] & _ALL_ENDS)


def last_name(name: str) -> str:
    """The part of a nested name that is the control's own.

    >>> last_name("search[price_from]"), last_name("ctl00$Main$txtCity")
    ('price_from', 'txtCity')
    """
    return next(reversed(_segments(name)), "")


@lru_cache(maxsize=20_000)
def spoken_name(name: str) -> str:
    """Its own part as words; all of it where that says nothing and the rest was given by people."""
    own = spoken(last_name(name))
    return own if "$" in name or _bits(fold(own)) else spoken(name)


@lru_cache(maxsize=20_000)
def _read(text: str, is_typed: bool) -> tuple[tuple[str, ...], Ends]:
    """Remembered, since forms have most of their words in common with others."""
    text = fold(text)
    bits = _bits(text)
    words = _split(text)
    ends = Ends(
        _either(bits, "from", "to"),
        {"first": "from", "last": "to"}.get(_either(bits, "first", "last"), ""),
        is_bare=all(SENSES[word] & _ALL_ENDS for word in words),
    )
    if _is_dated(text):
        return ("date",), ends
    senses = [*_private(text, bits, is_typed), *_named(text, bits)]
    if hazard_words.SEARCH(text):
        senses.append("search")
    if is_typed and hazard_words.MAILING(text):
        senses.append("mailing")
    return (("search",) if is_typed and _is_list(senses, text) else tuple(senses)), ends


def _either(bits: int, one: str, other: str) -> str:
    """Which of two is spoken of; '' for none or both."""
    found = [sense for sense in (one, other) if bits & _BITS[sense]]
    return found[0] if len(found) == 1 else ""


def _bits(text: str) -> int:
    """Of all words; two that say something together say nothing alone but an end."""
    words = _split(text)
    alone = [SENSES[word] for word in words]
    found = 0
    for place in range(len(words) - 1):
        together = _together(words[place], words[place + 1])
        found |= together
        if together & ~_ALL_ENDS:
            alone[place] &= _ALL_ENDS
            alone[place + 1] &= _ALL_ENDS
    for bits in alone:
        found |= bits
    return found


def _together(first: str, second: str) -> int:
    """Letters alone are no words that make one with others."""
    return SENSES.across(first, second) if len(first) > 1 < len(second) else 0


def _private(text: str, bits: int, is_typed: bool) -> list[str]:
    found = []
    for sense, matches in _PRIVATE if is_typed else _PRIVATE[3:4]:
        match = matches(text)
        is_amount = match and sense == "payment" and match[0] in _AMOUNTS
        # `Почтовый индекс`: the post brings both.
        is_zip = sense == "email" and bits & _BITS["place:zip"]
        if match and not is_amount and not is_zip:
            found.append(sense)
    return found


def _named(text: str, bits: int) -> list[str]:
    found = [sense for sense, bit in _BITS.items() if bits & bit and not bit & _UNNAMED]
    if found and found[-1] == "name" and len(_split(text)) > 1:
        found[-1] = "named"
    return found


def _is_list(senses: list[str], text: str) -> bool:
    """Whether several things may be typed: `title, author`, `search by name or city`."""
    kinds = {sense.partition(":")[0] for sense in senses} & _LISTED
    return len(kinds) > 2 or (len(kinds) == 2 and ("search" in senses or "," in text))
