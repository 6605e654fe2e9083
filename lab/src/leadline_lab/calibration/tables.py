"""The calibration report as tables."""

from itertools import groupby

from leadline_lab.calibration.report import Report, Row

_SIGNS = {True: "yes", False: "NO", None: ""}


def as_markdown(report: Report) -> str:
    """One table for each group of properties."""
    parts = [f"Worlds of profile `{report.profile}`, seeds {_listed(report)}. {_verdict(report)}\n"]
    for group, rows in groupby(report.rows, key=lambda row: row.target.group):
        parts.append(f"## {group}\n")
        parts.append("| property | target | real | mean | worlds | within |")
        parts.append("|---|---|---|---|---|---|")
        parts += ["| " + " | ".join(_cells(row)) + " |" for row in rows]
        parts.append("")
    return "\n".join(parts)


def as_text(report: Report) -> str:
    """For a terminal: one line for each property."""
    lines = []
    for group, rows in groupby(report.rows, key=lambda row: row.target.group):
        lines.append(f"\n{group}")
        for row in rows:
            name, wanted, real, mean, _, within = _cells(row)
            mark = {"yes": "ok", "NO": "NO"}.get(within, "  ")
            lines.append(
                f"  {mark:2} {name:62.62} {mean:>11}  target {wanted or '-':24}"
                + (f" real {real}" if real else "")
            )
    return "\n".join([*lines, "", _verdict(report), ""])


def _listed(report: Report) -> str:
    return ", ".join(map(str, report.seeds))


def _verdict(report: Report) -> str:
    bounded = [row for row in report.rows if row.is_within is not None]
    within = sum(bool(row.is_within) for row in bounded)
    return f"{within} of {len(bounded)} bounded properties are within their bounds."


def _cells(row: Row) -> tuple[str, ...]:
    target = row.target
    real = "" if target.real is None else shown(target.real, target.unit)
    values = " ".join(shown(value, target.unit).removesuffix(" %") for value in row.values)
    mean = shown(row.mean, target.unit)
    return target.name, _wanted(row), real, mean, values, _SIGNS[row.is_within]


def _wanted(row: Row) -> str:
    low, high, unit = row.target.low, row.target.high, row.target.unit
    if low is None and high is None:
        return row.target.wanted
    if high is None:
        bounds = f"at least {shown(low or 0, unit)}"
    elif not low:
        bounds = f"at most {shown(high, unit)}"
    elif low == high:
        bounds = shown(low, unit)
    else:
        bounds = f"{shown(low, unit).removesuffix(' %')} to {shown(high, unit)}"
    return f"{row.target.wanted} ({bounds})" if row.target.wanted else bounds


def shown(value: float, unit: str) -> str:
    """A number as people write it."""
    if unit == "%":
        return f"{100 * value:.2f} %" if 0 < abs(value) < 0.1 else f"{100 * value:.1f} %"
    if value == int(value) or abs(value) >= 1_000:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 20 else f"{value:.2f}"
