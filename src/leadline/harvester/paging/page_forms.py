"""Forms whose buttons ask for the next page, and whether they may be sent."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import structs

from leadline.core.harvest import Query, Trail
from leadline.core.http import Request
from leadline.core.page import Field, Form
from leadline.core.text import fold
from leadline.forms.form_data import is_typed
from leadline.forms.hazards import NOTHING_SOUGHT, UNSAID_POST, find_hazards, own_text
from leadline.forms.submit import build_request, press_button
from leadline.harvester.paging.page_links import (
    MORE,
    NEXT,
    NUMBER,
    OTHER,
    TWO_ARROWS,
    PagerLabel,
    read_label,
)
from leadline.harvester.paging.page_urls import is_same_site, split_url
from leadline.harvester.reply import Reply
from leadline.page.forms import MAX_VALUE_CHARS
from leadline.page.outline import Outline

_NOT_ABOUT_PAGING = frozenset({NOTHING_SOUGHT, UNSAID_POST})
"""Reasons against filling a form that do not hold against continuing a search."""
_MAX_BODY_BYTES = 1_000_000
"""State that servers keep in pages is some tens of kilobytes; more is not sent."""


class PagerButton(NamedTuple):
    form: Form
    button: Field
    label: PagerLabel


def find_next_button(reply: Reply, query: Query, asked: Request, trail: Trail) -> Request | None:
    """What a browser sends when the button for the next page is pressed; None if there is none
    that may be pressed."""
    buttons = [button for form in reply.page.forms for button in _buttons(form)]
    for press in _onward(buttons, trail):
        form = press_button(with_whole_values(press.form, reply.outline), press.button)
        if why_unsafe(form, press.button, query, asked):
            continue
        request = build_request(form, {}, press.button)
        if request is None or len(request.body) > _MAX_BODY_BYTES:
            continue
        if not trail.was_asked(request):
            return request
    return None


def _buttons(form: Form) -> Iterator[PagerButton]:
    is_search = len(form.submits) == 1 and any(is_typed(field) for field in form.fields)
    for button in form.submits:
        label = _label_of_button(button)
        # An arrow beside a box for words starts the search.
        if not button.is_disabled and (label.has_words or not is_search):
            yield PagerButton(form, button, label)


def _label_of_button(button: Field) -> PagerLabel:
    """By what stands on it, else by its hint, else by its name."""
    shown = button.label if button.label_source != "name" else ""
    for text in (button.value if button.kind == "submit" else "", shown, button.title):
        label = read_label(text)
        if label.is_about_paging or label.has_words:
            return label
    return read_label(own_text(button).replace("|", " ")) if not shown else PagerLabel(OTHER)


def _onward(buttons: list[PagerButton], trail: Trail) -> Iterator[PagerButton]:
    """Those that lead to the next page, the clearest first."""
    spoken = [press for press in buttons if press.label.kind == NEXT]
    yield from sorted(spoken, key=lambda p: (not p.label.has_words, p.label.sign == TWO_ARROWS))
    yield from (press for press in buttons if press.label.kind == MORE)
    # Buttons do not show which page one is on, so numbers help only if it is known.
    if trail.number:
        wanted = trail.number + 1
        numbers = (press for press in buttons if press.label.kind == NUMBER)
        yield from (p for p in numbers if p.label.number == wanted and not p.label.end)


def why_unsafe(form: Form, button: Field | None, query: Query, asked: Request) -> str:
    """Why the form must not be sent as a page of the same search; '' if it may be."""
    if form.is_implicit or form.action is None:
        return "there is no address to send it to"
    if not is_same_site(form.action, asked.url) or not is_same_site(form.page, asked.url):
        return "it leads to another site"
    if form.page.startswith("https:") and form.action.startswith("http:"):
        return "it would leave an encrypted page unencrypted"
    pressed = structs.replace(form, submits=(button,) if button else ())
    hazards = (why for why in find_hazards(pressed) if why not in _NOT_ABOUT_PAGING)
    return next(hazards, "") or ("" if _carries(form, query, asked) else "it carries no search")


def _carries(form: Form, query: Query, asked: Request) -> bool:
    """Whether the form repeats what was asked, or holds all of it in hidden values."""
    wanted = {fold(value.strip()) for _, value in query.values if value.strip()}
    held = {
        field.name: next((o.value for o in field.options if o.is_selected), field.value)
        for field in form.fields
    }
    if wanted and wanted <= {fold(value.strip()) for value in held.values()}:
        return True
    shown = [field for field in form.fields if field.kind != "hidden" and field.name]
    own = [split_url(url).path for url in (asked.url, form.page)]
    is_own = form.action is not None and split_url(form.action).path in own
    return (
        is_own
        and any(_is_state(field, form) for field in form.fields)
        and not any(is_typed(field) for field in shown)
    )


def _is_state(field: Field, form: Form) -> bool:
    """Whether a hidden value may hold a search. A form sent by GET replaces all parameters of the
    address: it then needs a number at least, of a page or of a list that the server keeps."""
    if field.kind != "hidden" or not field.name or not field.value:
        return False
    return form.method == "post" or any(letter.isdecimal() for letter in field.value)


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
