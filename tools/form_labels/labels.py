"""The labels, and how they find their forms again."""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs

from leadline.core.page import Form
from tools.form_labels.units import (
    ModernPage,
    control_keys,
    form_key,
    formasaurus_searches,
    hash_of,
    modern_pages,
    swde_forms,
    units_of,
    visible_fields,
)
from tools.splits import is_held_out

SEARCH_KINDS = frozenset({"site-search", "database-search", "web-search"})
KINDS = SEARCH_KINDS | {
    "login",
    "registration",
    "newsletter",
    "contact",
    "order",
    "payment",
    "comment",
    "poll",
    "consent",
    "settings",
    "calculator",
    "jump-menu",
    "lead",
    "other",
}
ROLES = frozenset(
    "keyword title person place postcode date year price-min price-max quantity category "
    "identifier language sort page-size email password phone address message amount consent "
    "other".split()
)
DOORS = frozenset({"form", "box", "opensearch", "searchaction", "link", "button"})
"""By what a page offers a search: a form, a box in no form, an OpenSearch description, a
SearchAction of schema.org, a link to a page of search, a button whose script opens a box that the
HTML does not hold."""
_ALIKE = 0.5
"""Share of controls that a form and the form that was labelled have in common at least, if the
parser has come to group controls otherwise. Forms of one host share few."""


class FormLabel(Struct, frozen=True):
    """What a person saw in a form."""

    form: str
    """Hash of the host, the target and the controls."""
    host: str
    """Hash of the registered domain."""
    held_out: bool
    searchable: bool
    kind: str
    safe: bool
    """Whether a robot may send it with a query: nothing is changed, no person gets a message."""
    roles: dict[int, str]
    """By number among the visible fields; in a `LabelledForm` among all fields of its form."""
    controls: tuple[str, ...] = ()
    """Hash of each visible field."""


class PageLabel(Struct, frozen=True):
    """By what a page offers a search."""

    page: str
    """Hash of the page."""
    host: str
    held_out: bool
    doors: tuple[str, ...]

    @property
    def offers_search(self) -> bool:
        return bool(self.doors)


class LabelledForm(NamedTuple):
    form: Form
    label: FormLabel
    host: str
    """The registered domain."""
    held_out: bool


class LabelledPage(NamedTuple):
    modern: ModernPage
    label: PageLabel


@cache
def form_labels(name: str = "modern") -> tuple[FormLabel, ...]:
    """Of the collection `modern`, `swde` or `formasaurus`; the last without roles."""
    return tuple(msgspec.json.Decoder(FormLabel).decode_lines(_bytes_of(f"{name}.jsonl")))


@cache
def page_labels() -> tuple[PageLabel, ...]:
    return tuple(msgspec.json.Decoder(PageLabel).decode_lines(_bytes_of("modern_pages.jsonl")))


def _bytes_of(name: str) -> bytes:
    return resources.files("tools.form_labels").joinpath(name).read_bytes()


def load_labelled_forms(folder: Path, *, only_read: bool = False) -> list[LabelledForm]:
    """Every labelled form of the modern pages in `folder`, once a host.

    With `only_read` those that the crawler's parser reports; else also controls in no form that it
    passes over, as implicit forms.
    """
    return join_labels(modern_pages(folder), form_labels(), only_read=only_read)


def load_swde_forms(folder: Path) -> list[LabelledForm]:
    """The forms of SWDE's sites. They were looked at before hosts were held out."""
    return _join_forms(swde_forms(folder), form_labels("swde"))


def load_formasaurus_searches(folder: Path) -> list[LabelledForm]:
    """The forms that Formasaurus calls a search, with what they search; without roles."""
    return _join_forms(formasaurus_searches(folder), form_labels("formasaurus"))


def load_labelled_pages(folder: Path) -> list[LabelledPage]:
    known = {label.page: label for label in page_labels()}
    return [LabelledPage(m, known[m.key]) for m in modern_pages(folder) if m.key in known]


def join_labels(
    pages: Iterable[ModernPage], labels: Sequence[FormLabel], *, only_read: bool = False
) -> list[LabelledForm]:
    """Forms of the pages with their labels; a form without one is left out.

    A form that the parser reads otherwise than when it was labelled gets the label of the
    form of its host that shares most controls with it.
    """
    forms = ((m.host, f) for m in pages for f in (m.page.forms if only_read else units_of(m)))
    return _join_forms(forms, labels)


def _join_forms(
    forms: Iterable[tuple[str, Form]], labels: Sequence[FormLabel]
) -> list[LabelledForm]:
    by_host: dict[str, list[FormLabel]] = {}
    for label in labels:
        by_host.setdefault(label.host, []).append(label)
    met: set[str] = set()
    found = []
    for host, form in forms:
        key = form_key(form, host)
        if key in met:
            continue
        met.add(key)
        read = _label_of(form, key, host, by_host.get(hash_of(host), []))
        if read is not None:
            placed = _place_roles(read, form, host)
            found.append(LabelledForm(form, placed, host, is_held_out(host)))
    return found


def _label_of(form: Form, key: str, host: str, known: Sequence[FormLabel]) -> FormLabel | None:
    for label in known:
        if label.form == key:
            return label
    own = set(control_keys(form, host))
    alike = [(_likeness(own, set(label.controls)), -n) for n, label in enumerate(known)]
    best, number = max(alike, default=(0.0, 0))
    return known[-number] if best >= _ALIKE else None


def _likeness(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


def _place_roles(label: FormLabel, form: Form, host: str) -> FormLabel:
    """With roles under the numbers of the form's own fields."""
    numbers = {id(field): number for number, field in enumerate(form.fields)}
    own = {
        key: numbers[id(field)]
        for key, field in zip(control_keys(form, host), visible_fields(form), strict=True)
    }
    roles = {
        own[label.controls[number]]: role
        for number, role in label.roles.items()
        if label.controls[number] in own
    }
    return structs.replace(label, roles=roles)
