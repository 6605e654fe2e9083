"""What was drawn up from behind forms."""

from typing import Literal

from pydantic import Field

from leadline.ui.web.models.shared import Model

RecordSort = Literal["first", "latest", "most-seen"]


class CoverageView(Model):
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


class HarvestSummary(Model):
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
    coverage: CoverageView | None


class CoveragePoint(Model):
    """After so many requests."""

    requests: int
    records: int
    sightings: int
    size: float | None
    low: float | None
    high: float | None


class HarvestView(Model):
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


class QueryView(Model):
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


class RecordView(Model):
    """One record."""

    number: int
    title: str
    url: str
    cells: tuple[tuple[str, str], ...] = Field(description="Place and text.")
    query: int
    page: int
    sightings: int
    at: float
