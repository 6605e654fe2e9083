"""How several processes crawl on one store: leases on sites, completions, lessons, models.

`Shared` is the port beside `Store` for workers that may die or stall at any time
(decision 20). What a worker does goes round like this: `lease` some sites with their best
links, fetch, `deliver` what they brought. One process at a time, the learner, reads what
there is to learn from (`lessons`) and publishes models.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.crawl import (
    Budget,
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
    Visit,
    Waiting,
)
from leadline.core.inbox import Inbox
from leadline.core.ports import Harvests
from leadline.core.url import Site, Url

RUNNING, PAUSED, STOPPED = "running", "paused", "stopped"
"""States of a run."""

NOTHING_LEFT = "nothing left to follow"
LEARNER = "learner"
"""The claim of who learns."""
PRESENT_S = 60.0
"""A worker that was not heard of for so long and has nothing on lease is gone."""
RERANKED = 1_000
"""Links of a site that are ranked again when it is leased: the best by their older rank."""


class SiteLease(Struct, frozen=True):
    """The right to ask one site, until a moment, for some of its links.

    Nobody else may ask the site before `until`; afterwards anybody may, and what was found under
    an older epoch is refused then.
    """

    site: SiteState
    """`ready_at` is 0: a leased site may be asked at once."""
    epoch: int
    """Rises with each lease of the site."""
    until: float
    """On CLOCK_BOOTTIME of this machine, counted from before the lease was asked for. Check it
    before each request, with a margin for the time the request takes to leave."""
    leases: tuple[Lease, ...]
    """The best waiting links of the site, best first."""


class Completion(Struct, frozen=True):
    """What one visit under a lease brought."""

    visit: Visit
    site: SiteState
    """After the visit. `ready_at` is not looked at: see `Delivery.rest_s`."""
    found: tuple[Candidate, ...] = ()
    forms: tuple[JudgedForm, ...] = ()
    events: tuple[Event, ...] = ()
    rank: Priority | None = None
    """The site's own rank from here on; None: as before."""
    version: int = 0
    """Of the model by which `found` were ranked; 0: by none."""
    lesson: bytes = b""
    """What the learner needs of it; b'' for nothing."""


class Delivery(Struct, frozen=True):
    """What was done under a lease; nothing at all when it only goes back."""

    lease: SiteLease
    done: tuple[Completion, ...] = ()
    """In the order of visiting."""
    rest_s: float = 0.0
    """The site's pause from now on."""
    is_over: bool = True
    """Whether the lease ends; links of it that were not visited wait again."""


class Ranking(NamedTuple):
    """The model by which waiting links are to be ranked before they are leased."""

    version: int
    width: int
    """Feature ids per link."""
    score: Callable[[NDArray[np.int32], NDArray[np.float32], FeatureRows], None]
    """`Strategy.rescore`."""


class Lesson(NamedTuple):
    number: int
    """Rising in the order of telling, with gaps."""
    body: bytes


class Model(Struct, frozen=True):
    """What the learner knew at some moment."""

    version: int
    """From 1, rising."""
    state: bytes
    """`Strategy.state`."""
    upto: int = 0
    """The last lesson in it; 0 for none."""


class Claim(Struct, frozen=True):
    """The right to be the only one at something: the learner, a form's harvest."""

    name: str
    worker: str
    epoch: int
    """Rises each time the claim passes to another worker."""
    until: float
    """On CLOCK_BOOTTIME of this machine, like that of a lease."""


class Run(Struct, frozen=True):
    """The state of the run that all workers are part of."""

    state: str = STOPPED
    """`running`, `paused`, `stopped`."""
    reason: str = ""
    """Why it stopped."""
    budget: Budget = Budget()
    number: int = 0
    """Of the run, from 1; 0 before the first."""


class Worker(Struct, frozen=True):
    """A process that takes part, or did."""

    name: str
    """Unlike that of any other process, before or after."""
    seen_s: float
    """Seconds since it leased or delivered last; inf after it signed off."""
    out: int
    """Links it has on lease."""
    visits: int

    @property
    def is_present(self) -> bool:
        return self.out > 0 or self.seen_s < PRESENT_S


class Team(Struct, frozen=True):
    """Who crawls together."""

    workers: tuple[Worker, ...]
    """All that ever took part, by name."""
    learner: str = ""
    """Its name; '' while nobody learns."""
    model: int = 0
    """The newest version."""
    lessons: int = 0
    """That are not in it yet."""

    @property
    def present(self) -> tuple[Worker, ...]:
        return tuple(one for one in self.workers if one.is_present)

    @property
    def gone(self) -> tuple[Worker, ...]:
        return tuple(one for one in self.workers if not one.is_present)


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
