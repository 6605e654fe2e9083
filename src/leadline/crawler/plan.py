"""What a crawl is put together from, and how it is run."""

import math

from msgspec import Struct

from leadline.core.crawl import Budget
from leadline.core.ports import Backlinks, Fetcher, Store, Strategy
from leadline.core.url import DEFAULT_RULES, UrlRules
from leadline.crawler.expand import LinkRules
from leadline.crawler.harvests.handover import Handover, NoHandover
from leadline.crawler.reading import Reader
from leadline.crawler.scope import Scope


class Parts(Struct, frozen=True):
    """What a crawl is put together from."""

    store: Store
    fetcher: Fetcher
    reader: Reader
    strategy: Strategy
    backlinks: Backlinks | None = None
    """Whom to ask who links to a page; without one no question is asked."""
    handover: Handover = NoHandover()
    """Takes over the forms found."""
    then: Strategy | None = None
    """Goes on when the first strategy has nothing left to follow; None: the crawl ends."""
    scope: Scope | None = None
    """Where sites are excluded while it runs; without it none can be."""
    opened_at: float = math.inf
    """Wall-clock second before the store was opened: pauses and stops that were ordered earlier
    were meant for an earlier run."""


class Plan(Struct, frozen=True):
    """How a crawl is run; may be replaced while it runs."""

    goal: str
    budget: Budget
    rules: LinkRules
    width: int = 64
    max_pages_per_site: int = 5_000
    give_up_after: int = 8
    busy_tries: int = 5
    checkpoint_pages: int = 1_000
    most_found: int = 20
    """Pages taken from one answer to who links to a page."""
    url_rules: UrlRules = DEFAULT_RULES
    sample_visits: int = 100
    """Visits between two samples of what waits."""
