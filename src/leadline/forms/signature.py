"""Whether two forms are the same form, cheaply: by one short name for each."""

import re
from functools import lru_cache

import xxhash

from leadline.core.page import Field, Form
from leadline.core.url import Url, canonical, host_of, path_of, registered_domain, site_of
from leadline.forms.entries import BUTTONS

_guid = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}").sub
_tokens = re.compile(r"[a-z]*\d[a-z\d]*(?:[-_.]\d+)*").sub
_numbers = re.compile(r"\d+(?:[-_.]\d+)*").sub
_seams = re.compile(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)").findall
_RANDOM_CHARS, _RANDOM_SEAMS = 8, 3
"""A word in which letters and digits change as often was drawn by a machine: among the names of
real controls only tokens do."""
_LONG_NUMBER = 4
"""Digits: shorter numbers tell controls, folders and databases apart, longer ones things sold,
visitors and years."""
UNSEEN = BUTTONS | {"hidden"}
_SAME_KIND = {"search": "text"}
"""Types that browsers and templates put for each other."""


def signature(form: Form) -> str:
    """Equal for one form met on many pages: its target, how it is sent, its names and kinds.

    What comes and goes with the page is left out: hidden controls and buttons,
    how often a name occurs, long numbers and tokens in names and paths.
    """
    parts = (target_site(form), target_path(form), form.method, *sorted(control_names(form)))
    return xxhash.xxh3_64_hexdigest("\n".join(parts).encode("utf-8", "replace"))


def target_site(form: Form) -> str:
    """Whose database is asked. On its own site a form may be sent to any host. Services search for
    many sites: each under a host of its own, or one told apart by what a lone box hides."""
    own = _domain(form.page)
    if form.action is None or _domain(form.action) == own:
        return own
    host = host_of(site_of(form.action)).removeprefix("www.")
    return f"{host} for {own}" if _is_for_its_site(form, own) else host


def _domain(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


def _is_for_its_site(form: Form, own: str) -> bool:
    """Whether a lone box tells a service by a name or token where to look. Other forms that are
    sent elsewhere are copies of one: theirs tell only who sent the visitor."""
    hidden = [field.value.lower() for field in form.fields if field.kind == "hidden"]
    is_lone = sum(field.kind not in UNSEEN for field in form.fields) == 1
    return is_lone and any(own in value or steady(value) != value for value in hidden)


def target_path(form: Form) -> str:
    """Where on its site the form is sent to; `.` for a form that submits to its own page, which
    is one form on all pages."""
    if form.action is None or (form.action == form.page and not _names_root(form)):
        return "."
    return steady_path(form.action)


def steady_path(url: Url) -> str:
    return steady(path_of(url).partition("?")[0]).rstrip("/") or "/"


def _names_root(form: Form) -> bool:
    """Whether a form on the home page is sent there on purpose, as it is from all other pages."""
    is_home = path_of(form.page) == "/"
    return is_home and any(
        canonical(word, form.page) == form.page for word in form.attributes.split()
    )


def control_names(form: Form) -> set[str]:
    """Of the controls that people see, with their kinds; of all where they see none."""
    seen = [field for field in form.fields if field.kind not in UNSEEN]
    return {control_name(field) for field in seen or form.fields}


def control_name(field: Field) -> str:
    return f"{steady(field.name)}:{_SAME_KIND.get(field.kind, field.kind)}"


@lru_cache(maxsize=20_000)
def steady(text: str) -> str:
    """Without case, long numbers and what looks like a token.

    >>> steady("/item/ref=x1/176-9108116"), steady("login_95ef46375c02cd62")
    ('/item/ref=x1/0', 'login_0')
    """
    text = text.lower()
    return _tokens(_steady_token, _guid("0", text)) if any(map(str.isdigit, text)) else text


def _steady_token(found: re.Match[str]) -> str:
    token = found[0]
    digits = sum(map(str.isdigit, token))
    is_random = len(token) >= _RANDOM_CHARS and len(_seams(token)) >= _RANDOM_SEAMS
    is_number = digits >= _LONG_NUMBER and 2 * digits >= len(token)
    return "0" if is_random or is_number else _numbers(_steady_number, token)


def _steady_number(found: re.Match[str]) -> str:
    return "0" if len(found[0]) >= _LONG_NUMBER else found[0]
