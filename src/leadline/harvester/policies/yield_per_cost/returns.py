"""What comes of a query that matches so many records: those the source shows, at their price."""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.policies.yield_per_cost.ratio import Ratio

Floats = NDArray[np.float64]

_EDGES = (1.4, 2.8, 8.0)
"""Times by which answers overflow, told apart: a source that always shows the same records first
shows fewer new ones the more there are."""
_LOGISTIC = 1.702
"""By which the logistic curve is as steep as the normal one."""


class Return(Struct, frozen=True, eq=False):
    """Expected of each of several queries."""

    fresh: Floats
    requests: Floats

    @property
    def index(self) -> Floats:
        """New records per request."""
        return self.fresh / self.requests


class Bias:
    """New records in overflowing answers beside those that chance would show."""

    def __init__(self) -> None:
        self._ratios = [Ratio(25.0, 0.93) for _ in range(len(_EDGES) + 1)]

    def learn(self, times: float, fresh: float, expected: float) -> None:
        """An answer that overflowed so many times."""
        self._ratios[int(np.searchsorted(_EDGES, times))].learn(fresh, expected)

    def factor(self, times: Floats) -> Floats:
        found: Floats = np.array([min(1.0, ratio.value) for ratio in self._ratios])
        return found[np.searchsorted(_EDGES, times)]


class Limit(Struct, frozen=True, eq=False):
    """What a source shows, as far as it is known."""

    cap: float
    """Infinite when there is no end."""
    page: float
    requests: float
    """Of one page."""
    bias: Bias
    is_shuffled: bool = False
    """Whether pages repeat records: an answer of few records shows only some of them."""

    def returns(self, held: Floats, new: Floats, spread: float) -> Return:
        """For queries that match `held` known records and `new` others; `spread` is by how much the
        logarithm of their sum may be off, as a standard deviation."""
        size = np.maximum(held + new, 1e-9)
        times = size / self.cap
        over = 1 / (1 + np.exp(-np.clip(_LOGISTIC * np.log(times + 1e-30) / spread, -50, 50)))
        shown = np.minimum(size, self.cap)
        complete = np.minimum(new, shown)
        if self.is_shuffled:
            shown = -size * np.expm1(-shown / size)
            complete = new * shown / size
        fresh = (1 - over) * complete
        fresh += over * shown * (new / size) * self.bias.factor(times)
        # A page begun counts whole; where the last one ends is not known beforehand.
        pages = np.minimum(
            1 + np.maximum(0.0, size / self.page - 0.5), np.ceil(self.cap / self.page)
        )
        return Return(fresh, np.maximum(pages, 1.0) * self.requests)
