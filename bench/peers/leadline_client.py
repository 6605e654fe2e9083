"""leadline itself, everything on: robots.txt, politeness, forms, topic, link scoring, SQLite.

The strategy is a linear model over 30 hashed features a link, the same kind of model as
the peers have; it is put into the registry under a name of its own. The store is a file.
"""

import cProfile
import pstats
import resource
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from bench.peers.leadline_inside import FEATURES, toy_weights
from bench.peers.meter import CONCURRENCY, Meter, Task, orders
from leadline.config import (
    BudgetSettings,
    Config,
    CrawlSettings,
    StoreSettings,
    StrategySettings,
    TopicSettings,
)
from leadline.core.crawl import Counts, PageView, Priority
from leadline.crawler.assembly import crawl
from leadline.learn.link_features import linear_scores
from leadline.plugins import Part
from leadline.strategies import STRATEGIES
from leadline.strategies.base import BaseStrategy
from leadline.web.settings import PolitenessSettings, WebSettings

NAME = "bench_linear"


class LinearSettings(BaseModel):
    """No settings."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Linear(BaseStrategy):
    """Ranks links by a fixed linear model."""

    name = NAME
    features = FEATURES

    def __init__(self, _: LinearSettings) -> None:
        self._weights = toy_weights()

    def rank(self, view: PageView) -> Sequence[Priority]:
        scores = linear_scores(self._weights, view.features)
        return [Priority(0, score) for score in scores.tolist()]


def config_for(task: Task, store: Path) -> Config:
    return Config(
        seeds=tuple(task.seeds),
        topic=TopicSettings(name="book"),
        strategy=StrategySettings(name=NAME),
        budget=BudgetSettings(pages=task.pages),
        web=WebSettings(allow_addresses=("127.0.0.0/8",), verify_tls=task.scheme == "http"),
        politeness=PolitenessSettings(delay_s=0),
        crawl=CrawlSettings(concurrency=CONCURRENCY, parse_processes=task.workers),
        store=StoreSettings(path=str(store)),
    )


def count(meter: Meter, counts: Counts) -> None:
    meter.pages = counts.pages
    meter.scored = counts.known - counts.skipped
    meter.enqueued = counts.known


def share_time(profile: cProfile.Profile) -> dict[str, float]:
    """Where the CPU time went, in shares: by our packages, and what is not ours as `libraries`.

    Built-in functions are counted where they are called, so that a package has what it asks for.
    """
    spent: Counter[str] = Counter()
    # Not in the stubs of the standard library: function -> (calls, calls, own, total, callers).
    entries = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own_s, _, callers) in entries.items():
        if file != "~":
            spent[_name_package(file)] += own_s
            continue
        for (caller, _, _), (_, _, part_s, _) in callers.items():
            spent[_name_package(caller)] += part_s
    total = sum(spent.values())
    return {name: round(seconds / total, 3) for name, seconds in spent.most_common()}


def _name_package(file: str) -> str:
    path = file.rpartition("/leadline/")[2]
    return path.partition("/")[0] if path != file else "libraries"


def main() -> None:
    parser = orders(__doc__)
    parser.add_argument("--profile", action="store_true", help="report where the time went")
    parser.add_argument("--workers", type=int, default=1, help="processes that parse")
    task = parser.parse_args(namespace=Task())
    STRATEGIES[NAME] = Part(Linear, LinearSettings)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        profile = cProfile.Profile()
        meter = Meter()
        if task.profile:
            profile.enable()
        result = crawl(config_for(task, Path(folder) / "crawl.leadline"))
        profile.disable()
        count(meter, result.counts)
        worker_rss = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        more = {"shares": share_time(profile)} if task.profile else {}
        meter.report(
            outcomes=result.counts.outcomes, largest_worker_rss_mb=round(worker_rss, 1), **more
        )


if __name__ == "__main__":
    main()
