"""What it is worth to ask the choices of a menu one after another, and nothing in between.

Choices exclude each other, so a menu that is asked through brings its records once. A query in
between that brings `f` of those records for `c` requests saves no request of the menu, because
its pages have to be turned all the same: it brings records earlier, and the rest at a slower pace.
Where the menu brings `U` records for `p` requests, the area under the curve changes by about
`p (f / 2 - c U / p)`. So the other query has to bring twice as much for each request. If only a
share of the unseen records is within reach of the menu, the other query brings some that the menu
does not, and has to bring 1 + that share times as much.
"""

import numpy as np

from leadline.harvester.policies.yield_per_cost.returns import Return


def plan_weight(expected: Return, unseen: float) -> float:
    """By how much more than its own yield the best of several choices counts, when it begins the
    best plan: that many of them, the best first."""
    order = np.argsort(-expected.index, kind="stable")
    fresh = np.cumsum(expected.fresh[order])
    pace = fresh / np.cumsum(expected.requests[order])
    share = np.minimum(1.0, fresh / max(unseen, 1.0))
    best = float((pace * (1 + share)).max())
    return best / max(float(expected.index[order[0]]), 1e-9)
