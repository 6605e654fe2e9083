"""The directory of databases found."""

from typing import Literal

from pydantic import ConfigDict, Field

from leadline.ui.web.models.harvests import HarvestSummary
from leadline.ui.web.models.shared import LARGEST, MOST, Model
from leadline.ui.web.models.steering import LabelView

FormSort = Literal["score", "newest", "site", "size", "records"]
LabelFilter = Literal["any", "right", "wrong", "none"]


class FieldView(Model):
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


class FormSummary(Model):
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


class FormQuery(Model):
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
    label: LabelFilter = Field("any", description="none: without a label.")
    sort: FormSort = Field("score", description="Best or largest first; sites by name.")
    offset: int = Field(0, ge=0, le=LARGEST, description="Leave out so many.")
    limit: int = Field(50, ge=1, le=MOST, description="Show at most so many.")


class Step(Model):
    """One link that was followed on the way."""

    url: str
    anchor: str


class FormView(Model):
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
    harvest: HarvestSummary | None
    labels: tuple[LabelView, ...]
