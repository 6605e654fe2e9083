"""All strategies on webs of many makers: which trials, run how, and the table they make.

`leadline lab run strategies` gives every strategy the same worlds, domains and critic, and reports
its share of what an oracle finds after so many requests. Trials that are done are never run again,
so a run that was stopped resumes, and one of a few profiles is a part of the whole.
"""

import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, structs
from pydantic import ValidationError

from leadline.config import StrategySettings
from leadline.config.load import explain
from leadline.errors import ConfigError
from leadline.strategies import STRATEGIES
from leadline_lab.drawn import TRIED
from leadline_lab.experiments import standing
from leadline_lab.experiments.foreign import FOREIGN
from leadline_lab.experiments.keeping import ResultFolder
from leadline_lab.experiments.knowledge import EarlierCrawls, check_knowledge, find_knowledge_taken
from leadline_lab.experiments.lab_web import stamp
from leadline_lab.experiments.part import WHOLE, Narrowing
from leadline_lab.experiments.run import Chunk, Figures, Options, remove_kept_pages, run_chunks
from leadline_lab.experiments.standing import ORACLE
from leadline_lab.experiments.trial import (
    ALONE,
    CRAWL,
    NONE,
    SHIPPED,
    Contender,
    Result,
    Setting,
    Teach,
    Trial,
)
from leadline_lab.markup.shells import FOLDER, data_folder
from leadline_lab.profile import DRAWN, REAL, profile_named

NAME = "strategies"
ABOUT = (
    "All strategies on webs of many makers, chosen by their worst profile and how often they win."
)
PROFILES = ("dev-mid", *(f"{DRAWN}-{seed}" for seed in range(1, 9)), f"{REAL}-4")
"""The profile of before at a tenth of its sites, drawn ones, one whose sites wear real pages."""
BUDGETS = (500, 1_000, 2_000, 5_000, 20_000)
_OURS = frozenset({"expected_gain", "sitewise"})
"""Strategies that no paper has."""
_LEFT = frozenset({"random"})
"""Strategies that nobody would use, left out unless they are named."""


def default_contenders() -> tuple[str, ...]:
    """Every strategy there is."""
    return tuple(name for name in sorted(STRATEGIES) if name not in _LEFT)


def contender_named(text: str) -> Contender:
    """As a user would run it, with settings after a colon: `ffc:levels=1,strict=true`; `alone:` and
    a name for one that may ask no back-link service.

    FFC begins with the words that ship with a topic. Raises ConfigError."""
    if text == ORACLE:
        return Contender(ORACLE)
    rest = text.removeprefix(f"{ALONE}:")
    name, _, given = rest.partition(":")
    if name not in STRATEGIES:
        raise ConfigError(f"unknown strategy {name!r}; there are: {', '.join(sorted(STRATEGIES))}")
    settings = read_settings(name, given) if given else {}
    if rest != text:
        return Contender(f"{ALONE}:{name}", settings, text)
    shipped = f"{SHIPPED}:ffc" if name == "ffc" else name
    return Contender(shipped, settings, text if given or name != shipped else "")


def read_settings(name: str, text: str) -> dict[str, Setting]:
    """`key=value,key=value` as settings of the strategy. Raises ConfigError."""
    pairs = [pair.partition("=") for pair in text.split(",")]
    given = {key: value for key, _, value in pairs}
    try:
        settings = STRATEGIES[name].settings.model_validate(given)
    except ValidationError as error:
        raise ConfigError(f"strategy {name}:{text}: {explain(error)}") from None
    return {key: getattr(settings, key) for key in given}


def available_profiles() -> tuple[str, ...]:
    """Those that wear real pages are left out where there are none."""
    has_pages = data_folder() is not None
    return tuple(name for name in PROFILES if has_pages or not profile_named(name).real_pages)


def plan_trials(part: Narrowing) -> list[Trial]:
    """Seed by seed, then domain by domain, so that a part of a run has something of all profiles.

    Raises ConfigError for what does not exist."""
    profiles = part.profiles or available_profiles()
    for profile in profiles:
        if profile_named(profile).real_pages and data_folder() is None:
            raise ConfigError(f"profile {profile} needs real pages: set {FOLDER}")
    contenders = [contender_named(name) for name in part.strategies or default_contenders()]
    levels = [check_knowledge(name) for name in part.knowledge or (CRAWL,)]
    budget = max(part.budgets or BUDGETS)
    trials = []
    for seed, domain, profile in product(part.seeds or (1, 2, 3), part.domains or TRIED, profiles):
        whole = Trial(
            Contender(ORACLE), profile, seed, domain, budget, critic="oracle",
            budget_requests=budget, knowledge=NONE,
        )  # fmt: skip
        trials.append(whole)
        for critic, level, contender in product(part.critics or ("pack",), levels, contenders):
            taken = find_knowledge_taken(contender, level)
            made = structs.replace(
                whole, contender=contender, critic=critic, seed=seed, knowledge=taken
            )
            trials.append(made)
    return list({trial.key: trial for trial in trials}.values())


def run_strategies(
    out: Path, part: Narrowing = WHOLE, jobs: int = 1, options: Options | None = None
) -> Figures:
    """Run what is missing of a part of the experiment; then write its tables and picture."""
    from leadline_lab.experiments.makers_report import write_makers_report

    options = options or Options()
    trials = plan_trials(part)
    folder = ResultFolder(out)
    (out / "trials").mkdir(parents=True, exist_ok=True)
    missing = [trial for trial in trials if not folder.has(trial)]
    pages = options.cache or out / "pages"
    remove_kept_pages(pages, but=stamp())
    begun_at = time.monotonic()
    earlier = EarlierCrawls(out / "earlier", options.open_world)
    earlier.run_missing(missing)
    run_chunks(
        list(_chunks(missing, out, pages, options, earlier.teach)),
        jobs,
        options,
        lambda: sum(folder.has(trial) for trial in trials),
    )
    results = [folder.get(trial) for trial in trials]
    budgets = part.budgets or BUDGETS
    conditions = conditions_of(part)
    write_makers_report(out, results, budgets, conditions)
    figures = figures_of(results, budgets, conditions)
    skipped = [] if part.profiles else sorted(set(PROFILES) - set(available_profiles()))
    why = dict.fromkeys(skipped, f"no real pages: {FOLDER} is not set")
    return {
        "skipped": why,
        "run_now": len(missing),
        "seconds": round(time.monotonic() - begun_at, 1),
    } | figures


def _chunks(
    trials: Sequence[Trial], out: Path, pages: Path, options: Options, teach: Teach
) -> Iterator[Chunk]:
    """One for each world and domain: parsed pages are shared by what is tried on them."""
    units: dict[tuple[str, int, str], list[Trial]] = {}
    for trial in trials:
        units.setdefault((*trial.world, trial.domain), []).append(trial)
    for (profile, seed, _), own in units.items():
        file = pages / f"{profile}-{seed}-{stamp()}.sqlite"
        yield Chunk(tuple(own), out, file, options.cache_bytes, options.open_world, teach)


class Condition(NamedTuple):
    """What is equal for all strategies of one table."""

    critic: str
    knowledge: str

    def __str__(self) -> str:
        return f"critic {self.critic}, knowledge {self.knowledge}"


def conditions_of(part: Narrowing) -> list[Condition]:
    """Those of a part of the experiment."""
    critics, levels = part.critics or ("pack",), part.knowledge or (CRAWL,)
    return [Condition(critic, level) for critic, level in product(critics, levels)]


def tried_under(results: Sequence[Result], condition: Condition) -> list[Result]:
    """The trials under one condition, and the oracle's, which needs none."""
    return [
        result
        for result in results
        if result.trial.name == ORACLE
        or (
            result.trial.critic == condition.critic
            and result.trial.knowledge
            == find_knowledge_taken(result.trial.contender, condition.knowledge)
        )
    ]


def find_rivals(results: Sequence[Result]) -> tuple[str, list[str]]:
    """The default strategy, or '' if it was not tried; and the published ones."""
    names = dict.fromkeys(r.trial.name for r in results if r.trial.name != ORACLE)
    published = [
        name for name in names if name.removeprefix(f"{ALONE}:").partition(":")[0] not in _OURS
    ]
    default = StrategySettings().name
    return default if default in names else "", published


def figures_of(
    results: Sequence[Result], budgets: Sequence[int], conditions: Sequence[Condition]
) -> Figures:
    """All figures of the experiment, as one JSON object."""
    found: Figures = {"trials": len(results)}
    for condition in conditions:
        mine = tried_under(results, condition)
        default, published = find_rivals(mine)
        found[str(condition)] = {
            str(budget): {
                "strategies": [_row(line) for line in standing.stand(mine, budget)],
                "left_out": [_row(left) for left in standing.leave_one_out(mine, budget)],
                "margins": [
                    _row(margin)
                    for margin in standing.find_margins(mine, budget, default, published)
                ],
                "beside_best": [
                    _row(one) | {"is_best_or_within": one.is_best_or_within}
                    for one in standing.stand_beside_best(mine, budget, default)
                ],
                "kendall": agreement(mine, budget),
            }
            for budget in budgets
        } | {"draining": draining(mine)}
    found["cpu_s"] = round(sum(result.cpu_s for result in results), 1)
    return found


def _row(line: Struct) -> dict[str, object]:
    return {
        name: round(value, 4) if isinstance(value, float) else value
        for name, value in structs.asdict(line).items()
    }


def agreement(results: Sequence[Result], budget: int) -> dict[str, dict[str, float | None]]:
    """Rank correlation of the strategies in each profile with those of webs by other makers."""
    shares, _ = standing.shares_at(results, budget)
    return {
        profile: {
            web: _rounded(standing.kendall(row, doors[budget]))
            for web, doors in FOREIGN.items()
            if budget in doors
        }
        for profile, row in standing.by_profile(shares).items()
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)


def draining(results: Sequence[Result], most_sites: int = 500) -> dict[str, dict[str, object]]:
    """For worlds small enough to run out: requests to 50 and 80 % of what can be reached.

    What can be reached is what any strategy or the oracle met there.
    """
    small = {
        result.trial.profile for result in results if _sites(result.trial.profile) <= most_sites
    }
    units: dict[tuple[str, int, str], int] = {}
    for result in results:
        trial = result.trial
        if trial.profile in small:
            key = (*trial.world, trial.domain)
            units[key] = max(units.get(key, 0), len(result.gains))
    found: dict[str, dict[str, object]] = {}
    for name in dict.fromkeys(r.trial.name for r in results if r.trial.profile in small):
        own = [r for r in results if r.trial.name == name and r.trial.profile in small]
        row: dict[str, object] = {"worlds": len(own)}
        for share in (50, 80):
            needed = [
                standing.requests_to(r, share / 100 * units[(*r.trial.world, r.trial.domain)])
                for r in own
            ]
            reached = sorted(requests for requests in needed if requests is not None)
            row[f"reached_{share}"] = len(reached)
            # Those that never came so far count as more than all others.
            middle = (len(needed) - 1) // 2
            row[f"median_{share}"] = reached[middle] if middle < len(reached) else None
        found[name] = row
    return found


def _sites(profile: str) -> int:
    from leadline_lab.sites.census import count_sites

    return count_sites(profile_named(profile))
