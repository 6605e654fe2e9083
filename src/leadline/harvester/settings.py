"""What a user may set about harvests."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from leadline.harvester.coverage.stopping import StoppingSettings


class HarvestSettings(BaseModel):
    """`[harvest]`: drawing up the records behind forms. Budgets are for one form; 0 is without
    limit. Further keys are the policy's own settings."""

    model_config = ConfigDict(frozen=True, extra="allow")

    policy: str = Field("yield_per_cost", description="How the next query is chosen.")
    seed: int = Field(0, ge=0, description="Of what the policy leaves to chance.")
    requests: int = Field(10_000, ge=0, description="Requests of one form, over all runs.")
    queries: int = Field(0, ge=0, description="Queries of one form, over all runs.")
    records: int = Field(0, ge=0, description="Records of one form, over all runs.")
    seconds: float = Field(0, ge=0, description="Seconds of one form, of this run.")
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
    ahead: int = Field(50, ge=5, le=1_000, description="Queries looked ahead to.")
    patience: int = Field(
        100, ge=10, description="Requests looked back on before yield or gain end a harvest."
    )
    give_up_after: int = Field(
        5, ge=1, description="Queries in a row without an answer after which a form is left."
    )
    tries: int = Field(
        4, ge=1, description="Times a request is sent to a site that is busy or does not answer."
    )
    blocked_tries: int = Field(
        2, ge=1, description="Times a request is sent to a site that answers by keeping us out."
    )
    pause_s: float = Field(
        30, ge=0, description="Pause before a second try, in seconds; the next is twice as long."
    )
    max_pause_s: float = Field(
        600, ge=0, description="A site that wants a longer pause is left for this run, in seconds."
    )
    at_once: int = Field(
        8, ge=1, le=1_000, description="Forms harvested at the same time, at most."
    )
    details: bool = Field(False, description="Also fetch the records' own pages, each once.")
    with_crawl: bool = Field(
        False, description="Harvest what a crawl finds while it goes on, from the same budget."
    )
    min_relevant: float = Field(
        0.5, ge=0, le=1, description="Least relevance of a form that a crawl hands over."
    )
    share: float = Field(
        0.5,
        ge=0,
        le=1,
        description="Of a crawl's page budget, what it leaves to harvests while any is under way.",
    )

    @property
    def stopping(self) -> StoppingSettings:
        """When a harvest ends by itself."""
        return StoppingSettings(
            min_yield=self.min_yield,
            min_gain=self.min_gain,
            ahead=self.ahead,
            patience=self.patience,
        )

    @property
    def own(self) -> dict[str, Any]:
        """The settings that belong to the policy itself."""
        return dict(self.__pydantic_extra__ or {})
