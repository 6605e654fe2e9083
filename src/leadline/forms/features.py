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
from leadline.forms.feature_words import (
    ASKED_ROLES,
    MEANINGS,
    ROLE_SHIFT,
    SAYS_SEARCH,
    find_meanings,
    read_control,
)
from leadline.forms.word_patterns import strip_layout

FFC_FEATURES = (
    "hidden fields", "checkboxes", "radio buttons", "file uploads", "submit buttons",
    "image buttons", "other buttons", "reset buttons", "password boxes", "text boxes",
    "items in lists of choices", "characters the text boxes show", "sent by POST",
    "the word search",
)  # fmt: skip
_COUNTS = (
    "e-mail boxes", "search boxes", "phone boxes", "message boxes", "lists of choices",
    "controls that must be filled in", "boxes that hold a text already",
    "kinds of things that records have", "visible controls",
)  # fmt: skip
_CLAIMS = (
    "marked as a search region", "a text box named like a query",
    "a text box named like a query alone", "one text box and nothing else to fill in",
    "one text box sent by GET", "nothing to fill in", "no text box", "choices only",
    "one list of choices only", "three text boxes or more", "no button",
    "sent to another host", "sent to its own page", "more than five hidden fields",
    "more than 400 characters of text", "words of searching",
    "words of searching and one text box", "asks for nothing personal",
    "asks for one kind of thing that records have, and nothing personal",
    "asks for two kinds of things that records have, and nothing personal",
    "asks for three kinds of things that records have or more, and nothing personal",
    "asks for a place and nothing else", "asks for nothing that is known",
    "asks for something personal and two kinds of things that records have",
    "tick boxes only", "one tick box only", "boxes for numbers only", "in no form",
    "a box without a name", "two lists of choices or more and nothing personal",
    "four controls or more and nothing personal", "a list of more than nine choices",
    "a list of numbers", "browsers are to fill in personal data", "does something else",
    "does something else and does not speak of searching",
)  # fmt: skip
_PERSONAL = (
    "an account", "joining", "mail", "a message", "a purchase", "a person", "voting", "agreeing",
    "computing", "an offer",
)  # fmt: skip
"""What is asked by forms that do something, or of the person before them."""
_RECORD_ROLES = (
    "a title", "a person", "an organisation", "a place", "a code", "a kind", "a year", "a date",
    "a price", "an amount", "words", "a birth",
)  # fmt: skip
"""What search forms of one subject ask for, and checkouts too: they say something only in a form
that asks for nothing personal."""
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
_MANY_BOXES, _MANY_HIDDEN, _MANY_CONTROLS, _LONG_LIST = 3, 5, 4, 9
_BIT = {meaning: 1 << number for number, meaning in enumerate(MEANINGS)}
_SEARCHING_BIT = _BIT["searching"]
_PERSONAL_BITS = sum(_BIT[meaning] for meaning in _PERSONAL)
_ACT_BITS = _PERSONAL_BITS | _BIT["a setting"]
_ROLE_BIT = {role: 1 << ROLE_SHIFT + number for number, role in enumerate(ASKED_ROLES)}
_RECORD_BITS = sum(_ROLE_BIT[role] for role in _RECORD_ROLES)
_ALL_ROLES = sum(_ROLE_BIT.values())
_PLACE_BIT, _STREET_BIT = _ROLE_BIT["a place"], _ROLE_BIT["a street"]
_FILLED_IN = frozenset(
    "name given-name family-name email tel username current-password new-password one-time-code"
    " street-address address-line1 postal-code cc-number cc-name bday organization".split()
)
"""Values of `autocomplete` for what people do not search by; in a search they are rare."""


def read_features(form: Form) -> list[int]:
    """The numbers of NUMBERS, then what is spoken of at each of PLACES, as bits of MEANINGS; above
    them the bits of ASKED_ROLES, at all controls together, at the place of the boxes.

    Every form of every page passes here, so it builds one plain list and no objects.
    """
    fields = form.fields
    kinds = [field.kind for field in fields]
    typed = [field for field in fields if field.kind not in _NOT_TYPED]
    if "textarea" in kinds and not typed and _is_query_area(form):
        # A search box of several lines: it grows with the question.
        typed = [field for field in fields if field.kind == "textarea"]
        kinds[kinds.index("textarea")] = "search"
    spoken = _find_form_meanings(form)
    numbers = _count_controls(form, kinds, typed)
    numbers.append(_says_search(form, spoken))
    numbers += map(kinds.count, _COUNTED)
    numbers.append([field.is_required for field in fields].count(True))
    numbers.append(len(typed) - [field.value for field in typed].count(""))
    numbers += _check_claims(form, kinds, typed, spoken)
    return numbers + spoken[: len(PLACES)]


def _is_query_area(form: Form) -> bool:
    areas = [field for field in form.fields if field.kind == "textarea"]
    if len(areas) != 1:
        return False
    area = areas[0]
    is_named = area.name.replace("_", "").lower() in QUERY_NAMES
    speaks = read_control(area.name) | read_control(area.placeholder) | read_control(area.label)
    return (is_named and form.method == "get") or bool(speaks & _SEARCHING_BIT)


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
) -> list[int | bool]:
    """The last two of _COUNTS, then _CLAIMS."""
    fields, count = form.fields, kinds.count
    hidden, selects, buttons = count("hidden"), count("select"), count("button")
    ticks = count("radio") + count("checkbox")
    choices = selects + ticks
    filled = len(kinds) - hidden - buttons - count("reset")
    has_one_box = len(typed) == 1
    names = [field.name.replace("_", "").lower() for field in typed]
    is_query = not QUERY_NAMES.isdisjoint(names)
    tag, boxes, pressed, text, chosen, _ = spoken
    asked = boxes | chosen
    is_filled_in = not _FILLED_IN.isdisjoint([field.autocomplete for field in fields])
    is_personal = (
        asked & (_PERSONAL_BITS | _STREET_BIT) > 0 or not _CLOSED.isdisjoint(kinds) or is_filled_in
    )
    is_open = filled > 0 and not is_personal
    is_searching = (tag | boxes | pressed | text | chosen) & _SEARCHING_BIT > 0
    acts = (tag | pressed) & _ACT_BITS > 0
    roles = asked & _RECORD_BITS
    known = roles.bit_count()
    lists = [field.options for field in fields if field.kind == "select"] if selects else []
    return [
        known,
        filled,
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
        is_open,
        is_open and known == 1,
        is_open and known == 2,
        is_open and known > 2,
        roles == _PLACE_BIT,
        not asked & _ALL_ROLES and filled > 0,
        is_personal and known > 1,
        filled == ticks > 0,
        filled == count("checkbox") == 1,
        filled == count("number") + count("range") > 0,
        form.is_implicit,
        "" in names,
        selects > 1 and is_open,
        filled >= _MANY_CONTROLS and is_open,
        True in [len(options) > _LONG_LIST for options in lists],
        True in [options[-1].text.strip().isdigit() for options in lists if options],
        is_filled_in,
        acts,
        acts and not is_searching,
    ]


def _find_form_meanings(form: Form) -> list[int]:
    """What is spoken of at each of PLACES, and last in hidden fields, as bits."""
    spoken = [
        find_meanings(strip_layout(form.attributes[:_READ_CHARS])),
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
    name, placeholder, dom_id, value = field.name, field.placeholder, field.dom_id, field.value
    bits = read_control(name)
    # Most have one of these or none, and often the name once more.
    if dom_id and dom_id != name:
        bits |= read_control(dom_id)
    if placeholder:
        bits |= read_control(placeholder)
    if value:
        bits |= read_control(value[:_VALUE_CHARS])
    if not field.label:
        return bits
    # What merely stands before a control tells at most what it asks for.
    said = read_control(field.label)
    return bits | (said if field.label_source in _OWN_LABELS else said & _ALL_ROLES)


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
    *(f"words of {meaning} in {place}" for place in PLACES for meaning in MEANINGS),
    *(f"asks for {role}" for role in ASKED_ROLES),
)
"""Numbers enter as log2(1 + n), so that a claim that holds is 1; meanings and roles are 0 or 1."""
_SHIFTS = np.arange(len(MEANINGS))
_ROLE_SHIFTS = np.arange(ROLE_SHIFT, ROLE_SHIFT + len(ASKED_ROLES))
_FIRST_ROLE = len(NUMBERS) + len(PLACES) * len(MEANINGS)


def feature_rows(forms: Sequence[Form]) -> Rows:
    """The wider features of each form, in the order of FEATURES."""
    read = _read_all(forms)
    numbers, spoken = read[:, : len(NUMBERS)], read[:, len(NUMBERS) :]
    width = len(PLACES) * len(MEANINGS)
    meanings = (spoken[:, :, None] >> _SHIFTS & 1).reshape(len(forms), width)
    asked = spoken[:, _BOXES] | spoken[:, _CHOSEN]
    roles = asked[:, None] >> _ROLE_SHIFTS & 1
    return np.concatenate((np.log2(numbers + 1), meanings, roles), axis=1)


def ffc_rows(forms: Sequence[Form]) -> Rows:
    """FFC's features of each form as they are counted, in the order of FFC_FEATURES."""
    return _read_all(forms)[:, : len(FFC_FEATURES)].astype(np.float64)


def _read_all(forms: Sequence[Form]) -> NDArray[np.int64]:
    width = len(NUMBERS) + len(PLACES)
    return np.array([read_features(form) for form in forms], np.int64).reshape(len(forms), width)


class _Columns(dict[int, list[tuple[int, float]]]):
    """The cells of each combination of bits, whose columns begin at `first`. Cached, because real
    forms have few combinations; emptied when full."""

    def __init__(self, first: int, width: int) -> None:
        super().__init__()
        self._first, self._width = first, width

    def __missing__(self, bits: int) -> list[tuple[int, float]]:
        if len(self) >= _MOST_COMBINATIONS:
            self.clear()
        held = [number for number in range(self._width) if bits >> number & 1]
        self[bits] = [(self._first + number, 1.0) for number in held]
        return self[bits]


_MOST_COMBINATIONS = 20_000
_MEANING_BITS = (1 << len(MEANINGS)) - 1
_COLUMNS_OF = [
    _Columns(first, len(MEANINGS)) for first in range(len(NUMBERS), _FIRST_ROLE, len(MEANINGS))
]
_ROLE_COLUMNS = _Columns(_FIRST_ROLE, len(ASKED_ROLES))


def feature_cells(form: Form) -> list[tuple[int, float]]:
    """The features a form has, each with its column among FEATURES; all others are 0.

    The same as its row, and faster for the two or three forms of a page.
    """
    read, log2 = read_features(form), math.log2
    numbers = enumerate(read[: len(NUMBERS)])
    found = [(column, log2(number + 1)) for column, number in numbers if number]
    spoken = read[len(NUMBERS) :]
    for columns, bits in zip(_COLUMNS_OF, spoken, strict=True):
        found += columns[bits & _MEANING_BITS]
    return found + _ROLE_COLUMNS[(spoken[_BOXES] | spoken[_CHOSEN]) >> ROLE_SHIFT]


class _Sums(dict[int, float]):
    """The sum of the weights of each combination of bits. Cached and emptied like `_Columns`."""

    def __init__(self, weights: Sequence[float]) -> None:
        super().__init__()
        self._weights = weights

    def __missing__(self, bits: int) -> float:
        if len(self) >= _MOST_COMBINATIONS:
            self.clear()
        held = [weight for number, weight in enumerate(self._weights) if bits >> number & 1]
        self[bits] = sum(held)
        return self[bits]


class FeatureSum:
    """Adds up a weight for each feature of a form: as its row times the weights, and faster for the
    two or three forms of a page."""

    def __init__(self, weights: Sequence[float]) -> None:
        """`weights` in the order of FEATURES."""
        self._numbers = weights[: len(NUMBERS)]
        firsts = range(len(NUMBERS), _FIRST_ROLE, len(MEANINGS))
        self._meanings = [_Sums(weights[first : first + len(MEANINGS)]) for first in firsts]
        self._roles = _Sums(weights[_FIRST_ROLE:])

    def add_up(self, form: Form) -> float:
        read, log2 = read_features(form), math.log2
        spoken = read[len(NUMBERS) :]
        # The weights end where the numbers do.
        numbers = zip(self._numbers, read, strict=False)
        found = [weight * log2(number + 1) for weight, number in numbers if number]
        for sums, bits in zip(self._meanings, spoken, strict=True):
            found.append(sums[bits & _MEANING_BITS])
        return sum(found) + self._roles[(spoken[_BOXES] | spoken[_CHOSEN]) >> ROLE_SHIFT]
