"""What a crawl is put together from, and how it is run."""

from msgspec import Struct

from leadline.core.crawl import Budget
from leadline.core.ports import BackLinks, Fetcher, Store, Strategy
from leadline.core.url import DEFAULT_RULES, UrlRules
from leadline.engine.expand import LinkRules
from leadline.engine.harvest.handover import Handover, NoHandover
from leadline.engine.reading import Reader
from leadline.engine.scope import Scope


class Parts(Struct, frozen=True):
    """What a crawl is put together from."""

    store: Store
    fetcher: Fetcher
    reader: Reader
    strategy: Strategy
    backlinks: BackLinks | None = None
    """Whom to ask who links to a page; without one no question is asked."""
    handover: Handover = NoHandover()
    """Takes over the forms found."""
    then: Strategy | None = None
    """Goes on when the first strategy has nothing left to follow; None: the crawl ends."""
    scope: Scope | None = None
    """Where sites are excluded while it runs; without it none can be."""


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
