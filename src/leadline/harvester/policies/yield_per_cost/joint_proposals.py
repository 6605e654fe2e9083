"""Queries with several conditions at once: narrower ones if answers overflow, tests of what a box
makes of two words, and slices of overflowing choices."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.policies.yield_per_cost.controls import (
    TRUSTED,
    UNKNOWN,
    Condition,
    ListedControl,
    TypedControl,
)
from leadline.harvester.policies.yield_per_cost.estimates import ExpectedReturn
from leadline.harvester.policies.yield_per_cost.knowledge import (
    JointPrior,
    OverflowingQuery,
    SourceKnowledge,
)
from leadline.harvester.policies.yield_per_cost.proposals import (
    SIZE_SPREAD,
    Proposal,
    is_open,
    make_proposal,
    plan_weight,
)
from leadline.harvester.terms import is_common

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]

_PARENTS = 4
"""Overflowing queries considered for a third condition: the latest and the largest."""
_TRIES = 8
"""Of the best queries, tried until one was not asked."""
_MOST_TESTS = 3
"""Queries of two words after which a box is no longer tested."""
_ENOUGH = 40
"""Records held before a box is tested."""
_TOGETHER = 3.0
"""Records that must hold both words of a test, so that a box that needs all words finds some."""
_LIFT = 3.0
"""Words that stand together more often than this times chance may be parts of one name."""
_NARROW = 0.6
"""Share of the limit that both words together should stay below, so that the answer is whole."""
_TELLING = 100.0
"""Weight of a pair of which one word has a printed total: its comparison decides the test."""
_TEST_PAGES = 2
"""Pages read of a test."""
_LEAST = 1e-3
_MOST_CHOICES, _LATEST_SLICES = 6, 4
"""Overflowing choices considered, those with the most records not shown; and slices, the latest."""
_FEWEST_CHOICES = 3
"""Choices from which on a menu probably leaves no record out."""
_SHRINK = 5.0
"""Records for which the overall size of a choice counts beside what slices show."""


def propose_pair(known: SourceKnowledge) -> Iterator[Proposal]:
    """The best two conditions."""
    pool = known.pool
    first, second = np.nonzero(np.triu(known.can_join() & ~pool.asked))
    if not len(first):
        return
    expected = known.held[first] * known.held[second] / known.records
    is_told = pool.is_shown[first] & pool.is_shown[second]
    held = np.where(is_told, pool.together[first, second], expected)
    unseen = known.size - known.held
    chances = known.chances(slice(None))
    independent = np.minimum(unseen[first] * chances[second], unseen[second] * chances[first])
    worth = np.minimum(known.partner_worth[first], known.partner_worth[second])
    prior = JointPrior(pool.lifts[first, second], pool.shapes[first, second], worth)
    new = known.expect_joint(held, expected, independent, prior)
    found = known.limit.expect(held, new, SIZE_SPREAD)
    for best in _find_leading(found.index):
        both = [pool.members[number].condition for number in (first[best], second[best])]
        if is_open(known, both):
            yield make_proposal(known, both, found, best, "two at once")
            return


def _find_leading(index: Floats) -> list[int]:
    """The places of the largest numbers, the largest first."""
    few = min(_TRIES, len(index))
    places = np.argpartition(-index, few - 1)[:few]
    return [int(place) for place in places[np.lexsort((places, -index[places]))]]


def propose_narrower(known: SourceKnowledge) -> Iterator[Proposal]:
    """One more condition for queries that overflow already with several."""
    can_join = known.can_join()
    for parent in _choose_parents(known):
        members = known.members_of(parent.conditions)
        if members is not None:
            found = expect_children(known, parent, members)
            index = np.where(can_join[list(members)].all(axis=0), found.index, -1.0)
            yield from _best_child(known, parent, found, index)


def _choose_parents(known: SourceKnowledge) -> list[OverflowingQuery]:
    latest = known.overflowing[-_PARENTS // 2 :]
    largest = sorted(known.overflowing, key=lambda parent: -parent.left)[: _PARENTS // 2]
    return [parent for parent in (*latest, *largest) if parent.left > 0]


def expect_children(
    known: SourceKnowledge, parent: OverflowingQuery, members: tuple[int, ...]
) -> ExpectedReturn:
    """What is expected of a query with one more condition, for each one of the pool."""
    pool = known.pool
    own = list(members)
    is_told = pool.is_shown & bool(pool.is_shown[own].all())
    with_all = pool.with_all(members)
    parent_held = float(with_all[own[0]]) if is_told.any() else parent.size * known.share
    expected = parent_held * known.held / known.records
    held = np.where(is_told, with_all, expected)
    unseen = max(_LEAST, parent.size - parent_held) * known.chances(slice(None))
    new = known.expect_joint(held, expected, unseen, known.prior(members))
    return known.limit.expect(held, new, SIZE_SPREAD)


def _best_child(
    known: SourceKnowledge, parent: OverflowingQuery, found: ExpectedReturn, index: Floats
) -> Iterator[Proposal]:
    for number in _find_leading(index):
        conditions = (*parent.conditions, known.pool.members[number].condition)
        if index[number] > 0 and is_open(known, conditions):
            yield make_proposal(known, conditions, found, number, "one more")
            return


def propose_word_tests(known: SourceKnowledge) -> Iterator[Proposal]:
    """Two words for a box of which it is not known what it makes of two words."""
    for box in known.boxes:
        operator = box.operator
        is_due = operator.kind == UNKNOWN and operator.tests < _MOST_TESTS and box.is_known
        if is_due and known.records >= _ENOUGH:
            yield from _propose_word_test(known, box)


def _propose_word_test(known: SourceKnowledge, box: TypedControl) -> Iterator[Proposal]:
    """Words that many records hold, and together neither never nor always."""
    pool = known.pool
    own = np.flatnonzero(pool.control == box.number)
    own = own[[_is_telling(pool.members[number].condition.term, box) for number in own]]
    if len(own) < 2:
        return
    together = pool.together[np.ix_(own, own)]
    expected = known.held[own][:, None] * known.held[own][None, :] / known.records
    is_fit = (together >= _TOGETHER) & (together <= _LIFT * expected)
    is_fit &= ~pool.asked[np.ix_(own, own)]
    np.fill_diagonal(is_fit, val=False)
    is_small = together / max(known.share, _LEAST) <= _NARROW * known.limit.cap
    worth = np.where(is_fit, together, 0.0) * np.where(is_small, 1.0, _LEAST)
    is_sized = np.array([pool.members[number].condition.term in box.with_total for number in own])
    # One word of which it was told how many match: more or fewer then say all that is asked.
    worth *= np.where(is_sized[:, None] ^ is_sized[None, :], _TELLING, 1.0)
    for best in _find_leading(worth.ravel()):
        both = [pool.members[own[number]].condition for number in divmod(best, len(own))]
        if worth.ravel()[best] > 0 and not _is_value(known, both) and is_open(known, both):
            values = known.values_of(both)
            yield Proposal(values, 1.0, 1.0, "whether words narrow or widen", np.inf, _TEST_PAGES)
            return


def _is_telling(term: str, box: TypedControl) -> bool:
    """Whether a query with this word brings something new, or its number of matches is known."""
    return (term not in box.asked or term in box.with_total) and not is_common(term)


def _is_value(known: SourceKnowledge, both: list[Condition]) -> bool:
    """Whether records hold the two words as one value."""
    numbers = known.holdings.terms.numbers
    first, second = (condition.term for condition in both)
    return f"{first} {second}" in numbers or f"{second} {first}" in numbers


class SlicePlan(Struct, frozen=True, eq=False):
    """An overflowing query, and the members of the pool that cut it into slices."""

    conditions: tuple[Condition, ...]
    members: Numbers
    expected: ExpectedReturn


def propose_slice(known: SourceKnowledge) -> Iterator[Proposal]:
    """The best slice of the best plan."""
    cuts = list(SlicePlanner(known).cuts())
    if not cuts:
        return
    expected = ExpectedReturn(
        np.concatenate([cut.expected.fresh for cut in cuts]),
        np.concatenate([cut.expected.requests for cut in cuts]),
    )
    owners = np.repeat(np.arange(len(cuts)), [len(cut.members) for cut in cuts])
    numbers = np.concatenate([cut.members for cut in cuts])
    weight = plan_weight(expected, known.unseen)
    for best in np.argsort(-expected.index, kind="stable")[:_MOST_CHOICES].tolist():
        condition = known.pool.members[numbers[best]].condition
        conditions = (*cuts[owners[best]].conditions, condition)
        if is_open(known, conditions):
            found = make_proposal(known, conditions, expected, best, "a slice")
            yield Proposal(found.values, found.fresh, found.requests, found.why, weight)
            return


class SlicePlanner:
    """Finds, for each query that overflows, the menu that cuts it best.

    C. Sheng, N. Zhang, Y. Tao and X. Jin, "Optimal Algorithms for Crawling a Hidden Database in
    the Web", PVLDB 5, 2012: slice cover. What one menu leaves of a database is in the choices that
    match more than is shown, and in nothing else. The slices of these exclude each other again, so
    they make a plan as the choices of a menu do. The paper takes menus in a fixed order; here the
    menu is chosen whose slices are expected to bring the most.
    """

    def __init__(self, known: SourceKnowledge) -> None:
        self._known = known
        self._can_join = known.can_join()
        self._over = {frozenset(parent.conditions) for parent in known.overflowing}
        self._menus = [one for one in known.lists if len(one.conditions) >= _FEWEST_CHOICES]

    def cuts(self) -> Iterator[SlicePlan]:
        """One of each query that overflows: choices of menus that were asked through, and their
        slices. What is left of a slice is no more than what is left of its choice."""
        left: dict[Condition, float] = {}
        for parent in self._choices():
            cut = self._best_cut(parent.conditions, parent.left)
            left[parent.conditions[0]] = cut.expected.fresh.sum() if cut else 0.0
            if cut:
                yield cut
        for parent in self._known.overflowing[-_LATEST_SLICES:]:
            of_choices = [left[one] for one in parent.conditions if one in left]
            cut = self._best_cut(parent.conditions, min([parent.left, *of_choices]))
            if of_choices and cut:
                yield cut

    def _choices(self) -> list[OverflowingQuery]:
        known = self._known
        found: list[OverflowingQuery] = []
        for listed in known.lists:
            if listed.overflowing and not listed.unasked and listed.novelty.value >= TRUSTED:
                found += _overflowing_choices(known, listed)
        return sorted(found, key=lambda parent: -parent.left)[:_MOST_CHOICES]

    def _best_cut(self, conditions: tuple[Condition, ...], left: float) -> SlicePlan | None:
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
            self._cut(
                conditions, own[chosen], left * (1 - done) * _as_shares(weight[chosen]), together
            )
            for own, weight, is_open in parts
            if (chosen := is_open & can_join[own]).any()
        ]
        return max(cuts, key=_pace, default=None)

    def _parts(
        self, conditions: tuple[Condition, ...], listed: ListedControl, together: Floats
    ) -> tuple[Numbers, Floats, Mask]:
        """The choices of a menu, what share of the rest each has, and whether it is still there: by
        how often records held fulfil both, and by its own size."""
        known = self._known
        own = np.flatnonzero(known.pool.control == listed.number)
        held = np.where(known.pool.is_shown[own], together[own], 0.0)
        weight = held + _SHRINK * known.size[own] / max(1.0, float(known.size[own].sum()))
        is_open = [self._is_there(conditions, known.pool.members[n].condition) for n in own]
        return own, _as_shares(weight), np.array(is_open, np.bool_)

    def _cut(
        self, conditions: tuple[Condition, ...], own: Numbers, new: Floats, together: Floats
    ) -> SlicePlan:
        held = np.where(self._known.pool.is_shown[own], together[own], 0.0)
        return SlicePlan(conditions, own, self._known.limit.expect(held, new, SIZE_SPREAD))

    def _is_there(self, conditions: tuple[Condition, ...], condition: Condition) -> bool:
        """Whether records of the slice may not have been shown."""
        joined = frozenset((*conditions, condition))
        is_asked = joined in self._known.pairs and joined not in self._over
        return condition not in self._known.used_up and not is_asked


def _as_shares(weights: Floats) -> Floats:
    """As shares of their sum."""
    return weights / max(1e-9, float(weights.sum()))


def _pace(cut: SlicePlan) -> float:
    return float(cut.expected.fresh.sum() / cut.expected.requests.sum())


def _overflowing_choices(
    known: SourceKnowledge, listed: ListedControl
) -> Iterator[OverflowingQuery]:
    """Choices that match more than is shown, with what of it is not held."""
    sizes = listed.sizes(known.database)
    own = [one for one in listed.asked if one.values in listed.overflowing]
    for condition, held in zip(own, listed.count_held(own), strict=True):
        size = sizes[condition.values]
        left = size - (held if listed.is_shown(condition) else size * known.share)
        if left > 0:
            yield OverflowingQuery((condition,), size, left)
