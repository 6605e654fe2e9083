"""The confusion picture: what forms were taken for, by what they are. Needs matplotlib."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.forms.domain import DOMAINS
from tools.critic_training.material import Example

NONE = "none of them"
_INK, _SOFT = "#1c2733", "#5b6b7b"
_LIKELY = 0.5
_DARK = 0.55
"""Share from which figures are written in white."""
_STYLE: Any = {
    "svg.hashsalt": "leadline", "svg.fonttype": "none",
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"], "font.size": 9,
    "axes.labelcolor": _SOFT, "axes.titlecolor": _INK, "axes.titlelocation": "left",
    "axes.titleweight": "bold", "axes.titlesize": 10.5, "text.color": _INK,
    "xtick.color": _INK, "ytick.color": _INK, "xtick.major.size": 0, "ytick.major.size": 0,
    "figure.facecolor": "white",
}  # fmt: skip

Shares = NDArray[np.float64]


def confusion(examples: Sequence[Example], chances: Shares) -> NDArray[np.int64]:
    """Counts of searchable forms: rows by what they are, columns by the likeliest domain.

    The last row and column are for none. A form of several domains is left out.
    """
    counts = np.zeros((len(DOMAINS) + 1, len(DOMAINS) + 1), np.int64)
    for one, row in zip(examples, chances, strict=True):
        if one.is_searchable and len(one.domains) < 2 and not one.doubtful:
            true = DOMAINS.index(next(iter(one.domains))) if one.domains else len(DOMAINS)
            taken = int(row.argmax())
            counts[true, taken if row[taken] >= _LIKELY else len(DOMAINS)] += 1
    return counts


def confusion_svg(counts: Sequence[NDArray[np.int64]], titles: Sequence[str]) -> str:
    """One panel for each; per cent of a row. The same bytes each time."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=(5.6 * len(counts), 5.4), layout="constrained")
        panels = figure.subplots(1, len(counts), sharey=True, squeeze=False)[0]
        for panel, one, title in zip(panels, counts, titles, strict=True):
            _draw(panel, one / np.maximum(one.sum(axis=1, keepdims=True), 1), title)
        panels[0].set_ylabel("the form searches")
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue()


def _draw(panel: Any, shares: Shares, title: str) -> None:
    names = [*DOMAINS, NONE]
    panel.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="equal")
    panel.set_xticks(range(len(names)), names, rotation=55, ha="right", rotation_mode="anchor")
    panel.set_yticks(range(len(names)), names)
    panel.set_title(title)
    panel.set_xlabel("taken for, in per cent of the row")
    panel.spines[:].set_visible(False)
    for (row, column), share in np.ndenumerate(shares):
        if share >= 0.005:
            colour = "white" if share >= _DARK else _INK
            panel.text(column, row, f"{share:.0%}"[:-1], ha="center", va="center", color=colour)
