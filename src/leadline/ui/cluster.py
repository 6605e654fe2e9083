"""`leadline crawl --cluster`: the crawl of a team that Ray places, watched from here."""

import asyncio
import time

import uvloop

from leadline.config import Config
from leadline.core.shared import Shared
from leadline.crawler.assembly import CrawlResult
from leadline.crawler.cluster import Size, connect, place, watch_over
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.team import begin_run
from leadline.errors import ConfigError
from leadline.store.address import is_database, shown
from leadline.store.postgres.shared import open_shared
from leadline.ui.crawl import Run, conclude, settle
from leadline.ui.exits import Exit, exit_of
from leadline.ui.live import Display, choose_display
from leadline.ui.options import CrawlOptions
from leadline.ui.output import say
from leadline.ui.steering import Steering
from leadline.ui.worker import watch
from leadline.views.stores import open_to_read


def run_on_cluster(topic: str, options: CrawlOptions) -> Exit:
    """The whole command."""
    config, _, earlier = settle(topic, options)
    check_store(config)
    connect(options.cluster)
    shared = open_shared(config.store.path, is_new=True)
    display = choose_display(is_quiet=options.quiet, is_plain=options.plain)
    started = time.monotonic()
    try:
        has_begun = begin_run(shared, config)
        if not options.quiet:
            say(
                f"{'began a run' if has_begun else 'joined the run'} on "
                f"{shown(config.store.path)}, placed by Ray at {options.cluster}"
            )
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            reason = runner.run(crawl(config, shared, display, options.actors))
        counts = shared.counts()
    except asyncio.CancelledError:
        say("left at once; what was delivered is in the store")
        return Exit.INTERRUPTED
    finally:
        display.close()
        shared.close()
    result = CrawlResult(reason, counts, shown(config.store.path))
    with open_to_read(config.store.path) as store:
        code = exit_of(reason, earlier.counts, counts)
        conclude(Run(result, store, time.monotonic() - started, code), config, options)
    return code


def check_store(config: Config) -> None:
    """Raise ConfigError for a store that processes cannot share."""
    if not is_database(config.store.path):
        raise ConfigError(
            f"a cluster needs a store that many can share, not {config.store.path!r}: "
            "--store postgresql://user@host/database"
        )


async def crawl(config: Config, shared: Shared, display: Display, actors: int) -> str:
    """Place the actors and wait for the end of the run. Ctrl-C stops the run."""
    calls = StoreCalls()
    Steering(display.say).attach(Stopping(shared))
    placed = await asyncio.to_thread(place, config, Size(actors))
    watching = asyncio.create_task(watch(display, shared, calls))
    try:
        return await watch_over(placed, shared, calls)
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)


class Stopping:
    """A signal to the whole run."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared

    def stop(self, reason: str = "interrupted") -> None:
        self._shared.stop(reason)
