"""How a crawl is doing: for `status`, the report, the dashboard and the REST API."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct, structs
from numpy.typing import NDArray

from leadline.core.crawl import LIKELY, Counts, Event, SiteState
from leadline.core.inbox import BUDGET, Order
from leadline.core.servers import SHARING_KEY, ServerSharing
from leadline.core.store import (
    CUT_OFF,
    NEVER,
    RUNNING,
    STOPPED,
    RunState,
    StoreView,
    Team,
    correct_run_state,
)
from leadline.store.lock import is_locked
from leadline.views.harvests import HarvestStatus, list_harvests
from leadline.views.listing import MOST, Listing
from leadline.views.mirror.crawl import PASSED_OVER, STARTED, QueueSample
from leadline.views.mirror.crawl import STOPPED as STOPPED_EVENT
from leadline.views.mirror.store import StoreMirror
from leadline.views.progress import (
    MOST_POINTS,
    CurvePoint,
    ExpectedGain,
    RunRow,
    VisitSums,
    expected_gain,
    forms_per_100,
    list_runs,
)

_EVENTS = 20
_ANSWERED = frozenset({"page", "duplicate"})
"""Outcomes that are no failures."""
_BUDGETS = ("pages", "seconds", "bytes", "forms")


class StoreSummary(Struct, frozen=True):
    """One store."""

    name: str
    """Its name in addresses."""
    topic: str
    strategy: str
    goal: str
    pages: int
    forms: int
    """Distinct relevant forms."""
    records: int
    state: str
    """running, paused, stopping, stopped, cut off or never run."""
    reason: str
    """Why it stopped; empty while it runs."""


class Pulse(StoreSummary, frozen=True):
    """The figures that change while a crawl runs."""

    counts: Counts
    rate: float
    """New relevant forms per 100 pages, of the latest pages."""
    pages_per_s: float
    """Of the last minute of the crawl."""
    at: float
    """When the latest visit ended; 0 before any."""


class Politeness(Struct, frozen=True):
    """How the sites are treated at the moment."""

    open: int
    """Sites that may be asked more."""
    resting: int
    """Of these, those that are in their pause."""
    failing: int
    """Of these, those whose last answers were errors."""
    left: dict[str, int]
    """Sites that are asked no more, by reason."""
    longest_delay_s: float
    refused_by_robots: int
    shared: ServerSharing
    """How far sites share addresses and registered domains, and wait for them."""


class Quarantine(Struct, frozen=True):
    """Pages that ended the processes that read them, or took more time or memory than they may."""

    readers_lost: int
    """How often that happened."""
    pages: int
    """Those it happened to twice; they are not read again."""
    latest: tuple[Event, ...]
    """The latest of these pages with the reason, last first."""


class Overview(Pulse, frozen=True):
    """How a crawl is doing."""

    curve: tuple[CurvePoint, ...]
    rate_in_all: float
    """Relevant forms per 100 pages, of the whole crawl."""
    speeds: tuple[tuple[float, float], ...]
    """Time and pages a second."""
    samples: tuple[QueueSample, ...]
    gain: ExpectedGain | None
    politeness: Politeness
    quarantine: Quarantine
    budget: dict[str, float | None]
    """Pages, seconds, bytes, forms; null: no limit."""
    runs: tuple[RunRow, ...]
    team: Team | None
    """Of a crawl by several workers; null: one process has the store."""
    events: tuple[Event, ...]
    """The latest ones, last first."""
    traps: tuple[Event, ...]
    """The traps named last, last first."""
    trap_count: int


class Status(Overview, frozen=True):
    """How a crawl and its harvests are doing."""

    harvests: tuple[HarvestStatus, ...]
    """The latest ones, last first."""


class Comparison(Struct, frozen=True):
    """Two stores side by side."""

    left: Overview
    right: Overview


def read_overview(mirror: StoreMirror, now: Callable[[], float] = time.time) -> Overview:
    """Everything at one moment."""
    sums, pulse = VisitSums(mirror), read_pulse(mirror)
    marks, _ = mirror.events.find_latest(_EVENTS)
    traps, trap_count = mirror.events.find_latest(_EVENTS, "trap")
    return Overview(
        **structs.asdict(pulse),
        curve=tuple(sums.curve()),
        rate_in_all=forms_per_100(sums.forms, sums.pages),
        speeds=tuple(sums.speeds()),
        samples=tuple(_thin_samples(mirror)),
        # With nothing waiting, no further page comes by itself.
        gain=expected_gain(*sums.latest()) if pulse.counts.waiting > 0 else None,
        politeness=_read_politeness(mirror, pulse.counts.outcomes.get("robots", 0), now()),
        quarantine=_read_quarantine(mirror),
        budget=budget_in_force(mirror.settings, _waiting_budgets(mirror)),
        runs=tuple(list_runs(mirror.events.runs, sums)),
        team=mirror.feed.team(),
        events=tuple(mirror.feed.events_numbered(marks)),
        traps=tuple(mirror.feed.events_numbered(traps)),
        trap_count=trap_count,
    )


def read_status(mirror: StoreMirror) -> Status:
    """The same with the harvests, each with its coverage."""
    harvests = list_harvests(mirror, 0, MOST).items
    return Status(**structs.asdict(read_overview(mirror)), harvests=harvests)


def read_pulse(mirror: StoreMirror) -> Pulse:
    """The few figures that change while a crawl runs."""
    sums = VisitSums(mirror)
    ats = mirror.visits.ats.cells
    begun = max((event.at for event in mirror.events.runs if event.kind == STARTED), default=0.0)
    return Pulse(
        **structs.asdict(summarize(mirror)),
        counts=_count(mirror),
        rate=forms_per_100(*sums.latest()),
        pages_per_s=sums.pages_per_s(begun),
        at=float(ats[-1]) if len(ats) else 0.0,
    )


def summarize(mirror: StoreMirror) -> StoreSummary:
    settings = mirror.settings
    strategy: Mapping[str, str] = settings.get("strategy", {})
    state = run_state(mirror)
    return StoreSummary(
        name=mirror.name,
        topic=mirror.topic,
        strategy=strategy.get("name", ""),
        goal=strategy.get("goal", ""),
        pages=int(np.count_nonzero(mirror.visits.are_pages)),
        forms=_count_likely(mirror.forms.scores.cells),
        records=mirror.harvests.records,
        state=state.state,
        reason=state.reason,
    )


def compare_stores(left: StoreMirror, right: StoreMirror) -> Comparison:
    """Each is read on its own: nobody waits for two stores at once."""
    with left.refresh():
        first = read_overview(left)
    if right is left:
        return Comparison(first, first)
    with right.refresh():
        return Comparison(first, read_overview(right))


def list_events(mirror: StoreMirror, offset: int, limit: int, kind: str = "") -> Listing[Event]:
    """The latest first; samples of queues only when asked for by kind."""
    marks, total = mirror.events.find_latest(limit, kind, offset)
    return Listing(tuple(mirror.feed.events_numbered(marks)), total, offset, limit)


def run_state(mirror: StoreMirror) -> RunState:
    """What the last run says of itself, and the lock of whether it still can. The operating
    system releases the lock when a process ends in whatever way."""
    state, is_written = mirror.store.reader.run(), is_locked(mirror.path)
    if state.state == NEVER:
        state = _state_by_events(mirror.events.runs)
    else:
        state = correct_run_state(state, is_written=is_written)
    # Something else writes: a harvest, or a crawl that has not saved its state yet.
    is_other = is_written and state.state in (NEVER, STOPPED, CUT_OFF)
    return RunState(RUNNING, state.since) if is_other else state


def _state_by_events(runs: Iterable[Event]) -> RunState:
    """Of a store whose last run was made by a version that saved no state."""
    ends = [event for event in runs if event.kind in (STARTED, STOPPED_EVENT)]
    if not ends:
        return RunState(NEVER)
    last = ends[-1]
    is_over = last.kind == STOPPED_EVENT
    return RunState(STOPPED, last.at, last.detail) if is_over else RunState(CUT_OFF, last.at)


def stop_reason(store: StoreView) -> str:
    """Why the last run ended; 'running, or cut off' when it never said."""
    reason = "never run"
    for event in store.reader.events():
        if event.kind == STARTED:
            reason = "running, or cut off"
        elif event.kind == STOPPED_EVENT:
            reason = event.detail
    return reason


def site_rows(store: StoreView) -> list[SiteState]:
    """Visited sites, those with most forms first."""
    visited = (site for site in store.reader.sites() if site.pages or site.errors)
    return sorted(visited, key=lambda site: (-site.forms, -site.searchable, -site.pages, site.site))


def budget_in_force(
    settings: Mapping[str, Any], orders: Iterable[Order]
) -> dict[str, float | None]:
    """What a crawl may spend by its saved settings, and by orders that no run has met yet, in the
    order of giving; None: no limit."""
    saved = settings.get("budget", {})
    budget: dict[str, float | None] = {name: saved.get(name) or None for name in _BUDGETS}
    for order in orders:
        # What cannot be read is refused by the crawl that meets it.
        try:
            changed = msgspec.json.decode(order.detail, type=dict[str, float | None])
        except msgspec.MsgspecError:
            continue
        budget |= {name: limit or None for name, limit in changed.items() if name in _BUDGETS}
    return budget


def _waiting_budgets(mirror: StoreMirror) -> list[Order]:
    """Those that no run has met yet: what runs met is in the settings."""
    given = mirror.store.inbox.orders()
    return [order for order in given if order.kind == BUDGET and order.done_at is None]


def _read_politeness(mirror: StoreMirror, refused: int, now: float) -> Politeness:
    sites = mirror.sites
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
        shared=_read_sharing(mirror),
    )


def _read_sharing(mirror: StoreMirror) -> ServerSharing:
    kept = mirror.store.load(SHARING_KEY)
    return msgspec.json.decode(kept, type=ServerSharing) if kept else ServerSharing()


def _read_quarantine(mirror: StoreMirror) -> Quarantine:
    marks, pages = mirror.events.find_latest(_EVENTS, "quarantined")
    _, lost = mirror.events.find_latest(0, "reader-lost")
    return Quarantine(lost, pages, tuple(mirror.feed.events_numbered(marks)))


def _count(mirror: StoreMirror) -> Counts:
    sites, visits, forms = mirror.sites, mirror.visits, mirror.forms
    outcomes = visits.count_outcomes()
    passed_over = outcomes.pop(PASSED_OVER, 0)
    return Counts(
        pages=outcomes.get("page", 0),
        visits=sum(outcomes.values()),
        passed_over=passed_over,
        failed=sum(n for name, n in outcomes.items() if name not in _ANSWERED),
        requests=visits.requests,
        size_bytes=visits.size_bytes,
        forms=_count_likely(forms.scores.cells),
        searchable=_count_likely(forms.searchable.cells),
        sites=len(np.unique(visits.sites.cells[visits.are_visits])),
        deep_sites=int(np.count_nonzero(sites.counts["forms"].cells)),
        known=sites.known,
        waiting=sites.count_waiting(visits.of_site),
        skipped=sites.skipped,
        outcomes=outcomes,
    )


def _count_likely(chances: NDArray[Any]) -> int:
    return int(np.count_nonzero(chances >= LIKELY))


def _thin_samples(mirror: StoreMirror) -> list[QueueSample]:
    samples = mirror.events.samples
    step = max(1, -(-len(samples) // MOST_POINTS))
    # From the end, so that the latest sample is always among them.
    return samples[::-1][::step][::-1]
