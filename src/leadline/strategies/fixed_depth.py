"""Crawl sites breadth first down to a fixed depth.

The fixed-depth crawler of Barbosa and Freire, "Searching for Hidden-Web
Databases", WebDB 2005, section 4: most query interfaces stand within three
links of a site's root, so visit all pages that near and none further.

    visit pages in the order they are met
    follow no link of a page whose Pr(topic | page) < threshold
    follow no link that is more than `depth` links inside its site

Depth counts links followed inside a site; a page met from another site is an
entrance, with depth 0. Departures: the paper starts each site at its root; we
enter where a link leads, because roots are not always linked. It does not say
which sites are begun; its page classifier guides all its crawlers (section 3),
so links of pages off topic are passed over here too. With threshold 0 every
site that is met is crawled, as the Database Crawler does. A seed's links are
followed whatever its relevance, since the user vouches for it.
"""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from leadline.core.crawl import PageView, Priority, Skip
from leadline.strategies.base import BaseStrategy


class FixedDepthSettings(BaseModel):
    """Settings of `fixed_depth`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    depth: int = Field(3, ge=0, le=50, description="Links followed inside a site, at most.")
    threshold: float = Field(
        0.5, ge=0, le=1, description="Links of pages less relevant than this are not followed."
    )


_IN_TURN = Priority(0, 0.0, "first come, first served")


class FixedDepth(BaseStrategy):
    """Breadth first, down to a fixed depth in each site."""

    name = "fixed_depth"

    def __init__(self, settings: FixedDepthSettings) -> None:
        self.settings = settings

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        is_seed = view.candidate.parent is None
        if view.judgement.relevance < self.settings.threshold and not is_seed:
            return [Skip("its page is off topic")] * len(view.links)
        here = view.site.site
        is_last = view.candidate.depth >= self.settings.depth
        inner = Skip(f"deeper than {self.settings.depth} links inside its site")
        return [inner if is_last and site == here else _IN_TURN for site in view.sites]
