"""From harvests to what is compared: areas by kind and policy, paired differences, a table."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from leadline_lab.experiments.statistics import (
    Interval,
    clustered_interval,
    signed_rank_p,
    wins_ties_losses,
)
from leadline_lab.harvests.plan import Harvests, HarvestTrial

Figures = dict[str, object]
"""Printable as one line of JSON."""
Areas = dict[str, dict[int, float]]
"""By policy, then by seed."""

_WITHIN = 0.01
"""A policy within so much of the best one is as good."""


class Harvested(Struct, frozen=True):
    """One harvest, graded."""

    trial: HarvestTrial
    budget: int
    """Requests it might spend."""
    reachable: int
    """Records that its form can reach."""
    area: float
    """Coverage of those, averaged over the requests of the budget."""
    query_area: float
    coverage: float
    queries: int
    requests: int
    by_request: tuple[int, ...]
    """Reachable records held, at equal steps of the budget."""
    by_query: tuple[int, ...]
    cpu_s: float


class KindRow(Struct, frozen=True):
    """One kind of source."""

    kind: str
    areas: dict[str, float]
    """By policy, averaged over seeds."""
    best: str
    """Of the policies that the first is compared with; no oracle."""
    difference: Interval
    """The first less the best, seed by seed."""

    @property
    def is_best(self) -> bool:
        """Whether the first policy is the best or as good."""
        return self.difference.mean >= -_WITHIN * self.areas[self.best]


def rows_of(plan: Harvests, results: Sequence[Harvested]) -> list[KindRow]:
    """A row for each kind, in the plan's order."""
    areas: dict[str, Areas] = defaultdict(lambda: defaultdict(dict))
    for result in results:
        case, asker = result.trial.case, result.trial.asker
        areas[case.kind.name][asker.name][case.seed] = _area(plan, result)
    return [_row(plan, kind.name, areas[kind.name]) for kind in plan.kinds]


def figures_of(plan: Harvests, results: Sequence[Harvested]) -> Figures:
    rows = rows_of(plan, results)
    names = [asker.name for asker in plan.askers]
    return {
        "harvests": len(results),
        "kinds": len(rows),
        "best_or_within_1_percent": sum(row.is_best for row in rows),
        "worst_kinds": [row.kind for row in sorted(rows, key=_margin)[:5]],
        "mean_area": {name: _mean([row.areas[name] for row in rows]) for name in names},
        "against": {name: _contest(plan, results, name) for name in names[1:]},
        "requests": sum(result.requests for result in results),
        "cpu_s": round(sum(result.cpu_s for result in results), 1),
    }


def write_report(plan: Harvests, results: Sequence[Harvested], out: Path) -> Path:
    """A table in Markdown."""
    file = out / "report.md"
    file.write_text(as_markdown(plan, results), encoding="utf-8")
    return file


def as_markdown(plan: Harvests, results: Sequence[Harvested]) -> str:
    rows = rows_of(plan, results)
    names = [asker.name for asker in plan.askers]
    first = names[0]
    good = sum(row.is_best for row in rows)
    lines = [
        f"# {plan.name}",
        "",
        plan.about,
        "",
        f"Area under coverage by {_cost(plan)}, mean of {_sources(plan)} sources of each kind. "
        f"`{first}` is the best policy or within 1 % of it on {good} of {len(rows)} kinds.",
        "",
        f"| kind | {' | '.join(names)} | {first} less the best other | |",
        f"|---|{'---|' * (len(names) + 2)}",
    ]
    lines += [_line(row, names) for row in rows]
    means = " | ".join(f"{_mean([row.areas[name] for row in rows]):.3f}" for name in names)
    end = _by_queries(plan, results) if plan.queries else []
    return "\n".join((*lines, f"| mean | {means} | | |", "", *end))


def _by_queries(plan: Harvests, results: Sequence[Harvested]) -> list[str]:
    """Coverage on the way, beside what the 2010 paper reports of queries."""
    steps = [plan.queries // 10, plan.queries // 5, plan.queries // 2, plan.queries]
    lines = [
        "Coverage in per cent after so many queries, mean of all sources:",
        "",
        f"| policy | {' | '.join(map(str, steps))} | requests |",
        f"|---|{'---|' * (len(steps) + 1)}",
    ]
    for asker in plan.askers:
        own = [result for result in results if result.trial.asker.name == asker.name]
        covered = [_mean([_covered(result, step, plan) for result in own]) for step in steps]
        spent = round(sum(result.requests for result in own) / max(1, len(own)))
        cells = " | ".join(f"{100 * share:.1f}" for share in covered)
        lines.append(f"| {asker.name} | {cells} | {spent} |")
    return [*lines, ""]


def _covered(result: Harvested, queries: int, plan: Harvests) -> float:
    point = max(1, queries * len(result.by_query) // plan.queries)
    return result.by_query[point - 1] / max(1, result.reachable)


def _sources(plan: Harvests) -> int:
    return plan.sources or len(plan.seeds)


def _cost(plan: Harvests) -> str:
    return "queries" if plan.queries else "requests"


def _area(plan: Harvests, result: Harvested) -> float:
    """By what the plan limits: queries, as in the 2010 paper, or requests."""
    return result.query_area if plan.queries else result.area


def _row(plan: Harvests, kind: str, areas: Areas) -> KindRow:
    first = plan.askers[0].name
    rivals = [asker.name for asker in plan.askers[1:] if not asker.is_oracle]
    means = {name: sum(by_seed.values()) / len(by_seed) for name, by_seed in areas.items()}
    best = max(rivals or [first], key=lambda name: means[name])
    gaps = [[areas[first][seed] - areas[best][seed]] for seed in areas[first]]
    return KindRow(kind, means, best, clustered_interval(gaps))


def _contest(plan: Harvests, results: Sequence[Harvested], name: str) -> Figures:
    """The first policy against another, on all sources."""
    first = plan.askers[0].name
    own = {r.trial.case: _area(plan, r) for r in results if r.trial.asker.name == first}
    other = {r.trial.case: _area(plan, r) for r in results if r.trial.asker.name == name}
    gaps = {case: own[case] - other[case] for case in own}
    seeds: dict[int, list[float]] = defaultdict(list)
    for case, gap in gaps.items():
        seeds[case.seed].append(gap)
    interval = clustered_interval(list(seeds.values()))
    record = wins_ties_losses(list(gaps.values()))
    return {
        "difference": round(interval.mean, 4),
        "low": round(interval.low, 4),
        "high": round(interval.high, 4),
        "p": signed_rank_p(list(gaps.values())),
        "wins": record.wins,
        "ties": record.ties,
        "losses": record.losses,
    }


def _line(row: KindRow, names: list[str]) -> str:
    areas = " | ".join(f"{row.areas[name]:.3f}" for name in names)
    gap = row.difference
    spread = f" ({gap.low:+.3f} to {gap.high:+.3f})" if gap.low == gap.low else ""
    mark = "" if row.is_best else "below"
    return f"| {row.kind} | {areas} | {gap.mean:+.3f}{spread} | {mark} |"


def _margin(row: KindRow) -> float:
    return row.difference.mean / max(row.areas[row.best], 1e-9)


def _mean(numbers: Sequence[float]) -> float:
    return round(sum(numbers) / max(1, len(numbers)), 4)
