"""The one place where forms are filled: what may be sent, and exactly what would be.

Nothing is sent from here. `prepare` returns the request to send and why it is allowed, or a
refusal that says why not (decision 0011).
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain

from msgspec import Struct, structs

from leadline.core.crawl import Event
from leadline.core.http import Request
from leadline.core.page import BOX, LISTING, Field, Form
from leadline.core.state_change import ChangeJudge, find_change_by_words
from leadline.core.url import AS_IT_IS, Url, canonical, host_of, registered_domain, site_of
from leadline.forms.form_data import (
    BUTTONS,
    charset_name,
    encode_body,
    entry_list,
    fill_template,
    output_codec,
    urlencode,
    why_unfillable,
)
from leadline.forms.hazards import (
    button_hazard,
    clears_form,
    find_hazard,
    is_search_button,
    says_search,
    sends,
)
from leadline.forms.settings import SubmitSettings
from leadline.forms.signature import signature
from leadline.page.forms import MAX_VALUE_CHARS

SearchableChance = float | Callable[[Form], float]
"""The probability that a form is searchable, or a function that computes it."""

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


class SubmissionRefusal(Struct, frozen=True):
    """A form that is not sent, and why."""

    signature: str
    method: str
    url: str
    filled: tuple[tuple[str, str], ...]
    why: str


def prepare(
    form: Form,
    values: Mapping[str, str],
    searchable: SearchableChance,
    settings: SubmitSettings = _DEFAULTS,
) -> Submission | SubmissionRefusal:
    """The form with these values by control name, as a request; or why it must not be sent."""
    # The signature is that of the form as its page has it: a button must not rename it.
    belief = searchable(form) if callable(searchable) else searchable
    name, button = signature(form), choose_button(form)
    form = stay_encrypted(press_button(form, button))
    why_not = _why_closed(form, belief, settings) or why_unfillable(form, values)
    if not why_not and not values and form.source != LISTING:
        why_not = "nothing is filled in"
    request = None if why_not else build_request(form, values, button)
    pressed = _name_button(button)
    if request is not None and (why := _why_harmful(request.url, _act_of(button, form), settings)):
        why_not, request = f"it {why}", None
    filled = tuple(values.items())
    if request is None:
        why_not = why_not or "its address would be longer than any a crawl asks for"
        target = str(form.action or form.page)
        return SubmissionRefusal(name, form.method.upper(), target, filled, why_not)
    why = _why_allowed(form, belief, settings)
    return Submission(name, request, filled, pressed, belief, why)


def prepare_page(
    form: Form, request: Request, searchable: SearchableChance, settings: SubmitSettings = _DEFAULTS
) -> Submission | SubmissionRefusal:
    """A further page of an answer to the form, by the request that the answer offers.

    Only a request to the form's own site may be more than a GET: an answer may link anywhere.
    """
    belief = searchable(form) if callable(searchable) else searchable
    why_not = _why_closed(stay_encrypted(press_button(form, choose_button(form))), belief, settings)
    if request.method != "GET" and _domain(request.url) != _domain(form.page):
        why_not = why_not or f"its next page is sent by POST to another site, {request.url}"
    if not why_not and (why := _why_harmful(request.url, "", settings)):
        why_not = f"its next page {why}"
    if why_not:
        return SubmissionRefusal(signature(form), request.method, request.url, (), why_not)
    asked = structs.replace(request, is_session=True)
    return Submission(signature(form), asked, (), "", belief, "a further page of its answer")


def why_refused(
    form: Form, searchable: SearchableChance, settings: SubmitSettings = _DEFAULTS
) -> str:
    """Why the form would be refused whatever is filled in; '' if it would not."""
    belief = searchable(form) if callable(searchable) else searchable
    button = choose_button(form)
    form = stay_encrypted(press_button(form, button))
    if why := _why_closed(form, belief, settings):
        return why
    why = _why_harmful(str(form.action), _act_of(button, form), settings)
    return f"it {why}" if why else ""


def order_forms(forms: Iterable[Form], searchable: Callable[[Form], float]) -> list[Form]:
    """In the order in which to try them: GET before POST, which may change something, then the
    most surely searchable."""
    return sorted(forms, key=lambda form: (form.method != "get", -searchable(form), form.position))


def choose_button(form: Form) -> Field | None:
    """The button to press: one that speaks of searching, else the first harmless one, as the Enter
    key would; None if there is none to press."""
    buttons = [button for button in form.submits if not button.is_disabled]
    # Buttons that empty the form come last: pressed, they would send nothing of the query.
    harmless = sorted((b for b in buttons if not button_hazard(b)), key=clears_form)
    searching = (button for button in harmless if is_search_button(button))
    return next(chain(searching, harmless), None)


def press_button(form: Form, button: Field | None) -> Form:
    """The form with the address and the method that the button gives it (`formaction`): this is
    the form that is sent, and that must be allowed."""
    if button is None or not (button.action or button.method):
        return form
    return structs.replace(
        form, action=button.action or form.action, method=button.method or form.method
    )


def stay_encrypted(form: Form) -> Form:
    """A form of an encrypted page that is sent to its own site unencrypted, sent encrypted: a site
    that serves its pages so answers there too, and what is typed is not seen on the way."""
    action, page = form.action, form.page
    if action is None or not (page.startswith("https:") and action.startswith("http:")):
        return form
    if host_of(site_of(action)) != host_of(site_of(page)) or _has_port(action):
        return form
    return structs.replace(form, action=Url(f"https:{action.removeprefix('http:')}"))


def _has_port(url: Url) -> bool:
    return ":" in url.removeprefix("http://").partition("/")[0]


def _why_closed(form: Form, belief: float, settings: SubmitSettings) -> str:
    # In this order, because the first two hold whatever is set.
    return _why_unreachable(form) or find_hazard(form) or _why_unsure(form, belief, settings)


def _why_unreachable(form: Form) -> str:
    if form.source == BOX:
        return "it is a search box that only a script reads"
    if form.action is None:
        return "its action is no address to send to"
    if is_left_to_scripts(form):
        return "none of its controls has a name: what is typed in it only a script reads"
    # State that was cut off would be sent as a wrong one. A longer value was read by a caller that
    # raised the limit to have all of it.
    if any(f.kind == "hidden" and len(f.value) == MAX_VALUE_CHARS for f in form.fields):
        return f"it carries a hidden value of {MAX_VALUE_CHARS} characters or more, cut off there"
    if form.method == "post" and _domain(form.action) != _domain(form.page):
        return f"it is sent by POST to another site, {site_of(form.action)}"
    # As browsers warn: what is typed could be read on the way.
    if form.page.startswith("https:") and form.action.startswith("http:"):
        return "it would leave an encrypted page unencrypted"
    return ""


def is_left_to_scripts(form: Form) -> bool:
    """Whether nothing of what a visitor puts into it would be sent by HTML alone."""
    if form.source == BOX or form.action is None:
        return True
    if form.source == LISTING:
        return False
    shown = (field for field in form.fields if field.kind not in BUTTONS)
    return not any(field.name and field.kind != "hidden" for field in shown)


def _name_button(button: Field | None) -> str:
    """What a button says, or else its name; '' for none."""
    return (button.label or button.value or button.name) if button else ""


def _act_of(button: Field | None, form: Form) -> str:
    """The words of a button as those of a command: that it sends is none in a form that searches,
    where "Send" sends the query."""
    is_query_sent = button is not None and sends(button) and says_search(form)
    return "" if is_query_sent else _name_button(button)


def _why_harmful(url: str, pressed: str, settings: SubmitSettings) -> str:
    # What commands look like was learned from links; forms have hazards of their own.
    return ChangeJudge(settings.allow_changes, find_change_by_words).why_harmful(url, pressed)


def _domain(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


def _why_unsure(form: Form, belief: float, settings: SubmitSettings) -> str:
    # `not >=` instead of `<`, so that a probability that is not a number is refused too.
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


def build_request(form: Form, values: Mapping[str, str], button: Field | None) -> Request | None:
    """What a browser would send when that button is pressed; None if the address cannot be
    written. The caller decides whether it may be sent."""
    codec = output_codec(form.charset)
    entries = entry_list(form, values, button, charset_name(codec))
    action = str(form.action).partition("#")[0]
    if form.is_template:
        url = canonical(fill_template(action, entries, codec), rules=AS_IT_IS)
        return Request(url, referrer=form.page, is_session=True) if url else None
    if form.method == "get":
        # As browsers do, the entries replace a query that the action has already.
        query = urlencode(entries, codec)
        url = canonical(f"{action.partition('?')[0]}?{query}", rules=AS_IT_IS)
        return Request(url, referrer=form.page, is_session=True) if url else None
    url = canonical(action, rules=AS_IT_IS)
    if url is None:
        return None
    body, content_type = encode_body(entries, codec, form.encoding)
    return Request(url, "POST", body, content_type, form.page, is_session=True)


_MAX_SHOWN_CHARS = 80
"""Of a value or a button, in the log: long ones are hidden state."""


def build_event(decision: Submission | SubmissionRefusal, at: float) -> Event:
    """The event for a form that is about to be sent, or was refused."""
    filled = ", ".join(f"{name}={value[:_MAX_SHOWN_CHARS]!r}" for name, value in decision.filled)
    if isinstance(decision, SubmissionRefusal):
        detail = f"{decision.method} {decision.url}; filled {filled or 'nothing'}; {decision.why}"
        return Event(at, "refusal", decision.signature, detail)
    request = decision.request
    pressed = f"; pressed {decision.button[:_MAX_SHOWN_CHARS]!r}" if decision.button else ""
    detail = f"{request.method} {request.url}; filled {filled}{pressed}; {decision.why}"
    return Event(at, "submission", decision.signature, detail)


def show_request(decision: Submission | SubmissionRefusal) -> str:
    """Exactly what would be sent: request line, the headers of the form's own, and the body.

    Bytes outside ASCII are written as escapes, so that nothing is hidden.
    """
    if isinstance(decision, SubmissionRefusal):
        return f"not sent: {decision.why}"
    request = decision.request
    lines = [f"{request.method} {request.url}"]
    if request.referrer:
        lines.append(f"Referer: {request.referrer}")
    if request.content_type:
        lines.append(f"Content-Type: {request.content_type}")
    if request.method != "GET":
        lines += ["", request.body.decode("ascii", "backslashreplace")]
    return "\n".join(lines)
