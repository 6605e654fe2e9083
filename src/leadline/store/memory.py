"""A store that forgets when the process ends: the reference for all others."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from types import TracebackType

import numpy as np
from msgspec.structs import replace

from leadline.core.crawl import Candidate, CandidateId, Event, Skipped, StoredForm, Visit
from leadline.core.store import PublishedModel, StoredLesson
from leadline.core.url import Url, is_home_page, site_of
from leadline.frontier import Frontier
from leadline.frontier.links import Ids, LinkColumns
from leadline.store.batch import Batch
from leadline.store.harvests.memory import MemoryHarvests
from leadline.store.inbox import MemoryInbox
from leadline.store.index import PASSED_OVER, SKIPPED, CrawlIndex
from leadline.store.indexed import IndexedStore
from leadline.store.journal import Journal
from leadline.store.leases import StoreClock


class MemoryJournal(Journal):
    """One batch that is never written: it is all there is."""

    def __init__(self, index: CrawlIndex) -> None:
        self.index = index
        self._lock = threading.RLock()
        self.lock = self._lock
        self._batch = Batch()

    def __enter__(self) -> Batch:
        self._lock.acquire()
        return self._batch

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        batch = self._batch
        batch.ranks = None
        if batch.is_reopening:
            batch.is_reopening = False
            passed_over = [n for n, (v, _) in batch.visits.items() if v.outcome == PASSED_OVER]
            for number in passed_over:
                del batch.visits[number]
        if batch.model is not None:
            for lesson in [one for one in batch.lessons if one <= batch.model.upto]:
                del batch.lessons[lesson]
        self._lock.release()

    def check(self) -> None:
        """Nothing can fail."""

    def flush(self) -> None:
        """Nothing to do: this store is never durable."""

    def close(self) -> None:
        """Nothing to do."""

    def candidate(self, number: CandidateId) -> Candidate | None:
        arrival = self._batch.arrivals.get(number)
        return None if arrival is None else arrival.candidate

    def find(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        for number, arrival in reversed(self._batch.arrivals.items()):
            if arrival.candidate.url == url:
                return number, arrival.candidate
        return None

    def features(self, ids: Ids) -> list[bytes]:
        return [self._batch.arrivals[id_].candidate.features for id_ in ids.tolist()]

    def waiting_links(self) -> LinkColumns:
        batch, names, states = self._batch, self.index.frontier.names, self.index.states
        closed = {site for site, state in states.items() if state.closed}
        links = [
            (arrival.site, arrival.rank, number)
            for number, arrival in batch.arrivals.items()
            if arrival.rank != SKIPPED
            and number not in batch.visits
            and names[arrival.site] not in closed
        ]
        columns = np.array(links, np.int64).reshape(-1, 3)
        return LinkColumns(columns[:, 0].astype(np.int32), columns[:, 1], columns[:, 2])

    def skipped_links(self) -> Iterator[Skipped]:
        arrivals, visits = self._batch.arrivals, self._batch.visits
        for arrival in list(arrivals.values()):
            link = arrival.candidate
            if link.skip and link.parent is not None:
                parent = arrivals[link.parent].candidate
                depth = parent.depth + 1 if parent.site == link.site else 0
                yield Skipped(replace(link, depth=depth), visits[link.parent][0].relevance)

    def backlinks(self, target: Url, limit: int) -> list[Url]:
        with self._lock:
            arrivals = self._batch.arrivals
            candidates = {number: arrival.candidate for number, arrival in arrivals.items()}
        return find_backlinks(target, candidates)[:limit]

    def visit(self, number: CandidateId) -> Visit | None:
        visited = self._batch.visits.get(number)
        return None if visited is None else visited[0]

    def visits(self, since: CandidateId | None) -> Iterator[Visit]:
        recorded = [visit for visit, _ in self._batch.visits.values()]
        if since is None:
            return iter(recorded)
        numbers = list(self._batch.visits)
        return iter(recorded[numbers.index(since) + 1 :] if since in self._batch.visits else ())

    def forms(self) -> Iterator[StoredForm]:
        names, sightings = self.index.frontier.names, self._batch.sightings
        rejudged = self._batch.rejudged
        for met, site, visit, topic in list(self._batch.forms):
            judged = rejudged.get(met.signature, met)
            times = 1 + sightings[judged.signature]
            yield StoredForm(judged, names[site], visit.id, visit.at, times, topic)

    def events(self) -> Iterator[Event]:
        return iter(list(self._batch.events))

    def read_saved(self, key: str) -> bytes | None:
        return self._batch.saved.get(key)

    def lessons(self, after: int, limit: int) -> list[StoredLesson]:
        with self._lock:
            told = [StoredLesson(*one) for one in self._batch.lessons.items()]
        return [lesson for lesson in told if lesson.number > after][:limit]

    def model(self) -> PublishedModel | None:
        return self._batch.model


class MemoryStore(IndexedStore):
    """Keeps the guarantees of `Store` as long as the process lives. Nothing spills."""

    def __init__(
        self,
        width: int = 0,
        clock: StoreClock | None = None,
        journal: Callable[[CrawlIndex], MemoryJournal] = MemoryJournal,
    ) -> None:
        index = CrawlIndex(Frontier(width))
        super().__init__(index, journal(index), clock or StoreClock(), ExitStack())
        self.harvests = MemoryHarvests()
        self.inbox = MemoryInbox()


def find_backlinks(target: Url, candidates: Mapping[CandidateId, Candidate]) -> list[Url]:
    """Visited pages known to link to `target`, as `PageIndex.backlinks` tells them."""
    is_home, site = is_home_page(target), site_of(target)
    found: dict[Url, None] = {}
    for link in candidates.values():
        if (link.site != site) if is_home else (link.url != target):
            continue
        parent = None if link.parent is None else candidates.get(link.parent)
        if parent is not None and not (is_home and parent.site == site):
            found.setdefault(parent.url)
    return list(found)
