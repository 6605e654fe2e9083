"""Verdicts as Markdown tables."""

from collections.abc import Mapping

from leadline_lab.harvests.coverage.judging import Share, Verdict
from leadline_lab.harvests.coverage.regret import Regret


def verdict_tables(verdict: Verdict) -> str:
    rows = {"all": verdict.overall} | {
        "at the end" if name == "end" else f"after {name} requests": share
        for name, share in verdict.by_requests.items()
    }
    parts = [
        _shares("moment", rows),
        _shares("kind", verdict.by_group),
        _estimates(verdict.estimates),
        f"Chao1's own interval: {verdict.chao1:.1%} inside.",
        _pairs("cap", verdict.caps),
    ]
    return "\n\n".join(parts)


def regret_table(regrets: Mapping[str, Regret]) -> str:
    lines = [
        "| stop | harvests ended | records missed | requests wasted | lost | lost, 1 in 20 |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {name} | {r.stopped:.0%} | {r.missed:.1%} | {r.wasted:.0%} | {r.lost:.1%} "
        f"| {r.lost_at_worst:.1%} |"
        for name, r in regrets.items()
    ]
    return "\n".join(lines)


def _shares(what: str, shares: Mapping[str, Share]) -> str:
    lines = [f"| {what} | moments | inside | high / low | off by |", "|---|---|---|---|---|"]
    lines += [
        f"| {name} | {s.moments} | {s.inside:.1%} | {s.width:.2f} | {s.error:.2f} |"
        for name, s in shares.items()
    ]
    return "\n".join(lines)


def _estimates(estimates: Mapping[str, Mapping[str, float]]) -> str:
    names = dict.fromkeys(name for some in estimates.values() for name in some)
    lines = [
        f"| median estimate / truth | {' | '.join(estimates)} |",
        "|---|" + "---|" * len(estimates),
    ]
    for name in names:
        values = " | ".join(
            f"{some[name]:.2f}" if name in some else "" for some in estimates.values()
        )
        lines.append(f"| {name} | {values} |")
    return "\n".join(lines)


def _pairs(what: str, values: Mapping[str, float]) -> str:
    lines = [f"| {what} | |", "|---|---|"]
    lines += [f"| {name} | {value:g} |" for name, value in values.items()]
    return "\n".join(lines)
