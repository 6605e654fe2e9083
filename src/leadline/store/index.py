"""What every store holds in memory: known URLs, the frontier, site states, totals."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from leadline.core.crawl import (
    LIKELY,
    Candidate,
    CandidateId,
    Counts,
    JudgedForm,
    Lease,
    Priority,
    SiteState,
    Visit,
    Waiting,
)
from leadline.core.url import Site, Url
from leadline.errors import StoreError
from leadline.frontier import Frontier, SeenUrls
from leadline.frontier.ranks import SCORE_BITS, priority_of, rank_of
from leadline.frontier.seen_urls import Hashes, text_hash, text_hashes

FIRST_ID = 1
SKIPPED = -1
"""Stands for the rank of a candidate that is never leased."""
PASSED_OVER = "passed-over"
"""The outcome of a candidate that was leased and not asked for."""
UNPAID = frozenset({"robots", PASSED_OVER})
"""Outcomes that cost the site nothing and the budget neither."""
ANSWERED = frozenset({"page", "duplicate"})
"""Outcomes that are no failures."""

_HASH_MASK = (1 << 64) - 1
_SPREAD = 0x9E37_79B9_7F4A_7C15
"""2**64 over the golden ratio: spreads site numbers over all 64 bits."""


class Arrival(Struct, frozen=True, gc=False):
    """A candidate on entering the store."""

    id: CandidateId
    site: int
    rank: int
    """SKIPPED for one that is never leased."""
    hash: int
    candidate: Candidate


@dataclass(slots=True)
class Totals:
    """The running sums behind `Counts`."""

    requests: int = 0
    size_bytes: int = 0
    forms: int = 0
    searchable: int = 0
    deep_sites: int = 0
    skipped: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    def count_visit(self, visit: Visit) -> None:
        self.requests += visit.requests
        self.size_bytes += visit.size_bytes
        self.outcomes[visit.outcome] += 1

    def count_form(self, judged: JudgedForm) -> None:
        self.forms += judged.relevant >= LIKELY
        self.searchable += judged.searchable >= LIKELY


class CrawlIndex:
    """The part of a store that answers at once.

    Site states are all in memory: some 400 bytes a site visited.
    """

    def __init__(self, frontier: Frontier) -> None:
        self.frontier = frontier
        self.seen_urls = SeenUrls()
        """URLs that wait or were visited."""
        self.skips = SeenUrls()
        """URLs that were skipped when they were met."""
        self.digests = SeenUrls()
        self.signatures: set[str] = set()
        self.states: dict[Site, SiteState] = {}
        self.visited: set[int] = set()
        """Numbers of the sites visited."""
        self.guessed: set[int] = set()
        """Numbers of sites whose rank of their own holds until their first visit."""
        self.totals = Totals()
        self.next_id = FIRST_ID
        self.arrived = 0
        """Candidates that ever arrived."""
        self.lessons_told = 0
        """The number of the last lesson."""

    def begin_at(self, last: int, arrived: int) -> None:
        """Go on after the candidate numbered `last`."""
        self.next_id = last + 1
        self.arrived = arrived

    def are_known(self, urls: Iterable[Url]) -> list[bool]:
        return self.seen_urls.has(text_hashes(urls))

    def add_known(self, url: Url) -> None:
        """Of a page that a redirect led to: it was visited."""
        self.seen_urls.add([text_hash(url)])

    def has_met(self, url: Url) -> bool:
        """Whether the URL ever arrived, be it to be skipped."""
        key = text_hash(url)
        return self.seen_urls.has((key,))[0] or self.skips.has((key,))[0]

    def admit(self, candidates: Sequence[Candidate]) -> list[Arrival]:
        """Number those whose URL is new and let them wait."""
        # A bad tier raises in rank_of, before anything has changed.
        ranks = [SKIPPED if c.skip else rank_of(c.priority[0], c.priority[1]) for c in candidates]
        hashes = text_hashes([candidate.url for candidate in candidates])
        number, first = self.frontier.number, self.next_id
        arrivals: list[Arrival] = []
        columns = zip(
            candidates, ranks, hashes, self._choose_admitted(candidates, hashes), strict=True
        )
        for candidate, rank, key, is_new in columns:
            if is_new:
                id_ = CandidateId(first + len(arrivals))
                arrivals.append(Arrival(id_, number(candidate.site), rank, key, candidate))
        self.next_id += len(arrivals)
        self.arrived += len(arrivals)
        waiting = [arrival for arrival in arrivals if arrival.rank != SKIPPED]
        self.totals.skipped += len(arrivals) - len(waiting)
        if waiting:
            self.frontier.add(
                [arrival.id for arrival in waiting],
                [arrival.site for arrival in waiting],
                [arrival.rank for arrival in waiting],
                [arrival.candidate.features for arrival in waiting],
            )
        if self.guessed:
            for arrival in waiting:
                self._forget_guess(arrival)
        return arrivals

    def _forget_guess(self, arrival: Arrival) -> None:
        """A guessed rank must not hold back a link of a better tier."""
        rank = self.frontier.own_rank(arrival.site) if arrival.site in self.guessed else None
        if rank is not None and arrival.rank >> SCORE_BITS < rank >> SCORE_BITS:
            self.guessed.discard(arrival.site)
            self.frontier.rank(arrival.site, None)

    def _choose_admitted(self, candidates: Sequence[Candidate], hashes: list[int]) -> list[bool]:
        """Which candidates are new. A URL that was only skipped so far may still be wanted."""
        if not any(candidate.skip for candidate in candidates):
            return self.seen_urls.add(hashes)
        return [
            not self.seen_urls.has((key,))[0] and self.skips.add((key,))[0]
            if candidate.skip
            else self.seen_urls.add((key,))[0]
            for candidate, key in zip(candidates, hashes, strict=True)
        ]

    def lease(self, number: CandidateId, rank: int, candidate: Candidate) -> Lease:
        """The lease of a candidate taken, with the priority in force."""
        if rank != rank_of(candidate.priority.tier, candidate.priority.score):
            candidate = replace(candidate, priority=priority_of(rank, "ranked again"))
        return Lease(number, candidate)

    def check_lease(self, number: CandidateId) -> None:
        """Raise unless the candidate is leased: what is recorded twice would count twice."""
        if not self.frontier.is_leased(number):
            raise StoreError(f"candidate {number} has no lease out: take it before recording it")

    def give_back(self, lease: Lease, ready_at: float) -> SiteState:
        """Undo a lease; the site's state that follows."""
        self.check_lease(lease.id)
        state = replace(self.site(lease.candidate.site), ready_at=ready_at)
        self.states[state.site] = state
        self.frontier.release(self.frontier.number(state.site), ready_at)
        return state

    def close_visit(self, visit: Visit, site: SiteState) -> SiteState:
        """Take in a visit and the state it left its site in; the one in force then: a site that
        was closed meanwhile stays closed. The site's lease stays out."""
        number = self.frontier.number(site.site)
        before = self.states.get(site.site)
        if before is not None and before.closed and not site.closed:
            site = replace(site, closed=before.closed)
        self.totals.deep_sites += (site.forms > 0) - (before is not None and before.forms > 0)
        self.states[site.site] = site
        if site.closed:
            self.frontier.close(number)
        self.frontier.close_link(visit.id)
        if visit.outcome != PASSED_OVER:
            self.visited.add(number)
        self.totals.count_visit(visit)
        if visit.digest:
            self.digests.add([digest_key(number, visit.digest)])
        return site

    def reopen(self) -> dict[int, SiteState]:
        """Open the closed sites that answered last, ranked by their links: states by number. What
        waited there, and what was passed over, is to be added to the frontier once more."""
        self.totals.outcomes.pop(PASSED_OVER, None)
        closed = [s for s in self.states.values() if s.closed and not s.errors_in_a_row]
        opened = {self.frontier.number(s.site): replace(s, closed="") for s in closed}
        for number, state in opened.items():
            self.states[state.site] = state
            self.frontier.rank(number, None)
            self.frontier.open(number)
        return opened

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> dict[int, SiteState]:
        """Close the open sites that are meant: states by number."""
        meant = [(n, site) for n, site in enumerate(self.frontier.names) if is_meant(site)]
        closed = {n: replace(self.site(s), closed=why) for n, s in meant if not self.site(s).closed}
        for number, state in closed.items():
            self.states[state.site] = state
            self.frontier.close(number)
        return closed

    def admit_form(self, judged: JudgedForm) -> bool:
        """Whether the form was not met before; it is from here on."""
        if judged.signature in self.signatures:
            return False
        self.signatures.add(judged.signature)
        self.totals.count_form(judged)
        return True

    def rank_site(
        self, site: Site, priority: Priority | None, *, is_guess: bool = False
    ) -> int | None:
        """Rank a site; its number if that changed anything. A guess is about a site that was
        never visited, and changes nothing else."""
        rank = None if priority is None else rank_of(priority.tier, priority.score)
        number = self.frontier.number(site)
        if is_guess:
            best = self.frontier.best_rank(number)
            has_better = rank is not None and best >> SCORE_BITS < rank >> SCORE_BITS
            if number in self.visited or has_better:
                return None
            self.guessed.add(number)
        else:
            self.guessed.discard(number)
        return number if self.frontier.rank(number, rank) else None

    def site(self, site: Site) -> SiteState:
        return self.states.get(site) or SiteState(site)

    def has_digest(self, site: Site, digest: int) -> bool:
        number = self.frontier.find(site)
        if number is None or not digest:
            return False
        return self.digests.has([digest_key(number, digest)])[0]

    def count_waiting(self) -> Waiting:
        return Waiting(self.frontier.tiers(), self.frontier.free_sites())

    def counts(self) -> Counts:
        return counts_of(
            self.totals,
            sites=len(self.visited),
            known=self.arrived,
            waiting=len(self.frontier),
        )


def counts_of(totals: Totals, *, sites: int, known: int, waiting: int) -> Counts:
    outcomes = dict(totals.outcomes)
    passed_over = outcomes.pop(PASSED_OVER, 0)
    return Counts(
        pages=outcomes.get("page", 0),
        visits=sum(outcomes.values()),
        passed_over=passed_over,
        failed=sum(n for outcome, n in outcomes.items() if outcome not in ANSWERED),
        requests=totals.requests,
        size_bytes=totals.size_bytes,
        forms=totals.forms,
        searchable=totals.searchable,
        sites=sites,
        deep_sites=totals.deep_sites,
        known=known,
        waiting=waiting,
        skipped=totals.skipped,
        outcomes=outcomes,
    )


def digest_key(site: int, digest: int) -> int:
    """One number for a text on a site."""
    return (digest + (site + 1) * _SPREAD) & _HASH_MASK or 1


def digest_keys(sites: NDArray[np.int64], digests: NDArray[np.int64]) -> Hashes:
    """`digest_key` for many, with digests as the database keeps them."""
    spread = (sites + 1).astype(np.uint64) * np.uint64(_SPREAD)
    keys: Hashes = digests.view(np.uint64) + spread
    keys[keys == 0] = 1
    return keys
