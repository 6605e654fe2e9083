"""The policy: what it knows, and the best of what it may ask."""

from collections.abc import Iterator

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.harvest import Choice, Outcome, Query, Reading
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies.yield_per_cost.joining import ANY, UNKNOWN
from leadline.harvester.policies.yield_per_cost.joint import narrower, pairs, tests
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge
from leadline.harvester.policies.yield_per_cost.learning import conditions_of, learn
from leadline.harvester.policies.yield_per_cost.leaving import next_page, worth
from leadline.harvester.policies.yield_per_cost.members import members_for
from leadline.harvester.policies.yield_per_cost.proposals import Proposal
from leadline.harvester.policies.yield_per_cost.singles import choices, starting, words
from leadline.harvester.policies.yield_per_cost.slices import slices
from leadline.harvester.policies.yield_per_cost.unions import union

_OFTEN = 20
"""Queries after which the conditions that may be joined are chosen anew."""
_GROWTH = 1.5
"""Of the holdings, likewise."""


class YieldPerCostSettings(BaseModel):
    """Settings of `yield_per_cost`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    joins: bool = Field(True, description="Ask for several conditions at once where it helps.")
    pool: int = Field(192, ge=2, le=1_000, description="Conditions that may be joined.")
    words: int = Field(8, ge=2, le=20, description="Words of one query that looks for any of them.")
    letters: int = Field(100, ge=10, le=500, description="Letters of such a query, at most.")


class YieldPerCost:
    """The query with the most new records per request next."""

    name = "yield_per_cost"

    def __init__(
        self,
        settings: YieldPerCostSettings,
        interface: Interface,
        holdings: Holdings,
        seed: int = 0,  # noqa: ARG002
    ) -> None:
        self.settings = settings
        self.known = Knowledge(interface, holdings)
        self._since = 0
        self._records = 0

    def choose(self) -> Choice | None:
        known = self.known
        known.look_at_places()
        best = self._best()
        if best is None:
            return None
        query = known.query(best.values)
        return Choice(query, best.fresh, best.requests, best.why, best.max_pages)

    def goes_on(self, reading: Reading) -> bool:
        known = self.known
        if known.is_short:
            return True
        known.look_at_places()
        conditions = conditions_of(known, reading.query)
        brings = next_page(known, reading, conditions)
        if brings >= worth(known, conditions, known.ratios.pace.value):
            return True
        other = self._best_beside(reading.query)
        return other is None or brings >= worth(known, conditions, other.fresh / other.requests)

    def _best_beside(self, query: Query) -> Proposal | None:
        """The best query if this one was asked."""
        before = self.known.asked
        self.known.asked = before | {query}
        try:
            return self._best()
        finally:
            self.known.asked = before

    def _best(self) -> Proposal | None:
        known = self.known
        open_ones = [one for one in self._proposals() if known.query(one.values) not in known.asked]
        return max(open_ones, key=lambda one: one.rank, default=None)

    def learn(self, outcome: Outcome) -> None:
        learn(self.known, outcome)
        if self.settings.joins:
            self._renew_pool()

    def _proposals(self) -> Iterator[Proposal]:
        known = self.known
        yield from starting(known)
        if known.records:
            for box in known.boxes:
                yield from words(known, box)
                if box.joining.way == ANY and self.settings.joins:
                    yield from union(known, box, self.settings.words, self.settings.letters)
        for listed in known.lists:
            yield from choices(known, listed)
        if len(known.pool):
            yield from tests(known)
        if len(known.pool) and np.isfinite(known.limit.cap):
            yield from pairs(known)
            yield from narrower(known)
            yield from slices(known)

    def _renew_pool(self) -> None:
        known = self.known
        self._since += 1
        is_due = self._since >= _OFTEN or known.records > _GROWTH * self._records
        if not self._is_pool_needed():
            known.pool.choose_members([])
        elif is_due or known.pool.is_stale or not len(known.pool):
            self._since, self._records = 0, known.records
            known.pool.choose_members(list(members_for(known, self.settings.pool)))
            for pair in known.pairs:
                both = known.members_of(pair)
                if both is not None and len(both) == 2:
                    known.pool.asked[both, both[::-1]] = True
        else:
            known.pool.update()
        known.size_members()

    def _is_pool_needed(self) -> bool:
        known = self.known
        is_unsure = any(box.is_known and box.joining.way == UNKNOWN for box in known.boxes)
        return bool(known.records) and (known.limits.cap is not None or is_unsure)
