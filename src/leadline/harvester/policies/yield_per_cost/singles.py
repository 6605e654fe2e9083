"""Queries with one condition: words of a box, choices of a menu, steps of a range."""

from collections.abc import Iterator

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from leadline.harvester.interface import Menu
from leadline.harvester.policies.base import fits
from leadline.harvester.policies.yield_per_cost.controls import Listed, Typed
from leadline.harvester.policies.yield_per_cost.joining import ALL, ROW
from leadline.harvester.policies.yield_per_cost.knowledge import FIRST_GUESS, Knowledge
from leadline.harvester.policies.yield_per_cost.plans import plan_weight
from leadline.harvester.policies.yield_per_cost.proposals import Proposal, is_open, propose
from leadline.harvester.wording import COMMON, VALUE

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]

SPREAD = 0.35
"""Of the logarithm of a size that is estimated from a few dozen records."""
_MOST_TERMS, _LATEST = 10_000, 2_000
"""Terms looked at, the most frequent; and the latest, which may lead to other parts."""
_TRIES = 500
"""Terms looked at before a box is given up."""
_MOST_BOXES = 4
"""That words of the page are tried in."""
_AMOUNTS = 0.8
_FEW = 3
"""Choices of a menu that probably leaves no record out."""


def starting(known: Knowledge) -> Iterator[Proposal]:
    """Everything at once where a form gives it, and words that no record was seen with."""
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


def words(known: Knowledge, box: Typed) -> Iterator[Proposal]:
    """The best term that records hold."""
    rows = open_rows(known, box)
    if not len(rows):
        return
    expected = known.limit.returns(*known.term_sizes(box, rows), SPREAD)
    likely = expected.index * searched_share(known, rows)
    written = known.holdings.terms.written
    for best in np.argsort(-likely, kind="stable")[:_TRIES].tolist():
        condition = box.condition(written[rows[best]])
        # A value of several words brings nothing where one of them was asked for.
        if not (set(condition.term.split()) & box.asked) and is_open(known, (condition,)):
            found = propose(known, (condition,), expected, best, "a word of records")
            yield structs.replace(found, fresh=found.fresh * box.hit_rate)
            return


def choices(known: Knowledge, listed: Listed) -> Iterator[Proposal]:
    """The best choice of a menu or part of a range."""
    waiting = [one for one in listed.open if is_open(known, (one,))]
    if not waiting:
        return
    expected = known.cautious_limit.returns(*known.choice_sizes(listed, waiting), SPREAD)
    best = int(np.argmax(expected.index))
    found = propose(known, (waiting[best],), expected, best, "a choice")
    weight = 1.0 if listed.done else _promise(listed)
    if isinstance(listed.control, Menu):
        weight *= plan_weight(expected, known.unseen if known.records else FIRST_GUESS)
    yield Proposal(found.values, found.fresh, found.requests, found.why, weight)


def _promise(listed: Listed) -> float:
    """How likely the choices of a menu exclude each other and leave nothing out. Few do not; steps
    of an amount are often ends of a range."""
    numeric = sum(any(map(str.isdigit, one.term)) for one in listed.conditions)
    is_amount = 2 * numeric > len(listed.conditions)
    return min(1.0, len(listed.conditions) / _FEW) * (_AMOUNTS if is_amount else 1.0)


def open_rows(known: Knowledge, box: Typed) -> Rows:
    """Terms that can still be typed into a box."""
    terms = known.holdings.terms
    is_open = terms.length >= known.interface.min_length
    if box.box.max_length:
        is_open &= terms.length <= box.box.max_length
    if box.joining.way not in (ALL, ROW):
        is_open &= terms.shape < VALUE
    is_open[[terms.numbers[term] for term in box.asked if term in terms.numbers]] = False
    rows = np.flatnonzero(is_open)
    if len(rows) > _MOST_TERMS + _LATEST:
        kept = np.zeros(len(rows), np.bool_)
        # The most frequent, of equals the first met: no two have one rank, so numpy has no choice.
        rank = rows - terms.df[rows].astype(np.int64) * len(terms)
        kept[np.argpartition(rank, _MOST_TERMS)[:_MOST_TERMS]] = True
        kept[-_LATEST:] = True
        rows = rows[kept]
    return rows


def searched_share(known: Knowledge, rows: Rows) -> Floats:
    """How likely each term is searched for at all: short words of every text may not be."""
    is_doubtful = known.holdings.terms.shape[rows] & COMMON > 0
    return np.where(is_doubtful, known.ratios.common.value, 1.0)
