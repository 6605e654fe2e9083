"""`leadline worker`: one process of many that crawl on the same PostgreSQL store."""

import asyncio
import time
from dataclasses import replace

import uvloop
from msgspec import Struct, to_builtins

from leadline.config import Config
from leadline.core.crawl import Budget, Counts
from leadline.core.shared import Shared
from leadline.crawler.assembly import tuned_memory
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.team import Member, MemberParts, begin_run, joined, own_name
from leadline.errors import ConfigError
from leadline.store.address import is_database, shown
from leadline.store.postgres.shared import open_shared
from leadline.ui.crawl import HINTS, settle
from leadline.ui.exits import Exit
from leadline.ui.live import Display, Progress, Sample, choose_display
from leadline.ui.options import CrawlOptions
from leadline.ui.output import print_json, say
from leadline.ui.steering import Steering


class Left(Struct, frozen=True):
    """How a worker ended."""

    name: str
    reason: str
    """Why the run ended; '' when it goes on without this worker."""
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
    config = settle(topic, replace(options, store=address))[0]
    shared = open_shared(address, is_new=True)
    display = choose_display(is_quiet=options.quiet, is_plain=options.plain)
    try:
        has_begun = begin_run(shared, config)
        if not options.quiet:
            say(f"{'began a run' if has_begun else 'joined the run'} on {shown(address)}")
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner, tuned_memory():
            left = runner.run(take_part(config, shared, display))
    except asyncio.CancelledError:
        say("stopped at once; what was not delivered goes to other workers")
        return Exit.INTERRUPTED
    finally:
        display.close()
        shared.close()
    _tell(left, options)
    return Exit.DONE if left.reason else Exit.INTERRUPTED


async def take_part(config: Config, shared: Shared, display: Display) -> Left:
    calls, name = StoreCalls(), own_name()
    async with joined(config, shared, name, MemberParts(calls)) as member:
        Steering(display.say).attach(Leaving(member))
        watching = asyncio.create_task(watch(display, shared, calls))
        try:
            await member.run()
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        run, counts = await calls(shared.run), await calls(shared.counts)
        tally = member.loop.counts
        reason = run.reason if run.state == "stopped" else ""
        return Left(name, reason, tally.visits, tally.lost, counts)


class Leaving:
    """A signal to one worker: the others go on."""

    def __init__(self, member: Member) -> None:
        self._member = member

    def stop(self, reason: str = "") -> None:  # noqa: ARG002 (the signature of what is steered)
        self._member.leave()


async def watch(display: Display, shared: Shared, calls: StoreCalls) -> None:
    """Show how the whole run goes, until cancelled."""
    budgets: list[Budget] = [(await calls(shared.run)).budget]
    progress = Progress(lambda: budgets[-1])
    while True:
        budgets[:] = [(await calls(shared.run)).budget]
        counts = await calls(shared.counts)
        display.show(progress.add(Sample(time.time(), counts)))
        await asyncio.sleep(display.every_s)


def _tell(left: Left, options: CrawlOptions) -> None:
    if options.json:
        print_json(to_builtins(left))
    if options.quiet:
        return
    lost = f", {left.lost} refused because their leases had passed on" if left.lost else ""
    say(f"this worker: {left.visits} visits{lost}")
    why = HINTS.get(left.reason, left.reason) if left.reason else "the run goes on without it"
    say(f"stopped: {why}")
