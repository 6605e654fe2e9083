"""Puts the members of a team together that crawl on one shared store."""

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from msgspec import Struct

from leadline.backlinks import open_backlinks
from leadline.config import Config
from leadline.config.topic_strategy import find_fallback
from leadline.core.crawl import Event, JudgedForm
from leadline.core.ports import Strategy
from leadline.core.store import RUNNING, STOPPED, Completion, Store
from leadline.crawler.assembly import make_plan, make_reader, read_seeds
from leadline.crawler.decisions import Decider
from leadline.crawler.earlier_crawl import make_taught_strategy
from leadline.crawler.evidence import QuestionTerms
from leadline.crawler.labels import CorrectableReader, LabelUpdates
from leadline.crawler.learning import RENEW_S, Broadcast, Learner, WorkerModel
from leadline.crawler.leases import LeaseTerms, SiteLeases
from leadline.crawler.links import make_seed
from leadline.crawler.loop import CrawlLoop, WorkerParts
from leadline.crawler.network import (
    MakeFetcher,
    StoredRobots,
    StoredServers,
    make_scope,
    make_worker_network,
)
from leadline.crawler.orders import ExclusionUpdates, OrderRunner
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.reading import PageReader
from leadline.crawler.run import RunControl, RunKeeper
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.traps import find_traps
from leadline.errors import ConfigError
from leadline.store.leases import boottime
from leadline.web.politeness import make_spacing

LOOK_S = 0.1
"""Between two looks at the run's state and at models, at least."""


class Clocks(Struct, frozen=True):
    """What the time is: on the wall, since the machine was started, and for waiting."""

    now: Callable[[], float] = time.time
    boot: Callable[[], float] = boottime
    tick: Callable[[], float] = time.monotonic


class MemberParts(Struct, frozen=True):
    """What a member brings along instead of what the settings say."""

    calls: StoreCalls | None = None
    make_fetcher: MakeFetcher | None = None
    """Otherwise it fetches from the Web."""
    reader: PageReader | None = None
    """Otherwise pages are read by the topic."""
    clocks: Clocks = Clocks()
    terms: LeaseTerms | None = None
    """Otherwise those of the settings."""
    broadcast: Broadcast | None = None
    model_s: float = RENEW_S
    """Between two looks for a newer model in the store."""


_PLAIN = MemberParts()


class Member(Struct, frozen=True):
    """One process's part in a run."""

    loop: CrawlLoop
    model: WorkerModel
    learner: Learner

    async def run(self, *, learns: bool = True) -> None:
        """Work until the run is over or `leave`; be the learner whenever no other one is."""
        learning = asyncio.create_task(self.learner.run()) if learns else None
        working = asyncio.create_task(self.loop.run())
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
        """Finish what is under way and end; the run continues without this process."""
        self.loop.leave()
        self.learner.leave()


def make_worker_name() -> str:
    """Unlike that of any other process, before or after."""
    return f"{socket.gethostname()}-{os.getpid()}-{time.time_ns():x}"


def make_lease_terms(config: Config) -> LeaseTerms:
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

    def make(name: str) -> Strategy:
        return make_taught_strategy(config, name)

    return make


def begin_run(store: Store, config: Config, now: Callable[[], float] = time.time) -> bool:
    """Put the seeds, and begin a run unless one is under way; whether this call did.

    Raises ConfigError when there is nothing to begin with.
    """
    seeds = read_seeds(config)
    if seeds:
        store.links.put([make_seed(url) for url in seeds])
    if not store.reader.counts().known:
        raise ConfigError("no seeds: give URLs to start from, or a store that has some")
    if store.run.state().is_under_way:
        return False
    # Before it begins: who joins a run goes by its settings.
    store.save("config", config.dump_for_store())
    if not store.run.begin(config.budget.limits):
        return False
    plan = make_plan(config, make_scope(config, seeds))
    control = RunControl(store, Decider(plan, strategy_maker(config)(config.strategy.name)), now)
    OrderRunner(control, store, None, now).begin()
    store.note(Event(now(), "started", config.topic.name, config.strategy.name))
    return True


class TeamWatch:
    """What a worker of a team sees of the run between two leases."""

    def __init__(
        self,
        store: Store,
        calls: StoreCalls,
        model: WorkerModel,
        exclusions: ExclusionUpdates,
        labels: LabelUpdates | None = None,
    ) -> None:
        self._store = store
        self._calls = calls
        self._model = model
        self._exclusions = exclusions
        self._labels = labels
        self._look_at = 0.0
        self._state = RUNNING

    async def look(self) -> str:
        tick = asyncio.get_running_loop().time()
        if tick >= self._look_at:
            self._look_at = tick + LOOK_S
            self._state = (await self._calls(self._store.run.state)).state
            if self._state != STOPPED:
                await self._model.renew()
                await self._exclusions.renew()
                if self._labels is not None:
                    await self._labels.look()
        return self._state

    def room(self, free: int) -> int:
        return free

    async def note_delivery(self, done: Sequence[Completion]) -> None:
        """Nothing to do: who holds the learner's claim samples the whole run."""

    def note_revision(self, forms: Sequence[JudgedForm]) -> None:
        """Nothing to do: harvests of a team are runs of their own."""


@asynccontextmanager
async def join_team(
    config: Config, store: Store, name: str, parts: MemberParts = _PLAIN
) -> AsyncIterator[Member]:
    """A member of the team on a store, ready to run; closed at the end."""
    calls, clocks, make = parts.calls or StoreCalls(), parts.clocks, strategy_maker(config)
    scope = make_scope(config, read_seeds(config))
    decider = Decider(make_plan(config, scope), make(config.strategy.name))
    decider.traps.restore(await calls(lambda: find_traps(store.reader.events())))
    terms = parts.terms or make_lease_terms(config)
    leases = SiteLeases(store.links, calls, name, terms, clocks.boot)
    robots = StoredRobots(store, calls)
    servers = StoredServers(store.servers, calls, make_spacing(config.politeness))
    fetcher = (parts.make_fetcher or make_worker_network(config, scope))(leases, robots, servers)
    leases.delay_of, leases.led_to = fetcher.delay_of, robots.read_site
    model = WorkerModel(name, store, calls, decider, make, clocks.tick)
    model.model_s = parts.model_s
    losses = ReaderLosses(store, calls, clocks.now)
    reader = parts.reader or make_reader(config, decider.strategy, losses)
    labels = None
    if isinstance(reader, CorrectableReader):
        labels = LabelUpdates(
            *(store, calls, reader, decider, model, config.topic.name), tick=clocks.tick
        )
    exclusions = ExclusionUpdates(store, calls, scope, clocks.tick)
    watch = TeamWatch(store, calls, model, exclusions, labels)
    control = RunControl(store, decider, clocks.now)
    orders = OrderRunner(control, store, scope, clocks.now, clocks.tick)
    keeper = RunKeeper(
        *(control, calls, orders),
        first=config.strategy.name,
        fallback=find_fallback(config),
        sharing=store.servers.describe_sharing,
    )
    learner = Learner(
        name,
        keeper,
        make,
        claim_s=terms.claim_s,
        broadcast=parts.broadcast,
        tick=clocks.tick,
    )
    try:
        with open_backlinks(config.backlinks, store.pages, fetcher) as backlinks:
            tools = WorkerParts(
                *(store, calls, leases, fetcher, reader, model, watch, backlinks, labels, robots),
                questions=QuestionTerms(
                    config.topic.keywords, config.submit, config.budget.pages or None
                )
                if config.crawl.ask_forms
                else None,
            )
            yield Member(CrawlLoop(name, tools, decider, terms, clocks.now), model, learner)
    finally:
        reader.close()
        await fetcher.close()
        await robots.close()
