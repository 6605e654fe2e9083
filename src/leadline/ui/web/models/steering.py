"""What people tell a crawl: labels and orders."""

from pydantic import ConfigDict, Field

from leadline.ui.web.models.shared import LARGEST, Model


class LabelRequest(Model):
    """A person's word on a form or page."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    what: str = Field(pattern="^(form|page)$")
    subject: str = Field(min_length=1, max_length=4000)
    verdict: str = Field(pattern="^(right|wrong|none)$", description="none takes a label back.")


class LabelView(Model):
    """A label that was given."""

    what: str
    subject: str
    verdict: str
    at: float
    before: float | None = Field(description="The score when it was given.")
    after: float | None = Field(description="The score by what labels have taught since.")


class BudgetRequest(Model):
    """New limits; what is not named stays as it is, null or 0 is without limit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pages: int | None = Field(None, ge=0, le=LARGEST)
    seconds: float | None = Field(None, ge=0, le=LARGEST)
    bytes: int | None = Field(None, ge=0, le=10**15)
    forms: int | None = Field(None, ge=0, le=LARGEST)


class OrderRequest(Model):
    """What a crawl is to do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str = Field(pattern="^(start|pause|resume|stop|budget|seeds|exclude)$")
    budget: BudgetRequest | None = Field(None, description="For `budget`.")
    urls: tuple[str, ...] = Field((), max_length=10_000, description="For `seeds`.")
    sites: tuple[str, ...] = Field((), max_length=10_000, description="For `exclude`.")


class OrderView(Model):
    """An order and what became of it."""

    id: int
    kind: str
    detail: str
    at: float
    done_at: float | None
    outcome: str
