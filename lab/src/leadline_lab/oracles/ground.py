"""One site as a crawl stands: what was fetched, what is linked from there, and the way on."""

from collections.abc import Iterator
from functools import cached_property

from msgspec import Struct

from leadline.core.http import Request
from leadline.core.url import Url, canonical
from leadline.web.robots import RobotsRules
from leadline_lab.oracles.wanted import Wanted
from leadline_lab.sites.estate import Estate
from leadline_lab.world import World

_AGENT = "leadline"
PAGER = 4
"""How many lists further the pager of a list reaches."""


class Bundle(Struct, frozen=True):
    """Pages of a site to fetch in this order, and the forms they bring."""

    forms: int
    pages: tuple[int, ...]

    @property
    def ratio(self) -> float:
        return self.forms / len(self.pages) if self.pages else 0.0


NOTHING = Bundle(0, ())


class Ground:
    """States of a page: unknown, linked, fetched. Pages that fail or are forbidden are no way."""

    def __init__(self, world: World, estate: Estate) -> None:
        self._world = world
        self._estate = estate
        self._plan = estate.plan
        self.fetched: set[int] = set()
        self.linked: set[int] = set()
        """Linked from fetched pages of other sites; those of the own site need no list."""
        self._is_checked = not estate.plan.traps.isdisjoint({"failing", "robots", "dead"})
        self._open: dict[int, bool] = {}

    def url(self, page: int) -> Url:
        """As a parser makes it of a link."""
        path = self._estate.paths.page(self._plan.place(page))
        return canonical(self._estate.root + path) or Url(self._estate.root)

    @cached_property
    def _robots(self) -> RobotsRules:
        reply = self._world.answer(Request(Url(f"{self._estate.root}/robots.txt")))
        return RobotsRules(reply.body, _AGENT, 0.0)

    def is_open(self, page: int) -> bool:
        """Whether the page can be had under its own URL: a site that puts sessions into its
        links shows its pages so only to those who come from elsewhere."""
        if "sessions" in self._plan.traps and page not in self.linked:
            return False
        if not self._is_checked:
            return True
        if page not in self._open:
            url = self.url(page)
            self._open[page] = self._world.answer(
                Request(url)
            ).status == 200 and self._robots.allow(url)
        return self._open[page]

    @cached_property
    def _parents(self) -> dict[int, int]:
        return {page: base for base, pages in self._plan.attached.items() for page in pages}

    def _before(self, page: int) -> int | None:
        """The page of the site that leads to a page; None where all of them do."""
        plan = self._plan
        if page < plan.first_special or page in plan.in_menu:
            return None
        if page < plan.first_list:
            return self._parents[page]
        place = plan.place(page)
        if place.role == "item":
            return plan.list_page(place.section, place.index // plan.per_list)
        if not place.index:
            return None if self._estate.has_menu else 0
        return plan.list_page(place.section, max(0, place.index - PAGER))

    def way(self, page: int, fetched: set[int]) -> list[int]:
        """What to fetch in which order to have the page too; [] when there is no way."""
        if page >= self._plan.pages:
            return []
        chain: list[int] = []
        at: int | None = page
        while at is not None and at not in fetched:
            chain.append(at)
            if at in self.linked:
                break
            at = self._before(at)
        if at is None and not fetched:
            door = self.door
            if door is None:
                return []
            if door not in chain:
                chain.append(door)
        chain.reverse()
        return chain if all(map(self.is_open, chain)) else []

    @property
    def door(self) -> int | None:
        """A linked page to enter by: the lowest number, which is the home page's. None without."""
        return min(filter(self.is_open, self.linked), default=None)

    def bundle(self, wanted: Wanted) -> Bundle:
        """The pages with the most forms a page: the form nearest at hand first, then as many
        more as raise the share."""
        best, pages, forms = NOTHING, list[int](), 0
        for way, gain in self._steps(wanted):
            pages += way
            forms += gain
            if forms > best.ratio * len(pages):
                best = Bundle(forms, tuple(pages))
        return best

    def _steps(self, wanted: Wanted) -> Iterator[tuple[list[int], int]]:
        fetched = set(self.fetched)
        left = {page: forms for page, forms in wanted.at.items() if page not in fetched}
        if wanted.everywhere and not fetched:
            left.setdefault(0, 0)
        while left:
            ways = [way for page in left if (way := self.way(page, fetched))]
            if not ways:
                return
            extra = 0 if fetched else wanted.everywhere
            gains = [extra + sum(left.get(page, 0) for page in way) for way in ways]
            best = max(range(len(ways)), key=lambda n: (gains[n] / len(ways[n]), -len(ways[n]), -n))
            fetched.update(ways[best])
            for page in ways[best]:
                left.pop(page, None)
            if gains[best]:
                yield ways[best], gains[best]
            else:
                return
