"""When to leave an answer: as soon as its next page brings less than asking for something else.

E. L. Charnov, "Optimal foraging, the marginal value theorem", Theoretical Population Biology 9,
1976: a patch is left when what it gives falls to what the whole country gives on the average. The
average is that of the latest requests. It counts no more than the best other query known, because
there may be none left.
"""

import numpy as np

from leadline.core.harvest import Reading
from leadline.harvester.policies.yield_per_cost.controls import Condition
from leadline.harvester.policies.yield_per_cost.knowledge import Knowledge

_LATEST = 3.0
"""Pages that the one read last counts for: what is new thins out, or begins late."""
_TOLD = 1.5
"""Pages that a printed total and the records held count for: sources which always show the same
records first show known ones first."""
_BEHIND, _OF_CHOICES = 0.5, 0.1
"""Of what another query brings, below which an answer is left. What stays behind is hard to get at,
unless every page is dealt anew; most of all what no other choice of a menu brings."""


def next_page(known: Knowledge, reading: Reading, conditions: list[Condition]) -> float:
    """New records for each request that the next page is expected to bring."""
    page = known.limit.page
    seen = _LATEST * reading.latest + (reading.fresh - reading.latest)
    weight = _LATEST + reading.pages - 1
    share = _share_left(known, reading, conditions)
    if share is not None:
        seen, weight = seen + _TOLD * share * page, weight + _TOLD
    left = page
    if reading.total is not None and reading.is_total_exact:
        left = max(0, reading.total - reading.returned)
    return min(seen / weight, float(left)) / known.limit.requests


def worth(known: Knowledge, conditions: list[Condition], brings: float) -> float:
    """What a page must bring where another query brings so much for each request."""
    if all(condition.control >= len(known.boxes) for condition in conditions):
        return brings * _OF_CHOICES
    return brings * (1.0 if known.limits.shuffles else _BEHIND)


def _share_left(known: Knowledge, reading: Reading, conditions: list[Condition]) -> float | None:
    """Of the records on further pages those that are new, by how many match and how many of those
    were held; None when one of these cannot be told."""
    if len(conditions) != 1 or conditions[0].control >= len(known.boxes):
        return None
    if not (reading.is_total_exact and reading.total and reading.total > reading.returned):
        return None
    box = known.boxes[conditions[0].control]
    counted = known.before.counts(conditions[0].term, known.records - reading.fresh)
    if counted is None:
        return None
    held = float(box.matching.held(counted.by_place[None, :], np.array([counted.df]))[0])
    again = max(0.0, held - (reading.returned - reading.fresh))
    share = max(0.0, 1.0 - again / (reading.total - reading.returned))
    # Pages that are dealt anew show what was seen as often as what was not.
    return share * (1 - reading.returned / reading.total) if known.limits.shuffles else share
