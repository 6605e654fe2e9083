"""What an outcome teaches."""

import numpy as np

from leadline.core.harvest import BLOCKED, REFUSED, UNCLEAR, Outcome, Query
from leadline.harvester.matching import Counted
from leadline.harvester.policies.yield_per_cost.captures import Mask, fulfilling, searched
from leadline.harvester.policies.yield_per_cost.controls import Condition, Listed, Typed
from leadline.harvester.policies.yield_per_cost.joined import learn_joined
from leadline.harvester.policies.yield_per_cost.joining import ANY
from leadline.harvester.policies.yield_per_cost.knowledge import MOST_TIMES, Knowledge
from leadline.harvester.policies.yield_per_cost.menus import learn_from_menus
from leadline.harvester.policies.yield_per_cost.overflows import (
    LEAST_NEW,
    OVERFLOW,
    learn_overflow,
    matching,
    share_new,
)
from leadline.harvester.terms import PLACES
from leadline.harvester.wording import is_common

_UNHEARD = (BLOCKED, REFUSED, UNCLEAR)
_FEWEST_REST = 5.0
_HALF = 0.5
_SURE_OF_FIRST = 10.0
"""Records that the first ones of an answer which overflows count for: they may be always the same.
"""


def learn(known: Knowledge, outcome: Outcome) -> None:
    known.asked.add(outcome.query)
    known.limits.learn(outcome)
    known.ratios.cost.learn(outcome.requests, outcome.pages)
    known.ratios.pace.learn(outcome.fresh, outcome.requests)
    conditions = conditions_of(known, outcome.query)
    if outcome.kind in _UNHEARD:
        _close(known, conditions)
    elif len(conditions) == 1:
        _learn_alone(known, conditions[0], outcome)
    elif conditions:
        learn_joined(known, conditions, outcome)
    elif known.is_whole(outcome) and outcome.returned:
        size = float(outcome.matched)
        known.sizes.learn(size, size, size, size)
    known.captures.update(_brought(known, conditions, outcome))
    known.before.note()
    known.look_at_places()
    for listed in known.lists:
        listed.cut()
    learn_from_menus(known)


def _close(known: Knowledge, conditions: list[Condition]) -> None:
    """Leave a query that was not looked up: it says nothing of what it would have found."""
    known.pairs.add(frozenset(conditions))
    members = known.members_of(conditions)
    if len(conditions) == 2 and members:
        known.pool.asked[members, members[::-1]] = True
    elif len(conditions) == 1 and conditions[0].control < len(known.boxes):
        known.boxes[conditions[0].control].asked.add(conditions[0].term)
    elif len(conditions) == 1:
        listed = known.lists[conditions[0].control - len(known.boxes)]
        listed.done.setdefault(conditions[0].values, 0.0)


def conditions_of(known: Knowledge, query: Query) -> list[Condition]:
    """What a query asked for, each word of a box by itself unless they are one value."""
    fixed = dict(known.interface.fixed)
    values = {name: value for name, value in query.values if fixed.get(name) != value}
    found: list[Condition] = []
    for box in known.boxes:
        text = values.get(box.box.name, "")
        is_value = text.lower() in known.holdings.terms.numbers
        found += [box.condition(word) for word in ([text] if is_value else text.split())]
    for listed in known.lists:
        own = tuple((name, values[name]) for name in sorted(listed.names) if name in values)
        if own:
            like = (one for one in listed.conditions if one.values == own)
            found.append(next(like, Condition(listed.number, own)))
    return found


def _learn_alone(known: Knowledge, condition: Condition, outcome: Outcome) -> None:
    counted = known.before.counts(condition.term, known.records - outcome.fresh)
    is_sure = outcome.is_total_exact or known.limits.ends_early(outcome)
    if is_sure and known.is_whole(outcome):
        known.used_up.add(condition)
    if condition.control < len(known.boxes):
        _learn_term(known, known.boxes[condition.control], condition.term, outcome, counted)
    else:
        listed = known.lists[condition.control - len(known.boxes)]
        _learn_choice(known, listed, condition, outcome, counted)


def _learn_term(
    known: Knowledge, box: Typed, term: str, outcome: Outcome, counted: Counted | None
) -> None:
    box.asked.add(term)
    box.tries += 1
    box.hits += outcome.returned > 0
    if known.is_whole(outcome) or outcome.is_total_exact:
        box.matched[term] = outcome.matched
    if outcome.is_total_exact and outcome.matched:
        box.told.add(term)
    if counted is None:
        return
    if not counted.df:
        known.ratios.first.learn(outcome.fresh, outcome.requests)
    elif is_common(term):
        known.ratios.common.learn(float(outcome.returned > 0), 1.0)
    if counted.df and (outcome.returned or not is_common(term)):
        _learn_sizes(known, box, term, outcome, counted)


def _learn_sizes(
    known: Knowledge, box: Typed, term: str, outcome: Outcome, counted: Counted
) -> None:
    held = float(box.matching.held(counted.by_place[None, :], np.array([counted.df]))[0])
    again = outcome.returned - outcome.fresh
    if known.is_whole(outcome):
        row = np.array([known.holdings.terms.numbers[term]])
        expected = float(known.new_of(box, np.array([held]), row, counted.records)[0])
        known.ratios.fresh.learn(min(float(outcome.fresh), MOST_TIMES * expected), expected)
        box.matching.learn(counted.by_place, counted.df, again)
        box.sizes.learn(held, outcome.returned, again, counted.records)
    elif known.limits.is_over(outcome):
        if outcome.is_total_exact:
            box.sizes.learn(held, outcome.matched, max(held, again), counted.records)
        learn_overflow(known, outcome, held)
    elif outcome.returned:
        _learn_part(known, box, term, outcome, (held, counted.records))


def _learn_part(
    known: Knowledge, box: Typed, term: str, outcome: Outcome, before: tuple[float, int]
) -> None:
    """An answer of which only some records were seen, taken for an even part of it."""
    held, records = before
    share = 1 - outcome.fresh / outcome.returned
    size = float(outcome.matched if outcome.is_total_exact else outcome.returned)
    known_ones = share * size
    if outcome.is_total_exact:
        known_ones = min(size, (held + known_ones) / 2)
    row = np.array([known.holdings.terms.numbers[term]])
    expected = float(known.new_of(box, np.array([held]), row, records)[0])
    came = held * (size - known_ones + _HALF) / (known_ones + _HALF)
    known.ratios.fresh.learn(min(came, MOST_TIMES * expected), expected)
    box.sizes.learn(held, size, known_ones, records)


def _learn_choice(
    known: Knowledge,
    listed: Listed,
    condition: Condition,
    outcome: Outcome,
    counted: Counted | None,
) -> None:
    before = known.records - outcome.fresh
    share = known.share_of_rest(listed, before)
    others = float(listed.held(listed.closed).sum())
    is_over = known.limits.is_over(outcome)
    is_told = counted is not None and listed.place is not None
    held = float(counted.by_place[listed.place]) if counted and is_told else 0.0
    if condition.share >= 0:
        is_told, held = True, condition.share * before
    size = matching(known, outcome, held)
    if is_over and not outcome.is_total_exact:
        size = max(size, OVERFLOW * outcome.returned)
    is_sized = not is_over or outcome.is_total_exact
    if (
        listed.place is not None
        and is_told
        and before - others >= _FEWEST_REST
        and is_sized
        and not listed.beyond
    ):
        again = held if is_over else float(outcome.returned - outcome.fresh)
        rest, asked = before - others, sum(listed.done.values())
        known.sizes.learn(rest, size + again * asked / rest, again, rest)
    listed.done.setdefault(condition.values, size)
    listed.brought += outcome.returned
    if is_over:
        listed.over.add(condition.values)
    if not is_sized:
        listed.beyond.add(condition.values)
        if is_told:
            part = min(1.0, _SURE_OF_FIRST / max(1, outcome.returned))
            again = outcome.returned - outcome.fresh
            listed.learn_part(condition, part * outcome.returned, part * again)
    new = share_new(held, size) if is_told else max(LEAST_NEW, 1 - share)
    listed.novelty.learn(outcome.fresh, outcome.returned * new)
    if is_over:
        learn_overflow(known, outcome, held if is_told else share * size)


def _brought(known: Knowledge, conditions: list[Condition], outcome: Outcome) -> Mask | None:
    """Records of the sample that the answer held; None when that cannot be told."""
    is_heard = outcome.kind not in _UNHEARD
    if not (conditions and is_heard and known.is_whole(outcome)) or _is_inside(known, conditions):
        return None
    terms = []
    for condition in conditions:
        if condition.control < len(known.boxes):
            box = known.boxes[condition.control]
            counts = searched(box.matching.share)
        else:
            place = known.lists[condition.control - len(known.boxes)].place
            if place is None or not condition.term:
                return None
            counts = np.arange(PLACES) == place
        terms.append((condition.term, counts))
    box_number = conditions[0].control
    is_any = box_number < len(known.boxes) and known.boxes[box_number].joining.way == ANY
    return fulfilling(known.holdings, terms, is_any=is_any)


def _is_inside(known: Knowledge, conditions: list[Condition]) -> bool:
    """Whether one of several conditions was asked for alone before: then all had to come again."""
    if len(conditions) == 1:
        return False
    boxes = {box.number: box.asked for box in known.boxes}
    return any(condition.term in boxes.get(condition.control, ()) for condition in conditions)
