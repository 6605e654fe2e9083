"""Puts a crawl together from its settings."""

import asyncio
import ctypes
import gc
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from functools import partial

import uvloop
from msgspec import Struct

from leadline.backlinks import open_backlinks
from leadline.config import Config
from leadline.config.topic_strategy import find_fallback, make_crawl_strategy
from leadline.core.crawl import Counts, Event
from leadline.core.ports import Fetcher, Strategy
from leadline.core.secrets import mask_text
from leadline.core.store import Store
from leadline.core.url import Url
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.earlier_crawl import make_taught_strategy
from leadline.crawler.evidence import QuestionTerms
from leadline.crawler.harvests.assembly import compare_doors, make_pool
from leadline.crawler.harvests.crawl_harvests import (
    CrawlHarvests,
    HandoverRules,
    HarvestsOfCrawl,
    NoHarvests,
)
from leadline.crawler.links import (
    FALLBACK_KEY,
    LinkRules,
    Scope,
    make_seed,
    name_succession,
    parse_seed,
)
from leadline.crawler.network import (
    PausableFetcher,
    add_archive,
    add_trials,
    limit_reading,
    make_fetcher,
    make_scope,
    read_sitemap_urls,
)
from leadline.crawler.page_journal import PageJournal, open_page_journal
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.reading import InlineReader, PageReader, SupervisedReader
from leadline.crawler.store_calls import DirectCalls
from leadline.errors import ConfigError
from leadline.store import open_store
from leadline.store.address import without_password
from leadline.store.care.checks import blame_damage
from leadline.topics import make_critic, open_topic

_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3
"""Options of glibc's mallopt."""
_PATIENCE_S = 10.0
"""Idle time ahead for which the fallback strategy starts: ten of the usual pauses."""
_PAUSES = 3
"""Pauses between two requests to one site that a crawl of few sites waits for anyway."""
_KEEP_BYTES = 64 << 20
_GROW_BYTES = 4 << 20
_MAP_BYTES = 32 << 20
"""The largest value glibc takes."""


class CrawlResult(Struct, frozen=True):
    """How a run ended."""

    reason: str
    counts: Counts
    store: str
    """Path of the store."""


def crawl(config: Config, on_start: Callable[[Crawl, Store], None] | None = None) -> CrawlResult:
    """Run a crawl to its end. Raises ConfigError or StoreError; pages that fail do not."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, tune_memory():
        return runner.run(crawl_async(config, on_start))


async def crawl_async(
    config: Config, on_start: Callable[[Crawl, Store], None] | None = None
) -> CrawlResult:
    """The same inside a running event loop. `on_start` gets the crawl to watch or steer it."""
    with blame_damage(config.store.path):
        return await _crawl(config, on_start)


async def _crawl(config: Config, on_start: Callable[[Crawl, Store], None] | None) -> CrawlResult:
    async with open_crawl(config) as (run, store):
        if on_start is not None:
            on_start(run, store)
        reason = await run.run()
        return CrawlResult(reason, store.reader.counts(), without_password(config.store.path))


@asynccontextmanager
async def open_crawl(config: Config) -> AsyncIterator[tuple[Crawl, Store]]:
    """A crawl ready to run and its store; both are closed at the end."""
    opened_at = time.time()
    strategy, fallback = make_strategies(config)
    width = strategy.features.width if strategy.features else 0
    seeds = read_seeds(config)
    store = open_store(config.store.path, memory_links=config.store.memory_links, width=width)
    with closing(store), open_page_journal(config.store.path) as journal:
        if fallback and store.load(FALLBACK_KEY) == name_succession(strategy.name, fallback.name):
            strategy, fallback = fallback, None
        _begin(store, strategy, config, seeds)
        scope = make_scope(config, seeds)
        http = make_fetcher(config, store, scope.why_not)
        losses = ReaderLosses(store, DirectCalls(), time.time)
        if journal is not None:
            await losses.blame(journal.left)
            # Blamed once: a run that ends before it reads anything leaves nobody to blame.
            journal.end()
        fetcher = add_archive(config, http)
        tried = add_trials(config, fetcher, losses)
        reader = make_reader(config, strategy, losses, journal)
        try:
            if config.scope.sitemaps:
                urls = await read_sitemap_urls(http, seeds, config.scope.max_sitemap_urls)
                harmless = (url for url in urls if not scope.why_harmful(url))
                store.links.put([make_seed(url) for url in harmless])
            # The key of a service must not stand in an archive, which is given away.
            has_key = mask_text(config.backlinks.address) != config.backlinks.address
            asker = http if has_key else fetcher
            with open_backlinks(config.backlinks, store.pages, asker) as backlinks:
                harvests = _make_harvests(config, store, tried, scope)
                parts = CrawlParts(
                    *(store, fetcher, reader, strategy, backlinks, harvests, fallback, scope),
                    label_topic=config.topic.name,
                    questions=QuestionTerms(
                        config.topic.keywords, config.submit, config.budget.pages or None
                    ),
                    opened_at=opened_at,
                    sharing=http.sharing,
                )
                yield Crawl(parts, make_plan(config, scope)), store
        finally:
            reader.close()
            await tried.close()


def make_strategies(config: Config) -> tuple[Strategy, Strategy | None]:
    """The one to begin with, and the one to go on with."""
    first, second = make_taught_strategy(config, config.strategy.name), find_fallback(config)
    return first, make_crawl_strategy(config, second) if second else None


def make_plan(config: Config, scope: Scope) -> CrawlPlan:
    """The settings a running crawl goes by; also for changing them on the way."""
    settings = config.crawl
    # Ordinary pauses are no reason to give a strategy up, or a run.
    pauses_s = _PAUSES * config.politeness.delay_s
    return CrawlPlan(
        goal=config.strategy.goal,
        budget=config.budget.limits,
        rules=LinkRules(
            scope.why_not,
            config.scope.max_depth,
            config.scope.obey_nofollow,
            scope.why_excluded,
            scope.why_harmful,
        ),
        width=settings.concurrency,
        max_pages_per_site=config.scope.max_pages_per_site,
        give_up_after=settings.max_site_failures,
        busy_tries=settings.busy_retries,
        checkpoint_pages=settings.checkpoint_pages,
        most_found=config.backlinks.max_pages,
        url_rules=config.urls.rules,
        topic=config.topic.name,
        leave_traps=config.scope.leave_traps,
        patience_s=max(_PATIENCE_S, pauses_s),
        max_idle_s=max(settings.max_idle_s, pauses_s),
        ask_forms=settings.ask_forms,
    )


def _make_harvests(config: Config, store: Store, fetcher: Fetcher, scope: Scope) -> HarvestsOfCrawl:
    settings = config.harvest
    if not settings.during_crawl:
        return NoHarvests()
    rules = HandoverRules(config.submit, settings.min_relevance, settings.budget_share)
    resting = PausableFetcher(fetcher)
    harvester = make_pool(config, store, resting)
    harvester.why_not = scope.why_excluded
    compare = partial(compare_doors, harvester, store, config)
    return CrawlHarvests(harvester, store, rules, resting, compare)


def read_seeds(config: Config) -> list[Url]:
    """The seeds in canonical form. Raises ConfigError for one that is no URL."""
    seeds: list[Url] = []
    for text in config.seeds:
        url = parse_seed(text, config.urls.rules)
        if url is None:
            raise ConfigError(f"seed {text!r} is not an http(s) URL; write https://host/path")
        seeds.append(url)
    return seeds


def _begin(store: Store, strategy: Strategy, config: Config, seeds: Sequence[Url]) -> None:
    learned = store.load(f"strategy:{strategy.name}")
    if learned is not None:
        strategy.restore(learned)
    store.links.put([make_seed(url) for url in seeds])
    if not store.reader.counts().known:
        raise ConfigError("no seeds: give URLs to start from, or a store that has some")
    store.save("config", config.dump_for_store())
    store.note(Event(time.time(), "started", config.topic.name, config.strategy.name))


def make_reader(
    config: Config, strategy: Strategy, losses: ReaderLosses, journal: PageJournal | None = None
) -> PageReader:
    """Reads pages by the topic's critic, here or in processes of its own."""
    topic = open_topic(config.topic.name, config.topic.words)
    critic = make_critic(config.topic.critic, topic, config.topic.own)
    inline = InlineReader(
        critic, config.urls.rules, config.page.limits, is_checked=True, journal=journal
    )
    processes = config.crawl.parse_processes
    return SupervisedReader(inline, strategy.features, limit_reading(config), losses, processes)


@contextmanager
def tune_memory() -> Iterator[None]:
    """Memory management for a process that reads pages all day.

    Fewer passes of the cycle collector: a crawl makes millions of objects and
    few cycles, and collecting at the default pace takes a third of the time of
    parsing. And freed memory is kept instead of given back to the system, or
    every page parsed would fault it in again (glibc only; lasts for the process).
    """
    before = gc.get_threshold()
    # Without a pass before it: what was imported leaves some 60 dead objects, and a pass over all
    # of it takes as long as thirty pages.
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)
    keep_freed_memory()
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def keep_freed_memory() -> None:
    """Let malloc keep up to 64 MB of freed memory: a parsed page takes a quarter of the time less.

    Without effect where the C library has no mallopt.
    """
    if not sys.platform.startswith("linux"):
        return
    tune = getattr(ctypes.CDLL(None), "mallopt", None)
    if tune is not None:
        tune(_TRIM_THRESHOLD, _KEEP_BYTES)
        tune(_TOP_PAD, _GROW_BYTES)
        tune(_MMAP_THRESHOLD, _MAP_BYTES)
