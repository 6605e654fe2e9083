"""The controls of a form, each with what was learned of asking through it."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Box, Menu, Span
from leadline.harvester.matching import Matching
from leadline.harvester.policies.yield_per_cost.joining import Joining
from leadline.harvester.policies.yield_per_cost.ratio import Ratio
from leadline.harvester.policies.yield_per_cost.sizes import Sizes
from leadline.harvester.terms import PLACES
from leadline.harvester.wording import Amount, amount_of, words_of

Floats = NDArray[np.float64]
Values = tuple[tuple[str, str], ...]
"""Names of controls and what they are filled with, in the order of the names."""

_NAMED, _OTHER, _UNNAMED = 0.9, 0.05, 0.4
"""How likely a record that shows a term is returned, before anything was learned: from the place
that is called like the box; from other places then; from any place where none is called so."""
_STRENGTH = 2.0
_ANYTHING = ("", "keyword", "text", "other")
"""Meanings of boxes that search more than one attribute."""
_PROVEN = 2
_LEARNED = 3
_BOTTOM = {"date": "1900-01-01", "year": "1000"}
"""The lower end of a range that leaves nothing out; 0 for other amounts."""
_STEPS = 16
"""Parts that a typed range is cut into: with two such ranges enough for any limit."""
_ALL_AMOUNTS = 0.8
"""Of a place's cells that must be amounts before a range is cut by them."""
_FADING = 0.8
"""Weight of what came with a part of a choice when the next one is asked for."""
_FAITH = 20.0
"""Records of parts that the size which a choice is likely to have counts for."""
_LEAST_SHARE = 0.05
TRUSTED = 0.7
"""Novelty from which on the choices of a menu are taken to exclude each other."""
_COVERED = 0.3
"""Of the records that must show one of a menu's choices in the place it is taken to be about."""


class Condition(Struct, frozen=True):
    """A control, or the two of a range, filled."""

    control: int
    values: Values
    term: str = ""
    """What records show that fulfil it, in lower case; '' when it cannot be told."""
    share: float = -1.0
    """Of the records held those that fulfil it, where their amounts tell; else below 0."""


class Typed:
    """A box."""

    def __init__(self, number: int, box: Box, sizes: Sizes) -> None:
        self.number = number
        self.box = box
        self.sizes = Sizes(sizes)
        self.matching = Matching()
        self.joining = Joining()
        self.asked: set[str] = set()
        """Terms asked for alone, in lower case."""
        self.matched: dict[str, int] = {}
        """Records that match a term, where that is known."""
        self.told: set[str] = set()
        """Those of which a page told it."""
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

    def look_at(self, places: list[str]) -> None:
        """Expect matches in places that are called like the box."""
        if len(places) == self._named or self.is_for_anything:
            return
        self._named = len(places)
        called = [bool(_called(self.box.label) & _called(place)) for place in places]
        prior = np.full(PLACES, _OTHER if any(called) else _UNNAMED)
        prior[: len(places)][called] = _NAMED
        self.matching.expect(prior, _STRENGTH)


class Listed:
    """A menu or a range: its conditions are known, and those of a menu exclude each other."""

    def __init__(self, number: int, control: Menu | Span, holdings: Holdings) -> None:
        self.number = number
        self.control = control
        self.done: dict[Values, float] = {}
        """Choices asked for alone, with the number of records that match."""
        self.brought = 0.0
        """Records that came with them, where none was left out."""
        self.over: set[Values] = set()
        """Those that match more than was shown."""
        self.beyond: set[Values] = set()
        """Of these the ones of which it is not known how many match."""
        self._parts: dict[Values, tuple[float, float]] = {}
        """Of those the records that came with parts of them, and how many of these were known."""
        self.novelty = Ratio(10.0, 0.9)
        """New records beside those that chance would bring."""
        self.place: int | None = None
        """Where records show which choice they fulfil; None when they do not."""
        self._holdings = holdings
        self._cut_at = -1
        self.conditions: list[Condition] = []
        if isinstance(control, Menu):
            self.conditions = list(_choices(number, control))
        self.look_at()
        self.cut()

    @property
    def names(self) -> tuple[str, ...]:
        if isinstance(self.control, Span):
            return self.control.low, self.control.high
        return (self.control.name,)

    @property
    def open(self) -> list[Condition]:
        """Those not asked for alone."""
        return [one for one in self.conditions if one.values not in self.done]

    @property
    def closed(self) -> list[Condition]:
        return [one for one in self.conditions if one.values in self.done]

    def sizes(self, database: float) -> dict[Values, float]:
        """Records that match each choice asked for. Of those that are not known each has an equal
        part of what others leave of the database, unless parts of it tell how much is held."""
        known = sum(size for values, size in self.done.items() if values not in self.beyond)
        part = (database - known) / max(1, len(self.beyond) + len(self.open))
        found = dict(self.done)
        for one in self.closed:
            if one.values in self.beyond:
                found[one.values] = self._size_beyond(one, max(self.done[one.values], part))
        return found

    def learn_part(self, condition: Condition, returned: float, again: float) -> None:
        """A query for some of the records of a choice that matches more than is shown."""
        if condition.values in self.beyond and self.place is not None:
            came, known = self._parts.get(condition.values, (0.0, 0.0))
            values = _FADING * came + returned, _FADING * known + again
            self._parts[condition.values] = values

    def _size_beyond(self, condition: Condition, likely: float) -> float:
        """Of a choice that is likely to match so many, by the known ones among its records."""
        came, known = self._parts.get(condition.values, (0.0, 0.0))
        if not came or self.place is None:
            return likely
        held = float(self.held([condition])[0])
        share = (known + _FAITH * min(1.0, held / likely)) / (came + _FAITH)
        return max(held, held / max(share, _LEAST_SHARE))

    def look_at(self) -> None:
        """Find out where records show the choices."""
        if isinstance(self.control, Menu):
            self.place = self._covered()

    def cut(self) -> None:
        """Cut a range anew when twice as many records are held: not more often, because every
        other cut is another query."""
        doublings = len(self._holdings).bit_length()
        if isinstance(self.control, Span) and doublings != self._cut_at:
            self._cut_at = doublings
            self.conditions = list(_ranges(self.number, self.control, self._holdings))

    def held(self, conditions: list[Condition]) -> Floats:
        """Records held that fulfil each; 0 where that cannot be told."""
        terms, count = self._holdings.terms, len(self._holdings)
        found = np.array([max(0.0, one.share) * count for one in conditions])
        if self.place is not None:
            for at, one in enumerate(conditions):
                row = terms.numbers.get(one.term)
                if row is not None:
                    found[at] = terms.df_by_place[row, self.place]
        return found

    def is_told(self, condition: Condition) -> bool:
        """Whether records show that they fulfil it."""
        return self.place is not None or condition.share >= 0

    def _covered(self) -> int | None:
        """The place in which most records show one of the choices."""
        terms = self._holdings.terms
        rows = [terms.numbers[one.term] for one in self.conditions if one.term in terms.numbers]
        if not rows:
            return None
        shown = terms.df_by_place[rows].sum(axis=0)
        place = int(np.argmax(shown))
        return place if shown[place] >= _COVERED * len(self._holdings) else None


def _called(label: str) -> set[str]:
    return {word.lower() for word in words_of(label) if len(word) > 2}


def _choices(number: int, menu: Menu) -> Iterator[Condition]:
    for choice in menu.choices:
        term = " ".join(words_of(choice.text)).lower()
        yield Condition(number, ((menu.name, choice.value),), term)


def _ranges(number: int, span: Span, holdings: Holdings) -> Iterator[Condition]:
    """Everything, then parts of it: the steps that are offered, or such as cut evenly what is
    held."""
    place = _place_of(span, holdings)
    amounts = sorted(holdings.amounts(place)) if place is not None else []
    ends = [end for end in span.lows if end in span.highs]
    if ends:
        yield Condition(number, ((span.low, span.lows[0]),), share=1.0)
        yield from _offered(number, span, ends, amounts)
    elif not span.lows and not span.highs:
        yield Condition(number, ((span.low, _BOTTOM.get(span.meaning, "0")),), share=1.0)
        yield from _typed(number, span, amounts)


def _offered(
    number: int, span: Span, ends: list[str], amounts: list[Amount]
) -> Iterator[Condition]:
    numbers = [amount.number for amount in amounts]
    steps = [amount_of(end) for end in ends]
    below = [bisect_right(numbers, step.number) if step else 0 for step in steps]
    total = len(numbers)
    shares = [(high - low) / total if total else -1.0 for low, high in pairwise((0, *below, total))]
    yield Condition(number, ((span.high, ends[0]),), share=shares[0])
    for (low, high), share in zip(pairwise(ends), shares[1:], strict=False):
        yield _between(number, span, low, high, share)
    yield Condition(number, ((span.low, ends[-1]),), share=shares[-1])


def _typed(number: int, span: Span, amounts: list[Amount]) -> Iterator[Condition]:
    if not amounts:
        return
    numbers = [amount.number for amount in amounts]
    last = len(amounts) - 1
    ends = dict.fromkeys(amounts[n * last // _STEPS] for n in range(_STEPS + 1))
    for low, high in pairwise(ends):
        count = bisect_right(numbers, high.number) - bisect_left(numbers, low.number)
        yield _between(number, span, low.typed, high.typed, count / len(amounts))


def _between(number: int, span: Span, low: str, high: str, share: float) -> Condition:
    values = tuple(sorted(((span.low, low), (span.high, high))))
    return Condition(number, values, share=share)


def _place_of(span: Span, holdings: Holdings) -> int | None:
    """The place whose amounts a typed range is about: it is called so."""
    called = _called(span.label)
    for number, place in enumerate(holdings.places):
        if called & _called(place) and holdings.amount_share(number) >= _ALL_AMOUNTS:
            return number
    return None
