"""How a crawl went over time: the curve of forms, the speed, the runs, and what to expect next."""

import math
from array import array
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import Event, Visit
from leadline.views.mirror.crawl import PAGE, PASSED_OVER, STARTED, STOPPED
from leadline.views.mirror.store import StoreMirror

MOST_POINTS = 400
AHEAD = 1_000
"""Pages for which the gain is estimated."""
LATEST = 1_000
"""Pages the estimate rests on, at most: as far back as ahead."""
_MOST_RUNS = 100
_MOST_SPEEDS = 120
_MINUTE_S = 60.0
_PRIOR = 0.5
"""Of the Gamma distribution (Jeffreys): what brought nothing yet may still bring something."""
_OUTSIDE = 0.05
"""Probability on each side of the interval."""


class CurvePoint(Struct, frozen=True):
    """After so many visits, so many pages and distinct relevant forms."""

    visits: int
    pages: int
    forms: int
    at: float = 0.0


class ExpectedGain(Struct, frozen=True):
    """How many new forms the next pages are expected to bring."""

    pages: int
    """This many more pages."""
    forms: float
    low: float
    high: float
    """Between low and high with a probability of 90 %."""
    why: str
    """What it rests on."""


class RunRow(Struct, frozen=True):
    """One run of a crawl, from its start to its stop."""

    number: int
    started: float
    stopped: float | None
    """None while it runs, or when it was cut off."""
    reason: str
    pages: int
    forms: int


def forms_curve(visits: Iterable[Visit], most: int = MOST_POINTS) -> list[CurvePoint]:
    """Forms against visits, thinned to about `most` points; the first is 0, the last one exact."""
    # Millions of visits: arrays take 24 bytes each, objects ten times that.
    pages, forms, ats = array("q", [0]), array("q", [0]), array("d", [0.0])
    for visit in visits:
        if visit.outcome == PASSED_OVER:
            continue
        pages.append(pages[-1] + (visit.outcome == PAGE))
        forms.append(forms[-1] + visit.forms)
        ats.append(visit.at)
    last = len(forms) - 1
    step = max(1, -(-last // most))
    return [CurvePoint(n, pages[n], forms[n], ats[n]) for n in (*range(0, last, step), last)]


def forms_per_100(forms: int, pages: int) -> float:
    return round(100.0 * forms / pages, 4) if pages else 0.0


class VisitSums:
    """After each visit, how many pages and distinct relevant forms there were."""

    def __init__(self, mirror: StoreMirror) -> None:
        self._visits: NDArray[np.int64] = np.cumsum(mirror.visits.are_visits, dtype=np.int64)
        self._pages: NDArray[np.int64] = np.cumsum(mirror.visits.are_pages, dtype=np.int64)
        self._forms: NDArray[np.int64] = np.cumsum(mirror.visits.forms.cells, dtype=np.int64)
        # Visits are recorded in the order in which they ended, within a moment.
        self._ats: NDArray[np.float64] = np.maximum.accumulate(mirror.visits.ats.cells)

    @property
    def pages(self) -> int:
        return int(self._pages[-1]) if len(self._pages) else 0

    @property
    def forms(self) -> int:
        return int(self._forms[-1]) if len(self._forms) else 0

    def latest(self) -> tuple[int, int]:
        """New forms of the latest pages, and how many pages these are."""
        pages = min(LATEST, self.pages)
        if not pages:
            return 0, 0
        before = int(np.searchsorted(self._pages, self.pages - pages, side="right"))
        held = int(self._forms[before - 1]) if before else 0
        return self.forms - held, pages

    def curve(self) -> list[CurvePoint]:
        """Thinned; the last point is exact."""
        length = len(self._ats)
        if not length:
            return []
        step = max(1, -(-length // (MOST_POINTS - 1)))
        at = np.unique(np.append(np.arange(0, length, step), length - 1))
        columns = (self._visits[at], self._pages[at], self._forms[at], self._ats[at])
        return [CurvePoint(*row) for row in zip(*(c.tolist() for c in columns), strict=True)]

    def speeds(self) -> list[tuple[float, float]]:
        """Pages a second in spans of equal length, at least a second each, by the span's end."""
        if len(self._ats) < 2:
            return []
        first, last = float(self._ats[0]), float(self._ats[-1])
        number = max(1, min(_MOST_SPEEDS, int(last - first)))
        ends = np.linspace(first, last, number + 1)
        before = np.searchsorted(self._ats, ends, side="right")
        read = np.diff(self._pages[before - 1])
        seconds = (last - first) / number
        speeds = np.round(read / seconds, 3) if seconds else np.zeros(0)
        return list(zip(ends[1:].tolist(), speeds.tolist(), strict=False))

    def pages_per_s(self, begun: float) -> float:
        """Of the last minute in which there were visits, or of the run that began then."""
        if not len(self._ats):
            return 0.0
        # A minute that reaches back into an earlier run would count the pause between them.
        since = max(float(self._ats[-1]) - _MINUTE_S, float(self._ats[0]), begun)
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


def list_runs(events: Sequence[Event], sums: VisitSums) -> list[RunRow]:
    """The latest runs, in order."""
    ends = [event for event in events if event.kind in (STARTED, STOPPED)]
    starts = [at for at, event in enumerate(ends) if event.kind == STARTED]
    spans = enumerate(pairwise([*starts, len(ends)]), start=1)
    return [_run_row(number, ends, *span, sums) for number, span in spans][-_MOST_RUNS:]


def _run_row(
    number: int, events: Sequence[Event], begin: int, after: int, sums: VisitSums
) -> RunRow:
    started = events[begin]
    ended = events[begin + 1] if after > begin + 1 else None
    # A run that was cut off wrote no event: it ended before the next one began.
    follower = events[after].at if after < len(events) else float("inf")
    pages, forms = sums.between(started.at, ended.at if ended else follower)
    stopped, reason = (ended.at, ended.detail) if ended else (None, "")
    return RunRow(number, started.at, stopped, reason, pages, forms)


def expected_gain(forms: int, pages: int) -> ExpectedGain | None:
    """New forms of the next pages, when the latest `pages` brought `forms`; None before any page.

    The rate is Gamma distributed after what was seen, so the number to come is negative binomial.
    """
    if pages <= 0:
        return None
    shape, ratio = forms + _PRIOR, AHEAD / pages
    # Twelve standard deviations hold all the probability that a float can tell from 0.
    spread = math.sqrt(shape * ratio * (1 + ratio))
    counts = np.arange(int(shape * ratio + 12 * spread) + 20)
    steps = (counts[:-1] + shape) / (counts[:-1] + 1) * (ratio / (1 + ratio))
    # In logarithms, because the first probabilities are too small for floats.
    logs = np.concatenate([[0.0], np.cumsum(np.log(steps))])
    chances = np.exp(logs - logs.max())
    low, high = np.searchsorted(
        np.cumsum(chances) / chances.sum(), (_OUTSIDE, 1 - _OUTSIDE)
    ).tolist()
    why = f"the latest {pages:,} pages brought {forms:,} new forms"
    return ExpectedGain(
        AHEAD, round(shape * ratio, 2), float(counts[low]), float(counts[high]), why
    )
