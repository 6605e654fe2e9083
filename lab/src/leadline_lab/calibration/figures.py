"""Four panels that show a report at a glance."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline_lab.calibration.report import Report
from leadline_lab.experiments.canvas import COLOURS, INK, SOFT, add_legend, as_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BROAD = 0.28
_TAIL_SLOPE = 1.1
"""Of the share of sites beyond an in-degree when the density falls by 2.1."""


def draw_figure(report: Report) -> "Figure":
    """Depths of forms, in-degrees, sizes of sites, topics along links; one line per world."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.4, 6.6), layout="constrained")
    depths, degrees, sizes, hops = figure.subplots(2, 2).flat
    _depths(depths, report)
    _degrees(degrees, report)
    _sizes(sizes, report)
    _hops(hops, report)
    add_legend(figure, {"worlds": COLOURS[0], "target": COLOURS[1], "crawled": COLOURS[2]})
    return figure


overview_svg = as_svg(draw_figure)
"""The figure as SVG, in the style of all figures."""


def _mean_row(report: Report, name: str) -> list[float]:
    rows = [world.series[name] for world in report.worlds]
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def _depths(panel: "Axes", report: Report) -> None:
    rows = ("depth_target", "depth_planned", "depth_walked")
    for offset, (name, colour) in enumerate(
        zip(rows, (COLOURS[1], COLOURS[0], COLOURS[2]), strict=True)
    ):
        values = [100 * value for value in _mean_row(report, name)]
        places = [at + (offset - 1) * _BROAD for at in range(len(values))]
        panel.bar(places, values, _BROAD * 0.9, color=colour)
    panel.set_title("Depth of search forms")
    panel.set_xlabel("links from the home page")
    panel.set_ylabel("% of forms")


def _degrees(panel: "Axes", report: Report) -> None:
    for world in report.worlds:
        panel.loglog(world.series["in_degree"], world.series["in_degree_share"],
                     color=COLOURS[0], linewidth=1, alpha=0.6)  # fmt: skip
    start, part = _middle(report.worlds[0].series)
    ends = (start, max(report.worlds[0].series["in_degree"]))
    panel.loglog(ends, [part * (end / start) ** -_TAIL_SLOPE for end in ends],
                 color=COLOURS[1], linestyle="--")  # fmt: skip
    panel.set_title("In-degrees of sites")
    panel.set_xlabel("links from other sites")
    panel.set_ylabel("share of sites with more")
    panel.grid(visible=True)


def _middle(series: dict[str, list[float]]) -> tuple[float, float]:
    """A point in the body of the distribution, from which its tail is compared."""
    pairs = zip(series["in_degree"], series["in_degree_share"], strict=True)
    return min(pairs, key=lambda pair: abs(pair[1] - 0.1))


def _sizes(panel: "Axes", report: Report) -> None:
    steps = [at / 100 for at in range(101)]
    for world in report.worlds:
        panel.plot(world.series["site_pages"], steps, color=COLOURS[0], linewidth=1, alpha=0.6)
    panel.set_xscale("log")
    panel.axvline(50, color=COLOURS[1], linestyle="--")
    panel.text(56, 0.04, "median 50", color=SOFT)
    panel.set_title("Pages of a site")
    panel.set_xlabel("pages")
    panel.set_ylabel("share of sites with fewer")
    panel.grid(visible=True)


def _hops(panel: "Axes", report: Report) -> None:
    rows: Sequence[list[float]] = [world.series["hops"] for world in report.worlds]
    for row in rows:
        panel.plot(range(len(row)), [100, *(100 * value for value in row[:-1])],
                   color=COLOURS[0], linewidth=1, alpha=0.6, marker="o", markersize=3)  # fmt: skip
    chance = 100 * sum(row[-1] for row in rows) / len(rows)
    panel.axhline(chance, color=INK, linewidth=0.8, linestyle=":")
    panel.text(0, chance + 2, "by chance", color=SOFT)
    panel.set_ylim(0, 102)
    panel.set_xticks(range(len(rows[0])))
    panel.set_title("Sites of the first one's topic")
    panel.set_xlabel("links between sites followed")
    panel.set_ylabel("% of walks")
