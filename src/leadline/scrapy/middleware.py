"""The spider middleware: shows each page to the strategy, and gives its requests their rank."""

import logging
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from msgspec import structs
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.statscollectors import StatsCollector

from leadline.core.crawl import Candidate, Priority
from leadline.scrapy.items import FoundForm, found_form
from leadline.scrapy.pilot import Answer, Outlook, Ranked
from leadline.scrapy.settings import open_pilot, read_options

logger = logging.getLogger(__name__)

KEY = "leadline"
"""Of `Request.meta`: what is known of the link that the request follows."""
STEPS = 1_000
"""Scrapy's priorities to a tier. It keeps a queue for each number that occurs."""
_QUEUE = "SCHEDULER_PRIORITY_QUEUE"


class LeadlineMiddleware(BaseSpiderMiddleware):
    """Ranks requests for links of pages. Everything else a spider yields passes as it is."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.options = read_options(crawler.settings)
        self.pilot = open_pilot(self.options.config)
        if "DownloaderAware" in str(crawler.settings[_QUEUE]):
            logger.warning(
                "%s is %s, which heeds ranks inside a site only; set it to "
                "leadline.scrapy.RankedQueue, or to scrapy.pqueues.ScrapyPriorityQueue",
                _QUEUE,
                crawler.settings[_QUEUE],
            )
        crawler.signals.connect(self._spider_closed, signals.spider_closed)

    def process_spider_output(  # type: ignore[override]
        self, response: Response, result: Iterable[Any]
    ) -> Iterator[Any]:
        outlook = self._see(response)
        for thing in result:
            yield from self._passed(thing, outlook)
        yield from self._items(outlook)

    async def process_spider_output_async(  # type: ignore[override]
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        outlook = self._see(response)
        async for thing in result:
            for passed in self._passed(thing, outlook):
                yield passed
        for item in self._items(outlook):
            yield item

    def _see(self, response: Response) -> Outlook:
        if not isinstance(response, HtmlResponse) or response.request is None:
            return Outlook()
        kind = response.headers.get("Content-Type", b"") or b""
        answer = Answer(
            response.request.url,
            response.url,
            response.body,
            kind.decode("latin-1"),
            response.status,
            response.meta.get(KEY),
        )
        outlook = self.pilot.see(answer)
        self._count(outlook)
        return outlook

    def _passed(self, thing: Any, outlook: Outlook) -> Iterator[Any]:
        """What becomes of a thing that the spider yields: itself, or requests with their rank."""
        if not isinstance(thing, Request):
            yield thing
            return
        # Spiders hand meta on, and what is known of one link says nothing of another.
        thing.meta.pop(KEY, None)
        url = self.pilot.canonical(thing.url) if thing.method == "GET" else None
        ranked = outlook.links.get(url) if url else None
        if ranked is None:
            yield thing
        else:
            yield from self._ranked(thing, ranked)

    def _ranked(self, request: Request, ranked: Ranked) -> Iterator[Request]:
        candidate, skip, home = ranked.candidate, ranked.skip, ranked.instead
        if home is not None and self.options.enters_sites:
            yield self._with_rank(request.replace(url=home.url), home)
        elif home is not None and skip:
            candidate, skip = structs.replace(candidate, priority=home.priority), ""
        if skip and self.options.drops_skipped:
            self._stats.inc_value("leadline/requests_dropped")
        else:
            yield self._with_rank(request, candidate)

    def _with_rank(self, request: Request, candidate: Candidate) -> Request:
        request.meta[KEY] = candidate
        request.priority += number_of(candidate.priority)
        self._stats.inc_value("leadline/requests_ranked")
        return request

    def _items(self, outlook: Outlook) -> list[FoundForm]:
        if not self.options.emits_forms or outlook.visit is None:
            return []
        return [found_form(form, outlook.visit) for form in outlook.forms]

    def _count(self, outlook: Outlook) -> None:
        if outlook.visit is not None:
            self._stats.inc_value("leadline/pages")
            self._stats.inc_value("leadline/forms", len(outlook.forms))

    @property
    def _stats(self) -> StatsCollector:
        stats = self.crawler.stats
        if stats is None:
            raise RuntimeError("the crawler has no statistics; Scrapy makes them before spiders")
        return stats

    def _spider_closed(self, reason: str) -> None:
        self.pilot.close(reason)


def number_of(priority: Priority) -> int:
    """A priority as Scrapy has them: one number, the higher the sooner; 0 is about a seed's.

    >>> number_of(Priority(0, 0.9)) > number_of(Priority(0, 0.2)) > number_of(Priority(1, 5.0))
    True
    """
    within = priority.score / (1 + abs(priority.score))
    return round((within - 1) * STEPS / 2) - priority.tier * STEPS
