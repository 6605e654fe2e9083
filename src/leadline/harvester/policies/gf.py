"""Ask for the words that most acquired records have.

L. Barbosa and J. Freire, "Siphoning Hidden-Web Data through Keyword-Based Interfaces", SBBD 2004;
here as L. Jiang et al., PAKDD 2010, section 5, compare with it: the baseline `GF`.

    candidates: the 500 terms of acquired records with the highest residual IDF
    ask for the one that stands in the most acquired records

Departures: none from PAKDD 2010. The older paper samples first and then joins frequent words
into one query, which is part of `yield_per_cost`.
"""

from pydantic import BaseModel, ConfigDict, Field

from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies.base import CANDIDATES, Floats, Rows, WordPolicy


class GfSettings(BaseModel):
    """Settings of `gf`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int = Field(CANDIDATES, ge=1, description="Words considered at a time.")


class Gf(WordPolicy):
    """The most frequent word next."""

    name = "gf"

    def __init__(
        self,
        settings: GfSettings,
        interface: Interface,
        holdings: Holdings,
        seed: int = 0,  # noqa: ARG002
    ) -> None:
        super().__init__(interface, holdings, settings.candidates)

    def scores(self, rows: Rows) -> Floats:
        return self.holdings.terms.df[rows].astype(float)
