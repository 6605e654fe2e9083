"""A durable store that answers from memory: one process writes, its tables are elsewhere."""

from abc import ABC, abstractmethod
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
from leadline.core.url import Site, Url
from leadline.errors import StoreError
from leadline.frontier import Frontier
from leadline.frontier.rows import Ids
from leadline.frontier.tail import Spilled
from leadline.store.batch import Batch
from leadline.store.harvests.reading import HarvestReader
from leadline.store.harvests.written import WrittenHarvests
from leadline.store.ledger import Arrival, Ledger
from leadline.store.memory import walk_back
from leadline.store.reading import Reader
from leadline.store.rows import SITE_AT, candidate_of
from leadline.store.writer import Writer


class LedgerStore(ABC):
    """Keeps the guarantees of `Store` across kill -9, for one process.

    What a call changes is in force at once and committed a quarter of a second
    later; calls that read from the tables wait for that. `candidate` and `path` tell
    priorities as they were on arrival, a lease the one in force.
    """

    harvests: Harvests
    desk: Inbox
    _closing: ExitStack

    def _begin(self, reader: Reader, writer: Writer, width: int, memory_links: int | None) -> None:
        """Bring back what is held in memory."""
        self._reader = reader
        self._writer = writer
        frontier = Frontier(width, memory_links, self._features)
        self._ledger = self._recover(frontier)
        self._sites_queued = len(frontier.names)
        self.harvests = WrittenHarvests(writer, HarvestReader(reader))

    @abstractmethod
    def _recover(self, frontier: Frontier) -> Ledger:
        """The ledger as it was when the last transaction was committed."""

    @abstractmethod
    def _waiting_links(self) -> Spilled:
        """Candidates neither visited nor skipped, on open sites, as committed."""

    def put(self, candidates: Iterable[Candidate]) -> int:
        with self._writer as batch:
            arrivals = self._ledger.admit(list(candidates))
            self._queue(batch, arrivals)
        return len(arrivals)

    def known(self, urls: Sequence[Url]) -> list[bool]:
        self._writer.check()
        return self._ledger.known(urls)

    def take(self, n: int, now: float) -> list[Lease]:
        self._writer.check()
        taken = ((CandidateId(id_), rank) for id_, rank in self._ledger.frontier.take(n, now))
        return [self._ledger.lease(id_, rank, self._leased(id_)) for id_, rank in taken]

    def next_ready(self) -> float | None:
        self._writer.check()
        return self._ledger.frontier.next_ready()

    def give_back(self, lease: Lease, ready_at: float) -> None:
        with self._writer as batch:
            state = self._ledger.give_back(lease, ready_at)
            batch.states[self._ledger.frontier.number(state.site)] = state

    def record(
        self,
        visit: Visit,
        site: SiteState,
        found: Sequence[Candidate] = (),
        forms: Sequence[JudgedForm] = (),
        events: Sequence[Event] = (),
    ) -> None:
        with self._writer as batch:
            self._ledger.check_lease(visit.id)
            arrivals = self._ledger.admit(found)
            site = self._ledger.close_visit(visit, site)
            number = self._ledger.frontier.number(visit.site)
            self._queue(batch, arrivals)
            batch.visits[visit.id] = visit, number
            batch.states[self._ledger.frontier.number(site.site)] = site
            for judged in forms:
                if self._ledger.admit_form(judged):
                    batch.forms.append((judged, number, visit))
                else:
                    batch.sightings[judged.signature] += 1
            batch.events.extend(events)

    def rank_site(self, site: Site, priority: Priority | None) -> None:
        with self._writer as batch:
            number = self._ledger.rank_site(site, priority)
            if number is not None:
                self._queue(batch, [])
                batch.site_ranks[number] = priority

    def skipped(self) -> Iterator[Skipped]:
        self._writer.flush()
        return self._reader.skipped()

    def reopen(self) -> int:
        # What is passed over in the same batch would come after the deletion.
        self._writer.flush()
        with self._writer as batch:
            opened = self._ledger.reopen()
            batch.is_reopening = True
            batch.states.update(opened)
            batch.site_ranks.update(dict.fromkeys(opened))
        self._writer.flush()
        frontier, links = self._ledger.frontier, self._waiting_links()
        leased = [number for number in links.ids.tolist() if frontier.is_leased(number)]
        links = links.pick(~np.isin(links.ids, [*frontier.ranks()[0].tolist(), *leased]))
        sites, ranks, ids = (column.tolist() for column in links)
        frontier.add(ids, sites, ranks, self._features(links.ids))
        return len(opened)

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:
        with self._writer as batch:
            closed = self._ledger.close_sites(is_meant, why)
            self._queue(batch, [])
            batch.states.update(closed)
        return [state.site for state in closed.values()]

    def rescore(self, score: Callable[[NDArray[np.int32], Scores, FeatureRows], None]) -> int:
        self._writer.check()
        count = self._ledger.frontier.rescore(score)
        with self._writer as batch:
            batch.ranks = self._ledger.frontier.ranks()
        return count

    def note(self, event: Event) -> None:
        with self._writer as batch:
            batch.events.append(event)

    def site(self, site: Site) -> SiteState:
        self._writer.check()
        return self._ledger.site(site)

    def has_form(self, signature: str) -> bool:
        self._writer.check()
        return signature in self._ledger.signatures

    def has_digest(self, site: Site, digest: int) -> bool:
        self._writer.check()
        return self._ledger.has_digest(site, digest)

    def save(self, key: str, value: bytes) -> None:
        with self._writer as batch:
            batch.saved[key] = value

    def load(self, key: str) -> bytes | None:
        self._writer.check()
        for batch in self._writer.pending():
            if key in batch.saved:
                return batch.saved[key]
        return self._reader.saved(key)

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        if not self._ledger.met(url):
            return None
        self._writer.flush()
        return self._reader.find(url)

    def path(self, visit: CandidateId) -> list[Candidate]:
        self._writer.check()
        return walk_back(visit, self._candidate)

    def linking(self, target: Url, limit: int) -> list[Url]:
        self._writer.flush()
        return self._reader.linking(target, limit)

    def visit(self, number: CandidateId) -> Visit | None:
        self._writer.check()
        for batch in self._writer.pending():
            if number in batch.visits:
                return batch.visits[number][0]
        return self._reader.visit(number)

    def visits(self, since: CandidateId | None = None) -> Iterator[Visit]:
        self._writer.flush()
        return self._reader.visits(since)

    def forms(self) -> Iterator[StoredForm]:
        self._writer.flush()
        return self._reader.forms()

    def sites(self) -> Iterator[SiteState]:
        self._writer.check()
        return iter(list(self._ledger.states.values()))

    def events(self) -> Iterator[Event]:
        self._writer.flush()
        return self._reader.events()

    def counts(self) -> Counts:
        self._writer.check()
        return self._ledger.counts()

    def waiting(self) -> Waiting:
        self._writer.check()
        return self._ledger.waiting()

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._closing.close()

    def _queue(self, batch: Batch, arrivals: list[Arrival]) -> None:
        """Queue what arrived, and the sites that got a number since."""
        batch.arrivals.update({arrival.id: arrival for arrival in arrivals})
        names = self._ledger.frontier.names
        batch.sites.extend((at, names[at]) for at in range(self._sites_queued, len(names)))
        self._sites_queued = len(names)

    def _leased(self, number: CandidateId) -> Candidate:
        candidate = self._candidate(number)
        if candidate is None:
            raise StoreError(f"{self._reader.path} is damaged: candidate {number} is missing")
        return candidate

    def _candidate(self, number: CandidateId) -> Candidate | None:
        for batch in self._writer.pending():
            if number in batch.arrivals:
                return batch.arrivals[number].candidate
        row = self._reader.url_row(number)
        return candidate_of(row, self._ledger.frontier.names[row[SITE_AT]]) if row else None

    def _features(self, ids: Ids) -> list[bytes]:
        """The features of spilled links, for the frontier."""
        asked, found = ids.tolist(), dict[int, bytes]()
        for batch in self._writer.pending():
            queued = batch.arrivals.keys() & set(asked)
            found.update({id_: batch.arrivals[id_].candidate.features for id_ in queued})
        found.update(self._reader.features([id_ for id_ in asked if id_ not in found]))
        return [found[id_] for id_ in asked]
