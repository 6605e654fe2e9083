"""Opens the provider that the settings name."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from leadline.backlinks.host_graph import HostGraph
from leadline.backlinks.host_links import HostLinks
from leadline.backlinks.own import Linked, OwnLinks
from leadline.backlinks.searxng import SearxngLinks
from leadline.backlinks.service import ServiceLinks
from leadline.backlinks.settings import BackLinkSettings
from leadline.core.ports import Backlinks, Fetcher
from leadline.store import open_store


@contextmanager
def open_backlinks(
    settings: BackLinkSettings, store: Linked, fetcher: Fetcher
) -> Iterator[Backlinks | None]:
    """The provider; None for none. `store` and `fetcher` are the crawl's own, and stay open.

    Raises ConfigError or StoreError when its file cannot be read.
    """
    if settings.provider == "own" and settings.file:
        other = open_store(settings.file, read_only=True)
        try:
            yield OwnLinks([store, other])
        finally:
            other.close()
    else:
        yield _provider(settings, store, fetcher)


def _provider(settings: BackLinkSettings, store: Linked, fetcher: Fetcher) -> Backlinks | None:
    match settings.provider:
        case "own":
            return OwnLinks([store])
        case "searxng":
            asked = settings.address, settings.queries
            return SearxngLinks(fetcher, *asked, is_post=settings.post)
        case "service":
            return ServiceLinks(fetcher, settings.address)
        case "commoncrawl":
            return HostLinks(HostGraph(Path(settings.file)))
        case "none":
            return None
