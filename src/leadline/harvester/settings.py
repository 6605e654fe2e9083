"""What a user may set about harvests."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from leadline.core.crawl import LIKELY
from leadline.core.settings import Flag, Settings
from leadline.harvester.coverage.monitor import StoppingSettings


class HarvestSettings(Settings):
    """`[harvest]`: extracting the records behind forms. Budgets are for one
    form. Further keys are the policy's own settings."""

    model_config = ConfigDict(frozen=True, extra="allow")

    policy: Annotated[str, Flag("--policy", ("harvest",))] = Field(
        "yield_per_cost",
        description="How the next query is chosen: a name from `leadline policies`.",
    )
    random_seed: Annotated[int, Flag("--seed", ("harvest",))] = Field(
        0, ge=0, description="Seed of the policy's random choices."
    )
    max_requests: Annotated[
        int, Flag("--max-requests", ("harvest",), also=("--budget-requests",))
    ] = Field(
        10_000,
        ge=0,
        description="Stop after so many requests of one form, over all runs; 0: no limit.",
    )
    max_queries: Annotated[int, Flag("--max-queries", ("harvest",), also=("--budget-queries",))] = (
        Field(
            0,
            ge=0,
            description="Stop after so many queries of one form, over all runs; 0: no limit.",
        )
    )
    max_records: int = Field(
        0, ge=0, description="Stop after so many records of one form, over all runs; 0: no limit."
    )
    max_seconds: float = Field(
        0, ge=0, description="Stop after so many seconds of one form in this run; 0: no limit."
    )
    min_yield: float = Field(
        0.1,
        ge=0,
        description="New records a request below which the next query is not worth asking, as the "
        "latest went.",
    )
    min_gain: float = Field(
        0.01,
        ge=0,
        le=1,
        description="Share of the records held that the queries ahead must be able to add.",
    )
    lookahead_queries: int = Field(50, ge=5, le=1_000, description="Queries looked ahead to.")
    patience_requests: int = Field(
        100, ge=10, description="Requests looked back on before yield or gain end a harvest."
    )
    max_failed_queries: int = Field(
        5, ge=1, description="Queries in a row without an answer after which a form is left."
    )
    max_tries: int = Field(
        4, ge=1, description="Times a request is sent to a site that is busy or does not answer."
    )
    max_blocked_tries: int = Field(
        2, ge=1, description="Times a request is sent to a site that answers by keeping us out."
    )
    retry_pause_s: float = Field(
        30, ge=0, description="Pause before a second try, in seconds; the next is twice as long."
    )
    max_pause_s: float = Field(
        600, ge=0, description="A site that wants a longer pause is left for this run, in seconds."
    )
    concurrency: int = Field(
        8, ge=1, le=1_000, description="Forms harvested at the same time, at most."
    )
    details: Annotated[bool, Flag("--details", ("harvest",))] = Field(
        False, description="Also fetch the records' own pages, each once."
    )
    during_crawl: Annotated[bool, Flag("--harvest")] = Field(
        False,
        description="Also extract the records behind the forms that a crawl finds, from the same "
        "budget.",
    )
    min_relevance: float = Field(
        LIKELY, ge=0, le=1, description="Least relevance of a form that a crawl hands over."
    )
    max_total_requests: Annotated[int, Flag("--max-total-requests", ("harvest",))] = Field(
        0,
        ge=0,
        description="Stop after so many requests of all forms together, over all runs; 0: no "
        "limit.",
    )
    allocation: Literal["yield", "first_come"] = Field(
        "yield",
        description="Which form the next request of a common budget goes to: the one that brings "
        "most new records a request, or whichever comes first.",
    )
    budget_share: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Of a crawl's page budget, what it leaves to harvests while any is under way, "
        "first come.",
    )

    @property
    def stopping(self) -> StoppingSettings:
        """When a harvest ends by itself."""
        return StoppingSettings(
            min_yield=self.min_yield,
            min_gain=self.min_gain,
            ahead=self.lookahead_queries,
            patience=self.patience_requests,
        )

    @property
    def own(self) -> dict[str, Any]:
        """The settings that belong to the policy itself."""
        return dict(self.__pydantic_extra__ or {})
