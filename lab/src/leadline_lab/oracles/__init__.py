"""References for real strategies: what could be had if the truth were known.

`oracle:trivial` fetches the best pages as if links were not needed, an upper
bound. `oracle:greedy` knows everything but has to follow links, so it is what
areas are divided by. `oracle:sees_target` crawls like a strategy that knows
the page behind each link. What a perfect critic brings to each strategy is
seen by running it with the critic `oracle`.
"""

from collections.abc import Callable, Iterator, Sequence

from leadline.core.url import Url
from leadline_lab.oracles.greedy import greedy
from leadline_lab.oracles.trivial import best_pages
from leadline_lab.world import World

Order = Callable[[World, str, int, Sequence[Url]], Iterator[Url]]
"""From a world, a domain, a number of pages and seeds to URLs in the order of fetching."""

ORDERS: dict[str, Order] = {"oracle:greedy": greedy, "oracle:trivial": best_pages}
SEES_TARGET = "oracle:sees_target"
ORACLES = (*ORDERS, SEES_TARGET)
"""From the one to divide by first."""
