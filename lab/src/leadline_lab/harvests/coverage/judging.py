"""How often the interval holds the truth, how wide it is, and whether caps are named rightly."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct

from leadline.core.harvest import Outcome
from leadline.harvester.coverage.evidence import CapDetector
from leadline_lab.harvests.coverage.moments import Moment
from leadline_lab.harvests.coverage.traces import Trace

_NEAR = 0.1
"""A cap that is named this near is named rightly: where the order of results changes, pages are
counted."""


class Share(Struct, frozen=True):
    """Intervals that hold the truth, of so many."""

    inside: float
    moments: int
    width: float
    """Median of high / low."""
    error: float
    """Median factor by which the best guess is off."""


class Verdict(Struct, frozen=True):
    """Of all moments of all harvests."""

    overall: Share
    untold: float
    """Share of moments at which no upper end was named; they are not in the other figures."""
    by_requests: dict[str, Share]
    by_group: dict[str, Share]
    database: float
    """Share of the intervals that hold the number of records there are, reachable or not."""
    chao1: float
    """Share of Chao1's own intervals that hold the truth."""
    estimates: dict[str, dict[str, float]]
    """Of each single estimate after so many requests: its median, as a share of the truth."""
    caps: dict[str, int]


def judge(moments: Sequence[Moment], traces: Iterable[Trace]) -> Verdict:
    told = [moment for moment in moments if moment.coverage.high is not None]
    by_requests: dict[str, list[Moment]] = defaultdict(list)
    by_group: dict[str, list[Moment]] = defaultdict(list)
    for moment in told:
        for name in _names(moment):
            by_requests[name].append(moment)
        for group in moment.kind.values():
            by_group[group].append(moment)
    return Verdict(
        share(told),
        round(1 - len(told) / max(1, len(moments)), 4),
        {name: share(some) for name, some in by_requests.items()},
        {name: share(some) for name, some in sorted(by_group.items())},
        _rounded([is_inside(moment, moment.database) for moment in told]),
        _rounded([m.chao1[0] - 1 <= m.reachable <= m.chao1[1] + 1 for m in told]),
        {name: _estimates(some) for name, some in by_requests.items()},
        dict(sorted(cap_verdicts(traces).items())),
    )


def share(moments: Sequence[Moment]) -> Share:
    widths = [(m.coverage.high or 0) / max(1, m.coverage.low) for m in moments]
    errors = [np.exp(abs(np.log(m.coverage.size / m.reachable))) for m in moments]
    inside = [is_inside(moment, moment.reachable) for moment in moments]
    return Share(_rounded(inside), len(moments), _median(widths), _median(errors))


def is_inside(moment: Moment, truth: int) -> bool:
    high = moment.coverage.high
    return moment.coverage.low <= truth and (high is None or truth <= high)


def cap_verdicts(traces: Iterable[Trace]) -> Counter[str]:
    """Of harvests: whether the cap they met was named. A cap that no answer came near is none."""
    found: Counter[str] = Counter()
    for trace in traces:
        caps = CapDetector()
        for step in trace.steps:
            caps.learn(step.outcome)
        found[_cap_verdict(trace, caps.cap)] += 1
    return found


def _cap_verdict(trace: Trace, named: int | None) -> str:
    is_met = any(_is_surely_cut(step.outcome, trace.cap) for step in trace.steps)
    if named is None:
        return "missed" if trace.cap and is_met else "none, rightly"
    if not trace.cap:
        return "named where there is none"
    return "named" if abs(named - trace.cap) <= _NEAR * trace.cap else "named wrongly"


def _is_surely_cut(outcome: Outcome, cap: int) -> bool:
    """Estimated totals alone say nothing."""
    if outcome.is_total_exact:
        return outcome.is_cut
    return 0 < cap <= outcome.returned


def _names(moment: Moment) -> list[str]:
    own = [str(moment.requests)] if moment.requests else []
    return [*own, "end"] if moment.is_end else own


def _estimates(moments: Sequence[Moment]) -> dict[str, float]:
    found = {}
    for name in moments[0].sizes:
        sizes = [(moment.sizes[name], moment.reachable) for moment in moments]
        shares = [size / truth for size, truth in sizes if size is not None]
        if shares:
            found[name] = _median(shares)
    return found


def _median(values: Sequence[float]) -> float:
    return round(float(np.median(values)), 3) if values else 0.0


def _rounded(claims: Sequence[bool]) -> float:
    return round(float(np.mean(claims)), 4) if claims else 0.0
