"""A store opened to look at, also while a crawl writes it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

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
from leadline.store.harvests.reading import HarvestReader
from leadline.store.harvests.written import ReadOnlyHarvests
from leadline.store.inbox import ReadOnlyInbox
from leadline.store.leases import walk_back
from leadline.store.reading import Reader
from leadline.store.schema import WITH_HARVESTS, WITH_HELD_MATCHES, check_version
from leadline.store.sqlite_reading import SqliteReader, translated


class LookingStore:
    """Tells what is committed at the moment of asking. Every change raises StoreError."""

    def __init__(self, reader: Reader, harvests: Harvests, desk: Inbox) -> None:
        self._reader = reader
        self.harvests = harvests
        self.inbox = desk

    def put(self, candidates: Iterable[Candidate]) -> int:  # noqa: ARG002
        self._refuse()

    def known(self, urls: Sequence[Url]) -> list[bool]:
        return [self._reader.knows(url) for url in urls]

    def take(self, n: int, now: float) -> list[Lease]:  # noqa: ARG002
        self._refuse()

    def next_ready(self) -> float | None:
        self._refuse()

    def give_back(self, lease: Lease, ready_at: float) -> None:  # noqa: ARG002
        self._refuse()

    def record(
        self,
        visit: Visit,  # noqa: ARG002
        site: SiteState,  # noqa: ARG002
        found: Sequence[Candidate] = (),  # noqa: ARG002
        forms: Sequence[JudgedForm] = (),  # noqa: ARG002
        events: Sequence[Event] = (),  # noqa: ARG002
    ) -> None:
        self._refuse()

    def rank_site(self, site: Site, priority: Priority | None) -> None:  # noqa: ARG002
        self._refuse()

    def skipped(self) -> Iterator[Skipped]:
        return self._reader.skipped()

    def reopen(self) -> int:
        self._refuse()

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:  # noqa: ARG002
        self._refuse()

    def rescore(
        self,
        score: Callable[[NDArray[np.int32], Scores, FeatureRows], None],  # noqa: ARG002
    ) -> int:
        self._refuse()

    def note(self, event: Event) -> None:  # noqa: ARG002
        self._refuse()

    def site(self, site: Site) -> SiteState:
        return self._reader.site(site)

    def has_form(self, signature: str) -> bool:
        return self._reader.has_form(signature)

    def has_digest(self, site: Site, digest: int) -> bool:
        return self._reader.has_digest(site, digest)

    def save(self, key: str, value: bytes) -> None:  # noqa: ARG002
        self._refuse()

    def load(self, key: str) -> bytes | None:
        return self._reader.saved(key)

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        return self._reader.candidate(url)

    def path(self, visit: CandidateId) -> list[Candidate]:
        return walk_back(visit, self._reader.numbered_candidate)

    def linking(self, target: Url, limit: int) -> list[Url]:
        return self._reader.linking(target, limit)

    def visit(self, number: CandidateId) -> Visit | None:
        return self._reader.visit(number)

    def visits(self, since: CandidateId | None = None) -> Iterator[Visit]:
        return self._reader.visits(since)

    def forms(self) -> Iterator[StoredForm]:
        return self._reader.forms()

    def sites(self) -> Iterator[SiteState]:
        return self._reader.sites()

    def events(self) -> Iterator[Event]:
        return self._reader.events()

    def counts(self) -> Counts:
        return self._reader.counts()

    def waiting(self) -> Waiting:
        return self._reader.waiting()

    def flush(self) -> None:
        """Nothing to do: what this store tells is durable."""

    def close(self) -> None:
        self._reader.close()

    def _refuse(self) -> NoReturn:
        raise StoreError(f"{self._reader.path} was opened read-only")


class ReadOnlyStore(LookingStore):
    """A store file."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise StoreError(f"there is no store at {path}")
        reader = SqliteReader(path)
        with translated(path):
            version = check_version(reader.connection, path)
        has_held_matches = version >= WITH_HELD_MATCHES
        harvests = HarvestReader(reader, has_held_matches=has_held_matches)
        super().__init__(
            reader,
            ReadOnlyHarvests(harvests if version >= WITH_HARVESTS else None, path),
            ReadOnlyInbox(reader),
        )
