"""How a crawl goes: its curve, rate, queues, speed, errors, manners and runs."""

import time
from collections import Counter
from collections.abc import Callable, Mapping

import numpy as np

from leadline.core.inbox import BUDGET, Order
from leadline.core.shared import Team
from leadline.ui.rows import ACCEPTED
from leadline.ui.web.models import (
    EventRow,
    Overview,
    Politeness,
    Pulse,
    Sample,
    StoreSummary,
    TeamView,
    WorkerRow,
)
from leadline.ui.web.seen.events import STARTED
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.budgets import budget_in_force
from leadline.ui.web.views.gain import expected_gain
from leadline.ui.web.views.runs import runs_of
from leadline.ui.web.views.state import run_state
from leadline.ui.web.views.sums import MOST_POINTS, VisitSums, rate

_EVENTS = 20
_ANSWERED = frozenset({"page", "duplicate", "passed-over"})
"""Outcomes that are no failures."""


def overview(seen: Following, now: Callable[[], float] = time.time) -> Overview:
    """Everything at one moment."""
    sums, told = VisitSums(seen), headline(seen)
    latest_forms, latest_pages = sums.latest()
    outcomes = seen.visits.by_outcome()
    marks, _ = seen.events.latest(_EVENTS)
    is_more = told.counts["waiting"] > 0
    return Overview(
        store=told.store,
        counts=told.counts,
        outcomes=outcomes,
        curve=tuple(sums.curve()),
        rate=told.rate,
        rate_in_all=rate(sums.forms_in_all, sums.pages_in_all),
        pages_per_s=told.pages_per_s,
        speeds=tuple(sums.speeds()),
        samples=tuple(_samples(seen)),
        gain=expected_gain(latest_forms, latest_pages) if is_more else None,
        politeness=politeness(seen, outcomes.get("robots", 0), now()),
        budget=budget_in_force(seen.settings, _budget_orders(seen)),
        runs=tuple(runs_of(seen.events.runs, sums)),
        team=team_view(seen.catalogue.team()),
        events=tuple(event_rows(seen, marks)),
    )


def headline(seen: Following) -> Pulse:
    """The few numbers that change while a crawl runs."""
    sums = VisitSums(seen)
    ats = seen.visits.ats.cells
    begun = max((event.at for event in seen.events.runs if event.kind == STARTED), default=0.0)
    return Pulse(
        store=summary(seen),
        counts=_counts(seen),
        rate=rate(*sums.latest()),
        pages_per_s=sums.pages_per_s(begun),
        at=float(ats[-1]) if len(ats) else 0.0,
    )


def summary(seen: Following) -> StoreSummary:
    settings = seen.settings
    strategy: Mapping[str, str] = settings.get("strategy", {})
    state = run_state(seen)
    return StoreSummary(
        name=seen.name,
        topic=topic_of(seen),
        strategy=strategy.get("name", ""),
        goal=strategy.get("goal", ""),
        pages=int(np.count_nonzero(seen.visits.are_pages)),
        forms=relevant_forms(seen),
        records=seen.harvests.records,
        state=state.state,
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


def team_view(team: Team | None) -> TeamView | None:
    if team is None:
        return None
    return TeamView(
        workers=tuple(
            WorkerRow(
                name=one.name,
                seen_s=one.seen_s,
                on_lease=one.out,
                visits=one.visits,
                is_learner=one.name == team.learner,
            )
            for one in team.present
        ),
        gone=len(team.gone),
        learner=team.learner,
        model=team.model,
        lessons=team.lessons,
    )


def event_rows(seen: Following, marks: list[int]) -> list[EventRow]:
    found = seen.catalogue.events_numbered(marks)
    return [EventRow(at=e.at, kind=e.kind, subject=e.subject, detail=e.detail) for e in found]


def _counts(seen: Following) -> dict[str, int]:
    sites, visits = seen.sites, seen.visits
    outcomes = visits.by_outcome()
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
        "waiting": sites.waiting(visits.of_site),
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
    """Those that no run has met yet: what runs met is in the settings."""
    given = seen.store.inbox.orders()
    return [order for order in given if order.kind == BUDGET and order.done_at is None]
