"""The store by the names of the port before `core.store`, until all use that."""

from collections.abc import Callable, Sequence

from leadline.core.crawl import Candidate, CandidateId
from leadline.core.shared import Run
from leadline.core.store import NEVER, STOPPED, Completion, Delivery, SiteLease
from leadline.errors import LeaseLostError
from leadline.store.leases import boottime
from leadline.store.postgres.store import PostgresStore, make_store


class PostgresShared:
    """`Shared` on a PostgresStore."""

    def __init__(
        self,
        url: str,
        machine: str | None = None,
        boot: Callable[[], float] = boottime,
        clock: str = "clock_timestamp()",
    ) -> None:
        store = self.store = PostgresStore(url, machine, boot, clock)
        self._session = store._session
        self._numbers = store.links._numbers
        self.begin = store.run.begin
        self.limit = store.run.set_budget
        self.pause = store.run.pause
        self.resume = store.run.resume
        self.stop = store.run.stop
        self.why_stop = store.run.stop_reason
        self.spend = store.run.spend
        self.workers = store.run.workers
        self.sign_off = store.run.sign_off
        self.put = store.links.put
        self.lease = store.links.lease
        self.lease_site = store.links.lease_site
        self.wait_s = store.links.wait_s
        self.deliver = store.links.deliver
        self.rank_sites = store.links.rank_sites
        self.reopen = store.links.reopen_sites
        self.skipped = store.links.skipped_links
        self.site = store.links.site
        self.known = store.pages.are_known
        self.has_forms = store.pages.have_forms
        self.has_digests = store.pages.have_digests
        self.linking = store.pages.backlinks
        self.lessons = store.learning.lessons
        self.publish = store.learning.publish
        self.model = store.learning.model
        self.claim = store.learning.claim
        self.release = store.learning.release
        self.save = store.save
        self.load = store.load
        self.note = store.note
        self.counts = store.reader.counts
        self.waiting = store.reader.waiting
        self.harvests = store.claimed_harvests
        self.inbox = store.inbox
        self.close = store.close

    def path(self, visit: CandidateId, length: int) -> list[Candidate]:
        return self.store.pages.path(visit, length)

    def run(self) -> Run:
        run = self.store.run.state()
        state = STOPPED if run.state == NEVER else run.state
        return Run(state, run.reason, run.budget, run.number)

    def complete(
        self,
        lease: SiteLease,
        done: Sequence[Completion],
        *,
        rest_s: float = 0.0,
        is_over: bool = True,
    ) -> None:
        if self.deliver([Delivery(lease, tuple(done), rest_s, is_over)]):
            raise LeaseLostError(f"the lease of {lease.site.site} has passed to another worker")


def open_shared(url: str, *, is_new: bool = False) -> PostgresShared:
    """The database at `url`, shared with others; with `is_new` the store is made where there is
    none. Raises StoreError else, StoreLockedError while one process has it alone."""
    if is_new:
        make_store(url)
    return PostgresShared(url)
