"""Peer (c): Scrapy as a bare downloader, with leadline's parsing and scoring inside.

The spider keeps a set of known URLs and a heap of scored ones, and hands Scrapy only
the best, just enough to keep its places taken: no Scrapy link or selector is made, no
duplicate filter asked, and no request object for a link that is not fetched. With
`--lean` the middlewares that plain pages do without are off as well, timeouts, depth,
referrers and statistics among them, and the cycle collector runs as seldom as in leadline.

`--parse nothing` fetches a list of URLs made beforehand and looks at no byte: what
Scrapy's downloader costs alone.
"""

import heapq
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scrapy

from bench import pages, website
from bench.peers.leadline_inside import parse_and_score, toy_weights
from bench.peers.meter import Meter, Task, orders
from bench.peers.scrapy_run import (
    MeteredSpider,
    handler_settings,
    lean_settings,
    run,
)

UNDER_WAY = 64
"""Requests in Scrapy's hands: one per host, twice as many as it has places."""

Found = list[tuple[str, float]]


class BareSpider(MeteredSpider):
    """Takes each page's unknown links from `read` and keeps Scrapy busy with the best."""

    def __init__(
        self, meter: Meter, task: Task, read: Callable[[bytes, str, set[str]], Found]
    ) -> None:
        super().__init__(meter, task)
        self.read = read
        self.known = set(self.start_urls)
        self.heap: list[tuple[float, str]] = []
        self.under_way = len(self.start_urls)

    def follow(self, response: scrapy.http.Response) -> Iterator[scrapy.Request]:
        self.under_way -= 1
        found = self.read(response.body, response.url, self.known)
        self.meter.scored += len(found)
        for url, score in found:
            if url not in self.known:
                self.known.add(url)
                heapq.heappush(self.heap, (-score, url))
        yield from self.top_up()

    def top_up(self) -> Iterator[scrapy.Request]:
        while self.heap and self.under_way < UNDER_WAY:
            self.under_way += 1
            yield scrapy.Request(
                heapq.heappop(self.heap)[1],
                callback=self.parse,
                errback=self.drop,
                dont_filter=True,
            )

    def drop(self, _: Any) -> Iterator[scrapy.Request]:
        """A request that robots.txt forbids leaves its place to the next."""
        self.under_way -= 1
        yield from self.top_up()


def read_with_leadline() -> Callable[[bytes, str, set[str]], Found]:
    weights = toy_weights()
    return lambda body, url, known: parse_and_score(body, url, weights, known)


def read_nothing(task: Task) -> Callable[[bytes, str, set[str]], Found]:
    """Two URLs of the benchmark's web per page, from a list; the page is not looked at."""
    shape = website.shape_for(task.pages, task.hosts, task.port)
    words = pages.Words(shape.seed)
    web = website.plan(shape, words, np.random.default_rng(shape.seed))
    addresses = [website.address(number % task.hosts) for number in range(shape.size)]
    urls = iter(
        [f"http://{at}:{task.port}{path}" for at, path in zip(addresses, web.paths, strict=True)]
    )
    return lambda _body, _url, _known: [(url, 0.0) for url, _ in zip(urls, range(2), strict=False)]


def main() -> None:
    parser = orders(__doc__)
    parser.add_argument("--parse", choices=("leadline", "nothing"), default="leadline")
    parser.add_argument("--lean", action="store_true", help="without dispensable middlewares")
    parser.add_argument("--handler", choices=("twisted", "aiohttp"), default="twisted")
    task = parser.parse_args(namespace=Task())
    read = read_nothing(task) if task.parse == "nothing" else read_with_leadline()
    settings = lean_settings(task.lean) | handler_settings(task.handler)
    run(BareSpider, task, settings, read=read).report()


if __name__ == "__main__":
    main()
