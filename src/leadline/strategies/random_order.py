"""Follow links in random order.

A link's rank is a hash of its URL and the seed, so that the order depends on
neither timing nor restarts: the same seed gives the same crawl.
"""

from collections.abc import Sequence

import xxhash
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.crawl import PageView, Priority, Skip
from leadline.strategies.base import BaseStrategy


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
