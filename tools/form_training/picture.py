"""The calibration picture: what was promised beside what came true. Needs matplotlib."""

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from leadline.learn.evaluation import BINS
from tools.form_training.examples import Chances, Labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _SOFT, _LINE = "#1c2733", "#5b6b7b", "#dde4ea"
_COLOURS = ("#0072b2", "#d55e00")
"""Of Okabe and Ito's palette, which colour-blind readers can tell apart."""
_STYLE: Any = {
    "svg.hashsalt": "leadline", "svg.fonttype": "none",
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9.5,
    "axes.edgecolor": _LINE, "axes.labelcolor": _SOFT, "axes.titlecolor": _INK,
    "axes.titlelocation": "left", "axes.titleweight": "bold", "axes.titlesize": 10.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "text.color": _INK, "xtick.color": _SOFT, "ytick.color": _SOFT,
    "xtick.major.size": 0, "ytick.major.size": 0, "grid.color": _LINE,
    "ytick.minor.size": 0, "figure.facecolor": "white",
    "figure.constrained_layout.h_pad": 0.08,
}  # fmt: skip
_Z = 1.96
"""Of a 95 % interval."""


def draw_calibration(judged: dict[str, Chances], labels: Labels) -> str:
    """One panel per judge above the counts of its chances. The same bytes each time."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(8.4, 4.6), layout="constrained")
        panels = figure.subplots(2, len(judged), sharex=True, height_ratios=(3, 1), squeeze=False)
        for column, (name, chances) in enumerate(judged.items()):
            _draw_reliability(panels[0][column], name, chances, labels, _COLOURS[column])
            _draw_counts(panels[1][column], chances, _COLOURS[column])
        panels[0][0].set_ylabel("share that is searchable")
        panels[1][0].set_ylabel("forms")
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def _draw_reliability(
    panel: "Axes", name: str, chances: Chances, labels: Labels, colour: str
) -> None:
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    panel.plot([0, 1], [0, 1], color=_SOFT, linewidth=0.8, linestyle=":")
    for place in np.unique(bins):
        chosen = bins == place
        count, share = int(chosen.sum()), float(labels[chosen].mean())
        low, high = _wilson(share, count)
        panel.vlines(chances[chosen].mean(), low, high, color=colour, linewidth=1, alpha=0.5)
        panel.scatter(chances[chosen].mean(), share, s=12 + 3 * count**0.5, color=colour, zorder=3)
    panel.set_title(name)
    panel.set_ylim(-0.03, 1.03)
    panel.grid(visible=True)


def _draw_counts(panel: "Axes", chances: Chances, colour: str) -> None:
    panel.hist(chances, bins=BINS, range=(0, 1), color=colour)
    panel.set_yscale("log")
    panel.set_yticks([1, 10, 100, 1_000], ["1", "10", "100", "1,000"])
    panel.set_xlabel("chance given")


def _wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share, as if the forms were independent."""
    spread = _Z * (share * (1 - share) / count + _Z**2 / (4 * count**2)) ** 0.5
    middle, scale = share + _Z**2 / (2 * count), 1 + _Z**2 / count
    return (middle - spread) / scale, (middle + spread) / scale
