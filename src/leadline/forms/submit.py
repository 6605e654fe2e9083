"""The one place where forms are filled: what may be sent, and exactly what would be.

Nothing is sent from here. `prepare` answers with the request to send and why it
is allowed, or with a refusal that says why not (decision 0011).
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from msgspec import Struct, structs

from leadline.core.http import Request
from leadline.core.page import Field, Form
from leadline.core.url import AS_IT_IS, Url, canonical, host_of, registered_domain, site_of
from leadline.forms.encoding import charset_name, encoded_body, output_codec, urlencoded
from leadline.forms.entries import entry_list, why_unfillable
from leadline.forms.hazards import button_hazard, clears, hazard_of, speaks_of_search
from leadline.forms.settings import SubmitSettings
from leadline.forms.signature import signature
from leadline.page.forms import MAX_VALUE_CHARS

Searchable = float | Callable[[Form], float]
"""The probability that a form is searchable, or who tells it."""

_DEFAULTS = SubmitSettings()


class Submission(Struct, frozen=True):
    """A form filled as a browser would, allowed to be sent. Made by `prepare` only."""

    signature: str
    request: Request
    filled: tuple[tuple[str, str], ...]
    """Names and values put in; all other controls are left as the page has them."""
    button: str
    """What stands on the button that is pressed; '' for a form sent without one."""
    searchable: float
    why: str


class Refusal(Struct, frozen=True):
    """A form that is not sent, and why."""

    signature: str
    method: str
    url: str
    filled: tuple[tuple[str, str], ...]
    why: str


def prepare(
    form: Form,
    values: Mapping[str, str],
    searchable: Searchable,
    settings: SubmitSettings = _DEFAULTS,
) -> Submission | Refusal:
    """The form with these values by control name, as a request; or why it must not be sent."""
    belief = searchable(form) if callable(searchable) else searchable
    name, button = signature(form), chosen_button(form)
    form = as_pressed(form, button)
    why_not = _why_not(form, values, belief, settings)
    request = None if why_not else request_of(form, values, button)
    filled = tuple(values.items())
    if request is None:
        why_not = why_not or "its address would be longer than any a crawl asks for"
        target = str(form.action or form.page)
        return Refusal(name, form.method.upper(), target, filled, why_not)
    pressed = (button.label or button.value or button.name) if button else ""
    why = _why_allowed(form, belief, settings)
    return Submission(name, request, filled, pressed, belief, why)


def prepare_page(
    form: Form, request: Request, searchable: Searchable, settings: SubmitSettings = _DEFAULTS
) -> Submission | Refusal:
    """A further page of an answer that the form brought, by the request the answer offers; only
    what the form's own site offers may be more than a GET."""
    belief = searchable(form) if callable(searchable) else searchable
    why_not = _why_closed(as_pressed(form, chosen_button(form)), belief, settings)
    if request.method != "GET" and _domain(request.url) != _domain(form.page):
        why_not = why_not or f"its next page is sent by POST to another site, {request.url}"
    if why_not:
        return Refusal(signature(form), request.method, request.url, (), why_not)
    asked = structs.replace(request, is_session=True)
    return Submission(signature(form), asked, (), "", belief, "a further page of its answer")


def why_refused(form: Form, searchable: Searchable, settings: SubmitSettings = _DEFAULTS) -> str:
    """Why the form would be refused whatever were filled in; '' if it would not."""
    belief = searchable(form) if callable(searchable) else searchable
    return _why_closed(as_pressed(form, chosen_button(form)), belief, settings)


def best_first(forms: Iterable[Form], searchable: Callable[[Form], float]) -> list[Form]:
    """In the order in which to try them: GET before POST, then the most surely searchable."""
    return sorted(forms, key=lambda form: (form.method != "get", -searchable(form), form.position))


def chosen_button(form: Form) -> Field | None:
    """The button to press: one that speaks of searching, else the first harmless one, as Enter
    would; None when there is none to press."""
    buttons = [button for button in form.submits if not button.is_disabled]
    harmless = sorted((b for b in buttons if not button_hazard(b)), key=clears)
    speaking = (button for button in harmless if speaks_of_search(button))
    return next(chain(speaking, harmless), None)


def as_pressed(form: Form, button: Field | None) -> Form:
    """The form with the address and the method that the button gives it: it is this form that
    is sent, and that must be allowed."""
    if button is None or not (button.action or button.method):
        return form
    return structs.replace(
        form, action=button.action or form.action, method=button.method or form.method
    )


def _why_not(form: Form, values: Mapping[str, str], belief: float, settings: SubmitSettings) -> str:
    why = _why_closed(form, belief, settings) or why_unfillable(form, values)
    return why or ("" if values else "nothing is filled in")


def _why_closed(form: Form, belief: float, settings: SubmitSettings) -> str:
    return _why_unreachable(form) or hazard_of(form) or _why_unsure(form, belief, settings)


def _why_unreachable(form: Form) -> str:
    if form.is_implicit:
        return "it is a search box that only a script reads"
    if form.action is None:
        return "its action is no address to send to"
    # A longer value was read by someone who wanted all of it.
    if any(f.kind == "hidden" and len(f.value) == MAX_VALUE_CHARS for f in form.fields):
        return f"it carries a hidden value of {MAX_VALUE_CHARS} characters or more, cut off there"
    if form.method == "post" and _domain(form.action) != _domain(form.page):
        return f"it is sent by POST to another site, {site_of(form.action)}"
    if form.page.startswith("https:") and form.action.startswith("http:"):
        return "it would leave an encrypted page unencrypted"
    return ""


def _domain(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


def _why_unsure(form: Form, belief: float, settings: SubmitSettings) -> str:
    # Written so that a probability that is no number is refused too.
    if not belief >= settings.min_searchable:
        return f"searchable {belief:.2f} is below {settings.min_searchable:.2f}"
    if form.method == "get":
        return ""
    if not settings.post:
        return "it is sent by POST, which is switched off"
    least = settings.min_searchable_post
    return "" if belief >= least else f"searchable {belief:.2f} is below {least:.2f} for POST"


def _why_allowed(form: Form, belief: float, settings: SubmitSettings) -> str:
    if form.method == "get":
        return f"searchable {belief:.2f} >= {settings.min_searchable:.2f}, sent by GET"
    return (
        f"searchable {belief:.2f} >= {settings.min_searchable_post:.2f}, "
        "POST allowed, its words speak of searching"
    )


def request_of(form: Form, values: Mapping[str, str], button: Field | None) -> Request | None:
    """What a browser would send when that button is pressed; None when the address cannot be
    written. Whether it may be sent is for the caller to know."""
    codec = output_codec(form.charset)
    entries = entry_list(form, values, button, charset_name(codec))
    action = str(form.action).partition("#")[0]
    if form.method == "get":
        query = urlencoded(entries, codec)
        url = canonical(f"{action.partition('?')[0]}?{query}", rules=AS_IT_IS)
        return Request(url, referrer=form.page, is_session=True) if url else None
    url = canonical(action, rules=AS_IT_IS)
    body, content_type = encoded_body(entries, codec, form.encoding)
    if url is None:
        return None
    return Request(url, "POST", body, content_type, form.page, is_session=True)
