"""Runs a Scrapy spider with the settings an expert picks for speed.

Asyncio reactor on uvloop; no logs above errors, no telnet console, no cookies, no
statistics dump; retries stay on, as a crawl of the Web needs them; robots.txt is
obeyed. One request at a time per host, as leadline does, and no delay. There are
64 hosts, so the 32 places are always taken.
"""

import gc
from collections.abc import AsyncIterator, Iterator
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.exceptions import CloseSpider

from bench.peers.meter import CONCURRENCY, Meter, Task

SETTINGS: dict[str, Any] = {
    "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
    "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    "LOG_LEVEL": "ERROR",
    "LOGSTATS_INTERVAL": 0,
    "STATS_DUMP": False,
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "ROBOTSTXT_OBEY": True,
    "USER_AGENT": "bench",
    "CONCURRENT_ITEMS": 4,
    "AUTOTHROTTLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "CONCURRENT_REQUESTS": CONCURRENCY,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
}

_AIOHTTP: dict[str, Any] = {
    "TWISTED_REACTOR_ENABLED": False,
    "DOWNLOAD_HANDLERS": {
        "http": "scrapy.core.downloader.handlers._aiohttp.AiohttpDownloadHandler"
    },
}
"""Scrapy's experimental aiohttp download handler, on plain asyncio without Twisted's reactor."""


def handler_settings(name: str) -> dict[str, Any]:
    """Settings for `twisted`, Scrapy's own HTTP client, or `aiohttp`."""
    return _AIOHTTP if name == "aiohttp" else {}


LEAN: dict[str, Any] = {
    "DOWNLOADER_MIDDLEWARES": {
        f"scrapy.downloadermiddlewares.{name}": None
        for name in (
            *("httpauth.HttpAuthMiddleware", "downloadtimeout.DownloadTimeoutMiddleware"),
            *("redirect.MetaRefreshMiddleware", "httpproxy.HttpProxyMiddleware"),
            *("offsite.OffsiteMiddleware", "stats.DownloaderStats"),
        )
    },
    "SPIDER_MIDDLEWARES": {
        f"scrapy.spidermiddlewares.{name}": None
        for name in (
            *("referer.RefererMiddleware", "urllength.UrlLengthMiddleware"),
            "depth.DepthMiddleware",
        )
    },
}
"""Without the middlewares that a crawl of plain pages can do without."""


class MeteredSpider(scrapy.Spider):
    """A spider that counts its pages into a meter and stops when it has enough.

    Subclasses parse in `follow`. Pages under way at the end are parsed and counted too.
    """

    name = "bench"

    def __init__(self, meter: Meter, task: Task, **more: Any) -> None:
        super().__init__(**more)
        self.meter = meter
        self.enough = task.pages
        self.start_urls = task.seeds

    async def start(self) -> AsyncIterator[Any]:
        # Scrapy imports its components when a crawl is made: that is not crawling.
        self.meter.restart()
        async for request in super().start():
            yield request

    def parse(self, response: scrapy.http.Response, **_: Any) -> Iterator[scrapy.Request]:
        self.meter.pages += 1
        for request in self.follow(response):
            self.meter.enqueued += 1
            yield request
        if self.meter.pages >= self.enough:
            raise CloseSpider("enough")

    def follow(self, response: scrapy.http.Response) -> Iterator[scrapy.Request]:
        raise NotImplementedError


def lean_settings(is_lean: bool) -> dict[str, Any]:
    """Of a lean Scrapy, which also collects garbage as seldom as leadline; else none."""
    if not is_lean:
        return {}
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    return LEAN


def run(spider: type[MeteredSpider], task: Task, settings: dict[str, Any], **more: Any) -> Meter:
    """Crawl and return the meter, still to be reported; `more` goes to the spider."""
    process = AsyncCrawlerProcess(SETTINGS | settings)
    meter = Meter()
    process.crawl(spider, meter=meter, task=task, **more)
    process.start()
    return meter
