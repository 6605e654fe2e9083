"""Fetchers by name. Ours is `http`; one of your own is made with it, and may fetch through it."""

from collections.abc import Mapping

from pydantic import BaseModel

from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site
from leadline.plugins import Part, Registry, make_part, part_reader


class BaseFetcher:
    """Build a fetcher of your own on this: it fetches through the HTTP fetcher, which obeys
    robots.txt and the pauses of sites. Replace `fetch`, and do before or after it what you want."""

    name = ""

    def __init__(self, settings: BaseModel, http: Fetcher) -> None:
        """`settings` are of the class's own `Settings`."""
        self.settings = settings
        self.http = http

    async def fetch(self, request: Request) -> Response:
        return await self.http.fetch(request)

    def ready_at(self, site: Site) -> float:
        return self.http.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self.http.delay_of(site)

    async def close(self) -> None:
        await self.http.close()


def _use_http(_settings: BaseModel, http: Fetcher) -> Fetcher:
    """Fetches over HTTP."""
    return http


FETCHERS: Registry[Part] = Registry(
    "fetcher",
    "leadline.fetchers",
    {"http": Part(_use_http)},
    part_reader(Fetcher, "build it on leadline.web.fetchers.BaseFetcher"),
)
"""All of them by name, those of other distributions too."""


def choose_fetcher(name: str, own: Mapping[str, object], http: Fetcher) -> Fetcher:
    """The fetcher of that name, made with its own settings and with the HTTP fetcher, which obeys
    robots.txt and the pauses of sites: what fetches through that one obeys them too."""
    fetcher: Fetcher = make_part(FETCHERS, name, own, http)
    return fetcher
