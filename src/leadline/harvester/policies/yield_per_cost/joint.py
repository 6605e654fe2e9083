"""Queries with several conditions: narrower ones where answers overflow, and tests of boxes."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from leadline.harvester.policies.yield_per_cost.controls import Condition, Typed
from leadline.harvester.policies.yield_per_cost.joining import UNKNOWN
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge, Parent, Prior
from leadline.harvester.policies.yield_per_cost.proposals import Proposal, is_open, propose
from leadline.harvester.policies.yield_per_cost.returns import Return
from leadline.harvester.wording import is_common

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

SPREAD = 0.35
_PARENTS = 4
"""Overflowing queries looked at for a third condition: the latest and the largest."""
_TRIES = 8
"""Of the best queries, looked at until one was not asked."""
_MOST_TESTS = 3
_ENOUGH = 40
"""Records held before a box is tested."""
_TOGETHER = 3.0
"""Records that must hold both words of a test, so that words which all must be there find some."""
_LIFT = 3.0
"""Words that stand together more often than this times chance may be parts of one name."""
_NARROW = 0.6
_TELLING = 100.0
_PAGES = 2
"""Read of a test."""
_LEAST = 1e-3


def pairs(known: Knowledge) -> Iterator[Proposal]:
    """The best two conditions."""
    pool = known.pool
    first, second = np.nonzero(np.triu(known.can_join() & ~pool.asked))
    if not len(first):
        return
    expected = known.held[first] * known.held[second] / known.records
    is_told = pool.is_told[first] & pool.is_told[second]
    held = np.where(is_told, pool.together[first, second], expected)
    unseen = known.size - known.held
    chances = known.chances(slice(None))
    independent = np.minimum(unseen[first] * chances[second], unseen[second] * chances[first])
    worth = np.minimum(known.partners[first], known.partners[second])
    prior = Prior(pool.lifts[first, second], pool.shapes[first, second], worth)
    new = known.joint(held, expected, independent, prior)
    found = known.limit.returns(held, new, SPREAD)
    for best in _leading(found.index):
        both = [pool.members[number].condition for number in (first[best], second[best])]
        if is_open(known, both):
            yield propose(known, both, found, best, "two at once")
            return


def _leading(index: Floats) -> list[int]:
    """The places of the largest numbers, the largest first."""
    few = min(_TRIES, len(index))
    places = np.argpartition(-index, few - 1)[:few]
    return [int(place) for place in places[np.lexsort((places, -index[places]))]]


def narrower(known: Knowledge) -> Iterator[Proposal]:
    """One more condition for queries that overflow already with several."""
    can_join = known.can_join()
    for parent in _parents(known):
        members = known.members_of(parent.conditions)
        if members is not None:
            found = children(known, parent, members)
            index = np.where(can_join[list(members)].all(axis=0), found.index, -1.0)
            yield from _best_child(known, parent, found, index)


def _parents(known: Knowledge) -> list[Parent]:
    latest = known.parents[-_PARENTS // 2 :]
    largest = sorted(known.parents, key=lambda parent: -parent.left)[: _PARENTS // 2]
    return [parent for parent in (*latest, *largest) if parent.left > 0]


def children(known: Knowledge, parent: Parent, members: tuple[int, ...]) -> Return:
    """What is expected of a query with one more condition, for each one of the pool."""
    pool = known.pool
    own = list(members)
    is_told = pool.is_told & bool(pool.is_told[own].all())
    with_all = pool.with_all(members)
    parent_held = float(with_all[own[0]]) if is_told.any() else parent.size * known.share
    expected = parent_held * known.held / known.records
    held = np.where(is_told, with_all, expected)
    unseen = max(_LEAST, parent.size - parent_held) * known.chances(slice(None))
    new = known.joint(held, expected, unseen, known.prior(members))
    return known.limit.returns(held, new, SPREAD)


def _best_child(
    known: Knowledge, parent: Parent, found: Return, index: Floats
) -> Iterator[Proposal]:
    for number in _leading(index):
        conditions = (*parent.conditions, known.pool.members[number].condition)
        if index[number] > 0 and is_open(known, conditions):
            yield propose(known, conditions, found, number, "one more")
            return


def tests(known: Knowledge) -> Iterator[Proposal]:
    """Two words for a box of which it is not known what it makes of two words."""
    for box in known.boxes:
        joining = box.joining
        is_due = joining.way == UNKNOWN and joining.tests < _MOST_TESTS and box.is_known
        if is_due and known.records >= _ENOUGH:
            yield from _test(known, box)


def _test(known: Knowledge, box: Typed) -> Iterator[Proposal]:
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
    is_sized = np.array([pool.members[number].condition.term in box.told for number in own])
    # One word of which it was told how many match: more or fewer then say all that is asked.
    worth *= np.where(is_sized[:, None] ^ is_sized[None, :], _TELLING, 1.0)
    for best in _leading(worth.ravel()):
        both = [pool.members[own[number]].condition for number in divmod(best, len(own))]
        if worth.ravel()[best] > 0 and not _is_value(known, both) and is_open(known, both):
            values = known.values_of(both)
            yield Proposal(values, 1.0, 1.0, "whether words narrow or widen", np.inf, _PAGES)
            return


def _is_telling(term: str, box: Typed) -> bool:
    """Whether a query with this word brings something new, or its number of matches is known."""
    return (term not in box.asked or term in box.told) and not is_common(term)


def _is_value(known: Knowledge, both: list[Condition]) -> bool:
    """Whether records hold the two words as one value."""
    numbers = known.holdings.terms.numbers
    first, second = (condition.term for condition in both)
    return f"{first} {second}" in numbers or f"{second} {first}" in numbers
