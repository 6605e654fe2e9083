"""A store that answers from memory: one process has it, its journal is elsewhere."""

from collections.abc import Iterator
from contextlib import ExitStack

from leadline.core.crawl import (
    Candidate,
    CandidateId,
    Counts,
    Event,
    SiteState,
    StoredForm,
    Visit,
    Waiting,
)
from leadline.core.inbox import Inbox
from leadline.core.store import Claim, HarvestStore, RunState
from leadline.core.url import Site, Url
from leadline.store.harvests.memory import GuardedHarvests
from leadline.store.index import CrawlIndex
from leadline.store.journal import Journal
from leadline.store.leases import (
    IndexedLearning,
    IndexedLinks,
    IndexedPages,
    IndexedRun,
    IndexedServers,
    LeaseTable,
    StoreClock,
)
from leadline.store.reading import RUN_KEY, decode_run


class IndexedReader:
    """`StoreReader` of one process. Lists wait until what was recorded is written."""

    def __init__(self, index: CrawlIndex, journal: Journal) -> None:
        self._index = index
        self._journal = journal

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        if not self._index.has_met(url):
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

    def site(self, site: Site) -> SiteState:
        with self._journal.lock:
            self._journal.check()
            return self._index.site(site)

    def run(self) -> RunState:
        return decode_run(self._journal.read_saved(RUN_KEY))

    def events(self) -> Iterator[Event]:
        self._journal.flush()
        return self._journal.events()

    def counts(self) -> Counts:
        with self._journal.lock:
            self._journal.check()
            return self._index.counts()

    def count_waiting(self) -> Waiting:
        with self._journal.lock:
            self._journal.check()
            return self._index.count_waiting()


class IndexedStore:
    """Keeps the guarantees of `Store` as far as its journal does, for one process.

    What a call changes is in force at once, and durable when the journal has written it.
    """

    harvests: HarvestStore
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
        self.servers = IndexedServers(journal, clock)

    def claimed_harvests(self, claim: Claim) -> HarvestStore:
        return GuardedHarvests(self.harvests, lambda: self.learning.check(claim))

    def note(self, event: Event) -> None:
        with self._journal as batch:
            batch.events.append(event)

    def save(self, key: str, value: bytes) -> None:
        with self._journal as batch:
            batch.saved[key] = value

    def load(self, key: str) -> bytes | None:
        self._journal.check()
        return self._journal.read_saved(key)

    def flush(self) -> None:
        self._journal.flush()

    def close(self) -> None:
        self._closing.close()
