"""The reachability greedy: knows all truths, and repeatedly buys what pays best.

    a purchase is a set of pages that can be fetched in order, each linked from
    one fetched before: pages of a known site on the way to its relevant forms,
    or pages on the way to a page that links to sites with relevant forms
    repeat:
        buy the purchase with the most forms per request
        every link on its pages becomes known

To find the best order is NP-hard, so this is no bound, but no strategy knows
as much. It leaves out only ways that are seldom the best: links to other sites
on pages made for search forms, links on far pages of sites passed through,
mirrors, traps, and menus that show items. Forms of a site that was not met yet
are reckoned from its home page. Distances between sites are reckoned again now
and then, not after each purchase.
"""

import heapq
from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from leadline.core.url import Url
from leadline_lab.oracles.ground import Ground
from leadline_lab.oracles.roads import FAR, IN_FRAME, look_around, survey
from leadline_lab.oracles.wanted import wanted_sites
from leadline_lab.sites.outward import landing
from leadline_lab.world import World

_SEED_PAGES = 10
_OWN = -2
_PLAN_AGAIN = 40
"""Requests after which distances are reckoned again, at first; later after each twentieth part
of what was spent."""
_MOST_GROUPS = 2_000
"""Purchases of unknown sites kept in mind at a time."""


def greedy(world: World, domain: str, pages: int, seeds: Iterable[Url] = ()) -> Iterator[Url]:
    """Pages in the order of the best purchases, from the seeds of a trial."""
    started = list(seeds) or world.seeds(domain, _SEED_PAGES)
    return islice(_Buyer(world, domain).order(started), pages)


class _Buyer:
    """States of a site: unknown, known (a link to it was met), entered (a page was fetched)."""

    def __init__(self, world: World, domain: str) -> None:
        self._world = world
        self._wanted = wanted_sites(world, domain)
        sites = world.census.sites
        self._is_known: NDArray[np.bool_] = np.zeros(sites, np.bool_)
        self._is_entered: NDArray[np.bool_] = np.zeros(sites, np.bool_)
        self._grounds: dict[int, Ground] = {}
        self._met: dict[int, list[int]] = {}
        """Bits of links to known sites whose ground was not needed yet."""
        self._offers: list[tuple[float, int, int]] = []
        """A heap of (minus forms per request, site, page): _OWN for what the site itself has, else
        the page to be fetched for what it links to."""
        self._read: set[tuple[int, int]] = set()
        """Pages that were travelled to."""
        self._forms, self._costs = self._reckon()
        self._near, self._leads = survey(world, self._forms > 0)
        self._map = look_around(self._near, self._is_known, self._is_entered)

    def _reckon(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Of every site: the forms it offers to who comes by its home page, and their pages."""
        forms, costs = np.zeros((2, self._world.census.sites))
        for site, wanted in self._wanted.items():
            ground = Ground(self._world, self._world.estate(site))
            ground.linked.add(0)
            bundle = ground.bundle(wanted)
            forms[site], costs[site] = bundle.forms, len(bundle.pages)
        return forms, costs

    def order(self, seeds: Iterable[Url]) -> Iterator[Url]:
        """All pages it can think of, best purchases first."""
        for url in seeds:
            found = self._world.locate(url)
            if found is not None and found.route is not None and found.route.place is not None:
                self._link(found.estate.plan.site, found.route.place.number)
        spent, next_plan = 0, 0
        while True:
            if spent >= next_plan or not self._offers:
                self._look_around()
                next_plan = spent + max(_PLAN_AGAIN, spent // 20)
                if not self._offers:
                    return
            for url in self._buy(*heapq.heappop(self._offers)):
                spent += 1
                yield url

    def _look_around(self) -> None:
        """Make offers of pages that link to unknown sites anew, by distances as they are now."""
        self._map = look_around(self._near, self._is_known, self._is_entered)
        leads = self._leads.pick(~self._is_known[self._leads.targets])
        costs = self._map.distances[leads.sources] + leads.costs - self._is_entered[leads.sources]
        leads, costs = leads.pick(costs < FAR), costs[costs < FAR]
        keys = leads.sources.astype(np.int64) << 32 | (leads.pages.astype(np.int64) - IN_FRAME)
        groups, firsts, members = np.unique(keys, return_index=True, return_inverse=True)
        forms = np.bincount(members, self._forms[leads.targets], len(groups))
        pages = np.bincount(members, self._costs[leads.targets], len(groups)) + costs[firsts]
        ratios = forms / np.maximum(pages, 1)
        best = np.argsort(-ratios, kind="stable")[:_MOST_GROUPS]
        rows = zip(ratios[best].tolist(), groups[best].tolist(), strict=True)
        offers = [(-ratio, key >> 32, (key & 0xFFFF_FFFF) + IN_FRAME) for ratio, key in rows]
        self._offers = [offer for offer in self._offers if offer[2] == _OWN]
        self._offers += [offer for offer in offers if offer[1:] not in self._read]
        heapq.heapify(self._offers)

    def _buy(self, minus_ratio: float, site: int, page: int) -> Iterator[Url]:
        """Fetch what an offer needs, unless it has become worse than it was."""
        if page != _OWN:
            self._read.add((site, page))
            yield from self._travel(site, page)
            return
        bundle = self._ground(site).bundle(self._wanted[site])
        if bundle.ratio >= -minus_ratio:
            for own in bundle.pages:
                yield self._fetch(site, own)
        self._offer(site)

    def _travel(self, site: int, page: int) -> Iterator[Url]:
        """From what is known to a page; ends early where the way turns out to be barred."""
        for at, through, road in self._hops(site, page):
            way = self._way(at, through) if self._is_known[at] else None
            if way is None:
                return
            for own in way:
                yield self._fetch(at, own)
            if road >= 0 and not self._is_known[self._near.targets[road]]:
                self._near.costs[road] = FAR

    def _hops(self, site: int, page: int) -> list[tuple[int, int, int]]:
        """Sites to pass through from a known one on, on which page, and by which road on."""
        hops = [(site, page, -1)]
        while not self._is_known[hops[-1][0]]:
            road = int(self._map.by[hops[-1][0]])
            if road < 0:
                return []
            hops.append((int(self._near.sources[road]), int(self._near.pages[road]), road))
        return hops[::-1]

    def _way(self, site: int, page: int) -> list[int] | None:
        """What to fetch to have a page of a known site too; None when it cannot be had."""
        ground = self._ground(site)
        if page in ground.fetched or (page == IN_FRAME and ground.fetched):
            return []
        wanted = ground.door if page == IN_FRAME else page
        way = [] if wanted is None else ground.way(wanted, ground.fetched)
        if not way:
            self._bar(site)
        return way or None

    def _bar(self, site: int) -> None:
        """Never travel through a site again."""
        for roads in (self._near, self._leads):
            roads.costs[roads.sources == site] = FAR

    def _fetch(self, site: int, page: int) -> Url:
        ground, graph = self._ground(site), self._world.graph
        ground.fetched.add(page)
        edges = [graph.page_edges(site, page)]
        if not self._is_entered[site]:
            self._is_entered[site] = True
            edges.append(graph.frame_edges(site))
        for row in edges:
            for edge in graph.links(site, row):
                if not self._world.census.dead[edge.target]:
                    self._meet(edge.target, edge.bits)
        return ground.url(page)

    def _meet(self, site: int, bits: int) -> None:
        """Take in a link to a site."""
        if site not in self._wanted and site not in self._grounds:
            self._is_known[site] = True
            self._met.setdefault(site, []).append(bits)
            return
        page = self._landing(site, bits)
        if page is not None:
            self._link(site, page)

    def _landing(self, site: int, bits: int) -> int | None:
        """The page a link leads to; None for one on a mirror."""
        if bits % 1000 >= self._world.profile.inner_links:
            return 0
        plan = self._world.estate(site).plan
        if "mirror" in plan.traps and bits >> 12 & 1:
            return None
        return landing(plan, bits, self._world.profile.doors_linked).number

    def _link(self, site: int, page: int) -> None:
        ground = self._ground(site)
        is_news = page not in ground.linked
        ground.linked.add(page)
        self._is_known[site] = True
        if is_news and site in self._wanted:
            self._offer(site)

    def _ground(self, site: int) -> Ground:
        if site not in self._grounds:
            self._grounds[site] = ground = Ground(self._world, self._world.estate(site))
            pages = (self._landing(site, bits) for bits in self._met.pop(site, ()))
            ground.linked.update(page for page in pages if page is not None)
        return self._grounds[site]

    def _offer(self, site: int) -> None:
        """Offer what a known site has for its next pages."""
        bundle = self._ground(site).bundle(self._wanted[site])
        if bundle.forms:
            heapq.heappush(self._offers, (-bundle.ratio, site, _OWN))
