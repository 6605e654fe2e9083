"""Which conditions may be joined: frequent words of boxes, all choices of menus and ranges."""

from collections.abc import Iterator

import numpy as np

from leadline.harvester.policies.yield_per_cost.captures import searched
from leadline.harvester.policies.yield_per_cost.controls import Listed, Typed
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge
from leadline.harvester.policies.yield_per_cost.pool import Member
from leadline.harvester.terms import PLACES
from leadline.harvester.wording import COMMON, VALUE

_FEWEST = 2
_MOST_SHARE = 0.9
"""Of the records that may have a word: a word of all of them narrows nothing."""
_SEARCHED = 0.5
"""Of short words that every text has, those that must be searched for any of them to be joined."""
_MOST_CHOICES = 100
"""Of one menu."""


def members_for(known: Knowledge, most: int) -> Iterator[Member]:
    """At most so many; half of them for words where there are choices too."""
    boxes = [box for box in known.boxes if box.is_proven]
    chosen = [list(_choices(known, listed))[:_MOST_CHOICES] for listed in known.lists]
    room = most // 2 if boxes else most
    for row in chosen:
        yield from row[:room]
        room = max(0, room - len(row))
    room = most - min(most // 2, sum(map(len, chosen)))
    for box in boxes:
        yield from _words(known, box, room // len(boxes))


def _words(known: Knowledge, box: Typed, most: int) -> Iterator[Member]:
    terms = known.holdings.terms
    counts = searched(box.matching.share)
    held = np.minimum((terms.df_by_place * counts).sum(axis=1), terms.df)
    is_fit = (terms.shape < VALUE) & (terms.length >= known.interface.min_length)
    is_fit &= (held >= _FEWEST) & (held <= _MOST_SHARE * known.records)
    if known.ratios.common.value < _SEARCHED:
        is_fit &= terms.shape & COMMON == 0
    rows = np.flatnonzero(is_fit)
    rows = rows[np.lexsort((rows, -held[rows]))[:most]]
    for row in rows.tolist():
        condition = box.condition(terms.written[row])
        if box.matched.get(condition.term) != 0:
            place = int(np.argmax(terms.df_by_place[row] * counts))
            yield Member(condition, row, counts, place)


def _choices(known: Knowledge, listed: Listed) -> Iterator[Member]:
    numbers = known.holdings.terms.numbers
    for condition in listed.conditions:
        if listed.done.get(condition.values) == 0 or condition.share > _MOST_SHARE:
            continue
        row = numbers.get(condition.term, -1) if listed.place is not None else -1
        if row < 0:
            yield Member(condition)
        else:
            counts = np.arange(PLACES) == listed.place
            yield Member(condition, row, counts, listed.place or 0)
