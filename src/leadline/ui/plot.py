"""A curve in a terminal, with marks on both axes."""

from itertools import pairwise

from leadline.ui.rows import Point

WIDTH, HEIGHT = 64, 9
_BLOCKS = " ▁▂▃▄▅▆▇█"


def harvest_plot(points: list[Point], width: int = WIDTH, height: int = HEIGHT) -> str:
    """Distinct relevant forms against visits, as lines of text.

    >>> print(harvest_plot([Point(0, 0), Point(50, 4), Point(100, 8)], width=8, height=2))
    8 ┤    ▂▄▆█
      │▂▄▆█████
    0 ┼────────
       0    100 visits
    """
    most, visits = points[-1].forms or 1, points[-1].visits or 1
    columns = [
        _at(points, visits * (place + 1) / width) * 8 * height / most for place in range(width)
    ]
    margin = len(f"{points[-1].forms:,}")
    lines = []
    for row in range(height - 1, -1, -1):
        mark = f"{points[-1].forms:,} ┤" if row == height - 1 else " " * margin + " │"
        cells = (max(0, min(8, round(column - 8 * row))) for column in columns)
        lines.append(mark + "".join(_BLOCKS[cell] for cell in cells))
    lines.append(f"{'0':>{margin}} ┼" + "─" * width)
    lines.append(" " * (margin + 2) + f"0{visits:>{width - 1},} visits")
    return "\n".join(line.rstrip() for line in lines)


def _at(points: list[Point], visits: float) -> float:
    """Forms after so many visits, a straight line between two points."""
    for before, after in pairwise(points):
        if visits <= after.visits:
            share = (visits - before.visits) / ((after.visits - before.visits) or 1)
            return before.forms + (after.forms - before.forms) * share
    return float(points[-1].forms)
