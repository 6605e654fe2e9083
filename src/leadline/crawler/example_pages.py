"""Pages to learn a topic from, fetched politely."""

import asyncio
from collections.abc import Callable, Sequence

from leadline.config import Config
from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url, canonical, host_of, registered_domain, site_of
from leadline.crawler.network import add_trials
from leadline.errors import ConfigError, FetchError
from leadline.page import parse_page
from leadline.topics.teaching import PageExample
from leadline.web import open_fetcher

_OK = 200


async def fetch_examples(
    texts: Sequence[str], config: Config, on_lost: Callable[[str], None], *, is_about: bool = True
) -> list[PageExample]:
    """The pages that can be had; `on_lost` is told of each that cannot, and why.

    Raises ConfigError for a text that is no URL.
    """
    urls = [_read_url(text, config) for text in texts]
    fetcher = add_trials(config, open_fetcher(config.web, config.robots, config.politeness))
    try:
        pages = await asyncio.gather(*(_fetch_one(url, fetcher, on_lost) for url in urls))
    finally:
        await fetcher.close()
    return [PageExample(page, find_owner(page.url), is_about) for page in pages if page is not None]


def _read_url(text: str, config: Config) -> Url:
    url = canonical(text, rules=config.urls.rules)
    if url is None:
        raise ConfigError(f"page {text!r} is not an http(s) URL; write https://host/path")
    return url


def find_owner(url: Url) -> str:
    """Whose page it is: pages of one owner say together what one page says."""
    return registered_domain(host_of(site_of(url)))


async def _fetch_one(url: Url, fetcher: Fetcher, on_lost: Callable[[str], None]) -> Page | None:
    try:
        response = await fetcher.fetch(Request(url, is_meant=True))
    except FetchError as error:
        on_lost(f"left out: {error}")
        return None
    if response.status != _OK:
        on_lost(f"left out: the site answers {response.status}: {url}")
        return None
    return parse_page(response.body, response.url, response.header("content-type"))
