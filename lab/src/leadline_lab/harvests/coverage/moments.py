"""What the monitor saw of each kept harvest at some moments, beside the truth."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from leadline.harvester.coverage.estimators import SizeModel, chao1_interval
from leadline.harvester.coverage.monitor import Coverage, CoverageMonitor
from leadline_lab.harvests.coverage.traces import Trace

MOMENTS = (50, 200, 1_000)
"""Requests after which the interval is judged; and at the end."""
FITTED = (20, 50, 100, 200, 400, 700, 1_000)
END = 0


class Moment(Struct, frozen=True):
    """A harvest after so many requests."""

    trace: str
    kind: dict[str, str]
    """Groups it belongs to: policy, form, cap ..."""
    seed: int
    requests: int
    """END for the end of a harvest that spent less than its next moment."""
    is_end: bool
    reachable: int
    database: int
    coverage: Coverage
    features: dict[str, float]
    sizes: dict[str, float | None]
    chao1: tuple[float, float]
    """Chao1's own interval, for comparison."""


def moments_of(
    traces: Iterable[Trace], at: tuple[int, ...], model: SizeModel | None = None
) -> Iterator[Moment]:
    """Those with any record held: before, nothing can be told."""
    for trace in traces:
        yield from _moments(trace, at, model)


def _moments(trace: Trace, at: tuple[int, ...], model: SizeModel | None) -> Iterator[Moment]:
    monitor = CoverageMonitor(trace.interface, model=model)
    waiting = list(at)
    for number, step in enumerate(trace.steps, 1):
        monitor.learn(step.outcome, step.hashes(), step.shown)
        passed = [requests for requests in waiting if monitor.evidence.requests >= requests]
        waiting = waiting[len(passed) :]
        is_end = number == len(trace.steps)
        if monitor.evidence.held and (passed or is_end):
            yield _moment(trace, monitor, passed[-1] if passed else END, is_end=is_end)


def _moment(trace: Trace, monitor: CoverageMonitor, requests: int, *, is_end: bool) -> Moment:
    return Moment(
        trace.name,
        groups_of(trace),
        trace.case.seed,
        requests,
        is_end,
        trace.reachable,
        trace.database,
        monitor.coverage(),
        monitor.evidence.features(),
        monitor.evidence.sizes(),
        chao1_interval(monitor.evidence.counts),
    )


def groups_of(trace: Trace) -> dict[str, str]:
    """By which results are told apart."""
    kind = trace.case.kind
    own = {"policy": f"policy {trace.policy}", "total": f"total {trace.total}"}
    if kind.is_drawn:
        return own | {"form": f"form {kind.form}, drawn"}
    return own | {
        "form": f"form {kind.form}",
        "index": f"index {kind.index}",
        "cap": f"cap {kind.cap}" if kind.cap else "no cap",
        "ranking": f"order {kind.ranking}",
        "spread": "clustered" if kind.is_clustered else "flat",
        "semantics": f"words by {kind.semantics}",
    }
