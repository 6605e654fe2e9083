"""Follow links in the order they were found.

The oldest crawler there is, and the yardstick that learns nothing and knows
nothing: the frontier hands out equal priorities first come, first served.
"""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from leadline.core.crawl import PageView, Priority, Skip
from leadline.strategies.base import BaseStrategy


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
