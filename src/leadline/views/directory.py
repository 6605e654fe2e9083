"""The directory of databases found, and the sites of a crawl: filtered, sorted, page by page."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray
from pydantic import Field

from leadline.core.change_feed import FormEntry
from leadline.core.crawl import JudgedForm, SiteState
from leadline.core.inbox import FORM
from leadline.core.page import Form
from leadline.forms.signature import compare_outlines, outline_form
from leadline.views.critic import find_corrected_critic, find_critic, find_form_page
from leadline.views.explanation import MOST_COMPARED
from leadline.views.forms import SILENT, FieldRow, FormRow, field_rows
from leadline.views.harvests import HarvestStatus, harvest_progress
from leadline.views.inbox import LabelRow, form_labels, labels_about
from leadline.views.listing import LARGEST, Listing, ListQuery, round_score
from leadline.views.mirror.store import StoreMirror

FormSort = Literal["score", "newest", "site", "size", "records"]
LabelFilter = Literal["any", "right", "wrong", "none"]
SiteSort = Literal["forms", "pages", "searchable", "errors", "delay", "site"]
SiteFilter = Literal["any", "open", "left"]
_UNKNOWN = -1
_MOST_WORDS = 20
_MOST_CHOICES = 50
_MOST_SIMILAR = 8
_LEAST_ALIKE = 0.25
"""Forms of the same controls on different sites have half, sent elsewhere there a quarter."""
_TEXT_CHARS = 4_000


class DirectoryRow(FormRow, frozen=True, kw_only=True):
    """A form of the directory, with what harvests and labels add."""

    size: int | None
    """Records behind it, estimated; null when unknown."""
    records: int
    """Records held."""
    label: str
    """right, wrong or empty."""
    after: float | None
    """The score by what labels have taught since; null without labels."""


class SimilarForm(DirectoryRow, frozen=True, kw_only=True):
    """A form that is like another one."""

    likeness: float
    """From 0 to 1; from 0.75 on they may be one form."""
    differs: str
    """In what they differ."""


class FieldDetail(FieldRow, frozen=True, kw_only=True):
    """All about a control a person could fill in."""

    options: tuple[str, ...]
    """The first ones of a menu."""
    placeholder: str
    is_required: bool


class PathStep(Struct, frozen=True):
    """One link that was followed on the way."""

    url: str
    anchor: str


class FormDetail(DirectoryRow, frozen=True, kw_only=True):
    """All about one form."""

    fields: tuple[FieldDetail, ...]
    text: str
    """Its own visible words."""
    submits: tuple[str, ...]
    reasons: dict[str, tuple[str, ...]]
    """What speaks for (+) and against (-) it, strongest first, by the question."""
    path: tuple[PathStep, ...]
    """From the seed to its page."""
    similar: tuple[SimilarForm, ...]
    """Likest first."""
    harvest: HarvestStatus | None
    labels: tuple[LabelRow, ...]


class FormQuery(ListQuery):
    """Which forms of a directory are asked for."""

    q: str = Field("", max_length=500, description="Words of its title, site, address or labels.")
    topic: str = Field("", max_length=200, description="Found for this topic.")
    site: str = Field("", max_length=300, description="On this site, or on sites named so in part.")
    field: str = Field(
        "", max_length=50, description="With a field of this meaning, as `person` or `price`."
    )
    language: str = Field("", max_length=20, description="Of its page, in two letters.")
    min_size: int = Field(0, ge=0, le=LARGEST, description="Records behind it, estimated.")
    min_score: float = Field(0.5, ge=0, le=1, description="0: also what is not relevant.")
    label: LabelFilter = Field("any", description="none: without a label.")
    sort: FormSort = Field("score", description="Best or largest first; sites by name.")


class SiteQuery(ListQuery):
    """Which sites are asked for."""

    q: str = Field("", max_length=300, description="Part of its name.")
    state: SiteFilter = Field("any", description="open: may be asked more; left: are not.")
    sort: SiteSort = Field("forms", description="Largest first; sites by name.")


def list_forms(mirror: StoreMirror, wanted: FormQuery) -> Listing[DirectoryRow]:
    found = _sort_forms(mirror, _filter_forms(mirror, wanted), wanted.sort)
    shown = found[wanted.offset : wanted.offset + wanted.limit]
    rows = tuple(directory_rows(mirror, shown.tolist()))
    return Listing(rows, len(found), wanted.offset, wanted.limit)


def directory_rows(mirror: StoreMirror, numbers: Sequence[int]) -> list[DirectoryRow]:
    """One row for each of the forms, by their numbers in `mirror.forms`."""
    entries = mirror.feed.forms_numbered([mirror.forms.lines[at].mark for at in numbers])
    labels, critic = form_labels(mirror), find_corrected_critic(mirror)

    def make(at: int, entry: FormEntry) -> DirectoryRow:
        row = mirror.forms.row(at, entry)
        size = _size(mirror, row.signature)
        after = critic.form(find_form_page(mirror, entry.form)) if critic else None
        facts = {**structs.asdict(row), "topic": row.topic or mirror.topic}
        return DirectoryRow(
            **facts,
            size=None if size == _UNKNOWN else size,
            records=_records(mirror, row.signature),
            label=labels.get(row.signature, ""),
            after=None if after is None else round_score(after),
        )

    return [make(at, entry) for at, entry in zip(numbers, entries, strict=True)]


def find_judged(mirror: StoreMirror, at: int) -> JudgedForm:
    """The form of that number in `mirror.forms`, as the crawl judged it."""
    (entry,) = mirror.feed.forms_numbered([mirror.forms.lines[at].mark])
    return entry.form.judged


def describe_form(mirror: StoreMirror, at: int) -> FormDetail:
    """The form of that number in `mirror.forms`."""
    (entry,) = mirror.feed.forms_numbered([mirror.forms.lines[at].mark])
    form, signature = entry.form.judged.form, entry.form.judged.signature
    (row,) = directory_rows(mirror, [at])
    harvest, critic = mirror.harvests.by_signature.get(signature), find_critic(mirror)
    reasons = critic.explain_form(form, entry.language) if critic else {}
    path = mirror.store.pages.path(entry.form.visit)
    facts = {**structs.asdict(row), "fields": tuple(_field_details(form))}
    return FormDetail(
        **facts,
        text=form.text[:_TEXT_CHARS],
        submits=tuple(button.value or button.label for button in form.submits),
        reasons={name: tuple(found) for name, found in reasons.items()},
        path=tuple(PathStep(step.url, step.anchor) for step in path),
        similar=_find_similar(mirror, at, form),
        harvest=harvest_progress(mirror, harvest) if harvest else None,
        labels=tuple(labels_about(mirror, FORM, signature)),
    )


def _field_details(form: Form) -> Iterable[FieldDetail]:
    fields = [field for field in form.fields if field.kind not in SILENT]
    for field, row in zip(fields, field_rows(form), strict=True):
        options = tuple(option.text or option.value for option in field.options[:_MOST_CHOICES])
        yield FieldDetail(
            **structs.asdict(row),
            options=options,
            placeholder=field.placeholder,
            is_required=field.is_required,
        )


def _find_similar(mirror: StoreMirror, at: int, form: Form) -> tuple[SimilarForm, ...]:
    # Comparing with all forms would take seconds: candidates come from two indexes.
    others = [one for one in mirror.forms.find_similar(form, MOST_COMPARED) if one != at]
    entries = mirror.feed.forms_numbered([mirror.forms.lines[one].mark for one in others])
    own = outline_form(form)
    scored = [
        (compare_outlines(own, outline_form(entry.form.judged.form)), one)
        for entry, one in zip(entries, others, strict=True)
    ]
    alike = [pair for pair in scored if pair[0].score >= _LEAST_ALIKE]
    shown = sorted(alike, key=lambda pair: (-pair[0].score, pair[1]))[:_MOST_SIMILAR]
    rows = directory_rows(mirror, [one for _, one in shown])
    return tuple(
        SimilarForm(**structs.asdict(row), likeness=likeness.score, differs=likeness.why)
        for row, (likeness, _) in zip(rows, shown, strict=True)
    )


def _filter_forms(mirror: StoreMirror, wanted: FormQuery) -> NDArray[np.int64]:
    forms = mirror.forms
    is_fitting = forms.scores.cells >= wanted.min_score
    # A score that is not a number compares false, and is still a form that was met.
    if wanted.min_score <= 0:
        is_fitting |= True
    if wanted.site:
        is_fitting &= np.isin(forms.sites.cells, _find_sites(mirror, wanted.site))
    if wanted.language:
        is_fitting &= forms.language_codes.cells == forms.languages.find(wanted.language)
    if wanted.topic:
        codes, topics = forms.topic_codes.cells, forms.topics
        is_of_topic = codes == topics.find(wanted.topic)
        # Forms of older stores have no topic of their own: they were found for the store's.
        if wanted.topic == mirror.topic:
            is_of_topic |= codes == topics.find("")
        is_fitting &= is_of_topic
    found = np.flatnonzero(is_fitting)
    words = wanted.q.lower().split()[:_MOST_WORDS]
    if words:
        found = _array(forms.search(words, found))
    for is_wanted in _slow_filters(mirror, wanted):
        found = _array(at for at in found.tolist() if is_wanted(at))
    return found


def _slow_filters(mirror: StoreMirror, wanted: FormQuery) -> Iterable[Callable[[int], bool]]:
    """Claims that are checked form by form, after the quick ones."""
    forms = mirror.forms
    if wanted.field:
        # Forms that are not studied yet are left out; all are within seconds of the start.
        found = forms.meanings
        yield lambda at: at < len(found) and _has_meaning(found[at], wanted.field)
    if wanted.min_size > 0:
        yield lambda at: _size(mirror, forms.lines[at].signature) >= wanted.min_size
    if wanted.label != "any":
        labels = form_labels(mirror)
        label = "" if wanted.label == "none" else wanted.label
        yield lambda at: labels.get(forms.lines[at].signature, "") == label


def _has_meaning(found: Sequence[str], wanted: str) -> bool:
    """`place` is also in `place:zip` and `place from`.

    >>> _has_meaning(("keyword", "place:zip from"), "place"), _has_meaning(("title",), "tit")
    (True, False)
    """
    return any(one == wanted or one.startswith((f"{wanted}:", f"{wanted} ")) for one in found)


def _find_sites(mirror: StoreMirror, part: str) -> list[int]:
    """Numbers of the site of that name, or of sites whose names contain it."""
    # A whole name means this site alone, though others may end the same.
    exact = mirror.sites.find(part)
    if exact is not None:
        return [exact]
    part = part.lower()
    return [at for at, name in enumerate(mirror.sites.names) if part in name]


def _sort_forms(mirror: StoreMirror, found: NDArray[np.int64], sort: FormSort) -> NDArray[np.int64]:
    forms, lines = mirror.forms, mirror.forms.lines
    scores = -np.nan_to_num(forms.scores.cells[found])

    def by_harvest(of: Callable[[StoreMirror, str], int]) -> NDArray[np.int64]:
        return -_array(of(mirror, lines[at].signature) for at in found.tolist())

    # Of lexsort's keys the last one counts first; only the wanted ones are computed.
    keys: dict[FormSort, Callable[[], Sequence[object]]] = {
        "score": lambda: (scores,),
        "newest": lambda: (-forms.ats.cells[found],),
        "site": lambda: (scores, mirror.sites.name_ranks()[forms.sites.cells[found]]),
        "size": lambda: (scores, by_harvest(_size)),
        "records": lambda: (scores, by_harvest(_records)),
    }
    return found[np.lexsort(keys[sort]())]  # type: ignore[arg-type]


def _size(mirror: StoreMirror, signature: str) -> int:
    """Records behind a form as its harvest estimates; _UNKNOWN without one."""
    harvest = mirror.harvests.by_signature.get(signature)
    coverage = harvest.coverage if harvest else None
    return coverage.size if coverage else _UNKNOWN


def _records(mirror: StoreMirror, signature: str) -> int:
    harvest = mirror.harvests.by_signature.get(signature)
    return harvest.records if harvest else 0


def list_sites(mirror: StoreMirror, wanted: SiteQuery) -> Listing[SiteState]:
    """Sites that were asked something at least once."""
    sites = mirror.sites
    is_fitting = (sites.counts["pages"].cells > 0) | (sites.counts["errors"].cells > 0)
    if wanted.state != "any":
        is_fitting &= (sites.closed.cells == 0) == (wanted.state == "open")
    found = np.flatnonzero(is_fitting)
    if wanted.q:
        part, names = wanted.q.lower(), sites.names
        found = _array(at for at in found.tolist() if part in names[at])
    if wanted.sort == "site":
        found = found[np.argsort(sites.name_ranks()[found])]
    else:
        forms, pages = (sites.counts[name].cells[found] for name in ("forms", "pages"))
        chosen = sites.delay_s if wanted.sort == "delay" else sites.counts[wanted.sort]
        found = found[np.lexsort((-pages, -forms, -chosen.cells[found]))]
    shown = found[wanted.offset : wanted.offset + wanted.limit].tolist()
    items = tuple(_site_state(mirror, at) for at in shown)
    return Listing(items, len(found), wanted.offset, wanted.limit)


def _site_state(mirror: StoreMirror, at: int) -> SiteState:
    sites = mirror.sites
    return SiteState(
        site=sites.names[at],
        delay_s=float(sites.delay_s.cells[at]),
        ready_at=float(sites.ready_at.cells[at]),
        closed=sites.reasons.words[sites.closed.cells[at]],
        **{name: int(column.cells[at]) for name, column in sites.counts.items()},
    )


def _array(numbers: Iterable[int]) -> NDArray[np.int64]:
    return np.fromiter(numbers, np.int64)
