"""Exploring a site: what was found at each depth, and when it is enough (SC1 to SC5)."""

import re

import xxhash
from msgspec import Struct, structs

from leadline.core.crawl import SiteState
from leadline.core.url import Url
from leadline.strategies.smart.settings import SmartCrawlerSettings

MOST_OPEN = 2_000
"""Sites whose counters are kept: far more than are visited at the same time."""
MOST_PATTERNS = 1_000
"""Kinds of queries counted on one site."""
_values = re.compile("=[^&]*")


class Exploration(Struct, frozen=True):
    """What came of the pages of a site, by depth; the home page has depth 0."""

    pages: tuple[int, ...] = ()
    forms: tuple[int, ...] = ()
    """Distinct relevant forms first seen there."""
    barren: tuple[int, ...] = ()
    """Pages that brought none."""
    anchor: str = ""
    around: str = ""
    """Of the link by which the site was entered."""
    queries: dict[int, int] = {}
    """Links taken so far, by path and names of their query."""

    def after(self, depth: int, forms: int) -> "Exploration":
        """With one more page."""
        return structs.replace(
            self,
            pages=_raise_at(self.pages, depth, 1),
            forms=_raise_at(self.forms, depth, forms),
            barren=_raise_at(self.barren, depth, int(forms == 0)),
        )

    def with_queries(self, taken: dict[int, int]) -> "Exploration":
        """With more links counted."""
        if not taken:
            return self
        queries = {**self.queries}
        for pattern, count in taken.items():
            if pattern in queries or len(queries) < MOST_PATTERNS:
                queries[pattern] = queries.get(pattern, 0) + count
        return structs.replace(self, queries=queries)


def guess_exploration(site: SiteState) -> Exploration:
    """As much as can be told of a site whose counters were lost: all on its first level."""
    barren = max(0, site.pages - site.forms)
    return Exploration((site.pages,), (site.forms,), (barren,))


def why_leave_site(found: Exploration, limits: SmartCrawlerSettings) -> str:
    """The reason to leave the site, or ''."""
    barren, pages = sum(found.barren), sum(found.pages)
    if barren >= limits.barren_pages:
        return f"{barren} pages brought no new form (SC5)"
    if pages >= limits.site_pages:
        return f"{pages} pages visited"
    return ""


def why_leave_depth(found: Exploration, depth: int, limits: SmartCrawlerSettings) -> str:
    """The reason to visit no more pages of that depth, or ''."""
    pages, forms, barren = (_at(row, depth) for row in (found.pages, found.forms, found.barren))
    if pages >= limits.pages_per_depth:
        return f"{pages} pages visited at depth {depth} (SC2)"
    if forms >= limits.forms_per_depth:
        return f"{forms} forms found at depth {depth} (SC3)"
    if barren >= limits.barren_per_depth:
        return f"{barren} pages without a new form at depth {depth} (SC4)"
    return ""


def query_pattern(url: Url, *, by_path: bool) -> int:
    """The same for URLs that differ in the values of their query only."""
    path, _, query = url.partition("?")
    names = "" if by_path else _values.sub("", query)
    return xxhash.xxh3_64_intdigest(f"{path}?{names}".encode()) >> 1


def _at(row: tuple[int, ...], depth: int) -> int:
    return row[depth] if depth < len(row) else 0


def _raise_at(row: tuple[int, ...], depth: int, by: int) -> tuple[int, ...]:
    longer = row + (0,) * (depth + 1 - len(row))
    return (*longer[:depth], longer[depth] + by, *longer[depth + 1 :])
