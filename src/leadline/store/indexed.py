"""A store that answers from memory: one process has it, its journal is elsewhere."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack

import numpy as np
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
from leadline.core.inbox import Inbox
from leadline.core.ports import Harvests, Scores
from leadline.core.store import Claim
from leadline.core.url import Site, Url
from leadline.store.index import CrawlIndex
from leadline.store.journal import Journal
from leadline.store.leases import (
    IndexedLearning,
    IndexedLinks,
    IndexedPages,
    IndexedRun,
    LeaseTable,
    StoreClock,
)
from leadline.store.shared.guarded import GuardedHarvests


class IndexedReader:
    """`StoreReader` of one process. Lists wait until what was recorded is written."""

    def __init__(self, index: CrawlIndex, journal: Journal) -> None:
        self._index = index
        self._journal = journal

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        if not self._index.met(url):
            return None
        self._journal.flush()
        return self._journal.find(url)

    def visit(self, number: CandidateId) -> Visit | None:
        self._journal.check()
        return self._journal.visit(number)

    def visits(self, since: CandidateId | None = None) -> Iterator[Visit]:
        self._journal.flush()
        return self._journal.visits(since)

    def forms(self) -> Iterator[StoredForm]:
        self._journal.flush()
        return self._journal.forms()

    def sites(self) -> Iterator[SiteState]:
        with self._journal.lock:
            self._journal.check()
            return iter(list(self._index.states.values()))

    def events(self) -> Iterator[Event]:
        self._journal.flush()
        return self._journal.events()

    def counts(self) -> Counts:
        with self._journal.lock:
            self._journal.check()
            return self._index.counts()

    def waiting(self) -> Waiting:
        with self._journal.lock:
            self._journal.check()
            return self._index.waiting()


class IndexedStore:
    """Keeps the guarantees of `Store` as far as its journal does, for one process.

    What a call changes is in force at once, and durable when the journal has written it.
    """

    harvests: Harvests
    inbox: Inbox

    def __init__(
        self, index: CrawlIndex, journal: Journal, clock: StoreClock, closing: ExitStack
    ) -> None:
        self._index = index
        self._journal = journal
        self._closing = closing
        leases = LeaseTable()
        self.run = IndexedRun(index, journal, clock, leases)
        self.links = IndexedLinks(index, journal, clock, leases, self.run)
        self.pages = IndexedPages(index, journal)
        self.learning = IndexedLearning(index, journal, clock)
        self.reader = IndexedReader(index, journal)

    def claimed_harvests(self, claim: Claim) -> Harvests:
        return GuardedHarvests(self.harvests, lambda: self.learning.check(claim))

    def note(self, event: Event) -> None:
        with self._journal as batch:
            batch.events.append(event)

    def save(self, key: str, value: bytes) -> None:
        with self._journal as batch:
            batch.saved[key] = value

    def load(self, key: str) -> bytes | None:
        self._journal.check()
        return self._journal.saved(key)

    def flush(self) -> None:
        self._journal.flush()

    def close(self) -> None:
        self._closing.close()

    # The methods of the port before `core.store`, until all use that

    def put(self, candidates: Iterable[Candidate]) -> int:
        return self.links.put(candidates)

    def known(self, urls: Sequence[Url]) -> list[bool]:
        return self.pages.are_known(urls)

    def take(self, n: int, now: float) -> list[Lease]:
        with self._journal.lock:
            self._journal.check()
            taken = self._index.frontier.take(n, now)
            leased = self._journal.leased
            return [
                self._index.lease(CandidateId(id_), rank, leased(CandidateId(id_)))
                for id_, rank in taken
            ]

    def next_ready(self) -> float | None:
        self._journal.check()
        return self._index.frontier.next_ready()

    def give_back(self, lease: Lease, ready_at: float) -> None:
        with self._journal as batch:
            state = self._index.give_back(lease, ready_at)
            batch.states[self._index.frontier.number(state.site)] = state

    def record(
        self,
        visit: Visit,
        site: SiteState,
        found: Sequence[Candidate] = (),
        forms: Sequence[JudgedForm] = (),
        events: Sequence[Event] = (),
    ) -> None:
        self.links.record(visit, site, found, forms, events)

    def rank_site(self, site: Site, priority: Priority | None) -> None:
        self.links.rank_sites([(site, priority)])

    def skipped(self) -> Iterator[Skipped]:
        return self.links.skipped_links()

    def reopen(self) -> int:
        return self.links.reopen_sites()

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:
        return self.links.close_sites(is_meant, why)

    def rescore(self, score: Callable[[NDArray[np.int32], Scores, FeatureRows], None]) -> int:
        return self.links.rescore(score)

    def site(self, site: Site) -> SiteState:
        return self.links.site(site)

    def has_form(self, signature: str) -> bool:
        return self.pages.have_forms([signature])[0]

    def has_digest(self, site: Site, digest: int) -> bool:
        return self.pages.have_digests([(site, digest)])[0]

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        return self.reader.candidate(url)

    def path(self, visit: CandidateId) -> list[Candidate]:
        return self.pages.path(visit)

    def linking(self, target: Url, limit: int) -> list[Url]:
        return self.pages.backlinks(target, limit)

    def visit(self, number: CandidateId) -> Visit | None:
        return self.reader.visit(number)

    def visits(self, since: CandidateId | None = None) -> Iterator[Visit]:
        return self.reader.visits(since)

    def forms(self) -> Iterator[StoredForm]:
        return self.reader.forms()

    def sites(self) -> Iterator[SiteState]:
        return self.reader.sites()

    def events(self) -> Iterator[Event]:
        return self.reader.events()

    def counts(self) -> Counts:
        return self.reader.counts()

    def waiting(self) -> Waiting:
        return self.reader.waiting()
