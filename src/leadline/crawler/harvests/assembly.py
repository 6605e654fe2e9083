"""Runs harvests: the pool and its budgets, the store and the Web, the summary; and dry runs."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial

import uvloop
from msgspec import Struct, structs

from leadline.config import Config
from leadline.core.crawl import Event
from leadline.core.harvest import (
    NOTHING,
    OPEN,
    OVER,
    Answer,
    Harvest,
    HarvestCounts,
    HarvestId,
    HarvestSource,
    Outcome,
)
from leadline.core.ports import Fetcher
from leadline.core.store import HarvestRunStore, SessionStore
from leadline.core.url import Url, site_of
from leadline.crawler.harvests.doors import (
    choose_words,
    group_doors,
    is_same_database,
    list_keys,
    make_peeks,
)
from leadline.crawler.harvests.source_choice import find_sources, why_left_to_crawl
from leadline.crawler.harvests.source_opener import (
    MakeOpener,
    find_page_after,
    make_opener,
    make_submitter,
)
from leadline.crawler.network import add_archive, add_trials, make_fetcher, make_scope
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.store_calls import DirectCalls
from leadline.errors import FetchError
from leadline.harvester.allocation import RequestAllocator
from leadline.harvester.answers.reader import AnswerReader
from leadline.harvester.coverage import Coverage
from leadline.harvester.session.pool import HarvestPool
from leadline.harvester.session.retries import (
    BudgetedFetcher,
    GiveUpRules,
    HarvestBudget,
    RetryRules,
)
from leadline.harvester.session.session import OpenedSource, SessionPlan
from leadline.harvester.session.source import PagingFunctions, WebSource
from leadline.harvester.session.stored_coverage import estimate_stored_coverage
from leadline.harvester.settings import HarvestSettings
from leadline.harvester.survey.describe import describe_form
from leadline.store import open_harvests
from leadline.store.address import without_password
from leadline.store.care.checks import blame_damage

OnPoolStart = Callable[[HarvestPool, HarvestRunStore], None]
SAME_DATABASE = "the same database"
"""Reasons of forms that are not harvested, because another one opens onto the same, begin so."""
FIRST_QUERIES = 5
"""Queries of a form that a dry run shows. Later ones depend on answers."""


class HarvestSummary(Struct, frozen=True):
    """What one harvest brought."""

    harvest: Harvest
    tally: HarvestCounts
    reason: str
    coverage: Coverage | None = None
    """None if nothing came, or nothing was asked in this run."""


class HarvestResult(Struct, frozen=True):
    """How a run ended."""

    harvests: tuple[HarvestSummary, ...]
    store: str
    """Path of the store."""
    stopped: str = ""
    """Why all of them were told to stop; '' if they were not."""

    @property
    def drawn(self) -> tuple[HarvestSummary, ...]:
        """`harvests`, as programs written for earlier versions call them."""
        return self.harvests


def make_plan(settings: HarvestSettings) -> SessionPlan:
    """The settings of one session."""
    budget = HarvestBudget(
        settings.max_requests or None,
        settings.max_queries or None,
        settings.max_records or None,
        settings.max_seconds or None,
    )
    give_up = GiveUpRules(settings.max_failed_queries)
    retries = RetryRules(
        settings.max_tries,
        settings.max_blocked_tries,
        settings.retry_pause_s,
        settings.max_pause_s,
    )
    return SessionPlan(budget, give_up, retries)


def make_pool(
    config: Config, store: SessionStore, fetcher: Fetcher, opener: MakeOpener = make_opener
) -> HarvestPool:
    """Harvests forms with the crawl's own store and fetcher."""
    settings = config.harvest
    most = settings.max_total_requests or None
    has_common_budget = most is not None or (settings.during_crawl and config.budget.pages)
    is_competing = has_common_budget and settings.allocation == "yield"
    if most is not None:
        harvests = store.harvests
        used = sum(harvests.tally(head.id).requests for head in harvests.all())
        fetcher = BudgetedFetcher(fetcher, max(0, most - used), lambda: 0)
    pool = HarvestPool(
        store,
        fetcher,
        opener(config, store, fetcher),
        make_plan(config.harvest),
        concurrency=config.harvest.concurrency,
        with_details=config.harvest.details,
        now=time.time,
    )
    pool.max_requests = most
    if is_competing:
        pool.allocator = RequestAllocator(random.Random(settings.random_seed))
    return pool


def harvest_forms(
    config: Config,
    wanted: str,
    on_start: OnPoolStart | None = None,
    opener: MakeOpener = make_opener,
) -> HarvestResult:
    """Harvests a form (signature or page), or `all`, to the end.

    Raises ConfigError, StoreError, and FetchError if the form's page cannot be fetched.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(harvest_forms_async(config, wanted, on_start, opener))


async def harvest_forms_async(
    config: Config,
    wanted: str,
    on_start: OnPoolStart | None = None,
    opener: MakeOpener = make_opener,
) -> HarvestResult:
    """The same inside a running event loop. `on_start` gets the harvests to watch or steer."""
    async with open_store_and_web(config) as (store, fetcher):
        pool = make_pool(config, store, fetcher, opener)
        pool.why_not = partial(why_left_to_crawl, store)
        if on_start is not None:
            on_start(pool, store)
        try:
            submitter = make_submitter(config, fetcher, store)
            sources = await find_sources(wanted, store, fetcher, config, submitter)
            for best, *others in group_doors(sources):
                pool.offer(best)
                first = best
                for other in others:
                    compare = partial(compare_doors, pool, store, config, first, other)
                    pool.offer(other, compare)
                    first = other
            await pool.finish()
        finally:
            await pool.finish(at_once=True)
        return _summarize(pool, store, config)


async def compare_doors(
    pool: HarvestPool,
    store: HarvestRunStore,
    config: Config,
    first: HarvestSource,
    other: HarvestSource,
) -> str:
    """Waits for the harvest of a site's earlier door, and asks the other what that found. Why the
    other is not harvested, or ''."""
    await pool.wait_for(first.signature)
    begun = [head for head in store.harvests.all() if head.subject.site == other.site]
    if pool.stopped or any(head.subject.signature == other.signature for head in begun):
        return ""
    held = {head.id: list_keys(store, head.id) for head in begun}
    rich = max(begun, key=lambda head: len(held[head.id]), default=None)
    if rich is None:
        return ""
    head = store.harvests.begin(other, time.time())
    try:
        answers, spent = await _peek(config, store, pool.fetcher, head, rich)
    except FetchError as error:
        answers, spent = [], error.requests
    head = structs.replace(head, requests=spent)
    is_same = is_same_database(answers, set().union(*held.values()))
    why = f"{SAME_DATABASE} as form {rich.subject.signature}" if is_same else ""
    store.harvests.keep(structs.replace(head, reason=why, state=OVER if why else OPEN))
    if why:
        store.note(Event(time.time(), "harvest-stopped", other.signature, why))
    return why


async def _peek(
    config: Config, store: SessionStore, fetcher: Fetcher, head: Harvest, known: Harvest
) -> tuple[list[Answer], int]:
    """What a form answers to words that an earlier harvest found something by, and the requests."""
    form = head.subject.form
    reader = AnswerReader(form)
    if known.subject.reader:
        # Read as the earlier one was: keys can be compared.
        reader.restore(known.subject.reader)
    source = WebSource(
        *(form, head.subject.searchable, fetcher),
        *(make_submitter(config, fetcher, store), reader, PagingFunctions(find_page_after)),
        settings=config.submit,
    )
    reply = await source.open()
    spent, answers = reply.response.requests, list[Answer]()
    interface = describe_form(source.form, reply.page)
    for query in make_peeks(interface, choose_words(store, known.id)):
        answer = await source.ask(query)
        spent += answer.requests
        answers.append(answer)
        if answer.records:
            break
    return answers, spent


@asynccontextmanager
async def open_store_and_web(config: Config) -> AsyncIterator[tuple[HarvestRunStore, Fetcher]]:
    """The store and the Web, both closed at the end."""
    with blame_damage(config.store.path), closing(open_harvests(config.store.path)) as store:
        _keep_topic(store, config)
        scope = make_scope(config, [])

        def why_not(url: Url) -> str:
            return scope.why_not(url) or why_left_to_crawl(store, site_of(url))

        losses = ReaderLosses(store, DirectCalls(), time.time)
        http = add_archive(config, make_fetcher(config, store, why_not))
        fetcher = add_trials(config, http, losses)
        try:
            yield store, fetcher
        finally:
            await fetcher.close()


def _keep_topic(store: HarvestRunStore, config: Config) -> None:
    """Where no crawl has told what is wanted, the harvest does: the records' table has the columns
    of its topic."""
    if config.topic.keywords and not store.reader.counts().known:
        store.save("config", config.dump_for_store())


def _summarize(pool: HarvestPool, store: HarvestRunStore, config: Config) -> HarvestResult:
    heads = {name: store.harvests.find(name) for name in pool.reasons}
    covered = {session.harvest.id: session.progress.coverage for session in pool.sessions()}
    harvests = tuple(
        HarvestSummary(
            head,
            store.harvests.tally(head.id),
            pool.reasons[name],
            # A harvest that ended while its form was surveyed had no session.
            covered.get(head.id) or estimate_stored_coverage(store.harvests, head),
        )
        for name, head in heads.items()
        if head is not None
    )
    return HarvestResult(harvests, without_password(config.store.path), pool.stopped)


class PlannedRequest(Struct, frozen=True):
    """A query, and exactly what would be sent for it."""

    form: str
    query: str
    fresh: float
    why: str
    request: str


async def plan_first_requests(
    config: Config, wanted: str, opener: MakeOpener = make_opener
) -> list[PlannedRequest]:
    """The first queries of each form that is meant, as if every one found nothing. Fetches the
    pages of forms, submits nothing."""
    planned: list[PlannedRequest] = []
    async with open_store_and_web(config) as (store, fetcher):
        open_form = opener(config, store, fetcher)
        for subject in await find_sources(wanted, store, fetcher, config):
            harvest = Harvest(HarvestId(0), subject, 0.0)
            opened = await open_form(harvest, str, is_dry=True)
            if isinstance(opened, str):
                planned.append(PlannedRequest(subject.signature, "", 0.0, opened, "nothing"))
            else:
                planned += _plan_requests(opened)
    return planned


def _plan_requests(opened: OpenedSource) -> list[PlannedRequest]:
    planned: list[PlannedRequest] = []
    while len(planned) < FIRST_QUERIES and (choice := opened.policy.choose()) is not None:
        opened.policy.learn(Outcome(choice.query, NOTHING))
        request = opened.sends(choice.query)
        name = opened.harvest.subject.signature
        planned.append(PlannedRequest(name, choice.query.text, choice.fresh, choice.why, request))
    return planned
