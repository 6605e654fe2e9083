"""Peer (a): Scrapy as a good Scrapy user writes it.

LinkExtractor for the links, CSS selectors for title and forms, scikit-learn for the
scores: a HashingVectorizer over words and word pairs of anchor and URL (about 30
features a link) and a linear model, one batch per page. Every link is yielded with
its score as priority; Scrapy's duplicate filter sorts out the known ones. Nothing is
kept on disk, unless --jobdir asks for Scrapy's own persistence.
"""

from collections.abc import Iterator

import scrapy
from scrapy.linkextractors import LinkExtractor
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier

from bench.peers.meter import Meter, Task, orders
from bench.peers.scrapy_run import MeteredSpider, run

TOY_TEXTS = ("search catalogue advanced find books database", "about contact login imprint help")


class IdiomaticSpider(MeteredSpider):
    """Yields every link of every page, scored."""

    def __init__(self, meter: Meter, task: Task) -> None:
        super().__init__(meter, task)
        self.extractor = LinkExtractor()
        self.vectorizer = HashingVectorizer(n_features=2**18, ngram_range=(1, 2))
        self.model = SGDClassifier(loss="log_loss", random_state=1)
        self.model.fit(self.vectorizer.transform(TOY_TEXTS), [1, 0])
        self.forms = 0

    def follow(self, response: scrapy.http.Response) -> Iterator[scrapy.Request]:
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        response.css("title::text").get()
        for form in response.css("form"):
            self.forms += bool(form.css("input::attr(name), select::attr(name)").getall())
        links = self.extractor.extract_links(response)
        texts = [f"{link.text} {link.url}" for link in links]
        scores = self.model.decision_function(self.vectorizer.transform(texts))
        self.meter.scored += len(links)
        for link, score in zip(links, scores.tolist(), strict=True):
            yield scrapy.Request(link.url, callback=self.parse, priority=int(score * 100))


def main() -> None:
    parser = orders(__doc__)
    parser.add_argument("--jobdir", default="", help="where Scrapy keeps its queue and seen URLs")
    task = parser.parse_args(namespace=Task())
    run(IdiomaticSpider, task, {"JOBDIR": task.jobdir} if task.jobdir else {}).report()


if __name__ == "__main__":
    main()
