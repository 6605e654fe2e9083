"""Choices that overflow, asked for once more with each choice of another menu.

C. Sheng, N. Zhang, Y. Tao and X. Jin, "Optimal Algorithms for Crawling a Hidden Database in the
Web", PVLDB 5, 2012: slice cover. What one menu leaves of a database is in the choices that match
more than is shown, and in nothing else. The slices of these exclude each other again, so they make
a plan like the choices of a menu do. Which menu cuts a choice best is told by what is expected of
its slices; the paper takes menus in a fixed order.
"""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.policies.yield_per_cost.controls import TRUSTED, Condition, Listed
from leadline.harvester.policies.yield_per_cost.joint import SPREAD
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge, Parent
from leadline.harvester.policies.yield_per_cost.plans import plan_weight
from leadline.harvester.policies.yield_per_cost.proposals import Proposal, is_open, propose
from leadline.harvester.policies.yield_per_cost.returns import Return

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_MOST, _LATEST = 6, 4
"""Overflowing choices looked at, those with the most records that were not shown; and slices, the
latest."""
_FEWEST = 3
"""Choices of a menu that probably leaves no record out."""
_SHRINK = 5.0
"""Records by which a slice is taken for as large as its choice is elsewhere."""


class _Cut(Struct, frozen=True, eq=False):
    """An overflowing query, and members of the pool that cut it into slices."""

    conditions: tuple[Condition, ...]
    members: Numbers
    expected: Return


def slices(known: Knowledge) -> Iterator[Proposal]:
    """The best slice of the best plan."""
    cuts = list(_Cutting(known).cuts())
    if not cuts:
        return
    expected = Return(
        np.concatenate([cut.expected.fresh for cut in cuts]),
        np.concatenate([cut.expected.requests for cut in cuts]),
    )
    owners = np.repeat(np.arange(len(cuts)), [len(cut.members) for cut in cuts])
    numbers = np.concatenate([cut.members for cut in cuts])
    weight = plan_weight(expected, known.unseen)
    for best in np.argsort(-expected.index, kind="stable")[:_MOST].tolist():
        condition = known.pool.members[numbers[best]].condition
        conditions = (*cuts[owners[best]].conditions, condition)
        if is_open(known, conditions):
            found = propose(known, conditions, expected, best, "a slice")
            yield Proposal(found.values, found.fresh, found.requests, found.why, weight)
            return


class _Cutting:
    """Looks at what overflows, and at the menus that may cut it."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        self._can_join = known.can_join()
        self._over = {frozenset(parent.conditions) for parent in known.parents}
        self._menus = [one for one in known.lists if len(one.conditions) >= _FEWEST]

    def cuts(self) -> Iterator[_Cut]:
        """One of each query that overflows: choices of menus that were asked through, and their
        slices. What is left of a slice is no more than what is left of its choice."""
        left: dict[Condition, float] = {}
        for parent in self._choices():
            cut = self._best_cut(parent.conditions, parent.left)
            left[parent.conditions[0]] = cut.expected.fresh.sum() if cut else 0.0
            if cut:
                yield cut
        for parent in self._known.parents[-_LATEST:]:
            of_choices = [left[one] for one in parent.conditions if one in left]
            cut = self._best_cut(parent.conditions, min([parent.left, *of_choices]))
            if of_choices and cut:
                yield cut

    def _choices(self) -> list[Parent]:
        known = self._known
        found: list[Parent] = []
        for listed in known.lists:
            if listed.over and not listed.open and listed.novelty.value >= TRUSTED:
                found += _overflowing(known, listed)
        return sorted(found, key=lambda parent: -parent.left)[:_MOST]

    def _best_cut(self, conditions: tuple[Condition, ...], left: float) -> _Cut | None:
        """By the menu whose choices bring the most for each request; None where there is none.
        What was cut by one menu is not there for any other."""
        members = self._known.members_of(conditions)
        if members is None or left <= 0:
            return None
        together = self._known.pool.with_all(members)
        can_join: Mask = np.logical_and.reduce(self._can_join[list(members)])
        controls = {condition.control for condition in conditions}
        menus = [one for one in self._menus if one.number not in controls]
        parts = [self._parts(conditions, one, together) for one in menus]
        done = max([float(weight[~is_open].sum()) for _, weight, is_open in parts], default=0.0)
        cuts = [
            self._cut(conditions, own[chosen], left * (1 - done) * _even(weight[chosen]), together)
            for own, weight, is_open in parts
            if (chosen := is_open & can_join[own]).any()
        ]
        return max(cuts, key=_pace, default=None)

    def _parts(
        self, conditions: tuple[Condition, ...], listed: Listed, together: Floats
    ) -> tuple[Numbers, Floats, Mask]:
        """The choices of a menu, what share of the rest each has, and whether it is still there: by
        how often records held fulfil both, and by its own size."""
        known = self._known
        own = np.flatnonzero(known.pool.control == listed.number)
        held = np.where(known.pool.is_told[own], together[own], 0.0)
        weight = held + _SHRINK * known.size[own] / max(1.0, float(known.size[own].sum()))
        is_open = [self._is_there(conditions, known.pool.members[n].condition) for n in own]
        return own, _even(weight), np.array(is_open, np.bool_)

    def _cut(
        self, conditions: tuple[Condition, ...], own: Numbers, new: Floats, together: Floats
    ) -> _Cut:
        held = np.where(self._known.pool.is_told[own], together[own], 0.0)
        return _Cut(conditions, own, self._known.limit.returns(held, new, SPREAD))

    def _is_there(self, conditions: tuple[Condition, ...], condition: Condition) -> bool:
        """Whether records of the slice may not have been shown."""
        joined = frozenset((*conditions, condition))
        is_asked = joined in self._known.pairs and joined not in self._over
        return condition not in self._known.used_up and not is_asked


def _even(weights: Floats) -> Floats:
    """As shares of their sum."""
    return weights / max(1e-9, float(weights.sum()))


def _pace(cut: _Cut) -> float:
    return float(cut.expected.fresh.sum() / cut.expected.requests.sum())


def _overflowing(known: Knowledge, listed: Listed) -> Iterator[Parent]:
    """Choices that match more than is shown, with what of it is not held."""
    sizes = listed.sizes(known.database)
    own = [one for one in listed.closed if one.values in listed.over]
    for condition, held in zip(own, listed.held(own), strict=True):
        size = sizes[condition.values]
        left = size - (held if listed.is_told(condition) else size * known.share)
        if left > 0:
            yield Parent((condition,), size, left)
