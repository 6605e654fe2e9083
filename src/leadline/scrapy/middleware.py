"""The spider middleware: shows each page to the strategy, and gives its requests their rank.

Scrapy's settings that begin with LEADLINE_ say how.
"""

import logging
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from dataclasses import make_dataclass
from typing import TYPE_CHECKING, Any

from msgspec import Struct, structs, to_builtins
from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.settings import BaseSettings
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from scrapy.statscollectors import StatsCollector

from leadline.config import Config, load_config
from leadline.config.topic_strategy import make_crawl_strategy
from leadline.core.crawl import Candidate, JudgedForm, Priority, StoredForm, Visit
from leadline.core.http import Response as FetchedResponse
from leadline.core.url import Url
from leadline.crawler.reading import InlineReader
from leadline.errors import ConfigError
from leadline.scrapy.link_ranker import LinkRanker, PageRanking, RankedLink
from leadline.store import IN_MEMORY, open_store
from leadline.topics import KEYWORDS, make_critic, open_topic
from leadline.views.forms import FormRow, form_row

logger = logging.getLogger(__name__)

KEY = "leadline"
"""Of `Request.meta`: what is known of the link that the request follows."""
STEPS = 1_000
"""Scrapy's priorities to a tier. It keeps a queue for each number that occurs."""
_QUEUE = "SCHEDULER_PRIORITY_QUEUE"
TOPIC = "LEADLINE_TOPIC"
STRATEGY = "LEADLINE_STRATEGY"
STORE = "LEADLINE_STORE"
SETTINGS = "LEADLINE_SETTINGS"
EMIT_FORMS = "LEADLINE_EMIT_FORMS"
DROP_SKIPPED = "LEADLINE_DROP_SKIPPED"
ENTER_SITES = "LEADLINE_ENTER_SITES"
ALL = (TOPIC, STRATEGY, STORE, SETTINGS, EMIT_FORMS, DROP_SKIPPED, ENTER_SITES)


if TYPE_CHECKING:
    FoundForm = FormRow
else:
    # Scrapy takes dataclasses for items and knows nothing of msgspec's structs.
    FoundForm = make_dataclass(
        "FoundForm",
        [(field.name, field.type) for field in structs.fields(FormRow)],
        frozen=True,
        namespace={"__doc__": "A search form about the topic, first met here, as an item."},
    )
    FoundForm.__module__ = __name__


def found_form(judged: JudgedForm, visit: Visit, topic: str) -> FoundForm:
    """The item of a form that a visit met first."""
    stored = StoredForm(judged, visit.site, visit.id, visit.at, topic=topic)
    return FoundForm(**to_builtins(form_row(stored, visit)))


class LeadlineMiddleware(BaseSpiderMiddleware):
    """Ranks requests for links of pages. Everything else a spider yields passes as it is."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.options = read_options(crawler.settings)
        self.ranker = open_ranker(self.options.config)
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
        ranking = self._rank(response)
        for thing in result:
            yield from self._pass_on(thing, ranking)
        yield from self._make_items(ranking)

    async def process_spider_output_async(  # type: ignore[override]
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        ranking = self._rank(response)
        async for thing in result:
            for passed in self._pass_on(thing, ranking):
                yield passed
        for item in self._make_items(ranking):
            yield item

    def _rank(self, response: Response) -> PageRanking:
        if not isinstance(response, HtmlResponse) or response.request is None:
            return PageRanking()
        kind = response.headers.get("Content-Type", b"") or b""
        fetched = FetchedResponse(
            *(Url(response.url), response.status),
            (("content-type", kind.decode("latin-1")),),
            *(response.body, time.time()),
        )
        ranking = self.ranker.rank_page(response.request.url, fetched, response.meta.get(KEY))
        self._count(ranking)
        return ranking

    def _pass_on(self, thing: Any, ranking: PageRanking) -> Iterator[Any]:
        """What becomes of a thing that the spider yields: itself, or requests with their rank."""
        if not isinstance(thing, Request):
            yield thing
            return
        # Spiders hand meta on, and what is known of one link says nothing of another.
        thing.meta.pop(KEY, None)
        url = self.ranker.canonical(thing.url) if thing.method == "GET" else None
        ranked = ranking.links.get(url) if url else None
        if ranked is None:
            yield thing
        else:
            yield from self._add_rank(thing, ranked)

    def _add_rank(self, request: Request, ranked: RankedLink) -> Iterator[Request]:
        candidate, skip, home = ranked.candidate, ranked.skip, ranked.instead
        if home is not None and self.options.enters_sites:
            yield self._set_rank(request.replace(url=home.url), home)
        elif home is not None and skip:
            candidate, skip = structs.replace(candidate, priority=home.priority), ""
        if skip and self.options.drops_skipped:
            self._stats.inc_value("leadline/requests_dropped")
        else:
            yield self._set_rank(request, candidate)

    def _set_rank(self, request: Request, candidate: Candidate) -> Request:
        request.meta[KEY] = candidate
        request.priority += scrapy_priority(candidate.priority)
        self._stats.inc_value("leadline/requests_ranked")
        return request

    def _make_items(self, ranking: PageRanking) -> list[FoundForm]:
        if not self.options.emits_forms or ranking.visit is None:
            return []
        return [
            found_form(form, ranking.visit, self.options.config.topic.name)
            for form in ranking.forms
        ]

    def _count(self, ranking: PageRanking) -> None:
        if ranking.visit is not None:
            self._stats.inc_value("leadline/pages")
            self._stats.inc_value("leadline/forms", len(ranking.forms))

    @property
    def _stats(self) -> StatsCollector:
        stats = self.crawler.stats
        if stats is None:
            raise RuntimeError("the crawler has no statistics; Scrapy makes them before spiders")
        return stats

    def _spider_closed(self, reason: str) -> None:
        self.ranker.close(reason)


def scrapy_priority(priority: Priority) -> int:
    """A priority as Scrapy has them: one number, the higher the sooner; 0 is about a seed's.

    >>> [scrapy_priority(Priority(*one)) for one in ((0, 0.9), (0, 0.2), (1, 5.0))]
    [-263, -417, -1083]
    """
    within = priority.score / (1 + abs(priority.score))
    return round((within - 1) * STEPS / 2) - priority.tier * STEPS


class BridgeOptions(Struct, frozen=True):
    """What the bridge is to do."""

    config: Config
    emits_forms: bool = False
    drops_skipped: bool = False
    enters_sites: bool = False


def read_options(settings: BaseSettings) -> BridgeOptions:
    """Raises ConfigError for what leadline cannot do, and for a setting that there is not."""
    unknown = [name for name in settings if name.startswith("LEADLINE_") and name not in ALL]
    if unknown:
        raise ConfigError(f"unknown setting {unknown[0]}; there are: {', '.join(ALL)}")
    more: Mapping[str, Any] = settings.getdict(SETTINGS)
    chosen: dict[str, object] = {
        "topic.name": settings.get(TOPIC),
        "strategy.name": settings.get(STRATEGY),
        "store.path": settings.get(STORE, IN_MEMORY),
    }
    said = {name: value for name, value in chosen.items() if value is not None}
    config, _ = load_config(settings={**more, **said}, source="Scrapy setting")
    if not config.topic.name and not config.topic.words:
        raise ConfigError(
            f"no topic: set {TOPIC} to one of {', '.join(sorted(KEYWORDS))}, or to a topic's "
            f"folder, or topic.words in {SETTINGS}"
        )
    switches = (settings.getbool(name) for name in (EMIT_FORMS, DROP_SKIPPED, ENTER_SITES))
    return BridgeOptions(config, *switches)


def open_ranker(config: Config) -> LinkRanker:
    """With its store, which is made if it is not there. Raises ConfigError or StoreError."""
    strategy = make_crawl_strategy(config, config.strategy.name)
    topic = open_topic(config.topic.name, config.topic.words)
    critic = make_critic(config.topic.critic, topic, config.topic.own)
    reader = InlineReader(critic, config.urls.rules, config.page.limits)
    return LinkRanker(config, open_store(config.store.path), strategy, reader)
