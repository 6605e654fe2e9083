"""`python -m tests.scrapy_bridge.spider OUT SEEDS SETTINGS`: a spider that follows every link.

Writes the URL of each page to OUT, in order. Run in a process of its own, as Scrapy wants.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import Response, TextResponse
from scrapy.linkextractors import LinkExtractor

QUIET = {
    "LOG_LEVEL": "WARNING",
    "TELNETCONSOLE_ENABLED": False,
    "ROBOTSTXT_OBEY": False,
    "RETRY_ENABLED": False,
    "DOWNLOAD_TIMEOUT": 3,
    "COOKIES_ENABLED": False,
    "DEPTH_STATS_VERBOSE": False,
}


class Everywhere(scrapy.Spider):
    name = "everywhere"

    def __init__(self, out: str, seeds: list[str], **more: Any) -> None:
        super().__init__(**more)
        self.start_urls = seeds
        self.out = Path(out)
        self.links = LinkExtractor()

    def parse(self, response: Response, **_: Any) -> Iterator[Any]:
        assert isinstance(response, TextResponse)
        with self.out.open("a", encoding="utf-8") as stream:
            stream.write(response.url + "\n")
        for link in self.links.extract_links(response):
            # Spiders hand meta on; what is in there of the page says nothing of its links.
            yield scrapy.Request(link.url, meta={"leadline": response.meta.get("leadline")})


def main(out: str, seeds: str, settings: str) -> None:
    process = CrawlerProcess({**QUIET, **json.loads(settings)})
    crawler = process.create_crawler(Everywhere)
    process.crawl(crawler, out=out, seeds=json.loads(seeds))
    process.start()
    stats = crawler.stats.get_stats()
    print(json.dumps({k: v for k, v in stats.items() if isinstance(v, int | str)}))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
