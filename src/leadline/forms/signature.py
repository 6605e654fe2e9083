"""Is this the same form again? A signature names each form; likeness compares those it splits.

A crawl counts forms by their signature. Its rules were chosen on half of the sites with several
forms (Formasaurus, SWDE) and are measured on the other half by `bench/same_forms.py`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import xxhash
from msgspec import Struct

from leadline.core.page import Field, Form
from leadline.core.text import fold
from leadline.core.url import Url, canonical, host_of, path_of, registered_domain, site_of
from leadline.forms.form_data import BUTTONS

_guid = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").sub
_tokens = re.compile(r"[a-z]*\d[a-z\d]*(?:[-_.]\d+)*").sub
_numbers = re.compile(r"\d+(?:[-_.]\d+)*").sub
_seams = re.compile(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)").findall
_RANDOM_CHARS, _RANDOM_SEAMS = 8, 3
"""A word of so many characters in which letters and digits alternate so often is a token: among
the names of real controls only tokens do."""
_LONG_NUMBER = 4
"""Digits: shorter numbers distinguish controls, folders and databases, longer ones goods, visitors
and years."""
UNSEEN = BUTTONS | {"hidden"}
_SAME_KIND = {"search": "text"}
"""Types that browsers and templates put for each other."""


def signature(form: Form) -> str:
    """Equal for one form met on many pages: from its target, its method, its names and kinds.

    What changes from page to page is left out: hidden controls and buttons, how often a name
    occurs, long numbers and tokens in names and paths.
    """
    parts = (target_site(form), target_path(form), form.method, *sorted(control_names(form)))
    return xxhash.xxh3_64_hexdigest("\n".join(parts).encode("utf-8", "replace"))


def target_site(form: Form) -> str:
    """Whose database is asked: the registered domain of the page, or the host of another site.

    A search service answers for many sites from one host: there, a lone box that hides a token or
    the name of its own site is a form of that site.
    """
    own = _domain(form.page)
    if form.action is None or _domain(form.action) == own:
        return own
    host = host_of(site_of(form.action)).removeprefix("www.")
    return f"{host} for {own}" if _is_for_its_site(form, own) else host


def _domain(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


def _is_for_its_site(form: Form, own: str) -> bool:
    """Whether a lone box tells a service by a name or token which site to search. Other forms that
    are sent elsewhere are copies of one form: their tokens only name the partner."""
    hidden = [field.value.lower() for field in form.fields if field.kind == "hidden"]
    is_lone = sum(field.kind not in UNSEEN for field in form.fields) == 1
    return is_lone and any(own in value or drop_tokens(value) != value for value in hidden)


def target_path(form: Form) -> str:
    """Where on its site the form is sent to; `.` for a form that is sent to its own page, which
    is one form on all pages."""
    if form.action is None or (form.action == form.page and not _names_root(form)):
        return "."
    return path_without_tokens(form.action)


def path_without_tokens(url: Url) -> str:
    return drop_tokens(path_of(url).partition("?")[0]).rstrip("/") or "/"


def _names_root(form: Form) -> bool:
    """Whether a form on the home page names it as its action, as it does on all other pages."""
    is_home = path_of(form.page) == "/"
    return is_home and any(
        canonical(word, form.page) == form.page for word in form.attributes.split()
    )


def control_names(form: Form) -> set[str]:
    """Names and kinds of the controls that people see; of all controls if they see none."""
    seen = [field for field in form.fields if field.kind not in UNSEEN]
    return {control_name(field) for field in seen or form.fields}


def control_name(field: Field) -> str:
    return f"{drop_tokens(field.name)}:{_SAME_KIND.get(field.kind, field.kind)}"


@lru_cache(maxsize=20_000)
def drop_tokens(text: str) -> str:
    """Without case, long numbers and what looks like a token.

    >>> drop_tokens("/item/ref=x1/176-9108116"), drop_tokens("login_95ef46375c02cd62")
    ('/item/ref=x1/0', 'login_0')
    """
    text = text.lower()
    return _tokens(_drop_token, _guid("0", text)) if any(map(str.isdigit, text)) else text


def _drop_token(found: re.Match[str]) -> str:
    token = found[0]
    digits = sum(map(str.isdigit, token))
    is_random = len(token) >= _RANDOM_CHARS and len(_seams(token)) >= _RANDOM_SEAMS
    is_number = digits >= _LONG_NUMBER and 2 * digits >= len(token)
    if is_random or is_number:
        return "0"
    return _numbers(lambda number: "0" if len(number[0]) >= _LONG_NUMBER else number[0], token)


ALIKE = 0.75
"""Likeness from which two forms are taken for one: one more check box costs a lone text box a
fifth, one more text box or list half. Chosen on the development half of real sites."""
_WEIGHTS = {"checkbox": 0.25, "radio": 0.5}
"""Of controls other than lists and text boxes, which weigh 1: pages add and drop them freely."""
_BY_LABEL = 0.8
"""Weight of a control with another name but the same kind and label: names are often generated."""
_HIDDEN_SHARE = 0.1
"""Part of the likeness that hidden controls decide: they come and go."""
_OTHER_SITE, _OTHER_METHOD = 0.5, 0.6
_OTHER_VALUE, _OTHER_FOLDER, _OTHER_PATH = 0.95, 0.9, 0.5
"""Factors for forms that are sent elsewhere: only values written into the path differ
(`/ref=top`), only the folder (`/login/find`), or more."""
_OWN_LABELS = frozenset({"for", "wrap", "aria", "placeholder"})


class FormLikeness(Struct, frozen=True):
    """How alike two forms are."""

    score: float
    """From 0 to 1; 1 for forms of one signature."""
    why: str
    """What differs, or that nothing does."""


class FormOutline(Struct, frozen=True):
    """What of a form is compared."""

    signature: str
    site: str
    path: str
    own_path: str
    """Of its page, for a form that is sent there; '' otherwise."""
    method: str
    seen: dict[str, float]
    """Weights of the controls that people see, by name and kind."""
    labels: dict[str, str]
    """Kind and label of those that have one."""
    hidden: frozenset[str]


def outline_form(form: Form) -> FormOutline:
    seen = [field for field in form.fields if field.kind not in UNSEEN]
    path = target_path(form)
    return FormOutline(
        signature=signature(form),
        site=target_site(form),
        path=path,
        own_path=path_without_tokens(form.page) if path == "." else "",
        method=form.method,
        seen={control_name(field): _WEIGHTS.get(field.kind, 1.0) for field in seen},
        labels={control_name(field): _label(field) for field in seen if _label(field)},
        hidden=frozenset(control_name(f) for f in form.fields if f.kind == "hidden"),
    )


def _label(field: Field) -> str:
    text = fold(field.label if field.label_source in _OWN_LABELS else "").strip(" :*")
    return f"{text}:{field.kind}" if text else ""


def compare_forms(one: Form, other: Form) -> FormLikeness:
    """How alike two forms are; symmetric."""
    return compare_outlines(outline_form(one), outline_form(other))


def compare_outlines(one: FormOutline, other: FormOutline) -> FormLikeness:
    if one.signature == other.signature:
        return FormLikeness(1.0, "the same signature")
    parts = {
        "controls": _compare_controls(one, other),
        "path": _compare_paths(one, other),
        "method": 1.0 if one.method == other.method else _OTHER_METHOD,
        "site": 1.0 if one.site == other.site else _OTHER_SITE,
    }
    score = 1.0
    for part in parts.values():
        score *= part
    differing = [f"{name} {part:.2f}" for name, part in parts.items() if part < 1.0]
    return FormLikeness(round(score, 4), ", ".join(differing) or "different numbers only")


def _compare_controls(one: FormOutline, other: FormOutline) -> float:
    """The share of controls, by weight, that both have."""
    both = one.seen.keys() & other.seen.keys()
    shared = sum(one.seen[name] for name in both)
    alone = [_unshared_labels(outlined, both) for outlined in (one, other)]
    relabelled = alone[0].keys() & alone[1].keys()
    shared += _BY_LABEL * sum(alone[0][label] for label in relabelled)
    whole = sum((one.seen | other.seen).values()) - sum(alone[1][label] for label in relabelled)
    seen = shared / whole if whole else 1.0
    hidden = one.hidden | other.hidden
    if not hidden:
        return seen
    return (1 - _HIDDEN_SHARE) * seen + _HIDDEN_SHARE * len(one.hidden & other.hidden) / len(hidden)


def _unshared_labels(outlined: FormOutline, both: set[str]) -> dict[str, float]:
    """Weights by label of the controls that only one form has."""
    labels = outlined.labels.items()
    return {label: outlined.seen[name] for name, label in labels if name not in both}


def _compare_paths(one: FormOutline, other: FormOutline) -> float:
    first, second = one.own_path or one.path, other.own_path or other.path
    if one.path == other.path or first == second:
        return 1.0
    ways = [path.strip("/").split("/") for path in (first, second)]
    bare = [[step.partition("=")[0] for step in way] for way in ways]
    if bare[0] == bare[1]:
        return _OTHER_VALUE
    shared = one.seen.keys() & other.seen.keys() | one.hidden & other.hidden
    # A lone box has the name that lone boxes have everywhere.
    return _OTHER_FOLDER if ways[0][-1] == ways[1][-1] and len(shared) > 1 else _OTHER_PATH


def group_look_alikes(forms: Sequence[Form], least: float = ALIKE) -> list[list[int]]:
    """Numbers of forms that look alike, each form once, in the order of first members.

    A form joins the group whose first member it is most like, so that a chain of small differences
    does not add up to a large one.
    """
    outlines = [outline_form(form) for form in forms]
    found: list[list[int]] = []
    by_site: dict[str, list[list[int]]] = {}
    for number, outlined in enumerate(outlines):
        nearby = by_site.setdefault(outlined.site, [])
        scores = [compare_outlines(outlines[group[0]], outlined).score for group in nearby]
        if scores and max(scores) >= least:
            nearby[scores.index(max(scores))].append(number)
        else:
            nearby.append([number])
            found.append(nearby[-1])
    return found
