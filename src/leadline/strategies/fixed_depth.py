"""Crawl every site breadth first down to a fixed depth.

The fixed-depth crawler of Barbosa and Freire, "Searching for Hidden-Web
Databases", WebDB 2005, section 5: most query interfaces stand within three
links of a site's root, so visit all pages that near and none further.

    begin sites in the order they are met
    visit the pages of a site breadth first, down to `depth` links
    go on to the next site when none is left

Depth counts links followed inside a site; a page met from another site is an
entrance, with depth 0. Departure: the paper starts each site at its root; we
enter where a link leads, because roots are not always linked.
"""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from leadline.core.crawl import Priority, Sight, SiteState, Skip
from leadline.strategies.stateless import Stateless


class FixedDepthSettings(BaseModel):
    """Settings of `fixed_depth`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    depth: int = Field(3, ge=0, le=50, description="Links followed inside a site, at most.")


_BEGUN = Priority(0, 1.0, "begun, so finished before another is")
"""Above every link of a site not yet begun."""


class FixedDepth(Stateless):
    """Every site breadth first, down to a fixed depth."""

    name = "fixed_depth"

    def __init__(self, settings: FixedDepthSettings) -> None:
        self.settings = settings

    def rank(self, sight: Sight) -> Sequence[Priority | Skip]:
        here = sight.site.site
        inner = self._at(sight.candidate.depth + 1)
        outer = self._at(0)
        return [inner if site == here else outer for site in sight.sites]

    def rank_site(self, site: SiteState) -> Priority | Skip | None:  # noqa: ARG002
        return _BEGUN

    def _at(self, depth: int) -> Priority | Skip:
        if depth > self.settings.depth:
            return Skip(f"deeper than {self.settings.depth} links inside its site")
        return Priority(0, -float(depth), f"{depth} links inside its site")
