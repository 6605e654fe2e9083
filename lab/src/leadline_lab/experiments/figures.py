"""Figures of an experiment as SVG: the same results give the same bytes."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from leadline_lab.experiments.canvas import (
    COLOURS,
    DARK,
    INK,
    SOFT,
    USE_COLOURS,
    add_legend,
    as_svg,
    colours,
    columns_for,
    panels,
    short,
    thousands,
)
from leadline_lab.experiments.comparison import Comparison, Contest
from leadline_lab.experiments.grading import USES
from leadline_lab.experiments.statistics import Interval
from leadline_lab.experiments.trial import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Row = NDArray[np.float64]
_GRID_POINTS = 101
_SHARE_SHOWN = 0.045
"""Smaller parts of a bar have no room for their number."""
_CENTRED: Any = {"ha": "center", "va": "center", "fontsize": 8.5}


@as_svg
def harvest_curves(results: Sequence[Result]) -> "Figure":
    """Distinct relevant forms against pages: a panel for each domain, a line for each strategy.

    Lines are means over worlds; bands reach from the lowest to the highest world.
    """
    names = list(dict.fromkeys(result.trial.name for result in results))
    domains = list(dict.fromkeys(result.trial.domain for result in results))
    figure, axes = panels(len(domains), height=2.5)
    for panel, domain in zip(axes, domains, strict=False):
        panel.set_title(domain)
        panel.grid(axis="y")
        _draw_domain(panel, [r for r in results if r.trial.domain == domain], colours(names))
    for panel in axes[: len(domains)][-columns_for(len(domains)) :]:
        panel.set_xlabel("pages visited")
    axes[0].set_ylabel("distinct relevant forms")
    if len(domains) > 1:
        add_legend(figure, colours(names))
    return figure


@as_svg
def forms_at_budget(comparison: Comparison) -> "Figure":
    """Bars of the mean at the end of the budget, by domain, with 95 % intervals."""
    names, domains = comparison.names, comparison.domains
    figure, axes = panels(len(domains), height=0.5 + 0.24 * len(names))
    shades = colours(names)
    for number, (panel, domain) in enumerate(zip(axes, domains, strict=False)):
        panel.set_title(domain)
        means = [comparison.mean(name, domain) for name in names]
        places = np.arange(len(names))[::-1]
        panel.barh(places, [m.mean for m in means], color=[shades[n] for n in names], height=0.72)
        _whiskers(panel, means, places)
        is_first = number % columns_for(len(domains)) == 0
        panel.set_yticks(places, names if is_first else [""] * len(names))
        panel.spines["left"].set_visible(False)
        panel.set_xticks([])
        panel.spines["bottom"].set_visible(False)
        for place, mean in zip(places, means, strict=True):
            end = mean.mean if np.isnan(mean.high) else max(mean.mean, mean.high)
            panel.annotate(
                short(mean.mean), (end, place), (4, 0), textcoords="offset points", va="center",
                color=SOFT, fontsize=8.5,
            )  # fmt: skip
        panel.margins(x=0.22)
        panel.set_xlim(left=0)
    return figure


@as_svg
def where_requests_went(results: Sequence[Result]) -> "Figure":
    """One stacked bar for each strategy: shares of all its requests by what they were good for."""
    names = list(dict.fromkeys(result.trial.name for result in results))
    figure, (panel,) = panels(1, height=1.1 + 0.36 * len(names))
    places = np.arange(len(names))[::-1]
    shares = _use_shares(results, names)
    left = np.zeros(len(names))
    for use, colour, row in zip(USES, USE_COLOURS, shares, strict=True):
        if not row.any():
            continue
        panel.barh(places, row, left=left, color=colour, height=0.68, label=use, edgecolor="white")
        shade = "white" if colour in DARK else INK
        for place, start, share in zip(places, left, row, strict=True):
            if share >= _SHARE_SHOWN:
                panel.text(
                    start + share / 2, place, f"{100 * share:.0f} %", color=shade, **_CENTRED
                )
        left += row
    panel.set_yticks(places, names)
    panel.set_xlim(0, 1)
    panel.set_xticks([])
    for side in ("left", "bottom"):
        panel.spines[side].set_visible(False)
    figure.legend(loc="outside lower center", ncols=5, fontsize=8.5, labelcolor=SOFT)
    return figure


@as_svg
def differences(contests: Sequence[Contest]) -> "Figure":
    """Paired differences in per cent of the strategy compared with, with 95 % intervals.

    Blue is better, orange worse, grey undecided.
    """
    names = list(dict.fromkeys(contest.name for contest in contests))
    domains = list(dict.fromkeys(contest.domain for contest in contests))
    figure, axes = panels(len(names), height=0.9 + 0.21 * len(domains))
    for number, (panel, name) in enumerate(zip(axes, names, strict=False)):
        panel.set_title(name)
        panel.axvline(0, color=SOFT, linewidth=1)
        panel.grid(axis="x")
        places = np.arange(len(domains))[::-1]
        rows = {contest.domain: contest for contest in contests if contest.name == name}
        for place, domain in zip(places, domains, strict=True):
            _draw_difference(panel, rows[domain], float(place))
        labels = [domain or "all" for domain in domains]
        is_first = number % columns_for(len(names)) == 0
        panel.set_yticks(places, labels if is_first else [""] * len(labels))
        panel.set_ylim(-0.6, len(domains) - 0.4)
        panel.spines["left"].set_visible(False)
        panel.set_xlabel(f"% of {contests[0].against}")
        _at_least(panel, 5.0)
    return figure


def _draw_difference(panel: "Axes", contest: Contest, place: float) -> None:
    scale = 100 / contest.base if contest.base else 0.0
    difference = contest.difference
    colour = SOFT
    if difference.excludes_zero:
        colour = COLOURS[0] if difference.mean > 0 else COLOURS[1]
    if not np.isnan(difference.low):
        panel.plot([scale * difference.low, scale * difference.high], [place, place],
                   color=colour, linewidth=2, solid_capstyle="round")  # fmt: skip
    marker = "D" if contest.domain == "" else "o"
    panel.plot([scale * difference.mean], [place], marker, color=colour, markersize=5.5)


def _at_least(panel: "Axes", reach: float) -> None:
    low, high = panel.get_xlim()
    panel.set_xlim(min(low, -reach), max(high, reach))


def _draw_domain(panel: "Axes", results: Sequence[Result], shades: dict[str, str]) -> None:
    budget = max(result.trial.budget_pages for result in results)
    pages = np.linspace(0, budget, _GRID_POINTS)
    ends: list[tuple[float, str]] = []
    for name, shade in shades.items():
        rows = _by_world([result for result in results if result.trial.name == name], pages)
        if not len(rows):
            continue
        if len(rows) > 1:
            panel.fill_between(pages, rows.min(axis=0), rows.max(axis=0), color=shade, alpha=0.14,
                               linewidth=0)  # fmt: skip
        panel.plot(pages, rows.mean(axis=0), color=shade, linewidth=1.8)
        ends.append((float(rows.mean(axis=0)[-1]), name))
    panel.set_xlim(0, budget)
    panel.set_ylim(bottom=0)
    panel.set_xticks([0, budget / 2, budget], ["0", thousands(budget / 2), thousands(budget)])
    _label_ends(panel, budget, ends, shades)


def _by_world(results: Sequence[Result], pages: Row) -> Row:
    """A row for each world: forms at each number of pages, algorithm seeds averaged."""
    worlds: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for result in results:
        x = [point.pages for point in result.curve]
        y = [point.forms for point in result.curve]
        worlds[result.trial.world].append(np.interp(pages, x, y))
    return np.array([np.mean(rows, axis=0) for rows in worlds.values()])


def _label_ends(
    panel: "Axes", budget: int, ends: list[tuple[float, str]], shades: dict[str, str]
) -> None:
    """The value at the end of each line, moved apart where lines end together."""
    gap = 0.085 * panel.get_ylim()[1]
    at = -gap
    for value, name in sorted(ends):
        at = max(value, at + gap)
        panel.annotate(
            short(value), (budget, at), (4, 0), textcoords="offset points", va="center",
            color=shades[name], fontsize=8.5, annotation_clip=False,
        )  # fmt: skip


def _whiskers(panel: "Axes", means: Sequence[Interval], places: NDArray[np.int64]) -> None:
    for mean, place in zip(means, places, strict=True):
        if not np.isnan(mean.low):
            panel.plot([max(0.0, mean.low), mean.high], [place, place], color=INK, linewidth=1.1)


def _use_shares(results: Sequence[Result], names: Sequence[str]) -> Row:
    """Rows by use, columns by strategy."""
    totals = np.zeros((len(USES), len(names)))
    for result in results:
        column = names.index(result.trial.name)
        totals[:, column] += [result.uses.get(use, 0) for use in USES]
    shares: Row = totals / np.maximum(1, totals.sum(axis=0))
    return shares
