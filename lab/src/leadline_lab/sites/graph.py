"""Links between sites, walked both ways without a table of them.

Every outward link of every site has a number, its edge. For each class of
targets (the sites of a topic, or only those with databases) a keyed
permutation sends edges to places on a line on which each site of the class
owns a stretch as long as it is popular. So in-degrees have a heavy tail, a
link is found from its page, and the pages that link to a site are found by
walking the permutation back.
"""

from bisect import bisect_right

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline_lab.draw import Numbers, Shuffle, key_of, numbers_at
from leadline_lab.sites.census import FIRST_OF_GUIDE, Census, Population, guide_topic
from leadline_lab.sites.domains import DOMAINS

_SHIFT = 1
"""Of Zipf's law with exponent 1: keeps the first site of a population below a tenth of links."""
_WHOLE = 1 << 16
_KIN = 500
"""Per mille of a site's off-topic links that go to kin topics; the rest goes anywhere."""
_DIRECTORY_TO_DEEP = 250
"""Per mille of a directory's on-topic links that lead to sites with databases: it lists them."""
_DIRECTORY_PROMINENCE = 30
"""Per mille by which directories are linked to less than others: few know of them."""
_VOID = 250
"""Per mille of edges that are no link, so that pages differ in how many they have."""


class Edge(Struct, frozen=True):
    """One outward link: to which site, and some bits to draw the rest from."""

    number: int
    target: int
    bits: int


class _Class(Struct, frozen=True):
    name: str
    sites: NDArray[np.int64]
    ends: NDArray[np.int64]
    """Where the stretch of each of them ends."""
    ends_list: list[int]
    shuffle: Shuffle


class Graph:
    """All links between the sites of a world."""

    def __init__(self, census: Census, key: int) -> None:
        self._census = census
        per_site = census.partners + census.targets
        self.firsts: NDArray[np.int64] = np.concatenate(([0], np.cumsum(per_site, dtype=np.int64)))
        """The first edge of each site, and the number of all edges at the end."""
        self.edges = int(self.firsts[-1])
        self._bits_key = key_of(key, "bits")
        self._classes = _classes(census, key, self.edges)
        self._sums = _mixes(census, [kind.name for kind in self._classes])
        self._sums_list = self._sums.tolist()
        self._place_of = {kind.name: place for place, kind in enumerate(self._classes)}
        places = [self._place_of[name] for name in census.topics]
        self._topic_places: NDArray[np.int64] = np.array(places, np.int64)

    def first_edge(self, site: int) -> int:
        return int(self.firsts[site])

    def frame_edges(self, site: int) -> range:
        """Edges that stand on every page of the site."""
        first = self.first_edge(site)
        return range(first, first + int(self._census.partners[site]))

    def page_edges(self, site: int, page: int) -> range:
        """Edges of the site's page of that number. A site has fewer edges than its pages have
        room for: the same ones come round again."""
        targets = int(self._census.targets[site])
        per_page = min(int(self._census.links_per_page[site]), targets)
        first = self.first_edge(site) + int(self._census.partners[site])
        start = page * per_page % targets
        return range(first + start, first + min(start + per_page, targets))

    def page_of(self, site: int, edge: int) -> int:
        """The number of a page an edge stands on; of one in the frame the home page's."""
        at = edge - self.first_edge(site) - int(self._census.partners[site])
        targets = int(self._census.targets[site])
        return 0 if at < 0 else at // min(int(self._census.links_per_page[site]), targets)

    def links(self, site: int, edges: range) -> list[Edge]:
        """Where these edges of the site lead; some are no link."""
        if not edges:
            return []
        bits = numbers_at(
            self._bits_key, np.arange(edges.start, edges.stop, dtype=np.uint64)
        ).tolist()
        row = self._sums_list[int(self._census.population_of[site])]
        is_guide = bool(self._census.is_guide[site])
        found = []
        for edge, drawn in zip(edges, bits, strict=True):
            if drawn >> 48 < _VOID * _WHOLE // 1000:
                continue
            if is_guide:
                page = self.page_of(site, edge)
                if page < FIRST_OF_GUIDE:
                    continue
                topics = len(self._census.topics)
                kind = self._classes[int(self._topic_places[guide_topic(site, page, topics)])]
            else:
                kind = self._classes[bisect_right(row, drawn & (_WHOLE - 1))]
            place = kind.shuffle.at(edge) * kind.ends_list[-1] // self.edges
            target = int(kind.sites[bisect_right(kind.ends_list, place)])
            if target != site:
                found.append(Edge(edge, target, drawn >> 16 & 0xFFFF_FFFF))
        return found

    def sources(self, target: int, limit: int) -> list[tuple[int, int]]:
        """Up to `limit` (site, edge) of links that lead to the site, in no order."""
        population = self._census.population(target)
        names = [population.topic]
        if population.domains:
            names += [f"{domain} deep" for domain in sorted(population.domains)]
        found: list[tuple[int, int]] = []
        for name in names:
            if name in self._place_of and len(found) < limit:
                found += self._sources_by(self._place_of[name], target, limit - len(found))
        return found

    def _sources_by(self, place: int, target: int, limit: int) -> list[tuple[int, int]]:
        kind = self._classes[place]
        at = int(np.searchsorted(kind.sites, target))
        if at >= len(kind.sites) or kind.sites[at] != target:
            return []
        total = kind.ends_list[-1]
        begin = kind.ends_list[at - 1] if at else 0
        low, high = -(-begin * self.edges // total), -(-kind.ends_list[at] * self.edges // total)
        found: list[tuple[int, int]] = []
        for start in range(low, high, 4096):
            row = np.arange(start, min(start + 4096, high), dtype=np.uint64)
            found += self._taken(place, target, kind.shuffle.back_all(row))
            if len(found) >= limit:
                break
        return found[:limit]

    def _taken(self, place: int, target: int, edges: Numbers) -> list[tuple[int, int]]:
        """Those of the edges that really choose this class."""
        sites, classes, is_void = self.choices(edges)
        is_taken = (classes == place) & ~is_void & (sites != target)
        return list(zip(sites[is_taken].tolist(), edges[is_taken].tolist(), strict=True))

    def targets(self, edges: Numbers) -> NDArray[np.int64]:
        """The site each edge leads to; -1 for edges that are no link."""
        sites, classes, is_void = self.choices(edges)
        found = np.full(len(edges), -1, np.int64)
        for place in np.unique(classes[~is_void]).tolist():
            kind = self._classes[place]
            chosen = np.flatnonzero((classes == place) & ~is_void)
            places = _scaled(kind.shuffle.at_all(edges[chosen]), kind.ends_list[-1], self.edges)
            found[chosen] = kind.sites[np.searchsorted(kind.ends, places, "right")]
        found[found == sites] = -1
        return found

    def choices(
        self, edges: Numbers
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """For each edge: its site, the class of targets it chooses, whether it is no link."""
        bits = numbers_at(self._bits_key, edges)
        sites = np.searchsorted(self.firsts, edges.astype(np.int64), "right") - 1
        drawn = (bits & np.uint64(_WHOLE - 1)).astype(np.int64)
        rows = self._sums[self._census.population_of[sites]]
        classes = (rows <= drawn[:, None]).sum(axis=1)
        is_void = (bits >> np.uint64(48)).astype(np.int64) < _VOID * _WHOLE // 1000
        if self._census.profile.guides:
            self._guide(edges.astype(np.int64), sites, classes, is_void)
        return sites, classes, is_void

    def _guide(
        self,
        edges: NDArray[np.int64],
        sites: NDArray[np.int64],
        classes: NDArray[np.int64],
        is_void: NDArray[np.bool_],
    ) -> None:
        """Set what links of guides choose: their page says it."""
        at = np.flatnonzero(self._census.is_guide[sites])
        own = sites[at]
        row = edges[at] - self.firsts[own] - self._census.partners[own]
        # As `page_of` has it: what stands in the frame counts as the home page's.
        pages = np.where(row < 0, 0, row // self._census.links_per_page[own])
        topics = guide_topic(own, pages, len(self._topic_places))
        classes[at] = self._topic_places[topics]
        is_void[at] |= pages < FIRST_OF_GUIDE


def _scaled(places: Numbers, total: int, edges: int) -> NDArray[np.int64]:
    """places * total // edges, by halves: the product would not fit into 64 bits."""
    high, rest = divmod(total, edges)
    whole = places.astype(np.int64)
    upper, lower = rest >> 20, rest & 0xF_FFFF
    first, left = np.divmod(whole * upper, edges)
    scaled: NDArray[np.int64] = (
        whole * high + (first << 20) + ((left << 20) + whole * lower) // edges
    )
    return scaled


def _classes(census: Census, key: int, edges: int) -> list[_Class]:
    members: dict[str, list[tuple[int, int, int]]] = {name: [] for name in census.topics}
    for domain in census.domains:
        members[f"{domain} deep"] = []
    for population in census.populations:
        span = (population.first, population.sites)
        weight = _weight(census, population)
        members[population.topic].append((*span, weight))
        for domain in sorted(population.domains):
            members[f"{domain} deep"].append((*span, 1000))
    # Directories list what is little known as readily as what is well known.
    return [
        _class(name, spans, Shuffle(key_of(key, "class", name), edges), is_flat=" deep" in name)
        for name, spans in members.items()
        if spans
    ]


def _weight(census: Census, population: Population) -> int:
    """Per mille of what a site of its topic is usually linked to."""
    if population.kind == "directory":
        return _DIRECTORY_PROMINENCE
    if not population.domains:
        return 1000
    prominence = DOMAINS[population.topic].prominence
    return min(1000, prominence * census.profile.prominence // 1000)


def _class(
    name: str, spans: list[tuple[int, int, int]], shuffle: Shuffle, *, is_flat: bool
) -> _Class:
    sites = np.concatenate([np.arange(first, first + n) for first, n, _ in spans])
    # A stretch is the more sites its population has the longer in all, Zipf-like inside.
    weights = np.concatenate(
        [
            np.full(n, 1 << 24) if is_flat else _zipf(n) * n * share // 1000 + 1
            for _, n, share in spans
        ]
    )
    order = np.argsort(sites, kind="stable")
    ends = np.cumsum(weights[order])
    return _Class(name, sites[order], ends, ends.tolist(), shuffle)


def _zipf(n: int) -> NDArray[np.int64]:
    """Whole weights by rank that add up to about 2^24."""
    raw = (1 << 40) // (np.arange(n, dtype=np.int64) + _SHIFT)
    total = int(raw.sum())
    return np.array([max(1, (value << 24) // total) for value in raw.tolist()], np.int64)


def _mixes(census: Census, classes: list[str]) -> NDArray[np.int64]:
    """For each population the running sums, to 65,536, of where its links go."""
    rows = [_mix(census, population.number, classes) for population in census.populations]
    return np.array(rows, np.int64)


def _mix(census: Census, number: int, classes: list[str]) -> list[int]:
    population = census.populations[number]
    domain = DOMAINS.get(population.topic)
    own = domain.locality if domain else 550
    if population.kind in {"spam", "news"}:
        own //= 2
    own = own * census.profile.locality // 1000
    shares = dict.fromkeys(classes, 0)
    to_deep = 0
    if population.kind == "directory" and domain:
        to_deep = _DIRECTORY_TO_DEEP
    shares[population.topic] += own * (1000 - to_deep)
    if to_deep:
        shares[f"{population.topic} deep"] += own * to_deep
    kin = [name for name in domain.kin if name in shares] if domain else []
    for name in kin:
        shares[name] += (1000 - own) * _KIN // len(kin)
    anywhere = (1000 - own) * (1000 - _KIN if kin else 1000)
    for name in census.topics:
        shares[name] += anywhere // len(census.topics)
    return _to_whole([shares[name] for name in classes])


def _to_whole(shares: list[int]) -> list[int]:
    total, running, sums = sum(shares), 0, []
    for share in shares:
        running += share
        sums.append(running * _WHOLE // total)
    return sums
