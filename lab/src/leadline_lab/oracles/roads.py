"""Links between all sites of a world as rows, to find near ways to sites not yet known."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline_lab.draw import key_of
from leadline_lab.oracles.ground import PAGER
from leadline_lab.sites.plan import plan_site
from leadline_lab.world import World

Row = NDArray[np.int64]
Small = NDArray[np.int32]

_CHUNK = 50_000
_NEAR = 4
"""Pages 0 to 3: the home page and three fixed ones, which every page of a site links to."""
FAR = 99
"""More requests than any way that is looked for takes."""
_FURTHEST = 9
_ROADS_PER_SITE = 12
"""To each wanted site: a site that is linked more often is soon known anyhow."""
IN_FRAME = -1
"""In the place of a page's number: on every page of the site."""


class Roads(Struct, frozen=True):
    """Links in rows of equal length, none void."""

    edges: Row
    sources: Small
    pages: Small
    """On which page of its site each stands, IN_FRAME for all."""
    targets: Small
    costs: Small
    """Requests to have that page, from a link to its site."""

    def pick(self, chosen: NDArray[np.bool_] | Row) -> "Roads":
        return Roads(
            self.edges[chosen],
            self.sources[chosen],
            self.pages[chosen],
            self.targets[chosen],
            self.costs[chosen],
        )


class Map(Struct, frozen=True):
    """How far every site is from what is known."""

    distances: Small
    """Requests until a link to the site is known."""
    by: Small
    """Which near road leads there last; -1 for none."""


def survey(world: World, wanted: NDArray[np.bool_]) -> tuple[Roads, Roads]:
    """Roads on near pages of all sites, and the best ones to wanted sites on any page."""
    parts = map(structs.astuple, _rows(world, wanted))
    every = Roads(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    near = every.pick(every.pages < _NEAR)
    to_wanted = every.pick(wanted[every.targets])
    return near, _with_costs(world, _best(to_wanted))


def _rows(world: World, wanted: NDArray[np.bool_]) -> Iterator[Roads]:
    """All roads that stand on near pages or lead to wanted sites."""
    census, graph = world.census, world.graph
    per_page = np.minimum(census.links_per_page, census.targets).astype(np.int64)
    for start in range(0, graph.edges, _CHUNK):
        edges = np.arange(start, min(start + _CHUNK, graph.edges))
        targets = graph.targets(edges.astype(np.uint64))
        is_road = targets >= 0
        edges, targets = edges[is_road], targets[is_road]
        sources = np.searchsorted(graph.firsts, edges, "right") - 1
        is_road = ~(census.dead[sources] | census.dead[targets])
        edges, targets, sources = edges[is_road], targets[is_road], sources[is_road]
        at = edges - graph.firsts[sources] - census.partners[sources]
        pages = np.where(at < 0, IN_FRAME, at // per_page[sources])
        costs = np.where(pages <= 0, 1, 2)
        is_kept = (pages < _NEAR) | wanted[targets]
        columns = np.stack((sources, pages, targets, costs)).astype(np.int32)[:, is_kept]
        yield Roads(edges[is_kept], *columns)


def _best(roads: Roads) -> Roads:
    """A few to each target: those on the lowest pages."""
    order = np.lexsort((roads.edges, roads.pages, roads.targets))
    roads = roads.pick(order)
    _, firsts, counts = np.unique(roads.targets, return_index=True, return_counts=True)
    rank = np.arange(len(order)) - np.repeat(firsts, counts)
    return roads.pick(rank < _ROADS_PER_SITE)


def _with_costs(world: World, roads: Roads) -> Roads:
    """With what it takes to come to pages that are not near; those too far inside, and those made
    for a search form, left out."""
    costs = roads.costs.copy()
    for place in np.flatnonzero(roads.pages >= _NEAR).tolist():
        costs[place] = _inner_cost(world, int(roads.sources[place]), int(roads.pages[place]))
    known = Roads(roads.edges, roads.sources, roads.pages, roads.targets, costs)
    return known.pick(costs < FAR)


def _inner_cost(world: World, site: int, page: int) -> int:
    plan = plan_site(world.census, key_of(world.key, "site", site), site)
    if page >= plan.pages or plan.first_special <= page < plan.first_list:
        return FAR
    place = plan.place(page)
    if place.role == "fixed":
        return 2
    if place.role == "list":
        return _list_cost(place.index)
    return _list_cost(place.index // plan.per_list) + 1


def _list_cost(index: int) -> int:
    """The entrance, the first list, then on by its pager."""
    return 2 - (-index // PAGER)


def look_around(near: Roads, is_known: NDArray[np.bool_], is_entered: NDArray[np.bool_]) -> Map:
    """Distances of all sites from those that are known; near roads only."""
    distances: Small = np.where(is_known, 0, FAR).astype(np.int32)
    by: Small = np.full(len(is_known), -1, np.int32)
    costs = np.where(is_entered[near.sources], 1, near.costs)
    for distance in range(_FURTHEST):
        begun = np.flatnonzero(distances[near.sources] == distance)
        for cost in (1, 2):
            roads = begun[costs[begun] == cost]
            roads = roads[distances[near.targets[roads]] > distance + cost]
            # Of several roads to one site the last written stays: any will do.
            distances[near.targets[roads]] = distance + cost
            by[near.targets[roads]] = roads
    return Map(distances, by)
