"""What trials over many profiles say of strategies: shares of the oracle, wins, the worst profile.

A strategy is chosen by its worst profile and by how often it wins, never by a mean; and whether the
choice carries over is asked by leaving one profile out of it and looking there afterwards.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline_lab.experiments.trial import Result

ORACLE = "oracle:greedy"
BEST_OF_EACH = "the best of each profile"
_DRAWS = 1_000
"""Of the bootstrap."""
_FEWEST = 1
"""Forms the oracle must have found for a share of it to say anything."""


class Unit(NamedTuple):
    """What all strategies are tried on alike: one world and one domain."""

    profile: str
    world_seed: int
    domain: str


Shares = Mapping[str, Mapping[Unit, float]]
"""Share of the oracle by strategy, then by unit; every strategy has every unit."""


class Line(Struct, frozen=True):
    """One strategy at one budget."""

    strategy: str
    forms: int
    """Distinct relevant forms over all units."""
    share: float
    """Of the oracle's, mean over profiles."""
    low: float
    high: float
    """95 % of draws of worlds."""
    wins: float
    """Share of units in which no other found more; equals share a win."""
    worst: float
    """Of the best strategy's share, in the profile where this is least."""
    worst_profile: str


class LeftOut(Struct, frozen=True):
    """A choice made without a profile, and what it comes to there."""

    profile: str
    chosen: str
    share: float
    """Of the oracle, of the chosen one on the profile left out."""
    best: str
    best_share: float
    of_best: float


class Margin(Struct, frozen=True):
    """How many times as many forms one strategy finds as another, by profile."""

    against: str
    """Another strategy, or `BEST_OF_EACH`."""
    ratio: float
    """The geometric mean over profiles."""
    low: float
    high: float
    """95 % of draws of profiles, then of worlds with domains in each."""


class Beside(Struct, frozen=True):
    """One strategy beside the best other one of a profile."""

    profile: str
    share: float
    """Of the oracle's."""
    best: str
    """The best of the others there."""
    best_share: float
    low: float
    """95 % interval of the difference, worlds with domains drawn anew."""
    high: float
    units: int

    @property
    def is_best_or_within(self) -> bool:
        """Whether no other one is better beyond doubt."""
        return self.high >= 0


def forms_at(result: Result, budget: int) -> int:
    """Distinct relevant forms after so many requests."""
    return bisect_right(result.gains, budget)


def requests_to(result: Result, forms: float) -> int | None:
    """Requests until so many distinct relevant forms were met; None if they never were."""
    place = int(np.ceil(forms)) - 1
    return result.gains[place] if 0 <= place < len(result.gains) else None


def shares_at(results: Iterable[Result], budget: int) -> tuple[Shares, dict[str, int]]:
    """Shares of the oracle at a budget of requests, and all forms of each strategy.

    Units that some strategy has no trial of, or in which the oracle finds nothing, are left out:
    strategies are compared on the same ones. Several seeds of an algorithm count as their mean.
    """
    found: defaultdict[str, defaultdict[Unit, list[int]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        trial = result.trial
        unit = Unit(trial.profile, trial.world_seed, trial.domain)
        found[trial.name][unit].append(forms_at(result, budget))
    oracle = {unit: max(forms) for unit, forms in found.pop(ORACLE, {}).items()}
    units = [
        unit
        for unit, forms in sorted(oracle.items())
        if forms >= _FEWEST and all(unit in own for own in found.values())
    ]
    shares = {
        name: {unit: float(np.mean(own[unit])) / oracle[unit] for unit in units}
        for name, own in found.items()
    }
    sums = {name: round(sum(float(np.mean(own[u])) for u in units)) for name, own in found.items()}
    return shares, sums


def by_profile(shares: Shares) -> dict[str, dict[str, float]]:
    """Mean share of each strategy by profile."""
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for name, own in shares.items():
        for profile in dict.fromkeys(unit.profile for unit in own):
            mine = [share for unit, share in own.items() if unit.profile == profile]
            table[profile][name] = float(np.mean(mine))
    return dict(table)


def win_rates(shares: Shares) -> dict[str, float]:
    """How often nobody is better, equals sharing it."""
    wins = dict.fromkeys(shares, 0.0)
    units = list(next(iter(shares.values()), {}))
    for unit in units:
        best = max(own[unit] for own in shares.values())
        winners = [name for name, own in shares.items() if own[unit] == best]
        for name in winners:
            wins[name] += 1 / len(winners) / len(units)
    return wins


def worst_profiles(shares: Shares) -> dict[str, tuple[float, str]]:
    """Of each strategy its least share of the best one's, and the profile where that is."""
    table = by_profile(shares)
    found = {}
    for name in shares:
        relative = [
            (row[name] / max(row.values()) if max(row.values()) else 1.0, profile)
            for profile, row in table.items()
        ]
        found[name] = min(relative, default=(0.0, ""))
    return found


def stand(results: Sequence[Result], budget: int) -> list[Line]:
    """All strategies at a budget, the best choice first."""
    shares, sums = shares_at(results, budget)
    wins, worst = win_rates(shares), worst_profiles(shares)
    means = {
        name: float(np.mean([row[name] for row in by_profile(shares).values()] or [0.0]))
        for name in shares
    }
    lines = [
        Line(name, sums[name], means[name], *interval(shares[name]), wins[name], *worst[name])
        for name in shares
    ]
    return sorted(lines, key=lambda line: -line.worst - line.wins)


def interval(own: Mapping[Unit, float]) -> tuple[float, float]:
    """95 % interval of the mean over profiles, worlds drawn anew inside each profile."""
    worlds: defaultdict[str, defaultdict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for unit, share in own.items():
        worlds[unit.profile][unit.world_seed].append(share)
    if not worlds:
        return 0.0, 0.0
    # Profiles are a sample as well: they are drawn first, then worlds inside each.
    profiles = [[float(np.mean(world)) for world in seeds.values()] for seeds in worlds.values()]
    chance = np.random.default_rng(1)
    means = []
    for _ in range(_DRAWS):
        rows = [profiles[at] for at in chance.integers(len(profiles), size=len(profiles))]
        means.append(float(np.mean([np.mean(chance.choice(row, len(row))) for row in rows])))
    low, high = np.quantile(means, (0.025, 0.975)).tolist()
    return low, high


def choose(shares: Shares) -> str:
    """The strategy with the best sum of worst profile and win rate: both are shares of one."""
    wins, worst = win_rates(shares), worst_profiles(shares)
    return max(shares, key=lambda name: worst[name][0] + wins[name])


def leave_one_out(results: Sequence[Result], budget: int) -> list[LeftOut]:
    """For each profile the choice that all others make, and what it comes to there."""
    shares, _ = shares_at(results, budget)
    table = by_profile(shares)
    found = []
    for profile, row in table.items():
        others = {
            name: {unit: share for unit, share in own.items() if unit.profile != profile}
            for name, own in shares.items()
        }
        if not any(others.values()):
            continue
        chosen, best = choose(others), max(row, key=lambda name: row[name])
        of_best = row[chosen] / row[best] if row[best] else 1.0
        found.append(LeftOut(profile, chosen, row[chosen], best, row[best], of_best))
    return found


def find_margins(
    results: Iterable[Result], budget: int, name: str, rivals: Sequence[str]
) -> list[Margin]:
    """One strategy against each of the others, and against the best of them in each profile.

    Ratios are of all forms of a profile. Who is best is asked again in each draw, so that a lucky
    rival is not taken for a good one more often than it would be.
    """
    forms = _count_forms(results, budget, (name, *rivals))
    if not forms or not rivals:
        return []
    columns = [*rivals, BEST_OF_EACH]
    found = _average_ratios(list(forms.values()))
    chance, draws = np.random.default_rng(1), []
    tables = list(forms.values())
    for _ in range(_DRAWS):
        drawn = [tables[at] for at in chance.integers(len(tables), size=len(tables))]
        rows = [table[chance.integers(len(table), size=len(table))] for table in drawn]
        draws.append(_average_ratios(rows))
    lows, highs = np.quantile(draws, (0.025, 0.975), axis=0)
    figures = zip(columns, found.tolist(), lows.tolist(), highs.tolist(), strict=True)
    return [Margin(*row) for row in figures]


def _count_forms(
    results: Iterable[Result], budget: int, names: Sequence[str]
) -> dict[str, NDArray[np.float64]]:
    """Forms by profile: a row for each unit that all were tried on, a column for each strategy."""
    found: defaultdict[Unit, dict[str, list[int]]] = defaultdict(dict)
    for result in results:
        trial = result.trial
        unit = Unit(trial.profile, trial.world_seed, trial.domain)
        found[unit].setdefault(trial.name, []).append(forms_at(result, budget))
    rows: defaultdict[str, list[list[float]]] = defaultdict(list)
    for unit, forms in sorted(found.items()):
        if all(name in forms for name in names):
            rows[unit.profile].append([float(np.mean(forms[name])) for name in names])
    return {profile: np.array(own) for profile, own in rows.items()}


def _average_ratios(tables: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Geometric means over profiles: the first column by each other one, and by the best one."""
    # Half a form at least: a profile in which nobody found anything says nothing.
    sums = np.maximum(np.array([table.sum(axis=0) for table in tables]), 0.5)
    others = np.column_stack([sums[:, 1:], sums[:, 1:].max(axis=1)])
    means: NDArray[np.float64] = np.exp(np.log(sums[:, :1] / others).mean(axis=0))
    return means


def stand_beside_best(results: Iterable[Result], budget: int, name: str) -> list[Beside]:
    """For each profile, one strategy beside the best of all others."""
    shares, _ = shares_at(results, budget)
    found = []
    for profile, row in by_profile(shares).items():
        others = {other: share for other, share in row.items() if other != name}
        if name not in row or not others:
            continue
        best = max(others, key=lambda other: others[other])
        units = [unit for unit in shares[name] if unit.profile == profile]
        apart = np.array([shares[name][unit] - shares[best][unit] for unit in units])
        picks = np.random.default_rng(1).integers(len(units), size=(_DRAWS, len(units)))
        low, high = np.quantile(apart[picks].mean(axis=1), (0.025, 0.975)).tolist()
        found.append(Beside(profile, row[name], best, row[best], low, high, len(units)))
    return found


def kendall(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    """Rank correlation (tau-b) over the strategies that both have; None for fewer than three or
    where one of them is all equal."""
    names = [name for name in one if name in other]
    if len(names) < 3:
        return None
    same = ties_one = ties_other = pairs = 0
    for a, b in combinations(names, 2):
        left, right = np.sign(one[a] - one[b]), np.sign(other[a] - other[b])
        same += int(left * right)
        ties_one += left == 0
        ties_other += right == 0
        pairs += 1
    below = ((pairs - ties_one) * (pairs - ties_other)) ** 0.5
    return float(same / below) if below else None
