"""One trial: a strategy crawls a world for a domain, and the truth grades it."""

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable
from itertools import takewhile
from types import TracebackType
from typing import Any

import msgspec
import uvloop
import xxhash
from msgspec import Struct, structs

from leadline.backlinks.providers import ServiceLinks
from leadline.config import ScopeSettings
from leadline.core.crawl import (
    LIKELY,
    Budget,
    CandidateId,
    Visit,
)
from leadline.core.ports import Backlinks, Strategy
from leadline.core.store import NOTHING_LEFT
from leadline.core.url import origin_of, site_of
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import PAGE, CrawlPlan
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.errors import ConfigError
from leadline.store.index import SKIPPED, CrawlIndex
from leadline.store.memory import MemoryJournal, MemoryStore
from leadline.strategies import STRATEGIES, make_strategy
from leadline.topics.judges import KEYWORDS
from leadline_lab.experiments.critics import make_critic
from leadline_lab.experiments.grading import (
    ERROR,
    REDIRECTS,
    ROBOTS,
    SERVICES,
    USES,
    Grader,
    Point,
)
from leadline_lab.experiments.lab_web import LabWorld
from leadline_lab.experiments.pages import CachedWeb, Judge, MakeFetcher
from leadline_lab.experiments.shelf import Shelf
from leadline_lab.experiments.stops import OWN_OFF, with_common_stops
from leadline_lab.experiments.training import LinkModels, Trained
from leadline_lab.experiments.worlds import Truth, World
from leadline_lab.oracles import ORACLES, ORDERS, SEES_TARGET
from leadline_lab.oracles.sees_target import SeesTarget
from leadline_lab.server.services import BACKLINKS

_unsafe = re.compile(r"[^\w.=-]+")

Setting = str | int | float | bool
COMMON, BIASED, SHIPPED, TAUGHT, ALONE = MANNERS = (
    "common", "biased", "shipped", "taught", "alone",
)  # fmt: skip
"""Manners in which a strategy is run."""
NONE, WORDS, CRAWL = "none", "words", "crawl"
"""What a strategy knows of the topic before it begins (`experiments.knowledge`)."""
Teach = Callable[[Strategy, str, str], None]
"""Teaches a strategy, for a domain and a goal, what an earlier crawl saw."""


class Contender(Struct, frozen=True):
    """A strategy with its settings, under the name it has in tables."""

    strategy: str
    """A name of the registry or of an oracle. `common:NAME` is a strategy with the stopping
    criteria of all, `biased:NAME` one whose link classifier knows one kind of sites only,
    `shipped:NAME` one whose link classifier is made of the words that ship with the topic,
    `taught:NAME` one that an earlier crawl of another web has taught (`experiments.knowledge`),
    `alone:NAME` one that no back-link service answers."""
    settings: dict[str, Setting] = {}
    label: str = ""

    @property
    def name(self) -> str:
        return self.label or self.strategy

    @property
    def kind(self) -> str:
        """The strategy's own name."""
        manner, _, name = self.strategy.partition(":")
        return name if manner in MANNERS else self.strategy

    @property
    def manner(self) -> str:
        """One of MANNERS, or '' for a strategy as it is."""
        return self.strategy.removesuffix(self.kind).removesuffix(":")

    @property
    def is_random(self) -> bool:
        """Whether another algorithm seed gives another crawl."""
        kind = STRATEGIES.get(self.kind)
        return kind is not None and "seed" in kind.settings.model_fields

    @property
    def is_trained(self) -> bool:
        """Whether it begins with a link classifier from elsewhere, and none is named."""
        is_offline = self.kind == "ffc" or self.settings.get("mode", "online") != "online"
        is_taught = "model" in self.settings or self.manner in (SHIPPED, TAUGHT)
        return self.kind in ("ffc", "ache") and is_offline and not is_taught

    @property
    def is_oracle(self) -> bool:
        """Whether it knows the truth: a reference, no rival."""
        return self.strategy in ORACLES


class Trial(Struct, frozen=True):
    """Everything that decides how a trial goes."""

    contender: Contender
    profile: str
    world_seed: int
    domain: str
    budget_pages: int
    seed: int = 0
    """Of the algorithm: the order of equals, random choices, a noisy critic's errors."""
    critic: str = "keywords"
    seed_urls: int = 10
    width: int = 1
    """Sites asked at the same time; with 1 the order of visits is exactly the strategy's."""
    goal: str = "forms"
    label: str = ""
    """Its row in tables, where that is more than the contender's name."""
    budget_requests: int = 0
    """It ends after so many requests as well, robots.txt and services counted; 0: no such limit."""
    knowledge: str = WORDS
    """What its strategy knows before it begins, see `experiments.knowledge`."""

    @property
    def name(self) -> str:
        return self.label or self.contender.name

    @property
    def is_taught(self) -> bool:
        """Whether its strategy begins with what an earlier crawl saw."""
        return self.knowledge == CRAWL or self.contender.manner == TAUGHT

    @property
    def world(self) -> tuple[str, int]:
        return self.profile, self.world_seed

    @property
    def key(self) -> str:
        """A name for its file: equal for equal trials only."""
        digest = xxhash.xxh3_64_hexdigest(msgspec.json.encode(self, order="deterministic"))
        words = (self.contender.name, self.domain, self.profile, str(self.world_seed), digest)
        return _unsafe.sub("_", "-".join(words))


class Result(Struct, frozen=True):
    """What a trial brought. Everything but `cpu_s` is the same each time."""

    trial: Trial
    reason: str
    """Why it ended."""
    end: Point
    area: float
    """Distinct relevant interfaces, averaged over the budget of pages."""
    checkpoints: tuple[Point, ...]
    curve: tuple[Point, ...]
    uses: dict[str, int]
    """Requests by what they were good for; adds up to `requests`."""
    requests: int
    """All: pages, robots.txt, redirects, services."""
    outcomes: dict[str, int]
    listed: int
    """Distinct forms the critic called relevant."""
    listed_true: int
    """Those that are."""
    listed_interfaces: int
    """Distinct relevant interfaces among them."""
    busiest_host: int
    """Visits to the site that got most."""
    trail: str
    """A hash of all visits in order."""
    cpu_s: float
    learned: dict[str, Any] = {}
    """What the strategy says of it, for people."""
    gains: tuple[int, ...] = ()
    """Of each distinct relevant interface met, in order: the requests spent by then."""
    training_requests: int = 0
    """Spent in another world before the trial, for a contender trained there; not charged."""

    @property
    def precision(self) -> float:
        """True share of the forms listed; 0 when none were."""
        return self.listed_true / self.listed if self.listed else 0.0


class Ticks:
    """A clock that counts how often it was read: no trial depends on real time."""

    def __init__(self) -> None:
        self._count = 0

    def __call__(self) -> float:
        self._count += 1
        return float(self._count)


class TrialJournal(MemoryJournal):
    """A journal that has every visit graded and forgets what no crawl asks for again.

    With `keeps_paths` it knows how each page was come by.
    """

    def __init__(self, index: CrawlIndex, grader: Grader, *, keeps_paths: bool = False) -> None:
        super().__init__(index)
        self._grader = grader
        self._keeps_paths = keeps_paths
        self._last = 0
        """The last candidate looked at."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        arrivals, visits = self._batch.arrivals, self._batch.visits
        fresh = takewhile(lambda number: number > self._last, reversed(arrivals))
        for number in [number for number in fresh if arrivals[number].rank == SKIPPED]:
            del arrivals[number]
        self._last = self.index.next_id - 1
        for visit, _ in visits.values():
            self._grader.grade(visit)
            if not self._keeps_paths:
                arrivals.pop(visit.id, None)
        visits.clear()
        self._batch.events.clear()
        super().__exit__(kind, error, trace)


def trial_store(width: int, grader: Grader, *, keeps_paths: bool = False) -> MemoryStore:
    """A store in memory that keeps little."""
    return MemoryStore(
        width, journal=lambda index: TrialJournal(index, grader, keeps_paths=keeps_paths)
    )


def make_contender(trial: Trial, truth: Truth, trained: Trained | None = None) -> Strategy:
    """The strategy, its seed set where it has one; the truth is for oracles only."""
    contender = trial.contender
    if contender.strategy == SEES_TARGET:
        return SeesTarget(truth, trial.domain)
    if contender.kind not in STRATEGIES:
        names = ", ".join((*sorted(STRATEGIES), *ORACLES))
        raise ConfigError(f"unknown strategy {contender.kind!r}; there are: {names}")
    is_common = contender.manner == COMMON
    settings: dict[str, object] = {**(OWN_OFF.get(contender.kind, {}) if is_common else {})}
    settings |= contender.settings
    if contender.is_random:
        settings.setdefault("seed", trial.seed)
    knows_words = trial.knowledge != NONE
    if contender.manner == SHIPPED and knows_words:
        settings.setdefault("model", trial.domain)
    if "words" in STRATEGIES[contender.kind].settings.model_fields and knows_words:
        settings.setdefault("words", KEYWORDS.get(trial.domain, ()))
    if "goal" in STRATEGIES[contender.kind].settings.model_fields:
        settings.setdefault("goal", trial.goal)
    strategy = _made(contender.kind, settings, trained)
    return with_common_stops(strategy) if is_common else strategy


def _made(name: str, settings: dict[str, object], trained: Trained | None) -> Strategy:
    if trained is None:
        return make_strategy(name, settings)
    kind = STRATEGIES[name]
    strategy: Strategy = kind.make(kind.settings.model_validate(settings), trained.taught)
    return strategy


def run_trial(
    trial: Trial,
    world: World,
    make_fetcher: MakeFetcher,
    shelf: Shelf,
    critic: Judge | None = None,
    models: LinkModels | None = None,
    teach: Teach | None = None,
) -> Result:
    """Run it to its end, judged by `critic` if given and else by the one it names.

    `models` are link classifiers trained for earlier trials; `teach` is needed for trials whose
    strategy knows an earlier crawl.
    """
    if trial.contender.strategy in ORDERS:
        return run_order(trial, world)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(run_trial_async(trial, world, make_fetcher, shelf, critic, models, teach))


async def run_trial_async(
    trial: Trial,
    world: World,
    make_fetcher: MakeFetcher,
    shelf: Shelf,
    critic: Judge | None = None,
    models: LinkModels | None = None,
    teach: Teach | None = None,
) -> Result:
    """The same inside a running event loop, for what crawls page by page."""
    trained = None
    if trial.contender.is_trained:
        is_biased = trial.contender.manner == BIASED
        trained = await (models or LinkModels()).get(world, trial.domain, is_biased=is_biased)
    begun_s = time.process_time()
    strategy = make_contender(trial, world.truth, trained)
    if trial.is_taught:
        if teach is None:
            raise ConfigError(f"trial {trial.name} needs an earlier crawl, and there is none")
        teach(strategy, trial.domain, trial.goal)
    now = Ticks()
    web = CachedWeb(world, make_fetcher, shelf, now)
    crawl: Crawl | None = None

    def check_budget() -> None:
        if crawl is not None and 0 < trial.budget_requests <= web.spending.requests:
            # Visits are graded while a batch is written, which is no time to write a stop.
            asyncio.get_running_loop().call_soon(crawl.stop, "budget: requests")

    grader = Grader(
        world.truth,
        trial.domain,
        trial.budget_pages,
        lambda: web.spending.requests,
        after_visit=check_budget,
    )
    width = strategy.features.width if strategy.features else 0
    store = trial_store(width, grader, keeps_paths=strategy.path_length > 0)
    store.links.put([make_seed(url) for url in world.seeds(trial.domain, trial.seed_urls)])
    judge = critic or make_critic(trial.critic, world, trial.domain, trial.seed)
    reader = web.reader(judge)
    try:
        backlinks = None if trial.contender.manner == ALONE else _backlinks(world, web)
        parts = CrawlParts(store, web, reader, strategy, backlinks)
        crawl = Crawl(parts, plan_crawl(trial), now)
        reason = await crawl.run()
    finally:
        await web.close()
    result = _result(trial, reason, (world, web, grader, store), time.process_time() - begun_s)
    requests = trained.requests if trained else 0
    return structs.replace(
        result, training_requests=requests, learned=strategy.describe_knowledge()
    )


def _backlinks(world: World, web: CachedWeb) -> Backlinks | None:
    """The service of a world of the lab, whose requests the web counts; others have none."""
    return ServiceLinks(web, f"http://{BACKLINKS}/links") if isinstance(world, LabWorld) else None


def run_order(trial: Trial, world: World) -> Result:
    """Grade the pages an oracle would fetch, without fetching them: it knows what is there."""
    begun_s = time.process_time()
    if not isinstance(world, LabWorld):
        raise ConfigError(f"{trial.contender.strategy} knows the worlds of the lab only")
    grader = Grader(world.truth, trial.domain, trial.budget_pages)
    seeds = world.seeds(trial.domain, trial.seed_urls)
    order = ORDERS[trial.contender.strategy]
    origins: set[str] = set()
    for url in order(world.inside, trial.domain, trial.budget_pages, seeds):
        number, known = CandidateId(grader.now.pages), len(origins)
        origins.add(origin_of(url))
        requests = 1 + len(origins) - known
        grader.grade(
            Visit(number, url, site_of(url), PAGE, float(number), status=200, requests=requests)
        )
    return _order_result(trial, grader, len(origins), time.process_time() - begun_s)


def _order_result(trial: Trial, grader: Grader, robots: int, cpu_s: float) -> Result:
    end = grader.now
    uses = grader.uses | Counter({ROBOTS: robots})
    return Result(
        trial=trial,
        reason="budget: pages" if end.pages == trial.budget_pages else NOTHING_LEFT,
        end=end,
        area=grader.area,
        checkpoints=tuple(grader.checkpoints),
        curve=grader.curve,
        uses={use: uses[use] for use in USES if uses[use]},
        requests=end.requests,
        outcomes=dict(grader.outcomes),
        listed=end.forms,
        listed_true=end.forms,
        listed_interfaces=end.forms,
        busiest_host=grader.busiest_host,
        trail=grader.trail,
        cpu_s=cpu_s,
        gains=tuple(grader.gains),
    )


def plan_crawl(trial: Trial) -> CrawlPlan:
    """How a trial is crawled."""
    scope = ScopeSettings()
    rules = LinkRules(
        Scope(skip_extensions=scope.skip_extensions).why_not, scope.max_depth, scope.obey_nofollow
    )
    return CrawlPlan(
        goal=trial.goal,
        budget=Budget(pages=trial.budget_pages),
        rules=rules,
        width=trial.width,
        max_pages_per_site=scope.max_pages_per_site,
    )


def _result(
    trial: Trial,
    reason: str,
    parts: tuple[World, CachedWeb, Grader, MemoryStore],
    cpu_s: float,
) -> Result:
    world, web, grader, store = parts
    listed = [form for form in store.reader.forms() if form.judged.relevant >= LIKELY]
    numbers = [world.truth.form(form.judged.form) for form in listed]
    true = [number for number in numbers if grader.is_true(number)]
    return Result(
        trial=trial,
        reason=reason,
        end=grader.now,
        area=grader.area,
        checkpoints=tuple(grader.checkpoints),
        curve=grader.curve,
        uses=_uses(web, grader),
        requests=web.spending.requests,
        outcomes=dict(sorted(grader.outcomes.items())),
        listed=len(listed),
        listed_true=len(true),
        listed_interfaces=len(set(true)),
        busiest_host=grader.busiest_host,
        trail=grader.trail,
        cpu_s=cpu_s,
        gains=tuple(grader.gains),
    )


def _uses(web: CachedWeb, grader: Grader) -> dict[str, int]:
    """Requests by use: one for each visit by what it brought, the others by what they were."""
    uses = Counter(grader.uses)
    uses[ERROR] += web.spending.failed
    uses[ROBOTS] += web.spending.robots
    uses[REDIRECTS] += web.spending.redirects
    # What a crawl asks besides its visits: search and back-link services, probes.
    uses[SERVICES] = web.spending.requests - sum(uses.values())
    return {use: uses[use] for use in USES if uses[use]}
