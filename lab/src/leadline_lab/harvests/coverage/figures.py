"""A picture of estimate and interval while harvests go on."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.harvester.coverage.monitor import Coverage, CoverageMonitor
from leadline_lab.experiments.canvas import COLOURS, INK, as_svg, panels
from leadline_lab.harvests.coverage.traces import Trace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HEIGHT = 2.7
_FIRST = 20
"""Requests before which nothing is drawn: the upper end would flatten all the rest."""


@as_svg
def courses(traces: Sequence[Trace]) -> "Figure":
    figure, places = panels(len(traces), _HEIGHT)
    for place, trace in zip(places, traces, strict=False):
        _draw(place, trace)
    return figure


def _draw(place: "Axes", trace: Trace) -> None:
    requests, rows = _course(trace)
    low = [row.low for row in rows]
    high = [row.high or row.low for row in rows]
    place.fill_between(requests, low, high, color=COLOURS[0], alpha=0.18, linewidth=0)
    place.plot(requests, [row.size for row in rows], color=COLOURS[0], label="estimate, 95 %")
    place.plot(requests, [row.held for row in rows], color=COLOURS[1], label="held")
    place.axhline(trace.reachable, color=INK, linewidth=1, linestyle="--", label="reachable")
    place.set_title(
        f"cap {trace.cap}, {trace.reachable:,}" if trace.cap else f"no cap, {trace.reachable:,}"
    )
    place.set_ylim(0, 2.5 * trace.reachable)
    place.set_xlabel("requests")
    place.set_ylabel("records")
    place.grid(axis="y")
    place.legend(fontsize=8, loc="upper right")


def _course(trace: Trace) -> tuple[list[int], list[Coverage]]:
    monitor = CoverageMonitor(trace.interface)
    requests, rows = [], []
    for step in trace.steps:
        monitor.learn(step.outcome, step.hashes(), step.shown)
        if monitor.evidence.requests >= _FIRST:
            requests.append(monitor.evidence.requests)
            rows.append(monitor.coverage())
    return requests, rows
