"""How a crawl goes: its curve, rate, queues, speed, errors, manners and runs."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leadline.core.desk import BUDGET, Order
from leadline.ui.rows import ACCEPTED
from leadline.ui.web.models import (
    CurvePoint,
    EventRow,
    Overview,
    Politeness,
    Run,
    Sample,
    StoreSummary,
)
from leadline.ui.web.seen.events import STARTED, STOPPED
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.budgets import budget_in_force
from leadline.ui.web.views.gain import LATEST, expected_gain
from leadline.ui.web.views.state import StoreState, state_of

MOST_POINTS = 400
_SPEEDS = 120
_EVENTS = 20
_MINUTE_S = 60.0
_ANSWERED = frozenset({"page", "duplicate", "passed-over"})
"""Outcomes that are no failures."""


def overview(seen: Following, now: Callable[[], float] = time.time) -> Overview:
    """Everything at one moment."""
    counted = _Counted(seen)
    latest_forms, latest_pages = counted.latest()
    outcomes = seen.visits.by_outcome()
    marks, _ = seen.events.latest(_EVENTS)
    waiting = seen.sites.waiting(seen.visits.of_site)
    return Overview(
        store=summary(seen),
        counts=_counts(seen, outcomes, waiting),
        outcomes=outcomes,
        curve=tuple(counted.curve()),
        rate=_rate(latest_forms, latest_pages),
        rate_in_all=_rate(counted.forms_in_all, counted.pages_in_all),
        pages_per_s=counted.pages_per_s(),
        speeds=tuple(counted.speeds()),
        samples=tuple(_samples(seen)),
        gain=expected_gain(latest_forms, latest_pages) if waiting else None,
        politeness=politeness(seen, outcomes.get("robots", 0), now()),
        budget=budget_in_force(seen.settings, _budget_orders(seen)),
        runs=tuple(counted.runs()),
        events=tuple(event_rows(seen, marks)),
    )


def summary(seen: Following) -> StoreSummary:
    settings = seen.settings
    strategy: Mapping[str, str] = settings.get("strategy", {})
    state: StoreState = state_of(seen)
    return StoreSummary(
        name=seen.name,
        topic=topic_of(seen),
        strategy=strategy.get("name", ""),
        goal=strategy.get("goal", ""),
        pages=int(np.count_nonzero(seen.visits.are_pages)),
        forms=relevant_forms(seen),
        records=seen.harvests.records,
        state=state.name,
        reason=state.reason,
    )


def topic_of(seen: Following) -> str:
    topic: str = seen.settings.get("topic", {}).get("name", "")
    return topic


def relevant_forms(seen: Following) -> int:
    return int(np.count_nonzero(seen.forms.scores.cells >= ACCEPTED))


def politeness(seen: Following, refused: int, now: float) -> Politeness:
    sites = seen.sites
    is_open = sites.closed.cells == 0
    left = Counter(sites.closed.cells[~is_open].tolist())
    delays = sites.delay_s.cells[is_open]
    return Politeness(
        open=int(np.count_nonzero(is_open)),
        resting=int(np.count_nonzero(sites.ready_at.cells[is_open] > now)),
        failing=int(np.count_nonzero(sites.counts["errors_in_a_row"].cells[is_open])),
        left={sites.reasons.words[code]: number for code, number in left.most_common()},
        longest_delay_s=float(delays.max()) if len(delays) else 0.0,
        refused_by_robots=refused,
    )


def event_rows(seen: Following, marks: list[int]) -> list[EventRow]:
    found = seen.catalogue.events_numbered(marks)
    return [EventRow(at=e.at, kind=e.kind, subject=e.subject, detail=e.detail) for e in found]


def _counts(seen: Following, outcomes: Mapping[str, int], waiting: int) -> dict[str, int]:
    sites, visits = seen.sites, seen.visits
    return {
        "pages": outcomes.get("page", 0),
        "visits": len(visits),
        "failed": sum(n for name, n in outcomes.items() if name not in _ANSWERED),
        "requests": visits.requests,
        "bytes": visits.size_bytes,
        "sites": int(np.count_nonzero(visits.of_site.cells)),
        "deep_sites": int(np.count_nonzero(sites.counts["forms"].cells)),
        "forms": relevant_forms(seen),
        "searchable": int(np.count_nonzero(seen.forms.searchable.cells >= ACCEPTED)),
        "known": sites.known,
        "waiting": waiting,
        "skipped": sites.skipped,
        "harvests": len(seen.harvests),
        "records": seen.harvests.records,
    }


def _samples(seen: Following) -> list[Sample]:
    samples = seen.events.samples
    step = max(1, -(-len(samples) // MOST_POINTS))
    kept = samples[::-1][::step][::-1]
    return [Sample(at=one.at, visits=one.visits, queues=one.queues) for one in kept]


def _budget_orders(seen: Following) -> list[Order]:
    return [order for order in seen.store.desk.orders() if order.kind == BUDGET]


def _rate(forms: int, pages: int) -> float:
    return round(100.0 * forms / pages, 4) if pages else 0.0


class _Counted:
    """Pages and forms summed up visit by visit."""

    def __init__(self, seen: Following) -> None:
        self._seen = seen
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
        """New forms and number of the latest pages."""
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
        before = int(np.searchsorted(self._ats, since, side="right"))
        pages = self.pages_in_all - (int(self._pages[before - 1]) if before else 0)
        return round(pages / seconds, 3) if seconds > 0 else 0.0

    def runs(self) -> list[Run]:
        found: list[Run] = []
        events = [e for e in self._seen.events.runs if e.kind in (STARTED, STOPPED)]
        starts = [number for number, event in enumerate(events) if event.kind == STARTED]
        for number, (begin, after) in enumerate(pairwise([*starts, len(events)]), start=1):
            inside = events[begin:after]
            ended = inside[1] if len(inside) > 1 else None
            until = ended.at if ended else self._until(events, after)
            started = inside[0].at
            found.append(
                Run(
                    number=number,
                    started=started,
                    stopped=ended.at if ended else None,
                    reason=ended.detail if ended else "",
                    pages=self._between(self._pages, started, until),
                    forms=self._between(self._forms, started, until),
                )
            )
        return found

    def _until(self, events: list, after: int) -> float:  # type: ignore[type-arg]
        """A run that was cut off left no end: it ended before the next one began."""
        return float(events[after].at) if after < len(events) else float("inf")

    def _between(self, sums: NDArray[np.int64], first: float, last: float) -> int:
        begin, end = np.searchsorted(self._ats, (first, last), side="right").tolist()
        held = [int(sums[at - 1]) if at else 0 for at in (begin, end)]
        return held[1] - held[0]

    def _thinned(self, most: int) -> NDArray[np.int64]:
        length = len(self._ats)
        step = max(1, -(-length // most))
        return (
            np.unique(np.append(np.arange(0, length, step), length - 1)) if length else np.arange(0)
        )
