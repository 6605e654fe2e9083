"""The queue behind Scrapy's scheduler: ranks sites first, then the links of each, and ranks them
again whenever the strategy has learned."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.pqueues import QueueProtocol, ScrapyPriorityQueue

from leadline.core.crawl import Candidate, FeatureRows, Priority, Skip
from leadline.core.ports import Scores
from leadline.core.url import Site, site_of
from leadline.errors import ConfigError
from leadline.frontier import Frontier
from leadline.frontier.ranks import rank_of
from leadline.scrapy.link_ranker import LAST
from leadline.scrapy.middleware import KEY, LeadlineMiddleware

Tiers = NDArray[np.int32]

_LAST_RANK = rank_of(LAST, 0.0)


class RankedQueue:
    """Gives out ranked requests best first, one of a site at a time; those that nobody ranked,
    such as start requests, before all others and in Scrapy's own order.

    Requests are kept in memory. A site's next request waits until the one before has left the
    downloader.
    """

    @classmethod
    def from_crawler(
        cls,
        crawler: Crawler,
        downstream_queue_cls: type[QueueProtocol],
        key: str,
        startprios: Iterable[int] = (),
        *,
        start_queue_cls: type[QueueProtocol] | None = None,
    ) -> "RankedQueue":
        if key:
            raise ConfigError(
                "leadline.scrapy.RankedQueue keeps requests in memory, and JOBDIR wants them on "
                "disk; leave out JOBDIR, or SCHEDULER_PRIORITY_QUEUE: the middleware then ranks "
                "by Request.priority"
            )
        middleware = crawler.get_spider_middleware(LeadlineMiddleware)
        if middleware is None:
            raise ConfigError(
                "leadline.scrapy.RankedQueue needs the spider middleware; add "
                "leadline.scrapy.LeadlineMiddleware to SPIDER_MIDDLEWARES"
            )
        plain = ScrapyPriorityQueue(
            crawler, downstream_queue_cls, key, startprios, start_queue_cls=start_queue_cls
        )
        return cls(crawler, middleware, plain)

    def __init__(
        self, crawler: Crawler, middleware: LeadlineMiddleware, plain: ScrapyPriorityQueue
    ) -> None:
        self._crawler = crawler
        self._plain = plain
        self._ranker = middleware.ranker
        self._drops = middleware.options.drops_skipped
        features = self._ranker.strategy.features
        self._frontier = Frontier(features.width if features else 0)
        self._requests: dict[int, Request] = {}
        self._out: dict[int, Request] = {}
        self._left: set[Site] = set()
        self._count = 0
        self._ranker.queue = self

    def __len__(self) -> int:
        return len(self._requests) + len(self._plain)

    def push(self, request: Request) -> None:
        candidate = request.meta.get(KEY)
        if candidate is None:
            self._plain.push(request)
        else:
            self._add(request, candidate, rank_of(*candidate.priority[:2]))

    def pop(self) -> Request | None:
        """None also while every site that has requests is being asked."""
        if len(self._plain):
            return self._plain.pop()
        self._release()
        while taken := self._frontier.take(1, 0.0):
            number, rank = taken[0]
            request = self._requests.pop(number)
            if self._is_wanted(request, rank):
                self._out[number] = request
                return request
            self._frontier.finish(number)
            if not self._drops:
                self._add(request, request.meta[KEY], _LAST_RANK)
        return None

    def close(self) -> list[int]:
        self._requests.clear()
        return self._plain.close()

    def rank_site(self, site: Site, verdict: Priority | Skip | None) -> None:
        """Follow the strategy's word on a site. What is left is asked last, or not at all."""
        number = self._frontier.number(site)
        if not isinstance(verdict, Skip):
            self._frontier.rank(number, rank_of(*verdict[:2]) if verdict else None)
        elif self._drops:
            self._left.add(site)
            self._drop(site)
            self._frontier.close(number)
        else:
            self._frontier.rank(number, _LAST_RANK)

    def rescore(self) -> None:
        """Rank everything again by what the strategy knows today; what is last stays there."""
        self._frontier.rescore(self._score)

    def _score(self, tiers: Tiers, scores: Scores, features: FeatureRows) -> None:
        is_last = tiers == LAST
        self._ranker.strategy.rescore(tiers, scores, features)
        tiers[is_last], scores[is_last] = LAST, 0.0

    def _add(self, request: Request, candidate: Candidate, rank: int) -> None:
        site = self._site(request)
        if site in self._left:
            return
        self._count += 1
        self._requests[self._count] = request
        number = self._frontier.number(site)
        self._frontier.add([self._count], [number], [rank], [candidate.features])

    def _site(self, request: Request) -> Site:
        """Of the request, which a redirect may have led elsewhere than its link."""
        candidate: Candidate = request.meta[KEY]
        return site_of(self._ranker.canonical(request.url) or candidate.url)

    def _is_wanted(self, request: Request, rank: int) -> bool:
        """A last look; what is in the last tier has had it."""
        if rank >= _LAST_RANK:
            return True
        candidate: Candidate = request.meta[KEY]
        site = self._ranker.store.links.site(candidate.site)
        return self._ranker.strategy.admit(candidate, site) is None

    def _release(self) -> None:
        """Free the sites whose request has left the downloader."""
        active = self._crawler.engine.downloader.active
        for number in [n for n, request in self._out.items() if request not in active]:
            del self._out[number]
            self._frontier.finish(number)

    def _drop(self, site: Site) -> None:
        gone = [n for n, r in self._requests.items() if self._site(r) == site]
        for number in gone:
            del self._requests[number]
