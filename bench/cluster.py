"""The same world, the same budget: one process against several workers on one store.

Worlds are the lab's development worlds. Found are distinct relevant search interfaces by the
world's truth. What a worker does not know yet when it decides should be as much as in a real
crawl; how close that comes depends on the store:

    virtual     tasks of one process, in time that jumps over all waiting: the pauses and
                latencies of real sites, many trials (the default, an hour)
    paced       processes on a PostgreSQL, real clocks, shorter pauses
    ray         `leadline crawl` against `leadline crawl --cluster`, over HTTP, on a Ray cluster
                of two nodes; pauses as for paced
    postgres    processes on a PostgreSQL, without pauses

The last line printed is a JSON object of the figures.
"""

import argparse
import asyncio
import json
import math
import multiprocessing
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from statistics import mean, stdev
from typing import TypeVar

import uvloop

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.crawler.virtual import VirtualLoop  # noqa: E402
from tests.postgres.ray_nodes import two_nodes  # noqa: E402

from bench.commands import Order, crawled_alone, crawled_on_ray  # noqa: E402 - after the path
from bench.day import fetcher_for, loop_now  # noqa: E402
from leadline.backlinks import open_backlinks  # noqa: E402
from leadline.config import Config, load_config  # noqa: E402
from leadline.core.crawl import Visit  # noqa: E402
from leadline.core.ports import Fetcher  # noqa: E402
from leadline.core.store import Store  # noqa: E402
from leadline.crawler.assembly import make_plan  # noqa: E402
from leadline.crawler.crawl import Crawl, CrawlParts  # noqa: E402
from leadline.crawler.links import make_seed  # noqa: E402
from leadline.crawler.network import StoredRobots, make_scope  # noqa: E402
from leadline.crawler.reading import InlineReader  # noqa: E402
from leadline.crawler.store_calls import StoreCalls  # noqa: E402
from leadline.crawler.team import Clocks, MemberParts, begin_run, join_team  # noqa: E402
from leadline.store.leases import StoreClock  # noqa: E402
from leadline.store.memory import MemoryStore  # noqa: E402
from leadline.strategies import make_strategy  # noqa: E402
from leadline.web.exchange import Permits  # noqa: E402
from leadline.web.politeness import ServerTurns  # noqa: E402
from leadline_lab.experiments.critics import make_critic  # noqa: E402
from leadline_lab.experiments.grading import Grader  # noqa: E402
from leadline_lab.experiments.lab_web import LabWorld  # noqa: E402
from leadline_lab.server.fetcher import LabFetcher  # noqa: E402
from leadline_lab.server.services import BACKLINKS  # noqa: E402

SEEDS = 10
DOMAINS = ["book", "job", "airfare", "hotel", "auto", "movie"]
PAUSES = {"virtual": 1.0, "paced": 0.5, "ray": 0.5, "postgres": 0.0}
"""Seconds between two requests to a site, by the kind of store."""
CALL_S = 0.005
"""What a call of the store takes in virtual time."""
T = TypeVar("T")


def wanted(o: argparse.Namespace, workers: int) -> dict[str, object]:
    """Settings of one of so many workers."""
    return {
        "strategy.name": o.strategy,
        "strategy.fallback": "",
        "budget.pages": o.pages,
        "crawl.concurrency": max(1, o.width // workers),
        "cluster.links_per_lease": o.links,
        "cluster.pages_per_lease": o.turn,
        "politeness.delay_s": PAUSES[o.store],
        "backlinks.provider": "service",
        "backlinks.address": f"http://{BACKLINKS}/links",
    }


def settings(o: argparse.Namespace, world: LabWorld, workers: int) -> Config:
    start = {"seeds": list(world.seeds(o.domain, SEEDS)), "topic.name": o.domain}
    return load_config(settings={**start, **wanted(o, workers)})[0]


def reader_for(o: argparse.Namespace, world: LabWorld, config: Config) -> InlineReader:
    critic = make_critic(o.critic, world, o.domain, 0)
    return InlineReader(critic, config.urls.rules, config.page.limits)  # type: ignore[arg-type]


def found(o: argparse.Namespace, world: LabWorld, visits: Iterable[Visit]) -> int:
    grader = Grader(world.truth, o.domain, o.pages)
    for visit in visits:
        grader.grade(visit)
    return grader.now.forms


async def alone(o: argparse.Namespace, seed_number: int) -> dict[str, float]:
    """The crawl in one process."""
    world = LabWorld(o.profile, seed_number)
    config = settings(o, world, 1)
    strategy = make_strategy(o.strategy)
    width = strategy.features.width if strategy.features else 0
    store = MemoryStore(width, clock_of(o))
    store.links.put([make_seed(url) for url in world.seeds(o.domain, SEEDS)])
    fetcher: Fetcher = LabFetcher(world, now=time.time)
    now: Callable[[], float] = time.time
    if PAUSES[o.store]:
        now, fetcher = loop_now, fetcher_for(world, config, store)
    begun = time.perf_counter()
    with open_backlinks(config.backlinks, store.pages, fetcher) as backlinks:
        parts = CrawlParts(store, fetcher, reader_for(o, world, config), strategy, backlinks)
        await Crawl(parts, make_plan(config, make_scope(config, [])), now).run()
    return _figures(o, world, list(store.reader.visits()), time.perf_counter() - begun)


def clock_of(o: argparse.Namespace) -> StoreClock:
    """The store's: in virtual time that of the event loop."""
    return (
        StoreClock(loop_now, asyncio.get_running_loop().time) if PAUSES[o.store] else StoreClock()
    )


async def after_a_moment(call: Callable[[], T]) -> T:
    """A database takes its time, too."""
    await asyncio.sleep(CALL_S)
    return call()


async def take_part(
    o: argparse.Namespace, world: LabWorld, config: Config, store: Store, name: str
) -> None:
    def make_fetcher(permits: Permits, rules: StoredRobots, _servers: ServerTurns) -> Fetcher:
        if PAUSES[o.store]:
            now = loop_now if o.store == "virtual" else time.time
            return fetcher_for(world, config, rules, permits, now)
        return LabFetcher(world, now=time.time, permits=permits)

    if o.store == "virtual":
        tick = asyncio.get_running_loop().time
        calls, clocks = StoreCalls(after_a_moment), Clocks(loop_now, tick, tick)
    else:
        calls, clocks = StoreCalls(), Clocks()
    parts = MemberParts(calls, make_fetcher, reader_for(o, world, config), clocks)
    async with join_team(config, store, name, parts) as member:
        await member.run()


async def in_memory(o: argparse.Namespace, seed_number: int, workers: int) -> dict[str, float]:
    """Workers as tasks of this process."""
    world = LabWorld(o.profile, seed_number)
    config = settings(o, world, workers)
    strategy = make_strategy(o.strategy)
    store = MemoryStore(strategy.features.width if strategy.features else 0, clock_of(o))
    begin_run(store, config, loop_now)
    begun = time.perf_counter()
    names = [f"w{number}" for number in range(workers)]
    await asyncio.gather(*(take_part(o, world, config, store, name) for name in names))
    return _figures(o, world, list(store.reader.visits()), time.perf_counter() - begun)


def _figures(
    o: argparse.Namespace, world: LabWorld, visits: list[Visit], seconds: float
) -> dict[str, float]:
    paid = sum(visit.outcome not in ("robots", "passed-over") for visit in visits)
    return {
        "forms": found(o, world, visits),
        "visits": paid,
        "pages_per_s": round(paid / seconds, 1),
    }


def as_processes(o: argparse.Namespace, seed_number: int, workers: int) -> dict[str, float]:
    """Workers as processes on a PostgreSQL of their own."""
    from tests.postgres.server import Server

    from leadline.store import open_shared_store, open_store_view

    server = Server()
    try:
        url = server.url()
        world = LabWorld(o.profile, seed_number)
        config = settings(o, world, workers)
        shared = open_shared_store(url, is_new=True)
        begin_run(shared, config)
        arguments = [*sys.argv[1:], "--member", url, "--world", str(seed_number)]
        arguments += ["--domain", o.domain]
        arguments += ["--share", str(workers)]
        begun = time.perf_counter()
        command = [sys.executable, str(Path(__file__)), *arguments]
        members = [subprocess.Popen([*command, "--name", f"w{n}"]) for n in range(workers)]
        for member in members:
            assert member.wait() == 0
        seconds = time.perf_counter() - begun
        shared.close()
        store = open_store_view(url)
        visits = list(store.reader.visits())
        store.close()
        return _figures(o, world, visits, seconds)
    finally:
        server.stop()


def by_command(o: argparse.Namespace, actors: int = 0) -> dict[str, float]:
    """By leadline's commands, over HTTP; without actors in one process."""
    order = Order(o.profile, o.world, o.domain, SEEDS, wanted(o, max(1, actors)))
    begun = time.perf_counter()
    visits = crawled_on_ray(order, o.address, actors) if actors else crawled_alone(order)
    return _figures(o, LabWorld(o.profile, o.world), visits, time.perf_counter() - begun)


def be_member(o: argparse.Namespace) -> None:
    from leadline.store import open_shared_store

    world = LabWorld(o.profile, o.world)
    config = settings(o, world, o.share)
    store = open_shared_store(o.member)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(take_part(o, world, config, store, o.name))
    store.close()


def runs(o: argparse.Namespace) -> Iterable[tuple[str, dict[str, float]]]:
    """Each contender in one world and domain."""
    if o.store == "ray":
        yield "local", by_command(o)
        for workers in o.workers:
            yield f"{workers} workers", by_command(o, workers)
        return
    for width in o.local_widths or [o.width]:
        loop = VirtualLoop if PAUSES[o.store] else uvloop.new_event_loop
        with asyncio.Runner(loop_factory=loop) as runner:
            one = argparse.Namespace(**{**vars(o), "width": width})
            name = "local" if width == o.width else f"local, width {width}"
            yield name, runner.run(alone(one, o.world))
    for workers in o.workers:
        if o.store != "virtual":
            yield f"{workers} workers", as_processes(o, o.world, workers)
        else:
            with asyncio.Runner(loop_factory=VirtualLoop) as runner:
                yield f"{workers} workers", runner.run(in_memory(o, o.world, workers))


def trial(o: argparse.Namespace) -> dict[str, dict[str, float]]:
    rows = dict(runs(o))
    for name, row in rows.items():
        print(f"world {o.world} {o.domain:<10} {name:<18} {row}", flush=True)
    return rows


def trials(o: argparse.Namespace) -> Iterable[dict[str, dict[str, float]]]:
    worlds = range(o.first_seed, o.first_seed + o.worlds)
    every = [
        argparse.Namespace(**{**vars(o), "world": world, "domain": domain})
        for world, domain in product(worlds, o.domains)
    ]
    if o.jobs == 1:
        yield from map(trial, every)
    else:
        with ProcessPoolExecutor(o.jobs, multiprocessing.get_context("spawn")) as pool:
            yield from pool.map(trial, every)


def compare(o: argparse.Namespace) -> dict[str, object]:
    rows: dict[str, list[dict[str, float]]] = {}
    for one in trials(o):
        for name, row in one.items():
            rows.setdefault(name, []).append(row)
    forms = {name: sum(row["forms"] for row in every) for name, every in rows.items()}
    return {
        "strategy": o.strategy,
        "store": o.store,
        "pages": o.pages,
        "worlds": o.worlds,
        "domains": o.domains,
        "trials": len(rows["local"]),
        "forms": forms,
        "against_local": {
            name: round(count / forms["local"] - 1, 4) for name, count in forms.items()
        },
        "standard_error": {name: _error(every, rows["local"]) for name, every in rows.items()},
        "pages_per_s": {
            name: round(mean(row["pages_per_s"] for row in every), 1)
            for name, every in rows.items()
        },
        "visits": {name: sum(row["visits"] for row in every) for name, every in rows.items()},
    }


def _error(rows: list[dict[str, float]], local: list[dict[str, float]]) -> float:
    """Of the forms found against one process, over all trials."""
    apart = [one["forms"] - other["forms"] for one, other in zip(rows, local, strict=True)]
    if len(apart) < 2:
        return 0.0
    return round(stdev(apart) * math.sqrt(len(apart)) / sum(row["forms"] for row in local), 4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strategy", default="sitewise")
    parser.add_argument("--profile", default="dev-mid")
    parser.add_argument("--domains", nargs="+", default=DOMAINS)
    parser.add_argument("--domain", default="", help=argparse.SUPPRESS)
    parser.add_argument("--critic", default="keywords")
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--width", type=int, default=16, help="sites at the same time, in all")
    parser.add_argument("--local-widths", type=int, nargs="*", help="how much one process varies")
    parser.add_argument("--links", type=int, default=10, help="of one lease")
    parser.add_argument("--turn", type=int, default=1, help="pages of one lease")
    parser.add_argument("--worlds", type=int, default=72)
    parser.add_argument("--first-seed", type=int, default=41)
    parser.add_argument("--workers", type=int, nargs="*", default=[2, 4])
    parser.add_argument("--jobs", type=int, default=2, help="trials at the same time")
    parser.add_argument("--store", choices=list(PAUSES), default="virtual")
    parser.add_argument("--address", default="", help="of a Ray cluster; otherwise one of its own")
    parser.add_argument("--member", default="", help=argparse.SUPPRESS)
    parser.add_argument("--name", default="", help=argparse.SUPPRESS)
    parser.add_argument("--world", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--share", type=int, default=1, help=argparse.SUPPRESS)
    o = parser.parse_args()
    if o.member:
        be_member(o)
    elif o.store == "ray" and not o.address:
        # Every trial has its actors and their learner.
        with two_nodes(cpus=o.jobs * max(o.workers)) as o.address:
            print(json.dumps(compare(o)))
    else:
        print(json.dumps(compare(o)))


if __name__ == "__main__":
    main()
