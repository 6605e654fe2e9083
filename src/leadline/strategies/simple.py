"""The simple strategies, which learn nothing: yardsticks for all others.

breadth_first: links in the order in which they were found. The frontier hands out equal
    priorities first come, first served.
random: links in random order. A link's score is a hash of its URL and the seed, so the order
    depends on neither timing nor restarts: the same seed gives the same crawl.
fixed_depth: the fixed-depth crawler of L. Barbosa and J. Freire, "Searching for Hidden-Web
    Databases", WebDB 2005, section 4: most query interfaces stand within three links of a
    site's root, so visit all pages that near and none further.

    fixed_depth visits pages in the order in which they are found
    it follows no link of a page whose Pr(topic | page) < threshold
    it follows no link that is more than `depth` links inside its site

Departures of fixed_depth. Depth counts the links followed inside a site; a page reached from
another site has depth 0. The paper starts each site at its root; here it starts where a link
leads, because roots are not always linked. The paper does not say which sites are begun; its page
classifier guides all its crawlers (section 3), so links of pages off topic are skipped here too.
With threshold 0 every site is crawled, as the Database Crawler does. A seed's links are followed
whatever its relevance, since the user vouches for it.
"""

from collections.abc import Sequence

import xxhash
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.crawl import PageView, Priority, Skip
from leadline.strategies.base import BaseStrategy

_IN_TURN = Priority(0, 0.0, "first come, first served")


class BreadthFirstSettings(BaseModel):
    """No settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BreadthFirst(BaseStrategy):
    """Links in the order they were found."""

    name = "breadth_first"

    def __init__(self, settings: BreadthFirstSettings) -> None:
        self.settings = settings

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        return [Priority(0, 0.0, "first come, first served")] * len(view.links)


class RandomOrderSettings(BaseModel):
    """Settings of `random`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = Field(0, ge=0, description="Another seed, another order.")


class RandomOrder(BaseStrategy):
    """Links in random order."""

    name = "random"

    def __init__(self, settings: RandomOrderSettings) -> None:
        self.settings = settings

    def rank(self, view: PageView) -> Sequence[Priority | Skip]:
        return [Priority(0, self._draw(link.target), "at random") for link in view.links]

    def _draw(self, url: str) -> float:
        return xxhash.xxh32_intdigest(url.encode(), seed=self.settings.seed % 2**32) / 2**32


class FixedDepthSettings(BaseModel):
    """Settings of `fixed_depth`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    depth: int = Field(3, ge=0, le=50, description="Links followed inside a site, at most.")
    threshold: float = Field(
        0.5, ge=0, le=1, description="Links of pages less relevant than this are not followed."
    )


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
