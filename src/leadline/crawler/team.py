"""Puts the members of a team together that crawl on one shared store."""

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from msgspec import Struct

from leadline.backlinks import open_backlinks
from leadline.config import Config
from leadline.core import running
from leadline.core.crawl import Event
from leadline.core.ports import Strategy
from leadline.core.running import RunState
from leadline.core.shared import STOPPED, Shared
from leadline.crawler.assembly import make_plan, make_reader, read_seeds
from leadline.crawler.decisions import Decider
from leadline.crawler.learner import Broadcast, Learner, School
from leadline.crawler.leases import LeaseTerms, SiteLeases
from leadline.crawler.links import Scope, make_seed
from leadline.crawler.network import MakeFetcher, StoredRobots, make_scope, worker_network
from leadline.crawler.orders import ExclusionUpdates, OrderRunner
from leadline.crawler.pupil import RENEW_S, Pupil
from leadline.crawler.reading import PageReader
from leadline.crawler.steering_shared import SharedInbox, SharedRun
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.worker import Tools, Worker
from leadline.errors import ConfigError
from leadline.store.address import without_password
from leadline.store.leases import boottime
from leadline.strategies import make_strategy


class Clocks(Struct, frozen=True):
    """What the time is: on the wall, since the machine was started, and for waiting."""

    now: Callable[[], float] = time.time
    boot: Callable[[], float] = boottime
    tick: Callable[[], float] = time.monotonic


class Outfit(Struct, frozen=True):
    """What a member brings along instead of what the settings say."""

    calls: StoreCalls | None = None
    make_fetcher: MakeFetcher | None = None
    """Otherwise it fetches from the Web."""
    reader: PageReader | None = None
    """Otherwise pages are read by the topic."""
    clocks: Clocks = Clocks()
    broadcast: Broadcast | None = None
    model_s: float = RENEW_S
    """Between two looks for a newer model in the store."""


_PLAIN = Outfit()


class Member(Struct, frozen=True):
    """One process's part in a run."""

    worker: Worker
    learner: Learner

    async def run(self, *, learns: bool = True) -> None:
        """Work until the run is over or `leave`; be the learner whenever no other one is."""
        learning = asyncio.create_task(self.learner.run()) if learns else None
        working = asyncio.create_task(self.worker.run())
        tasks = {working} | ({learning} if learning else set())
        try:
            # Whichever fails first ends the other; a worker that leaves ends its learner.
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            self.learner.leave()
            for task in tasks:
                await task
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def leave(self) -> None:
        """Finish what is under way and end; the run goes on without this process."""
        self.worker.leave()
        self.learner.leave()


def own_name() -> str:
    """Unlike that of any other process, before or after."""
    return f"{socket.gethostname()}-{os.getpid()}-{time.time_ns():x}"


def terms_of(config: Config) -> LeaseTerms:
    cluster, lease_s = config.cluster, config.cluster.lease_s
    # A page that takes as long as it may must still be delivered in time.
    reserve_s = min(config.web.total_timeout_s + cluster.lease_margin_s, lease_s / 2)
    return LeaseTerms(
        width=config.crawl.concurrency,
        urls=cluster.links_per_lease,
        turn=cluster.pages_per_lease,
        lease_s=lease_s,
        margin_s=cluster.lease_margin_s,
        reserve_s=reserve_s,
        pause_s=config.politeness.delay_s,
        batch=max(1, cluster.batch_links // cluster.links_per_lease),
        batch_s=cluster.batch_wait_s,
        claim_s=cluster.learner_timeout_s,
    )


def strategy_maker(config: Config) -> Callable[[str], Strategy]:
    """Strategies by name: the first with the settings given."""
    wanted = config.strategy

    def make(name: str) -> Strategy:
        return make_strategy(name, wanted.own if name == wanted.name else None)

    return make


def begin_run(shared: Shared, config: Config, now: Callable[[], float] = time.time) -> bool:
    """Put the seeds, and begin a run unless one is going on; whether this call did.

    Raises ConfigError when there is nothing to begin with.
    """
    seeds = read_seeds(config)
    if seeds:
        shared.put([make_seed(url) for url in seeds])
    if not shared.counts().known:
        raise ConfigError("no seeds: give URLs to start from, or a store that has some")
    if shared.run().state != STOPPED:
        return False
    # Before it begins: who joins a run goes by its settings.
    shared.save("config", settings_kept(config))
    if not shared.begin(config.budget.limits):
        return False
    plan = make_plan(config, make_scope(config, seeds))
    OrderRunner(SharedRun(shared, plan), SharedInbox(shared), None, now).begin()
    told = running.encoded(RunState(running.RUNNING, now()))
    shared.save(running.KEY, told)
    shared.note(Event(now(), "started", config.topic.name, config.strategy.name))
    return True


def settings_kept(config: Config) -> bytes:
    """The settings as a store keeps them: without passwords."""
    place = without_password(config.store.path)
    kept = config.model_copy(update={"store": config.store.model_copy(update={"path": place})})
    return kept.model_dump_json().encode()


@asynccontextmanager
async def joined(
    config: Config, shared: Shared, name: str, outfit: Outfit = _PLAIN
) -> AsyncIterator[Member]:
    """A member of the team on a store, ready to run; closed at the end."""
    calls, clocks = outfit.calls or StoreCalls(), outfit.clocks
    scope = make_scope(config, read_seeds(config))
    deciding = Decider(make_plan(config, scope), strategy_maker(config)(config.strategy.name))
    terms = terms_of(config)
    holding = SiteLeases(shared, calls, name, terms, clocks.boot)
    rules = StoredRobots(shared, calls)
    fetcher = (outfit.make_fetcher or worker_network(config, scope))(holding, rules)
    holding.delay_of, holding.led_to = fetcher.delay_of, rules.read_site
    pupil = Pupil(name, shared, calls, deciding, strategy_maker(config), clocks.tick)
    pupil.model_s = outfit.model_s
    reader = outfit.reader or make_reader(config, deciding.strategy)
    excluding = ExclusionUpdates(shared, calls, scope, clocks.tick)
    school = _school(config, shared, calls, deciding, scope, outfit)
    try:
        with open_backlinks(config.backlinks, shared, fetcher) as backlinks:
            tools = Tools(
                shared, calls, holding, fetcher, reader, pupil, backlinks, excluding, rules
            )
            yield Member(
                Worker(name, tools, deciding, terms, clocks.now),
                Learner(name, school, terms.claim_s, clocks.now, clocks.tick),
            )
    finally:
        reader.close()
        await fetcher.close()
        await rules.close()


def _school(
    config: Config,
    shared: Shared,
    calls: StoreCalls,
    deciding: Decider,
    scope: Scope,
    outfit: Outfit,
) -> School:
    wanted, clocks = config.strategy, outfit.clocks
    run = SharedRun(shared, deciding.plan)
    attendant = OrderRunner(run, SharedInbox(shared), scope, clocks.now, clocks.tick)
    return School(
        shared=shared,
        calls=calls,
        make=strategy_maker(config),
        first=wanted.name,
        then=wanted.fallback if wanted.fallback != wanted.name else "",
        rules=deciding.plan.rules,
        look=attendant.look,
        broadcast=outfit.broadcast,
    )
