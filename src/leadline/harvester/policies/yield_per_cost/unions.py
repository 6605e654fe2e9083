"""Several words at once for boxes that look for any of them: full pages, not single records."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from leadline.harvester.policies.yield_per_cost.controls import Typed
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge
from leadline.harvester.policies.yield_per_cost.proposals import Proposal, propose
from leadline.harvester.policies.yield_per_cost.singles import SPREAD, open_rows, searched_share

Floats = NDArray[np.float64]

_ROOM = 0.85
"""Of the limit that the words of one query are to fill: sizes are estimates."""
_MOST_SHARE = 0.999


def union(known: Knowledge, box: Typed, most_words: int, most_letters: int) -> Iterator[Proposal]:
    """Words with many new records, together not more than the source shows."""
    rows = open_rows(known, box)
    if not len(rows):
        return
    held, new = known.term_sizes(box, rows)
    new = new * searched_share(known, rows)
    lengths = known.holdings.terms.length[rows]
    room = _ROOM * known.limit.cap / known.ratios.widening.value
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
        known_records = np.array([_any_of(held[chosen], known.records)])
        unknown = np.array([_any_of(new[chosen], known.unseen)])
        expected = known.limit.returns(known_records, unknown, SPREAD)
        yield propose(known, conditions, expected, 0, "several words")


def _any_of(counts: Floats, whole: float) -> float:
    """Records that one of several words stands in, were they independent."""
    shares = np.minimum(counts / max(whole, 1.0), _MOST_SHARE)
    return float(-np.expm1(np.log1p(-shares).sum()) * whole)
