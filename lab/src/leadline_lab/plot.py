"""A curve in a terminal, with marks on both axes."""

from itertools import pairwise

from leadline.views.progress import CurvePoint

WIDTH, HEIGHT = 64, 9
_BLOCKS = " ▁▂▃▄▅▆▇█"


def harvest_plot(points: list[CurvePoint], width: int = WIDTH, height: int = HEIGHT) -> str:
    """Distinct relevant forms against visits, as lines of text.

    >>> points = [CurvePoint(n, n, n * 8 // 100) for n in (0, 50, 100)]
    >>> print(harvest_plot(points, width=8, height=2))
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


def _at(points: list[CurvePoint], visits: float) -> float:
    """Forms after so many visits, a straight line between two points."""
    for before, after in pairwise(points):
        if visits <= after.visits:
            share = (visits - before.visits) / ((after.visits - before.visits) or 1)
            return before.forms + (after.forms - before.forms) * share
    return float(points[-1].forms)
