"""Why a form must not be filled, however likely it is searchable.

What counts is what the form itself shows: the kinds of its controls, and what their names, labels
and hints, its buttons, its own attributes, its action and its hidden values speak of. In doubt a
form is left alone (decision 0011); `bench/gate.py` counts what that costs on real forms.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from msgspec import structs

from leadline.core.page import LISTING, Field, Form
from leadline.core.text import fold
from leadline.core.url import path_of, site_of
from leadline.forms import word_patterns as words
from leadline.forms.form_data import BUTTONS, is_typed
from leadline.forms.word_patterns import Matcher

_PRIVATE_KINDS = {
    "password": "it asks for a password",
    "file": "it uploads a file",
    "email": "it asks for an e-mail address",
    "textarea": "it takes a message",
}
_PRIVATE_WORDS: tuple[tuple[Matcher, str], ...] = (
    (words.PASSWORD, "it asks for a password"),
    (words.USER, "it asks for a user name"),
    (words.EMAIL, "it asks for an e-mail address"),
    (words.PAYMENT, "it asks for a payment"),
    (words.CAPTCHA, "it asks for a proof of being human"),
    (words.IDENTITY, "it asks for an identity number"),
    (words.ORDER_NUMBER, "it asks for the number of an order"),
)
_NAMES = (words.GIVEN_NAME, words.FAMILY_NAME)
_SOUGHT = frozenset({*_NAMES, words.BORN})
_PERSONAL = (*_NAMES, words.OWN_NAME, words.PHONE, words.STREET, words.BORN)
_ACTS: tuple[tuple[Matcher, str], ...] = (
    (words.DANGER, "it deletes or unsubscribes"),
    (words.ORDER, "it orders or pays"),
    (words.ACCOUNT, "it is about an account"),
    (words.MAILING, "it joins a mailing list"),
    (words.WRITING, "it sends a message, a vote or a setting"),
    (words.COMPUTING, "it computes"),
)
_is_card_pattern = re.compile(r"\{1[2-9],|\{1[4-9]\}|(?:\d|\\d|0-9\])\{4\}.*\{4\}.*\{4\}").search
"""Numbers as long as those of cards; 13 digits alone are those of books and goods."""
_is_private_autocomplete = re.compile(
    r"\b(?:cc-|current-password|new-password|one-time-code|username|email|tel|bday|given-name"
    r"|family-name|street-address|address-line|transaction-)"
).search
_NEAR = frozenset({"before", "after", "cell"})
"""Sources of labels that may be the text of a neighbour."""
_QUERY_NAMES = frozenset("q qs qt s sq k kw w term terms text words what tags".split())
"""Names that only boxes for words have; shorter than `features.QUERY_NAMES`, because here a wrong
one would open a form that must stay closed."""
_register = re.compile(r"\bregist(?:er|ers|ry|ries|re|res|ro|ros|rar)\b").sub
_split_name = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_a-zA-Z]+|\d+").findall
_TEXT_BOXES = frozenset({"text", "textarea", "number", "url", "search"})
_LEAST_FILLED = 3
"""Boxes that hold a text: old searches have a hint in one or two."""
_SHORT_TEXT_CHARS = 300
"""A form with more text than this is a whole page, whose words are not about the form."""
_MAX_CHARS = 400
"""Of what a control says, of its pattern and of a hidden value: bounds the time of the patterns."""
NOTHING_SOUGHT = "nothing in it says what to look for"
UNSAID_POST = "it is sent by POST and does not say that it searches"
_MAX_CONTROLS = 2_000
"""Of a form that is read: bounds the time. Searches with a tick box for each of some hundred makes
or subjects are real."""


def find_hazard(form: Form) -> str:
    """The first reason to leave the form alone; '' if it shows none."""
    return next(find_hazards(form), "")


def find_hazards(form: Form) -> Iterator[str]:
    """Every reason to leave the form alone."""
    if len(form.fields) > _MAX_CONTROLS:
        yield f"it has more than {_MAX_CONTROLS} controls"
        return
    is_search = says_search(form)
    query_area = _find_query_area(form)
    for field in form.fields:
        if field is not query_area:
            yield from _private_requests(field)
    yield from _personal_requests(form, is_search=is_search)
    # A list that is read as it is was fetched as a page before: nothing is filled in there.
    if form.source != LISTING and not any(is_part_of_query(field) for field in form.fields):
        yield NOTHING_SOUGHT
    yield from _dangerous_acts(form, is_search=is_search)
    if form.method == "post" and not is_search:
        if _is_filled_in(form):
            yield "it edits what stands in it"
        yield UNSAID_POST


def _is_filled_in(form: Form) -> bool:
    """Whether most boxes hold a text: those of a record that is to be edited do, those of a search
    come empty."""
    boxes = [field for field in form.fields if field.kind in _TEXT_BOXES and not field.is_disabled]
    filled = sum(bool(field.value.strip()) for field in boxes)
    return filled >= _LEAST_FILLED and 2 * filled > len(boxes)


def says_search(form: Form) -> bool:
    """Whether the form speaks of searching, in its markup or its words."""
    if form.has_search_role or any(field.kind == "search" for field in form.fields):
        return True
    shown = (*form.submits, *(field for field in form.fields if field.kind != "hidden"))
    texts = [own_text(field) for field in shown]
    return any(words.SEARCH(text) for text in (*texts, *_texts_by_place(form).values()))


def _says_search_to_people(form: Form) -> bool:
    """The same, its address left out, which nobody reads."""
    path = path_of(form.action) if form.action is not None else ""
    tag = form.attributes.replace(path, " ") if len(path) > 1 else form.attributes
    return says_search(structs.replace(form, action=form.page, attributes=tag))


def is_query_box(field: Field) -> bool:
    """Whether a control has a name that boxes for search words have."""
    return field.name in _QUERY_NAMES or words.SEARCH(own_text(field)) is not None


def is_search_button(button: Field) -> bool:
    return words.SEARCH(own_text(button)) is not None


def sends(button: Field) -> bool:
    """Whether the button says that it sends."""
    return words.SENDING(own_text(button)) is not None


def clears_form(button: Field) -> bool:
    """Whether the button empties the form, or leaves it."""
    return words.CLEARING(own_text(button)) is not None


def button_hazard(button: Field) -> str:
    """What pressing the button would do instead of searching; '' if it says no such thing."""
    text = own_text(button)
    return next((why for matches, why in _ACTS if matches(text)), "")


def is_part_of_query(field: Field) -> bool:
    """Whether the control takes a part of a query: it is sent, and does not arrange the page."""
    if not field.name or field.is_disabled:
        return False
    if is_typed(field) and (field.kind == "search" or words.SEARCH(own_text(field))):
        return True
    # A list with one option offers nothing to choose.
    is_list = field.kind == "select" and len(field.options) > 1
    return (is_list or is_typed(field)) and not words.ARRANGING(own_text(field))


@lru_cache(maxsize=4096)
def split_name(name: str) -> str:
    """A name as words.

    >>> split_name("userName_2")
    'user name 2'
    """
    return " ".join(_split_name(name)).lower()


def _find_query_area(form: Form) -> Field | None:
    """The box of several lines that is the form's only one and takes a query, as it says itself."""
    typed = [field for field in form.fields if is_typed(field)]
    if len(typed) != 1 or typed[0].kind != "textarea":
        return None
    # With a button that sends, it is a message, however its box is called.
    if any(map(sends, form.submits)) and not any(map(is_search_button, form.submits)):
        return None
    return typed[0] if is_query_box(typed[0]) and says_search(form) else None


def _private_requests(field: Field) -> Iterator[str]:
    """What is private about what a control asks for."""
    if field.kind in _PRIVATE_KINDS:
        yield _PRIVATE_KINDS[field.kind]
    if not is_typed(field):
        return
    if _is_private_autocomplete(field.autocomplete.lower()) or _is_card_pattern(
        field.pattern[:_MAX_CHARS]
    ):
        yield f"it asks for private data: {_quote_label(field)}"
    text = control_text(field)
    is_query = words.SEARCH(text) is not None
    for is_user, why in _find_private_words(text):
        # `Search on Super User` asks for no user's name.
        if not (is_query and is_user):
            yield f"{why}: {_quote_label(field)}"
    if not is_query and words.MAILING(own_text(field)):
        yield f"it joins a mailing list: {_quote_label(field)}"
    # `Search comments` takes a query, and no comment.
    if words.MESSAGE(text) and not is_query:
        yield f"it takes a message: {_quote_label(field)}"


# Forms of one site, and those of one application, have most of their texts in common: what one
# says is found once.


@lru_cache(maxsize=4096)
def _find_private_words(text: str) -> tuple[tuple[bool, str], ...]:
    """What a control's text says that it asks for, and whether that is only a user."""
    return tuple((matches is words.USER, why) for matches, why in _PRIVATE_WORDS if matches(text))


@lru_cache(maxsize=4096)
def _find_acts(text: str) -> tuple[tuple[str, str], ...]:
    """What a text says that is done besides searching, and by which words."""
    return tuple(
        (why, found[0].strip()) for matches, why in _ACTS if (found := matches(text)) is not None
    )


def _quote_label(field: Field) -> str:
    return repr((field.label or field.name or field.dom_id)[:60])


def _personal_requests(form: Form, *, is_search: bool) -> Iterator[str]:
    """Two kinds of personal data together are a contact form. One alone may be searched for, and
    people are searched for by first and last name and by when they were born."""
    typed = [field for field in form.fields if is_typed(field)]
    texts = [control_text(field) for field in typed]
    kinds = [matches for matches in _PERSONAL if any(matches(text) for text in texts)]
    if not is_search and any(words.AMOUNT(text) for text in texts):
        yield "it asks for an amount of money"
    # Reverse look-ups search by phone number, but then by nothing else personal.
    has_phone = words.PHONE in kinds or any(field.kind == "tel" for field in typed)
    if has_phone and (len(kinds) > 1 or not is_search):
        yield "it asks for a phone number"
    elif len(kinds) > 1 and not (is_search and set(kinds) <= _SOUGHT):
        yield "it asks for a person's name and address"


def _dangerous_acts(form: Form, *, is_search: bool) -> Iterator[str]:
    """What the form does besides searching, by its words."""
    places = _texts_by_place(form)
    if is_search:
        # Text inside search forms is often the menu they stand in.
        del places["text"]
    if any(is_search_button(button) for button in form.submits):
        # A search of a register is sent to `/registry`; nobody registers by a search button.
        for place in ("attributes", "action"):
            places[place] = _register("", places[place])
    if _is_lone_search(form):
        # A shop's search is sent to `/cart.php`, one on a login page to the folder of the login.
        # What such a form can do is said by its box, its button and its hidden values.
        del places["attributes"], places["action"]
    for place, text in places.items():
        for why, found_text in _find_acts(text):
            yield f"{why}: {found_text!r} in its {place}"
    if words.SENDING(places["buttons"]):
        # What is posted by a button that sends has to say to people that it searches.
        is_said = _says_search_to_people(form) if form.method == "post" else is_search
        if not is_said:
            yield "it sends a message"
    if not is_search and (found := words.DOING(places["buttons"])):
        yield f"it books, runs or passes something on: {found[0].strip()!r}"


def _is_lone_search(form: Form) -> bool:
    """Whether a visitor can do nothing in it but type into one box that says it takes a query, and
    press one button that says nothing else."""
    shown = [field for field in form.fields if field.kind not in BUTTONS and field.kind != "hidden"]
    if len(shown) != 1 or not is_typed(shown[0]) or shown[0].kind == "textarea":
        return False
    return words.SEARCH(own_text(shown[0])) is not None and len(form.submits) <= 1


def _texts_by_place(form: Form) -> dict[str, str]:
    """The texts in which a form says what it does, by where they stand."""
    buttons = (*form.submits, *(field for field in form.fields if field.kind in BUTTONS))
    hidden = [field for field in form.fields if field.kind == "hidden"]
    is_elsewhere = form.action is not None and form.action != form.page
    path = path_of(form.action) if form.action is not None and is_elsewhere else ""
    # A shop may be called Buy: the site's own name says nothing about the form.
    own_tag = words.strip_layout(form.attributes.replace(f"//{site_of(form.page)}", ""))
    path = words.strip_layout(path)
    found = {
        "buttons": " | ".join(own_text(button) for button in buttons),
        "attributes": f"{own_tag} | {split_name(own_tag)}",
        "action": f"{path} | {split_name(path)}",
        "hidden values": " | ".join(split_name(field.value[:_MAX_CHARS]) for field in hidden),
        "text": form.text if len(form.text) <= _SHORT_TEXT_CHARS else "",
    }
    return {place: fold(text) for place, text in found.items()}


def own_text(field: Field) -> str:
    """The texts that certainly belong to a control."""
    label = "" if field.label_source in _NEAR else field.label
    value = field.value if field.kind in BUTTONS else ""
    names = (field.name, split_name(field.name), split_name(field.dom_id))
    parts = (*names, field.placeholder, field.title, label, value)
    return fold(" | ".join(filter(None, parts))[:_MAX_CHARS])


def control_text(field: Field) -> str:
    """The same with the text nearby, unless the control itself says that it takes a query: the
    text before it may belong to another form."""
    own = own_text(field)
    if field.label_source not in _NEAR or field.name in _QUERY_NAMES or words.SEARCH(own):
        return own
    return f"{own} | {fold(field.label)}"
