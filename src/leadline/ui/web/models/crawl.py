"""How a crawl goes, its sites, and why."""

from typing import Literal

from pydantic import ConfigDict, Field

from leadline.ui.web.models.shared import LARGEST, MOST, Model

SiteSort = Literal["forms", "pages", "searchable", "errors", "delay", "site"]
SiteFilter = Literal["any", "open", "left"]


class StoreSummary(Model):
    """One store that is served."""

    name: str = Field(description="Its name in addresses.")
    topic: str
    strategy: str
    goal: str
    pages: int
    forms: int = Field(description="Distinct relevant forms.")
    records: int
    state: str = Field(description="running, paused, stopping, stopped, cut off or never run.")
    reason: str = Field(description="Why it stopped; empty while it runs.")


class CurvePoint(Model):
    """After so many pages and seconds, so many distinct relevant forms."""

    pages: int
    forms: int
    at: float


class Sample(Model):
    """The queues at one moment."""

    at: float
    visits: int
    queues: dict[str, int] = Field(description="What waits, by level or by queue of sites.")


class Gain(Model):
    """What going on is expected to bring, from what the latest pages brought."""

    pages: int = Field(description="So many more pages.")
    forms: float
    low: float
    high: float = Field(description="Between low and high with 90 % belief.")
    why: str = Field(description="What it rests on.")


class Politeness(Model):
    """How the sites are treated at the moment."""

    open: int = Field(description="Sites that may be asked more.")
    resting: int = Field(description="Of these, those that are in their pause.")
    failing: int = Field(description="Of these, those whose last answers were errors.")
    left: dict[str, int] = Field(description="Sites that are asked no more, by reason.")
    longest_delay_s: float
    refused_by_robots: int


class Run(Model):
    """From one start to its stop."""

    number: int
    started: float
    stopped: float | None
    reason: str
    pages: int
    forms: int


class WorkerRow(Model):
    """A process that takes part in a crawl on a shared store."""

    name: str
    seen_s: float = Field(description="Seconds since it was heard of.")
    on_lease: int = Field(description="Links it has on lease.")
    visits: int
    is_learner: bool


class TeamView(Model):
    """Who crawls together."""

    workers: tuple[WorkerRow, ...] = Field(description="Those at work.")
    gone: int = Field(description="Those that took part before.")
    learner: str = Field(description="Who learns; empty: nobody at the moment.")
    model: int = Field(description="Version of the newest model.")
    lessons: int = Field(description="Pages that are not in it yet.")


class EventRow(Model):
    """Something worth remembering that is not a visit."""

    at: float
    kind: str
    subject: str
    detail: str


class Overview(Model):
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
    team: TeamView | None = Field(description="Of a shared store; null: one process has it.")
    events: tuple[EventRow, ...] = Field(description="The latest ones, last first.")


class Pulse(Model):
    """What a stream tells each time something changed."""

    store: StoreSummary
    counts: dict[str, int]
    rate: float
    pages_per_s: float
    at: float = Field(description="When the latest visit ended; 0 before any.")


class Comparison(Model):
    """Two stores side by side."""

    left: Overview
    right: Overview


class SiteView(Model):
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


class SiteQuery(Model):
    """Which sites are asked for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    q: str = Field("", max_length=300, description="Stands in its name.")
    state: SiteFilter = Field("any", description="open: may be asked more; left: are not.")
    sort: SiteSort = Field("forms", description="Largest first; sites by name.")
    offset: int = Field(0, ge=0, le=LARGEST, description="Leave out so many.")
    limit: int = Field(50, ge=1, le=MOST, description="Show at most so many.")


class Explanation(Model):
    """Why a URL, site or form was ranked, followed, skipped or accepted."""

    subject: str
    kind: str = Field(description="url, site, form or unknown.")
    facts: dict[str, object] = Field(description="Names and what is known, nested.")
