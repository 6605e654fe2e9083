"""What people read of a store, as flat rows: the same for tables, JSON, CSV and the report."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from msgspec import Struct

from leadline.core.crawl import SiteState, StoredForm
from leadline.core.page import Field, Form
from leadline.core.ports import Store
from leadline.forms.likeness import look_alikes
from leadline.forms.meaning import meanings, pairs

ACCEPTED = 0.5
"""Belief from which a form counts as found; the engine's threshold."""
_NONE_ALIKE: Mapping[str, tuple[str, ...]] = {}
SILENT = ("hidden", "submit", "button", "image", "reset")


class FieldRow(Struct, frozen=True):
    """A control a person could fill in."""

    name: str
    kind: str
    label: str
    choices: int
    """How many options a select or a group of radio buttons offers."""
    meaning: str = ""
    """What it asks for, as in `person` or `price to`."""
    why: str = ""
    """How that is known."""

    @property
    def shown(self) -> str:
        """As in `Author (person)`, or `Genre (category, 12 choices)`."""
        choices = f"{self.choices} choices" if self.choices else ""
        facts = ", ".join(filter(None, (self.meaning, choices)))
        word = self.label or self.name or self.kind
        return f"{word} ({facts})" if facts else word


class FormRow(Struct, frozen=True):
    """One form of the directory."""

    site: str
    what: str
    """The title of its page, else its own words."""
    method: str
    action: str
    fields: tuple[FieldRow, ...]
    ranges: tuple[str, ...]
    """Which controls ask for the two ends of one thing, as in `price: low to high`."""
    score: float
    """Belief that it is searchable and about the topic."""
    searchable: float
    why: str
    page: str
    sightings: int
    topic: str
    at: float
    signature: str
    alike: tuple[str, ...] = ()
    """Signatures of forms so like it that they may be one with it."""


def form_rows(
    store: Store, *, min_score: float = ACCEPTED, any_form: bool = False, topic: str = ""
) -> list[FormRow]:
    """The directory, best first; `any_form` also takes forms that are no search forms."""
    found = list(store.forms())
    alike = alike_by_signature(found)
    rows = (form_row(store, stored, alike) for stored in found)
    wanted = [row for row in rows if any_form or row.score >= min_score]
    if topic:
        wanted = [row for row in wanted if row.topic == topic]
    return sorted(wanted, key=lambda row: (-row.score, row.site, row.page))


def alike_by_signature(found: Sequence[StoredForm]) -> dict[str, tuple[str, ...]]:
    """For each form's signature those of the forms that look like it."""
    signatures = [stored.judged.signature for stored in found]
    alike: dict[str, tuple[str, ...]] = {}
    for group in look_alikes([stored.judged.form for stored in found]):
        names = [signatures[number] for number in group]
        alike |= {name: tuple(other for other in names if other != name) for name in names}
    return alike


def form_row(
    store: Store, stored: StoredForm, alike: Mapping[str, tuple[str, ...]] = _NONE_ALIKE
) -> FormRow:
    """One form with the title of the page that first showed it."""
    judged, form = stored.judged, stored.judged.form
    visit = store.visit(stored.visit)
    return FormRow(
        site=stored.site,
        what=(visit.title if visit else "") or own_words(form),
        method=form.method,
        action=form.action or "",
        fields=tuple(field_rows(form)),
        ranges=tuple(ranges_of(form)),
        score=round(judged.relevant, 4),
        searchable=round(judged.searchable, 4),
        why=judged.why,
        page=form.page,
        sightings=stored.sightings,
        topic=stored.topic,
        at=stored.at,
        signature=judged.signature,
        alike=alike.get(judged.signature, ()),
    )


def field_rows(form: Form) -> Iterator[FieldRow]:
    """The controls a person sees."""
    for field, meant in zip(form.fields, meanings(form), strict=True):
        if field.kind not in SILENT:
            choices = len(field.options)
            yield FieldRow(field.name, field.kind, label_of(field), choices, meant.shown, meant.why)


def ranges_of(form: Form) -> Iterator[str]:
    """Two controls that bound one thing, as in `price: min_price to max_price`."""
    for pair in pairs(form, meanings(form)):
        yield f"{pair.kind}: {form.fields[pair.low].name} to {form.fields[pair.high].name}"


def label_of(field: Field) -> str:
    return " ".join((field.label or field.placeholder or field.name).split())


def own_words(form: Form) -> str:
    words = " ".join(form.text.split()) or " ".join(s.value or s.label for s in form.submits)
    return words[:80] or "(no words of its own)"


def site_rows(store: Store) -> list[SiteState]:
    """Visited sites, those with most forms first."""
    visited = (site for site in store.sites() if site.pages or site.errors)
    return sorted(visited, key=lambda site: (-site.forms, -site.searchable, -site.pages, site.site))


class Point(Struct, frozen=True):
    """After so many visits, so many distinct relevant forms."""

    visits: int
    forms: int


def harvest_curve(new_forms: Iterable[int], most: int = 400) -> list[Point]:
    """Forms against visits, thinned to about `most` points; the last one is exact.

    >>> [(p.visits, p.forms) for p in harvest_curve([0, 1, 0, 2], most=2)]
    [(0, 0), (2, 1), (4, 3)]
    """
    totals = array("q", accumulate(new_forms, initial=0))
    last = len(totals) - 1
    step = max(1, -(-last // most))
    return [Point(n, totals[n]) for n in (*range(0, last, step), last)]


def stop_reason(store: Store) -> str:
    """Why the last run ended; 'running, or cut off' when it never said."""
    reason = "never run"
    for event in store.events():
        if event.kind == "started":
            reason = "running, or cut off"
        elif event.kind == "stopped":
            reason = event.detail
    return reason
