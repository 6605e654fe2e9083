"""Coverage against requests, policy by policy. Needs matplotlib."""

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline_lab.experiments.canvas import INK, add_legend, as_svg, colours, panels
from leadline_lab.harvests.plan import ORACLE
from leadline_lab.harvests.report import Harvested

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS = 30


@as_svg
def coverage_curves(results: Sequence[Harvested]) -> "Figure":
    """A panel for each form and limit of results, a line for each policy: the mean of all sources
    of that kind."""
    kinds: dict[str, list[Harvested]] = defaultdict(list)
    for result in results:
        kind = result.trial.case.kind
        kinds[f"{kind.form}, {f'cap {kind.cap}' if kind.cap else 'no cap'}"].append(result)
    shades = colours([name for name in _names(results) if name != ORACLE]) | {ORACLE: INK}
    figure, axes = panels(len(kinds), height=2.0)
    for panel, (title, own) in zip(axes, kinds.items(), strict=False):
        panel.set_title(title)
        panel.set_ylim(0, 100)
        panel.grid(axis="y")
        _draw(panel, own, shades)
    for panel in axes[: len(kinds)][-4:]:
        panel.set_xlabel("requests, % of the budget")
    axes[0].set_ylabel("coverage, %")
    add_legend(figure, shades)
    return figure


def _draw(panel: "Axes", results: Sequence[Harvested], shades: dict[str, str]) -> None:
    steps = [100 * n / _POINTS for n in range(_POINTS + 1)]
    for name in _names(results):
        curves = [_course(one) for one in results if one.trial.asker.name == name]
        mean = [100 * sum(column) / len(curves) for column in zip(*curves, strict=True)]
        style = ":" if name == ORACLE else "-"
        panel.plot(steps, mean, color=shades[name], linewidth=1.5, linestyle=style)


def _names(results: Sequence[Harvested]) -> list[str]:
    return list(dict.fromkeys(result.trial.asker.name for result in results))


def _course(result: Harvested) -> list[float]:
    """Coverage at equal steps of the budget."""
    held = result.by_request
    places = [n * len(held) // _POINTS for n in range(_POINTS + 1)]
    return [held[at - 1] / max(1, result.reachable) if at else 0.0 for at in places]
