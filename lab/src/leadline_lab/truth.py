"""What is so in a world, for graders only: no strategy ever sees this."""

from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.page import Form
from leadline.core.url import Url
from leadline_lab.draw import Numbers
from leadline_lab.schemas import DOMAIN_OF
from leadline_lab.sites.doors import Interface
from leadline_lab.sites.paths import Route
from leadline_lab.sites.plan import Plan
from leadline_lab.world import World

_PER_SITE = 64
"""Room for interface numbers of one site."""
_CHUNK = 1 << 20
NOWHERE = "missing"


class PageTruth(Struct, frozen=True):
    """What a URL really is."""

    site: int
    """Its site's number; -1 for a host that nobody has."""
    topic: str
    kind: str
    """home, list, item, fixed, gate, form, results, record, sent, calendar, loop; `missing`."""
    interfaces: tuple[int, ...] = ()
    """Search forms that stand on it and are there without scripts."""
    scripted: tuple[int, ...] = ()
    """Search forms that only a browser sees."""
    trap: str = ""


_MISSING = PageTruth(-1, "", NOWHERE)


class Truth:
    """Grades what crawlers bring."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.page = lru_cache(maxsize=20_000)(self._page)

    def _page(self, url: Url) -> PageTruth:
        """What the page of a URL is, whatever state its server is in."""
        found = self._world.locate(url)
        if found is None:
            return _MISSING
        plan = found.estate.plan
        if found.route is None:
            return PageTruth(plan.site, plan.population.topic, NOWHERE, trap=found.trap)
        shown = [i for i in plan.interfaces if _stands_on(i, plan, found.route)]
        return PageTruth(
            plan.site,
            _topic(plan, found.route),
            _kind(found.route),
            tuple(_number(plan, i) for i in shown if not i.is_scripted),
            tuple(_number(plan, i) for i in shown if i.is_scripted),
            found.trap,
        )

    def form(self, form: Form) -> int | None:
        """The interface that a form opens; None for a form that searches nothing."""
        if form.action is None:
            return None
        found = self._world.locate(form.action)
        if found is None or found.route is None or found.route.kind != "action":
            return None
        return found.estate.plan.site * _PER_SITE + found.route.number

    def interface(self, number: int) -> Interface:
        site, own = divmod(number, _PER_SITE)
        return self._world.estate(site).plan.interfaces[own]

    def site_of(self, number: int) -> int:
        return number // _PER_SITE

    def domains_of(self, number: int) -> frozenset[str]:
        """The target domain an interface belongs to, or none."""
        domain = DOMAIN_OF.get(self.interface(number).schema)
        return frozenset((domain,)) if domain else frozenset()

    def is_relevant(self, page: PageTruth, domain: str) -> bool:
        """Whether a page is about a domain."""
        return page.topic == domain and page.kind != NOWHERE

    def interfaces(self, domain: str) -> Iterator[tuple[Plan, Interface]]:
        """Every search form of a domain."""
        for population in self._world.census.populations:
            if domain not in population.domains:
                continue
            for site in range(population.first, population.first + population.sites):
                plan = self._world.estate(site).plan
                for interface in plan.interfaces:
                    if DOMAIN_OF.get(interface.schema) == domain:
                        yield plan, interface

    def reachable(self, seeds: list[Url], links: int = 400) -> NDArray[np.bool_]:
        """Which sites can be reached from these pages, dead ones left out, by following no more
        than the first `links` outward links of each site: at least these can be."""
        graph = self._world.graph
        located = [self._world.locate(url) for url in seeds]
        new = np.array(sorted({at.estate.plan.site for at in located if at}), np.int64)
        is_reached = np.zeros(self._world.census.sites, np.bool_)
        while len(new):
            is_reached[new] = True
            found = np.zeros_like(is_reached)
            for edges in _edges(graph.firsts, new, links):
                targets = graph.targets(edges)
                found[targets[targets >= 0]] = True
            new = np.flatnonzero(found & ~is_reached & ~self._world.census.dead)
        return is_reached


def _edges(firsts: NDArray[np.int64], sites: NDArray[np.int64], links: int) -> Iterator[Numbers]:
    """The first edges of each of the sites, in chunks."""
    for start in range(0, len(sites), _CHUNK // links):
        some = sites[start : start + _CHUNK // links]
        edges = firsts[some, None] + np.arange(links)
        yield edges[edges < firsts[some + 1, None]].astype(np.uint64)


def _number(plan: Plan, interface: Interface) -> int:
    return plan.site * _PER_SITE + interface.number


def _stands_on(interface: Interface, plan: Plan, route: Route) -> bool:
    if route.kind == "loop":
        return False
    if interface.is_everywhere:
        return True
    if route.kind != "page" or route.place is None:
        return False
    if interface.depth == 0:
        return route.place.number == 0
    return plan.page_of[interface.number] == route.place.number


def _topic(plan: Plan, route: Route) -> str:
    if route.place is not None:
        if route.place.role in {"form", "gate"}:
            schema = plan.interfaces[plan.specials[route.place.index].interface].schema
            return DOMAIN_OF.get(schema) or plan.population.topic
        return plan.topic(route.place)
    if route.kind == "action":
        return DOMAIN_OF.get(plan.interfaces[route.number].schema) or plan.population.topic
    return plan.population.topic


def _kind(route: Route) -> str:
    if route.place is not None:
        return route.place.role
    return "results" if route.kind == "action" else route.kind
