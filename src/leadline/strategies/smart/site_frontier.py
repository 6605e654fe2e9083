"""Sites that wait to be entered, how pages lead to them, and reverse search (Alg. 1).

The frontier of the crawl says which site is next. `SiteFrontier` remembers what it takes to rank
the waiting sites again, and how many there are.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import xxhash
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import BacklinkQuery, PageView, Priority
from leadline.core.page import Page
from leadline.core.ports import Scores
from leadline.core.url import Site, Url, origin_of, site_of
from leadline.page.words import word_id

HIGH, LOW = 1, 2
"""Tiers of the two queues; seeds and center pages come before them."""
MOST_SITES = 50_000
"""Remembered a queue, some 200 bytes each. Further ones wait as well, but keep their first rank."""
MOST_SOURCES = 50
"""Sites counted that link to a site: log(1 + SF) hardly grows beyond."""
_SETTLED = 200
"""Pages after which a site that should have been visited before another is taken to be gone:
more than are under way at the same time."""
_SWEEP = 20
"""Sites looked through for each page seen, when those that are gone are taken out."""
_TOLERANCE = 1e-5
"""Between a score and the same score as float32."""
MOST_KNOWN = 20_000
"""Deep and seed sites remembered."""
PAUSE_PAGES = 20
"""Between two questions: the pages one answer may bring, so that these are seen first."""


@lru_cache(maxsize=100_000)
def site_key(site: Site) -> int:
    """31 bits that stand for a site in features and sets; never 0."""
    return word_id(site)


class WaitingSite(Struct):
    """A site that was not entered yet."""

    site: Site
    score: float
    """In force, as long as its queue is."""
    entered: int
    """Pages seen before it was met."""
    words: bytes
    """Cells of anchor and surroundings of the link it was met by."""
    sources: list[int]
    """Sites that link to it."""


class SiteFrontier(Struct):
    """The two queues, by site key. A site stands in at most one of them.

    Whether a visit to a site failed is not told, so sites that should have come before one
    that was visited are taken out from time to time.
    """

    high: dict[int, WaitingSite] = {}
    low: dict[int, WaitingSite] = {}
    swept: int = 0
    """Pages seen at the last sweep."""

    def __len__(self) -> int:
        return len(self.high) + len(self.low)

    def __contains__(self, key: int) -> bool:
        return key in self.high or key in self.low

    def queue(self, tier: int) -> dict[int, WaitingSite]:
        return self.high if tier == HIGH else self.low

    def get(self, key: int) -> WaitingSite | None:
        return self.high.get(key) or self.low.get(key)

    def enter(self, key: int, tier: int, waiting: WaitingSite) -> None:
        """Let a new site wait."""
        if len(self.queue(tier)) < MOST_SITES:
            self.queue(tier)[key] = waiting

    def link(self, key: int, source: int) -> None:
        """Count another site that links to one."""
        waiting = self.get(key)
        if waiting and source not in waiting.sources and len(waiting.sources) < MOST_SOURCES:
            waiting.sources.append(source)

    def leave(self, key: int, priority: Priority, pages: int) -> None:
        """Take out a site that was visited, and now and then those that should have come first."""
        waiting = self.high.pop(key, None) or self.low.pop(key, None)
        is_due = (pages - self.swept) * _SWEEP >= len(self)
        if waiting is None or priority.tier not in (HIGH, LOW) or not is_due:
            return
        self.swept = pages
        last = min(waiting.entered, pages - _SETTLED)
        if priority.tier == LOW:
            self.high = {k: w for k, w in self.high.items() if w.entered > pages - _SETTLED}
        queue = self.queue(priority.tier)
        for gone in [k for k, w in queue.items() if _was_before(w, priority.score, last, pages)]:
            del queue[gone]

    def move_up(self) -> None:
        """All of low becomes high (Alg. 2, lines 4-7)."""
        self.high.update(self.low)
        self.low = {}

    def promote(self, deep: Collection[int]) -> None:
        """What a site links to that turned out to have forms belongs into the high queue."""
        risen = [
            key
            for key, waiting in self.low.items()
            if any(source in deep for source in waiting.sources)
        ]
        for key in risen:
            self.high[key] = self.low.pop(key)

    def all_sites(self) -> Iterator[WaitingSite]:
        yield from self.high.values()
        yield from self.low.values()

    def make_site_ranks(self) -> "SiteRanks":
        """Where every site stands, for `rescore`."""
        keys = np.array([*self.high, *self.low], np.int32)
        tiers = np.repeat(np.array([HIGH, LOW], np.int32), [len(self.high), len(self.low)])
        scores = np.array([waiting.score for waiting in self.all_sites()], np.float32)
        order = np.argsort(keys, kind="stable")
        return SiteRanks(keys[order], tiers[order], scores[order])


class SiteRanks(Struct, frozen=True, eq=False):
    """Keys in rising order, with tiers and scores."""

    keys: NDArray[np.int32]
    tiers: NDArray[np.int32]
    scores: Scores

    def apply(self, tiers: NDArray[np.int32], scores: Scores, keys: NDArray[np.int32]) -> None:
        """Give every row whose key is known its tier and score."""
        if not len(self.keys):
            return
        places = self.keys.searchsorted(keys)
        places[places == len(self.keys)] = 0
        is_known = self.keys[places] == keys
        tiers[is_known] = self.tiers[places[is_known]]
        scores[is_known] = self.scores[places[is_known]]


def _was_before(waiting: WaitingSite, score: float, entered: int, pages: int) -> bool:
    """Whether a site came before one of that score that was entered then."""
    if waiting.entered > pages - _SETTLED:
        return False
    if abs(waiting.score - score) <= _TOLERANCE:
        return waiting.entered < entered
    return waiting.score > score


class SiteEntry(NamedTuple):
    """How a site is entered from a page."""

    key: int
    site: Site
    home: Url
    number: int
    """Of the link on the page that makes it known."""
    is_home: bool
    """Whether that link leads to the home page itself."""


def find_site_entries(view: PageView) -> list[SiteEntry]:
    """One for each other site, in order of its first link; a link to its home page is preferred."""
    here = site_of(view.page.url)
    found: dict[Site, SiteEntry] = {}
    for number, (link, site) in enumerate(zip(view.links, view.sites, strict=True)):
        if site == here or (site in found and found[site].is_home):
            continue
        home = home_of(link.target)
        is_home = home == link.target
        if site not in found or is_home:
            found[site] = SiteEntry(site_key(site), site, home, number, is_home)
    return list(found.values())


def link_site_keys(view: PageView) -> Sequence[int]:
    """The key of each link's site; 0 for links that stay."""
    here = site_of(view.page.url)
    return [0 if site == here else site_key(site) for site in view.sites]


def other_sites(page: Page) -> list[int]:
    """The keys of all sites a page links to, known links too, but for its own."""
    # Every link of every page passes here, and most stay: `site_of`, written out, for the others.
    here = origin_of(page.url) + "/"
    away = [to for link in page.links if not (to := link.target).startswith(here)]
    sites = dict.fromkeys([target.split("/", 3)[2] for target in away])
    sites.pop(site_of(page.url), None)
    return [site_key(Site(site)) for site in sites]


def home_of(url: Url) -> Url:
    """The home page of a URL's site."""
    return Url(origin_of(url) + "/")


class ReverseSearch(Struct):
    """The sites that can be asked about, and what came of asking."""

    known: dict[int, Url] = {}
    """Home pages of deep and seed sites."""
    asked: dict[int, int] = {}
    """Sites asked about, and how many pages had been seen with the one that raised it."""
    next_at: int = 0
    """Pages seen before the next question."""
    found: int = 0
    """Pages that answers named."""
    centers: int = 0
    """Center pages among them."""
    sites: int = 0
    """Sites that these brought into the frontier."""

    def describe(self) -> dict[str, int]:
        """For people: the paper's Table 4."""
        return {
            "asked": len(self.asked),
            "pages": self.found,
            "center pages": self.centers,
            "sites": self.sites,
        }

    def add_known(self, url: Url) -> None:
        """Remember the site of a URL as deep, or as a seed."""
        if len(self.known) < MOST_KNOWN:
            self.known.setdefault(site_key(site_of(url)), home_of(url))

    def next_query(self, pages: int, also: Url | None) -> BacklinkQuery | None:
        """About a site not asked about yet; None when none is left or it is too early.

        Chosen as if by chance, but the same each time; `also` is a seed not yet remembered.
        """
        if pages < self.next_at:
            return None
        homes = {*self.known.values(), *([home_of(also)] if also else [])}
        left = [home for home in homes if site_key(site_of(home)) not in self.asked]
        if not left:
            return None
        return BacklinkQuery(min(left, key=_lot), "who links to a known deep site", pages)

    def note_query(self, question: BacklinkQuery) -> None:
        """Note that it was asked; once, though several may tell of it."""
        key = site_key(site_of(question.url))
        if key not in self.asked:
            self.asked[key] = question.pages + 1
            self.next_at = question.pages + 1 + PAUSE_PAGES

    def links_to_known(self, page: Page) -> int:
        """Known deep or seed sites, other than its own, that a page links to."""
        return sum(key in self.known for key in other_sites(page))


def _lot(url: Url) -> tuple[int, Url]:
    return xxhash.xxh3_64_intdigest(url.encode()), url
