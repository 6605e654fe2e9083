"""Where a store that answers from memory leaves what is recorded, and finds it again."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from types import TracebackType

from leadline.core.crawl import Candidate, CandidateId, Event, Skipped, StoredForm, Visit
from leadline.core.store import PublishedModel, StoredLesson
from leadline.core.url import Url
from leadline.errors import StoreError
from leadline.frontier.links import Ids, LinkColumns
from leadline.store.batch import Batch
from leadline.store.index import CrawlIndex
from leadline.store.reading import Reader
from leadline.store.rows import SITE_AT, candidate_of
from leadline.store.writer import Writer


class Journal(ABC):
    """Guarantees: what is added to a batch in one block is kept whole, in the order given. What
    was added is found from then on; lists (visits, forms ...) need `flush` before."""

    index: CrawlIndex
    """Knows the names of sites."""
    lock: AbstractContextManager[object]
    """Held by every call to the store; a thread may take it again."""

    @abstractmethod
    def __enter__(self) -> Batch:
        """The batch to add one record to, with the lock held until the block ends."""

    @abstractmethod
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    @abstractmethod
    def check(self) -> None:
        """Raise StoreError if nothing more can be recorded."""

    @abstractmethod
    def flush(self) -> None:
        """Return when everything recorded so far is durable."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def candidate(self, number: CandidateId) -> Candidate | None: ...

    @abstractmethod
    def find(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        """The last candidate of a URL."""

    @abstractmethod
    def features(self, ids: Ids) -> list[bytes]:
        """The features of candidates, in their order."""

    @abstractmethod
    def waiting_links(self) -> LinkColumns:
        """Candidates neither visited nor skipped, on open sites."""

    @abstractmethod
    def skipped_links(self) -> Iterator[Skipped]: ...

    @abstractmethod
    def backlinks(self, target: Url, limit: int) -> list[Url]: ...

    @abstractmethod
    def visit(self, number: CandidateId) -> Visit | None: ...

    @abstractmethod
    def visits(self, since: CandidateId | None) -> Iterator[Visit]: ...

    @abstractmethod
    def forms(self) -> Iterator[StoredForm]: ...

    def forms_signed(self, signatures: Sequence[str]) -> list[StoredForm]:
        """The forms of these signatures that are durable."""
        wanted = {*signatures}
        return [form for form in self.forms() if form.judged.signature in wanted]

    @abstractmethod
    def events(self) -> Iterator[Event]: ...

    @abstractmethod
    def read_saved(self, key: str) -> bytes | None: ...

    @abstractmethod
    def lessons(self, after: int, limit: int) -> list[StoredLesson]: ...

    @abstractmethod
    def model(self) -> PublishedModel | None:
        """The newest one."""

    def read_leased(self, number: CandidateId) -> Candidate:
        """A candidate that must be there."""
        candidate = self.candidate(number)
        if candidate is None:
            raise StoreError(f"the store is damaged: candidate {number} is missing")
        return candidate


class WrittenJournal(Journal):
    """A journal in a database: `writer` commits batches, `reader` sees what is committed."""

    def __init__(self, writer: Writer, reader: Reader) -> None:
        self._writer = writer
        self._reader = reader
        self.lock = writer.lock

    def __enter__(self) -> Batch:
        return self._writer.__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._writer.__exit__(kind, error, trace)

    def check(self) -> None:
        self._writer.check()

    def flush(self) -> None:
        self._writer.flush()

    def close(self) -> None:
        self._writer.close()

    def candidate(self, number: CandidateId) -> Candidate | None:
        for batch in self._writer.list_pending():
            if number in batch.arrivals:
                return batch.arrivals[number].candidate
        row = self._reader.url_row(number)
        return candidate_of(row, self.index.frontier.names[row[SITE_AT]]) if row else None

    def find(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        return self._reader.candidate(url)

    def features(self, ids: Ids) -> list[bytes]:
        asked, found = ids.tolist(), dict[int, bytes]()
        for batch in self._writer.list_pending():
            queued = batch.arrivals.keys() & set(asked)
            found.update({id_: batch.arrivals[id_].candidate.features for id_ in queued})
        found.update(self._reader.features([id_ for id_ in asked if id_ not in found]))
        return [found[id_] for id_ in asked]

    def skipped_links(self) -> Iterator[Skipped]:
        return self._reader.skipped_links()

    def backlinks(self, target: Url, limit: int) -> list[Url]:
        return self._reader.backlinks(target, limit)

    def visit(self, number: CandidateId) -> Visit | None:
        for batch in self._writer.list_pending():
            if number in batch.visits:
                return batch.visits[number][0]
        return self._reader.visit(number)

    def visits(self, since: CandidateId | None) -> Iterator[Visit]:
        return self._reader.visits(since)

    def forms(self) -> Iterator[StoredForm]:
        return self._reader.forms()

    def forms_signed(self, signatures: Sequence[str]) -> list[StoredForm]:
        return self._reader.forms_signed(signatures)

    def events(self) -> Iterator[Event]:
        return self._reader.events()

    def read_saved(self, key: str) -> bytes | None:
        for batch in self._writer.list_pending():
            if key in batch.saved:
                return batch.saved[key]
        return self._reader.read_saved(key)

    def lessons(self, after: int, limit: int) -> list[StoredLesson]:
        query = "SELECT id, body FROM lessons WHERE id > ? ORDER BY id LIMIT ?"
        return [StoredLesson(*row) for row in self._reader.all(query, after, limit)]

    def model(self) -> PublishedModel | None:
        for batch in self._writer.list_pending():
            if batch.model is not None:
                return batch.model
        query = "SELECT version, state, upto FROM models ORDER BY version DESC LIMIT 1"
        rows = self._reader.all(query)
        return PublishedModel(*rows[0]) if rows else None
