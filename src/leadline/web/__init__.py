"""Fetching: the only sockets to sites, with robots.txt, politeness and the address guard."""

from typing import TYPE_CHECKING

from leadline.web.settings import PolitenessSettings, RobotsSettings, WebSettings

if TYPE_CHECKING:
    from leadline.web.fetcher import HttpFetcher, open_fetcher

__all__ = [
    "HttpFetcher",
    "PolitenessSettings",
    "RobotsSettings",
    "WebSettings",
    "open_fetcher",
]


def __getattr__(name: str) -> object:
    # aiohttp takes a quarter of a second to import; reading settings must not wait for it.
    if name not in ("HttpFetcher", "open_fetcher"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from leadline.web import fetcher

    return getattr(fetcher, name)
