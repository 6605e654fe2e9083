"""Starting points from the sitemaps that seed sites publish, where the user asks for them."""

from collections.abc import Iterable

from leadline.core.http import Request
from leadline.core.url import Url, canonical, origin_of
from leadline.errors import FetchError
from leadline.web.fetcher import HttpFetcher
from leadline.web.sitemaps import is_sitemap_index, read_sitemap

_MAX_FILES = 50
"""Sitemaps read per origin: an index may list thousands."""


async def sitemap_urls(fetcher: HttpFetcher, seeds: Iterable[Url], limit: int) -> list[Url]:
    """Up to `limit` URLs per seed origin. Sitemaps that cannot be had are passed over."""
    found: list[Url] = []
    for origin in dict.fromkeys(origin_of(url) for url in seeds):
        found += await _of_origin(fetcher, origin, limit)
    return found


async def _of_origin(fetcher: HttpFetcher, origin: str, limit: int) -> list[Url]:
    waiting = await _listed(fetcher, origin)
    urls: dict[Url, None] = {}
    for _ in range(_MAX_FILES):
        if not waiting or len(urls) >= limit:
            break
        body = await _body(fetcher, waiting.pop(0))
        if is_sitemap_index(body):
            waiting += read_sitemap(body)
        else:
            urls |= dict.fromkeys(url for url in read_sitemap(body) if origin_of(url) == origin)
    return list(urls)[:limit]


async def _listed(fetcher: HttpFetcher, origin: str) -> list[Url]:
    try:
        named = [canonical(text, origin + "/") for text in await fetcher.robots.sitemaps(origin)]
    except FetchError:
        return []
    usual = canonical("/sitemap.xml", origin + "/")
    return [url for url in named or [usual] if url is not None]


async def _body(fetcher: HttpFetcher, url: Url) -> bytes:
    try:
        response = await fetcher.fetch(Request(url))
    except FetchError:
        return b""
    return response.body if response.status == 200 else b""
