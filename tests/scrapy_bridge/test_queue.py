"""The queue behind Scrapy's scheduler, on its own."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.pqueues import ScrapyPriorityQueue
from scrapy.squeues import FifoMemoryQueue
from scrapy.utils.test import get_crawler

from leadline.core.crawl import Candidate, Priority, Skip
from leadline.core.url import Site, Url, site_of
from leadline.scrapy import LeadlineMiddleware, RankedQueue
from leadline.scrapy.link_ranker import LAST


class Bench:
    """A queue, and the downloader's set of requests under way."""

    def __init__(self, **settings: object) -> None:
        own = {
            "LEADLINE_TOPIC": "book",
            "SCHEDULER_PRIORITY_QUEUE": "leadline.scrapy.RankedQueue",
            "LEADLINE_STRATEGY": "baseline",
        }
        self.active: set[Request] = set()
        crawler: Any = get_crawler(settings_dict={**own, **settings})
        self.middleware = LeadlineMiddleware(crawler)
        downloader = SimpleNamespace(downloader=SimpleNamespace(active=self.active))
        around: Any = SimpleNamespace(engine=downloader)
        plain = ScrapyPriorityQueue(crawler, FifoMemoryQueue, "")
        self.queue = RankedQueue(around, self.middleware, plain)

    def push(self, url: str, tier: int, score: float) -> None:
        place = Candidate(Url(url), site_of(Url(url)), Priority(tier, score, "why"))
        self.queue.push(Request(url, meta={"leadline": place}))

    def pop(self) -> str:
        """The next URL, whose request is under way from now on; '' for none."""
        request = self.queue.pop()
        if request is None:
            return ""
        self.active.add(request)
        return request.url

    def pop_all(self) -> list[str]:
        """What comes when each request has left before the next is taken."""
        urls = []
        while url := self.pop():
            urls.append(url.removeprefix("http://"))
            self.active.clear()
        return urls


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.middleware.ranker.close("finished")


@pytest.fixture
def dropping() -> Iterator[Bench]:
    made = Bench(LEADLINE_DROP_SKIPPED=True)
    yield made
    made.middleware.ranker.close("finished")


def test_the_best_comes_first_after_what_nobody_ranked(bench: Bench) -> None:
    bench.push("http://a.test/1", 0, 0.2)
    bench.push("http://b.test/2", 0, 0.9)
    bench.push("http://a.test/3", 1, 5.0)
    bench.queue.push(Request("http://c.test/seed"))
    assert len(bench.queue) == 4
    assert bench.pop_all() == ["c.test/seed", "b.test/2", "a.test/1", "a.test/3"]
    assert len(bench.queue) == 0


def test_a_site_is_asked_once_at_a_time(bench: Bench) -> None:
    bench.push("http://a.test/1", 0, 0.9)
    bench.push("http://a.test/2", 0, 0.8)
    bench.push("http://b.test/3", 0, 0.1)
    assert bench.pop() == "http://a.test/1"
    assert bench.pop() == "http://b.test/3"
    assert bench.pop() == ""
    assert len(bench.queue) == 1
    bench.active.clear()
    assert bench.pop() == "http://a.test/2"


def test_a_site_of_its_own_rank_goes_before_its_links_ranks(bench: Bench) -> None:
    bench.push("http://a.test/1", 0, 0.9)
    bench.push("http://b.test/2", 0, 0.1)
    bench.queue.rank_site(Site("b.test"), Priority(0, 2.0, "why"))
    assert bench.pop_all() == ["b.test/2", "a.test/1"]


def test_a_site_that_is_left_comes_last(bench: Bench) -> None:
    bench.push("http://a.test/1", 0, 0.9)
    bench.push("http://b.test/2", 5, 0.1)
    bench.queue.rank_site(Site("a.test"), Skip("enough forms"))
    assert bench.pop_all() == ["b.test/2", "a.test/1"]


def test_a_site_that_is_left_is_dropped_if_told_so(dropping: Bench) -> None:
    dropping.push("http://a.test/1", 0, 0.9)
    dropping.push("http://b.test/2", 5, 0.1)
    dropping.queue.rank_site(Site("a.test"), Skip("enough forms"))
    dropping.push("http://a.test/3", 0, 0.9)
    assert dropping.pop_all() == ["b.test/2"]
    assert len(dropping.queue) == 0


def test_what_is_last_stays_there_when_all_is_ranked_again(bench: Bench) -> None:
    def upside_down(tiers: Any, scores: Any, _features: Any) -> None:
        tiers[:] = 0
        scores[:] = -scores

    strategy: Any = bench.middleware.ranker.strategy
    strategy.rescore = upside_down
    bench.push("http://a.test/1", 0, 0.9)
    bench.push("http://b.test/2", 3, 0.1)
    bench.push("http://c.test/3", LAST, 0.0)
    bench.queue.rescore()
    assert bench.pop_all() == ["b.test/2", "a.test/1", "c.test/3"]


@pytest.mark.parametrize("drops", [False, True])
def test_what_the_strategy_has_gone_off_is_passed_over(drops: bool) -> None:
    made = Bench(LEADLINE_DROP_SKIPPED=drops)
    strategy: Any = made.middleware.ranker.strategy
    strategy.admit = lambda candidate, _site: Skip("no") if "a.test" in candidate.url else None
    made.push("http://a.test/1", 0, 0.9)
    made.push("http://b.test/2", 0, 0.1)
    assert made.pop_all() == (["b.test/2"] if drops else ["b.test/2", "a.test/1"])
    made.middleware.ranker.close("finished")


def test_a_redirect_waits_at_the_site_it_leads_to(bench: Bench) -> None:
    place = Candidate(Url("http://a.test/1"), Site("a.test"), Priority(0, 0.5, "why"))
    bench.queue.push(Request("http://b.test/1", meta={"leadline": place}))
    bench.push("http://a.test/2", 0, 0.4)
    assert [bench.pop(), bench.pop()] == ["http://b.test/1", "http://a.test/2"]
