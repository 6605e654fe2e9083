"""`leadline worker`, `crawl --cluster` and `harvest --shared`: many processes on one store."""

import asyncio
import time
from contextlib import suppress
from dataclasses import replace

import uvloop
from msgspec import Struct, to_builtins

from leadline.config import Config
from leadline.core.crawl import Budget, Counts
from leadline.core.harvest import HarvestSource
from leadline.core.store import Store
from leadline.crawler.assembly import CrawlResult, tune_memory
from leadline.crawler.harvests.source_choice import find_stored_sources
from leadline.crawler.harvests.team import HARVESTED, begin_harvest_run, open_harvest_worker
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.team import Member, MemberParts, begin_run, join_team, make_worker_name
from leadline.errors import ConfigError
from leadline.store import open_shared_store
from leadline.store.address import is_database, mask_password
from leadline.ui.cli.crawl import HINTS, FinishedCrawl, conclude, read_options
from leadline.ui.cli.exits import Exit, exit_of
from leadline.ui.cli.live import CrawlProgress, Display, choose_display
from leadline.ui.cli.options import CrawlOptions, HarvestOptions
from leadline.ui.cli.output import print_json, say
from leadline.ui.cli.signals import StopSignals
from leadline.views.stores import open_to_read


class WorkerSummary(Struct, frozen=True):
    """How a worker ended."""

    name: str
    reason: str
    """Why the run ended; '' when it continues without this worker."""
    visits: int
    lost: int
    counts: Counts


def run_worker(address: str, topic: str, options: CrawlOptions) -> Exit:
    """The whole command."""
    if not is_database(address):
        raise ConfigError(
            f"{address!r} is no database; workers share a store of the kind "
            "postgresql://user@host/database (one process alone: leadline crawl)"
        )
    config = read_options(topic, replace(options, store=address))[0]
    store = open_shared_store(address, is_new=True)
    display = choose_display(is_quiet=options.quiet, is_plain=options.plain)
    try:
        has_begun = begin_run(store, config)
        if not options.quiet:
            say(f"{'began a run' if has_begun else 'joined the run'} on {mask_password(address)}")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, tune_memory():
            left = runner.run(take_part(config, store, display))
    except asyncio.CancelledError:
        say("stopped at once; what was not delivered goes to other workers")
        return Exit.INTERRUPTED
    finally:
        display.close()
        store.close()
    _print_summary(left, options)
    return Exit.DONE if left.reason else Exit.INTERRUPTED


async def take_part(config: Config, store: Store, display: Display) -> WorkerSummary:
    """Crawl as one worker of the run, until the run or the worker is stopped."""
    calls, name = StoreCalls(), make_worker_name()
    async with join_team(config, store, name, MemberParts(calls)) as member:
        StopSignals(display.say).attach(WorkerStop(member))
        watching = asyncio.create_task(show_progress(display, store, calls))
        try:
            await member.run()
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        run, counts = await calls(store.run.state), await calls(store.reader.counts)
        tally = member.loop.counts
        reason = run.reason if run.state == "stopped" else ""
        return WorkerSummary(name, reason, tally.visits, tally.lost, counts)


class WorkerStop:
    """A signal to one worker: the others continue."""

    def __init__(self, member: Member) -> None:
        self._member = member

    def stop(self, reason: str = "") -> None:  # noqa: ARG002 (the signature of what is steered)
        self._member.leave()


async def show_progress(display: Display, store: Store, calls: StoreCalls) -> None:
    """Show how the whole run goes, until cancelled."""
    budgets: list[Budget] = [(await calls(store.run.state)).budget]
    progress = CrawlProgress(lambda: budgets[-1])
    while True:
        budgets[:] = [(await calls(store.run.state)).budget]
        counts = await calls(store.reader.counts)
        display.show(progress.add(time.time(), counts))
        await asyncio.sleep(display.every_s)


def _print_summary(left: WorkerSummary, options: CrawlOptions) -> None:
    if options.json:
        print_json(to_builtins(left))
    if options.quiet:
        return
    lost = f", {left.lost} refused because their leases had expired" if left.lost else ""
    say(f"this worker: {left.visits} visits{lost}")
    why = HINTS.get(left.reason, left.reason) if left.reason else "the run continues without it"
    say(f"stopped: {why}")


def run_on_cluster(topic: str, options: CrawlOptions) -> Exit:
    """The whole command."""
    from leadline.crawler.cluster import connect

    config, _, earlier = read_options(topic, options)
    check_store(config)
    connect(options.cluster)
    store = open_shared_store(config.store.path, is_new=True)
    display = choose_display(is_quiet=options.quiet, is_plain=options.plain)
    started = time.monotonic()
    try:
        has_begun = begin_run(store, config)
        if not options.quiet:
            say(
                f"{'began a run' if has_begun else 'joined the run'} on "
                f"{mask_password(config.store.path)}, placed by Ray at {options.cluster}"
            )
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            reason = runner.run(crawl_on_cluster(config, store, display, options.actors))
        counts = store.reader.counts()
    except asyncio.CancelledError:
        say("left at once; what was delivered is in the store")
        return Exit.INTERRUPTED
    finally:
        display.close()
        store.close()
    result = CrawlResult(reason, counts, mask_password(config.store.path))
    with open_to_read(config.store.path) as seen:
        code = exit_of(reason, earlier.counts, counts)
        conclude(FinishedCrawl(result, seen, time.monotonic() - started, code), config, options)
    return code


def check_store(config: Config) -> None:
    """Raise ConfigError for a store that processes cannot share."""
    if not is_database(config.store.path):
        raise ConfigError(
            f"a cluster needs a store that many can share, not {config.store.path!r}: "
            "--store postgresql://user@host/database"
        )


async def crawl_on_cluster(config: Config, store: Store, display: Display, actors: int) -> str:
    """Place the actors and wait for the end of the run. Ctrl-C stops the run."""
    from leadline.crawler.cluster import ClusterSize, place_actors, watch_over

    calls = StoreCalls()
    StopSignals(display.say).attach(RunStop(store))
    placed = await asyncio.to_thread(place_actors, config, ClusterSize(actors))
    watching = asyncio.create_task(show_progress(display, store, calls))
    try:
        return await watch_over(placed, store, calls)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


class RunStop:
    """A signal to the whole run."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def stop(self, reason: str = "interrupted") -> None:
        self._store.run.stop(reason)


def run_team_harvest(form: str, config: Config, options: HarvestOptions) -> Exit:
    """The whole command, from the settings on."""
    place = config.store.path
    if not is_database(place):
        raise ConfigError(
            f"workers share harvests on a PostgreSQL store, not on {place!r}: "
            "leadline harvest all postgresql://user@host/database --shared"
        )
    with open_to_read(place) as seen:
        subjects = find_stored_sources(form, seen, config)
    store = open_shared_store(place)
    try:
        has_begun = begin_harvest_run(store)
        if not options.quiet:
            say(f"{len(subjects)} forms, shared by all workers on {mask_password(place)}")
        reasons = _harvest(config, store, subjects, options)
        if has_begun:
            store.run.stop(HARVESTED)
    finally:
        store.close()
    return _print_reasons(reasons, options)


def _harvest(
    config: Config, store: Store, subjects: list[HarvestSource], options: HarvestOptions
) -> dict[str, str]:
    if options.cluster:
        from leadline.crawler.cluster import ClusterSize, connect, harvest_on_cluster

        connect(options.cluster)
        return harvest_on_cluster(
            config, [subject.signature for subject in subjects], ClusterSize(options.actors)
        )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(take_part_in_harvest(config, store, subjects))


async def take_part_in_harvest(
    config: Config, store: Store, subjects: list[HarvestSource]
) -> dict[str, str]:
    """Why each harvest of this worker stopped."""
    async with open_harvest_worker(config, store, make_worker_name()) as worker:
        StopSignals(say).attach(worker)
        with suppress(asyncio.CancelledError):
            await worker.run(subjects)
        return worker.reasons


def _print_reasons(reasons: dict[str, str], options: HarvestOptions) -> Exit:
    if options.json:
        print_json(to_builtins(reasons))
    elif not options.quiet:
        for signature, reason in sorted(reasons.items()):
            say(f"{signature}: {reason}")
    return Exit.DONE
