"""Who lives in a world: its sites in rows, from which all else about them is drawn.

Sites are numbered population by population, inside one from the most to the
least linked. Numbers never leave the world: hosts and URLs carry permuted ones.
"""

from bisect import bisect_right
from typing import TypeVar

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline_lab.draw import Draw, Numbers, key_of, numbers
from leadline_lab.language import topics
from leadline_lab.profile import Profile
from leadline_lab.schemas import BACKGROUND_SCHEMAS, DOMAIN_OF
from leadline_lab.sites.domains import (
    BACKGROUND_DEEP,
    BACKGROUND_SITES,
    DOMAINS,
    SHALLOW_KINDS,
    TOGETHER,
)

T = TypeVar("T", int, NDArray[np.int64])
_LINKS_PER_PAGE = {
    "blog": 3, "news": 2, "forum": 3, "corporate": 1, "shop": 1, "library": 1, "portal": 2,
    "classifieds": 1, "government": 2, "campus": 2, "spam": 9, "hub": 24, "directory": 24,
    "guide": 24,
}  # fmt: skip
"""Outward links in the text of a page, by archetype; a hub page lists many more sites than this
and has fewer pages, see `_links_per_page`. With the 40 to 60 inward links of a page they make
the outward share of 2 to 12 % that SmartCrawler's authors counted (11 of 259, 54 of 500)."""
_REPEATS = 8
"""Pages of a site on which one of its outward links stands: sites link to the same few others."""
_FEWEST_TARGETS = 3
_SHORTEST_HUB, _LONGEST_HUB, _LONGEST_DIRECTORY = 28, 200, 80
"""Outward links on a page, before some are left out."""
_LARGEST_DIRECTORY = 4
"""Pages."""
FIRST_OF_GUIDE = 4
"""Of a guide's pages the first that lists sites: before it come the home page and fixed ones."""
_BACKGROUND_KINDS = (
    ("blog", 300), ("news", 120), ("corporate", 260), ("forum", 120), ("government", 90),
    ("campus", 60), ("spam", 25), ("hub", 25),
)  # fmt: skip


class Population(Struct, frozen=True):
    """Sites of one kind and topic."""

    number: int
    name: str
    topic: str
    kind: str
    first: int
    """Its first site's number."""
    sites: int
    schemas: tuple[str, ...] = ()
    """What its databases hold; () where there are none."""
    host_words: tuple[str, ...] = ()
    is_seeded: bool = False

    @property
    def is_hub(self) -> bool:
        """Whether its pages list other sites: any of its topic, those with databases, or sites of
        all topics, a page for each."""
        return self.kind in {"hub", "directory", "guide"}

    @property
    def domains(self) -> frozenset[str]:
        """The target domains its databases belong to."""
        return frozenset(DOMAIN_OF[name] for name in self.schemas if name in DOMAIN_OF)


class Census:
    """The sites of a world."""

    def __init__(self, profile: Profile, key: int) -> None:
        self.profile = profile
        self.domains = tuple(name for name in DOMAINS if name in (profile.targets or DOMAINS))
        """The target domains that live here."""
        self.topics: tuple[str, ...] = (*self.domains, *_background(profile, key))
        self.populations = _populations(profile, key)
        self._firsts = [population.first for population in self.populations]
        last = self.populations[-1]
        self.sites = last.first + last.sites
        self.traits: Numbers = numbers(key_of(key, "traits"), self.sites)
        """64 independent bits for each site."""
        self.population_of: NDArray[np.int32] = np.repeat(
            np.arange(len(self.populations), dtype=np.int32),
            [population.sites for population in self.populations],
        )
        self.sizes = _sizes(numbers(key_of(key, "sizes"), self.sites), profile)
        self.is_guide = self._are("guide")
        is_hub = self._are("hub") | self._are("directory") | self.is_guide
        self.sizes[is_hub] = np.minimum(self.sizes[is_hub] // 8 + 3, 40)
        is_directory = self._are("directory")
        self.sizes[is_directory] = np.minimum(self.sizes[is_directory], _LARGEST_DIRECTORY)
        self.single: NDArray[np.bool_] = (
            (self.traits >> np.uint64(16) & np.uint64(0xFFFF)).astype(np.int64) * 1000 >> 16
        ) < profile.single_page
        self.single &= ~is_hub
        """Sites of one page."""
        self.sizes[self.single] = 1
        # A page for each topic, the home page, the fixed ones; none is left without a number.
        self.sizes[self.is_guide] = FIRST_OF_GUIDE + len(self.topics) + 1
        per_page = [
            max(1, _LINKS_PER_PAGE[population.kind] * profile.outward // 1000)
            for population in self.populations
        ]
        self.links_per_page: NDArray[np.int32] = np.array(per_page, np.int32)[self.population_of]
        tail = (self.traits >> np.uint64(52)).astype(np.int64)
        # Squared, so that short lists are many and long ones few.
        room = np.where(is_directory, _LONGEST_DIRECTORY, _LONGEST_HUB) - _SHORTEST_HUB
        long = _SHORTEST_HUB + tail**2 * room // 4096**2
        self.links_per_page[is_hub] = long[is_hub]
        self.partners: NDArray[np.int32] = (tail % 13 // 6 * (1 + tail % 3)).astype(np.int32)
        """Outward links in the frame of each page: about half of all sites have one to six."""
        slots = np.maximum(self.sizes - 1, 1) * self.links_per_page
        self.targets: NDArray[np.int32] = np.where(
            is_hub | self.single, slots, _FEWEST_TARGETS + slots // _REPEATS
        )
        """Different outward links of a site besides its partners: hubs repeat none of theirs."""
        low = (self.traits & np.uint64(0xFFFF)).astype(np.int64)
        self.dead: NDArray[np.bool_] = low * 1000 >> 16 < profile.traps.dead
        """Sites that never answer."""

    def _are(self, kind: str) -> NDArray[np.bool_]:
        """Which sites are of that kind."""
        kinds = np.array([population.kind == kind for population in self.populations])
        found: NDArray[np.bool_] = kinds[self.population_of]
        return found

    def population(self, site: int) -> Population:
        return self.populations[bisect_right(self._firsts, site) - 1]


def count_sites(profile: Profile) -> int:
    """How many sites a world of the profile has."""
    return sum(population.sites for population in _populations(profile, 0))


def guide_topic(site: T, page: T, topics: int) -> T:
    """Which topic a page of a guide is about: each site begins elsewhere."""
    return (page - FIRST_OF_GUIDE + site) % topics


def _background(profile: Profile, key: int) -> tuple[str, ...]:
    """The background topics that live in a world."""
    every = background_topics()
    if profile.background >= 1000:
        return every
    few = Draw(key_of(key, "topics")).some(every, max(1, len(every) * profile.background // 1000))
    return tuple(topic for topic in every if topic in few)


def background_topics() -> tuple[str, ...]:
    """Every topic the statistics know that is no target domain."""
    return tuple(name for name in topics() if name not in DOMAINS)


def _sizes(drawn: Numbers, profile: Profile) -> NDArray[np.int32]:
    """The high bits choose a step of the distribution, the others a place inside it."""
    row = np.array((*profile.sizes, profile.large_sizes[0]), np.int64)
    steps = (drawn >> np.uint64(58)).astype(np.int64)
    inside = (drawn >> np.uint64(26) & np.uint64(0xFFFF_FFFF)).astype(np.int64)
    sizes = row[steps] + ((row[steps + 1] - row[steps]) * inside >> 32)
    large = np.array(profile.large_sizes, np.int64)
    is_large = steps == len(profile.sizes) - 1
    place = inside[is_large] * (len(large) - 1)
    low, rest = place >> 32, place & 0xFFFF_FFFF
    sizes[is_large] = large[low] + ((large[low + 1] - large[low]) * rest >> 32)
    return np.minimum(sizes, profile.max_size).astype(np.int32)


def _scaled(sites: int, profile: Profile) -> int:
    return max(profile.fewest, sites * profile.scale // 1000)


def _populations(profile: Profile, key: int) -> list[Population]:
    rows: list[Population] = []

    def add(name: str, topic: str, kind: str, sites: int, **more: object) -> None:
        first = rows[-1].first + rows[-1].sites if rows else 0
        scaled = _scaled(sites, profile)
        rows.append(Population(len(rows), name, topic, kind, first, scaled, **more))  # type: ignore[arg-type]

    here = [DOMAINS[name] for name in DOMAINS if name in (profile.targets or DOMAINS)]
    for deep in TOGETHER:
        schemas = tuple(name for name in deep.schemas if DOMAIN_OF[name] in {d.name for d in here})
        if len(schemas) > 1:
            add(deep.name, DOMAIN_OF[schemas[0]], deep.kind, deep.sites * profile.deep // 1000,
                schemas=schemas, host_words=deep.host_words, is_seeded=deep.is_seeded)  # fmt: skip
    for domain in here:
        for deep in domain.deep:
            add(deep.name, domain.name, deep.kind, deep.sites * profile.deep // 1000,
                schemas=deep.schemas,
                host_words=deep.host_words, is_seeded=deep.is_seeded)  # fmt: skip
        for kind, share in SHALLOW_KINDS:
            add(f"{domain.name} {kind}", domain.name, kind, domain.shallow * share // 1000,
                host_words=domain.host_words, is_seeded=kind != "spam")  # fmt: skip
    others = sorted(BACKGROUND_SCHEMAS)
    for place, topic in enumerate(_background(profile, key)):
        for kind, share in _BACKGROUND_KINDS:
            sites = BACKGROUND_SITES * share // 1000
            add(f"{topic} {kind}", topic, kind, sites, host_words=(topic,))
        schema = others[key_of(key, "background", place) % len(others)]
        add(f"{topic} database", topic, "portal", BACKGROUND_SITES * BACKGROUND_DEEP // 1000,
            schemas=(schema,), host_words=(topic,))  # fmt: skip
    if profile.guides:
        first = rows[-1].first + rows[-1].sites
        topic = rows[-1].topic
        words = ("links", "guide", "directory", "portal")
        rows.append(
            Population(len(rows), "guides", topic, "guide", first, profile.guides, host_words=words)
        )
    return rows
