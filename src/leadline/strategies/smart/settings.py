"""What can be set of SmartCrawler, Sitewise and SCDI, with defaults and where they come from.

The paper gives numbers for `learn_sites` and `learn_forms` only. All others are ours: they
follow what is known of deep sites (72 % of interfaces within three links of the home page, 4.2
interfaces a site). SC4, SC5, `first_sites` and alpha were chosen on worlds of the profile `dev`
(seeds 21 and 22; hotels and jobs): log(1 + SF) has no bound while ST has, so at alpha = 0.5
popular sites come before fitting ones.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class SmartCrawlerSettings(BaseModel):
    """Settings of `smartcrawler`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reverse_search: bool = Field(
        True, description="Ask who links to known deep sites when few sites wait (Alg. 1)."
    )
    site_ranking: bool = Field(
        True, description="Rank waiting sites by similarity and frequency; off: first come."
    )
    prioritising: bool = Field(
        True, description="Two queues of sites (Alg. 2); off: one for links of relevant sites."
    )
    adaptive_learning: bool = Field(
        True, description="Learn features while crawling; off: those of the start stay."
    )
    link_ranking: bool = Field(
        True, description="Rank the links of a site by similarity; off: first come."
    )
    link_tree: bool = Field(
        True, description="Share a page's links out among directories; off: take all."
    )
    url_splitting: bool = Field(True, description="Split host names by frequent words.")

    threshold: float = Field(
        0.5, ge=0, le=1, description="Relevance of a home page from which its site is explored."
    )
    max_depth: int = Field(
        3, ge=0, le=100, description="SC1: links followed inside a site, from its home page on."
    )
    pages_per_depth: int = Field(30, ge=1, description="SC2: pages visited in one depth.")
    forms_per_depth: int = Field(
        5, ge=1, description="SC3: distinct relevant forms found in one depth."
    )
    barren_per_depth: int = Field(
        8, ge=1, description="SC4: pages of one depth that brought no new relevant form."
    )
    barren_pages: int = Field(
        15, ge=1, description="SC5: pages of a site that brought no new relevant form."
    )
    site_pages: int = Field(
        60, ge=1, description="V: pages visited on a site, and links of a page shared out."
    )

    features: int = Field(30, ge=1, le=1_000, description="k: most frequent words kept a context.")
    alpha: float = Field(
        0.9, ge=0, le=1, description="Weight of a site's similarity; the rest is its frequency's."
    )
    deep_weight: float = Field(
        1.0, ge=0, description="What a link from a known deep site adds to a site's frequency."
    )
    other_weight: float = Field(
        0.2, ge=0, description="What one from another site adds; 0 is Eq. 6 to the letter."
    )
    learn_sites: int = Field(50, ge=1, description="New deep sites after which it learns (paper).")
    learn_forms: int = Field(
        100, ge=1, description="New relevant forms after which it learns (paper)."
    )

    first_sites: int = Field(
        5,
        ge=1,
        description="Deep sites after which it learns for the first time if no earlier crawl "
        "taught it, and then whenever they double, until `learn_sites`; at 50 the paper's rule "
        "alone is left.",
    )

    low_water: int = Field(
        50, ge=0, description="Waiting sites below which a reverse search is made."
    )
    center_sites: int = Field(
        3, ge=0, description="A page with links to more known deep or seed sites is a center page."
    )

    low_queue: Literal["formless", "irrelevant"] = Field(
        "formless",
        description="Whose links go to the low queue: those of relevant sites without forms, "
        "or, by the indentation of Alg. 2, those of irrelevant sites.",
    )
    sharing: Literal["proportional", "even"] = Field(
        "proportional", description="How the link tree shares out: by C = M V/N, or evenly."
    )
    same_query: Literal["pattern", "path", "never"] = Field(
        "pattern",
        description="Which links that differ in their query alone are as good as one: those with "
        "the same names in it beyond `query_links`, all (the paper), or none.",
    )
    query_links: int = Field(
        3, ge=1, description="Links of one path and one set of query names taken on a site."
    )

    prior: str = Field("", description="Words, blanks between, that describe the topic to begin.")


def _off(part: str) -> bool:
    """The same part, switched off."""
    described = SmartCrawlerSettings.model_fields[part].description
    switch: bool = Field(False, description=described)
    return switch


class SCDISettings(SmartCrawlerSettings):
    """Settings of `scdi`: the same, with every part off."""

    reverse_search: bool = _off("reverse_search")
    site_ranking: bool = _off("site_ranking")
    prioritising: bool = _off("prioritising")
    adaptive_learning: bool = _off("adaptive_learning")
    link_ranking: bool = _off("link_ranking")
    link_tree: bool = _off("link_tree")
    url_splitting: bool = _off("url_splitting")


class SitewiseSettings(SmartCrawlerSettings):
    """Settings of `sitewise`: the same, with one queue of sites."""

    prioritising: bool = _off("prioritising")
