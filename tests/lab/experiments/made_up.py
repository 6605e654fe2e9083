"""Results without crawls: curves that rise at a given pace."""

import numpy as np

from leadline_lab.experiments.grading import CHECKPOINTS, USES, Point
from leadline_lab.experiments.plan import Experiment
from leadline_lab.experiments.trial import Contender, Result, Trial

PACES = {"baseline": 1.0, "baseline_sc": 1.6, "random": 0.3, "fixed_depth": 1.02}
RICHNESS = {"airfare": 110.0, "book": 30.0, "movie": 9.0, "hotel": 180.0}
BUDGET = 10_000


def made_up_experiment(worlds: int = 8) -> Experiment:
    return Experiment(
        "made-up",
        "Whether a report says what its numbers say.",
        tuple(Contender(name) for name in PACES),
        profiles=("dev",),
        world_seeds=tuple(range(1, worlds + 1)),
        domains=tuple(RICHNESS),
        budget_pages=BUDGET,
        seeds=(1, 2),
    )


def made_up_results(worlds: int = 8) -> list[Result]:
    random = np.random.default_rng(3)
    results = []
    for world in range(1, worlds + 1):
        for domain, richness in RICHNESS.items():
            luck = random.lognormal(0.0, 0.25)
            for name, pace in PACES.items():
                for seed in (1, 2) if name == "random" else (1,):
                    forms = richness * pace * luck * random.lognormal(0.0, 0.12)
                    trial = Trial(Contender(name), "dev", world, domain, BUDGET, seed)
                    results.append(_result(trial, forms))
    return results


def _result(trial: Trial, forms: float) -> Result:
    pages = np.linspace(0, BUDGET, 101)
    rising = forms * (pages / BUDGET) ** 0.8
    curve = tuple(_point(int(n), f) for n, f in zip(pages, rising, strict=True))
    uses = dict(zip(USES, (int(forms), 900, 2500, 4500, 800, 150, 300, 250, 700, 0), strict=True))
    marks = tuple(_point(n, forms * (n / BUDGET) ** 0.8) for n in CHECKPOINTS if n <= BUDGET)
    return Result(
        trial, "budget: pages", curve[-1], float(rising.mean()), marks, curve, uses,
        sum(uses.values()), {"page": BUDGET}, 2 * int(forms), int(forms), int(forms), 180,
        "0", 12.5,
    )  # fmt: skip


def _point(pages: int, forms: float) -> Point:
    return Point(pages, pages + 900, round(forms), round(forms / 2), round(6 * forms), pages // 3)
