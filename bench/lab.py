"""How quick the lab is, in pages per second of one core.

    python bench/lab.py [--profile dev] [--pages 4000] [--rounds 3]

Cold: a page is generated and parsed. Warm: it is read from the cache of parsed
pages, as the second strategy of an experiment does. Served: it is generated and
sent over HTTP to clients in a process of their own; the server's processor time
counts. Crawl: a whole trial of `baseline_sc`, cold and then warm. The set of pages is the same in
all of them: those a best-first crawl visits, in its order, so that sites come
and go as they do in experiments. Medians of the rounds; the last line is JSON.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.lab_server import cost_us
from leadline.core.crawl import Judgement
from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.url import Url
from leadline.errors import FetchError
from leadline.page.parse import parse_page
from leadline.page.words import PageWords
from leadline_lab.experiments.lab_web import LabWorld, fetcher_at_rest
from leadline_lab.experiments.pages import CachedWeb
from leadline_lab.experiments.shelf import Shelf, open_shelf
from leadline_lab.experiments.trial import Contender, Result, Trial, run_trial
from leadline_lab.profile import profile_named
from leadline_lab.reply import Reply
from leadline_lab.server.running import serving
from leadline_lab.world import World


class Nothing:
    """A critic that has no opinion, so that only reading is timed."""

    def judge(self, page: Page, words: PageWords) -> Judgement:  # noqa: ARG002 (the signature)
        return Judgement(0.0)


class Noting:
    """A world that notes which pages it was asked for."""

    def __init__(self, world: LabWorld) -> None:
        self.seeds = world.seeds
        self.truth = world.truth
        self.asked: list[Url] = []
        self._answer = world.answer

    def answer(self, request: Request, now: float) -> Reply:
        if not request.url.endswith("/robots.txt"):
            self.asked.append(request.url)
        return self._answer(request, now)


def crawl(profile: str, pages: int, path: Path) -> tuple[Result, Result, list[Url]]:
    """The same trial cold and warm, and the pages it asks for in their order."""
    trial = Trial(Contender("baseline_sc"), profile, 1, "auto", pages)
    worlds = [Noting(LabWorld(profile, 1)) for _ in range(2)]
    results = []
    for world in worlds:
        shelf = open_shelf(path)
        results.append(run_trial(trial, world, fetcher_at_rest, shelf))
        shelf.close()
    return results[0], results[1], worlds[0].asked


def cold(profile: str, urls: list[Url]) -> tuple[float, float]:
    """Seconds for generating and for parsing all pages, in a world just opened."""
    world = World(profile_named(profile), 1)
    began = time.process_time()
    replies = [world.answer(Request(url)) for url in urls]
    made = time.process_time()
    for url, reply in zip(urls, replies, strict=True):
        if reply.status == 200:
            PageWords(parse_page(reply.body, url, reply.header("content-type")))
    return made - began, time.process_time() - made


def warm(profile: str, urls: list[Url], shelf: Shelf) -> float:
    """Seconds for reading all pages from the cache."""
    web = CachedWeb(World(profile_named(profile), 1), fetcher_at_rest, shelf, time.time)
    reader = web.reader(Nothing())

    async def read_all() -> None:
        for url in urls:
            try:
                response = await web.fetch(Request(url))
            except FetchError:
                continue
            if response.status == 200:
                await reader.read(response)

    began = time.process_time()
    asyncio.run(read_all())
    return time.process_time() - began


def served(profile: str, urls: list[Url]) -> float:
    """Processor time of the server per page, in microseconds."""
    world = World(profile_named(profile), 1)
    answered = [url for url in urls if not _is_trouble(world, url)]
    cost, _ = cost_us(serving(World(profile_named(profile), 1)), [*answered])
    return cost


def _is_trouble(world: World, url: Url) -> bool:
    reply = world.answer(Request(url))
    return bool(reply.fault or reply.delay_s)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="dev")
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pages"
        first, second, urls = crawl(options.profile, options.pages, path)
        shelf = open_shelf(path)
        rounds = [
            (
                *cold(options.profile, urls),
                warm(options.profile, urls, shelf),
                served(options.profile, urls),
            )
            for _ in range(options.rounds)
        ]
        shelf.close()
    made, parsed, kept, served_us = (median(column) for column in zip(*rounds, strict=True))
    count = len(urls)
    figures = {
        "profile": options.profile,
        "pages": count,
        "cold_pages_per_s": round(count / (made + parsed)),
        "generated_pages_per_s": round(count / made),
        "warm_pages_per_s": round(count / kept),
        "served_pages_per_s": round(1e6 / served_us),
        "crawl_cold_pages_per_s": round(options.pages / first.cpu_s),
        "crawl_warm_pages_per_s": round(options.pages / second.cpu_s),
        "same_crawl": first.trail == second.trail,
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
