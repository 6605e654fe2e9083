"""From results to what is compared: values by strategy and unit, paired differences, tests."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property

from msgspec import Struct

from leadline.errors import ConfigError
from leadline_lab.experiments.statistics import (
    Interval,
    Ranks,
    Record,
    clustered_interval,
    friedman,
    hodges_lehmann,
    holm,
    signed_rank_p,
    wins_ties_losses,
)
from leadline_lab.experiments.trial import Result
from leadline_lab.oracles import ORACLES

World = tuple[str, int]
Unit = tuple[World, str]
"""A world with a domain."""
Metric = Callable[[Result], float]

METRICS: dict[str, Metric] = {
    "area": lambda result: result.area,
    "forms": lambda result: float(result.end.forms),
    "sites": lambda result: float(result.end.sites),
    "searchable": lambda result: float(result.end.searchable),
    "on topic": lambda result: float(result.end.on_topic),
    "precision": lambda result: result.precision,
    "loss": lambda result: 1 - result.end.on_topic / max(1, result.end.pages),
}
PRIMARY = "area"
"""Distinct relevant forms averaged over the budget: early ones count for more."""
NORMALISED = "normalised area"
"""The area divided by that of the best oracle run on the same unit, see `reference`."""


def unit_of(result: Result) -> Unit:
    return result.trial.world, result.trial.domain


def rivals(results: Sequence[Result]) -> list[Result]:
    """Those of strategies: oracles are compared with nobody. All when there are only oracles."""
    return [r for r in results if not r.trial.contender.is_oracle] or list(results)


def reference(results: Sequence[Result]) -> str:
    """The strongest sound oracle among the contenders, '' without one: the greedy if it was run,
    then the trivial bound, then the one that sees one link far."""
    strategies = {result.trial.contender.strategy for result in results}
    return next((name for name in ORACLES if name in strategies), "")


def reference_areas(results: Sequence[Result]) -> dict[Unit, float]:
    """What the reference brought on each unit; units on which it found nothing left out."""
    name = reference(results)
    own = (result for result in results if result.trial.contender.strategy == name)
    return {unit_of(result): result.area for result in own if result.area > 0}


def _normalised(results: Sequence[Result]) -> Metric:
    areas = reference_areas(results)
    if not areas:
        raise ConfigError(f"{NORMALISED} needs one of {', '.join(ORACLES)} among the contenders")
    return lambda result: result.area / areas.get(unit_of(result), math.nan)


class Contest(Struct, frozen=True):
    """One strategy against another on the same units."""

    name: str
    against: str
    domain: str
    """'' for all together."""
    difference: Interval
    shift: float
    """Hodges-Lehmann."""
    record: Record
    p: float
    """Wilcoxon's."""
    p_holm: float
    """Corrected for all rivals in the same column of the table."""
    units: int
    base: float
    """Mean of the one compared with."""


class Comparison:
    """Values of one metric, by strategy and unit; algorithm seeds are averaged."""

    def __init__(self, results: Sequence[Result], metric: str = PRIMARY) -> None:
        known = (*METRICS, NORMALISED)
        if metric not in known:
            raise ConfigError(f"unknown metric {metric!r}; there are: {', '.join(known)}")
        self.metric = metric
        value = _normalised(results) if metric == NORMALISED else METRICS[metric]
        self.names = list(dict.fromkeys(result.trial.name for result in results))
        self.domains = list(dict.fromkeys(result.trial.domain for result in results))
        runs: dict[str, dict[Unit, list[float]]] = {name: defaultdict(list) for name in self.names}
        for result in results:
            if metric != NORMALISED or not math.isnan(value(result)):
                runs[result.trial.name][unit_of(result)].append(value(result))
        self.values: dict[str, dict[Unit, float]] = {
            name: {unit: sum(row) / len(row) for unit, row in units.items()}
            for name, units in runs.items()
        }

    @cached_property
    def units(self) -> list[Unit]:
        """Those on which every strategy was run."""
        first, *others = (self.values[name] for name in self.names)
        return [unit for unit in first if all(unit in other for other in others)]

    def mean(self, name: str, domain: str = "") -> Interval:
        return self._interval(self._chosen(domain), self.values[name])

    def contests(self, against: str, domain: str = "") -> list[Contest]:
        """Every other strategy against this one; p-values corrected together."""
        rivals = [name for name in self.names if name != against]
        base, units = self.values[against], self._chosen(domain)
        rows = {name: {unit: self.values[name][unit] - base[unit] for unit in units}
                for name in rivals}  # fmt: skip
        p_values = [signed_rank_p(list(rows[name].values())) for name in rivals]
        return [
            Contest(
                name,
                against,
                domain,
                self._interval(units, rows[name]),
                hodges_lehmann(list(rows[name].values())),
                wins_ties_losses(list(rows[name].values())),
                p,
                p_holm,
                len(units),
                sum(base[unit] for unit in units) / len(units),
            )
            for name, p, p_holm in zip(rivals, p_values, holm(p_values), strict=True)
        ]

    def ranks(self) -> Ranks:
        return friedman({name: [self.values[name][u] for u in self.units] for name in self.names})

    def _chosen(self, domain: str) -> list[Unit]:
        return [unit for unit in self.units if domain in ("", unit[1])]

    def _interval(self, units: Sequence[Unit], values: dict[Unit, float]) -> Interval:
        worlds: dict[World, list[float]] = defaultdict(list)
        for unit in units:
            worlds[unit[0]].append(values[unit])
        return clustered_interval(list(worlds.values()))
