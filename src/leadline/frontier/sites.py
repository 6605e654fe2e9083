"""The sites of a frontier: each with its links, and in order of their ranks."""

import math
from heapq import heapify, heappop, heappush

from leadline.frontier.ranks import ID_BITS, ID_MASK, NOWHERE, PLACE_BITS

SLOT_BITS = 28
SLOT_MASK = (1 << SLOT_BITS) - 1
SITE_BITS = 32
SITE_MASK = (1 << SITE_BITS) - 1

NONE = -1
NOT_RESTING = -math.inf


def link_entry(rank: int, number: int, slot: int) -> int:
    """A link in its site's heap: its place, then where its row is."""
    return (((rank << ID_BITS) | number) << SLOT_BITS) | slot


class SiteQueue:
    """One site and its waiting links.

    States: closed; leased (some of its links are being visited); resting (until
    `ready_at`); ready. `entry` is set exactly while it stands among the ready,
    `resting_until` exactly while it stands among the resting.
    """

    __slots__ = (
        "entry",
        "heap",
        "is_closed",
        "leased",
        "number",
        "rank",
        "ready_at",
        "resting_until",
        "spilled_best",
    )

    def __init__(self, number: int) -> None:
        self.number = number
        self.heap: list[int] = []
        self.rank = NONE
        """Its own rank; NONE: that of its best link."""
        self.spilled_best = NOWHERE
        """The place of its best spilled link."""
        self.ready_at = 0.0
        self.is_closed = False
        self.leased: dict[int, int] | None = None
        """The slots of its links on lease by their numbers; None while it has no lease out."""
        self.entry = NONE
        self.resting_until: float = NOT_RESTING

    @property
    def is_waiting(self) -> bool:
        """Whether it stands among the ready or the resting."""
        return self.entry != NONE or self.resting_until != NOT_RESTING

    def head(self) -> int:
        """The place of its best link in memory."""
        return self.heap[0] >> SLOT_BITS if self.heap else NOWHERE

    def best(self) -> int:
        """The place of its best link."""
        return min(self.head(), self.spilled_best)

    def pop(self) -> tuple[int, int]:
        """Take its best link in memory out of the heap: its number and slot."""
        entry = heappop(self.heap)
        return (entry >> SLOT_BITS) & ID_MASK, entry & SLOT_MASK

    def site_entry(self) -> int:
        """The site among the ready: by its rank, then by its best link's place."""
        place = self.best()
        rank = place >> ID_BITS if self.rank == NONE else self.rank
        return (((rank << PLACE_BITS) | place) << SITE_BITS) | self.number


class SiteOrder:
    """Which free site comes next: the ready ones by rank, the resting ones by time.

    Entries whose site has moved on since stay in the heaps until they surface
    or outnumber the sites.
    """

    def __init__(self) -> None:
        self.queues: list[SiteQueue] = []
        self._ready: list[int] = []
        self._resting: list[tuple[float, int]] = []
        self._now = 0.0
        self.free = 0
        """Sites among the ready and the resting."""

    def place(self, queue: SiteQueue) -> None:
        """Put a site where it belongs after anything about it changed."""
        self.free -= queue.is_waiting
        self._place(queue)
        self.free += queue.is_waiting

    def _place(self, queue: SiteQueue) -> None:
        if queue.is_closed or queue.leased is not None or queue.best() == NOWHERE:
            queue.entry, queue.resting_until = NONE, NOT_RESTING
        elif queue.ready_at > self._now:
            queue.entry = NONE
            if queue.resting_until != queue.ready_at:
                queue.resting_until = queue.ready_at
                heappush(self._resting, (queue.ready_at, queue.number))
        else:
            queue.resting_until = NOT_RESTING
            entry = queue.site_entry()
            if entry != queue.entry:
                queue.entry = entry
                heappush(self._ready, entry)
                self._sweep()

    def place_all(self) -> None:
        """`place` for every site, when many changed."""
        self._ready, self._resting, self.free = [], [], 0
        for queue in self.queues:
            queue.entry, queue.resting_until = NONE, NOT_RESTING
            self.place(queue)

    def pop(self, now: float) -> SiteQueue | None:
        """The best ready site, no longer among the ready; None when none is."""
        self._wake(now)
        while self._ready:
            entry = heappop(self._ready)
            queue = self.queues[entry & SITE_MASK]
            if queue.entry == entry:
                queue.entry = NONE
                self.free -= 1
                return queue
        return None

    def next_ready(self) -> float | None:
        """When the first site is ready: a past second if one is; None when no site waits."""
        while self._ready:
            queue = self.queues[self._ready[0] & SITE_MASK]
            if queue.entry == self._ready[0]:
                return queue.ready_at
            heappop(self._ready)
        while self._resting:
            until, number = self._resting[0]
            if self.queues[number].resting_until == until:
                return until
            heappop(self._resting)
        return None

    def _wake(self, now: float) -> None:
        has_gone_back, self._now = now < self._now, now
        if has_gone_back:
            # Of the clock: sites that were ready may have to rest again.
            self.place_all()
        while self._resting and self._resting[0][0] <= now:
            until, number = heappop(self._resting)
            if self.queues[number].resting_until == until:
                self.place(self.queues[number])

    def _sweep(self) -> None:
        if len(self._ready) > 2 * len(self.queues) + 1000:
            self._ready = [queue.entry for queue in self.queues if queue.entry != NONE]
            heapify(self._ready)
