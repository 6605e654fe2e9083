"""The queues of FFC and ACHE: one for each level, twice over, as tiers.

    crawling frontier     tiers 0 .. levels - 1 for levels 1 .., then `levels` for links to no form
    persistent frontier   the same again, `levels` + 1 tiers further

Links that are found go to the persistent frontier. When a link of it is handed out, the crawling
frontier is used up, and the `batch` most relevant links are moved there.

Where sites rest between two requests, a link of the persistent frontier is also handed out while
all sites of the crawling frontier rest: following it is better than waiting. Then nothing is
moved until half a batch was visited.
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.ports import Scores
from leadline.frontier.ranks import ranks_of

Tiers = NDArray[np.int32]


class FrontierFill(Struct):
    """How full the crawling frontier may be. Part of a strategy's state."""

    left: int = 0
    """Links in it, at most: links of sites that were left are gone and still counted."""
    visits: int = 0
    """Since links were moved last."""


class LinkQueues:
    """Tells the two frontiers apart and moves batches from one to the other."""

    def __init__(self, levels: int, batch: int) -> None:
        self.persistent = levels + 1
        """The first tier of the persistent frontier."""
        self._batch = batch
        self._wanted = 0
        self.filling = FrontierFill()

    def note_visit(self, tier: int) -> bool:
        """Take note of a visit to a link of that tier. True when a batch is to be moved."""
        self.filling.visits += 1
        if tier < self.persistent:
            self.filling.left -= 1
            return False
        return self.filling.left <= 0 or self.filling.visits >= self._batch // 2

    def start_refill(self) -> None:
        """Have the next calls of `move` fill the crawling frontier up."""
        self.filling = FrontierFill()
        self._wanted = self._batch

    def move(self, tiers: Tiers, scores: Scores) -> None:
        """Move the most relevant links, in place, until the batch is full.

        To be called for all waiting links, in one go or in chunks of falling relevance.
        """
        if not self._wanted:
            return
        here = int(np.count_nonzero(tiers < self.persistent))
        self.filling.left += here
        room = max(0, self._wanted - here)
        chosen = pick_best(tiers, scores, np.flatnonzero(tiers >= self.persistent), room)
        tiers[chosen] -= self.persistent
        self.filling.left += len(chosen)
        self._wanted = room - len(chosen)


def pick_best(tiers: Tiers, scores: Scores, places: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """Those of the places with the lowest tiers and highest scores, equals in their order."""
    if n >= len(places):
        return places
    ranks = ranks_of(tiers[places], scores[places])
    last = np.partition(ranks, n)[n]
    is_best: NDArray[np.bool_] = ranks < last
    equals = np.flatnonzero(ranks == last)
    is_best[equals[: n - int(np.count_nonzero(is_best))]] = True
    chosen: NDArray[np.intp] = places[is_best]
    return chosen
