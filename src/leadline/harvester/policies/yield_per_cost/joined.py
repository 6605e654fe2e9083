"""What an outcome of several conditions at once teaches."""

import numpy as np

from leadline.core.harvest import Outcome
from leadline.harvester.policies.yield_per_cost.captures import fulfilling, searched
from leadline.harvester.policies.yield_per_cost.controls import Condition, Typed
from leadline.harvester.policies.yield_per_cost.joining import ALL, ANY, ROW, UNKNOWN
from leadline.harvester.policies.yield_per_cost.knowledge import MOST_TIMES, Knowledge, Parent
from leadline.harvester.policies.yield_per_cost.overflows import OVERFLOW, learn_overflow
from leadline.harvester.policies.yield_per_cost.pool import Members
from leadline.harvester.wording import is_common

_MOST_PARENTS = 200
_TOGETHER = 3.0
"""Records held with all words of a query, from which on it says something to find none."""
_SHOWN = 3
"""New records that show a word of the query, from which on they tell how words are joined."""
_FEW_WITH_ALL, _MANY_WITH_ALL = 0.25, 0.5
"""Of these, the shares with all words that speak for any word and for all words."""
_WIDER = 1.05


def learn_joined(known: Knowledge, conditions: list[Condition], outcome: Outcome) -> None:
    controls = {condition.control for condition in conditions}
    box = known.boxes[conditions[0].control] if conditions[0].control < len(known.boxes) else None
    for number in controls:
        if number < len(known.boxes):
            known.boxes[number].tries += 1
            known.boxes[number].hits += outcome.returned > 0
    if any(is_common(condition.term) for condition in conditions):
        known.ratios.common.learn(float(outcome.returned > 0), 1.0)
    known.pairs.add(frozenset(conditions))
    members = known.members_of(conditions)
    held, new = _expected(known, members) if members else (0.0, 0.0)
    if box is not None and len(controls) == 1:
        _learn_way(known, box, conditions, outcome, held)
        if box.joining.way == ANY:
            _learn_union(known, box, conditions, outcome)
            return
    if members:
        _learn_narrower(known, conditions, members, outcome, (held, new))


def _learn_union(
    known: Knowledge, box: Typed, conditions: list[Condition], outcome: Outcome
) -> None:
    """Words that were asked for together, whether they were expected to match as many."""
    before = known.records - outcome.fresh
    counts = [known.before.counts(condition.term, before) for condition in conditions]
    box.asked.update(condition.term for condition in conditions)
    counted = [one for one in counts if one is not None]
    if len(counted) < len(conditions):
        return
    by_place = np.array([one.by_place for one in counted])
    held = box.matching.held(by_place, np.array([one.df for one in counted]))
    size = float((held + known.ratios.fresh.value * box.sizes.new(held, before)).sum())
    is_told = outcome.total is not None and not outcome.is_left
    if is_told or outcome.is_total_exact or known.is_whole(outcome):
        known.ratios.widening.learn(min(float(outcome.matched), MOST_TIMES * size), size)


def _learn_way(
    known: Knowledge, box: Typed, conditions: list[Condition], outcome: Outcome, held: float
) -> None:
    """Whether the records that came show all the words, or one of them."""
    if not outcome.matched:
        doubt = ALL if box.joining.way == ANY else ROW
        box.joining.vote(doubt if held >= _TOGETHER or doubt == ALL else UNKNOWN)
        return
    sizes = [box.matched[one.term] for one in conditions if one.term in box.matched]
    is_wider = outcome.is_total_exact and any(outcome.matched > _WIDER * size for size in sizes)
    is_narrower = outcome.is_total_exact and any(_WIDER * outcome.matched < size for size in sizes)
    counts = searched(box.matching.share)
    terms = [(condition.term, counts) for condition in conditions]
    is_new = known.holdings.sample.numbers > known.records - outcome.fresh
    with_any = int((fulfilling(known.holdings, terms, is_any=True) & is_new).sum())
    with_all = int((fulfilling(known.holdings, terms, is_any=False) & is_new).sum())
    if is_wider or (with_any >= _SHOWN and with_all < _FEW_WITH_ALL * with_any):
        box.joining.vote(ANY)
    elif is_narrower or (with_any >= _SHOWN and with_all > _MANY_WITH_ALL * with_any):
        box.joining.vote(ALL)
    else:
        box.joining.vote(UNKNOWN)


def _learn_narrower(
    known: Knowledge,
    conditions: list[Condition],
    members: Members,
    outcome: Outcome,
    expected: tuple[float, float],
) -> None:
    held, new = expected
    if len(members) == 2:
        known.pool.asked[members, members[::-1]] = True
    for parent in known.parents:
        if set(parent.conditions) < set(conditions):
            parent.left -= outcome.fresh
    if known.limits.is_over(outcome):
        size = float(outcome.matched)
        if not outcome.is_total_exact:
            size = max(held + new, OVERFLOW * outcome.returned)
        known.parents.append(Parent(tuple(conditions), size, size - outcome.returned))
        known.parents = known.parents[-_MOST_PARENTS:]
        learn_overflow(known, outcome, min(held, size))
        _learn_partners(known, conditions, outcome, outcome.returned * new / (held + new))
        return
    part = min(1.0, outcome.returned / max(held + new, 1.0)) if outcome.is_left else 1.0
    _learn_partners(known, conditions, outcome, new * part)
    if known.is_whole(outcome):
        _learn_parts(known, conditions, outcome)
        _learn_searched(known, conditions, members, outcome, held)


def _learn_parts(known: Knowledge, conditions: list[Condition], outcome: Outcome) -> None:
    """How many of the records of a choice are held, by those of a part of it."""
    again = float(outcome.returned - outcome.fresh)
    for condition in conditions:
        if condition.control >= len(known.boxes):
            listed = known.lists[condition.control - len(known.boxes)]
            listed.learn_part(condition, float(outcome.returned), again)


def _learn_partners(
    known: Knowledge, conditions: list[Condition], outcome: Outcome, new: float
) -> None:
    fresh = min(float(outcome.fresh), MOST_TIMES * new)
    for control in {condition.control for condition in conditions}:
        known.ratios.through[control].learn(fresh, new)
    for condition in conditions:
        known.ratios.of_condition(condition).learn(fresh, new)


def _learn_searched(
    known: Knowledge,
    conditions: list[Condition],
    members: Members,
    outcome: Outcome,
    held: float,
) -> None:
    """Of one word beside choices: whether records that show it were found by it."""
    words = [at for at, one in enumerate(conditions) if one.control < len(known.boxes)]
    if len(words) != 1 or held < 1:
        return
    condition, member = conditions[words[0]], members[words[0]]
    counted = known.before.counts(condition.term, known.records - outcome.fresh)
    if counted is not None and known.held[member] > 0:
        part = min(1.0, held / float(known.held[member]))
        matching = known.boxes[condition.control].matching
        again = outcome.returned - outcome.fresh
        matching.learn(counted.by_place * part, counted.df * part, again)


def _expected(known: Knowledge, members: Members) -> tuple[float, float]:
    """Records held, and new ones, that joined conditions were expected to match."""
    own, before = list(members), max(1, known.pool.records)
    expected = float(np.prod(known.held[own]) / before ** (len(own) - 1))
    held = expected
    if known.pool.is_told[own].all():
        held = float(known.pool.with_all(members[:-1])[members[-1]])
    chances = known.chances(own)
    unseen = float(known.size[own[0]] - known.held[own[0]])
    independent = unseen * float(np.prod(chances[1:]))
    at = np.ix_(own[:-1], own[-1:])
    shape, lift = float(known.pool.shapes[at].min()), float(known.pool.lifts[at].min())
    return held, independent * (held + shape * lift) / (expected + shape)
