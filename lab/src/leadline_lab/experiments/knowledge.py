"""What strategies know before a trial begins, equal for all that are compared.

`none`: nothing of the topic but the critic. `words`: those that take words of the topic get the
same ones, and FFC the link words that ship with the topic. `crawl`: the same words, and every
strategy that learns is taught by the same earlier crawl, as `strategy.learn_from` does it.

The earlier crawl is one of another world of another profile, by a strategy that learns nothing:
what it visited favours nobody. What ships inside a strategy, as FFC's link words and the link model
of `expected_gain`, is a part of that strategy at every level.
"""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import uvloop

from leadline.core.ports import Strategy
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.earlier_crawl import PastVisit, read_past_visits, teach_past_visits
from leadline.crawler.links import make_seed
from leadline.errors import ConfigError
from leadline.store import open_store, open_store_view
from leadline.strategies import STRATEGIES, make_strategy
from leadline.strategies.base import can_learn
from leadline_lab.experiments.critics import make_critic
from leadline_lab.experiments.lab_web import LAB, OpenWorld
from leadline_lab.experiments.pages import CachedWeb
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.trial import (
    CRAWL,
    NONE,
    SHIPPED,
    WORDS,
    Contender,
    Ticks,
    Trial,
    make_contender,
    plan_crawl,
)
from leadline_lab.profile import DRAWN

KNOWLEDGE = (NONE, WORDS, CRAWL)

TEACHER = "baseline_sc"
"""Best-first with stops: it learns nothing, so that no strategy is taught by its own like."""
ELSEWHERE = f"{DRAWN}-9", 1
"""The first drawn profile that no comparison has, and its first world."""
PAGES = 5_000


def check_knowledge(name: str) -> str:
    """The name; raises ConfigError for an unknown one."""
    if name not in KNOWLEDGE:
        raise ConfigError(f"unknown knowledge {name!r}; there are: {', '.join(KNOWLEDGE)}")
    return name


def find_knowledge_taken(contender: Contender, knowledge: str) -> str:
    """The level that a contender really has: one that neither learns nor takes words is the same
    at every level, so that one trial of it serves all."""
    if contender.is_oracle:
        return NONE
    kind = STRATEGIES[contender.kind]
    if knowledge == CRAWL and can_learn(make_strategy(contender.kind, contender.settings)):
        return CRAWL
    takes_words = "words" in kind.settings.model_fields or contender.manner == SHIPPED
    return WORDS if takes_words and knowledge != NONE else NONE


class EarlierCrawls:
    """The crawls that teach, one for each domain: run once, kept in a folder."""

    def __init__(self, folder: Path, open_world: OpenWorld = LAB, pages: int = PAGES) -> None:
        self._folder = folder
        self._open_world = open_world
        self._pages = pages
        self._past: dict[str, list[PastVisit]] = {}

    def teach(self, strategy: Strategy, domain: str, goal: str) -> None:
        """Teach a strategy that learns by the crawl of that domain; it must have been run."""
        if can_learn(strategy):
            teach_past_visits(strategy, self._read(domain), goal)

    def run_missing(self, trials: Iterable[Trial]) -> None:
        """Run the crawls that these trials need and that were not run before."""
        for domain in dict.fromkeys(trial.domain for trial in trials if trial.is_taught):
            if not self._file(domain).exists():
                self._run(domain)

    def _run(self, domain: str) -> None:
        file = self._file(domain)
        self._folder.mkdir(parents=True, exist_ok=True)
        # A crawl that was cut off leaves no file of that name.
        unfinished = file.with_suffix(".part")
        for old in self._folder.glob(f"{unfinished.name}*"):
            old.unlink()
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(self._crawl(unfinished, domain))
        unfinished.replace(file)

    def count(self, domain: str) -> dict[str, int]:
        """Pages of the crawl, and the relevant forms that its critic listed."""
        past = self._read(domain)
        return {"pages": len(past), "forms": sum(one.visit.forms for one in past)}

    async def _crawl(self, file: Path, domain: str) -> None:
        trial = Trial(Contender(TEACHER), *ELSEWHERE, domain, self._pages, critic="pack")
        world, make_fetcher = self._open_world(*trial.world)
        strategy, now = make_contender(trial, world.truth), Ticks()
        web = CachedWeb(world, make_fetcher, MemoryShelf(), now)
        store = open_store(file)
        try:
            store.links.put([make_seed(url) for url in world.seeds(domain, trial.seed_urls)])
            reader = web.reader(make_critic(trial.critic, world, domain))
            parts = CrawlParts(store, web, reader, strategy)
            await Crawl(parts, plan_crawl(trial), now).run()
        finally:
            await web.close()
            store.close()

    def _read(self, domain: str) -> list[PastVisit]:
        if domain not in self._past:
            view = open_store_view(self._file(domain))
            try:
                self._past[domain] = read_past_visits(view)
            finally:
                view.close()
        return self._past[domain]

    def _file(self, domain: str) -> Path:
        return self._folder / f"{domain}.leadline"
