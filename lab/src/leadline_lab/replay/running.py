"""One replay: a strategy crawls stored pages for a topic, and their labels grade it."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop
from msgspec import Struct

from leadline.config import ScopeSettings
from leadline.core.crawl import Budget
from leadline.core.ports import Strategy
from leadline.crawler.crawl import Crawl, CrawlParts
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.links import LinkRules, Scope, make_seed
from leadline.strategies import make_strategy
from leadline.strategies.apprentice import Apprentice, write_apprentice
from leadline.strategies.apprentice_features import ApprenticeSettings
from leadline_lab.experiments.grading import ERROR, Grader, Point
from leadline_lab.experiments.lab_web import fetcher_at_rest
from leadline_lab.experiments.pages import CachedWeb, Judge
from leadline_lab.experiments.shelf import Shelf
from leadline_lab.experiments.trial import Contender, Setting, Ticks, trial_store
from leadline_lab.replay.web import StoredWeb

SEEDS = 5
FEWEST_PAGES, MOST_PAGES = 200, 600
"""Of a crawl: twice as many as there are targets, within these bounds."""
LESSON_PAGES = 1_000
"""Of the crawl that makes a model for offline modes."""
_NEVER = 10**9
"""No site is given up here: misses are holes in the collection, not failures of a site."""
_OWN: dict[str, Setting] = {"threshold": 0.0, "batch_pages": 50, "least_examples": 5}
"""All links are followed, those of off-topic pages late: with a threshold a crawl of so few pages
soon has none left. Batches are as small as the webs; the paper's are of hundreds of pages."""
_WITH_CLASS: dict[str, Setting] = {**_OWN, "class_feature": True}
_GATE: dict[str, Setting] = {"threshold": 0.5}
"""The paper's: links of pages that are not on the topic are dropped, by all crawlers."""
BASELINE = Contender("baseline", {"threshold": 0.0})
GATED = Contender("baseline", _GATE, "baseline, gate")
ONLINE = Contender("apprentice", _OWN, "apprentice online")
OFFLINE = Contender("apprentice", {**_OWN, "mode": "offline"}, "apprentice offline")
CONTENDERS = (
    Contender("breadth_first"),
    Contender("random"),
    BASELINE,
    ONLINE,
    Contender("apprentice", _WITH_CLASS, "apprentice online, page class"),
    OFFLINE,
    Contender("apprentice", {**_WITH_CLASS, "mode": "offline"}, "apprentice offline, page class"),
    Contender(
        "apprentice", {**_WITH_CLASS, "mode": "offline-online"}, "apprentice both, page class"
    ),
    Contender(
        "apprentice", {**_OWN, "mode": "offline", "pairs": "first"}, "apprentice offline, one link"
    ),
    GATED,
    Contender("apprentice", {**_OWN, **_GATE}, "apprentice online, gate"),
    Contender("apprentice", {**_OWN, **_GATE, "mode": "offline"}, "apprentice offline, gate"),
)
CHARGED = (Contender("breadth_first"), BASELINE, ONLINE, OFFLINE)
"""Those that are also run with misses charged."""


class Ground(Struct, frozen=True):
    """What all strategies crawl alike."""

    web: StoredWeb
    target: str
    judge: Judge
    shelf: Shelf
    """Keeps parsed pages from one crawl to the next."""
    is_charged: bool
    """Whether pages that nobody collected are asked for, in vain; else they are out of scope."""

    @property
    def targets(self) -> int:
        return len(self.web.about(self.target))

    @property
    def budget(self) -> int:
        return min(MOST_PAGES, max(FEWEST_PAGES, 2 * self.targets))


class Replay(Struct, frozen=True):
    """What one crawl brought, by the labels."""

    contender: str
    early_loss: float
    """One minus the share of pages about the target, among as many pages as there are targets."""
    loss: float
    """The same at the end of the crawl, for which there may be too few targets."""
    recall: float
    """Share of all targets found."""
    misses: float
    """Share of the crawl's fetches that found nothing."""
    pages: int
    curve: tuple[Point, ...]


def replay(ground: Ground, contender: Contender, elsewhere: Ground | None = None) -> Replay:
    """Crawl once; a contender that begins with a model has it made elsewhere."""
    settings: dict[str, object] = dict(contender.settings)
    with TemporaryDirectory() as folder:
        if elsewhere is not None and str(settings.get("mode", "")).startswith("offline"):
            settings["model"] = folder
            teach(elsewhere, settings, Path(folder))
        strategy = make_strategy(contender.strategy, settings)
    return _graded(ground, contender.name, crawled(ground, strategy, ground.budget))


def _graded(ground: Ground, contender: str, grader: Grader) -> Replay:
    end, wanted = grader.now, min(ground.targets, ground.budget)
    early = next((point for point in grader.curve if point.pages >= wanted), end)
    return Replay(
        contender=contender,
        early_loss=1 - early.on_topic / max(1, early.pages),
        loss=1 - end.on_topic / max(1, end.pages),
        recall=end.on_topic / max(1, ground.targets),
        misses=grader.uses[ERROR] / max(1, end.pages),
        pages=end.pages,
        curve=grader.curve,
    )


def teach(ground: Ground, settings: dict[str, object], folder: Path) -> None:
    """Write the model that a crawl in the order of baseline teaches."""
    watching = ApprenticeSettings.model_validate({**settings, "mode": "watching"})
    strategy = Apprentice(watching)
    crawled(ground, strategy, LESSON_PAGES)
    strategy.learner.take_lesson()
    write_apprentice(folder, strategy.learner.bayes, watching, ("replay",))


def crawled(ground: Ground, strategy: Strategy, budget: int) -> Grader:
    """The grader after a crawl of stored pages."""
    scope = Scope(skip_extensions=ScopeSettings().skip_extensions)
    in_web = ground.web.why_not if ground.is_charged else ground.web.why_not_held
    rules = LinkRules(lambda url: scope.why_not(url) or in_web(url), max_depth=_NEVER)
    plan = CrawlPlan(
        "pages",
        Budget(pages=budget),
        rules,
        width=1,
        max_pages_per_site=_NEVER,
        give_up_after=_NEVER,
        # A replay compares strategies as their papers have them.
        leave_traps=False,
    )
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_crawl(ground, strategy, plan))


async def _crawl(ground: Ground, strategy: Strategy, plan: CrawlPlan) -> Grader:
    now = Ticks()
    web = CachedWeb(ground.web, fetcher_at_rest, ground.shelf, now)
    grader = Grader(ground.web, ground.target, plan.budget.pages or 0)
    store = trial_store(strategy.features.width if strategy.features else 0, grader)
    store.links.put([make_seed(url) for url in ground.web.seeds(ground.target, SEEDS)])
    parts = CrawlParts(store, web, web.reader(ground.judge), strategy)
    try:
        await Crawl(parts, plan, now).run()
    finally:
        await web.close()
    return grader
