"""What a shared store in memory holds: sites, links, visits, forms."""

import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest

import numpy as np
from msgspec.structs import replace

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Counts,
    Event,
    JudgedForm,
    Lease,
    SiteState,
    Skipped,
    StoredForm,
    Visit,
    Waiting,
)
from leadline.core.shared import RERANKED, Claim, Completion, Model, Ranking, Run
from leadline.core.url import Site, Url
from leadline.frontier.links import feature_rows
from leadline.frontier.ranks import SCORE_BITS, priorities_of, priority_of, rank_of, ranks_of
from leadline.store.harvests.memory import MemoryHarvests
from leadline.store.inbox import MemoryInbox
from leadline.store.index import PASSED_OVER, Totals, counts_of
from leadline.store.shared.clocks import Clock

UNPAID = frozenset({"robots", PASSED_OVER})
"""Outcomes that cost the site nothing and the budget neither."""


@dataclass(slots=True, eq=False)
class SiteRow:
    """One site. It is on lease while `worker` is set."""

    state: SiteState
    rank: int | None = None
    waiting: dict[CandidateId, tuple[int, int]] = field(default_factory=dict)
    """Rank and model version of each link that waits, those on lease included."""
    worker: str = ""
    epoch: int = 0
    out: int = 0
    """Links on lease."""
    until: float = 0.0
    ready_at: float = 0.0

    @property
    def place(self) -> tuple[int, int, int]:
        """Where it stands among the sites."""
        best = min((rank, number) for number, (rank, _) in self.waiting.items())
        return (best[0] if self.rank is None else self.rank, *best)

    @property
    def is_visited(self) -> bool:
        return self.state.pages + self.state.errors > 0

    def has_better(self, rank: int | None) -> bool:
        """Whether a link of a better tier waits."""
        return rank is not None and any(
            link >> SCORE_BITS < rank >> SCORE_BITS for link, _ in self.waiting.values()
        )

    @property
    def is_open(self) -> bool:
        return not self.state.closed and bool(self.waiting)


@dataclass(eq=False)
class Tables:
    """All of it, with the lock that a face holds during each call."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    shift: float = 0.0
    clocks: dict[str, Clock] = field(default_factory=dict)
    run: Run = field(default_factory=Run)
    begun_at: float = 0.0
    begun_bytes: int = 0
    spent: int = 0
    """Requests that were no visits."""
    sites: dict[Site, SiteRow] = field(default_factory=dict)
    candidates: dict[CandidateId, Candidate] = field(default_factory=dict)
    known: set[Url] = field(default_factory=set)
    skips: set[Url] = field(default_factory=set)
    digests: set[tuple[Site, int]] = field(default_factory=set)
    visits: dict[CandidateId, Visit] = field(default_factory=dict)
    forms: dict[str, StoredForm] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    saved: dict[str, bytes] = field(default_factory=dict)
    lessons: dict[int, bytes] = field(default_factory=dict)
    told: int = 0
    """Lessons ever given."""
    model: Model | None = None
    claims: dict[str, Claim] = field(default_factory=dict)
    """With `until` in crawl time."""
    seen_at: dict[str, float] = field(default_factory=dict)
    """By worker, in crawl time."""
    visits_of: Counter[str] = field(default_factory=Counter)
    harvests: MemoryHarvests = field(default_factory=MemoryHarvests)
    inbox: MemoryInbox = field(default_factory=MemoryInbox)

    def site(self, site: Site) -> SiteRow:
        return self.sites.setdefault(site, SiteRow(SiteState(site)))

    def admit(self, candidates: Iterable[Candidate], version: int = 0) -> int:
        """Add those whose URL is new; how many were."""
        before = len(self.candidates)
        for candidate in candidates:
            if self._is_new(candidate):
                number = CandidateId(len(self.candidates) + 1)
                self.candidates[number] = candidate
                row = self.site(candidate.site)
                if not candidate.skip:
                    rank = rank_of(candidate.priority.tier, candidate.priority.score)
                    row.waiting[number] = rank, version
                    if not row.is_visited and row.has_better(row.rank):
                        row.rank = None
        return len(self.candidates) - before

    def _is_new(self, candidate: Candidate) -> bool:
        if candidate.url in self.known or (candidate.skip and candidate.url in self.skips):
            return False
        (self.skips if candidate.skip else self.known).add(candidate.url)
        return True

    def best(self, row: SiteRow, most: int, ranking: Ranking | None) -> tuple[Lease, ...]:
        """The best links of a site."""
        if ranking is not None:
            self._rank_again(row, ranking)
        chosen = nsmallest(most, ((rank, number) for number, (rank, _) in row.waiting.items()))
        return tuple(self._lease(number, rank) for rank, number in chosen)

    def _lease(self, number: CandidateId, rank: int) -> Lease:
        candidate = self.candidates[number]
        if rank != rank_of(candidate.priority.tier, candidate.priority.score):
            candidate = replace(candidate, priority=priority_of(rank, "ranked again"))
        return Lease(number, candidate)

    def _rank_again(self, row: SiteRow, ranking: Ranking) -> None:
        held = ((r, n) for n, (r, version) in row.waiting.items() if version < ranking.version)
        stale = nsmallest(RERANKED, held)
        if not stale:
            return
        tiers, scores = priorities_of(np.array([rank for rank, _ in stale], np.int64))
        features = [self.candidates[number].features for _, number in stale]
        ranking.score(tiers, scores, feature_rows(features, ranking.width))
        ranks = ranks_of(tiers, scores).tolist()
        row.waiting.update(
            (n, (rank, ranking.version)) for (_, n), rank in zip(stale, ranks, strict=True)
        )

    def take_in(self, row: SiteRow, done: Completion) -> None:
        """Keep one visit, unless it is kept already."""
        if row.waiting.pop(done.visit.id, None) is None:
            return
        was_visited, row.state = row.is_visited, done.site
        if done.rank is not None:
            row.rank = rank_of(done.rank.tier, done.rank.score)
        elif row.is_visited and not was_visited:
            row.rank = None
        self.visits[done.visit.id] = done.visit
        self.visits_of[row.worker] += 1
        if done.visit.final_url is not None:
            self.known.add(done.visit.final_url)
        if done.visit.digest:
            self.digests.add((done.visit.site, done.visit.digest))
        self.admit(done.found, done.version)
        self._take_in_forms(done.visit, done.forms)
        self.events.extend(done.events)
        if done.lesson:
            self.told += 1
            self.lessons[self.told] = done.lesson

    def _take_in_forms(self, visit: Visit, forms: Sequence[JudgedForm]) -> None:
        for judged in forms:
            met = self.forms.get(judged.signature)
            if met is None:
                form = StoredForm(judged, visit.site, visit.id, visit.at)
            else:
                form = replace(met, sightings=met.sightings + 1)
            self.forms[judged.signature] = form

    def reopen(self) -> int:
        closed = [
            row for row in self.sites.values() if row.state.closed and not row.state.errors_in_a_row
        ]
        for row in closed:
            row.state, row.rank = replace(row.state, closed=""), None
        for number in [n for n, v in self.visits.items() if v.outcome == PASSED_OVER]:
            candidate = self.candidates[self.visits.pop(number).id]
            rank = rank_of(candidate.priority.tier, candidate.priority.score)
            self.site(candidate.site).waiting[number] = rank, 0
        return len(closed)

    def skipped(self) -> Iterator[Skipped]:
        """Links that were skipped when they were met, in order."""
        for link in self.candidates.values():
            if link.skip and link.parent is not None:
                parent, visit = self.candidates[link.parent], self.visits[link.parent]
                depth = parent.depth + 1 if parent.site == link.site else 0
                yield Skipped(replace(link, depth=depth), visit.relevance)

    @property
    def out(self) -> int:
        return sum(row.out for row in self.sites.values())

    @property
    def paid(self) -> int:
        """What counts against the budget of pages."""
        return self.spent + sum(v.outcome not in UNPAID for v in self.visits.values())

    def what_waits(self) -> Waiting:
        rows = [row for row in self.sites.values() if row.is_open]
        ranks = (rank for row in rows for rank, _ in row.waiting.values())
        tiers = Counter(rank >> SCORE_BITS for rank in ranks)
        return Waiting(dict(tiers), sum(not row.worker for row in rows))

    def counts(self) -> Counts:
        totals = Totals()
        for visit in self.visits.values():
            totals.count_visit(visit)
        for form in self.forms.values():
            totals.count_form(form.judged)
        totals.deep_sites = sum(row.state.forms > 0 for row in self.sites.values())
        totals.skipped = sum(bool(one.skip) for one in self.candidates.values())
        visited = {v.site for v in self.visits.values() if v.outcome != PASSED_OVER}
        rows = self.sites.values()
        waiting = sum(len(row.waiting) for row in rows if not row.state.closed)
        known = len(self.candidates)
        return counts_of(totals, sites=len(visited), known=known, waiting=waiting)
