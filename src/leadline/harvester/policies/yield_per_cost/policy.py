"""The policy: what it knows, and the best of what it may ask."""

from collections.abc import Iterator

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from leadline.core.harvest import Choice, Outcome, Reading
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies.yield_per_cost.controls import ANY, UNKNOWN, Condition
from leadline.harvester.policies.yield_per_cost.joint_proposals import (
    propose_narrower,
    propose_pair,
    propose_slice,
    propose_word_tests,
)
from leadline.harvester.policies.yield_per_cost.knowledge import SourceKnowledge, choose_members
from leadline.harvester.policies.yield_per_cost.learning import conditions_of, learn_outcome
from leadline.harvester.policies.yield_per_cost.proposals import (
    Proposal,
    propose_choice,
    propose_first_queries,
    propose_part,
    propose_surveyed,
    propose_union,
    propose_word,
)

_POOL_QUERIES = 20
"""Queries after which the conditions that may be joined are chosen again."""
_POOL_GROWTH = 1.5
"""Growth of the holdings after which they are, too."""
_LATEST_PAGE = 3.0
"""Pages that the latest one counts for: new records thin out, or begin late."""
_TOTAL_PAGES = 1.5
"""Pages that a printed total and the records held count for: sources that always show the same
records first show known ones first."""
_BEHIND, _OF_CHOICES = 0.5, 0.1
"""Share of what another query brings below which an answer is left. What stays behind is hard to
reach, unless every page is ordered anew; most of all what no other choice of a menu brings."""


class YieldPerCostSettings(BaseModel):
    """Settings of `yield_per_cost`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    joins: bool = Field(True, description="Ask for several conditions at once where it helps.")
    pool: int = Field(192, ge=2, le=1_000, description="Conditions that may be joined.")
    words: int = Field(8, ge=2, le=20, description="Words of one query that looks for any of them.")
    letters: int = Field(100, ge=10, le=500, description="Letters of such a query, at most.")


class YieldPerCost:
    """Asks the query with the most new records per request next."""

    name = "yield_per_cost"

    def __init__(
        self,
        settings: YieldPerCostSettings,
        interface: Interface,
        holdings: Holdings,
        seed: int = 0,  # noqa: ARG002
    ) -> None:
        self.settings = settings
        self.known = SourceKnowledge(interface, holdings)
        self._since = 0
        self._records = 0

    def choose(self) -> Choice | None:
        known = self.known
        known.update_places()
        best = self._choose_proposal()
        if best is None:
            return None
        query = known.query(best.values)
        return Choice(query, best.fresh, best.requests, best.why, best.max_pages)

    def goes_on(self, reading: Reading) -> bool:
        """Whether the next page is expected to bring as much as another query.

        E. L. Charnov, "Optimal foraging, the marginal value theorem", Theoretical Population
        Biology 9, 1976: a patch is left when its yield falls to the average of the whole region.
        The average is that of the latest requests. It counts no more than the best other query,
        because there may be none left.
        """
        known = self.known
        if known.is_short:
            return True
        known.update_places()
        conditions = conditions_of(known, reading.query)
        brings = _expect_of_next_page(known, reading, conditions)
        if brings >= _least_worth(known, conditions, known.ratios.pace.value):
            return True
        before = known.asked
        known.asked = before | {reading.query}
        try:
            other = self._choose_proposal()
        finally:
            known.asked = before
        if other is None:
            return True
        return brings >= _least_worth(known, conditions, other.fresh / other.requests)

    def _choose_proposal(self) -> Proposal | None:
        known = self.known
        open_ones = [one for one in self._proposals() if known.query(one.values) not in known.asked]
        return max(open_ones, key=lambda one: one.rank, default=None)

    def learn(self, outcome: Outcome) -> None:
        learn_outcome(self.known, outcome)
        if self.settings.joins:
            self._renew_pool()

    def _proposals(self) -> Iterator[Proposal]:
        known = self.known
        yield from propose_first_queries(known)
        yield from propose_surveyed(known)
        if known.records:
            for box in known.boxes:
                yield from propose_word(known, box)
                if box.operator.kind == ANY and self.settings.joins:
                    yield from propose_union(known, box, self.settings.words, self.settings.letters)
        for listed in known.lists:
            yield from propose_choice(known, listed)
            yield from propose_part(known, listed)
        if len(known.pool):
            yield from propose_word_tests(known)
        if len(known.pool) and np.isfinite(known.limit.cap):
            yield from propose_pair(known)
            yield from propose_narrower(known)
            yield from propose_slice(known)

    def _renew_pool(self) -> None:
        known = self.known
        self._since += 1
        is_due = self._since >= _POOL_QUERIES or known.records > _POOL_GROWTH * self._records
        is_unsure = any(box.is_known and box.operator.kind == UNKNOWN for box in known.boxes)
        # Joined conditions help only if answers overflow, or to learn what a box makes of words.
        if not (known.records and (known.limits.cap is not None or is_unsure)):
            known.pool.set_members([])
        elif is_due or known.pool.is_stale or not len(known.pool):
            self._since, self._records = 0, known.records
            known.pool.set_members(list(choose_members(known, self.settings.pool)))
            for pair in known.pairs:
                both = known.members_of(pair)
                if both is not None and len(both) == 2:
                    known.pool.asked[both, both[::-1]] = True
        else:
            known.pool.update()
        known.size_members()


def _expect_of_next_page(
    known: SourceKnowledge, reading: Reading, conditions: list[Condition]
) -> float:
    """New records per request that the next page is expected to bring."""
    page = known.limit.page
    seen = _LATEST_PAGE * reading.latest + (reading.fresh - reading.latest)
    weight = _LATEST_PAGE + reading.pages - 1
    share = _share_new(known, reading, conditions)
    if share is not None:
        seen, weight = seen + _TOTAL_PAGES * share * page, weight + _TOTAL_PAGES
    left = page
    if reading.total is not None and reading.is_total_exact:
        left = max(0, reading.total - reading.returned)
    return min(seen / weight, float(left)) / known.limit.requests


def _least_worth(known: SourceKnowledge, conditions: list[Condition], brings: float) -> float:
    """What a page must bring if another query brings so much per request."""
    if all(condition.control >= len(known.boxes) for condition in conditions):
        return brings * _OF_CHOICES
    return brings * (1.0 if known.limits.shuffles else _BEHIND)


def _share_new(
    known: SourceKnowledge, reading: Reading, conditions: list[Condition]
) -> float | None:
    """Share of new records on further pages, by how many match and how many of those were held;
    None if one of these is unknown."""
    if len(conditions) != 1 or conditions[0].control >= len(known.boxes):
        return None
    if not (reading.is_total_exact and reading.total and reading.total > reading.returned):
        return None
    box = known.boxes[conditions[0].control]
    counted = known.before.counts(conditions[0].term, known.records - reading.fresh)
    if counted is None:
        return None
    held = float(box.matching.estimate_known(counted.by_place[None, :], np.array([counted.df]))[0])
    again = max(0.0, held - (reading.returned - reading.fresh))
    share = max(0.0, 1.0 - again / (reading.total - reading.returned))
    # Pages that are ordered anew show what was seen as often as what was not.
    return share * (1 - reading.returned / reading.total) if known.limits.shuffles else share
