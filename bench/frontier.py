"""How quickly a store takes in links and gives them out: SQLite and PostgreSQL, with fsync.

    python bench/frontier.py                          1 million URLs, some minutes
    python bench/frontier.py --urls 10000000          half an hour
    python bench/frontier.py --urls 100000 --stores postgres

Three things are measured, in this order, on the same store:

insert    one writer offers twice as many URLs as there are in the end, 10,000 at a time, so
          that half of them are known already (any earlier one, at random). A URL has its
          anchor, the words around it, a tag path and 32 features: 400 bytes.
lease     8 processes lease 10 sites with 10 URLs each and deliver a visit for each URL, as quickly
          as they can. Nothing is fetched and no links are found. SQLite has one process: it takes
          100 sites with a URL each and records the visits.
re-rank   10,000 sites get other ranks of their own.

Processes run with `tune_memory`, as those of a crawl do. PostgreSQL is started for this in a
folder of its own, with SETTINGS; fsync, full_page_writes and synchronous_commit are on. Making up
the URLs is not counted. The table is for people, the last line is JSON.
"""

import argparse
import json
import math
import multiprocessing
import multiprocessing.synchronize
import os
import platform
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from leadline.core.crawl import Budget, Candidate, CandidateId, Lease, Priority, SiteState, Visit
from leadline.core.store import Completion, Delivery
from leadline.core.url import Site, Url
from leadline.crawler.assembly import tune_memory
from leadline.store import open_store
from leadline.store.postgres.connection import connect
from leadline.store.postgres.schema import migrate
from leadline.store.postgres.store import PostgresStore

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.postgres.server import Server

SETTINGS = {
    "shared_buffers": "8GB",
    "max_wal_size": "16GB",
    "checkpoint_timeout": "15min",
    "wal_compression": "lz4",
    "wal_buffers": "64MB",
    "effective_cache_size": "16GB",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
}
BARS = {"insert": 35_000, "lease": 10_000, "re-rank": 0.2}
SITES = 10_000
WIDTH = 32
BATCH = 10_000
WORKERS = 8
SITES_A_LEASE, URLS_A_LEASE = 10, 10
WIDTH_OF_A_WORKER = 64
RANKINGS = 5
TICKS = os.sysconf("SC_CLK_TCK")

chance = np.random.default_rng(7)
FEATURES = [row.tobytes() for row in chance.integers(1, 1 << 18, (1_000, WIDTH), np.int32)]


class Shape(NamedTuple):
    """Of a lease."""

    sites: int
    urls: int
    turn: int
    """URLs of a site that are delivered; the others are given back."""


WHOLE = Shape(SITES_A_LEASE, URLS_A_LEASE, URLS_A_LEASE)
IN_TURNS = Shape(WIDTH_OF_A_WORKER, URLS_A_LEASE, 1)
"""As a worker leases unless it is told otherwise."""


class Figures(NamedTuple):
    """What one store did."""

    store: str
    urls: int
    offered_per_s: float
    new_per_s: float
    insert_cpu_us: float
    """Of all processes, per URL offered."""
    leased_per_s: float
    lease_cpu_us: float
    """Of all processes, per URL leased and delivered."""
    in_turns_per_s: float
    """Leased and delivered one URL of a site at a time; 0: not by many."""
    rerank_s: float
    bytes_per_url: float
    insert_last_per_s: float
    """Offered, over the last tenth."""


class Meter:
    """Wall time and CPU time of a piece of work."""

    def __init__(self, cpu: Callable[[], float]) -> None:
        self._cpu = cpu
        self.wall_s = 0.0
        self.cpu_s = 0.0

    @contextmanager
    def running(self) -> Iterator[None]:
        wall, cpu = time.perf_counter(), self._cpu()
        yield
        self.wall_s += time.perf_counter() - wall
        self.cpu_s += self._cpu() - cpu


def link(number: int) -> Candidate:
    mixed = (number * 2_654_435_761) % 2**32
    site = Site(f"www.site-{mixed % SITES}.example.com")
    return Candidate(
        url=Url(f"http://{site}/catalogue/section-{mixed % 97}/item-{number}.html"),
        site=site,
        priority=Priority(1, mixed / 2**32, "likely"),
        depth=3,
        parent=CandidateId(1 + number // 12),
        anchor=f"the item number {number}",
        around="a few words that stand before\tand a few that stand after it",
        tag_path="body/div.main/ul.items/li",
        features=FEATURES[number % len(FEATURES)],
    )


def batches(urls: int) -> Iterator[list[Candidate]]:
    """Twice as many links as there are URLs, every second one known."""
    draw = random.Random(5)
    for start in range(0, urls, BATCH // 2):
        numbers: list[int] = []
        for number in range(start, min(urls, start + BATCH // 2)):
            numbers += [number, draw.randrange(number + 1)]
        yield [link(number) for number in numbers]


def insert(put: Callable[[list[Candidate]], int], urls: int, meter: Meter) -> float:
    """Put them all; offered per second over the last tenth."""
    new, times = 0, []
    for count, batch in enumerate(batches(urls)):
        with meter.running():
            new += put(batch)
        times.append((len(batch), meter.wall_s))
        if count % 20 == 19:
            say(f"  {new:,} URLs, {2 * new / meter.wall_s:,.0f} offered/s")
    assert new == urls, (new, urls)
    late = times[-max(1, len(times) // 10) :]
    before = times[-len(late) - 1][1] if len(times) > len(late) else 0.0
    return sum(size for size, _ in late) / (late[-1][1] - before)


def visit(lease: Lease) -> Visit:
    candidate = lease.candidate
    return Visit(
        id=lease.id,
        url=candidate.url,
        site=candidate.site,
        outcome="page",
        at=1.7e9,
        status=200,
        size_bytes=20_000,
        title="A page of the catalogue",
        language="en",
        relevance=0.4,
        links=60,
        digest=lease.id * 0x9E37_79B9_7F4A_7C15 & (1 << 64) - 1,
    )


def work(
    url: str,
    name: str,
    shape: Shape,
    seconds: float,
    begin: "multiprocessing.synchronize.Barrier",
    told: "multiprocessing.SimpleQueue[tuple[int, float]]",
) -> None:
    """One worker: leases and delivers until its time is over; tells how many URLs, and its CPU."""
    with tune_memory():
        told.put(_work(PostgresStore(url), name, shape, seconds, begin))


def _work(
    shared: PostgresStore,
    name: str,
    shape: Shape,
    seconds: float,
    begin: "multiprocessing.synchronize.Barrier",
) -> tuple[int, float]:
    begin.wait()
    until, done, cpu_s = time.monotonic() + seconds, 0, time.process_time()
    while time.monotonic() < until:
        deliveries = []
        for lease in shared.links.lease(name, **shape._asdict(), for_s=60.0):
            links = lease.leases[: shape.turn]
            state = SiteState(lease.site.site, pages=lease.site.pages + len(links))
            completions = tuple(Completion(visit(one), state) for one in links)
            deliveries.append(Delivery(lease, completions))
            done += len(completions)
        assert not shared.links.deliver(deliveries)
    shared.close()
    return done, time.process_time() - cpu_s


def measure_postgres(urls: int, seconds: float, folder: Path) -> Figures:
    server = Server(SETTINGS, folder=folder)
    try:
        url = server.url()
        with connect(url) as connection:
            migrate(connection, url)
        shared = PostgresStore(url)
        shared.run.begin(Budget())
        say(f"postgres: {version(url)}")
        writing = Meter(lambda: own_cpu_s() + family_cpu_s(server.pid))
        last = insert(shared.links.put, urls, writing)
        size = size_of(url)
        tidy(url)
        leasing, leased = lease_by_many(server, url, WHOLE, seconds)
        turning, turned = lease_by_many(server, url, IN_TURNS, seconds)
        rerank_s = statistics.median(rerank(shared.links.rank_sites) for _ in range(RANKINGS))
        shared.close()
        row = figures("postgres", urls, writing, (leasing, leased), rerank_s, size, last)
        return row._replace(in_turns_per_s=round(turned / turning.wall_s))
    finally:
        server.stop()


def lease_by_many(server: Server, url: str, shape: Shape, seconds: float) -> tuple[Meter, int]:
    meter = Meter(lambda: family_cpu_s(server.pid))
    context = multiprocessing.get_context("spawn")
    told: multiprocessing.SimpleQueue[tuple[int, float]] = context.SimpleQueue()
    begin = context.Barrier(WORKERS + 1)
    workers = [
        context.Process(target=work, args=(url, f"worker {n}", shape, seconds, begin, told))
        for n in range(WORKERS)
    ]
    for worker in workers:
        worker.start()
    begin.wait()
    with meter.running():
        done = [told.get() for _ in workers]
    for worker in workers:
        worker.join()
    meter.cpu_s += sum(cpu_s for _, cpu_s in done)
    return meter, sum(count for count, _ in done)


def measure_sqlite(urls: int, seconds: float, folder: Path) -> Figures:
    path = folder / "crawl.db"
    store = open_store(path, width=WIDTH)

    def put(batch: list[Candidate]) -> int:
        new = store.links.put(batch)
        store.flush()
        return new

    writing, leasing, leased = Meter(own_cpu_s), Meter(own_cpu_s), 0
    store.run.begin(Budget())
    last = insert(put, urls, writing)
    size = sum(file.stat().st_size for file in folder.iterdir())
    with leasing.running():
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            sites = SITES_A_LEASE * URLS_A_LEASE
            for one in store.links.lease("bench", sites=sites, urls=1, for_s=math.inf):
                done = Completion(visit(one.leases[0]), SiteState(one.site.site, pages=1))
                store.links.deliver([Delivery(one, (done,))])
                leased += 1
        store.flush()

    def rank_all(ranks: list[tuple[Site, Priority]]) -> None:
        store.links.rank_sites(ranks)
        store.flush()

    rerank_s = statistics.median(rerank(rank_all) for _ in range(RANKINGS))
    store.close()
    return figures("sqlite", urls, writing, (leasing, leased), rerank_s, size, last)


def rerank(rank_sites: Callable[[list[tuple[Site, Priority]]], None]) -> float:
    """Seconds to give all sites other ranks."""
    ranks = [
        (Site(f"www.site-{n}.example.com"), Priority(0, random.random())) for n in range(SITES)
    ]
    start = time.perf_counter()
    rank_sites(ranks)
    return time.perf_counter() - start


def figures(
    store: str,
    urls: int,
    writing: Meter,
    leasing: tuple[Meter, int],
    rerank_s: float,
    size: int,
    last: float,
) -> Figures:
    meter, leased = leasing
    return Figures(
        store=store,
        urls=urls,
        offered_per_s=round(2 * urls / writing.wall_s),
        new_per_s=round(urls / writing.wall_s),
        insert_cpu_us=round(1e6 * writing.cpu_s / (2 * urls), 1),
        leased_per_s=round(leased / meter.wall_s),
        lease_cpu_us=round(1e6 * meter.cpu_s / max(1, leased), 1),
        in_turns_per_s=0,
        rerank_s=round(rerank_s, 3),
        bytes_per_url=round(size / urls),
        insert_last_per_s=round(last),
    )


def own_cpu_s() -> float:
    return time.process_time()


def family_cpu_s(parent: int) -> float:
    """CPU time of a process and its children: those that live, and those that have ended."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(stat.parent.name) == parent:
            total += sum(map(int, fields[11:15]))
        elif int(fields[1]) == parent:
            total += int(fields[11]) + int(fields[12])
    return total / TICKS


def version(url: str) -> str:
    with connect(url) as connection:
        return str(connection.execute("SELECT version()").fetchall()[0][0]).split(" on ")[0]


def size_of(url: str) -> int:
    with connect(url) as connection:
        query = "SELECT pg_database_size(current_database())"
        return int(connection.execute(query).fetchall()[0][0])


def tidy(url: str) -> None:
    """What autovacuum does within minutes: the measured part is seconds long."""
    with connect(url, is_bounded=False) as connection:
        connection.execute("VACUUM ANALYZE")


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


MEASURES = {"sqlite": measure_sqlite, "postgres": measure_postgres}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--urls", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--stores", nargs="+", choices=sorted(MEASURES), default=list(MEASURES))
    parser.add_argument("--seconds", type=float, default=20.0, help="of leasing")
    options = parser.parse_args()
    rows: list[Figures] = []
    for urls in options.urls:
        for name in options.stores:
            with tempfile.TemporaryDirectory(prefix="frontier-") as folder, tune_memory():
                rows.append(MEASURES[name](urls, options.seconds, Path(folder)))
    report(rows)


def report(rows: list[Figures]) -> None:
    print(" ".join(f"{name:>17}" for name in Figures._fields))
    for row in rows:
        cells = (f"{value:,}" if not isinstance(value, str) else value for value in row)
        print(" ".join(f"{cell:>17}" for cell in cells))
    load = [round(one, 1) for one in os.getloadavg()]
    print(f"{os.cpu_count()} cores, load {load}, {WORKERS} workers, {platform.platform()}")
    held = [_holds(row) for row in rows if row.store == "postgres"]
    summary = {
        "rows": [row._asdict() for row in rows],
        "bars": BARS,
        "held": all(held),
        "settings": SETTINGS,
        "load": load,
    }
    print(json.dumps(summary))


def _holds(row: Figures) -> bool:
    return (
        row.offered_per_s >= BARS["insert"]
        and row.leased_per_s >= BARS["lease"]
        and row.rerank_s <= BARS["re-rank"]
    )


if __name__ == "__main__":
    main()
