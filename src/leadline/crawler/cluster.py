"""The same workers, placed and restarted by Ray.

Actors hold no frontier, no budget and no politeness: what they may ask, and when, is in the
store. Any of them may die at any time; Ray starts it again, and it leases what others have not.
Models go into the store first and are then broadcast, so that a node reads each once.
"""

import asyncio
import logging
import os
import socket
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import ray
from msgspec import Struct

from leadline.config import Config
from leadline.core.store import STOPPED, PublishedModel, Store
from leadline.crawler.assembly import tune_memory
from leadline.crawler.harvests.source_choice import find_stored_sources
from leadline.crawler.harvests.team import open_harvest_worker
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.team import Member, MemberParts, join_team, make_worker_name
from leadline.errors import ConfigError
from leadline.store import open_shared_store, open_store_view

_log = logging.getLogger(__name__)

SPREAD = "SPREAD"
LOOK_S = 0.5
"""Between two looks whether the run is over."""
PATIENCE_S = 60.0
"""For actors that have not ended when the run has."""
KNOCK_S = 10.0
"""For the cluster to answer at all."""
MODEL_S = 10.0
"""Between two looks for models in the store: they come by broadcast."""


class ClusterSize(Struct, frozen=True):
    """How much of a cluster is used."""

    crawlers: int = 0
    """0: one for each processor but one."""
    cpus: float = 1.0
    """Processors an actor asks Ray for."""


class CrawlActor:
    """An actor that fetches and parses. `work` lasts as long as the run."""

    def __init__(self, settings: str) -> None:
        self._config = Config.model_validate_json(settings)
        self._member: Member | None = None

    async def work(self) -> tuple[str, int, int]:
        """Its name, visits delivered, and visits that came too late."""
        store, name = open_shared_store(self._config.store.path), make_worker_name()
        try:
            parts = MemberParts(StoreCalls(), model_s=MODEL_S)
            async with join_team(self._config, store, name, parts) as member:
                self._member = member
                with tune_memory():
                    await member.run(learns=False)
                tally = member.loop.counts
                return name, tally.visits, tally.lost
        finally:
            self._member = None
            store.close()

    async def take_model(self, model: PublishedModel) -> None:
        """Decide by this model from here on."""
        if self._member is not None:
            self._member.model.take(model)

    async def process(self) -> int:
        """Its process id, for those who break things."""
        return os.getpid()


class LearnerActor:
    """The actor that learns. `learn` lasts as long as the run."""

    def __init__(self, settings: str, crawlers: Sequence[str]) -> None:
        """`crawlers` are told of each model, by their names: handles would not survive a restart
        of this actor."""
        self._config = Config.model_validate_json(settings)
        self._crawlers = crawlers

    async def learn(self) -> int:
        """Lessons it has learned."""
        store, name = open_shared_store(self._config.store.path), make_worker_name()
        try:
            parts = MemberParts(StoreCalls(), broadcast=self._broadcast)
            async with join_team(self._config, store, name, parts) as member:
                await member.learner.run()
                return member.learner.learned
        finally:
            store.close()

    async def process(self) -> int:
        return os.getpid()

    async def _broadcast(self, model: PublishedModel) -> None:
        # One copy a node, however many actors there are; who misses it has the store.
        shelf = ray.put(model)
        for name in self._crawlers:
            try:
                ray.get_actor(name).take_model.remote(shelf)
            except ValueError:
                _log.warning("there is no actor %s to be told of model %d", name, model.version)


class HarvestActor:
    """An actor that harvests forms."""

    def __init__(self, settings: str) -> None:
        self._config = Config.model_validate_json(settings)

    async def harvest(self, signatures: Sequence[str]) -> dict[str, str]:
        """Why each harvest of this actor stopped."""
        place = self._config.store.path
        store = open_store_view(place)
        try:
            subjects = [find_stored_sources(name, store, self._config)[0] for name in signatures]
        finally:
            store.close()
        shared = open_shared_store(place)
        try:
            async with open_harvest_worker(self._config, shared, make_worker_name()) as worker:
                await worker.run(subjects)
                return worker.reasons
        finally:
            shared.close()


class PlacedRun(Struct, frozen=True):
    """A run's actors, and what they promise."""

    crawlers: Sequence[Any]
    learner_actor: Any
    working: Sequence[Any]
    teaching: Any


def connect(address: str) -> None:
    """Join a cluster: `auto`, `ray://host:10001` or `host:6379`. Raises ConfigError."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if ray.is_initialized():
        return
    try:
        _check_address(address)
        ray.init(
            address=address, namespace="leadline", log_to_driver=False, configure_logging=False
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise ConfigError(
            f"no Ray cluster at {address!r} ({error}); start one with `ray start --head` "
            "and name its address, or `auto` on one of its machines"
        ) from error


def _check_address(address: str) -> None:
    """Raise OSError where nobody listens, and ValueError for what is no address: Ray itself goes
    on trying for many minutes."""
    if address == "auto":
        return
    place = urlsplit(address if "://" in address else f"//{address}")
    if not place.hostname or not place.port:
        raise ValueError("it is no host with a port")
    socket.create_connection((place.hostname, place.port), KNOCK_S).close()


def place_actors(config: Config, size: ClusterSize) -> PlacedRun:
    """Start the actors of a run that was begun on the config's store."""
    settings = config.model_dump_json()
    spread = {
        "num_cpus": size.cpus,
        "max_restarts": -1,
        "max_task_retries": -1,
        "scheduling_strategy": SPREAD,
        "max_concurrency": 100,
    }
    crawler: Any = ray.remote(CrawlActor)
    learner_actor: Any = ray.remote(LearnerActor)
    names = [
        f"{make_worker_name()} crawler {n}" for n in range(size.crawlers or _count_spare(size))
    ]
    crawlers = [crawler.options(**spread, name=name).remote(settings) for name in names]
    learner = learner_actor.options(**{**spread, "num_cpus": 0}).remote(settings, names)
    working = [actor.work.remote() for actor in crawlers]
    return PlacedRun(crawlers, learner, working, learner.learn.remote())


def harvest_on_cluster(
    config: Config, signatures: Sequence[str], size: ClusterSize
) -> dict[str, str]:
    """Harvest forms of a run that was begun on the config's store; why each stopped."""
    harvester: Any = ray.remote(HarvestActor)
    spread = {"num_cpus": size.cpus, "max_restarts": -1, "max_task_retries": -1}
    actors = [
        harvester.options(**spread, scheduling_strategy=SPREAD).remote(config.model_dump_json())
        for _ in range(min(len(signatures), size.crawlers or _count_spare(size)))
    ]
    try:
        reasons: dict[str, str] = {}
        for told in ray.get([actor.harvest.remote(signatures) for actor in actors]):
            reasons |= told
        return reasons
    finally:
        for actor in actors:
            ray.kill(actor)


def _count_spare(size: ClusterSize) -> int:
    """As many as fit, one processor left for the learner."""
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int((resources.get("CPU", 1.0) - 1) // size.cpus))


async def watch_over(placed: PlacedRun, store: Store, calls: StoreCalls) -> str:
    """Wait for the end of the run; why it ended. The actors are gone afterwards."""
    try:
        while (await calls(store.run.state)).state != STOPPED:  # noqa: ASYNC110 (it is in the store)
            await asyncio.sleep(LOOK_S)
        every = [*placed.working, placed.teaching]
        await asyncio.to_thread(ray.wait, every, num_returns=len(every), timeout=PATIENCE_S)
        return (await calls(store.run.state)).reason
    finally:
        for actor in (*placed.crawlers, placed.learner_actor):
            ray.kill(actor)
