"""The site frontier: sites that wait to be entered, in a queue of high and one of low priority.

The crawl's own frontier says which is next. This one remembers what it takes to rank them
again, and how many there are.
"""

from collections.abc import Collection, Iterator
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import Priority
from leadline.core.ports import Scores
from leadline.core.url import Site
from leadline.page.words import word_id

HIGH, LOW = 1, 2
"""Tiers of the two queues; seeds and center pages come before them."""
MOST_SITES = 50_000
"""Remembered a queue, some 200 bytes each. Further ones wait as well, but keep their first rank."""
MOST_SOURCES = 50
"""Sites counted that link to a site: log(1 + SF) hardly grows beyond."""
_SETTLED = 200
"""Pages after which a site that should have been visited before another is taken to be gone:
more than are under way at the same time."""
_SWEEP = 20
"""Sites looked through for each page seen, when those that are gone are taken out."""
_TOLERANCE = 1e-5
"""Between a score and the same score as float32."""


@lru_cache(maxsize=100_000)
def site_key(site: Site) -> int:
    """31 bits that stand for a site in features and sets; never 0."""
    return word_id(site)


class WaitingSite(Struct):
    """A site that was not entered yet."""

    site: Site
    score: float
    """In force, as long as its queue is."""
    entered: int
    """Pages seen before it was met."""
    words: bytes
    """Cells of anchor and surroundings of the link it was met by."""
    sources: list[int]
    """Sites that link to it."""


class SiteFrontier(Struct):
    """The two queues, by site key. A site stands in at most one of them.

    Whether a visit to a site failed is not told, so sites that should have come before one
    that was visited are taken out from time to time.
    """

    high: dict[int, WaitingSite] = {}
    low: dict[int, WaitingSite] = {}
    swept: int = 0
    """Pages seen at the last sweep."""

    def __len__(self) -> int:
        return len(self.high) + len(self.low)

    def __contains__(self, key: int) -> bool:
        return key in self.high or key in self.low

    def queue(self, tier: int) -> dict[int, WaitingSite]:
        return self.high if tier == HIGH else self.low

    def get(self, key: int) -> WaitingSite | None:
        return self.high.get(key) or self.low.get(key)

    def enter(self, key: int, tier: int, waiting: WaitingSite) -> None:
        """Let a new site wait."""
        if len(self.queue(tier)) < MOST_SITES:
            self.queue(tier)[key] = waiting

    def link(self, key: int, source: int) -> None:
        """Count another site that links to one."""
        waiting = self.get(key)
        if waiting and source not in waiting.sources and len(waiting.sources) < MOST_SOURCES:
            waiting.sources.append(source)

    def leave(self, key: int, priority: Priority, pages: int) -> None:
        """Take out a site that was visited, and now and then those that should have come first."""
        waiting = self.high.pop(key, None) or self.low.pop(key, None)
        is_due = (pages - self.swept) * _SWEEP >= len(self)
        if waiting is None or priority.tier not in (HIGH, LOW) or not is_due:
            return
        self.swept = pages
        last = min(waiting.entered, pages - _SETTLED)
        if priority.tier == LOW:
            self.high = {k: w for k, w in self.high.items() if w.entered > pages - _SETTLED}
        queue = self.queue(priority.tier)
        for gone in [k for k, w in queue.items() if _was_before(w, priority.score, last, pages)]:
            del queue[gone]

    def move_up(self) -> None:
        """All of low becomes high (Alg. 2, lines 4-7)."""
        self.high.update(self.low)
        self.low = {}

    def promote(self, deep: Collection[int]) -> None:
        """What a site links to that turned out to have forms belongs into the high queue."""
        risen = [
            key
            for key, waiting in self.low.items()
            if any(source in deep for source in waiting.sources)
        ]
        for key in risen:
            self.high[key] = self.low.pop(key)

    def waiting(self) -> Iterator[WaitingSite]:
        yield from self.high.values()
        yield from self.low.values()

    def make_site_ranks(self) -> "SiteRanks":
        """Where every site stands, for `rescore`."""
        keys = np.array([*self.high, *self.low], np.int32)
        tiers = np.repeat(np.array([HIGH, LOW], np.int32), [len(self.high), len(self.low)])
        scores = np.array([waiting.score for waiting in self.waiting()], np.float32)
        order = np.argsort(keys, kind="stable")
        return SiteRanks(keys[order], tiers[order], scores[order])


class SiteRanks(Struct, frozen=True, eq=False):
    """Keys in rising order, with tiers and scores."""

    keys: NDArray[np.int32]
    tiers: NDArray[np.int32]
    scores: Scores

    def apply(self, tiers: NDArray[np.int32], scores: Scores, keys: NDArray[np.int32]) -> None:
        """Give every row whose key is known its tier and score."""
        if not len(self.keys):
            return
        places = self.keys.searchsorted(keys)
        places[places == len(self.keys)] = 0
        is_known = self.keys[places] == keys
        tiers[is_known] = self.tiers[places[is_known]]
        scores[is_known] = self.scores[places[is_known]]


def _was_before(waiting: WaitingSite, score: float, entered: int, pages: int) -> bool:
    """Whether a site came before one of that score that was entered then."""
    if waiting.entered > pages - _SETTLED:
        return False
    if abs(waiting.score - score) <= _TOLERANCE:
        return waiting.entered < entered
    return waiting.score > score
