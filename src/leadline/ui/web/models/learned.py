"""What the crawler has learned."""

from pydantic import Field

from leadline.ui.web.models.shared import Model


class Feature(Model):
    """A word where it stands, and what it counts for."""

    name: str = Field(description="As in `anchor: search`.")
    weight: float


class Iteration(Model):
    """What was known after one learning."""

    number: int
    pages: int = Field(description="Pages read until then.")
    features: dict[str, tuple[str, ...]] = Field(description="Its words, by the space they are of.")
    fresh: dict[str, tuple[str, ...]] = Field(description="Those that were not there before.")


class RankedSite(Model):
    """A site and its rank."""

    site: str
    score: float
    pages: int
    forms: int
    why: str


class CalibrationBin(Model):
    """Of the cases said to have this probability, so many were right."""

    said: float
    right: float
    cases: int


class Calibration(Model):
    """Whether a classifier's probabilities can be believed."""

    name: str
    bins: tuple[CalibrationBin, ...]
    error: float = Field(description="Expected calibration error.")
    source: str = Field(description="What it was measured on: labels of this store, or training.")


class Learned(Model):
    """What the crawler has learned."""

    strategy: str
    iterations: tuple[Iteration, ...]
    weights: dict[str, tuple[Feature, ...]] = Field(description="By model, strongest first.")
    top_sites: tuple[RankedSite, ...]
    bottom_sites: tuple[RankedSite, ...]
    calibrations: tuple[Calibration, ...]
    notes: tuple[str, ...] = Field(description="What there is not, and why.")
