"""Forms as people see them: one row for tables, JSON, CSV, Parquet, the REST API and Scrapy."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, structs

from leadline.core.change_feed import FormEntry
from leadline.core.crawl import LIKELY, StoredForm, Visit
from leadline.core.page import Form
from leadline.core.store import StoreView
from leadline.forms.field_roles import FieldRole, find_ranges, find_roles
from leadline.forms.signature import group_look_alikes
from leadline.views.listing import round_score
from leadline.views.stores import topic_of

LEAST_SIGNATURE = 6
"""Letters of a signature by which a form may be called. Fewer may have been meant for another."""
SILENT = ("hidden", "submit", "button", "image", "reset")
"""Kinds of controls that nobody fills in."""
_NONE_ALIKE: Mapping[str, tuple[str, ...]] = {}


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
    """Why it was accepted, or not."""
    page: str
    sightings: int
    topic: str
    """For which it was found."""
    at: float
    signature: str
    alike: tuple[str, ...] = ()
    """Signatures of forms so like it that they may be the same one."""
    language: str = ""
    """Of its page, in two letters."""


def form_rows(
    store: StoreView, *, min_score: float = LIKELY, any_form: bool = False, topic: str = ""
) -> list[FormRow]:
    """The directory, best first; `any_form` also takes forms that are no search forms, and a
    `topic` only those that were found for it."""
    found = list(store.reader.forms())
    alike, own_topic = alike_by_signature(found), topic_of(store)
    rows = (form_row(stored, store.reader.visit(stored.visit), alike) for stored in found)
    # Forms of older stores have no topic of their own: they were found for the store's.
    rows = (row if row.topic else structs.replace(row, topic=own_topic) for row in rows)
    wanted = [row for row in rows if any_form or row.score >= min_score]
    if topic:
        wanted = [row for row in wanted if row.topic == topic]
    return sorted(wanted, key=lambda row: (-row.score, row.site, row.page))


def alike_by_signature(found: Sequence[StoredForm]) -> dict[str, tuple[str, ...]]:
    """For each form's signature those of the forms that look like it."""
    signatures = [stored.judged.signature for stored in found]
    alike: dict[str, tuple[str, ...]] = {}
    for group in group_look_alikes([stored.judged.form for stored in found]):
        names = [signatures[number] for number in group]
        alike |= {name: tuple(other for other in names if other != name) for name in names}
    return alike


def form_row(
    stored: StoredForm,
    page: Visit | FormEntry | None,
    alike: Mapping[str, tuple[str, ...]] = _NONE_ALIKE,
) -> FormRow:
    """One form with the title and the language of the page that first showed it."""
    judged, form = stored.judged, stored.judged.form
    roles = find_roles(form)
    ranges = find_ranges(form, roles)
    return FormRow(
        site=stored.site,
        what=(page.title if page else "") or own_words(form),
        method=form.method,
        action=form.action or "",
        fields=tuple(field_rows(form, roles)),
        ranges=tuple(
            f"{one.kind}: {form.fields[one.low].name} to {form.fields[one.high].name}"
            for one in ranges
        ),
        score=round_score(judged.relevant),
        searchable=round_score(judged.searchable),
        why=judged.why,
        page=form.page,
        sightings=stored.sightings,
        topic=stored.topic,
        at=stored.at,
        signature=judged.signature,
        alike=alike.get(judged.signature, ()),
        language=page.language if page else "",
    )


def field_rows(form: Form, roles: Sequence[FieldRole] | None = None) -> Iterator[FieldRow]:
    """The controls a person sees. `roles` are those of all fields, if they are known already."""
    for field, role in zip(form.fields, roles or find_roles(form), strict=True):
        if field.kind not in SILENT:
            label = " ".join((field.label or field.placeholder or field.name).split())
            yield FieldRow(field.name, field.kind, label, len(field.options), role.text, role.why)


def field_meanings(form: Form) -> tuple[str, ...]:
    """What its fields ask for, each once, in their order."""
    return tuple(dict.fromkeys(field.meaning for field in field_rows(form) if field.meaning))


def own_words(form: Form) -> str:
    """The visible text of a form without a title."""
    words = " ".join(form.text.split()) or " ".join(s.value or s.label for s in form.submits)
    return words[:80] or "(no words of its own)"
