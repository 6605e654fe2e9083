"""What an outcome teaches."""

import numpy as np

from leadline.core.harvest import BLOCKED, REFUSED, UNCLEAR, Outcome, Query
from leadline.harvester.match_rates import PriorTermCounts
from leadline.harvester.policies.yield_per_cost.controls import (
    ALL,
    ANY,
    PHRASE,
    TRUSTED,
    UNKNOWN,
    Condition,
    ListedControl,
    TypedControl,
)
from leadline.harvester.policies.yield_per_cost.estimates import (
    LARGEST,
    Mask,
    find_matching,
    searched_places,
)
from leadline.harvester.policies.yield_per_cost.knowledge import (
    MOST_TIMES,
    Members,
    OverflowingQuery,
    SourceKnowledge,
)
from leadline.harvester.terms import PLACES, is_common

_NOT_LOOKED_UP = (BLOCKED, REFUSED, UNCLEAR)
_LEAST_NEW = 0.02
"""Share of an answer that is expected to be new, at least."""
_LEAST_HIDDEN = 1.0
"""Matches that an overflowing answer did not show, at least."""
_OVERFLOW = 1.5
"""Times the limit that an answer is taken to match if it is only known to overflow."""
_FEWEST_REST = 5.0
"""Records held that show no choice asked for, before a choice says something about the size."""
_HALF = 0.5
"""Added to counts, so that no share is 0 or infinite."""
_SURE_OF_FIRST = 10.0
"""Records that the first ones of an overflowing answer count for: they may always be the same."""
_MOST_OVERFLOWING = 200
"""Overflowing queries of several conditions that are remembered, the latest."""
_TOGETHER = 3.0
"""Records held with all words of a query, from which on finding none says something."""
_SHOWN = 3
"""New records with a word of the query, from which on they say how words are combined."""
_FEW_WITH_ALL, _MANY_WITH_ALL = 0.25, 0.5
"""Of these, the shares with all words that speak for ANY and for ALL."""
_WIDER = 1.05
"""Factor between two totals that is no rounding."""


def learn_outcome(known: SourceKnowledge, outcome: Outcome) -> None:
    known.asked.add(outcome.query)
    known.limits.learn(outcome)
    known.ratios.cost.learn(outcome.requests, outcome.pages)
    known.ratios.pace.learn(outcome.fresh, outcome.requests)
    conditions = conditions_of(known, outcome.query)
    if outcome.kind in _NOT_LOOKED_UP:
        _close_query(known, conditions)
    elif len(conditions) == 1:
        _learn_alone(known, conditions[0], outcome)
    elif conditions:
        _learn_joined(known, conditions, outcome)
    elif known.is_whole(outcome) and outcome.returned:
        size = float(outcome.matched)
        known.sizes.learn(size, size, size, size)
    known.captures.update(_find_returned(known, conditions, outcome))
    known.before.update()
    known.update_places()
    for listed in known.lists:
        listed.cut_range()
    _learn_from_menus(known)


def _close_query(known: SourceKnowledge, conditions: list[Condition]) -> None:
    """Closes a query that was not looked up: it says nothing about what it would have found."""
    known.pairs.add(frozenset(conditions))
    controls = {condition.control for condition in conditions}
    if len(conditions) > 1 and len(controls) == 1 and min(controls) < len(known.boxes):
        # A box that refuses several words would be tested for them for ever.
        known.boxes[min(controls)].operator.vote(UNKNOWN)
    members = known.members_of(conditions)
    if len(conditions) == 2 and members:
        known.pool.asked[members, members[::-1]] = True
    elif len(conditions) == 1 and conditions[0].control < len(known.boxes):
        known.boxes[conditions[0].control].asked.add(conditions[0].term)
    elif len(conditions) == 1:
        listed = known.lists[conditions[0].control - len(known.boxes)]
        listed.matches.setdefault(conditions[0].values, 0.0)
        if listed.splits is not None:
            listed.splits.learn(conditions[0].values, 0.0)


def conditions_of(known: SourceKnowledge, query: Query) -> list[Condition]:
    """The conditions of a query: each word of a box by itself unless they are one value."""
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


def _learn_alone(known: SourceKnowledge, condition: Condition, outcome: Outcome) -> None:
    counted = known.before.counts(condition.term, known.records - outcome.fresh)
    is_sure = outcome.is_total_exact or known.limits.ends_early(outcome)
    if is_sure and known.is_whole(outcome):
        known.used_up.add(condition)
    if condition.control < len(known.boxes):
        _learn_term(known, known.boxes[condition.control], condition.term, outcome, counted)
    else:
        listed = known.lists[condition.control - len(known.boxes)]
        if listed.splits is not None and listed.splits.is_useful:
            is_over = known.limits.is_over(outcome)
            hidden = max(_LEAST_HIDDEN, outcome.matched - outcome.returned) if is_over else 0.0
            listed.splits.learn(condition.values, hidden, is_empty=not outcome.returned)
            if condition not in listed.conditions:
                # A part of a range that was asked for: its records are no further ones.
                return
        _learn_choice(known, listed, condition, outcome, counted)


def _learn_term(
    known: SourceKnowledge,
    box: TypedControl,
    term: str,
    outcome: Outcome,
    counted: PriorTermCounts | None,
) -> None:
    box.asked.add(term)
    box.tries += 1
    box.hits += outcome.returned > 0
    if known.is_whole(outcome) or outcome.is_total_exact:
        box.matched[term] = outcome.matched
    if outcome.is_total_exact and outcome.matched:
        box.with_total.add(term)
    if counted is None:
        return
    if not counted.df:
        known.ratios.first.learn(outcome.fresh, outcome.requests)
    elif is_common(term):
        known.ratios.common.learn(float(outcome.returned > 0), 1.0)
    if counted.df and (outcome.returned or not is_common(term)):
        _learn_sizes(known, box, term, outcome, counted)


def _learn_sizes(
    known: SourceKnowledge, box: TypedControl, term: str, outcome: Outcome, counted: PriorTermCounts
) -> None:
    held = float(box.matching.estimate_known(counted.by_place[None, :], np.array([counted.df]))[0])
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
        _learn_overflow(known, outcome, held)
    elif outcome.returned:
        _learn_part(known, box, term, outcome, (held, counted.records))


def _learn_part(
    known: SourceKnowledge,
    box: TypedControl,
    term: str,
    outcome: Outcome,
    before: tuple[float, int],
) -> None:
    """Learns from an answer that was seen in part, as if that were an even part of it."""
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
    known: SourceKnowledge,
    listed: ListedControl,
    condition: Condition,
    outcome: Outcome,
    counted: PriorTermCounts | None,
) -> None:
    before = known.records - outcome.fresh
    share = known.share_of_rest(listed, before)
    others = float(listed.count_held(listed.asked).sum())
    is_over = known.limits.is_over(outcome)
    is_told = counted is not None and listed.place is not None
    held = float(counted.by_place[listed.place]) if counted and is_told else 0.0
    if condition.share >= 0:
        is_told, held = True, condition.share * before
    size = _estimate_matches(known, outcome, held)
    if is_over and not outcome.is_total_exact:
        size = max(size, _OVERFLOW * outcome.returned)
    is_sized = not is_over or outcome.is_total_exact
    if (
        listed.place is not None
        and is_told
        and before - others >= _FEWEST_REST
        and is_sized
        and not listed.unsized
    ):
        again = held if is_over else float(outcome.returned - outcome.fresh)
        rest, asked = before - others, sum(listed.matches.values())
        known.sizes.learn(rest, size + again * asked / rest, again, rest)
    listed.matches.setdefault(condition.values, size)
    listed.returned += outcome.returned
    if is_over:
        listed.overflowing.add(condition.values)
    if not is_sized:
        listed.unsized.add(condition.values)
        if is_told:
            part = min(1.0, _SURE_OF_FIRST / max(1, outcome.returned))
            again = outcome.returned - outcome.fresh
            listed.learn_part(condition, part * outcome.returned, part * again)
    new = _share_new(held, size) if is_told else max(_LEAST_NEW, 1 - share)
    listed.novelty.learn(outcome.fresh, outcome.returned * new)
    if is_over:
        _learn_overflow(known, outcome, held if is_told else share * size)


def _find_returned(
    known: SourceKnowledge, conditions: list[Condition], outcome: Outcome
) -> Mask | None:
    """Records of the sample that the answer included; None if that is unknown."""
    is_looked_up = outcome.kind not in _NOT_LOOKED_UP
    if not (conditions and is_looked_up and known.is_whole(outcome)):
        return None
    typed = {box.number: box.asked for box in known.boxes}
    if len(conditions) > 1 and any(one.term in typed.get(one.control, ()) for one in conditions):
        # One of the conditions was asked for alone before: its records had to come again.
        return None
    terms = []
    for condition in conditions:
        if condition.control < len(known.boxes):
            box = known.boxes[condition.control]
            counts = searched_places(box.matching.share)
        else:
            place = known.lists[condition.control - len(known.boxes)].place
            if place is None or not condition.term:
                return None
            counts = np.arange(PLACES) == place
        terms.append((condition.term, counts))
    box_number = conditions[0].control
    is_any = box_number < len(known.boxes) and known.boxes[box_number].operator.kind == ANY
    return find_matching(known.holdings, terms, is_any=is_any)


def _learn_joined(known: SourceKnowledge, conditions: list[Condition], outcome: Outcome) -> None:
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
    held, new = _expect_joint(known, members) if members else (0.0, 0.0)
    if box is not None and len(controls) == 1:
        _learn_way(known, box, conditions, outcome, held)
        if box.operator.kind == ANY:
            _learn_union(known, box, conditions, outcome)
            return
    if members:
        _learn_narrower(known, conditions, members, outcome, (held, new))


def _learn_union(
    known: SourceKnowledge, box: TypedControl, conditions: list[Condition], outcome: Outcome
) -> None:
    """Learns whether words asked for together match as many records as expected."""
    before = known.records - outcome.fresh
    counts = [known.before.counts(condition.term, before) for condition in conditions]
    box.asked.update(condition.term for condition in conditions)
    counted = [one for one in counts if one is not None]
    if len(counted) < len(conditions):
        return
    by_place = np.array([one.by_place for one in counted])
    held = box.matching.estimate_known(by_place, np.array([one.df for one in counted]))
    size = float((held + known.ratios.fresh.value * box.sizes.new(held, before)).sum())
    is_told = outcome.total is not None and not outcome.is_left
    if is_told or outcome.is_total_exact or known.is_whole(outcome):
        known.ratios.widening.learn(min(float(outcome.matched), MOST_TIMES * size), size)


def _learn_way(
    known: SourceKnowledge,
    box: TypedControl,
    conditions: list[Condition],
    outcome: Outcome,
    held: float,
) -> None:
    """Learns whether the records that came show all the words, or one of them."""
    if not outcome.matched:
        doubt = ALL if box.operator.kind == ANY else PHRASE
        box.operator.vote(doubt if held >= _TOGETHER or doubt == ALL else UNKNOWN)
        return
    sizes = [box.matched[one.term] for one in conditions if one.term in box.matched]
    is_wider = outcome.is_total_exact and any(outcome.matched > _WIDER * size for size in sizes)
    is_narrower = outcome.is_total_exact and any(_WIDER * outcome.matched < size for size in sizes)
    counts = searched_places(box.matching.share)
    terms = [(condition.term, counts) for condition in conditions]
    is_new = known.holdings.sample.numbers > known.records - outcome.fresh
    with_any = int((find_matching(known.holdings, terms, is_any=True) & is_new).sum())
    with_all = int((find_matching(known.holdings, terms, is_any=False) & is_new).sum())
    if is_wider or (with_any >= _SHOWN and with_all < _FEW_WITH_ALL * with_any):
        box.operator.vote(ANY)
    elif is_narrower or (with_any >= _SHOWN and with_all > _MANY_WITH_ALL * with_any):
        box.operator.vote(ALL)
    else:
        box.operator.vote(UNKNOWN)


def _learn_narrower(
    known: SourceKnowledge,
    conditions: list[Condition],
    members: Members,
    outcome: Outcome,
    expected: tuple[float, float],
) -> None:
    held, new = expected
    if len(members) == 2:
        known.pool.asked[members, members[::-1]] = True
    for parent in known.overflowing:
        if set(parent.conditions) < set(conditions):
            parent.left -= outcome.fresh
    if known.limits.is_over(outcome):
        size = float(outcome.matched)
        if not outcome.is_total_exact:
            size = max(held + new, _OVERFLOW * outcome.returned)
        known.overflowing.append(OverflowingQuery(tuple(conditions), size, size - outcome.returned))
        known.overflowing = known.overflowing[-_MOST_OVERFLOWING:]
        _learn_overflow(known, outcome, min(held, size))
        _learn_partners(known, conditions, outcome, outcome.returned * new / (held + new))
        return
    part = min(1.0, outcome.returned / max(held + new, 1.0)) if outcome.is_left else 1.0
    _learn_partners(known, conditions, outcome, new * part)
    if known.is_whole(outcome):
        _learn_choice_parts(known, conditions, outcome)
        _learn_searched(known, conditions, members, outcome, held)


def _learn_choice_parts(
    known: SourceKnowledge, conditions: list[Condition], outcome: Outcome
) -> None:
    """Learns how much of a choice is held, from a part of it."""
    again = float(outcome.returned - outcome.fresh)
    for condition in conditions:
        if condition.control >= len(known.boxes):
            listed = known.lists[condition.control - len(known.boxes)]
            listed.learn_part(condition, float(outcome.returned), again)


def _learn_partners(
    known: SourceKnowledge, conditions: list[Condition], outcome: Outcome, new: float
) -> None:
    fresh = min(float(outcome.fresh), MOST_TIMES * new)
    for control in {condition.control for condition in conditions}:
        known.ratios.through[control].learn(fresh, new)
    for condition in conditions:
        known.ratios.of_condition(condition).learn(fresh, new)


def _learn_searched(
    known: SourceKnowledge,
    conditions: list[Condition],
    members: Members,
    outcome: Outcome,
    held: float,
) -> None:
    """Learns, for one word beside choices, whether records that show it were found by it."""
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


def _expect_joint(known: SourceKnowledge, members: Members) -> tuple[float, float]:
    """Records held, and new ones, that joined conditions were expected to match."""
    own, before = list(members), max(1, known.pool.records)
    expected = float(np.prod(known.held[own]) / before ** (len(own) - 1))
    held = expected
    if known.pool.is_shown[own].all():
        held = float(known.pool.with_all(members[:-1])[members[-1]])
    chances = known.chances(own)
    unseen = float(known.size[own[0]] - known.held[own[0]])
    independent = unseen * float(np.prod(chances[1:]))
    at = np.ix_(own[:-1], own[-1:])
    shape, lift = float(known.pool.shapes[at].min()), float(known.pool.lifts[at].min())
    return held, independent * (held + shape * lift) / (expected + shape)


def _learn_from_menus(known: SourceKnowledge) -> None:
    sizes = known.sizes
    sizes.guess = max([0.0, *map(_guess_size, known.lists)])
    sizes.reasons = max([0.0, *map(_count_sized, known.lists)])
    sizes.least = max([0.0, *map(_least_size, known.lists)])
    sizes.most = LARGEST
    sizes.most = min([LARGEST, *(_most_size(known, one) for one in known.lists)])


def _least_size(listed: ListedControl) -> float:
    """Records that choices which exclude each other match together."""
    return sum(listed.matches.values()) if listed.novelty.value >= TRUSTED else 0.0


def _most_size(known: SourceKnowledge, listed: ListedControl) -> float:
    """Records of a menu all of whose choices were asked for, and records without its choices."""
    if listed.unasked or listed.place is None or listed.novelty.value < TRUSTED:
        return LARGEST
    inside = sum(listed.sizes(known.database).values())
    held = float(listed.count_held(listed.asked).sum())
    return inside * max(1.0, known.records / max(1.0, held))


def _count_sized(listed: ListedControl) -> float:
    """Choices that exclude each other and whose size is known, less those whose size is not: these
    are large ones, and count double."""
    sized = len(listed.matches) - 2 * len(listed.unsized)
    return max(0.0, float(sized - 1)) if listed.novelty.value >= TRUSTED else 0.0


def _guess_size(listed: ListedControl) -> float:
    """Size of the database by the choices asked for so far."""
    total = sum(listed.matches.values())
    if not listed.matches or listed.novelty.value < TRUSTED:
        return total
    return total * max(1.0, len(listed.conditions) / len(listed.matches))


def _learn_overflow(known: SourceKnowledge, outcome: Outcome, held: float) -> None:
    cap = float(known.limits.cap or outcome.returned)
    size = max(_estimate_matches(known, outcome, held), _OVERFLOW * cap)
    if outcome.is_total_exact:
        size = float(outcome.matched)
    known.bias.learn(size / cap, outcome.fresh, outcome.returned * _share_new(held, size))


def _estimate_matches(known: SourceKnowledge, outcome: Outcome, held: float) -> float:
    """Records that match a query, `held` of them held before it."""
    before = max(1, known.records - outcome.fresh)
    if outcome.is_total_exact:
        return float(outcome.matched)
    return max(known.limits.count_matches(outcome), held * known.sizes.database(before) / before)


def _share_new(held: float, size: float) -> float:
    return max(_LEAST_NEW, 1 - held / max(size, 1.0))
