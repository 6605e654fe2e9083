"""Peer (d): crawlee-python, a ParselCrawler with enqueue_links.

Everything an expert switches off is off: sessions, detection of blocking, logs, storage
on disk. The concurrency is fixed at that of the others, so that the autoscaling that
sees a busy core does not hold it back; uvloop runs the loop. robots.txt is obeyed.
crawlee's queue knows no priorities, so links are not scored at all: its figure is
flattered by the work left out. It has no limit per host either.
"""

import logging

import uvloop
from crawlee import ConcurrencySettings
from crawlee.configuration import Configuration
from crawlee.crawlers import ParselCrawler, ParselCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from bench.peers.meter import CONCURRENCY, Meter, Task, orders


def make_crawler(pages: int) -> ParselCrawler:
    return ParselCrawler(
        configuration=Configuration(log_level="ERROR", purge_on_start=True),
        storage_client=MemoryStorageClient(),
        concurrency_settings=ConcurrencySettings(
            min_concurrency=CONCURRENCY,
            max_concurrency=CONCURRENCY,
            desired_concurrency=CONCURRENCY,
        ),
        max_requests_per_crawl=pages,
        respect_robots_txt_file=True,
        use_session_pool=False,
        retry_on_blocked=False,
        configure_logging=False,
    )


async def crawl(task: Task, meter: Meter) -> None:
    crawler = make_crawler(task.pages)
    forms = 0

    @crawler.router.default_handler
    async def follow(context: ParselCrawlingContext) -> None:
        nonlocal forms
        meter.pages += 1
        context.selector.css("title::text").get()
        for form in context.selector.css("form"):
            forms += bool(form.css("input::attr(name), select::attr(name)").getall())
        await context.enqueue_links(strategy="all")

    await crawler.run(task.seeds)
    meter.enqueued = await (await crawler.get_request_manager()).get_total_count()


def main() -> None:
    task = orders(__doc__).parse_args(namespace=Task())
    logging.disable(logging.WARNING)
    meter = Meter()
    uvloop.run(crawl(task, meter))
    meter.report()


if __name__ == "__main__":
    main()
