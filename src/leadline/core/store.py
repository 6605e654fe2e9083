"""Where a crawl remembers: one `Store`, cut into ports by who needs them.

The loop goes round like this: `links.lease` some sites with their best links, fetch, look at
`pages` what is known already, `links.deliver` what they brought. `run` says whether to continue.
Memory, SQLite and PostgreSQL keep the same promises, for one worker or many, which may die or
stall at any time. Each port has a file of laws in tests/laws that runs on all three.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
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
    StoredForm,
    Visit,
    Waiting,
)
from leadline.core.harvest import (
    Cell,
    Harvest,
    HarvestCounts,
    HarvestId,
    HarvestSource,
    Outcome,
    Record,
    ResultPage,
    StoredQuery,
    StoredRecord,
)
from leadline.core.inbox import Inbox
from leadline.core.servers import ServerStore
from leadline.core.url import Site, Url

NEVER, RUNNING, PAUSED, STOPPED = "never run", "running", "paused", "stopped"
STOPPING = "stopping"
"""Stopped, while workers finish what is under way."""
CUT_OFF = "cut off"
"""The process that ran ended without a word."""
RUN_STATES = (NEVER, RUNNING, PAUSED, STOPPING, STOPPED, CUT_OFF)

NOTHING_LEFT = "nothing left to follow"
LEARNER = "learner"
"""The claim of who learns."""
PRESENT_S = 60.0
"""A worker that was silent for so long and has nothing on lease is gone."""
RERANKED = 1_000
"""Links of a site that PostgreSQL ranks again when it is leased: the best by their older rank."""


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
    topic: str = ""
    """Under which `forms` were judged."""


class Delivery(Struct, frozen=True):
    """What was done under a lease; nothing at all when it only goes back."""

    lease: SiteLease
    done: tuple[Completion, ...] = ()
    """In the order of visiting."""
    rest_s: float = 0.0
    """The site's pause from now on."""
    is_over: bool = True
    """Whether the lease ends; links of it that were not visited wait again."""


class LinkRanking(NamedTuple):
    """The model by which waiting links are to be ranked before they are leased."""

    version: int
    width: int
    """Feature ids per link."""
    score: Callable[[NDArray[np.int32], NDArray[np.float32], FeatureRows], None]
    """`Strategy.rescore`."""
    least: float = -math.inf
    """Links of a lower score may keep it; -inf: all are ranked."""


class StoredLesson(NamedTuple):
    """What a visit has to teach, on its way to the learner."""

    number: int
    """Rising in the order of delivery, with gaps."""
    body: bytes


class PublishedModel(Struct, frozen=True):
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


class RunState(Struct, frozen=True):
    """What a crawl does, since when, and why it stops or stopped."""

    state: str = NEVER
    """One of RUN_STATES."""
    since: float = 0.0
    """Wall-clock second of the last change of `state`."""
    reason: str = ""
    """Why it stopped."""
    budget: Budget = Budget()
    number: int = 0
    """Of the run, from 1; 0 before the first."""

    @property
    def is_under_way(self) -> bool:
        """Whether it runs or is paused."""
        return self.state in (RUNNING, PAUSED)


def correct_run_state(run: RunState, *, is_written: bool) -> RunState:
    """The state of the last run on a store that is written by some process or by none: a run that
    ended without a word was cut off."""
    is_open = run.state in (RUNNING, PAUSED, STOPPING)
    return replace(run, state=CUT_OFF, reason="") if is_open and not is_written else run


class WorkerStatus(Struct, frozen=True):
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

    workers: tuple[WorkerStatus, ...]
    """All that ever took part, by name."""
    learner: str = ""
    """Its name; '' while nobody learns."""
    model: int = 0
    """The newest version."""
    lessons: int = 0
    """That are not in it yet."""

    @property
    def present(self) -> tuple[WorkerStatus, ...]:
        return tuple(one for one in self.workers if one.is_present)

    @property
    def gone(self) -> tuple[WorkerStatus, ...]:
        return tuple(one for one in self.workers if not one.is_present)


class LinkStore(Protocol):
    """The links that wait, and who may ask which site.

    Guarantees: a URL is put once; a site has one lease out. A lease that is over time returns by
    itself and its next one has a higher epoch; what is delivered under an older epoch is refused,
    all of that lease. A visit, its forms, its links and its site's state are kept together or not
    at all, also when a process dies between any two calls. A site is not leased before its pause
    is over, whatever clocks are set to; the pause after a lease that was never delivered counts
    from the lease's end. Visits, and links on lease, are together never more than the budget of
    pages allows. Methods may be called from any thread.

    Callers say durations only. A call that fails for reasons that may pass raises
    StoreUnreachableError: whether it took effect is unknown then, and calling again is right.
    """

    def put(self, candidates: Iterable[Candidate]) -> int:
        """Add those whose URL is new (seeds, mostly); how many were. A candidate whose `skip` is
        set is stored with its reason and never leased; its URL stays unknown, so that it can be
        wanted when it is met again."""
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
        ranking: LinkRanking | None = None,
    ) -> list[SiteLease]:
        """Up to `sites` best open, ready sites with up to `urls` best links each.

        Of these, up to `turn` are going to be asked for, and count as pages of the budget from now
        on; None: all. The others are at hand for those that turn out not to be worth asking.
        `for_s` may be math.inf for a worker that cannot outlive its store. `pause_s` is the least
        pause after the lease's end if nothing is ever delivered. With a `ranking`, links that were
        ranked by an older model are ranked again first: all of them in memory and SQLite, in
        PostgreSQL the best RERANKED of each site leased. Empty while paused, stopped, or out of
        budget.
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

    def deliver(self, deliveries: Sequence[Delivery]) -> list[SiteLease]:
        """Store what was done under leases; those that are refused because their epoch has
        passed, of which nothing is stored. A visit that was delivered before counts once. Of
        `found`, known URLs are passed over; `forms` met before (by signature) count as one more
        sighting."""
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

    def reopen_sites(self) -> int:
        """Open the sites that were left, with what waited there, unless their last answer was an
        error; how many. They have no rank of their own then. What was passed over waits again, as
        if it had not been looked at."""
        ...

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:
        """Ask the open sites that are meant no more, visited before or not; which these were. A
        lease of theirs stays out until it ends, and the site stays closed then."""
        ...

    def rejudge_forms(self, relevant: Mapping[str, float | JudgedForm]) -> None:
        """Give stored forms another probability of being relevant, or another judgement with its
        evidence, by their signatures; unknown
        ones are passed over. The counts of forms follow, those of their sites too."""
        ...

    def skipped_links(self) -> Iterator[Skipped]:
        """Links that were skipped when they were met, in order; some may wait since then."""
        ...

    def site(self, site: Site) -> SiteState:
        """What is known of a site; a fresh state for an unknown one. `ready_at` means nothing."""
        ...


class RunStore(Protocol):
    """The run that all workers are part of, and its budget."""

    def begin(self, budget: Budget) -> bool:
        """Begin a run, unless one is running or paused; whether this call did. Seconds and bytes
        of the budget count from here, pages and forms over the whole store."""
        ...

    def set_budget(self, budget: Budget) -> None:
        """Change the budget of the run."""
        ...

    def pause(self) -> None:
        """Lease nothing until `resume`. Meanwhile seconds of the budget do not count."""
        ...

    def resume(self) -> None: ...

    def stop(self, reason: str) -> None:
        """End the run, unless it is over; what is under way may still be delivered."""
        ...

    def state(self) -> RunState: ...

    def stop_reason(self) -> str:
        """Why nobody should continue: the run was stopped, its budget is spent, or nothing is
        left: nothing on lease and nothing waiting on any open site. '' while there is something
        to do or to wait for. It does not stop the run."""
        ...

    def spend(self, worker: str, pages: int) -> None:
        """Count requests that are no visits against the budget of pages."""
        ...

    def workers(self) -> list[WorkerStatus]:
        """All that ever took part, by name."""
        ...

    def sign_off(self, worker: str) -> None:
        """A worker has delivered all it had and is going; who dies is missed by its silence."""
        ...


class PageIndex(Protocol):
    """What is known of pages, links and forms: asked for each page that is read."""

    def are_known(self, urls: Sequence[Url]) -> list[bool]:
        """Which of the URLs wait, were visited, or were a redirect's end."""
        ...

    def have_forms(self, signatures: Sequence[str]) -> list[bool]:
        """Which forms were met before."""
        ...

    def have_digests(self, texts: Sequence[tuple[Site, int]]) -> list[bool]:
        """Which texts were met before on their sites; never one with digest 0."""
        ...

    def path(self, visit: CandidateId, length: int | None = None) -> list[Candidate]:
        """The last `length` candidates that were followed to `visit`, its own last; None: all,
        from the seed on. With priorities as they were on arrival."""
        ...

    def backlinks(self, target: Url, limit: int) -> list[Url]:
        """Visited pages known to link to `target`, in the order in which that became known; for a
        home page, pages of other sites that link to anything on its site.

        Of a followed URL the store keeps the link it was first met by, so most links between
        pages that were known already are missing here.
        """
        ...


class LearningStore(Protocol):
    """Between workers and the one among them that learns; and claims on being the only one.

    Guarantees: lessons are told in one order, each once; versions of models only rise.
    """

    def lessons(self, after: int, limit: int) -> list[StoredLesson]:
        """Those after number `after`, in order."""
        ...

    def publish(self, model: PublishedModel) -> None:
        """Make a model the newest, and forget the lessons in it. Raises LeaseLostError when there
        is one of this version or a newer one: another learner has taken over."""
        ...

    def model(self, newer_than: int = 0) -> PublishedModel | None:
        """The newest model, if it is newer than that version."""
        ...

    def claim(self, name: str, worker: str, for_s: float) -> Claim | None:
        """Take or prolong a claim; None while another worker has it."""
        ...

    def release(self, claim: Claim) -> None:
        """Give a claim back before its time. Nothing changes when it has passed on."""
        ...


class StoreReader(Protocol):
    """Everything a store holds of a crawl, for who looks at it."""

    def candidate(self, url: Url) -> tuple[CandidateId, Candidate] | None:
        """The last candidate of a URL: one that was followed after a skip, not the skip. With its
        priority as it was on arrival."""
        ...

    def visit(self, number: CandidateId) -> Visit | None: ...

    def visits(self, since: CandidateId | None = None) -> Iterator[Visit]:
        """In order of recording; nothing when `since` was never visited."""
        ...

    def forms(self) -> Iterator[StoredForm]: ...

    def sites(self) -> Iterator[SiteState]: ...

    def site(self, site: Site) -> SiteState:
        """As `LinkStore.site`."""
        ...

    def run(self) -> RunState:
        """The last run as it says of itself: one that was cut off may still seem to run."""
        ...

    def events(self) -> Iterator[Event]: ...

    def counts(self) -> Counts: ...

    def count_waiting(self) -> Waiting:
        """What waits, by tier; of a very large PostgreSQL store an estimate, so that asking stays
        quick."""
        ...


class HarvestReader(Protocol):
    """What was extracted from behind the forms, in the order in which it was recorded."""

    def without_detail(self, harvest: HarvestId, limit: int) -> list[tuple[int, Url]]:
        """Number and own page of records whose page was not asked for yet, the first ones."""
        ...

    def all(self) -> Iterator[Harvest]:
        """In the order in which they were begun."""
        ...

    def find(self, signature: str) -> Harvest | None:
        """The harvest of a form."""
        ...

    def queries(self, harvest: HarvestId) -> Iterator[StoredQuery]:
        """In the order of asking."""
        ...

    def pages(self, harvest: HarvestId) -> Iterator[tuple[ResultPage, list[Record]]]:
        """Each page with all its records, known ones too, each as it was first seen."""
        ...

    def records(self, harvest: HarvestId | None = None) -> Iterator[StoredRecord]:
        """Of one harvest, or of all, in the order of first sight."""
        ...

    def tally(self, harvest: HarvestId) -> HarvestCounts: ...


class HarvestStore(HarvestReader, Protocol):
    """Remembers what was asked of sources and what came back (decision 0012).

    Guarantees: a form has one harvest; a record is kept once per harvest, as it was first seen,
    and later sightings are counted; a page of results, its records and what to ask next are
    kept together or not at all, also when the process dies between any two calls. `Store.flush`
    makes it durable.
    """

    def begin(self, subject: HarvestSource, at: float) -> Harvest:
        """Open a harvest. Raises StoreError when its form has one."""
        ...

    def keep(self, harvest: Harvest) -> None:
        """Take over what changed in a harvest: settings, state, reason, requests spent."""
        ...

    def begin_query(self, harvest: HarvestId, asked: StoredQuery) -> None:
        """Keep a query that is about to be asked; they are numbered from 1 on."""
        ...

    def add_page(
        self,
        harvest: HarvestId,
        page: ResultPage,
        records: Sequence[Record],
        reader: bytes | None = None,
    ) -> ResultPage:
        """Keep a page with its records; the page with their `keys` and `fresh` filled in.

        `reader` is what is known about reading answers from this page on; None: as before.
        Raises StoreError for a page that is there already.
        """
        ...

    def end_query(self, harvest: HarvestId, number: int, outcome: Outcome) -> None: ...

    def add_detail(
        self, harvest: HarvestId, record: int, cells: Sequence[Cell], requests: int, at: float
    ) -> None:
        """Keep what a record's own page says; no cells when it could not be had."""
        ...


class StoreView(Protocol):
    """A store to look at, also while a crawl writes it: what is committed when it is asked."""

    @property
    def reader(self) -> StoreReader: ...

    @property
    def pages(self) -> PageIndex: ...

    @property
    def harvests(self) -> HarvestReader: ...

    @property
    def inbox(self) -> Inbox: ...

    def load(self, key: str) -> bytes | None:
        """What was saved under a name."""
        ...

    def close(self) -> None: ...


class SessionStore(Protocol):
    """What a harvest needs of a store; every `Store` is one."""

    @property
    def harvests(self) -> HarvestStore: ...

    def note(self, event: Event) -> None:
        """Keep an event that belongs to no visit."""
        ...

    def flush(self) -> None:
        """Return when all that was recorded is durable."""
        ...


class HarvestRunStore(SessionStore, Protocol):
    """What a run of harvests needs of a store: also the forms, what is known about sites, and
    robots.txt. Every `Store` is one."""

    @property
    def reader(self) -> StoreReader: ...

    def save(self, key: str, value: bytes) -> None: ...

    def load(self, key: str) -> bytes | None: ...

    def close(self) -> None: ...


class Store(Protocol):
    """All of a crawl's memory. What was delivered is durable at once, or after `flush`."""

    @property
    def links(self) -> LinkStore: ...

    @property
    def run(self) -> RunStore: ...

    @property
    def pages(self) -> PageIndex: ...

    @property
    def learning(self) -> LearningStore: ...

    @property
    def reader(self) -> StoreReader: ...

    @property
    def harvests(self) -> HarvestStore: ...

    @property
    def inbox(self) -> Inbox: ...

    @property
    def servers(self) -> ServerStore: ...

    def claimed_harvests(self, claim: Claim) -> HarvestStore:
        """The harvests, written under a claim: every change raises LeaseLostError once the claim
        has passed to another worker."""
        ...

    def note(self, event: Event) -> None:
        """Keep an event that belongs to no visit."""
        ...

    def save(self, key: str, value: bytes) -> None:
        """Keep a named value: a strategy's state, settings, robots.txt of an origin."""
        ...

    def load(self, key: str) -> bytes | None: ...

    def flush(self) -> None:
        """Return when all that was recorded is durable."""
        ...

    def close(self) -> None: ...
