"""Tables in Markdown and the picture of the experiment over many makers."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from leadline_lab.experiments import standing
from leadline_lab.experiments.canvas import COLOURS, LINE, as_svg
from leadline_lab.experiments.trial import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from leadline_lab.experiments.many_makers import Condition

_FILE, _PICTURE = "strategies.md", "strategies.svg"


def write_makers_report(
    out: Path,
    results: Sequence[Result],
    budgets: Sequence[int],
    conditions: Sequence["Condition"],
) -> Path:
    """`strategies.md` with all tables, and the picture; where they are."""
    from leadline_lab.experiments.many_makers import find_rivals, tried_under

    parts = []
    for condition in conditions:
        mine = tried_under(results, condition)
        default, published = find_rivals(mine)
        parts.append(f"## {str(condition).capitalize()}\n")
        parts += [_standing(mine, budget) for budget in budgets]
        if default:
            parts.append(_margins(mine, budgets, default, published))
            parts += [_beside_best(mine, budget, default) for budget in budgets]
        parts += [_profiles(mine, budget) for budget in budgets]
        parts += [_left_out(mine, budget) for budget in budgets]
        parts += [_agreement(mine, budget) for budget in budgets]
        parts.append(_draining(mine))
    file = out / _FILE
    file.write_text("\n".join(parts), encoding="utf-8")
    picture = draw_standing(tried_under(results, conditions[0]), budgets)
    (out / _PICTURE).write_text(picture, encoding="utf-8")
    return file


def _margins(
    results: Sequence[Result], budgets: Sequence[int], default: str, published: Sequence[str]
) -> str:
    rows: dict[str, list[str]] = {}
    for budget in budgets:
        for one in standing.find_margins(results, budget, default, published):
            cell = f"{one.ratio:.2f} ({one.low:.2f} to {one.high:.2f})"
            rows.setdefault(one.against, []).append(cell)
    head = ("against", *(f"{budget:,}" for budget in budgets))
    title = f"Times as many forms `{default}` finds, geometric mean of profiles (95 %)"
    return _table(title, head, [(name, *cells) for name, cells in rows.items()])


def _beside_best(results: Sequence[Result], budget: int, default: str) -> str:
    """Whether it is the best of a profile, or within its interval of the best."""
    rows = [
        (
            one.profile,
            _percent(one.share),
            f"`{one.best}`",
            _percent(one.best_share),
            f"{100 * one.low:+.1f} to {100 * one.high:+.1f}",
            str(one.units),
            "yes" if one.is_best_or_within else "no",
        )
        for one in standing.stand_beside_best(results, budget, default)
    ]
    head = (
        "profile",
        "% of oracle",
        "best other",
        "%",
        "difference, 95 %",
        "crawls",
        "best or within",
    )
    return _table(f"`{default}` beside the best other, {budget:,} requests", head, rows)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"**{title}**\n", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows), ""])


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _standing(results: Sequence[Result], budget: int) -> str:
    head = ("strategy", "forms", "% of the oracle", "95 %", "wins %", "worst, % of best", "where")
    rows = [
        (
            f"`{line.strategy}`",
            str(line.forms),
            _percent(line.share),
            f"{_percent(line.low)} to {_percent(line.high)}",
            _percent(line.wins),
            _percent(line.worst),
            line.worst_profile,
        )
        for line in standing.stand(results, budget)
    ]
    return _table(f"After {budget:,} requests", head, rows)


def _profiles(results: Sequence[Result], budget: int) -> str:
    shares, _ = standing.shares_at(results, budget)
    table = standing.by_profile(shares)
    names = [line.strategy for line in standing.stand(results, budget)]
    rows = [(f"`{name}`", *(_percent(row[name]) for row in table.values())) for name in names]
    return _table(f"% of the oracle by profile, {budget:,} requests", ("strategy", *table), rows)


def _left_out(results: Sequence[Result], budget: int) -> str:
    rows = [
        (
            left.profile,
            f"`{left.chosen}`",
            _percent(left.share),
            f"`{left.best}`",
            _percent(left.best_share),
            _percent(left.of_best),
        )
        for left in standing.leave_one_out(results, budget)
    ]
    head = ("left out", "chosen on the others", "% of the oracle", "best there", "%", "% of best")
    return _table(f"Chosen without the profile, {budget:,} requests", head, rows)


def _agreement(results: Sequence[Result], budget: int) -> str:
    from leadline_lab.experiments.many_makers import agreement

    found = agreement(results, budget)
    webs = list(dict.fromkeys(web for row in found.values() for web in row))
    if not webs:
        return ""
    rows = [
        (profile, *("" if row.get(web) is None else f"{row[web]:.2f}" for web in webs))
        for profile, row in found.items()
    ]
    title = f"Kendall's tau with webs by other makers, {budget:,} requests"
    return _table(title, ("profile", *webs), rows)


def _draining(results: Sequence[Result]) -> str:
    from leadline_lab.experiments.many_makers import draining

    rows = [
        (f"`{name}`", *("never" if value is None else str(value) for value in row.values()))
        for name, row in draining(results).items()
    ]
    head = ("strategy", "crawls", "reached 50 %", "median requests", "reached 80 %", "median")
    return _table("Worlds that drain", head, rows) if rows else ""


@as_svg
def draw_standing(results: Sequence[Result], budgets: Sequence[int]) -> "Figure":
    """Each strategy's share of the oracle by budget, with its interval and its profiles."""
    from matplotlib.figure import Figure

    names = [line.strategy for line in standing.stand(results, budgets[-1])]
    size = (2.6 * len(budgets) + 1.6, 0.32 * len(names) + 1.2)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(1, len(budgets), sharey=True, squeeze=False)[0]
    for panel, budget in zip(panels, budgets, strict=True):
        lines = {line.strategy: line for line in standing.stand(results, budget)}
        profiles = standing.by_profile(standing.shares_at(results, budget)[0])
        for at, name in enumerate(reversed(names)):
            line = lines[name]
            each = [100 * row[name] for row in profiles.values()]
            panel.plot(each, [at] * len(each), "o", color=COLOURS[5], markersize=3)
            panel.plot([100 * line.low, 100 * line.high], [at, at], color=COLOURS[0], lw=2)
            panel.plot([100 * line.share], [at], "s", color=COLOURS[0], markersize=5)
        panel.set_title(f"{budget:,} requests", fontsize=9)
        panel.set_xlabel("% of the oracle", fontsize=8)
        panel.set_yticks(range(len(names)), list(reversed(names)), fontsize=8)
        panel.tick_params(axis="x", labelsize=8)
        panel.grid(axis="x", color=LINE)
        panel.set_xlim(left=0)
    return figure
