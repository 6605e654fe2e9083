"""Reverse searching (Alg. 1): whom to ask about, and which pages found are center pages."""

import xxhash
from msgspec import Struct

from leadline.core.crawl import BacklinkQuery
from leadline.core.page import Page
from leadline.core.url import Url, site_of
from leadline.strategies.smart.outside import home_of, other_sites
from leadline.strategies.smart.site_frontier import site_key

MOST_KNOWN = 20_000
"""Deep and seed sites remembered."""
PAUSE_PAGES = 20
"""Between two questions: the pages one answer may bring, so that these are seen first."""


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
