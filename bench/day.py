"""A day of crawling in compressed time: does a crawl stay as quick and as small as it began?

A world of the lab answers, from a process of its own, so that memory and processor time are the
crawl's alone. The event loop's clock jumps over all waiting: politeness, pauses and latencies are
those of a real day, and only the computing takes time.
The whole is 2 million pages; `--scale 20` crawls a twentieth. Memory, size on disk and the
processor's time for a page are taken forty times on the way. Ctrl-C ends it early. The last line
printed is a JSON object of the figures.

    python bench/day.py                              a file, hours
    python bench/day.py --scale 20                   a twentieth of it, minutes
    python bench/day.py --scale 20 --store postgres  the same in a PostgreSQL database
"""

import argparse
import asyncio
import json
import multiprocessing
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any, Protocol, cast

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.crawler.virtual import VirtualLoop  # noqa: E402 - after the path

from leadline.config import Config, load_config  # noqa: E402
from leadline.core.http import Request, Response  # noqa: E402
from leadline.core.store import Store  # noqa: E402
from leadline.core.url import Url, site_of  # noqa: E402
from leadline.crawler.assembly import make_plan, make_strategies, tune_memory  # noqa: E402
from leadline.crawler.crawl import Crawl, CrawlParts  # noqa: E402
from leadline.crawler.links import make_seed  # noqa: E402
from leadline.crawler.network import make_scope  # noqa: E402
from leadline.crawler.reading import InlineReader  # noqa: E402
from leadline.store.indexed import IndexedStore  # noqa: E402
from leadline.store.leases import StoreClock  # noqa: E402
from leadline.store.sqlite import SqliteStore  # noqa: E402
from leadline.topics import KEYWORDS, KeywordTopic, TopicCritic  # noqa: E402
from leadline.web.exchange import UNLIMITED, BodyLimits, Permits, RequestCount  # noqa: E402
from leadline.web.fetcher import HttpFetcher, RetryingSender  # noqa: E402
from leadline.web.politeness import Gate  # noqa: E402
from leadline.web.robots import Robots  # noqa: E402
from leadline_lab.experiments.canvas import COLOURS, as_svg, panels  # noqa: E402
from leadline_lab.experiments.lab_web import LabWorld  # noqa: E402
from leadline_lab.reply import Reply  # noqa: E402
from leadline_lab.server.fetcher import RequestClock, WorldExchange, as_seen  # noqa: E402
from leadline_lab.server.transport import Answering  # noqa: E402

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGES = 2_000_000
LATENCY_S = 0.3
SAMPLES = 40
WIDTH = 8
MIDDAY = 1_700_000_000.0
PAGE_BYTES = 4_096
"""Of memory."""


@dataclass(frozen=True)
class Sample:
    pages: int
    visits: int
    """Pages, and what brought none."""
    hours: float
    """Of the crawl's own time."""
    sites: int
    known: int
    memory_mb: float
    disk_mb: float
    cpu_ms: float
    """For a page, since the sample before."""
    pages_per_s: float
    """Of the crawl's own time, since the sample before."""


class Away:
    """A world in a process of its own, which ends with this one.

    It works ahead on what it was told to expect, while the crawl is at other things.
    """

    def __init__(self, profile: str, seed: int) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._line, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_be_world, args=(theirs, profile, seed), daemon=True)
        self._process.start()
        theirs.close()
        self._expected: deque[Url] = deque()
        self._ahead: dict[Url, Reply] = {}

    def expect(self, request: Request, at: float) -> None:
        self._line.send((request, at))
        self._expected.append(request.url)

    def answer(self, request: Request, now: float) -> Reply:
        """That of the request expected last for this address; sites are asked one at a time."""
        if request.url not in self._expected and request.url not in self._ahead:
            self.expect(request, now)
        while request.url in self._expected:
            self._ahead[self._expected.popleft()] = cast(Reply, self._line.recv())
        return self._ahead.pop(request.url)

    def seeds(self, domain: str, n: int) -> list[Url]:
        return cast(list[Url], self._ask((domain, n)))

    def close(self) -> None:
        self._line.close()
        self._process.join()

    def _ask(self, question: tuple[object, object]) -> object:
        self._line.send(question)
        return self._line.recv()


def _be_world(line: "Connection[object, object]", profile: str, seed: int) -> None:
    world = LabWorld(profile, seed)
    with suppress(EOFError):
        while True:
            first, second = cast(tuple[Any, Any], line.recv())
            is_page = isinstance(first, Request)
            line.send(world.answer(first, second) if is_page else list(world.seeds(first, second)))


class DayExchange(WorldExchange):
    """Answers from the world, after the site's turn and a latency in the crawl's time."""

    async def send(
        self, request: Request, limits: BodyLimits, count: RequestCount, floor_s: float
    ) -> Response:
        await self._permits.obtain(site_of(request.url), request.url)
        turn = await self._gate.enter(site_of(request.url), request.url)
        try:
            if isinstance(self._world, Away):
                self._world.expect(as_seen(request), self._now() + LATENCY_S)
            await asyncio.sleep(LATENCY_S)
            return await super().send(request, limits, count, floor_s)
        finally:
            self._gate.leave(turn, LATENCY_S, floor_s)


class Kept(Protocol):
    """Where robots.txt is kept."""

    def load(self, key: str) -> bytes | None: ...

    def save(self, key: str, value: bytes) -> None: ...


def loop_now() -> float:
    """The wall clock of a crawl in the time of its event loop."""
    return MIDDAY + asyncio.get_running_loop().time()


def fetcher_for(
    world: Answering,
    config: Config,
    store: Kept,
    permits: Permits = UNLIMITED,
    now: Callable[[], float] = loop_now,
) -> HttpFetcher:
    """Fetches from the world in the time of the event loop, politely."""
    loop = asyncio.get_running_loop()
    gate = Gate(config.politeness, now, clock=loop.time)
    exchange = DayExchange(world, gate, 30.0, RequestClock(), now, permits)  # type: ignore[arg-type]
    sender = RetryingSender(exchange, gate)
    robots = Robots(
        config.robots, "leadline", sender.send, gate, load=store.load, save=store.save, now=now
    )
    return HttpFetcher(
        sender, robots, gate, config.web, in_scope=lambda _: "", now=now, close=_nothing
    )


async def _nothing() -> None:
    pass


class Diary:
    """Takes a sample whenever another fortieth of the pages is there."""

    def __init__(self, store: Store, pages: int, size_bytes: "Size", samples: list[Sample]) -> None:
        self._samples = samples
        self._store = store
        self._step = pages // SAMPLES
        self._size_bytes = size_bytes
        self._cpu_s = time.process_time()
        self._pages = 0
        self._hours = 0.0

    def look(self) -> None:
        counts = self._store.reader.counts()
        new = counts.pages - self._pages
        if new < self._step:
            return
        cpu_s = time.process_time()
        hours = asyncio.get_running_loop().time() / 3_600
        sample = Sample(
            pages=counts.pages,
            visits=counts.visits,
            hours=hours,
            sites=counts.sites,
            known=counts.known,
            memory_mb=memory_mb(),
            disk_mb=self._size_bytes() / 1e6,
            cpu_ms=1_000 * (cpu_s - self._cpu_s) / new,
            pages_per_s=new / (hours - self._hours) / 3_600,
        )
        self._samples.append(sample)
        self._cpu_s, self._pages, self._hours = time.process_time(), counts.pages, hours
        print(
            f"{sample.pages:>9,} pages {sample.hours:5.1f} h {sample.sites:>6,} sites "
            f"{sample.known:>10,} known {sample.memory_mb:6.0f} MB {sample.disk_mb:8.0f} MB on "
            f"disk {sample.cpu_ms:6.2f} ms a page {sample.pages_per_s:6.1f} pages/s",
            flush=True,
        )


def memory_mb() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES / 1e6


async def crawl(
    o: argparse.Namespace, place: str, size_bytes: "Size", samples: list[Sample]
) -> None:
    pages = PAGES // o.scale
    world = Away(o.profile, o.seed)
    config = load_config(
        settings={
            "topic.name": o.domain,
            "strategy.name": o.strategy,
            "strategy.fallback": "" if o.strategy == "breadth_first" else "breadth_first",
            "budget.pages": pages,
            "scope.max_pages_per_site": o.most,
            "crawl.concurrency": WIDTH,
            "store.memory_links": max(1_000, 1_000_000 // o.scale),
            "backlinks.provider": "none",
        }
    )[0]
    strategy, then = make_strategies(config)
    width = strategy.features.width if strategy.features else 0
    clock = StoreClock(loop_now, asyncio.get_running_loop().time)
    store: IndexedStore
    if place.startswith("postgresql"):
        from leadline.store.postgres.journal import AlonePostgresStore

        store = AlonePostgresStore(place, width, config.store.memory_links, clock)
    else:
        store = SqliteStore(Path(place), width, config.store.memory_links, clock)
    store.links.put([make_seed(url) for url in world.seeds(o.domain, 200)])
    fetcher = fetcher_for(world, config, store)
    critic = TopicCritic(KeywordTopic(o.domain, KEYWORDS[o.domain]))
    reader = InlineReader(critic, config.urls.rules, config.page.limits)
    parts = CrawlParts(store, fetcher, reader, strategy, fallback=then)
    run = Crawl(parts, make_plan(config, make_scope(config, [])), loop_now)
    diary = Diary(store, pages, size_bytes, samples)
    crawling = asyncio.create_task(run.run())
    while not crawling.done():
        await asyncio.wait([crawling], timeout=20.0)
        diary.look()
    print("ended:", crawling.result(), store.reader.counts(), flush=True)
    store.close()
    world.close()


class Size:
    """Of the store on disk."""

    def __init__(self, place: str) -> None:
        self._place = place

    def __call__(self) -> int:
        if self._place.startswith("postgresql"):
            import psycopg

            with psycopg.connect(self._place) as connection:
                row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
            return int(row[0]) if row else 0
        place = Path(self._place)
        return sum(part.stat().st_size for part in place.parent.glob(place.name + "*"))


@contextmanager
def a_place(o: argparse.Namespace) -> Iterator[str]:
    with ExitStack() as stack:
        if o.store == "postgres":
            from tests.postgres.server import Server

            server = Server()
            stack.callback(server.stop)
            yield server.url()
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="day-", dir=o.folder))
            yield str(Path(folder) / "day.leadline")


def figures(o: argparse.Namespace, samples: list[Sample]) -> dict[str, object]:
    """The first tenth warms up; the second is the start, the last the end."""
    tenth = max(1, len(samples) // 10)
    start, end = samples[tenth : 2 * tenth] or samples[:1], samples[-tenth:]
    first_ms = mean(sample.cpu_ms for sample in start)
    last_ms = mean(sample.cpu_ms for sample in end)
    last = samples[-1]
    return {
        "store": o.store,
        "scale": o.scale,
        "strategy": o.strategy,
        "pages": last.pages,
        "visits": last.visits,
        "sites": last.sites,
        "known": last.known,
        "hours": round(last.hours, 1),
        "memory_mb_at_start": round(start[-1].memory_mb),
        "memory_mb_halfway": round(samples[len(samples) // 2].memory_mb),
        "memory_mb_at_end": round(last.memory_mb),
        "disk_bytes_a_page": round(last.disk_mb * 1e6 / last.pages),
        "cpu_ms_at_start": round(first_ms, 2),
        "cpu_ms_at_end": round(last_ms, 2),
        "throughput_at_end": round(first_ms / last_ms, 3),
        "pages_per_s_at_start": round(mean(sample.pages_per_s for sample in start), 1),
        "pages_per_s_at_end": round(mean(sample.pages_per_s for sample in end), 1),
        "samples": [asdict(sample) for sample in samples[:: max(1, len(samples) // 10)]],
    }


@as_svg
def picture(samples: Sequence[Sample]) -> "Figure":
    """Memory, disk and processor against the pages read."""
    told: dict[str, Callable[[Sample], float]] = {
        "memory, MB": lambda sample: sample.memory_mb,
        "on disk, MB": lambda sample: sample.disk_mb,
        "processor time for a page, ms": lambda sample: sample.cpu_ms,
    }
    figure, axes = panels(len(told), height=2.4)
    pages = [sample.pages / 1e6 for sample in samples]
    for panel, (title, value) in zip(axes, told.items(), strict=True):
        panel.plot(pages, [value(sample) for sample in samples], color=COLOURS[0], linewidth=2)
        panel.set_title(title)
        panel.set_ylim(bottom=0)
        panel.set_xlabel("million pages")
        panel.grid(axis="y")
    return figure


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=int, default=1, help="crawl so many times less")
    parser.add_argument("--store", choices=["file", "postgres"], default="file")
    parser.add_argument("--strategy", default="sitewise")
    parser.add_argument("--profile", default="dev-mid")
    parser.add_argument("--domain", default="book")
    parser.add_argument("--most", type=int, default=1_000, help="pages of one site")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", default=None, help="where the store goes")
    parser.add_argument("--picture", type=Path, help="an SVG file to draw it into")
    o = parser.parse_args()
    samples: list[Sample] = []
    with (
        a_place(o) as place,
        tune_memory(),
        asyncio.Runner(loop_factory=VirtualLoop) as runner,
        suppress(KeyboardInterrupt),
    ):
        runner.run(crawl(o, place, Size(place), samples))
    if o.picture:
        o.picture.write_text(picture(samples))
    print(json.dumps(figures(o, samples)))


if __name__ == "__main__":
    main()
