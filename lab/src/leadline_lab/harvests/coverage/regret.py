"""What stopping cost: records missed by stopping too early, requests wasted by stopping late.

A query was worth asking when it brought more than `StoppingSettings` asks of it. The best moment is
the one after which all further queries of the kept harvest were not worth it on the whole; the
harvests went on until their requests were spent, so it is known.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
from msgspec import Struct

from leadline.core.harvest import Choice
from leadline.harvester.coverage.estimators import estimate_chao1
from leadline.harvester.coverage.monitor import CoverageMonitor, StoppingRule, StoppingSettings
from leadline_lab.harvests.coverage.traces import Step, Trace

Rule = Callable[[Trace], int]
"""How many queries are asked before it stops."""


class Regret(Struct, frozen=True):
    """Of one rule, means over harvests."""

    stopped: float
    """Share of harvests that it ended before the requests were spent."""
    missed: float
    """Records that the best moment would have had, as a share of its records."""
    wasted: float
    """Requests spent after the best moment, as a share of those spent until then."""
    lost: float
    """Both in records: worth missed or spent, as a share of the best moment's records."""
    lost_at_worst: float
    """Of the worst in twenty harvests."""


def regret(traces: Sequence[Trace], rule: Rule, settings: StoppingSettings) -> Regret:
    rows = [row for trace in traces if (row := _row(trace, rule, settings))]
    table = np.array(rows) if rows else np.zeros((1, 4))
    stopped, missed, wasted, lost = table.mean(axis=0)
    worst = float(np.quantile(table[:, 3], 0.95))
    return Regret(*(round(float(n), 4) for n in (stopped, missed, wasted, lost, worst)))


def _row(
    trace: Trace, rule: Rule, settings: StoppingSettings
) -> tuple[float, float, float, float] | None:
    worth = worths(trace.steps, settings)
    best = int(np.argmax(np.concatenate(([0.0], np.cumsum(worth)))))
    if best == 0:
        return None
    end = rule(trace)
    records = sum(step.outcome.fresh for step in trace.steps[:best])
    requests = sum(step.outcome.requests for step in trace.steps[:best])
    missed = sum(step.outcome.fresh for step in trace.steps[end:best]) / max(1, records)
    wasted = sum(step.outcome.requests for step in trace.steps[best:end]) / max(1, requests)
    lost = (sum(worth[:best]) - sum(worth[:end])) / max(1, records)
    return float(end < len(trace.steps)), missed, wasted, lost


def worths(steps: Sequence[Step], settings: StoppingSettings) -> list[float]:
    """New records of each query above those that would just have made it worth its cost."""
    held, found = 0, []
    for step in steps:
        outcome = step.outcome
        wanted = settings.min_gain * held / settings.ahead
        found.append(outcome.fresh - max(settings.min_yield * outcome.requests, wanted))
        held += outcome.fresh
    return found


def by_forecast(settings: StoppingSettings) -> Rule:
    """leadline's own."""

    def rule(trace: Trace) -> int:
        monitor, stopping = CoverageMonitor(trace.interface), StoppingRule(settings)
        for number, step in enumerate(trace.steps):
            choice = Choice(step.outcome.query, step.expected, step.expected_requests)
            if number and stopping.why_stop(choice, monitor.coverage()):
                return number
            monitor.learn(step.outcome, step.hashes(), step.shown)
            stopping.learn(step.outcome, step.expected)
        return len(trace.steps)

    return rule


def after_requests(most: int) -> Rule:
    def rule(trace: Trace) -> int:
        spent = np.cumsum([step.outcome.requests for step in trace.steps])
        return min(len(trace.steps), int(np.searchsorted(spent, most)) + 1)

    return rule


def after_nothing_new(streak: int) -> Rule:
    def rule(trace: Trace) -> int:
        row = 0
        for number, step in enumerate(trace.steps, 1):
            row = 0 if step.outcome.fresh else row + 1
            if row >= streak:
                return number
        return len(trace.steps)

    return rule


def when_chao1_is_held(share: float) -> Rule:
    def rule(trace: Trace) -> int:
        monitor = CoverageMonitor(trace.interface)
        for number, step in enumerate(trace.steps, 1):
            monitor.learn(step.outcome, step.hashes())
            held = monitor.evidence.held
            if held and held >= share * estimate_chao1(monitor.evidence.counts):
                return number
        return len(trace.steps)

    return rule


def rules(settings: StoppingSettings) -> dict[str, Rule]:
    return {
        "leadline": by_forecast(settings),
        "200 requests": after_requests(200),
        "500 requests": after_requests(500),
        "5 queries with nothing new": after_nothing_new(5),
        "20 queries with nothing new": after_nothing_new(20),
        "Chao1 is held": when_chao1_is_held(0.99),
        "never": lambda trace: len(trace.steps),
    }


def regrets(traces: Iterable[Trace], settings: StoppingSettings) -> dict[str, Regret]:
    kept = list(traces)
    return {name: regret(kept, rule, settings) for name, rule in rules(settings).items()}
