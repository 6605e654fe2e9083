"""What an outcome teaches."""

import numpy as np

from leadline.core.harvest import BLOCKED, REFUSED, UNCLEAR, Outcome, Query
from leadline.harvest.matching import Counted
from leadline.harvest.policies.yield_per_cost.captures import Mask, fulfilling, searched
from leadline.harvest.policies.yield_per_cost.controls import Condition, Listed, Typed
from leadline.harvest.policies.yield_per_cost.joining import ALL, ANY, ROW, UNKNOWN
from leadline.harvest.policies.yield_per_cost.knowledge import Knowledge, Parent
from leadline.harvest.policies.yield_per_cost.pool import Members
from leadline.harvest.terms import PLACES
from leadline.harvest.wording import is_common

_UNHEARD = (BLOCKED, REFUSED, UNCLEAR)
_LEAST_NEW = 0.02
_OVERFLOW = 1.5
"""Times the limit that an answer is taken to match when only that it overflows is known."""
_MOST_PARENTS = 200
_FEWEST_REST = 5.0
_TOGETHER = 3.0
"""Records held with all words of a query, from which on it says something to find none."""
_SHOWN = 3
"""New records that show a word of the query, from which on they tell how words are joined."""
_FEW_WITH_ALL, _MANY_WITH_ALL = 0.25, 0.5
"""Of these, the shares with all words that speak for any word and for all words."""
_WIDER = 1.05
_HALF = 0.5
_MOST_TIMES = 3.0
"""What was expected by which one outcome may count: sizes have long tails."""
_SURE_OF_FIRST = 10.0
"""Records that the first ones of an answer which overflows count for: they may be always the same.
"""
_LARGEST = 1e12
_TRUSTED = 0.7
"""Novelty from which on the choices of a menu are taken to exclude each other."""


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
        _learn_joined(known, conditions, outcome)
    elif known.is_whole(outcome) and outcome.returned:
        size = float(outcome.matched)
        known.sizes.learn(size, size, size, size)
    known.captures.update(_brought(known, conditions, outcome))
    known.before.note()
    known.look_at_places()
    for listed in known.lists:
        listed.cut()
    known.sizes.guess = max([0.0, *map(_whole, known.lists)])
    known.sizes.most = _LARGEST
    known.sizes.most = min([_LARGEST, *(_at_most(known, one) for one in known.lists)])
    known.sizes.reasons = max([0.0, *map(_sized, known.lists)])
    known.sizes.least = max([0.0, *map(_at_least, known.lists)])


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
    if known.is_whole(outcome):
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
        known.ratios.fresh.learn(min(float(outcome.fresh), _MOST_TIMES * expected), expected)
        box.matching.learn(counted.by_place, counted.df, again)
        box.sizes.learn(held, outcome.returned, again, counted.records)
    elif known.limits.is_over(outcome):
        if outcome.is_total_exact:
            box.sizes.learn(held, outcome.matched, max(held, again), counted.records)
        _learn_overflow(known, outcome, held)
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
    known.ratios.fresh.learn(min(came, _MOST_TIMES * expected), expected)
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
    size = _matching(known, outcome, held)
    if is_over and not outcome.is_total_exact:
        size = max(size, _OVERFLOW * outcome.returned)
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
    new = _share_new(held, size) if is_told else max(_LEAST_NEW, 1 - share)
    listed.novelty.learn(outcome.fresh, outcome.returned * new)
    if is_over:
        _learn_overflow(known, outcome, held if is_told else share * size)


def _learn_overflow(known: Knowledge, outcome: Outcome, held: float) -> None:
    cap = float(known.limits.cap or outcome.returned)
    size = max(_matching(known, outcome, held), _OVERFLOW * cap)
    if outcome.is_total_exact:
        size = float(outcome.matched)
    known.bias.learn(size / cap, outcome.fresh, outcome.returned * _share_new(held, size))


def _matching(known: Knowledge, outcome: Outcome, held: float) -> float:
    """Records that match a query of which so many were held before it."""
    before = max(1, known.records - outcome.fresh)
    if outcome.is_total_exact:
        return float(outcome.matched)
    return max(known.limits.matched(outcome), held * known.sizes.database(before) / before)


def _share_new(held: float, size: float) -> float:
    return max(_LEAST_NEW, 1 - held / max(size, 1.0))


def _learn_joined(known: Knowledge, conditions: list[Condition], outcome: Outcome) -> None:
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
        known.ratios.widening.learn(min(float(outcome.matched), _MOST_TIMES * size), size)


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
            size = max(held + new, _OVERFLOW * outcome.returned)
        known.parents.append(Parent(tuple(conditions), size, size - outcome.returned))
        known.parents = known.parents[-_MOST_PARENTS:]
        _learn_overflow(known, outcome, min(held, size))
        _learn_partners(known, conditions, outcome, outcome.returned * new / (held + new))
        return
    part = min(1.0, outcome.returned / max(held + new, 1.0)) if outcome.is_left else 1.0
    _learn_partners(known, conditions, outcome, new * part)
    if known.is_whole(outcome):
        for condition in conditions:
            if condition.control >= len(known.boxes):
                listed = known.lists[condition.control - len(known.boxes)]
                again = outcome.returned - outcome.fresh
                listed.learn_part(condition, float(outcome.returned), float(again))
        _learn_searched(known, conditions, members, outcome, held)


def _learn_partners(
    known: Knowledge, conditions: list[Condition], outcome: Outcome, new: float
) -> None:
    fresh = min(float(outcome.fresh), _MOST_TIMES * new)
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


def _at_least(listed: Listed) -> float:
    """Records that choices which exclude each other match together."""
    return sum(listed.done.values()) if listed.novelty.value >= _TRUSTED else 0.0


def _sized(listed: Listed) -> float:
    """Choices that exclude each other and of which it is known how many records match, beside those
    of which it is not, which are large ones."""
    sized = len(listed.done) - 2 * len(listed.beyond)
    return max(0.0, float(sized - 1)) if listed.novelty.value >= _TRUSTED else 0.0


def _at_most(known: Knowledge, listed: Listed) -> float:
    """Records of a menu that was asked through, and of those that show none of its choices."""
    if listed.open or listed.place is None or listed.novelty.value < _TRUSTED:
        return _LARGEST
    inside = sum(listed.sizes(known.database).values())
    held = float(listed.held(listed.closed).sum())
    return inside * max(1.0, known.records / max(1.0, held))


def _whole(listed: Listed) -> float:
    """What the choices asked for so far say of the size of the database."""
    total = sum(listed.done.values())
    if not listed.done or listed.novelty.value < _TRUSTED:
        return total
    return total * max(1.0, len(listed.conditions) / len(listed.done))
