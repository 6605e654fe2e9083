"""What answers teach that match more than is shown."""

from leadline.core.harvest import Outcome
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge

LEAST_NEW = 0.02
OVERFLOW = 1.5
"""Times the limit that an answer is taken to match when only that it overflows is known."""


def learn_overflow(known: Knowledge, outcome: Outcome, held: float) -> None:
    cap = float(known.limits.cap or outcome.returned)
    size = max(matching(known, outcome, held), OVERFLOW * cap)
    if outcome.is_total_exact:
        size = float(outcome.matched)
    known.bias.learn(size / cap, outcome.fresh, outcome.returned * share_new(held, size))


def matching(known: Knowledge, outcome: Outcome, held: float) -> float:
    """Records that match a query of which so many were held before it."""
    before = max(1, known.records - outcome.fresh)
    if outcome.is_total_exact:
        return float(outcome.matched)
    return max(known.limits.matched(outcome), held * known.sizes.database(before) / before)


def share_new(held: float, size: float) -> float:
    return max(LEAST_NEW, 1 - held / max(size, 1.0))
