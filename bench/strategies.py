"""What strategies cost: the share of a crawl's CPU that goes into scoring links and learning.

    python bench/strategies.py [--pages 6000] [--domain hotel] [--seed 31] [--only ffc ache]
                                [--rounds 3]

Each strategy crawls a development world of the lab once unmeasured; after that all pages come from
the cache, parsed, so that nothing is measured but the crawl itself. Told is the round in the middle
by its share. Counted are all calls of the
strategy's own methods, and the frontier's rebuilding when links are ranked again. A live crawl
parses as well: `with_parsing` is the share with what parsing the pages took in the first crawl.
The last line is JSON.
"""

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

from leadline.crawler.assembly import tune_memory
from leadline.frontier import Frontier
from leadline.plugins import Part
from leadline.strategies import STRATEGIES
from leadline_lab.experiments import pages as pages_of_lab
from leadline_lab.experiments.lab_web import open_lab_world
from leadline_lab.experiments.shelf import MemoryShelf
from leadline_lab.experiments.training import LinkModels
from leadline_lab.experiments.trial import Contender, Result, Trial, run_trial

CONTENDERS = (
    Contender("baseline_sc"),
    Contender("apprentice"),
    Contender("ffc"),
    Contender("ache", {"mode": "online"}, "ache online"),
    Contender("ache", {"mode": "offline-online"}, "ache offline-online"),
    Contender("scdi"),
    Contender("smartcrawler"),
    Contender("sitewise"),
    Contender("expected_gain"),
    Contender("anthelion"),
    Contender("deepdeep"),
    Contender("disco"),
    Contender("sb"),
    Contender("tres"),
)
_METHODS = ("own_features", "rank", "extra_urls", "rank_backlinks", "rank_site", "admit", "learn")
_SHELF_BYTES = 4 << 30


class Clock:
    """CPU seconds spent inside the calls it has wrapped."""

    def __init__(self) -> None:
        self.spent_s = 0.0
        self._depth = 0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """The same call, timed; calls inside a timed one are part of it."""

        def timed(*arguments: Any, **named: Any) -> Any:
            self._depth += 1
            begun_s = time.process_time()
            try:
                return call(*arguments, **named)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.spent_s += time.process_time() - begun_s

        return timed


def timed_kind(kind: Part, clock: Clock) -> Part:
    """Makes strategies whose calls are timed."""

    def make(*arguments: Any) -> Any:
        strategy = kind.make(*arguments)
        for name in _METHODS:
            setattr(strategy, name, clock.around(getattr(strategy, name)))
        return strategy

    return Part(make, kind.settings)


def measure(
    contender: Contender, domain: str, seed: int, pages: int, rounds: int
) -> dict[str, float]:
    """Figures of the round in the middle, after a crawl that fills the cache."""
    world, make_fetcher = open_lab_world("dev", seed)
    trial = Trial(contender, "dev", seed, domain, pages, critic="pack")
    shelf, models = MemoryShelf(_SHELF_BYTES), LinkModels()

    def crawl() -> Result:
        return run_trial(trial, world, make_fetcher, shelf, models=models)

    used, parsing = vars(pages_of_lab), Clock()
    parse = used["parse_page"]
    used["parse_page"] = parsing.around(parse)
    try:
        crawl()
    finally:
        used["parse_page"] = parse
    measured = sorted(
        (_timed(contender.strategy, crawl) for _ in range(rounds)), key=lambda found: found["share"]
    )
    middle = measured[rounds // 2]
    live = middle["own_s"] / (middle["cpu_s"] + parsing.spent_s)
    return middle | {"with_parsing": round(live, 3)}


def _timed(strategy: str, crawl: Callable[[], Result]) -> dict[str, float]:
    kind, rescore, clock = STRATEGIES[strategy], Frontier.rescore, Clock()
    STRATEGIES[strategy] = timed_kind(kind, clock)
    Frontier.rescore = clock.around(rescore)  # type: ignore[method-assign]
    try:
        result = crawl()
    finally:
        STRATEGIES[strategy] = kind
        Frontier.rescore = rescore  # type: ignore[method-assign]
    return {
        "cpu_s": round(result.cpu_s, 2),
        "own_s": round(clock.spent_s, 2),
        "share": round(clock.spent_s / result.cpu_s, 3),
        "pages": result.end.pages,
        "pages_per_cpu_s": round(result.end.pages / result.cpu_s),
        "forms": result.end.forms,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=6_000)
    parser.add_argument("--domain", default="hotel")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--only", nargs="+", default=[], help="strategies to measure")
    parser.add_argument("--rounds", type=int, default=3, help="measured crawls of each")
    asked = parser.parse_args()
    found: dict[str, dict[str, float]] = {}
    with tune_memory():
        for contender in CONTENDERS:
            if not asked.only or contender.strategy in asked.only:
                figures = measure(contender, asked.domain, asked.seed, asked.pages, asked.rounds)
                found[contender.name] = figures
                print(contender.name, figures)
    print(json.dumps({"pages": asked.pages, "strategies": found}))


if __name__ == "__main__":
    main()
