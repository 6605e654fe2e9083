"""The calibration report: worlds measured one by one, held against the targets."""

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import msgspec
from msgspec import Struct

from leadline_lab.calibration.anchors import measure_anchors
from leadline_lab.calibration.databases import measure_databases
from leadline_lab.calibration.deep import count_deep, measure_deep, measure_room
from leadline_lab.calibration.degrees import measure_degrees, measure_sites_linked
from leadline_lab.calibration.language import measure_kinship, measure_language
from leadline_lab.calibration.services import measure_services
from leadline_lab.calibration.sites import (
    measure_hubs,
    measure_pages,
    measure_sites,
    measure_sizes,
    measure_topics,
)
from leadline_lab.calibration.targets import Target, targets
from leadline_lab.calibration.topicality import measure_locality, measure_siblings
from leadline_lab.calibration.traps import measure_traps
from leadline_lab.calibration.view import Effort, Findings, View
from leadline_lab.calibration.walking import measure_walks
from leadline_lab.profile import profile_named
from leadline_lab.world import World

SEEDS = (101, 102, 103, 104, 105)
"""Of development worlds."""
_SIBLING_PAGES = 300


class Measured(Struct, frozen=True):
    """One world."""

    seed: int
    cpu_s: float
    figures: dict[str, float]
    series: dict[str, list[float]]


class Row(Struct, frozen=True):
    """One property."""

    target: Target
    values: tuple[float, ...]
    """One for each world."""

    @property
    def mean(self) -> float:
        return sum(self.values) / len(self.values)

    @property
    def is_within(self) -> bool | None:
        """Whether the mean keeps the bounds; None where there are none."""
        low, high = self.target.low, self.target.high
        if low is None and high is None:
            return None
        slack = 1e-9
        return (low is None or self.mean >= low - slack) and (
            high is None or self.mean <= high + slack
        )


class Report(Struct, frozen=True):
    """All properties of all worlds measured."""

    profile: str
    seeds: tuple[int, ...]
    rows: tuple[Row, ...]
    worlds: tuple[Measured, ...]

    @property
    def outside(self) -> tuple[Row, ...]:
        """Rows that break their bounds."""
        return tuple(row for row in self.rows if row.is_within is False)

    def row(self, key: str) -> Row:
        return next(row for row in self.rows if row.target.key == key)


def measure(
    profile: str = "dev", seeds: Sequence[int] = SEEDS, effort: Effort | None = None, jobs: int = 1
) -> Report:
    """Measure one world for each seed; with several jobs, in processes of their own."""
    effort = effort or Effort()
    if jobs > 1 and len(seeds) > 1:
        with ProcessPoolExecutor(min(jobs, len(seeds))) as pool:
            rows = len(seeds)
            worlds = list(pool.map(measure_world, [profile] * rows, seeds, [effort] * rows))
    else:
        worlds = [measure_world(profile, seed, effort) for seed in seeds]
    return _report(profile, worlds)


def measure_world(profile: str, seed: int, effort: Effort) -> Measured:
    start = time.process_time()
    found = _findings(View(World(profile_named(profile), seed), effort))
    figures = {name: value for part in found for name, value in part.figures.items()}
    series = {name: row for part in found for name, row in part.series.items()}
    return Measured(seed, time.process_time() - start, figures, series)


def _findings(view: View) -> list[Findings]:
    pages = view.pages(view.effort.pages, "pages")
    deep = count_deep(view)
    return [
        measure_degrees(view, pages),
        measure_sites_linked(view),
        measure_sizes(view),
        measure_pages(view, pages),
        measure_sites(view),
        measure_hubs(view),
        measure_deep(view, deep),
        measure_walks(view),
        measure_topics(view),
        measure_locality(view),
        measure_siblings(view, pages[:_SIBLING_PAGES]),
        measure_kinship(view),
        measure_anchors(view, pages[::-1]),
        measure_traps(view),
        measure_services(view),
        measure_databases(view),
        measure_language(view),
        measure_room(view, deep),
    ]


def _report(profile: str, worlds: Sequence[Measured]) -> Report:
    rows = [
        Row(target, tuple(world.figures[target.key] for world in worlds))
        for target in targets(profile_named(profile))
        if all(target.key in world.figures for world in worlds)
    ]
    return Report(profile, tuple(world.seed for world in worlds), tuple(rows), tuple(worlds))


def run_calibration(
    profile: str = "dev", seeds: Sequence[int] = SEEDS, jobs: int = 2
) -> dict[str, Any]:
    """The report as figures for one line of JSON; `report` is all of it, for `report_of`."""
    report = measure(profile, seeds, jobs=jobs)
    bounded = [row for row in report.rows if row.is_within is not None]
    return {
        "profile": profile,
        "seeds": list(report.seeds),
        "rows": len(report.rows),
        "bounded": len(bounded),
        "within": sum(bool(row.is_within) for row in bounded),
        "outside": {row.target.key: round(row.mean, 5) for row in report.outside},
        "cpu_s": round(sum(world.cpu_s for world in report.worlds), 1),
        "means": {row.target.key: round(row.mean, 5) for row in report.rows},
        "report": msgspec.to_builtins(report),
    }


def report_of(figures: dict[str, Any]) -> Report:
    """The report back from what `run_calibration` gave."""
    return msgspec.convert(figures["report"], Report)
