"""Settings of `expected_gain`."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SITES, PAGES = "sites", "pages"
"""Goals that are pursued otherwise than forms."""


class ExpectedGainSettings(BaseModel):
    """Settings of `expected_gain`. The switches are for ablations."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    words: tuple[str, ...] = Field(
        (), description="Words of the topic, in any language; empty: those of the crawl's topic."
    )
    goal: Literal["forms", "sites", "pages"] = Field(
        "forms", description="What counts; that of the crawl unless given."
    )
    link_model: bool = Field(True, description="Begin with the shipped model of links to searches.")
    families: bool = Field(True, description="One link of each family before more of the same.")
    site_beliefs: bool = Field(True, description="Believe less in a site with each barren page.")
    new_sites: bool = Field(True, description="Value pages for the new sites that they link to.")
    learning: bool = Field(True, description="Learn words of links from what they led to.")
    home_first: bool = Field(True, description="Enter sites at their home page.")
    rank_every: int = Field(
        16,
        ge=1,
        description="Pages between two rankings of the links that are wanted most, at least.",
    )
