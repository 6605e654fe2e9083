"""How far a topic goes along links, and what topics have in common."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leadline_lab.calibration.degrees import is_external
from leadline_lab.calibration.view import Findings, Seen, View, share
from leadline_lab.draw import numbers
from leadline_lab.sites.domains import DOMAINS

_HOPS = 4
_WALKS = 30_000
_NEAR, _FAR = 1, 15
"""Links apart on their page."""
_HUB_PAGES = 60


def measure_locality(view: View) -> Findings:
    """P(same topic | linked), topic by topic, and after one to four links between sites."""
    topics = site_topics(view)
    graph, names = view.world.graph, view.world.census.topics
    step = max(1, 3 * graph.edges // view.effort.edges)
    edges = np.arange(1, graph.edges, step, dtype=np.uint64)
    targets = graph.targets(edges)
    sources = np.searchsorted(graph.firsts, edges.astype(np.int64), "right") - 1
    is_link = targets >= 0
    before, after = topics[sources[is_link]], topics[targets[is_link]]
    same = np.bincount(before[before == after], minlength=len(names))
    by_topic = same / np.maximum(np.bincount(before, minlength=len(names)), 1)
    figures = {
        "locality_min": float(by_topic.min()),
        "locality_mean": float(same.sum() / len(before)),
        "locality_max": float(by_topic.max()),
    }
    figures |= {
        f"locality_{name}": float(by_topic[place])
        for place, name in enumerate(names)
        if name in DOMAINS
    }
    hops = _hops(view, topics)
    chance = float(((np.bincount(topics) / len(topics)) ** 2).sum())
    figures |= {f"hop_{at}": value for at, value in enumerate(hops, 1)} | {"hop_chance": chance}
    figures["hop_falls"] = float(all(a > b for a, b in pairwise(hops)))
    return Findings(figures, {"hops": [*hops, chance]})


def site_topics(view: View) -> NDArray[np.int64]:
    """The number of each site's topic."""
    census = view.world.census
    places = {name: place for place, name in enumerate(census.topics)}
    of_population = np.array([places[population.topic] for population in census.populations])
    return of_population[census.population_of].astype(np.int64)


def _hops(view: View, topics: NDArray[np.int64]) -> list[float]:
    """Walks that take any outward link of a site; one that meets no link stays out."""
    graph = view.world.graph
    drawn = numbers(view.draw("walks").number(), _WALKS * (_HOPS + 1))
    rows = (drawn >> np.uint64(33)).astype(np.int64).reshape(_HOPS + 1, _WALKS)
    at = rows[0] % view.world.census.sites
    start = topics[at]
    going = np.arange(_WALKS)
    found = []
    for row in rows[1:]:
        edges = graph.firsts[at] + row[going] % (graph.firsts[at + 1] - graph.firsts[at])
        targets = graph.targets(edges.astype(np.uint64))
        at, going = targets[targets >= 0], going[targets >= 0]
        found.append(float((topics[at] == start[going]).mean()))
    return found


def measure_siblings(view: View, pages: Sequence[Seen]) -> Findings:
    """Whether links that stand together lead to the same topic more often than others."""
    hubs = _hub_pages(view)
    near, far = _alike([_topics_of(view, seen, outward=False) for seen in pages])
    hub_near, hub_far = _alike([_topics_of(view, seen, outward=True) for seen in hubs])
    return Findings(
        {
            "siblings_near": near,
            "siblings_far": far,
            "siblings_gain": near - far,
            "hub_siblings_near": hub_near,
            "hub_siblings_far": hub_far,
            "hub_siblings_gain": hub_near - hub_far,
        }
    )


def _hub_pages(view: View) -> list[Seen]:
    return list(hub_pages(view, "hub siblings", min(_HUB_PAGES, view.effort.sites)))


def hub_pages(view: View, name: str, n: int) -> list[Seen]:
    """Pages of hubs that list sites, one of each hub."""
    draw = view.draw(name)
    hubs = [p for p in view.world.census.populations if p.kind == "hub"]
    found: list[Seen] = []
    while len(found) < n:
        population = draw.pick(hubs)
        site = population.first + draw.below(population.sites)
        plan = view.plan(site)
        number = draw.below(plan.pages)
        seen = view.read(site, number) if plan.place(number).role != "fixed" else None
        if seen:
            found.append(seen)
    return found


def _topics_of(view: View, seen: Seen, *, outward: bool) -> list[str]:
    links = [link for link in seen.page.links if not outward or is_external(seen, link.target)]
    return [view.truth.page(link.target).topic for link in links]


def _alike(rows: Sequence[Sequence[str]]) -> tuple[float, float]:
    """Shares of equal pairs, next to each other and far apart."""
    counts = {_NEAR: [0, 0], _FAR: [0, 0]}
    for row in rows:
        for apart, pair in counts.items():
            for first, second in zip(row, row[apart:], strict=False):
                pair[0] += first == second
                pair[1] += 1
    near, far = (share(*counts[apart]) for apart in (_NEAR, _FAR))
    return near, far
