"""The frontier: which waiting link is visited next."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from heapq import heapify, heappush
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.core.ports import Scores
from leadline.core.url import Site
from leadline.frontier.links import (
    Ids,
    LinkColumns,
    LinkRows,
    Slots,
    SpilledLinks,
    feature_rows,
    sort_links,
)
from leadline.frontier.ranks import (
    ID_BITS,
    ID_MASK,
    NOWHERE,
    SCORE_BITS,
    Ranks,
    place_of,
    priorities_of,
    rank_of,
    ranks_of,
)
from leadline.frontier.sites import NONE, SLOT_BITS, SLOT_MASK, SiteOrder, SiteQueue, link_entry

Scorer = Callable[[NDArray[np.int32], Scores, FeatureRows], None]
Loader = Callable[[Ids], list[bytes]]
"""Reads the features of spilled links, as their candidates hold them, in order of the ids."""

REFILL_LINKS = 32
"""LinkColumns links brought back for a site at a time, so that most turns need no query."""
CHUNK_LINKS = 100_000
"""LinkColumns links scored at a time: 13 MB of features at width 32."""


class Frontier:
    """Waiting links, taken best first from sites that may be asked.

    Guarantees: sites are ranked by their own rank, else by their best link's;
    equals by their best link's place; links in their site by tier, score and
    arrival. `take` gives exactly the best of what is allowed. A site has at
    most one lease out. No call but `rescore` and `fill` gets slower, on
    average, with the number of links.

    With `memory_links` and `load`, at most so many links are kept in memory;
    the least wanted are spilled: 20 bytes of each stay here, their features wherever
    `load` finds them.
    """

    def __init__(
        self, width: int = 0, memory_links: int | None = None, load: Loader | None = None
    ) -> None:
        self._rows = LinkRows(width)
        self._spilled = SpilledLinks()
        self._order = SiteOrder()
        self.names: list[Site] = []
        """Sites by number."""
        self._numbers: dict[Site, int] = {}
        self._leases: dict[int, SiteQueue] = {}
        self._tiers: defaultdict[int, int] = defaultdict(int)
        """Links by tier, those leased included: kept up because counting all takes too long."""
        self._memory_links = memory_links if load else None
        self._load = load

    def __len__(self) -> int:
        """Links waiting on open sites, those leased included."""
        return len(self._rows) + len(self._spilled)

    def tiers(self) -> dict[int, int]:
        """How many links wait in each tier, those leased included."""
        return {tier: links for tier, links in sorted(self._tiers.items()) if links}

    def free_sites(self) -> int:
        """How many sites have links waiting and none leased, resting ones included."""
        return self._order.free

    def number(self, site: Site) -> int:
        """The site's number here, given at first sight, counting from 0."""
        number = self._numbers.get(site)
        if number is None:
            number = self._numbers[site] = len(self.names)
            self.names.append(site)
            self._order.queues.append(SiteQueue(number))
        return number

    def find(self, site: Site) -> int | None:
        """The site's number if it has one."""
        return self._numbers.get(site)

    def add(
        self, ids: Sequence[int], sites: Sequence[int], ranks: Sequence[int], features: list[bytes]
    ) -> None:
        """Let links wait. Those of closed sites are passed over."""
        queues = self._order.queues
        if any(queues[site].is_closed for site in sites):
            kept = [at for at, site in enumerate(sites) if not queues[site].is_closed]
            ids, sites, ranks = ([column[at] for at in kept] for column in (ids, sites, ranks))
            features = [features[at] for at in kept]
        slots = self._rows.add(ids, sites, ranks, features)
        changed, tiers = set(), self._tiers
        for number, site, rank, slot in zip(ids, sites, ranks, slots, strict=True):
            tiers[rank >> SCORE_BITS] += 1
            entry = link_entry(rank, number, slot)
            heap = queues[site].heap
            heappush(heap, entry)
            if heap[0] == entry:
                changed.add(site)
        for site in sorted(changed):
            self._order.place(queues[site])
        self._keep_bound()

    def fill(self, links: LinkColumns) -> None:
        """Let many links wait at once, in an empty frontier: the best in memory."""
        keep = len(links.ids) if self._memory_links is None else self._memory_links
        bound = _find_bound(links.ranks, links.ids, keep)
        rank, number = bound >> ID_BITS, bound & ID_MASK
        stays = (links.ranks < rank) | ((links.ranks == rank) & (links.ids < number))
        for chunk in _split(links.pick(stays)):
            ids, sites, ranks = (
                column.tolist() for column in (chunk.ids, chunk.sites, chunk.ranks)
            )
            self._rows.add(ids, sites, ranks, self._features(chunk.ids))
        self._spilled.add(links.pick(~stays))
        self._tiers = _count_tiers(links.ranks)
        self._rebuild()

    def lease(self, now: float, links: int = 1) -> tuple[int, list[tuple[int, int]]] | None:
        """Lease the best site that may be asked with its best links, best first: its number, and
        their ids and ranks. None when no link waits on a free site that is ready."""
        queue = self._order.pop(now)
        if queue is None:
            return None
        taken: list[tuple[int, int]] = []
        leased = queue.leased = {}
        while len(taken) < links and queue.best() != NOWHERE:
            if queue.spilled_best < queue.head():
                self._refill(queue)
            number, slot = queue.pop()
            leased[number] = slot
            self._leases[number] = queue
            taken.append((number, int(self._rows.ranks[slot])))
        self._keep_bound()
        return queue.number, taken

    def take(self, n: int, now: float) -> list[tuple[int, int]]:
        """Lease up to `n` links of distinct sites, best first: their ids and ranks."""
        taken: list[tuple[int, int]] = []
        while len(taken) < n and (leased := self.lease(now)) is not None:
            taken += leased[1]
        return taken

    def hold(self, site: int) -> None:
        """Lease a free site without any of its links."""
        queue = self._order.queues[site]
        queue.leased = {}
        self._order.place(queue)

    def next_ready(self) -> float | None:
        """When `lease` may give something; None when no link waits on a free site."""
        return self._order.next_ready()

    def ready_at(self, site: int) -> float:
        """Until when the site rests."""
        return self._order.queues[site].ready_at

    def is_leased(self, number: int) -> bool:
        """Whether the link is on lease."""
        return number in self._leases

    def has_links(self, site: int) -> bool:
        """Whether links of the site wait, those leased included; never those of a closed one."""
        queue = self._order.queues[site]
        return not queue.is_closed and (queue.best() != NOWHERE or bool(queue.leased))

    def best_rank(self, site: int) -> int:
        """The rank of its best link that waits and is not leased; beyond all ranks if none does."""
        return self._order.queues[site].best() >> ID_BITS

    def own_rank(self, site: int) -> int | None:
        """The site's rank of its own; None: that of its best link."""
        rank = self._order.queues[site].rank
        return None if rank == NONE else rank

    def close_link(self, number: int) -> None:
        """Forget a link that is leased; its site stays leased."""
        queue = self._leases.pop(number)
        if queue.leased is not None:
            self._drop(queue.leased.pop(number))

    def release(self, site: int, ready_at: float) -> None:
        """End the lease of a site: its other links wait again, and it rests until `ready_at`."""
        queue = self._order.queues[site]
        for number, slot in (queue.leased or {}).items():
            del self._leases[number]
            if queue.is_closed:
                self._drop(slot)
            else:
                rank = int(self._rows.ranks[slot])
                heappush(queue.heap, link_entry(rank, number, slot))
        queue.leased = None
        self.rest(site, ready_at)

    def finish(self, number: int) -> None:
        """Forget a link that is leased and end the lease of its site."""
        queue = self._leases[number]
        self.close_link(number)
        self.release(queue.number, queue.ready_at)

    def rest(self, site: int, ready_at: float) -> None:
        """Let a site rest until `ready_at`."""
        queue = self._order.queues[site]
        queue.ready_at = ready_at
        self._order.place(queue)

    def close(self, site: int) -> None:
        """Ask a site no more and forget its waiting links. A lease stays out until closed."""
        queue = self._order.queues[site]
        queue.is_closed = True
        slots = [entry & SLOT_MASK for entry in queue.heap]
        gone = np.concatenate([self._rows.ranks[slots], self._spilled.ranks(site)])
        for tier, links in _count_tiers(gone).items():
            self._tiers[tier] -= links
        self._rows.free(slots)
        self._spilled.drop(site)
        queue.heap, queue.spilled_best = [], NOWHERE
        self._order.place(queue)

    def open(self, site: int) -> None:
        """Ask a site again; the links it had are to be added anew."""
        queue = self._order.queues[site]
        queue.is_closed = False
        self._order.place(queue)

    def rank(self, site: int, rank: int | None) -> bool:
        """Give a site a rank of its own, None: that of its best link; whether it had another."""
        queue = self._order.queues[site]
        before, queue.rank = queue.rank, NONE if rank is None else rank
        self._order.place(queue)
        return before != queue.rank

    def rescore(self, score: Scorer, least: float = -math.inf) -> tuple[Ids, Ranks]:
        """Rank links again, leased ones too; the ids of those that moved, rising, and their ranks.

        Links in memory are scored in one call, spilled ones in chunks. With `least`, only links in
        memory that are in the first tier and have that score now are scored.
        """
        rows, slots = self._rows, self._rows.live()
        before = rows.ranks[slots]
        if least > -math.inf:
            is_near = before <= rank_of(0, least)
            slots, before = slots[is_near], before[is_near]
        after = _rescore(score, before, rows.features[slots]) if len(slots) else before
        has_moved = after != before
        moved = slots[has_moved]
        rows.ranks[moved] = after[has_moved]
        ids, was, now = rows.ids[moved], before[has_moved], after[has_moved]
        if least == -math.inf and len(self._spilled):
            spilled = self._spilled.links()
            ranks = [
                _rescore(score, chunk.ranks, feature_rows(self._features(chunk.ids), rows.width))
                for chunk in _split(spilled)
            ]
            again = np.concatenate(ranks)
            has_moved = again != spilled.ranks
            ids = np.concatenate([ids, spilled.ids[has_moved]])
            was = np.concatenate([was, spilled.ranks[has_moved]])
            now = np.concatenate([now, again[has_moved]])
            self._spilled.clear()
            self._spilled.add(spilled._replace(ranks=again))
            self._rebuild()
        else:
            self._rebuild_some(moved)
        if ((was ^ now) >> SCORE_BITS).any():
            for sign, tiers in ((-1, _count_tiers(was)), (1, _count_tiers(now))):
                for tier, links in tiers.items():
                    self._tiers[tier] += sign * links
        order = np.argsort(ids)
        return ids[order], now[order]

    def ranks(self) -> tuple[Ids, Ranks]:
        """The rank in force of every link, by rising id."""
        slots, spilled = self._rows.live(), self._spilled.links()
        ids = np.concatenate([self._rows.ids[slots], spilled.ids])
        ranks = np.concatenate([self._rows.ranks[slots], spilled.ranks])
        order = np.argsort(ids)
        return ids[order], ranks[order]

    def _drop(self, slot: int) -> None:
        self._tiers[int(self._rows.ranks[slot]) >> SCORE_BITS] -= 1
        self._rows.free([slot])

    def _features(self, ids: Ids) -> list[bytes]:
        if self._load is None or not self._rows.width:
            return [b""] * len(ids)
        return self._load(ids)

    def _unleased_slots(self) -> Slots:
        """The slots of links in memory that are not leased."""
        leased = [(queue.leased or {})[number] for number, queue in self._leases.items()]
        slots = self._rows.live()
        return slots[~np.isin(slots, leased)] if leased else slots

    def _rebuild(self) -> None:
        """Make all heaps anew."""
        for queue in self._order.queues:
            queue.heap, queue.spilled_best = [], NOWHERE
        self._fill(self._unleased_slots())
        for site, place in self._spilled.bests():
            queue = self._order.queues[site]
            queue.spilled_best = min(queue.spilled_best, place)
        self._order.place_all()

    def _rebuild_some(self, moved: Slots) -> None:
        """Make the heaps of these links' sites anew: often few links move."""
        sites, slots = np.unique(self._rows.sites[moved]), self._unleased_slots()
        queues = [self._order.queues[site] for site in sites.tolist()]
        heads = [queue.head() for queue in queues]
        for queue in queues:
            queue.heap = []
        self._fill(slots[np.isin(self._rows.sites[slots], sites)])
        for queue, head in zip(queues, heads, strict=True):
            # Most keep their best link, and with it their place.
            if queue.head() != head:
                self._order.place(queue)

    def _fill(self, slots: Slots) -> None:
        """Put links into the heaps of their sites, which are empty: a sorted list is a heap."""
        rows, queues = self._rows, self._order.queues
        slots = slots[
            sort_links(LinkColumns(rows.sites[slots], rows.ranks[slots], rows.ids[slots]))
        ]
        columns = zip(
            rows.ranks[slots].tolist(), rows.ids[slots].tolist(), slots.tolist(), strict=True
        )
        # `link_entry` of each, without a call.
        entries = [
            (((rank << ID_BITS) | number) << SLOT_BITS) | slot for rank, number, slot in columns
        ]
        sites = rows.sites[slots]
        edges = np.flatnonzero(np.diff(sites, prepend=NONE, append=NONE)).tolist()
        for start, end in pairwise(edges):
            queues[sites[start]].heap = entries[start:end]

    def _keep_bound(self) -> None:
        """Spill when there are too many links in memory, so many that it happens seldom."""
        if self._memory_links is None or len(self._rows) <= self._memory_links:
            return
        waiting = self._unleased_slots()
        bound = _find_bound(
            self._rows.ranks[waiting], self._rows.ids[waiting], self._memory_links // 2
        )
        self._spill(bound << SLOT_BITS)

    def _spill(self, bound: int) -> None:
        slots: list[int] = []
        for queue in self._order.queues:
            gone = [entry for entry in queue.heap if entry >= bound]
            if gone:
                queue.heap = [entry for entry in queue.heap if entry < bound]
                heapify(queue.heap)
                queue.spilled_best = min(queue.spilled_best, min(gone) >> SLOT_BITS)
                slots.extend(entry & SLOT_MASK for entry in gone)
        rows = self._rows
        self._spilled.add(LinkColumns(rows.sites[slots], rows.ranks[slots], rows.ids[slots]))
        # Freed from the top down, they are used again from the bottom up, neighbours together.
        rows.free(sorted(slots, reverse=True))

    def _refill(self, queue: SiteQueue) -> None:
        """Bring a site's best spilled links back into memory."""
        ids, ranks = self._spilled.pull(queue.number, REFILL_LINKS)
        features = self._features(np.array(ids, np.int64))
        slots = self._rows.add(ids, [queue.number] * len(ids), ranks, features)
        for number, rank, slot in zip(ids, ranks, slots, strict=True):
            heappush(queue.heap, link_entry(rank, number, slot))
        queue.spilled_best = self._spilled.best(queue.number)


def _rescore(score: Scorer, ranks: Ranks, features: FeatureRows) -> Ranks:
    tiers, scores = priorities_of(ranks)
    score(tiers, scores, features)
    return ranks_of(tiers, scores)


def _count_tiers(ranks: Ranks) -> defaultdict[int, int]:
    """How many of the ranks are of each tier."""
    tiers, counts = np.unique(ranks >> SCORE_BITS, return_counts=True)
    return defaultdict(int, zip(tiers.tolist(), counts.tolist(), strict=True))


def _find_bound(ranks: Ranks, ids: Ids, keep: int) -> int:
    """The place of the first link that is not among the best `keep`; NOWHERE when all are."""
    if keep >= len(ids):
        return NOWHERE
    rank = np.partition(ranks, keep)[keep]
    equals = ids[ranks == rank]
    ahead = keep - int(np.count_nonzero(ranks < rank))
    return place_of(int(rank), int(np.partition(equals, ahead)[ahead]))


def _split(links: LinkColumns) -> Iterator[LinkColumns]:
    for start in range(0, len(links.ids), CHUNK_LINKS):
        yield links.pick(slice(start, start + CHUNK_LINKS))
