"""Does a page cost more when more is known? CPU, memory and disk of a crawl that grows.

    python bench/growth.py                        10 thousand to 5 million URLs, minutes
    python bench/growth.py --sizes 10000 100000   quicker

A page is what a crawl does with it once it is fetched: `take` a link, read a page of
20 KB with 60 links and judge it, make the features of 12 links, `known` for 60 URLs,
`record` with 12 new candidates of 32 features, `rank_site`. Rounds of all sizes take
turns, so that a busy machine slows all alike, and the lower quartile counts, because
what else runs can only add. The time includes writing everything to disk and closing
the store. The table is for people, the last line is JSON.
"""

import argparse
import gc
import itertools
import json
import math
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import (
    Budget,
    Candidate,
    CandidateId,
    FeatureRows,
    LinkFeatures,
    Priority,
    SiteState,
    Visit,
)
from leadline.core.ports import Scores
from leadline.core.store import Completion, Delivery, Store
from leadline.core.url import DEFAULT_RULES, Site, Url
from leadline.crawler.assembly import keep_freed_memory
from leadline.crawler.reading import InlineReader
from leadline.frontier import Frontier
from leadline.learn.link_features import linear_scores, link_rows
from leadline.page.parse import DEFAULT_LIMITS
from leadline.store import MEMORY_LINKS, open_store
from leadline.store.leases import StoreClock
from leadline.store.sqlite import SqliteStore
from leadline.topics import KEYWORDS, KeywordTopic, TopicCritic

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import pages as pages_of

SIZES = (10_000, 100_000, 1_000_000, 5_000_000)
LINK_FEATURES = LinkFeatures()
WIDTH = LINK_FEATURES.width
SAMPLE_PAGES = 300
LINKS_A_PAGE = 60
NEW_A_PAGE = 12
NEW_ELSEWHERE = 3
"""Of the new ones, those that lead to other sites: a quarter, the others to one."""
URLS_A_SITE = 50
"""Few deep sites and many barely known ones: what a crawl of 5 million URLs looks like."""
BEST_LEFT = 1 - 1 / NEW_A_PAGE
"""The score of the best known link: a crawl that visits one link for every dozen it
finds, best first, has visited the better ones."""
VOCABULARY = 1 << 18
PUT_AT_ONCE = 10_000
WARM_UP_PAGES = 200
PARTS = 3
"""Measured by itself, so that a disturbance spoils a third of a round."""
SMALL = 200_000
"""Stores up to here are measured as copies: a round would make them much larger."""
PAGE_BYTES = 4096

PageLinks = tuple[list[Url], list[Candidate]]
"""All URLs of a page, and the new ones as candidates."""

clock = itertools.count(1)
moment = [0.0]
"""The store's clock: it goes on by a second a page."""
chance = np.random.default_rng(7)
FEATURES = [row.tobytes() for row in chance.integers(1, VOCABULARY, (1_000, WIDTH), np.int32)]
WEIGHTS = chance.random(VOCABULARY, dtype=np.float32)


class Prepared(NamedTuple):
    """A store file and how many URLs it knew when it was made."""

    path: Path
    size: int


def link(number: int, sites: int, best: float = 1.0) -> Candidate:
    """The `number`th link of a web of so many sites; a dozen in a row stand on one page."""
    mixed = (number * 2_654_435_761) % 2**32
    page, place = divmod(number, NEW_A_PAGE)
    of_site = mixed if place < NEW_ELSEWHERE else page * 2_654_435_761
    site = Site(f"www.site-{of_site % sites}.example.com")
    return Candidate(
        url=Url(f"http://{site}/catalogue/section-{mixed % 97}/item-{number}.html"),
        site=site,
        priority=Priority(1, best * mixed / 2**32, "likely"),
        depth=3,
        parent=CandidateId(1),
        anchor=f"the item number {number}",
        around="a few words that stand before\tand a few that stand after it",
        tag_path="body/div.main/ul.items/li",
        features=FEATURES[number % len(FEATURES)],
    )


def prepare(folder: Path, size: int) -> Prepared:
    path = folder / f"known-{size}.db"
    store = open_store(path, width=WIDTH)
    for start in range(0, size, PUT_AT_ONCE):
        numbers = range(start, min(size, start + PUT_AT_ONCE))
        store.links.put(link(number, size // URLS_A_SITE, BEST_LEFT) for number in numbers)
    store.close()
    return Prepared(path, size)


def make_pages(prepared: Prepared, known: int, count: int) -> list[PageLinks]:
    """What `count` pages hold: all their URLs, and the new ones as candidates."""
    draw, sites, pages = random.Random(known), prepared.size // URLS_A_SITE, []
    for page in range(count):
        first = known + page * NEW_A_PAGE
        found = [link(number, sites) for number in range(first, first + NEW_A_PAGE)]
        met = [link(draw.randrange(known), sites).url for _ in range(LINKS_A_PAGE - NEW_A_PAGE)]
        pages.append(([candidate.url for candidate in found] + met, found))
    return pages


class Inbox:
    """Reads pages as a crawl does, and keeps how long that took."""

    def __init__(self) -> None:
        critic = TopicCritic(KeywordTopic("book", KEYWORDS["book"]))
        self._reader = InlineReader(critic, DEFAULT_RULES, DEFAULT_LIMITS)
        self._bodies = itertools.cycle(sample_bodies())
        self.spent_us = 0.0

    def read(self) -> None:
        start = time.thread_time()
        body = next(self._bodies)
        url = Url("http://www.example.com/a/b.html")
        (reading,) = self._reader.read_all([(body, url, "text/html")])
        if reading.words is not None:
            link_rows(LINK_FEATURES, reading.words, reading.page.links[:NEW_A_PAGE])
        self.spent_us += (time.thread_time() - start) * 1e6


def sample_bodies() -> list[bytes]:
    """Pages of the loop benchmark, as bytes."""
    words, rng = pages_of.Words(1), np.random.default_rng(1)
    bodies = []
    for number in range(SAMPLE_PAGES):
        titles = words.draw(rng, pages_of.SAME_HOST_LINKS + pages_of.CROSS_HOST_LINKS)
        targets = [pages_of.Target(f"/{number}/{title}.html", title) for title in titles]
        near, far = targets[: pages_of.SAME_HOST_LINKS], targets[pages_of.SAME_HOST_LINKS :]
        outline = pages_of.Outline(titles[0], "science", titles[0], number, near, far)
        text = words.draw(rng, pages_of.PAGE_WORDS)
        bodies.append(pages_of.render(outline, text, rng.integers(0, 9_999, 200)).encode())
    return bodies


def crawl(store: Store, pages: list[PageLinks], desk: Inbox) -> None:
    for urls, found in pages:
        at = next(clock)
        moment[0] = float(at)
        (leased,) = store.links.lease("bench", sites=1, urls=1, for_s=math.inf)
        (lease,) = leased.leases
        desk.read()
        store.pages.are_known(urls)
        site = lease.candidate.site
        visit = Visit(lease.id, lease.candidate.url, site, "page", float(at), 200, digest=at)
        done = Completion(visit, SiteState(site, pages=1), tuple(found))
        store.links.deliver([Delivery(leased, (done,), 0.5)])


class Cost(NamedTuple):
    """CPU of one page in microseconds."""

    whole: float
    store: float
    """Without reading the page."""


def cpu_per_page_us(prepared: Prepared, pages: int, desk: Inbox) -> list[Cost]:
    """One round: open, warm up, crawl in parts, close. Opening and warming up are not counted."""
    path = prepared.path
    if prepared.size <= SMALL:
        path = Path(shutil.copy(path, path.with_suffix(".copy")))
    time_of = StoreClock(lambda: moment[0], lambda: moment[0])
    store = SqliteStore(path, WIDTH, MEMORY_LINKS, time_of)
    store.run.begin(Budget())
    content = make_pages(prepared, store.reader.counts().known, WARM_UP_PAGES + PARTS * pages)
    crawl(store, content[:WARM_UP_PAGES], desk)
    store.flush()
    # The pages made here are more objects than a crawl holds: a collection would
    # go through them, in some parts and not in others.
    gc.collect()
    gc.freeze()
    times = [crawl_part(store, part, desk) for part in parts(content, pages)]
    closing_us = cpu_us(store.close) / PARTS
    gc.unfreeze()
    return [
        Cost((whole + closing_us) / pages, (whole - reading + closing_us) / pages)
        for whole, reading in times
    ]


def parts(content: list[PageLinks], pages: int) -> list[list[PageLinks]]:
    starts = range(WARM_UP_PAGES, len(content), pages)
    return [content[start : start + pages] for start in starts]


def crawl_part(store: Store, pages: list[PageLinks], desk: Inbox) -> tuple[float, float]:
    """CPU of these pages, and what of it was reading them."""

    def work() -> None:
        crawl(store, pages, desk)
        store.flush()

    before = desk.spent_us
    return cpu_us(work), desk.spent_us - before


def cpu_us(do: Callable[[], None]) -> float:
    start = time.process_time()
    do()
    return (time.process_time() - start) * 1e6


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE_BYTES


def report_memory(path: Path) -> None:
    """In a process of its own: what opening the store takes."""
    before, start = resident_bytes(), time.perf_counter()
    store = open_store(path, width=WIDTH)
    opened_s = time.perf_counter() - start
    print(json.dumps({"bytes": resident_bytes() - before, "open_s": opened_s}))
    store.close()


def memory_of(prepared: Prepared) -> dict[str, float]:
    command = [sys.executable, __file__, "--memory", str(prepared.path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    measured: dict[str, float] = json.loads(answer)
    return measured


def score(tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
    tiers[:] = 1
    scores[:] = linear_scores(WEIGHTS, features)


def frontier_seconds(links: int) -> dict[str, float]:
    """CPU seconds to rank so many links again, and to spill half of them."""
    frontier = Frontier(WIDTH, links, lambda ids: [FEATURES[0]] * len(ids))
    sites = [frontier.number(Site(f"site-{number}")) for number in range(links // URLS_A_SITE)]
    ranks = chance.integers(0, 1 << 40, links).tolist()
    for start in range(0, links, PUT_AT_ONCE):
        ids = range(start, min(links, start + PUT_AT_ONCE))
        of_sites = [sites[number % len(sites)] for number in ids]
        rows = [FEATURES[number % len(FEATURES)] for number in ids]
        frontier.add(ids, of_sites, ranks[start : start + len(ids)], rows)
    times = []
    for _ in range(3):
        start_s = time.process_time()
        frontier.rescore(score)
        times.append(time.process_time() - start_s)
    start_s = time.process_time()
    frontier.add([links], [sites[0]], [0], [FEATURES[0]])
    return {"rescore_s": min(times), "spill_s": time.process_time() - start_s}


def measure(stores: list[Prepared], rounds: int, pages: int) -> dict[int, Cost]:
    """CPU per page by size: the lower quartile of all parts of rounds that take turns."""
    times: dict[int, list[Cost]] = {prepared.size: [] for prepared in stores}
    desk = Inbox()
    for number in range(rounds):
        for prepared in stores:
            times[prepared.size].extend(cpu_per_page_us(prepared, pages, desk))
        latest = ", ".join(f"{size:,}: {min(each).whole:.0f}" for size, each in times.items())
        print(f"round {number + 1}, best so far: {latest} us a page", file=sys.stderr, flush=True)
    return {
        size: Cost(*map(lower_quartile, zip(*each, strict=True))) for size, each in times.items()
    }


def lower_quartile(values: Iterable[float]) -> float:
    return statistics.quantiles(values, n=4)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--memory", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        report_memory(options.memory)
        return
    keep_freed_memory()
    with tempfile.TemporaryDirectory() as folder:
        stores = [prepare(Path(folder), size) for size in options.sizes]
        report(stores, options.rounds, options.pages)


def report(stores: list[Prepared], rounds: int, pages: int) -> None:
    disk = {prepared.size: prepared.path.stat().st_size / prepared.size for prepared in stores}
    memory = {prepared.size: memory_of(prepared) for prepared in stores}
    cpu = measure(stores, rounds, pages)
    frontier = frontier_seconds(MEMORY_LINKS)
    # A spill makes room for half the links in memory, at NEW_A_PAGE - 1 more a page.
    spill_us = frontier["spill_s"] / (MEMORY_LINKS / 2 / (NEW_A_PAGE - 1)) * 1e6
    rows = []
    for size in cpu:
        more_us = spill_us if size > MEMORY_LINKS else 0.0
        rows.append(
            {
                "known": size,
                "cpu_us_per_page": round(cpu[size].whole + more_us, 1),
                "store_us_per_page": round(cpu[size].store + more_us, 1),
                "memory_bytes_per_url": round(memory[size]["bytes"] / size, 1),
                "disk_bytes_per_url": round(disk[size], 1),
                "open_s": round(memory[size]["open_s"], 2),
            }
        )
    print(" ".join(f"{name:>22}" for name in rows[0]))
    for row in rows:
        print(" ".join(f"{value:>22,}" for value in row.values()))
    growth = rows[-1]["cpu_us_per_page"] / rows[0]["cpu_us_per_page"] - 1
    summary = {"rows": rows, "growth": round(growth, 4), "spill_us_per_page": round(spill_us, 1)}
    summary["rescore_million_s"] = round(frontier["rescore_s"], 2)
    print(f"growth {growth:+.1%}, scoring a million links again {frontier['rescore_s']:.2f} s")
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
