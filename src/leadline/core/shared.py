"""How several processes crawl on one store: the port before `core.store`, until all use that."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from leadline.core.crawl import (
    Budget,
    Candidate,
    CandidateId,
    Counts,
    Event,
    Priority,
    SiteState,
    Skipped,
    Waiting,
)
from leadline.core.inbox import Inbox
from leadline.core.ports import Harvests
from leadline.core.store import (
    LEARNER,
    NOTHING_LEFT,
    PAUSED,
    PRESENT_S,
    RERANKED,
    RUNNING,
    STOPPED,
    Claim,
    Completion,
    Delivery,
    SiteLease,
    Team,
)
from leadline.core.store import LinkRanking as Ranking
from leadline.core.store import StoredLesson as Lesson
from leadline.core.store import StoredModel as Model
from leadline.core.store import WorkerStatus as Worker
from leadline.core.url import Site, Url

__all__ = [
    "LEARNER",
    "NOTHING_LEFT",
    "PAUSED",
    "PRESENT_S",
    "RERANKED",
    "RUNNING",
    "STOPPED",
    "Claim",
    "Completion",
    "Delivery",
    "Lesson",
    "Model",
    "Ranking",
    "Run",
    "Shared",
    "SiteLease",
    "Team",
    "Worker",
]


class Run(Struct, frozen=True):
    """The state of the run that all workers are part of."""

    state: str = STOPPED
    """`running`, `paused`, `stopped`."""
    reason: str = ""
    """Why it stopped."""
    budget: Budget = Budget()
    number: int = 0
    """Of the run, from 1; 0 before the first."""


class Shared(Protocol):
    """The one memory of many workers; its methods may be called from any thread.

    Guarantees: a site has one lease out. A lease that is over time returns by itself and its next
    one has a higher epoch; what is delivered under an older epoch is refused, all of that lease.
    A delivery is kept whole or not at all, and is durable when the call returns. A site is not
    leased before its pause is over, whatever clocks are set to; the pause after a lease that was
    never delivered counts from the lease's end. Visits, and links on lease, are together never
    more than the budget of pages allows. Lessons are told in one order, each once.

    Times are kept in the database's clock; callers say durations only. A call that fails for
    reasons that may pass raises StoreUnreachableError: whether it took effect is unknown then, and
    calling again is right.
    """

    # A run

    def begin(self, budget: Budget) -> bool:
        """Begin a run, unless one is running or paused; whether this call did. Seconds and bytes
        of the budget count from here, pages and forms over the whole store."""
        ...

    def limit(self, budget: Budget) -> None:
        """Change the budget of the run."""
        ...

    def pause(self) -> None:
        """Lease nothing until `resume`."""
        ...

    def resume(self) -> None: ...

    def stop(self, reason: str) -> None:
        """End the run, unless it is over; what is under way may still be delivered."""
        ...

    def run(self) -> Run: ...

    def why_stop(self) -> str:
        """Why nobody should go on: the run was stopped, its budget is spent, or nothing is left:
        nothing on lease and nothing waiting on any open site. '' while there is something to do
        or to wait for. It does not stop the run."""
        ...

    def spend(self, worker: str, pages: int) -> None:
        """Count requests that are no visits against the budget of pages."""
        ...

    def workers(self) -> list[Worker]:
        """All that ever took part, by name."""
        ...

    def sign_off(self, worker: str) -> None:
        """A worker has delivered all it had and is going; who dies is missed by its silence."""
        ...

    # Links

    def put(self, candidates: Sequence[Candidate]) -> int:
        """Add those whose URL is new; how many were."""
        ...

    def lease(
        self,
        worker: str,
        *,
        sites: int,
        urls: int,
        turn: int | None = None,
        for_s: float,
        pause_s: float = 0.0,
        ranking: Ranking | None = None,
    ) -> list[SiteLease]:
        """Up to `sites` best open, ready sites with up to `urls` best links each.

        Of these, up to `turn` are going to be asked for, and count as pages of the budget from now
        on; None: all. The others are at hand for those that turn out not to be worth asking.
        `pause_s` is the least pause after the lease's end if nothing is ever delivered. With a
        `ranking`, links that were ranked by an older model are ranked again first: of each site
        leased, the best RERANKED. Empty while paused, stopped, or out of budget.
        """
        ...

    def lease_site(
        self, worker: str, site: Site, *, for_s: float, pause_s: float = 0.0
    ) -> SiteLease | None:
        """The right to ask one site by name, without any of its links: a redirect or a robots.txt
        leads there. It ends like any other lease. None while another worker has the site, while
        its pause lasts, and while nothing is leased at all. Whether the site is open or was ever
        met does not matter."""
        ...

    def wait_s(self) -> float | None:
        """How long until `lease` may have something; 0: now; None: nothing waits on any site that
        is free or will be by itself."""
        ...

    def complete(
        self,
        lease: SiteLease,
        done: Sequence[Completion],
        *,
        rest_s: float = 0.0,
        is_over: bool = True,
    ) -> None:
        """Deliver one lease. Raises LeaseLostError when its epoch has passed: nothing is kept."""
        ...

    def deliver(self, deliveries: Sequence[Delivery]) -> list[SiteLease]:
        """Deliver many leases in one go; those that were refused because their epoch has passed,
        of which nothing is kept."""
        ...

    def rank_sites(
        self, ranks: Sequence[tuple[Site, Priority | None]], *, waiting: bool = False
    ) -> None:
        """Give sites ranks of their own; None: that of their best link.

        With `waiting`, the ranks are for as long as a site was never visited: one that was has
        moved on since they were made, and goes by its best link again unless its visit says
        otherwise. Nor do they hold back a link of a better tier.
        """
        ...

    def reopen(self) -> int:
        """As `Store.reopen`."""
        ...

    def skipped(self) -> Iterator[Skipped]:
        """As `Store.skipped`."""
        ...

    def site(self, site: Site) -> SiteState:
        """As `Store.site`; `ready_at` means nothing."""
        ...

    # Looking at a page

    def known(self, urls: Sequence[Url]) -> list[bool]:
        """As `Store.known`."""
        ...

    def has_forms(self, signatures: Sequence[str]) -> list[bool]: ...

    def has_digests(self, texts: Sequence[tuple[Site, int]]) -> list[bool]:
        """Which texts were recorded before on their sites; never one with digest 0."""
        ...

    def path(self, visit: CandidateId, length: int) -> list[Candidate]:
        """The last `length` candidates that were followed to `visit`, its own last."""
        ...

    def linking(self, target: Url, limit: int) -> list[Url]:
        """As `Store.linking`."""
        ...

    # Learning

    def lessons(self, after: int, limit: int) -> list[Lesson]:
        """Those after number `after`, in order."""
        ...

    def publish(self, model: Model) -> None:
        """Make a model the newest, and forget the lessons in it. Raises LeaseLostError when there
        is one of this version or a newer one: another learner has taken over."""
        ...

    def model(self, newer_than: int = 0) -> Model | None:
        """The newest model, if it is newer than that version."""
        ...

    # Being the only one

    def claim(self, name: str, worker: str, for_s: float) -> Claim | None:
        """Take or prolong a claim; None while another worker has it."""
        ...

    def release(self, claim: Claim) -> None:
        """Give a claim back before its time. Nothing changes when it has passed on."""
        ...

    # The rest

    def save(self, key: str, value: bytes) -> None: ...

    def load(self, key: str) -> bytes | None: ...

    def note(self, event: Event) -> None:
        """Keep an event that belongs to no visit."""
        ...

    def counts(self) -> Counts: ...

    def waiting(self) -> Waiting:
        """What waits, by tier; of a very large store an estimate, so that asking stays quick."""
        ...

    def harvests(self, claim: Claim) -> Harvests:
        """The harvests, written under a claim: every change raises LeaseLostError once the claim
        has passed to another worker. Changes are durable when the call returns."""
        ...

    @property
    def inbox(self) -> Inbox: ...

    def close(self) -> None: ...
