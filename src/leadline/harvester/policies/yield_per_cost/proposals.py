"""Queries that might be asked next, with what is expected of each: the first queries, single words,
choices of menus and ranges, and several words of which any will do."""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.harvester.interface import Menu
from leadline.harvester.policies.base import fits
from leadline.harvester.policies.yield_per_cost.controls import (
    ALL,
    PHRASE,
    Condition,
    ListedControl,
    TypedControl,
)
from leadline.harvester.policies.yield_per_cost.estimates import ExpectedReturn
from leadline.harvester.policies.yield_per_cost.knowledge import FIRST_GUESS, SourceKnowledge
from leadline.harvester.terms import COMMON, VALUE

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

SIZE_SPREAD = 0.35
"""Standard deviation of the logarithm of a size that is estimated from a few dozen records."""
_MOST_TERMS, _LATEST_TERMS = 10_000, 2_000
"""Terms that are compared: the most frequent, and the latest, which may lead to other parts."""
_TERM_TRIES = 500
"""Terms tried before a box is given up."""
_MOST_BOXES = 4
"""Boxes that words of the page are tried in."""
_AMOUNTS = 0.8
"""Weight of a menu of amounts: these are often ends of a range."""
_FEW = 3
"""Choices from which on a menu probably leaves no record out."""
_FILLED_SHARE = 0.85
"""Share of the limit that the words of one query are to fill: sizes are estimates."""
_MOST_SHARE = 0.999
_LEAST_LEFT = 0.05
"""Of a page of an answer that is known to go on, what is new at least: the size of the database is
an estimate."""


class Proposal(Struct, frozen=True):
    """Values for controls; the rest as in `Choice`."""

    values: dict[str, str]
    fresh: float
    requests: float
    why: str
    weight: float = 1.0
    """Factor for what a query is worth beyond its own records."""
    max_pages: int | None = None

    @property
    def rank(self) -> tuple[float, float]:
        """Largest is best: new records per request, then new records."""
        return self.weight * self.fresh / self.requests, self.fresh


def is_open(known: SourceKnowledge, conditions: Iterable[Condition]) -> bool:
    """Whether the query was not asked yet."""
    return known.query(known.values_of(conditions)) not in known.asked


def make_proposal(
    known: SourceKnowledge,
    conditions: Iterable[Condition],
    expected: ExpectedReturn,
    at: int,
    why: str,
) -> Proposal:
    """The proposal of query number `at` of those expected."""
    values = known.values_of(conditions)
    return Proposal(values, float(expected.fresh[at]), float(expected.requests[at]), why)


def plan_weight(expected: ExpectedReturn, unseen: float) -> float:
    """By how much more than its own yield the best of several choices counts, because it begins a
    plan: some of them one after another, the best first, and nothing in between.

    Choices exclude each other, so a menu that is asked through brings its records once. A query in
    between that brings `f` of those records for `c` requests saves no request of the menu, because
    its pages have to be read all the same: it brings records earlier, and the rest more slowly. If
    the menu brings `U` records for `p` requests, the area under the curve changes by about
    `p (f / 2 - c U / p)`. So the other query has to bring twice as much per request. If only a
    share of the unseen records is within reach of the menu, the other query brings some that the
    menu does not, and has to bring 1 + that share times as much.
    """
    order = np.argsort(-expected.index, kind="stable")
    fresh = np.cumsum(expected.fresh[order])
    pace = fresh / np.cumsum(expected.requests[order])
    share = np.minimum(1.0, fresh / max(unseen, 1.0))
    best = float((pace * (1 + share)).max())
    return best / max(float(expected.index[order[0]]), 1e-9)


def propose_first_queries(known: SourceKnowledge) -> Iterator[Proposal]:
    """Everything at once if the form allows it, and words of its page that no record shows."""
    if known.interface.takes_empty and known.query({}) not in known.asked:
        yield Proposal({}, float(known.database), 1.0, "everything", np.inf)
    fresh = known.ratios.first.value * (1 - known.share if known.records else 1.0)
    numbers = known.holdings.terms.numbers
    for place, box in enumerate(known.boxes[:_MOST_BOXES]):
        for word in known.interface.words:
            key = word.lower()
            if key not in box.asked and key not in numbers and fits(box.box, known.interface, word):
                expected = fresh * box.hit_rate / (1 + place)
                yield Proposal({box.box.name: word}, expected, 1.0, "a word of the form's page")
                break


def propose_surveyed(known: SourceKnowledge) -> Iterator[Proposal]:
    """Further pages of an answer whose first page the survey has: all of their requests go to
    pages that nobody saw, while any other query begins with records that may be held."""
    left = max(_LEAST_LEFT, 1 - known.share)
    for answer in known.interface.surveyed:
        if answer.has_more:
            guess = known.database if answer.is_broad else 2.0 * answer.shown
            further = max(1.0, (answer.total or guess) - answer.shown)
            pages = further / max(1, answer.shown)
            why = "an answer that the survey began"
            yield Proposal(dict(answer.values), left * further, max(1.0, pages), why)


def propose_word(known: SourceKnowledge, box: TypedControl) -> Iterator[Proposal]:
    """The best term of the records held."""
    rows = open_rows(known, box)
    if not len(rows):
        return
    expected = known.limit.expect(*known.term_sizes(box, rows), SIZE_SPREAD)
    likely = expected.index * searched_share(known, rows)
    written = known.holdings.terms.written
    for best in np.argsort(-likely, kind="stable")[:_TERM_TRIES].tolist():
        condition = box.condition(written[rows[best]])
        # A value of several words brings nothing new if one of them was asked for.
        if not (set(condition.term.split()) & box.asked) and is_open(known, (condition,)):
            found = make_proposal(known, (condition,), expected, best, "a word of records")
            yield structs.replace(found, fresh=found.fresh * box.hit_rate)
            return


def propose_choice(known: SourceKnowledge, listed: ListedControl) -> Iterator[Proposal]:
    """The best choice of a menu or part of a range."""
    waiting = [one for one in listed.unasked if is_open(known, (one,))]
    if not waiting:
        return
    expected = known.cautious_limit.expect(*known.choice_sizes(listed, waiting), SIZE_SPREAD)
    best = int(np.argmax(expected.index))
    found = make_proposal(known, (waiting[best],), expected, best, "a choice")
    weight = 1.0 if listed.matches else _chance_of_partition(listed)
    if isinstance(listed.control, Menu):
        weight *= plan_weight(expected, known.unseen if known.records else FIRST_GUESS)
    yield Proposal(found.values, found.fresh, found.requests, found.why, weight)


def propose_part(known: SourceKnowledge, listed: ListedControl) -> Iterator[Proposal]:
    """A part of a typed range that overflowed, once it was asked for as the records suggest."""
    splits = listed.splits
    if splits is None or not splits.is_useful or listed.unasked:
        return
    part = splits.next_part()
    if part is not None:
        fresh = min(max(part.left, known.limit.page / 2), known.limit.cap)
        pages = max(1.0, fresh / known.limit.page)
        yield Proposal(dict(part.values), fresh, pages, "a part of a range that overflowed")


def _chance_of_partition(listed: ListedControl) -> float:
    """How likely the choices of a menu exclude each other and leave nothing out."""
    numeric = sum(any(map(str.isdigit, one.term)) for one in listed.conditions)
    is_amount = 2 * numeric > len(listed.conditions)
    return min(1.0, len(listed.conditions) / _FEW) * (_AMOUNTS if is_amount else 1.0)


def open_rows(known: SourceKnowledge, box: TypedControl) -> Rows:
    """Terms that can still be typed into a box."""
    terms = known.holdings.terms
    is_open = terms.length >= known.interface.min_length
    if box.box.max_length:
        is_open &= terms.length <= box.box.max_length
    if box.operator.kind not in (ALL, PHRASE):
        is_open &= terms.shape < VALUE
    is_open[[terms.numbers[term] for term in box.asked if term in terms.numbers]] = False
    rows = np.flatnonzero(is_open)
    if len(rows) > _MOST_TERMS + _LATEST_TERMS:
        kept = np.zeros(len(rows), np.bool_)
        # The most frequent, of equals the first met: no two have one rank, so numpy has no choice.
        rank = rows - terms.df[rows].astype(np.int64) * len(terms)
        kept[np.argpartition(rank, _MOST_TERMS)[:_MOST_TERMS]] = True
        kept[-_LATEST_TERMS:] = True
        rows = rows[kept]
    return rows


def searched_share(known: SourceKnowledge, rows: Rows) -> Floats:
    """How likely each term is searched for at all: short words of every text may not be."""
    is_doubtful = known.holdings.terms.shape[rows] & COMMON > 0
    return np.where(is_doubtful, known.ratios.common.value, 1.0)


def propose_union(
    known: SourceKnowledge, box: TypedControl, most_words: int, most_letters: int
) -> Iterator[Proposal]:
    """Several words for a box that looks for any of them: words with many new records, together
    not more than the source shows."""
    rows = open_rows(known, box)
    if not len(rows):
        return
    held, new = known.term_sizes(box, rows)
    new = new * searched_share(known, rows)
    lengths = known.holdings.terms.length[rows]
    room = _FILLED_SHARE * known.limit.cap / known.ratios.widening.value
    chosen: list[int] = []
    letters = 0
    is_open = np.ones(len(rows), np.bool_)
    most_letters = min(most_letters, box.box.max_length or most_letters)
    while len(chosen) < most_words:
        # Large words first, but no larger than leaves room for others.
        left = room - float((held + new)[chosen].sum())
        fits = is_open & (held + new <= min(left, 2 * left / (most_words - len(chosen))))
        best = int(np.argmax(np.where(fits, new, -1.0)))
        letters += int(lengths[best]) + 1
        if not fits[best] or letters > most_letters:
            break
        is_open[best] = False
        chosen.append(best)
    if len(chosen) > 1:
        written = known.holdings.terms.written
        conditions = [box.condition(written[rows[number]]) for number in chosen]
        known_records = np.array([_count_any(held[chosen], known.records)])
        unknown = np.array([_count_any(new[chosen], known.unseen)])
        expected = known.limit.expect(known_records, unknown, SIZE_SPREAD)
        yield make_proposal(known, conditions, expected, 0, "several words")


def _count_any(counts: Floats, whole: float) -> float:
    """Records with any of several words, if the words were independent."""
    shares = np.minimum(counts / max(whole, 1.0), _MOST_SHARE)
    return float(-np.expm1(np.log1p(-shares).sum()) * whole)
