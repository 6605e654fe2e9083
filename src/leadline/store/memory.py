"""A store that forgets when the process ends: the reference for all others."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Counts,
    Event,
    FeatureRows,
    JudgedForm,
    Lease,
    Priority,
    SiteState,
    Skipped,
    StoredForm,
    Visit,
    Waiting,
)
from leadline.core.ports import Scores
from leadline.core.url import Site, Url, is_home_page, site_of
from leadline.frontier import Frontier
from leadline.frontier.ranks import rank_of
from leadline.store.harvests.memory import MemoryHarvests
from leadline.store.inbox import MemoryInbox
from leadline.store.ledger import PASSED_OVER, Ledger


class MemoryStore:
    """Keeps the guarantees of `Store` as long as the process lives. Nothing spills."""

    def __init__(self, width: int = 0) -> None:
        self._ledger = Ledger(Frontier(width))
        self._candidates: dict[CandidateId, Candidate] = {}
        self._ids: dict[Url, CandidateId] = {}
        self._visits: dict[CandidateId, Visit] = {}
        self._forms: dict[str, StoredForm] = {}
        self._events: list[Event] = []
        self._values: dict[str, bytes] = {}
        self.harvests = MemoryHarvests()
        self.inbox = MemoryInbox()

    def put(self, candidates: Iterable[Candidate]) -> int:
        arrivals = self._ledger.admit(list(candidates))
        for arrival in arrivals:
            self._candidates[arrival.id] = arrival.candidate
            self._ids[arrival.candidate.url] = arrival.id
        return len(arrivals)

    def known(self, urls: Sequence[Url]) -> list[bool]:
        return self._ledger.known(urls)

    def take(self, n: int, now: float) -> list[Lease]:
        taken = ((CandidateId(id_), rank) for id_, rank in self._ledger.frontier.take(n, now))
        return [self._ledger.lease(id_, rank, self._candidates[id_]) for id_, rank in taken]

    def next_ready(self) -> float | None:
        return self._ledger.frontier.next_ready()

    def give_back(self, lease: Lease, ready_at: float) -> None:
        self._ledger.give_back(lease, ready_at)

    def record(
        self,
        visit: Visit,
        site: SiteState,
        found: Sequence[Candidate] = (),
        forms: Sequence[JudgedForm] = (),
        events: Sequence[Event] = (),
    ) -> None:
        self._ledger.check_lease(visit.id)
        self.put(found)
        self._ledger.close_visit(visit, site)
        self._visits[visit.id] = visit
        for judged in forms:
            if self._ledger.admit_form(judged):
                form = StoredForm(judged, visit.site, visit.id, visit.at)
            else:
                met = self._forms[judged.signature]
                form = replace(met, sightings=met.sightings + 1)
            self._forms[judged.signature] = form
        self._events.extend(events)

    def rank_site(self, site: Site, priority: Priority | None) -> None:
        self._ledger.rank_site(site, priority)

    def skipped(self) -> Iterator[Skipped]:
        for link in list(self._candidates.values()):
            if link.skip and link.parent is not None:
                parent, visit = self._candidates[link.parent], self._visits[link.parent]
                depth = parent.depth + 1 if parent.site == link.site else 0
                yield Skipped(replace(link, depth=depth), visit.relevance)

    def reopen(self) -> int:
        opened, frontier = self._ledger.reopen(), self._ledger.frontier
        passed_over = [n for n, v in self._visits.items() if v.outcome == PASSED_OVER]
        for number in passed_over:
            del self._visits[number]
        waiting = set(frontier.ranks()[0].tolist())
        for number, link in self._candidates.items():
            is_out = number in waiting or number in self._visits or frontier.is_leased(number)
            if not link.skip and not is_out:
                rank = rank_of(link.priority.tier, link.priority.score)
                frontier.add([number], [frontier.number(link.site)], [rank], [link.features])
        return len(opened)

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:
        return [state.site for state in self._ledger.close_sites(is_meant, why).values()]

    def rescore(self, score: Callable[[NDArray[np.int32], Scores, FeatureRows], None]) -> int:
        return self._ledger.frontier.rescore(score)

    def note(self, event: Event) -> None:
        self._events.append(event)

    def site(self, site: Site) -> SiteState:
        return self._ledger.site(site)

    def has_form(self, signature: str) -> bool:
        return signature in self._ledger.signatures

    def has_digest(self, site: Site, digest: int) -> bool:
        return self._ledger.has_digest(site, digest)

    def save(self, key: str, value: bytes) -> None:
        self._values[key] = value

    def load(self, key: str) -> bytes | None:
        return self._values.get(key)

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        number = self._ids.get(url)
        return None if number is None else (number, self._candidates[number])

    def path(self, visit: CandidateId) -> list[Candidate]:
        return walk_back(visit, self._candidates.get)

    def linking(self, target: Url, limit: int) -> list[Url]:
        return find_backlinks(target, self._candidates)[:limit]

    def visit(self, number: CandidateId) -> Visit | None:
        return self._visits.get(number)

    def visits(self, since: CandidateId | None = None) -> Iterator[Visit]:
        recorded = list(self._visits.values())
        if since is None:
            return iter(recorded)
        numbers = list(self._visits)
        return iter(recorded[numbers.index(since) + 1 :] if since in self._visits else ())

    def forms(self) -> Iterator[StoredForm]:
        return iter(list(self._forms.values()))

    def sites(self) -> Iterator[SiteState]:
        return iter(list(self._ledger.states.values()))

    def events(self) -> Iterator[Event]:
        return iter(list(self._events))

    def counts(self) -> Counts:
        return self._ledger.counts()

    def waiting(self) -> Waiting:
        return self._ledger.waiting()

    def flush(self) -> None:
        """Nothing to do: this store is never durable."""

    def close(self) -> None:
        """Nothing to do."""


def walk_back(
    number: CandidateId, find: Callable[[CandidateId], Candidate | None]
) -> list[Candidate]:
    """The candidates from a seed to `number`, both included; [] when it is unknown."""
    steps: list[Candidate] = []
    at: CandidateId | None = number
    while at is not None and (candidate := find(at)) is not None:
        steps.append(candidate)
        # A parent was visited before its links arrived, so numbers only fall.
        is_earlier = candidate.parent is not None and candidate.parent < at
        at = candidate.parent if is_earlier else None
    return steps[::-1]


def find_backlinks(target: Url, candidates: Mapping[CandidateId, Candidate]) -> list[Url]:
    """Visited pages known to link to `target`, as `Store.linking` tells them."""
    is_home, site = is_home_page(target), site_of(target)
    found: dict[Url, None] = {}
    for link in candidates.values():
        if (link.site != site) if is_home else (link.url != target):
            continue
        parent = None if link.parent is None else candidates.get(link.parent)
        if parent is not None and not (is_home and parent.site == site):
            found.setdefault(parent.url)
    return list(found)
