"""A query that might be asked, with what is expected of it."""

from collections.abc import Iterable

from msgspec import Struct

from leadline.harvester.policies.yield_per_cost.controls import Condition
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge
from leadline.harvester.policies.yield_per_cost.returns import Return


class Proposal(Struct, frozen=True):
    """Values for controls; the rest as in `Choice`."""

    values: dict[str, str]
    fresh: float
    requests: float
    why: str
    weight: float = 1.0
    """By which what is expected counts, for reasons that numbers do not tell."""
    max_pages: int | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """The more new records per request the better, of equals the larger."""
        return self.weight * self.fresh / self.requests, self.fresh


def is_open(known: Knowledge, conditions: Iterable[Condition]) -> bool:
    """Whether the query was not asked yet."""
    return known.query(known.values_of(conditions)) not in known.asked


def propose(
    known: Knowledge, conditions: Iterable[Condition], expected: Return, at: int, why: str
) -> Proposal:
    """What is expected of the query number `at`."""
    values = known.values_of(conditions)
    return Proposal(values, float(expected.fresh[at]), float(expected.requests[at]), why)
