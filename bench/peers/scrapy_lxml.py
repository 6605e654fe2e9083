"""Peer (b): Scrapy with lxml parsing and a numpy model over 30 hashed features a link.

lxml.html and one XPath for the links, title and forms as in (a). With `--lean` the
middlewares that plain pages do without are off, and the cycle collector runs as seldom as
in leadline.

`--dedup scrapy` leaves duplicates to Scrapy's fingerprints; `--dedup own` keeps a set of
URLs in the spider and tells Scrapy not to filter: then only unknown links are scored and
become requests.
"""

from collections.abc import Iterator
from urllib.parse import urljoin

import lxml.html
import scrapy

from bench.peers.hashed import HashedModel
from bench.peers.meter import Meter, Task, orders
from bench.peers.scrapy_run import (
    MeteredSpider,
    handler_settings,
    lean_settings,
    run,
)

AROUND_CHARS = 120
LEVELS = 4
"""Priorities per unit of score: Scrapy keeps a queue per priority, so an expert uses few."""


class LxmlSpider(MeteredSpider):
    """Yields each page's distinct links, or only unknown ones when it dedups itself."""

    def __init__(self, meter: Meter, task: Task, *, dedups: bool) -> None:
        super().__init__(meter, task)
        self.dedups = dedups
        self.known = set(self.start_urls)
        self.model = HashedModel()
        self.forms = 0

    def follow(self, response: scrapy.http.Response) -> Iterator[scrapy.Request]:
        tree = lxml.html.document_fromstring(response.body)
        tree.findtext(".//title")
        self.forms += sum(bool(form.inputs) for form in tree.forms)
        anchors = self._by_url(tree, response.url)
        rows = [
            self.model.row(anchor.get("href"), anchor.text_content(), _around(anchor))
            for anchor in anchors.values()
        ]
        scores = self.model.scores(rows).tolist()
        self.meter.scored += len(rows)
        for url, score in zip(anchors, scores, strict=True):
            yield scrapy.Request(
                url, callback=self.parse, priority=int(score * LEVELS), dont_filter=self.dedups
            )

    def _by_url(self, tree: lxml.html.HtmlElement, base: str) -> dict[str, lxml.html.HtmlElement]:
        """The first anchor for each URL; for each unknown URL when the spider dedups."""
        found: dict[str, lxml.html.HtmlElement] = {}
        for anchor in tree.xpath("//a[@href]"):
            url = urljoin(base, anchor.get("href")).partition("#")[0]
            found.setdefault(url, anchor)
        if self.dedups:
            found = {url: anchor for url, anchor in found.items() if url not in self.known}
            self.known.update(found)
        return found


def _around(anchor: lxml.html.HtmlElement) -> str:
    """Words before and after the link, inside its parent."""
    parent = anchor.getparent()
    before = (parent.text or "") if parent is not None else ""
    return f"{before[-AROUND_CHARS:]} {(anchor.tail or '')[:AROUND_CHARS]}"


def main() -> None:
    parser = orders(__doc__)
    parser.add_argument("--dedup", choices=("scrapy", "own"), default="scrapy")
    parser.add_argument("--lean", action="store_true", help="without dispensable middlewares")
    parser.add_argument("--handler", choices=("twisted", "aiohttp"), default="twisted")
    task = parser.parse_args(namespace=Task())
    settings = handler_settings(task.handler) | lean_settings(task.lean)
    run(LxmlSpider, task, settings, dedups=task.dedup == "own").report()


if __name__ == "__main__":
    main()
