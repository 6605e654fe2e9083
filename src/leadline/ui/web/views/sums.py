"""Pages and forms of a crawl summed up visit by visit."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leadline.ui.web.models import CurvePoint
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.gain import LATEST

MOST_POINTS = 400
_SPEEDS = 120
_MINUTE_S = 60.0


def rate(forms: int, pages: int) -> float:
    """New forms per 100 pages."""
    return round(100.0 * forms / pages, 4) if pages else 0.0


class VisitSums:
    """After each visit, how many pages and distinct relevant forms there were."""

    def __init__(self, seen: Following) -> None:
        self._pages: NDArray[np.int64] = np.cumsum(seen.visits.are_pages, dtype=np.int64)
        self._forms: NDArray[np.int64] = np.cumsum(seen.visits.forms.cells, dtype=np.int64)
        # Visits are recorded in the order in which they ended, but for a moment.
        self._ats: NDArray[np.float64] = np.maximum.accumulate(seen.visits.ats.cells)

    @property
    def pages_in_all(self) -> int:
        return int(self._pages[-1]) if len(self._pages) else 0

    @property
    def forms_in_all(self) -> int:
        return int(self._forms[-1]) if len(self._forms) else 0

    def latest(self) -> tuple[int, int]:
        """New forms of the latest pages, and how many pages these are."""
        pages = min(LATEST, self.pages_in_all)
        if not pages:
            return 0, 0
        before = int(np.searchsorted(self._pages, self.pages_in_all - pages, side="right"))
        held = int(self._forms[before - 1]) if before else 0
        return self.forms_in_all - held, pages

    def curve(self) -> list[CurvePoint]:
        """Thinned; the last point is exact."""
        at = self._thinned(MOST_POINTS - 1)
        columns = (self._pages[at], self._forms[at], self._ats[at])
        return [
            CurvePoint(pages=pages, forms=forms, at=when)
            for pages, forms, when in zip(*(c.tolist() for c in columns), strict=True)
        ]

    def speeds(self) -> list[tuple[float, float]]:
        """Pages a second between equal numbers of visits."""
        at = self._thinned(_SPEEDS)
        points = zip(self._ats[at].tolist(), self._pages[at].tolist(), strict=True)
        return [
            (later[0], round((later[1] - earlier[1]) / (later[0] - earlier[0]), 3))
            for earlier, later in pairwise(points)
            if later[0] > earlier[0]
        ]

    def pages_per_s(self) -> float:
        """Of the last minute in which there were visits."""
        if not len(self._ats):
            return 0.0
        since = max(float(self._ats[-1]) - _MINUTE_S, float(self._ats[0]))
        seconds = float(self._ats[-1]) - since
        return round(self.between(since, np.inf)[0] / seconds, 3) if seconds > 0 else 0.0

    def between(self, first: float, last: float) -> tuple[int, int]:
        """Pages and new forms of visits that ended after `first`, and not after `last`."""
        begin, end = np.searchsorted(self._ats, (first, last), side="right").tolist()
        held = [
            int(sums[at - 1]) if at else 0
            for sums in (self._pages, self._forms)
            for at in (begin, end)
        ]
        return held[1] - held[0], held[3] - held[2]

    def _thinned(self, most: int) -> NDArray[np.int64]:
        length = len(self._ats)
        if not length:
            return np.arange(0)
        step = max(1, -(-length // most))
        return np.unique(np.append(np.arange(0, length, step), length - 1))
