"""What a perfect index of a world would know; the lab's services tell only part of it."""

from functools import cached_property

import numpy as np

from leadline.core.url import Url
from leadline_lab.draw import Draw, key_of
from leadline_lab.language import content_urn
from leadline_lab.sites.census import Population
from leadline_lab.sites.graph import Edge
from leadline_lab.sites.naming import title, title_words
from leadline_lab.sites.outward import landing
from leadline_lab.sites.paths import Route
from leadline_lab.sites.plan import Plan
from leadline_lab.world import World

_SEARCH_WORDS = frozenset(
    {"search", "find", "database", "catalog", "catalogue", "online", "advanced"}
)
_TRIED = 60
"""Edges looked at for each link to a page that is wanted: most lead to home pages."""


class Lookup:
    """Who links where, and which sites are about what."""

    def __init__(self, world: World) -> None:
        self._world = world

    def backlinks(self, url: Url, limit: int) -> list[tuple[Url, str]]:
        """Up to `limit` pages that link to a URL, with their anchors: of its own site first.

        For the root of a site, pages of other sites that link to any page of it.
        """
        found = self._world.locate(url)
        if found is None or found.route is None:
            return []
        plan, route = found.estate.plan, found.route
        is_root = route.place is not None and route.place.number == 0
        inside = [] if is_root else self._parents(plan, route)
        links = [(Url(found.estate.root + path), "") for path in inside]
        tried = limit if is_root else limit * _TRIED
        for source, edge in self._world.graph.sources(plan.site, tried):
            if len(links) >= limit:
                break
            link = self._outside(source, edge, None if is_root else route)
            if link:
                links.append(link)
        return links[:limit]

    def _parents(self, plan: Plan, route: Route) -> list[str]:
        """Paths of pages of the same site that link to a page of it."""
        place = route.place
        paths = self._world.estate(plan.site).paths
        if place is None:
            return []
        if place.role == "item":
            shown = place.index // plan.per_list
            return [paths.list_page(place.section, shown)]
        before = [number for number, after in plan.attached.items() if place.number in after]
        return [paths.page(plan.place(number)) for number in before or [0]]

    def _outside(self, source: int, edge: int, route: Route | None) -> tuple[Url, str] | None:
        """The page of another site that has an edge; None where it leads to another page."""
        graph, estate = self._world.graph, self._world.estate(source)
        (link,) = graph.links(source, range(edge, edge + 1))
        if route is not None and not self._lands(link, route):
            return None
        number = graph.page_of(source, edge)
        if number >= estate.plan.pages or "dead" in estate.plan.traps:
            return None
        (outlink,) = self._world.outward.links(source, range(edge, edge + 1))
        return Url(estate.root + estate.paths.page(estate.plan.place(number))), outlink.anchor.text

    def _lands(self, link: Edge, route: Route) -> bool:
        if link.bits % 1000 >= self._world.profile.inner_links:
            return False
        plan = self._world.estate(link.target).plan
        return landing(plan, link.bits, self._world.profile.doors_linked) == route.place

    @cached_property
    def _topic_words(self) -> dict[str, dict[str, int]]:
        """For each word, how much of each topic's text it makes up."""
        found: dict[str, dict[str, int]] = {}
        for topic in self._world.census.topics:
            words, counts = np.unique(content_urn(topic).cells.astype(str), return_counts=True)
            for word, count in zip(words.tolist(), counts.tolist(), strict=True):
                found.setdefault(word, {})[topic] = count
        return found

    def sites_about(self, words: list[str], limit: int) -> list[tuple[Url, str, str]]:
        """Home pages of up to `limit` sites about what the words are about, the best known of
        them first: URL, title, some words."""
        populations = self._populations(words)
        if not populations:
            return []
        draw = Draw(key_of(self._world.key, "search", " ".join(sorted(words))))
        found: dict[int, None] = {}
        for _ in range(limit * 3):
            population = draw.pick(populations)
            # The lower of two ranks: what is linked to much comes up often.
            rank = min(draw.below(population.sites), draw.below(population.sites))
            found.setdefault(population.first + rank)
        return [self._hit(site) for site in list(found)[:limit]]

    def _populations(self, words: list[str]) -> list[Population]:
        scores: dict[str, int] = {}
        for word in words:
            by_topic = self._topic_words.get(word.lower(), {})
            total = sum(by_topic.values())
            for topic, count in by_topic.items():
                scores[topic] = scores.get(topic, 0) + count * 1000 // total
        if not scores:
            return []
        best = max(scores, key=lambda topic: (scores[topic], topic))
        wants_database = not _SEARCH_WORDS.isdisjoint(word.lower() for word in words)
        about = [p for p in self._world.census.populations if p.topic == best]
        deep = [p for p in about if p.domains]
        return deep * 3 + about if wants_database else about

    def _hit(self, site: int) -> tuple[Url, str, str]:
        world = self._world
        words = title_words(world.census.population(site).topic, "en")
        draw = Draw(key_of(world.key, "snippet", site))
        snippet = " ".join(title(words, draw.number()) for _ in range(4))
        return Url(f"http://{world.hosts.host(site)}/"), world.hosts.title(site), snippet
