"""A world as a crawler meets it: pages fetched and parsed, chosen by chance."""

from functools import cached_property

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.url import Url
from leadline.page import parse_page
from leadline_lab.draw import Draw, key_of
from leadline_lab.sites.plan import Plan
from leadline_lab.truth import Truth
from leadline_lab.world import World

_MOST_EXTRA = 80
"""Pages of a site beyond 5/4 of its size: fixed, special and first list pages."""


class Effort(Struct, frozen=True):
    """How much is looked at in one world."""

    pages: int = 1_800
    """Pages, each as likely as any other."""
    framed: int = 450
    """Of them, those whose links are told apart into template and content."""
    sites: int = 260
    """Sites, each as likely as any other, a dozen pages of each read."""
    plans: int = 7_000
    """Sites whose truth is looked up."""
    edges: int = 900_000
    """Links between sites."""
    deep_step: int = 1
    """Of the sites with databases, one in so many is counted."""
    walked: int = 60
    """Sites with databases that are crawled from the home page on."""
    walked_pages: int = 300
    """Of one such site at most."""
    anchors: int = 900
    proofs: int = 4
    """Sites on which each trap is tried."""
    questions: int = 60
    """To each service."""
    language_sites: int = 14
    """Sites of each class whose pages are classified; 0 to leave this out."""
    language_pages: int = 26
    """Of one site."""
    has_room: bool = True
    """Whether what can be reached is worked out."""


class Findings(Struct, frozen=True):
    """What one part of the report measured: numbers, and rows of numbers for figures."""

    figures: dict[str, float] = {}
    series: dict[str, list[float]] = {}


class Seen(Struct, frozen=True):
    """A page that was read."""

    site: int
    number: int
    page: Page


class View:
    """A world to be looked at. The same world, the same sample."""

    def __init__(self, world: World, effort: Effort) -> None:
        self.world = world
        self.truth = Truth(world)
        self.effort = effort
        room = world.census.sizes.astype(np.int64) * 5 // 4 + _MOST_EXTRA
        self._room = room
        self._ends: NDArray[np.int64] = np.cumsum(room)

    def draw(self, name: str) -> Draw:
        return Draw(key_of(self.world.key, "calibration", name))

    def plan(self, site: int) -> Plan:
        return self.world.estate(site).plan

    @cached_property
    def plans(self) -> list[Plan]:
        """Of a sample of sites, each as likely as any other."""
        return [self.plan(site) for site in self.sites(self.effort.plans, "plans")]

    def url(self, site: int, number: int) -> Url:
        estate = self.world.estate(site)
        return Url(estate.root + estate.paths.page(estate.plan.place(number)))

    def fetch(self, url: Url) -> Page | None:
        """None for whatever is no page: errors, redirects, silence."""
        reply = self.world.answer(Request(url))
        if reply.fault or reply.status != 200:
            return None
        return parse_page(reply.body, url, reply.header("content-type"))

    def read(self, site: int, number: int) -> Seen | None:
        page = self.fetch(self.url(site, number))
        return Seen(site, number, page) if page else None

    def any_site(self, draw: Draw) -> int:
        return draw.below(self.world.census.sites)

    def any_page(self, draw: Draw) -> tuple[int, int]:
        """A site and a number of a page of it, every page of the world as likely as any other."""
        while True:
            # A place on a line on which each site owns more room than it has pages.
            place = draw.below(int(self._ends[-1]))
            site = int(np.searchsorted(self._ends, place, "right"))
            number = place - int(self._ends[site]) + int(self._room[site])
            if number < self.plan(site).pages:
                return site, number

    def pages(self, n: int, name: str) -> list[Seen]:
        """`n` pages that answer."""
        draw = self.draw(name)
        found: list[Seen] = []
        while len(found) < n:
            seen = self.read(*self.any_page(draw))
            if seen:
                found.append(seen)
        return found

    def others(self, seen: Seen, n: int, draw: Draw) -> list[Seen]:
        """Up to `n` further pages of the same site."""
        numbers = {draw.below(self.plan(seen.site).pages) for _ in range(n)} - {seen.number}
        read = (self.read(seen.site, number) for number in sorted(numbers))
        return [other for other in read if other]

    def sites(self, n: int, name: str, *, without: frozenset[str] = frozenset()) -> list[int]:
        """`n` sites that have none of these traps."""
        draw = self.draw(name)
        found: list[int] = []
        while len(found) < n:
            site = self.any_site(draw)
            if without.isdisjoint(self.plan(site).traps):
                found.append(site)
        return found


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def mean(values: list[float] | list[int]) -> float:
    return share(sum(values), len(values))


def quantile(values: list[int] | list[float], at: float) -> float:
    """0 for no values."""
    row = sorted(values)
    return float(row[round(at * (len(row) - 1))]) if row else 0.0
