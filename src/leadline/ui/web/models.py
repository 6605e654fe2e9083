"""What the dashboard shows and the REST API answers: one frozen model for each thing people ask.

The pages are drawn from the same models that the API returns, so nothing can be seen that cannot
be had as JSON. Text in them comes from strangers' pages: it is escaped where it is shown.
"""

from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")

LARGEST = 10**12
"""Of any number that may be sent: far below what SQLite can count to."""
MOST = 200
"""Items of one page of a list."""
FormSort = Literal["score", "newest", "site", "size", "records"]
LabelFilter = Literal["any", "right", "wrong", "none"]
RecordSort = Literal["first", "latest", "most-seen"]
SiteSort = Literal["forms", "pages", "searchable", "errors", "delay", "site"]
SiteFilter = Literal["any", "open", "left"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Listing(_Model, Generic[T]):
    """One page of a longer list."""

    items: tuple[T, ...]
    total: int = Field(description="How many there are in all, with the filters in force.")
    offset: int
    limit: int


class StoreSummary(_Model):
    """One store that is served."""

    name: str = Field(description="Its name in addresses.")
    topic: str
    strategy: str
    goal: str
    pages: int
    forms: int = Field(description="Distinct relevant forms.")
    records: int
    state: str = Field(description="running, paused, stopping, stopped or never run.")
    reason: str = Field(description="Why it stopped; empty while it runs.")


class CurvePoint(_Model):
    """After so many pages and seconds, so many distinct relevant forms."""

    pages: int
    forms: int
    at: float


class Sample(_Model):
    """The queues at one moment."""

    at: float
    visits: int
    queues: dict[str, int] = Field(description="What waits, by level or by queue of sites.")


class Gain(_Model):
    """What going on is expected to bring, from what the latest pages brought."""

    pages: int = Field(description="So many more pages.")
    forms: float
    low: float
    high: float = Field(description="Between low and high with 90 % belief.")
    why: str = Field(description="What it rests on.")


class Politeness(_Model):
    """How the sites are treated at the moment."""

    open: int = Field(description="Sites that may be asked more.")
    resting: int = Field(description="Of these, those that are in their pause.")
    failing: int = Field(description="Of these, those whose last answers were errors.")
    left: dict[str, int] = Field(description="Sites that are asked no more, by reason.")
    longest_delay_s: float
    refused_by_robots: int


class Run(_Model):
    """From one start to its stop."""

    number: int
    started: float
    stopped: float | None
    reason: str
    pages: int
    forms: int


class Overview(_Model):
    """How a crawl goes."""

    store: StoreSummary
    counts: dict[str, int] = Field(description="Pages, visits, failures, requests, bytes, sites.")
    outcomes: dict[str, int] = Field(description="Visits by what they brought; errors by kind.")
    curve: tuple[CurvePoint, ...]
    rate: float = Field(description="New relevant forms per 100 pages, of the latest pages.")
    rate_in_all: float
    pages_per_s: float = Field(description="Of the last minute of the crawl.")
    speeds: tuple[tuple[float, float], ...] = Field(description="Time and pages a second.")
    samples: tuple[Sample, ...]
    gain: Gain | None
    politeness: Politeness
    budget: dict[str, float | None] = Field(description="Pages, seconds, bytes, forms; null: none.")
    runs: tuple[Run, ...]
    events: tuple["EventRow", ...] = Field(description="The latest ones, last first.")


class EventRow(_Model):
    """Something worth remembering that is not a visit."""

    at: float
    kind: str
    subject: str
    detail: str


class Comparison(_Model):
    """Two stores side by side."""

    left: Overview
    right: Overview


class Feature(_Model):
    """A word where it stands, and what it counts for."""

    name: str = Field(description="As in `anchor: search`.")
    weight: float


class Iteration(_Model):
    """What was known after one learning."""

    number: int
    pages: int = Field(description="Pages read until then.")
    features: dict[str, tuple[str, ...]] = Field(description="Its words, by the space they are of.")
    fresh: dict[str, tuple[str, ...]] = Field(description="Those that were not there before.")


class RankedSite(_Model):
    """A site and its rank."""

    site: str
    score: float
    pages: int
    forms: int
    why: str


class CalibrationBin(_Model):
    """Of the cases said to have this probability, so many were right."""

    said: float
    right: float
    cases: int


class Calibration(_Model):
    """Whether a classifier's probabilities can be believed."""

    name: str
    bins: tuple[CalibrationBin, ...]
    error: float = Field(description="Expected calibration error.")
    source: str = Field(description="What it was measured on: labels of this store, or training.")


class Learned(_Model):
    """What the crawler has learned."""

    strategy: str
    iterations: tuple[Iteration, ...]
    weights: dict[str, tuple[Feature, ...]] = Field(description="By model, strongest first.")
    top_sites: tuple[RankedSite, ...]
    bottom_sites: tuple[RankedSite, ...]
    calibrations: tuple[Calibration, ...]
    notes: tuple[str, ...] = Field(description="What there is not, and why.")


class FieldView(_Model):
    """A control a person could fill in."""

    name: str
    kind: str
    label: str
    meaning: str
    why: str
    choices: tuple[str, ...] = Field(description="The first options of a menu.")
    all_choices: int
    placeholder: str
    is_required: bool


class FormSummary(_Model):
    """One line of the directory."""

    signature: str
    site: str
    what: str
    page: str
    topic: str
    language: str
    score: float
    searchable: float
    fields: tuple[str, ...] = Field(description="Their meanings.")
    size: int | None = Field(description="Records behind it, estimated; null when unknown.")
    records: int = Field(description="Records held.")
    label: str = Field(description="right, wrong or empty.")
    at: float
    sightings: int
    after: float | None = Field(
        None, description="The score by what labels have taught since; null without labels."
    )


class SimilarForm(FormSummary):
    """A form that is like another one."""

    likeness: float = Field(description="From 0 to 1; from 0.75 on they may be one form.")
    differs: str = Field(description="In what they differ.")


class FormQuery(_Model):
    """Which forms of a directory are asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    q: str = Field("", max_length=500, description="Words of its title, site, address or labels.")
    topic: str = Field("", max_length=200, description="Found for this topic.")
    site: str = Field("", max_length=300, description="On this site, or on sites named so in part.")
    field: str = Field(
        "", max_length=50, description="With a field of this meaning, as `person` or `price`."
    )
    language: str = Field("", max_length=20, description="Of its page, in two letters.")
    min_size: int = Field(0, ge=0, le=LARGEST, description="Records behind it, estimated.")
    min_score: float = Field(0.5, ge=0, le=1, description="0: also what is not relevant.")
    label: LabelFilter = "any"
    sort: FormSort = Field("score", description="Best or largest first; sites by name.")
    offset: int = Field(0, ge=0, le=LARGEST, description="Leave out so many.")
    limit: int = Field(50, ge=1, le=MOST, description="Show at most so many.")


class Step(_Model):
    """One link that was followed on the way."""

    url: str
    anchor: str


class FormView(_Model):
    """All about one form."""

    summary: FormSummary
    method: str
    action: str
    text: str = Field(description="Its own visible words.")
    submits: tuple[str, ...]
    fields: tuple[FieldView, ...]
    ranges: tuple[str, ...]
    why: str = Field(description="Why it was accepted, or not.")
    reasons: dict[str, tuple[str, ...]] = Field(
        description="What speaks for (+) and against (-) it, strongest first, by the question."
    )
    path: tuple[Step, ...] = Field(description="From the seed to its page.")
    similar: tuple[SimilarForm, ...] = Field(description="Likest first.")
    harvest: "HarvestSummary | None"
    labels: tuple["LabelView", ...]


class HarvestSummary(_Model):
    """One harvest."""

    signature: str
    site: str
    policy: str
    state: str = Field(description="open: there may be more to ask; over: nothing is worth it.")
    reason: str = Field(description="Why it stopped; empty while it runs, or was cut off.")
    at: float = Field(description="When it was begun.")
    queries: int
    requests: int
    records: int
    sightings: int
    duplicates: int = Field(description="Records seen again.")
    details: int
    coverage: "CoverageView | None"


class CoverageView(_Model):
    """How much of the database is held."""

    held: int
    size: float = Field(description="Records that searching can reach, the best guess.")
    low: float
    high: float | None = Field(
        description="With 95 of 100 chances there are between low and high; null: not known yet."
    )
    told: int | None = Field(None, description="Records there are as the source itself says.")
    cap: int | None = Field(description="The most records that one query shows, where it is known.")
    why: str


class CoveragePoint(_Model):
    """After so many requests."""

    requests: int
    records: int
    sightings: int
    size: float | None
    low: float | None
    high: float | None


class HarvestView(_Model):
    """How a harvest goes."""

    summary: HarvestSummary
    curve: tuple[CoveragePoint, ...] = Field(
        description="Told once more to the estimator from the store, without the records' words."
    )
    capped_queries: int = Field(description="Finished queries that the source cut short.")
    finished_queries: int
    seen_times: dict[int, int] = Field(
        description="Records by how often they were seen; 10 stands for as often or more."
    )


class QueryView(_Model):
    """One query and what it brought."""

    number: int
    query: str
    at: float
    why: str
    is_survey: bool
    fresh_expected: float | None
    kind: str
    returned: int
    fresh: int
    total: int | None
    pages: int
    requests: int
    is_cut: bool
    ended: str


class RecordView(_Model):
    """One record."""

    number: int
    title: str
    url: str
    cells: tuple[tuple[str, str], ...] = Field(description="Place and text.")
    query: int
    page: int
    sightings: int
    at: float


class SiteView(_Model):
    """One site."""

    site: str
    pages: int
    forms: int
    searchable: int
    errors: int
    errors_in_a_row: int
    delay_s: float
    ready_at: float
    closed: str


class SiteQuery(_Model):
    """Which sites are asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    q: str = Field("", max_length=300, description="Stands in its name.")
    state: SiteFilter = "any"
    sort: SiteSort = Field("forms", description="Largest first; sites by name.")
    offset: int = Field(0, ge=0, le=LARGEST, description="Leave out so many.")
    limit: int = Field(50, ge=1, le=MOST, description="Show at most so many.")


class Explanation(_Model):
    """Why a URL, site or form was ranked, followed, skipped or accepted."""

    subject: str
    kind: str = Field(description="url, site, form or unknown.")
    facts: dict[str, object] = Field(description="Names and what is known, nested.")


class LabelRequest(_Model):
    """A person's word on a form or page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: str = Field(pattern="^(form|page)$")
    subject: str = Field(min_length=1, max_length=4000)
    verdict: str = Field(pattern="^(right|wrong|none)$", description="none takes a label back.")


class LabelView(_Model):
    """A label that was given."""

    what: str
    subject: str
    verdict: str
    at: float
    before: float | None = Field(description="The score when it was given.")
    after: float | None = Field(description="The score by what labels have taught since.")


class BudgetRequest(_Model):
    """New limits; what is not named stays as it is, null or 0 is without limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pages: int | None = Field(None, ge=0, le=LARGEST)
    seconds: float | None = Field(None, ge=0, le=LARGEST)
    bytes: int | None = Field(None, ge=0, le=10**15)
    forms: int | None = Field(None, ge=0, le=LARGEST)


class OrderRequest(_Model):
    """What a crawl is to do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = Field(pattern="^(start|pause|resume|stop|budget|seeds|exclude)$")
    budget: BudgetRequest | None = Field(None, description="For `budget`.")
    urls: tuple[str, ...] = Field((), max_length=10_000, description="For `seeds`.")
    sites: tuple[str, ...] = Field((), max_length=10_000, description="For `exclude`.")


class Pulse(_Model):
    """What a stream tells each time something changed."""

    store: StoreSummary
    counts: dict[str, int]
    rate: float
    pages_per_s: float
    at: float = Field(description="When the latest visit ended; 0 before any.")


class OrderView(_Model):
    """An order and what became of it."""

    id: int
    kind: str
    detail: str
    at: float
    done_at: float | None
    outcome: str
