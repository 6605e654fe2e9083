"""What who follows a store reads of it: what came since a mark, and single pages of long lists."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import Event, Priority, SiteState, StoredForm, Visit
from leadline.core.harvest import HarvestId, StoredQuery, StoredRecord
from leadline.core.store import Team
from leadline.core.url import Site, Url


class VisitColumns(NamedTuple):
    """Visits in order of recording, one sequence for each of their facts."""

    marks: Sequence[int]
    """Rising; the last one is the mark to go on from."""
    numbers: Sequence[int]
    """Of their candidates."""
    sites: Sequence[int]
    """Numbers of sites."""
    outcomes: Sequence[str]
    ats: Sequence[float]
    sizes: Sequence[int]
    requests: Sequence[int]
    forms: Sequence[int]
    """Distinct relevant forms first seen there."""
    ends: Sequence[Url | None]
    """Where redirects led."""


class ArrivalColumns(NamedTuple):
    """Candidates in order of arrival."""

    first: int
    """The number of the first one; the others follow it."""
    sites: NDArray[np.int32]
    are_skipped: NDArray[np.bool_]

    @property
    def last(self) -> int:
        """The number of the last one: the mark to go on from."""
        return self.first + len(self.sites) - 1


class FormEntry(Struct, frozen=True):
    """A form with what its page was."""

    mark: int
    form: StoredForm
    site: int
    title: str = ""
    language: str = ""


class StateEntry(Struct, frozen=True):
    """The state a site is in since `mark`."""

    mark: int
    site: int
    state: SiteState


class RankEntry(Struct, frozen=True):
    """The rank of its own that a site has since `mark`; None: that of its best link."""

    mark: int
    site: int
    rank: Priority | None


class EventEntry(Struct, frozen=True):
    """An event with its number."""

    mark: int
    event: Event


class HarvestHead(Struct, frozen=True):
    """A harvest without what its source looks like."""

    id: HarvestId
    signature: str
    site: Site
    policy: str
    at: float
    state: str
    reason: str
    requests: int
    """Spent on anything but pages of results and own pages of records."""


class PageEntry(Struct, frozen=True):
    """A page of results, in numbers."""

    mark: int
    harvest: HarvestId
    query: int
    requests: int
    keys: NDArray[np.uint64]
    """The hash of each record's key."""
    fresh: int
    kind: str
    total: int | None
    is_total_exact: bool


class DetailSums(NamedTuple):
    """Own pages of records."""

    mark: int
    pages: int
    requests: int


class ChangeFeed(Protocol):
    """Tells what a store holds in pieces, for who keeps up with it (decision 0016).

    Guarantees: what is told after a mark was not told before it, in the order of recording, each
    once; nothing committed is passed over, but for visits: those that were `passed-over` vanish
    when a crawl looks at them again, which a `fallback` event says, and marks begin anew then.
    Sites and ranks are told as they are: what they were between two looks is left out. No method
    reads more than `limit` rows, but for those of `sites`, `states` and `ranks`, of which there is
    one a site.
    """

    def visits(self, after: int, limit: int) -> VisitColumns: ...

    def arrivals(self, after: int, limit: int) -> list[ArrivalColumns]:
        """Candidates with a higher number, in at most `limit` blocks."""
        ...

    def forms(self, after: int, limit: int) -> list[FormEntry]: ...

    def sites(self, after: int) -> list[Site]:
        """Their names; numbers follow on each other from 0, so `after` is how many are known."""
        ...

    def states(self, after: int) -> list[StateEntry]:
        """Of the sites whose state changed, each as it is."""
        ...

    def ranks(self, after: int) -> list[RankEntry]:
        """Of the sites whose rank changed, each as it is."""
        ...

    def events(self, after: int, limit: int) -> list[EventEntry]: ...

    def harvests(self, after: int, limit: int) -> list[HarvestHead]:
        """Those with a higher number, as they are."""
        ...

    def harvest(self, number: HarvestId) -> HarvestHead: ...

    def result_pages(self, after: int, limit: int) -> list[PageEntry]: ...

    def details(self, harvest: HarvestId, after: int) -> DetailSums:
        """Sums over those whose record has a higher number; the highest number."""
        ...

    def record_keys(
        self, harvest: HarvestId, after: int
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Numbers and hashes of the keys of its records with a higher number, numbers rising."""
        ...

    def forms_numbered(self, marks: Sequence[int]) -> list[FormEntry]:
        """In the order of the marks."""
        ...

    def visits_marked(self, marks: Sequence[int]) -> list[Visit]:
        """In the order of the marks."""
        ...

    def events_numbered(self, marks: Sequence[int]) -> list[Event]: ...

    def records_numbered(self, numbers: Sequence[int]) -> list[StoredRecord]:
        """In the order of the numbers."""
        ...

    def queries(self, harvest: HarvestId, after: int, limit: int) -> list[StoredQuery]:
        """Those with a higher number."""
        ...

    def query_count(self, harvest: HarvestId) -> int: ...

    def team(self) -> Team | None:
        """Who crawls together at this moment; None where nobody ever did."""
        ...

    def close(self) -> None: ...
