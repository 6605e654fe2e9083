"""All that was learned about one source, and what follows from it for any query."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.harvest import Outcome, Query
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface, Menu, Span, SurveyedAnswer
from leadline.harvester.match_rates import TermSnapshot
from leadline.harvester.policies.answer_limits import AnswerLimits
from leadline.harvester.policies.base import query_of
from leadline.harvester.policies.yield_per_cost.controls import (
    ALL,
    Condition,
    ListedControl,
    TypedControl,
)
from leadline.harvester.policies.yield_per_cost.estimates import (
    CaptureCounts,
    LearnedRatio,
    Mask,
    OverflowBias,
    RecentYield,
    ShownLimit,
    SizeEstimate,
    searched_places,
)
from leadline.harvester.terms import COMMON, PLACES, VALUE

Columns = NDArray[np.float32]
Floats = NDArray[np.float64]
Members = tuple[int, ...]

Rows = NDArray[np.int64]

_MOST_ROWS = 8_000
"""Records that are compared: a count of two hundred among them is off by a fourteenth."""
_SAMPLE_GROWTH = 1.1
"""Growth of the holdings after which an even part of a larger sample is taken again."""
_FEWEST_PAIRS = 20
"""Pairs of one group before a lift of its own is estimated."""
_SPREAD, _NARROW, _WIDE = 2.0, 0.1, 5.0
"""Shapes: if little is known, at least and at most. Even if most conditions are independent some
exclude each other, and what was never seen together is not expected to be."""
_MOST_LIFT = 2.0


class PoolMember(Struct, frozen=True):
    """A condition, and how records show that they fulfil it."""

    condition: Condition
    row: int = -1
    """Row of its term; -1 if records do not show it."""
    counts: Mask | None = None
    """Places in which the term counts."""
    place: int = -1
    """The place where the term stands most."""


class ConditionPool:
    """Conditions that may be joined: which records of the sample fulfil them, and how many fulfil
    each two of them.

    Records that come are added by `update`. Members change by `set_members` only.
    """

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self.set_members([])

    def set_members(self, members: Sequence[PoolMember]) -> None:
        self.members = list(members)
        self.numbers = {member.condition: number for number, member in enumerate(members)}
        self.is_shown = np.array([member.row >= 0 for member in members], np.bool_)
        self.control = np.array([member.condition.control for member in members], np.int64)
        self.asked = np.zeros((len(members), len(members)), np.bool_)
        """Pairs that were asked for."""
        self._epoch = self._holdings.terms.epoch
        self._read = 0
        self.records = 0
        """Records held at the last update."""
        self._scale = 1.0
        """Records held for each one that is compared."""
        self._columns: Columns = np.zeros((0, len(members)), np.float32)
        self._sums = np.zeros((len(members), len(members)), np.float32)
        self.update()
        self.lifts, self.shapes = self._measure_lifts()
        """What is expected of each two before they are counted: how much more often than by chance
        they are fulfilled together, and how sure that is (the shape of a gamma distribution).
        Values of one field exclude each other, words of one text do not."""

    def __len__(self) -> int:
        return len(self.members)

    @property
    def is_stale(self) -> bool:
        """Whether terms were renumbered since."""
        return self._epoch != self._holdings.terms.epoch

    @property
    def together(self) -> Floats:
        """Records held that fulfil each two conditions; on the diagonal, those that fulfil one."""
        return self._sums.astype(float) * self._scale

    def with_all(self, members: Members) -> Floats:
        """For each member, the records held that fulfil it and all of these conditions."""
        # Few records fulfil several conditions: summing those is quicker than a product with all.
        chosen = np.flatnonzero(self._columns[:, members].all(axis=1))
        found: Floats = self._columns[chosen].sum(axis=0).astype(float) * self._scale
        return found

    def update(self) -> None:
        """Takes in the records that came since."""
        if not self.members or self.is_stale:
            return
        sample, held = self._holdings.sample, len(self._holdings)
        if len(sample) <= _MOST_ROWS:
            more = self._make_columns(sample.codes[self._read :])
            self._read = len(sample)
            self._columns = np.concatenate((self._columns, more))
            self._sums += more.T @ more
        elif not self._read or held > _SAMPLE_GROWTH * self._read:
            step = -(-len(sample) // _MOST_ROWS)
            self._read = held
            self._columns = self._make_columns(sample.codes[::step])
            self._sums = self._columns.T @ self._columns
        self.records = held
        self._scale = held / max(1, len(self._columns))

    def _make_columns(self, codes: NDArray[np.int32]) -> Columns:
        made = np.zeros((len(codes), len(self.members)), np.float32)
        rows, places = codes // PLACES, codes % PLACES
        for control in np.unique(self.control[self.is_shown]).tolist():
            own = np.flatnonzero((self.control == control) & self.is_shown)
            # The last cell stands for "no term".
            column = np.full(len(self._holdings.terms) + 1, -1, np.int32)
            column[[self.members[number].row for number in own]] = own
            counts = self.members[own[0]].counts
            found = (
                np.where(counts[places], column[rows], -1) if counts is not None else column[rows]
            )
            record, slot = np.nonzero(found >= 0)
            made[record, found[record, slot]] = 1
        return made

    def _measure_lifts(self) -> tuple[Floats, Floats]:
        """Lifts and shapes of each two, by the places that both are about."""
        counts = self._sums.astype(float)
        alone = np.diag(counts)
        expected = alone[:, None] * alone[None, :] / max(1, len(self._columns))
        places = np.array([member.place for member in self.members])
        is_same = places[:, None] == places[None, :]
        is_counted = (expected > 0) & ~np.eye(len(counts), dtype=bool)
        lifts, shapes = np.ones(counts.shape), np.full(counts.shape, _SPREAD)
        groups = [is_same & (places == place)[:, None] for place in np.unique(places)]
        for group in (~is_same, *groups):
            chosen = group & is_counted
            if chosen.sum() >= _FEWEST_PAIRS:
                lifts[group] = _estimate_lift(counts[chosen], expected[chosen])
                shapes[group] = _estimate_shape(counts[chosen], lifts[group][0] * expected[chosen])
        return lifts, shapes


def _estimate_lift(counts: Floats, expected: Floats) -> float:
    """How much more often than by chance conditions of a group are fulfilled together."""
    return min(_MOST_LIFT, float(counts.sum() + _SPREAD) / float(expected.sum() + _SPREAD))


def _estimate_shape(counts: Floats, expected: Floats) -> float:
    """Shape of the gamma distribution of lifts in a group, by the method of moments."""
    excess = float(np.square(counts - expected).sum() - expected.sum())
    total = float(np.square(expected).sum())
    return min(_WIDE, max(_NARROW, (total + _SPREAD) / (max(excess, 0.0) + 1.0)))


FIRST_GUESS = 1_000.0
"""Size of a database of which nothing is known."""
_PSEUDO = 1.0
"""Records that are spread evenly over the choices, beside those that show theirs."""
_LEAST = 1e-3
"""New records of any condition, at least: nothing is ruled out."""
_LEAST_UNSEEN = 0.05
"""Share of the records held that may always be missing."""
MOST_TIMES = 3.0
"""Times what was expected that one outcome may count: sizes have long tails."""
_LIKE_OTHERS = 0.5
"""Of the mean size of the choices asked for, what the others have at least: large ones come first.
"""
_LEAST_LEFT = 0.02
"""Of the database that choices not asked for have together, at least."""
_FEW_PAGES = 20
"""Pages below which a limit ends every answer soon."""
_SURE_PAGES = 10
"""Pages that most sources show of an answer, if no longer one was seen yet."""
_LONGER = 2.0
"""Times the longest answer so far at which a limit may lie that was not met yet."""
_WHOLE = 0.9
"""Share of an exact total that must have been shown for an answer to count as whole."""


class OverflowingQuery(Struct):
    """A query of several conditions that showed less than it matched."""

    conditions: tuple[Condition, ...]
    size: float
    left: float
    """Of its records those that were not shown, by it or by narrower queries."""


class JointPrior(Struct, frozen=True, eq=False):
    """What is expected of joined conditions before counting; see `ConditionPool.lifts`."""

    lifts: Floats
    shapes: Floats
    worth: Floats
    """New records of queries through these controls, by those expected."""


class SourceRatios:
    """What a source returned by what was expected of it."""

    def __init__(self, controls: int) -> None:
        self.pace = RecentYield()
        self.cost = LearnedRatio(4.0, 0.98)
        """Requests for each page."""
        self.fresh = LearnedRatio(100.0, 0.95)
        """New records of terms."""
        self.first = LearnedRatio(1.0, 0.9, 5.0)
        """New records for each request with a word that no record had."""
        self.common = LearnedRatio(2.0, 0.9, 0.9)
        """Share of the short words of every text that the source searches for."""
        self.widening = LearnedRatio(200.0, 0.9)
        """Records that match any of several words."""
        self.through = [LearnedRatio(100.0, 0.95) for _ in range(controls)]
        """New records of joined conditions, by control."""
        self.conditions: dict[Condition, LearnedRatio] = {}
        """The same by condition: one that is used up brings little with any other."""

    def of_condition(self, condition: Condition) -> LearnedRatio:
        return self.conditions.setdefault(condition, LearnedRatio(10.0, 0.95))


class SourceKnowledge:
    """What one source taught. Made from interface and holdings; changes by
    `learning.learn_outcome` only."""

    def __init__(self, interface: Interface, holdings: Holdings) -> None:
        self.interface = interface
        self.holdings = holdings
        self.sizes = SizeEstimate()
        self.boxes = [TypedControl(n, box, self.sizes) for n, box in enumerate(interface.boxes)]
        lists: list[Menu | Span] = [*interface.menus, *interface.spans]
        self.lists = [
            ListedControl(n, one, holdings) for n, one in enumerate(lists, len(self.boxes))
        ]
        self.limits = AnswerLimits()
        self.bias = OverflowBias()
        self.ratios = SourceRatios(len(self.boxes) + len(self.lists))
        self.captures = CaptureCounts(holdings)
        self.before = TermSnapshot(holdings)
        self.pool = ConditionPool(holdings)
        self.held: Floats = np.zeros(0)
        """Records held that fulfil each condition of the pool."""
        self.size: Floats = np.zeros(0)
        """All records that fulfil them."""
        self.pairs: set[frozenset[Condition]] = set()
        """Conditions that were asked for together."""
        self.used_up: set[Condition] = set()
        """Conditions asked for alone and seen whole: they bring nothing new with others."""
        self.overflowing: list[OverflowingQuery] = []
        self.asked: set[Query] = set()
        for answer in interface.surveyed:
            self._take_surveyed(answer)

    def _take_surveyed(self, answer: SurveyedAnswer) -> None:
        """A word that the survey asked for and saw whole brings nothing more, however written."""
        self.limits.learn_page(answer.shown, has_more=answer.has_more)
        for box in self.boxes:
            if not answer.has_more and [name for name, _ in answer.values] == [box.box.name]:
                box.asked.add(answer.values[0][1].lower())

    @property
    def records(self) -> int:
        return len(self.holdings)

    @property
    def database(self) -> float:
        return self.sizes.database(self.records)

    @property
    def share(self) -> float:
        """Share of the database that is held."""
        return min(1.0, self.records / self.database)

    @property
    def unseen(self) -> float:
        return max(1.0, self.database - self.records, _LEAST_UNSEEN * self.records)

    @property
    def limit(self) -> ShownLimit:
        cap = float(self.limits.cap or np.inf)
        cost = max(1.0, self.ratios.cost.value)
        return ShownLimit(cap, self.limits.page_size, cost, self.bias, self.limits.shuffles)

    @property
    def cautious_limit(self) -> ShownLimit:
        """The same, with a limit assumed if none was met: some way beyond the longest answer."""
        limit = self.limit
        feared = max(_SURE_PAGES * limit.page, _LONGER * self.limits.longest)
        return limit if np.isfinite(limit.cap) else structs.replace(limit, cap=feared)

    @property
    def is_short(self) -> bool:
        """Whether a limit ends every answer soon. If the same records come first in all answers,
        first pages are known and last ones are not: so few pages do not show that."""
        limit = self.limit
        return limit.cap <= _FEW_PAGES * limit.page and not limit.is_shuffled

    def update_places(self) -> None:
        """Learns from the records held which place each control is about; idempotent."""
        for box in self.boxes:
            box.update_places(self.holdings.places)
        for listed in self.lists:
            listed.find_place()

    def query(self, values: dict[str, str]) -> Query:
        return query_of(self.interface, values)

    def is_whole(self, outcome: Outcome) -> bool:
        """Whether all matches were seen."""
        if outcome.is_left or self.limits.is_over(outcome) or self.limits.is_shuffled(outcome):
            return False
        return not outcome.is_total_exact or outcome.returned >= _WHOLE * outcome.matched

    def term_sizes(self, box: TypedControl, rows: Rows) -> tuple[Floats, Floats]:
        """Records that match these terms in a box: those held, and new ones."""
        terms = self.holdings.terms
        held = box.matching.estimate_known(terms.df_by_place[rows], terms.df[rows])
        return held, self.new_of(box, held, rows, self.records) * self.ratios.fresh.value

    def new_of(self, box: TypedControl, held: Floats, rows: Rows, records: int) -> Floats:
        """New records of terms when `records` were held. The mean over terms counts unless answers
        end soon: a few terms that match far more than the others then pay for many tries, because
        poor answers can be left early and rich ones read to the end."""
        new = box.sizes.new(held, records, is_mean=not self.is_short)
        return new * self.captures.factor(rows)

    def choice_sizes(
        self, listed: ListedControl, conditions: list[Condition]
    ) -> tuple[Floats, Floats]:
        """The same for conditions of a menu or a range that were not asked for alone.

        Choices exclude each other: records held through others say nothing about these. So their
        shares are taken among the records that show none of the choices asked for, and are shares
        of the rest of the database.
        """
        held = listed.count_held(conditions)
        count = max(1, len(conditions))
        if not self.records or not any(map(listed.is_shown, conditions)):
            # Records do not show the choices: each is taken to be as large as those asked for.
            known = list(listed.sizes(self.database).values())
            whole = self.database if self.records else FIRST_GUESS
            size = np.full(count, float(np.mean(known)) if known else whole / max(2, count))
            new = np.minimum(size, size * (1 - self.share_of_rest(listed)) * listed.novelty.value)
            return size - new, np.maximum(new, _LEAST)
        rest = max(0.0, self.records - float(listed.count_held(listed.asked).sum()))
        database = self.database
        asked = list(listed.sizes(database).values())
        # What the choices asked for leave of an estimated size may be next to nothing by mistake.
        like_others = _LIKE_OTHERS * count * float(np.mean(asked)) if asked else 0.0
        left = max(database - sum(asked), like_others, _LEAST_LEFT * database)
        size = np.maximum(left * (held + _PSEUDO / count) / (rest + _PSEUDO), held)
        return held, np.maximum((size - held) * min(1.0, listed.novelty.value), _LEAST)

    def share_of_rest(self, listed: ListedControl, records: int | None = None) -> float:
        """Of the records that fulfil none of the choices asked for, those that are held."""
        held = self.records if records is None else records
        database = self.sizes.database(max(1, held))
        left = database - sum(listed.sizes(database).values())
        rest = max(0.0, held - listed.returned)
        return min(1.0, rest / max(left, _LEAST_LEFT * database))

    def size_members(self) -> None:
        """Brings `held` and `size` up to date."""
        held = np.diag(self.pool.together).copy()
        size = held.copy()
        for box in self.boxes:
            self._size_words(box, held, size)
        for listed in self.lists:
            self._size_choices(listed, held, size)
        self.held, self.size = held, np.maximum(size, held + _LEAST)

    def expect_joint(
        self, held: Floats, expected: Floats, unseen: Floats, prior: JointPrior
    ) -> Floats:
        """New records of joined conditions: `unseen` if they were independent, more if the records
        held fulfil them together more often than `expected`."""
        sure = prior.shapes
        lift = (held + sure * prior.lifts) / (expected + sure)
        return unseen * lift * prior.worth

    def prior(self, members: Members) -> JointPrior:
        """What is known about joining these members with each member of the pool."""
        own, pool = list(members), self.pool
        worth = np.minimum(self.partner_worth[own].min(), self.partner_worth)
        return JointPrior(pool.lifts[own].min(axis=0), pool.shapes[own].min(axis=0), worth)

    def can_join(self) -> NDArray[np.bool_]:
        """Which two conditions of the pool narrow each other."""
        control = self.pool.control
        allowed: NDArray[np.bool_] = control[:, None] != control[None, :]
        for box in self.boxes:
            if box.operator.kind == ALL:
                own = control == box.number
                allowed |= own[:, None] & own[None, :]
        np.fill_diagonal(allowed, val=False)
        is_left = np.array([one.condition not in self.used_up for one in self.pool.members])
        allowed &= is_left[:, None] & is_left[None, :]
        return allowed

    @property
    def partner_worth(self) -> Floats:
        """How well each condition of the pool, and its control, served in joined queries."""
        known = self.ratios.conditions
        own = (known.get(member.condition) for member in self.pool.members)
        worth = np.array([ratio.value for ratio in self.ratios.through])
        single = np.array([1.0 if ratio is None else ratio.value for ratio in own])
        found: Floats = worth[self.pool.control] * single if len(self.pool) else np.zeros(0)
        return found

    def chances(self, members: slice | list[int]) -> Floats:
        """How likely a record that is not held fulfils each condition: at most twice as likely as
        any record, because estimates of what is left may be far too small."""
        unseen = (self.size[members] - self.held[members]) / self.unseen
        return np.minimum(unseen, 2 * self.size[members] / self.database)

    def values_of(self, conditions: Iterable[Condition]) -> dict[str, str]:
        """Values of joined conditions: the words of one box in alphabetical order, so that one set
        of words is one query."""
        words: dict[str, list[str]] = {}
        for condition in conditions:
            for name, value in condition.values:
                words.setdefault(name, []).append(value)
        return {name: " ".join(sorted(row)) for name, row in words.items()}

    def members_of(self, conditions: Iterable[Condition]) -> Members | None:
        """Their numbers in the pool; None if one is missing."""
        found = [self.pool.numbers.get(condition) for condition in conditions]
        return tuple(one for one in found if one is not None) if None not in found else None

    def _size_words(self, box: TypedControl, held: Floats, size: Floats) -> None:
        own = np.flatnonzero(self.pool.control == box.number)
        if not len(own):
            return
        rows = np.array([self.pool.members[number].row for number in own], np.int64)
        # What two terms have in common is estimated from both: half of the factor for each.
        new = box.sizes.new(held[own], self.records) * np.sqrt(self.captures.factor(rows))
        size[own] = held[own] + np.minimum(new, self.unseen)
        for number in own.tolist():
            known = box.matched.get(self.pool.members[number].condition.term)
            size[number] = size[number] if known is None else known

    def _size_choices(self, listed: ListedControl, held: Floats, size: Floats) -> None:
        own = np.flatnonzero(self.pool.control == listed.number).tolist()
        if not own:
            return
        members = {self.pool.members[number].condition: number for number in own}
        waiting = [one for one in members if one.values not in listed.matches]
        if waiting:
            known, new = self.choice_sizes(listed, waiting)
            for one, same, more in zip(waiting, known, new, strict=True):
                held[members[one]], size[members[one]] = same, same + more
        sizes = listed.sizes(self.database)
        for one, number in members.items():
            done = sizes.get(one.values)
            if done is not None:
                size[number] = done
                held[number] = held[number] if listed.is_shown(one) else done * self.share


_FEWEST_HELD = 2
"""Records held that a word must stand in to be joined."""
_MOST_SHARE = 0.9
"""Of the records that may have a word: a word of all of them narrows nothing."""
_COMMON_SEARCHED = 0.5
"""Share of the short words of every text that must be searched for any of them to be joined."""
_MOST_CHOICES = 100
"""Of one menu."""


def choose_members(known: SourceKnowledge, most: int) -> Iterator[PoolMember]:
    """Conditions that may be joined: frequent words of boxes and choices of menus and ranges, at
    most half of them words if there are choices too."""
    boxes = [box for box in known.boxes if box.is_proven]
    chosen = [list(_choice_members(known, listed))[:_MOST_CHOICES] for listed in known.lists]
    room = most // 2 if boxes else most
    for row in chosen:
        yield from row[:room]
        room = max(0, room - len(row))
    room = most - min(most // 2, sum(map(len, chosen)))
    for box in boxes:
        yield from _word_members(known, box, room // len(boxes))


def _word_members(known: SourceKnowledge, box: TypedControl, most: int) -> Iterator[PoolMember]:
    terms = known.holdings.terms
    counts = searched_places(box.matching.share)
    held = np.minimum((terms.df_by_place * counts).sum(axis=1), terms.df)
    is_fit = (terms.shape < VALUE) & (terms.length >= known.interface.min_length)
    is_fit &= (held >= _FEWEST_HELD) & (held <= _MOST_SHARE * known.records)
    if known.ratios.common.value < _COMMON_SEARCHED:
        is_fit &= terms.shape & COMMON == 0
    rows = np.flatnonzero(is_fit)
    rows = rows[np.lexsort((rows, -held[rows]))[:most]]
    for row in rows.tolist():
        condition = box.condition(terms.written[row])
        if box.matched.get(condition.term) != 0:
            place = int(np.argmax(terms.df_by_place[row] * counts))
            yield PoolMember(condition, row, counts, place)


def _choice_members(known: SourceKnowledge, listed: ListedControl) -> Iterator[PoolMember]:
    numbers = known.holdings.terms.numbers
    for condition in listed.conditions:
        if listed.matches.get(condition.values) == 0 or condition.share > _MOST_SHARE:
            continue
        row = numbers.get(condition.term, -1) if listed.place is not None else -1
        if row < 0:
            yield PoolMember(condition)
        else:
            counts = np.arange(PLACES) == listed.place
            yield PoolMember(condition, row, counts, listed.place or 0)
