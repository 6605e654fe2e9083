"""A form as a row of numbers, each with a name in words: FFC's features, and a wider set.

Barbosa and Freire, "Searching for hidden-Web databases" (WebDB 2005), tell searchable
forms by fourteen features of their structure. HTML5 asks for these readings of them:

* a <button> that submits is a submit button;
* every box for one line of typing is a text box, whatever its type: search, email, tel ...;
* a text box without a size has the 20 characters browsers give it;
* "search" is looked for in the whole form, not in its tag alone: in the text, and in names, ids,
  labels, placeholders and the beginnings of values of the first forty controls.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.core.page import Field, Form
from leadline.core.url import origin_of
from leadline.forms.feature_words import MEANINGS, SAYS_SEARCH, find_meanings

FFC_FEATURES = (
    "hidden fields", "checkboxes", "radio buttons", "file uploads", "submit buttons",
    "image buttons", "other buttons", "reset buttons", "password boxes", "text boxes",
    "items in lists of choices", "characters the text boxes show", "sent by POST",
    "the word search",
)  # fmt: skip
_COUNTS = (
    "e-mail boxes", "search boxes", "phone boxes", "message boxes", "lists of choices",
    "controls that must be filled in", "boxes that hold a text already",
)  # fmt: skip
_CLAIMS = (
    "marked as a search region", "a text box named like a query",
    "a text box named like a query alone", "one text box and nothing else to fill in",
    "one text box sent by GET", "nothing to fill in", "no text box", "choices only",
    "one list of choices only", "three text boxes or more", "no button",
    "sent to another host", "sent to its own page", "more than five hidden fields",
    "more than 400 characters of text", "words of searching",
    "words of searching and one text box", "asks what records have and nothing personal",
    "asks for nothing personal",
)  # fmt: skip
_OF_RECORDS = ("choosing", "a place")
"""What search forms of one subject ask for, and checkouts too: these words say something only in a
form that asks for nothing personal, so they make one claim and no features of their own."""
_PERSONAL = ("an account", "joining", "mail", "a message", "a purchase", "a person")
TELLING = tuple(meaning for meaning in MEANINGS if meaning not in _OF_RECORDS)
PLACES = ("its tag", "its boxes", "its buttons", "its text", "its choices")
NUMBERS = (*FFC_FEATURES, *_COUNTS, *_CLAIMS)
QUERY_NAMES = frozenset(
    "q query s search keyword keywords text term terms searchterm k lookfor word words searchtext"
    " searchstring keys key w phrase searchword find criteria fulltext qt qs kw string suche st"
    " request searchfor searchquery freetext".split()
)
"""The names under which some 5,600 real search URLs carry the query, those met on several hosts
that say nothing of what is looked for; underscores left out."""
_DEFAULT_SIZE = 20
"""Characters a browser shows of a text box without a size (HTML, section 4.10.5.3.2)."""
_LONG_TEXT = 400
"""Characters: nine in ten real forms have fewer."""
_READ_CHARS = 300
"""Of tag and text, read for their meanings: what a form is for stands in its first lines."""
_READ_FIELDS = 40
"""Controls whose words are read: real searches have no more."""
_VALUE_CHARS = 40
"""Of a value, read: prompts are short, and what is long is meant for machines."""
_OWN_LABELS = frozenset({"for", "wrap", "aria", "title", "own"})
"""Sources of labels that surely belong to their control. What merely stands before a box is read
with the form's text, or belongs to something else if it stands outside."""
_BOXES, _PRESSED, _CHOSEN, _HIDDEN = 1, 2, 4, 5
_PLACE_OF = {
    "button": _PRESSED, "reset": _PRESSED, "hidden": _HIDDEN,
    "select": _CHOSEN, "radio": _CHOSEN, "checkbox": _CHOSEN,
}  # fmt: skip
"""Where kinds of fields stand among PLACES; the others are boxes."""
_COUNTED = ("email", "search", "tel", "textarea", "select")
_NOT_TYPED = frozenset(
    {"hidden", "checkbox", "radio", "file", "button", "reset", "password", "select", "textarea"}
)
_CLOSED = frozenset({"password", "textarea", "email", "tel", "file"})
_MANY_BOXES, _MANY_HIDDEN = 3, 5
_BIT = {meaning: 1 << number for number, meaning in enumerate(MEANINGS)}
_SEARCHING_BIT = _BIT["searching"]
_RECORD_BITS = sum(_BIT[meaning] for meaning in _OF_RECORDS)
_PERSONAL_BITS = sum(_BIT[meaning] for meaning in _PERSONAL)


def read_features(form: Form) -> list[int]:
    """The numbers of NUMBERS, then what is spoken of at each of PLACES, as bits of MEANINGS.

    Every form of every page passes here, so it builds one plain list and no objects.
    """
    fields = form.fields
    kinds = [field.kind for field in fields]
    typed = [field for field in fields if field.kind not in _NOT_TYPED]
    spoken = _find_form_meanings(form)
    numbers = _count_controls(form, kinds, typed)
    numbers.append(_says_search(form, spoken))
    numbers += map(kinds.count, _COUNTED)
    numbers.append([field.is_required for field in fields].count(True))
    numbers.append(len(typed) - [field.value for field in typed].count(""))
    numbers += _check_claims(form, kinds, typed, spoken)
    return numbers + spoken[: len(PLACES)]


def _count_controls(form: Form, kinds: list[str], typed: list[Field]) -> list[int]:
    """All but the last of FFC's features."""
    fields, submits = form.fields, [field.kind for field in form.submits]
    has_radios, has_lists = "radio" in kinds, "select" in kinds
    count = kinds.count
    return [
        count("hidden"),
        count("checkbox"),
        sum([len(f.options) or 1 for f in fields if f.kind == "radio"]) if has_radios else 0,
        count("file"),
        submits.count("submit"),
        submits.count("image"),
        count("button"),
        count("reset"),
        count("password"),
        len(typed),
        sum([len(f.options) for f in fields if f.kind == "select"]) if has_lists else 0,
        sum([field.size or _DEFAULT_SIZE for field in typed]),
        form.method == "post",
    ]


def _check_claims(
    form: Form, kinds: list[str], typed: list[Field], spoken: list[int]
) -> list[bool]:
    hidden, selects, buttons = map(kinds.count, ("hidden", "select", "button"))
    choices = selects + kinds.count("radio") + kinds.count("checkbox")
    filled = len(kinds) - hidden - buttons - kinds.count("reset")
    has_one_box = len(typed) == 1
    names = [field.name.replace("_", "").lower() for field in typed]
    is_query = not QUERY_NAMES.isdisjoint(names)
    tag, boxes, pressed, text, chosen, _ = spoken
    asked = boxes | chosen
    is_open = filled > 0 and not (asked | text) & _PERSONAL_BITS and _CLOSED.isdisjoint(kinds)
    is_searching = (tag | boxes | pressed | text | chosen) & _SEARCHING_BIT > 0
    return [
        form.has_search_role,
        is_query,
        is_query and has_one_box,
        has_one_box and filled == 1,
        has_one_box and filled == 1 + choices and form.method == "get",
        filled == 0,
        not typed and "textarea" not in kinds,
        filled == choices > 0,
        filled == selects == 1,
        len(typed) >= _MANY_BOXES,
        not form.submits and not buttons,
        form.action is not None and not form.action.startswith(origin_of(form.page) + "/"),
        form.action == form.page,
        hidden > _MANY_HIDDEN,
        len(form.text) > _LONG_TEXT,
        is_searching,
        is_searching and has_one_box,
        is_open and asked & _RECORD_BITS > 0,
        is_open,
    ]


def _find_form_meanings(form: Form) -> list[int]:
    """What is spoken of at each of PLACES, and last in hidden fields, as bits."""
    spoken = [
        find_meanings(form.attributes[:_READ_CHARS]),
        0,
        0,
        find_meanings(form.text[:_READ_CHARS]),
        0,
        0,
    ]
    for button in form.submits:
        spoken[_PRESSED] |= _find_field_meanings(button)
    for field in form.fields[:_READ_FIELDS]:
        spoken[_PLACE_OF.get(field.kind, _BOXES)] |= _find_field_meanings(field)
    return spoken


def _find_field_meanings(field: Field) -> int:
    bits = find_meanings(field.name) | find_meanings(field.placeholder)
    bits |= find_meanings(field.dom_id) | find_meanings(field.value[:_VALUE_CHARS])
    return bits | find_meanings(field.label) if field.label_source in _OWN_LABELS else bits


def _says_search(form: Form, spoken: list[int]) -> bool:
    """FFC's last feature, read from the whole text."""
    tag, boxes, pressed, text, chosen, hidden = spoken
    if (tag | boxes | pressed | text | chosen | hidden) & SAYS_SEARCH:
        return True
    return len(form.text) > _READ_CHARS and "search" in form.text.lower()


Rows = NDArray[np.float64]
"""One row per form, one column per feature."""

FEATURES = (
    *NUMBERS,
    *(f"words of {meaning} in {place}" for place in PLACES for meaning in TELLING),
)
"""Numbers enter as log2(1 + n), so that a claim that holds is 1; meanings are 0 or 1."""
_ALL_BITS = (1 << len(MEANINGS)) - 1
_SHIFTS = np.array([MEANINGS.index(meaning) for meaning in TELLING])
_MEANINGS_OF = (np.arange(_ALL_BITS + 1)[:, None] >> _SHIFTS & 1).astype(np.float64)
"""What each combination of bits is in the columns of a place."""


def feature_rows(forms: Sequence[Form]) -> Rows:
    """The wider features of each form, in the order of FEATURES."""
    read = _read_all(forms)
    numbers, spoken = read[:, : len(NUMBERS)], read[:, len(NUMBERS) :]
    meanings = _MEANINGS_OF.take(spoken & _ALL_BITS, axis=0)
    width = len(FEATURES) - len(NUMBERS)
    return np.concatenate((np.log2(numbers + 1), meanings.reshape(len(forms), width)), axis=1)


def ffc_rows(forms: Sequence[Form]) -> Rows:
    """FFC's features of each form as they are counted, in the order of FFC_FEATURES."""
    return _read_all(forms)[:, : len(FFC_FEATURES)].astype(np.float64)


def _read_all(forms: Sequence[Form]) -> NDArray[np.int64]:
    width = len(NUMBERS) + len(PLACES)
    return np.array([read_features(form) for form in forms], np.int64).reshape(len(forms), width)


class _Columns(dict[int, list[tuple[int, float]]]):
    """The cells of each combination of bits, for the place whose columns begin at `first`.
    Cached, because real forms have few combinations."""

    def __init__(self, first: int) -> None:
        super().__init__()
        self._first = first

    def __missing__(self, bits: int) -> list[tuple[int, float]]:
        held = np.flatnonzero(_MEANINGS_OF[bits & _ALL_BITS]) + self._first
        self[bits] = [(column, 1.0) for column in held.tolist()]
        return self[bits]


_COLUMNS_OF = [_Columns(first) for first in range(len(NUMBERS), len(FEATURES), len(TELLING))]


def feature_cells(form: Form) -> list[tuple[int, float]]:
    """The features a form has, each with its column among FEATURES; all others are 0.

    The same as its row, and faster for the two or three forms of a page.
    """
    read, log2 = read_features(form), math.log2
    numbers = enumerate(read[: len(NUMBERS)])
    found = [(column, log2(number + 1)) for column, number in numbers if number]
    for columns, bits in zip(_COLUMNS_OF, read[len(NUMBERS) :], strict=True):
        found += columns[bits]
    return found
