"""All that was learned of one source, and what follows from it for any query."""

from collections.abc import Iterable

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.harvest import Outcome, Query
from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface, Menu, Span
from leadline.harvester.matching import Before
from leadline.harvester.policies.base import query_of
from leadline.harvester.policies.limits import Limits
from leadline.harvester.policies.yield_per_cost.captures import Captures
from leadline.harvester.policies.yield_per_cost.controls import Condition, Listed, Typed
from leadline.harvester.policies.yield_per_cost.joining import ALL
from leadline.harvester.policies.yield_per_cost.pool import Members, Pool
from leadline.harvester.policies.yield_per_cost.ratio import Pace, Ratio
from leadline.harvester.policies.yield_per_cost.returns import Bias, Limit
from leadline.harvester.policies.yield_per_cost.sizes import Sizes

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

FIRST_GUESS = 1_000.0
"""Records of a database nothing is known of."""
_PSEUDO = 1.0
"""Records of no choice in particular, beside those that show theirs."""
_LEAST = 1e-3
_LEAST_UNSEEN = 0.05
"""Of the records held, so many more there may always be."""
MOST_TIMES = 3.0
"""What was expected by which one outcome may count: sizes have long tails."""
_LIKE_OTHERS = 0.5
"""Of the mean size of the choices asked for, what the others have at least: large ones come first.
"""
_FEW_PAGES = 20
_SURE_PAGES = 10
"""Pages that most sources show of an answer, if no longer one was seen yet."""
_LONGER = 2.0
"""Times the longest answer that was seen, that others may have without an end being met."""


class Parent(Struct):
    """A query of several conditions that showed less than it matched."""

    conditions: tuple[Condition, ...]
    size: float
    left: float
    """Of its records those that were not shown, by it or by narrower queries."""


class Prior(Struct, frozen=True, eq=False):
    """Of joined conditions, see `Pool.lifts`."""

    lifts: Floats
    shapes: Floats
    worth: Floats
    """New records that queries through these controls brought beside those expected."""


class Ratios:
    """What came beside what was expected."""

    def __init__(self, controls: int) -> None:
        self.pace = Pace()
        self.cost = Ratio(4.0, 0.98)
        """Requests for each page."""
        self.fresh = Ratio(100.0, 0.95)
        """New records of terms."""
        self.first = Ratio(1.0, 0.9, 5.0)
        """New records for each request with a word that no record had."""
        self.common = Ratio(2.0, 0.9, 0.9)
        """Of short words that every text has, those that are searched."""
        self.widening = Ratio(200.0, 0.9)
        """Records that several words match of which any will do."""
        self.through = [Ratio(100.0, 0.95) for _ in range(controls)]
        """New records of joined conditions, by control."""
        self.conditions: dict[Condition, Ratio] = {}
        """The same by condition: one that is used up brings little with any other."""

    def of_condition(self, condition: Condition) -> Ratio:
        return self.conditions.setdefault(condition, Ratio(10.0, 0.95))


class Knowledge:
    """Made from settings, interface and holdings; changes by `learning.learn` only."""

    def __init__(self, interface: Interface, holdings: Holdings) -> None:
        self.interface = interface
        self.holdings = holdings
        self.sizes = Sizes()
        self.boxes = [Typed(n, box, self.sizes) for n, box in enumerate(interface.boxes)]
        lists: list[Menu | Span] = [*interface.menus, *interface.spans]
        self.lists = [Listed(n, one, holdings) for n, one in enumerate(lists, len(self.boxes))]
        self.limits = Limits()
        self.bias = Bias()
        self.ratios = Ratios(len(self.boxes) + len(self.lists))
        self.captures = Captures(holdings)
        self.before = Before(holdings)
        self.pool = Pool(holdings)
        self.held: Floats = np.zeros(0)
        """Records held that fulfil each condition of the pool."""
        self.size: Floats = np.zeros(0)
        """All records that fulfil them."""
        self.pairs: set[frozenset[Condition]] = set()
        """Joined and asked for."""
        self.used_up: set[Condition] = set()
        """Asked for alone and seen whole: nothing new comes with them and others."""
        self.parents: list[Parent] = []
        self.asked: set[Query] = set()

    @property
    def records(self) -> int:
        return len(self.holdings)

    @property
    def database(self) -> float:
        return self.sizes.database(self.records)

    @property
    def share(self) -> float:
        """Of the database that is held."""
        return min(1.0, self.records / self.database)

    @property
    def unseen(self) -> float:
        return max(1.0, self.database - self.records, _LEAST_UNSEEN * self.records)

    @property
    def limit(self) -> Limit:
        cap = float(self.limits.cap or np.inf)
        cost = max(1.0, self.ratios.cost.value)
        return Limit(cap, self.limits.page_size, cost, self.bias, self.limits.shuffles)

    @property
    def cautious_limit(self) -> Limit:
        """The same, with an end to be feared where none was met: some way beyond the longest answer
        that was seen."""
        limit = self.limit
        feared = max(_SURE_PAGES * limit.page, _LONGER * self.limits.longest)
        return limit if np.isfinite(limit.cap) else structs.replace(limit, cap=feared)

    @property
    def is_short(self) -> bool:
        """Whether a limit ends every answer soon. Where the same records come first in all of them,
        first pages are known and the last ones are not: too few pages to find out."""
        limit = self.limit
        return limit.cap <= _FEW_PAGES * limit.page and not limit.is_shuffled

    def look_at_places(self) -> None:
        """Take notice of what records show where; says the same however often it is asked."""
        for box in self.boxes:
            box.look_at(self.holdings.places)
        for listed in self.lists:
            listed.look_at()

    def query(self, values: dict[str, str]) -> Query:
        return query_of(self.interface, values)

    def is_whole(self, outcome: Outcome) -> bool:
        """Whether all that matches was seen."""
        if outcome.is_left or self.limits.is_over(outcome) or self.limits.is_shuffled(outcome):
            return False
        return not outcome.is_total_exact or outcome.returned >= 0.9 * outcome.matched

    def term_sizes(self, box: Typed, rows: Rows) -> tuple[Floats, Floats]:
        """Records that match these terms in a box: those held, and new ones."""
        terms = self.holdings.terms
        held = box.matching.held(terms.df_by_place[rows], terms.df[rows])
        return held, self.new_of(box, held, rows, self.records) * self.ratios.fresh.value

    def new_of(self, box: Typed, held: Floats, rows: Rows, records: int) -> Floats:
        """New records of terms when `records` were held. A few terms that match far more than the
        others are worth a try of many where the others can be left, and their answers have no
        early end."""
        new = box.sizes.new(held, records, is_mean=not self.is_short)
        return new * self.captures.factor(rows)

    def choice_sizes(self, listed: Listed, conditions: list[Condition]) -> tuple[Floats, Floats]:
        """The same for conditions of a menu or a range that were not asked for alone.

        Choices exclude each other: what is held through others says nothing of these. So their
        shares are those among the records that show none of the choices asked for, and what they
        are shares of is the rest of the database.
        """
        held = listed.held(conditions)
        count = max(1, len(conditions))
        if not self.records or not any(map(listed.is_told, conditions)):
            return self._untold(listed, count)
        rest = max(0.0, self.records - float(listed.held(listed.closed).sum()))
        database = self.database
        asked = list(listed.sizes(database).values())
        # What is left of an estimate may be next to nothing by mistake, of a mean it is not.
        like_others = _LIKE_OTHERS * count * float(np.mean(asked)) if asked else 0.0
        left = max(database - sum(asked), like_others, 0.02 * database)
        size = np.maximum(left * (held + _PSEUDO / count) / (rest + _PSEUDO), held)
        return held, np.maximum((size - held) * min(1.0, listed.novelty.value), _LEAST)

    def _untold(self, listed: Listed, count: int) -> tuple[Floats, Floats]:
        known = list(listed.sizes(self.database).values())
        whole = self.database if self.records else FIRST_GUESS
        size = np.full(count, float(np.mean(known)) if known else whole / max(2, count))
        new = np.minimum(size, size * (1 - self.share_of_rest(listed)) * listed.novelty.value)
        return size - new, np.maximum(new, _LEAST)

    def share_of_rest(self, listed: Listed, records: int | None = None) -> float:
        """Of the records that fulfil none of the choices asked for, those that are held."""
        held = self.records if records is None else records
        database = self.sizes.database(max(1, held))
        left = database - sum(listed.sizes(database).values())
        rest = max(0.0, held - listed.brought)
        return min(1.0, rest / max(left, 0.02 * database))

    def size_members(self) -> None:
        """Bring `held` and `size` up to date."""
        held = np.diag(self.pool.together).copy()
        size = held.copy()
        for box in self.boxes:
            self._size_words(box, held, size)
        for listed in self.lists:
            self._size_choices(listed, held, size)
        self.held, self.size = held, np.maximum(size, held + _LEAST)

    def joint(self, held: Floats, expected: Floats, unseen: Floats, prior: Prior) -> Floats:
        """New records of joined conditions: `unseen` ones if they were independent, more where the
        records held fulfil them together more often than `expected`."""
        sure = prior.shapes
        lift = (held + sure * prior.lifts) / (expected + sure)
        return unseen * lift * prior.worth

    def prior(self, members: Members) -> Prior:
        """What is known of joining conditions of the pool with each other one, before counting."""
        own, pool = list(members), self.pool
        worth = np.minimum(self.partners[own].min(), self.partners)
        return Prior(pool.lifts[own].min(axis=0), pool.shapes[own].min(axis=0), worth)

    def can_join(self) -> NDArray[np.bool_]:
        """Which two conditions of the pool narrow each other."""
        control = self.pool.control
        allowed: NDArray[np.bool_] = control[:, None] != control[None, :]
        for box in self.boxes:
            if box.joining.way == ALL:
                own = control == box.number
                allowed |= own[:, None] & own[None, :]
        np.fill_diagonal(allowed, val=False)
        is_left = np.array([one.condition not in self.used_up for one in self.pool.members])
        allowed &= is_left[:, None] & is_left[None, :]
        return allowed

    @property
    def partners(self) -> Floats:
        """Of each condition of the pool how well its control served in joined queries."""
        known = self.ratios.conditions
        own = (known.get(member.condition) for member in self.pool.members)
        worth = np.array([ratio.value for ratio in self.ratios.through])
        single = np.array([1.0 if ratio is None else ratio.value for ratio in own])
        found: Floats = worth[self.pool.control] * single if len(self.pool) else np.zeros(0)
        return found

    def chances(self, members: slice | list[int]) -> Floats:
        """How likely a record that is not held fulfils each condition: no more than twice as likely
        as any record, whatever is left of the database."""
        unseen = (self.size[members] - self.held[members]) / self.unseen
        return np.minimum(unseen, 2 * self.size[members] / self.database)

    def values_of(self, conditions: Iterable[Condition]) -> dict[str, str]:
        """How joined conditions are filled in: words of one box beside each other, in the order of
        the alphabet."""
        words: dict[str, list[str]] = {}
        for condition in conditions:
            for name, value in condition.values:
                words.setdefault(name, []).append(value)
        return {name: " ".join(sorted(row)) for name, row in words.items()}

    def members_of(self, conditions: Iterable[Condition]) -> Members | None:
        """Their numbers in the pool; None when one is missing."""
        found = [self.pool.numbers.get(condition) for condition in conditions]
        return tuple(one for one in found if one is not None) if None not in found else None

    def _size_words(self, box: Typed, held: Floats, size: Floats) -> None:
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

    def _size_choices(self, listed: Listed, held: Floats, size: Floats) -> None:
        own = np.flatnonzero(self.pool.control == listed.number).tolist()
        if not own:
            return
        members = {self.pool.members[number].condition: number for number in own}
        waiting = [one for one in members if one.values not in listed.done]
        if waiting:
            known, new = self.choice_sizes(listed, waiting)
            for one, kept, more in zip(waiting, known, new, strict=True):
                held[members[one]], size[members[one]] = kept, kept + more
        sizes = listed.sizes(self.database)
        for one, number in members.items():
            done = sizes.get(one.values)
            if done is not None:
                size[number] = done
                held[number] = held[number] if listed.is_told(one) else done * self.share
