"""Buttons that turn the page: forms that carry a search and ask for its next part."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import structs

from leadline.core.harvest import Query, Trail
from leadline.core.http import Request
from leadline.core.page import Field, Form
from leadline.core.url import Url
from leadline.forms.entries import is_typed
from leadline.forms.hazard_words import fold
from leadline.forms.hazards import NOTHING_SOUGHT, UNSAID_POST, hazards_of, own_text
from leadline.forms.submit import as_pressed, request_of
from leadline.harvester.paging.address import parts_of
from leadline.harvester.paging.label import MORE, NEXT, NOTHING, NUMBER, OTHER, Label, label_of
from leadline.harvester.paging.links import is_same_site
from leadline.harvester.reply import Reply
from leadline.page.forms import MAX_VALUE_CHARS
from leadline.page.outline import Outline

_NOT_ABOUT_PAGING = frozenset({NOTHING_SOUGHT, UNSAID_POST})
"""Reasons against filling a form that do not hold against going on with a search."""
_MAX_BODY_BYTES = 1_000_000
"""State that servers keep in pages is some tens of kilobytes; more is not sent about."""


class Press(NamedTuple):
    form: Form
    button: Field
    label: Label


def next_press(reply: Reply, query: Query, asked: Request, trail: Trail) -> Request | None:
    """What a browser would send when the button for the next page is pressed; None when there is
    none that may be pressed."""
    presses = [press for form in reply.page.forms for press in _presses(form)]
    for press in _onward(presses, trail):
        form = as_pressed(with_whole_values(press.form, reply.outline), press.button)
        if not why_unsafe(form, press.button, query, asked):
            request = request_of(form, {}, press.button)
            if request is not None and _is_sendable(request, trail):
                return request
    return None


def _is_sendable(request: Request, trail: Trail) -> bool:
    return len(request.body) <= _MAX_BODY_BYTES and not trail.was_asked(request)


def _presses(form: Form) -> Iterator[Press]:
    is_search = len(form.submits) == 1 and any(is_typed(field) for field in form.fields)
    for button in form.submits:
        label = label_of_button(button)
        # An arrow beside a box for words starts the search.
        if not button.is_disabled and (label.has_words or not is_search):
            yield Press(form, button, label)


def label_of_button(button: Field) -> Label:
    """By what stands on it, else by its hint, else by what it is called."""
    shown = button.label if button.label_source != "name" else ""
    for text in (button.value if button.kind == "submit" else "", shown, button.title):
        label = label_of(text)
        if label.kind not in (NOTHING, OTHER):
            return label
        if label.has_words:
            return label
    return label_of(own_text(button).replace("|", " ")) if not shown else Label(OTHER)


def _onward(presses: list[Press], trail: Trail) -> Iterator[Press]:
    """Those that lead to the next page, the clearest first."""
    spoken = [press for press in presses if press.label.kind == NEXT]
    yield from sorted(spoken, key=lambda press: (not press.label.has_words, _is_double(press)))
    yield from (press for press in presses if press.label.kind == MORE)
    if trail.number:
        wanted = trail.number + 1
        numbers = (press for press in presses if press.label.kind == NUMBER)
        yield from (p for p in numbers if p.label.number == wanted and not p.label.end)


def _is_double(press: Press) -> bool:
    return press.label.sign == "double"


def why_unsafe(form: Form, button: Field | None, query: Query, asked: Request) -> str:
    """Why the form must not be sent as the next page of a search; '' if it may be."""
    if form.is_implicit or form.action is None:
        return "there is no address to send it to"
    if not is_same_site(form.action, asked.url) or not is_same_site(form.page, asked.url):
        return "it leads to another site"
    if form.page.startswith("https:") and form.action.startswith("http:"):
        return "it would leave an encrypted page unencrypted"
    pressed = structs.replace(form, submits=(button,) if button else ())
    hazards = (why for why in hazards_of(pressed) if why not in _NOT_ABOUT_PAGING)
    return next(hazards, "") or ("" if carries(form, query, asked) else "it carries no search")


def carries(form: Form, query: Query, asked: Request) -> bool:
    """Whether the form says again what was asked, or holds it all in hidden values."""
    wanted = {fold(value.strip()) for _, value in query.values if value.strip()}
    held = {fold(value.strip()) for _, value in values_of(form).items()}
    if wanted and wanted <= held:
        return True
    shown = [field for field in form.fields if field.kind != "hidden" and field.name]
    has_state = any(_is_state(f, form) for f in form.fields)
    is_home = form.action is not None and _path(form.action) in (_path(asked.url), _path(form.page))
    return has_state and is_home and not any(is_typed(field) for field in shown)


def _is_state(field: Field, form: Form) -> bool:
    """Whether a hidden value may hold a search. What goes by GET replaces all that the address
    said: it then needs a number at least, of a page or of a list kept by the server."""
    if field.kind != "hidden" or not field.name or not field.value:
        return False
    return form.method == "post" or any(letter.isdecimal() for letter in field.value)


def _path(url: Url) -> str:
    return parts_of(url).path


def values_of(form: Form) -> Mapping[str, str]:
    """What the page's own controls hold, by name."""
    held = {}
    for field in form.fields:
        chosen = [option.value for option in field.options if option.is_selected]
        held[field.name] = chosen[0] if chosen else field.value
    return held


def with_whole_values(form: Form, outline: Outline) -> Form:
    """The form with its hidden values in full length: pages are read with long ones cut."""
    cut = {f.name: f.value for f in form.fields if len(f.value) >= MAX_VALUE_CHARS}
    if not cut:
        return form
    whole = {}
    for attributes in outline.attributes:
        name, value = attributes.get("name", ""), attributes.get("value", "")
        if name in cut and value.startswith(cut[name]):
            whole[name] = value
    fields = (structs.replace(f, value=whole.get(f.name, f.value)) for f in form.fields)
    return structs.replace(form, fields=tuple(fields))
