"""The controls of a form, each with what was learned by asking through it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Menu, Span
from leadline.harvester.match_rates import MatchRates
from leadline.harvester.policies.yield_per_cost.estimates import LearnedRatio, SizeEstimate
from leadline.harvester.policies.yield_per_cost.range_splits import RangeSplits
from leadline.harvester.terms import PLACES, Amount, amount_of, words_of

Floats = NDArray[np.float64]
Values = tuple[tuple[str, str], ...]
"""Names of controls and what they are filled with, in the order of the names."""

UNKNOWN, ALL, ANY, PHRASE = "unknown", "all", "any", "row"
"""What several words in one box ask for."""
_VOTE_FADING = 0.9
_SURE_OF_PHRASE = 1.5
"""Votes needed for PHRASE: two words of one record may stand far apart by chance, so one query
without matches does not prove that a box looks for phrases."""
_NAMED, _OTHER, _UNNAMED = 0.9, 0.05, 0.4
"""How likely a record that shows a term is returned, before anything was learned: from the place
that is called like the box; from other places then; from any place if none is called so."""
_STRENGTH = 2.0
"""Records that these three count for beside what is learned."""
_ANYTHING = ("", "keyword", "text", "other")
"""Meanings of boxes that search more than one attribute."""
_PROVEN = 2
_LEARNED = 3
"""Queries with records, and queries at all, after which it is known which words a box takes."""
_BOTTOM = {"date": "1900-01-01", "year": "1000"}
"""The lower end of a range that leaves nothing out; 0 for other amounts."""
_STEPS = 16
"""Parts that a typed range is cut into: with two such ranges enough for any limit."""
_ALL_AMOUNTS = 0.8
"""Share of a place's cells that must be amounts before a range is cut by them."""
_PART_FADING = 0.8
"""Weight of what came with a part of a choice when the next part is asked for."""
_LIKELY_WEIGHT = 20.0
"""Records of parts that the likely size of a choice counts for."""
_LEAST_SHARE = 0.05
"""Of a choice that is taken to be held: parts may happen to bring new records only."""
TRUSTED = 0.7
"""Novelty from which on the choices of a menu are taken to exclude each other."""
_COVERED = 0.3
"""Share of the records that must show one of a menu's choices in the place it is about."""


class WordOperator:
    """How one box combines several words. Each query of several words votes for one kind."""

    def __init__(self) -> None:
        self._votes = {ALL: 0.0, ANY: 0.0, PHRASE: 0.0}
        self.tests = 0

    @property
    def kind(self) -> str:
        best = max(self._votes, key=lambda kind: self._votes[kind])
        needed = _SURE_OF_PHRASE if best == PHRASE else 0.0
        return best if self._votes[best] > needed else UNKNOWN

    def vote(self, kind: str) -> None:
        """Takes in how a query of several words was answered; UNKNOWN if that is unclear."""
        self.tests += 1
        for known in self._votes:
            self._votes[known] *= _VOTE_FADING
        if kind != UNKNOWN:
            self._votes[kind] += 1.0


class Condition(Struct, frozen=True):
    """A control, or the two controls of a range, with a value."""

    control: int
    values: Values
    term: str = ""
    """What records show that fulfil it, in lower case; '' if unknown."""
    share: float = -1.0
    """Of the records held those that fulfil it, by their amounts; below 0 if unknown."""


class TypedControl:
    """A box that words are typed into."""

    def __init__(self, number: int, box: Box, sizes: SizeEstimate) -> None:
        self.number = number
        self.box = box
        self.sizes = SizeEstimate(sizes)
        self.matching = MatchRates()
        self.operator = WordOperator()
        self.asked: set[str] = set()
        """Terms asked for alone, in lower case."""
        self.matched: dict[str, int] = {}
        """Records that match a term, if known."""
        self.with_total: set[str] = set()
        """Terms for which a page printed that number."""
        self.tries = 0
        self.hits = 0
        self._named = -1

    @property
    def is_for_anything(self) -> bool:
        return self.box.meaning in _ANYTHING

    @property
    def is_proven(self) -> bool:
        """Whether it is known which words it takes."""
        return self.hits >= _PROVEN

    @property
    def is_known(self) -> bool:
        """Whether enough was asked to tell which words are worth a test."""
        return self.hits >= _PROVEN and self.tries >= _LEARNED

    @property
    def hit_rate(self) -> float:
        """Of queries with results."""
        return (self.hits + 1.0) / (self.tries + 1.0)

    def condition(self, written: str) -> Condition:
        return Condition(self.number, ((self.box.name, written),), written.lower())

    def update_places(self, places: list[str]) -> None:
        """Expects matches in places that are called like the box."""
        if len(places) == self._named or self.is_for_anything:
            return
        self._named = len(places)
        called = [bool(_name_words(self.box.label) & _name_words(place)) for place in places]
        prior = np.full(PLACES, _OTHER if any(called) else _UNNAMED)
        prior[: len(places)][called] = _NAMED
        self.matching.set_prior(prior, _STRENGTH)


class ListedControl:
    """A menu or a range: its conditions are known, and those of a menu exclude each other."""

    def __init__(self, number: int, control: Menu | Span, holdings: Holdings) -> None:
        self.number = number
        self.control = control
        self.matches: dict[Values, float] = {}
        """Records that match each choice that was asked for alone."""
        self.returned = 0.0
        """Records that came with these choices."""
        self.overflowing: set[Values] = set()
        """Choices that match more than was shown."""
        self.unsized: set[Values] = set()
        """Overflowing choices whose number of matches is unknown."""
        self._parts: dict[Values, tuple[float, float]] = {}
        """Of unsized choices the records that came with parts of them, and the known ones."""
        self.novelty = LearnedRatio(10.0, 0.9)
        """New records by those that chance would bring."""
        self.place: int | None = None
        """Where records show which choice they fulfil; None when they do not."""
        self._holdings = holdings
        self._cut_at = -1
        self.splits = RangeSplits(control) if isinstance(control, Span) else None
        """Parts of a typed range that overflows."""
        self.conditions: list[Condition] = []
        if isinstance(control, Menu):
            self.conditions = list(_menu_conditions(number, control))
        self.find_place()
        self.cut_range()

    @property
    def names(self) -> tuple[str, ...]:
        if isinstance(self.control, Span):
            return self.control.low, self.control.high
        return (self.control.name,)

    @property
    def unasked(self) -> list[Condition]:
        """Conditions not asked for alone."""
        return [one for one in self.conditions if one.values not in self.matches]

    @property
    def asked(self) -> list[Condition]:
        return [one for one in self.conditions if one.values in self.matches]

    def sizes(self, database: float) -> dict[Values, float]:
        """Records that match each choice asked for. Unsized choices get equal parts of what the
        others leave of the database, unless answers to parts of them say how much is held."""
        known = sum(size for values, size in self.matches.items() if values not in self.unsized)
        part = (database - known) / max(1, len(self.unsized) + len(self.unasked))
        found = dict(self.matches)
        for one in self.asked:
            if one.values in self.unsized:
                found[one.values] = self._size_unsized(one, max(self.matches[one.values], part))
        return found

    def learn_part(self, condition: Condition, returned: float, again: float) -> None:
        """Takes in a query for a part of an unsized choice."""
        if condition.values in self.unsized and self.place is not None:
            came, known = self._parts.get(condition.values, (0.0, 0.0))
            values = _PART_FADING * came + returned, _PART_FADING * known + again
            self._parts[condition.values] = values

    def _size_unsized(self, condition: Condition, likely: float) -> float:
        """Size of a choice that is `likely` so large, by the known ones among its records."""
        came, known = self._parts.get(condition.values, (0.0, 0.0))
        if not came or self.place is None:
            return likely
        held = float(self.count_held([condition])[0])
        share = (known + _LIKELY_WEIGHT * min(1.0, held / likely)) / (came + _LIKELY_WEIGHT)
        return max(held, held / max(share, _LEAST_SHARE))

    def find_place(self) -> None:
        """Finds the place in which most records show one of a menu's choices."""
        if not isinstance(self.control, Menu):
            return
        self.place = None
        terms = self._holdings.terms
        rows = [terms.numbers[one.term] for one in self.conditions if one.term in terms.numbers]
        if rows:
            shown = terms.df_by_place[rows].sum(axis=0)
            place = int(np.argmax(shown))
            if shown[place] >= _COVERED * len(self._holdings):
                self.place = place

    def cut_range(self) -> None:
        """Cuts a range again when twice as many records are held: not more often, because every
        other cut makes other queries."""
        doublings = len(self._holdings).bit_length()
        if isinstance(self.control, Span) and doublings != self._cut_at:
            self._cut_at = doublings
            self.conditions = list(_range_conditions(self.number, self.control, self._holdings))

    def count_held(self, conditions: list[Condition]) -> Floats:
        """Records held that fulfil each condition; 0 if unknown."""
        terms, count = self._holdings.terms, len(self._holdings)
        found = np.array([max(0.0, one.share) * count for one in conditions])
        if self.place is not None:
            for at, one in enumerate(conditions):
                row = terms.numbers.get(one.term)
                if row is not None:
                    found[at] = terms.df_by_place[row, self.place]
        return found

    def is_shown(self, condition: Condition) -> bool:
        """Whether records show that they fulfil it."""
        return self.place is not None or condition.share >= 0


def _name_words(label: str) -> set[str]:
    return {word.lower() for word in words_of(label) if len(word) > 2}


def _menu_conditions(number: int, menu: Menu) -> Iterator[Condition]:
    for choice in menu.choices:
        term = " ".join(words_of(choice.text)).lower()
        yield Condition(number, ((menu.name, choice.value),), term)


def _range_conditions(number: int, span: Span, holdings: Holdings) -> Iterator[Condition]:
    """Everything, then parts of it: the steps that a form offers, or steps that cut the records
    held into even parts. Which amounts a range is about is told by its label."""
    label = _name_words(span.label)
    about = (
        number
        for number, place in enumerate(holdings.places)
        if label & _name_words(place) and holdings.amount_share(number) >= _ALL_AMOUNTS
    )
    place = next(about, None)
    amounts = sorted(holdings.amounts(place)) if place is not None else []
    ends = [end for end in span.lows if end in span.highs]
    if ends:
        yield Condition(number, ((span.low, span.lows[0]),), share=1.0)
        yield from _offered_ranges(number, span, ends, amounts)
    elif not span.lows and not span.highs:
        yield Condition(number, ((span.low, _BOTTOM.get(span.meaning, "0")),), share=1.0)
        yield from _typed_ranges(number, span, amounts)


def _offered_ranges(
    number: int, span: Span, ends: list[str], amounts: list[Amount]
) -> Iterator[Condition]:
    numbers = [amount.number for amount in amounts]
    steps = [amount_of(end) for end in ends]
    below = [bisect_right(numbers, step.number) if step else 0 for step in steps]
    total = len(numbers)
    shares = [(high - low) / total if total else -1.0 for low, high in pairwise((0, *below, total))]
    yield Condition(number, ((span.high, ends[0]),), share=shares[0])
    for (low, high), share in zip(pairwise(ends), shares[1:], strict=False):
        yield _range_between(number, span, low, high, share)
    yield Condition(number, ((span.low, ends[-1]),), share=shares[-1])


def _typed_ranges(number: int, span: Span, amounts: list[Amount]) -> Iterator[Condition]:
    if not amounts:
        return
    numbers = [amount.number for amount in amounts]
    last = len(amounts) - 1
    ends = dict.fromkeys(amounts[n * last // _STEPS] for n in range(_STEPS + 1))
    for low, high in pairwise(ends):
        count = bisect_right(numbers, high.number) - bisect_left(numbers, low.number)
        yield _range_between(number, span, low.typed, high.typed, count / len(amounts))


def _range_between(number: int, span: Span, low: str, high: str, share: float) -> Condition:
    values = tuple(sorted(((span.low, low), (span.high, high))))
    return Condition(number, values, share=share)
