"""The harvest curve as an SVG picture that needs nothing from outside."""

from leadline.ui.rows import Point

WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 20, 14, 40


def step_of(most: int) -> int:
    """The distance between marks that puts at most six on an axis.

    >>> [step_of(n) for n in (0, 3, 11, 52, 932)]
    [1, 1, 5, 20, 200]
    """
    step, factors = 1, (2, 5, 10)
    while most > 5 * step:
        step = next(f * step for f in factors if most <= 5 * f * step or f == 10)
    return step


def harvest_svg(points: list[Point]) -> str:
    """Distinct relevant forms against visits."""
    step = step_of(points[-1].forms)
    most_visits, most_forms = points[-1].visits or 1, step * max(1, -(-points[-1].forms // step))
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM

    def place(point: Point) -> str:
        x = _LEFT + width * point.visits / most_visits
        y = _TOP + height * (1 - point.forms / most_forms)
        return f"{x:.1f},{y:.1f}"

    line = " ".join(place(point) for point in points)
    floor = _TOP + height
    area = f"{_LEFT},{floor} {line} {_LEFT + width},{floor}"
    last_x, last_y = place(points[-1]).split(",")
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{points[-1].forms} relevant forms after {points[-1].visits} visits">'
        f"{_grid(most_visits, most_forms)}"
        f'<polygon class="area" points="{area}"/><polyline class="line" points="{line}"/>'
        f'<circle class="dot" cx="{last_x}" cy="{last_y}" r="4"/></svg>'
    )


def _grid(most_visits: int, most_forms: int) -> str:
    width, height = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    parts = []
    for forms in range(0, most_forms + 1, step_of(most_forms)):
        y = _TOP + height * (1 - forms / most_forms)
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}h{width}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{forms:,}</text>')
    for visits in range(0, most_visits + 1, step_of(most_visits)):
        x = _LEFT + width * visits / most_visits
        parts.append(
            f'<text x="{x:.1f}" y="{_TOP + height + 18}" text-anchor="middle">{visits:,}</text>'
        )
    parts.append(
        f'<text x="{_LEFT + width / 2}" y="{HEIGHT - 2}" text-anchor="middle">visits</text>'
    )
    return "".join(parts)
