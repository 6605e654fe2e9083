"""Puts harvests together from their settings."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import uvloop
from msgspec import Struct

from leadline.config import Config
from leadline.core.kept import Harvest, Tally
from leadline.core.ports import Fetcher, Store
from leadline.crawler.harvests.opening import opener_of
from leadline.crawler.harvests.wanted import find_subjects
from leadline.crawler.network import add_archive, make_fetcher, make_scope
from leadline.harvester.coverage import Coverage
from leadline.harvester.session.limits import Limits, Waits, Worth
from leadline.harvester.session.session import Plan
from leadline.harvester.session.several import Harvester, Opener
from leadline.harvester.settings import HarvestSettings
from leadline.store import open_store
from leadline.store.address import without_password

OpenerOf = Callable[[Config, Store, Fetcher], Opener]
OnStart = Callable[[Harvester, Store], None]


class Drawn(Struct, frozen=True):
    """What one harvest came to."""

    harvest: Harvest
    tally: Tally
    reason: str
    coverage: Coverage | None = None
    """None when nothing came, or nothing was asked in this run."""


class HarvestResult(Struct, frozen=True):
    """How a run ended."""

    drawn: tuple[Drawn, ...]
    store: str
    """Path of the store."""
    stopped: str = ""
    """Why all of them were told to stop; '' when they were not."""


def plan_of(settings: HarvestSettings) -> Plan:
    """The settings that one session goes by."""
    limits = Limits(
        settings.max_requests or None,
        settings.max_queries or None,
        settings.max_records or None,
        settings.max_seconds or None,
    )
    worth = Worth(settings.max_failed_queries)
    waits = Waits(
        settings.max_tries,
        settings.max_blocked_tries,
        settings.retry_pause_s,
        settings.max_pause_s,
    )
    return Plan(limits, worth, waits)


def harvester_of(
    config: Config, store: Store, fetcher: Fetcher, opener: OpenerOf = opener_of
) -> Harvester:
    """Harvests forms with the crawl's own store and fetcher."""
    return Harvester(
        store,
        fetcher,
        opener(config, store, fetcher),
        plan_of(config.harvest),
        at_once=config.harvest.concurrency,
        with_details=config.harvest.details,
        now=time.time,
    )


def draw_up(
    config: Config, wanted: str, on_start: OnStart | None = None, opener: OpenerOf = opener_of
) -> HarvestResult:
    """Harvest a form (signature or page), or `all`, to the end.

    Raises ConfigError, StoreError, and FetchError when the form's page cannot be had.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(draw_up_async(config, wanted, on_start, opener))


async def draw_up_async(
    config: Config, wanted: str, on_start: OnStart | None = None, opener: OpenerOf = opener_of
) -> HarvestResult:
    """The same inside a running event loop. `on_start` gets the harvests to watch or steer."""
    async with outside(config) as (store, fetcher):
        harvester = harvester_of(config, store, fetcher, opener)
        if on_start is not None:
            on_start(harvester, store)
        try:
            for subject in await find_subjects(wanted, store, fetcher, config):
                harvester.offer(subject)
            await harvester.finish()
        finally:
            await harvester.finish(at_once=True)
        return _result(harvester, store, config)


@asynccontextmanager
async def outside(config: Config) -> AsyncIterator[tuple[Store, Fetcher]]:
    """The store and the Web, both closed at the end."""
    store = open_store(config.store.path, memory_links=config.store.memory_links)
    try:
        fetcher = add_archive(config, make_fetcher(config, store, make_scope(config, [])))
        try:
            yield store, fetcher
        finally:
            await fetcher.close()
    finally:
        store.close()


def _result(harvester: Harvester, store: Store, config: Config) -> HarvestResult:
    heads = {name: store.harvests.find(name) for name in harvester.reasons}
    told = {session.harvest.id: session.progress.coverage for session in harvester.sessions()}
    drawn = tuple(
        Drawn(head, store.harvests.tally(head.id), harvester.reasons[name], told.get(head.id))
        for name, head in heads.items()
        if head is not None
    )
    return HarvestResult(drawn, without_password(config.store.path), harvester.stopped)
