"""The same stopping criteria for every strategy, so that what else they do can be compared."""

from typing import Any, cast

from leadline.core.crawl import PageView, Priority, SiteState, Skip
from leadline.core.ports import Strategy
from leadline.strategies.baseline import BaselineSC, BaselineSCSettings

OWN_OFF: dict[str, dict[str, int]] = {
    name: {
        "max_depth": 100,
        "pages_per_depth": 100_000,
        "forms_per_depth": 100_000,
        "barren_per_depth": 100_000,
        "barren_pages": 100_000,
        "site_pages": 100,
    }
    for name in ("scdi", "sitewise", "smartcrawler")
}
"""What switches a strategy's own criteria off. `site_pages` is also how many links the link tree
shares out, so it is that of the common criteria."""


class CommonStops:
    """A strategy that leaves a site by FFC's criteria, whatever else it does: enough distinct
    forms, or enough pages."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._common = BaselineSC(BaselineSCSettings())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._strategy, name)

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:
        verdict = self._strategy.rank_site(site, view)
        return self._common.rank_site(site, view) or verdict


def with_common_stops(strategy: Strategy) -> Strategy:
    """The strategy with FFC's criteria added; its own are to be off (`OWN_OFF`)."""
    return cast(Strategy, CommonStops(strategy))
