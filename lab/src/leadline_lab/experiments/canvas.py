"""What all figures share: colours, type, panels, and SVG that is the same bytes each time."""

import io
import re
from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from typing import TYPE_CHECKING, Any, ParamSpec

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Asked = ParamSpec("Asked")

INK, SOFT, LINE = "#1c2733", "#5b6b7b", "#dde4ea"
COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6ad6", "#8c6d31",
    "#444444", "#b8a800",
)  # fmt: skip
"""Okabe and Ito's palette, which colour-blind readers can tell apart, and four more."""
USE_COLOURS = (
    "#00664b", "#4fb892", "#bfe3d3", "#c9d1d9", "#d55e00", "#eda37a", "#8a2d3b", "#9aa7b4",
    "#b9c3cd", "#56b4e9",
)  # fmt: skip
"""Of the uses of requests: greens for what was wanted, greys for what was not."""
DARK = frozenset({"#00664b", "#d55e00", "#8a2d3b"})
"""Those of them on which white text is read more easily."""
_STYLE: Any = {
    "svg.hashsalt": "leadline",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "axes.edgecolor": LINE,
    "axes.labelcolor": SOFT,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "text.color": INK,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "grid.color": LINE,
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "figure.facecolor": "white",
    "legend.frameon": False,
    "figure.constrained_layout.h_pad": 0.08,
}


def colours(names: Sequence[str]) -> dict[str, str]:
    """A colour for each strategy, the same in all figures of a report."""
    return {name: COLOURS[place % len(COLOURS)] for place, name in enumerate(names)}


def as_svg(draw: "Callable[Asked, Figure]") -> Callable[Asked, str]:
    """Makes a function that draws a figure into one that gives it as SVG, in the house's style."""

    @wraps(draw)
    def drawn(*args: Asked.args, **kwargs: Asked.kwargs) -> str:
        from matplotlib import rc_context

        with rc_context(_STYLE):
            figure = draw(*args, **kwargs)
            text = io.StringIO()
            figure.savefig(text, format="svg", metadata={"Date": None})
        return text.getvalue()

    return drawn


def columns_for(count: int) -> int:
    """Panels in a row: at most four, and no panel alone in the last one if it can be helped."""
    return 3 if count in (3, 5, 6, 9) else min(count, 4)


def panels(count: int, height: float) -> "tuple[Figure, list[Axes]]":
    """A figure as wide as a page with panels of this height in inches, side by side."""
    from matplotlib.figure import Figure

    columns = columns_for(count)
    rows = -(-count // columns)
    figure = Figure(figsize=(10.4, rows * height), layout="constrained")
    places = list(figure.subplots(rows, columns, squeeze=False).flat)
    for panel in places[count:]:
        panel.set_axis_off()
    return figure, places


def add_legend(figure: "Figure", shades: dict[str, str]) -> None:
    """Lines and names above the panels."""
    from matplotlib.lines import Line2D

    lines = [Line2D([], [], color=shade, linewidth=2.4) for shade in shades.values()]
    figure.legend(lines, list(shades), loc="outside upper left", ncols=6, fontsize=9)


def inline(svg: str, about: str, prefix: str) -> str:
    """An SVG file as part of an HTML page: it grows with the page; its ids stay its own."""
    body = svg[svg.index("<svg") :]
    body = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", body, count=1)
    body = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", body, count=1)
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r'\bid="', f'id="{prefix}-', body)
    body = re.sub(r'href="#', f'href="#{prefix}-', body)
    body = re.sub(r"url\(#", f"url(#{prefix}-", body)
    return body.replace("<svg", f'<svg role="img" aria-label="{escape(about)}"', 1)


def thousands(number: float) -> str:
    return f"{number / 1000:g}k" if number >= 1000 else f"{number:g}"


def short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}".removesuffix(".0")
