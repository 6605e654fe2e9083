"""Several sources at a time, each in a session of its own."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Protocol

from msgspec import Struct, structs

from leadline.core.crawl import Event
from leadline.core.harvest import Answer, Query
from leadline.core.kept import Harvest, Subject
from leadline.core.ports import Fetcher, QueryPolicy, Source, Store
from leadline.core.url import Site
from leadline.errors import FetchError
from leadline.harvester.coverage import CoverageMonitor
from leadline.harvester.session.details import looking
from leadline.harvester.session.resuming import Holdings
from leadline.harvester.session.session import INTERRUPTED, Parts, Plan, Session, _uncounted

UNOPENED = "blocked: its page could not be had"


def _unknown(_query: Query) -> str:
    return "not known"


class Opened(Struct, frozen=True):
    """A source that can be asked, and what asks it."""

    harvest: Harvest
    """With what was learned about its source."""
    source: Source
    policy: QueryPolicy
    holdings: Holdings
    reader_state: Callable[[], bytes] | None = None
    """What was learned about reading its answers so far."""
    known: Mapping[Query, Answer] = {}
    """First pages that were had on the way."""
    monitor: CoverageMonitor | None = None
    """Estimates how much of it is held, and when to stop."""
    count_matches: Callable[[Query], int | None] = _uncounted
    """`count_held_matches` of a query about to be asked."""
    sends: Callable[[Query], str] = _unknown
    """What would be sent for a query, in full."""


class Opener(Protocol):
    """Gets to know a source, and keeps what that brought in its harvest."""

    async def __call__(
        self, harvest: Harvest, why_stop: Callable[[], str], *, is_dry: bool = False
    ) -> Opened | str:
        """The source; or why it cannot be asked, or not now. `why_stop` is asked before each
        request; what is spent is kept in the harvest. `is_dry`: only the form's page is fetched,
        nothing is submitted or kept. Raises FetchError."""
        ...


class Harvester:
    """Runs a session for each form offered, `at_once` at a time.

    The fetcher keeps one request at a time to a site, also between sessions and a crawl.
    """

    def __init__(
        self,
        store: Store,
        fetcher: Fetcher,
        opener: Opener,
        plan: Plan,
        *,
        at_once: int,
        with_details: bool,
        now: Callable[[], float],
    ) -> None:
        self.reasons: dict[str, str] = {}
        """Why each harvest stopped, by the form's signature."""
        self.why_stop: Callable[[], str] = str
        """Asked before each request; reasons from outside."""
        self.why_not: Callable[[Site], str] = lambda _site: ""
        """Asked as well: why a site is to be left, or ''."""
        self._store = store
        self._fetcher = fetcher
        self._opener = opener
        self._plan = plan
        self._free = asyncio.Semaphore(at_once)
        self._with_details = with_details
        self.now = now
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sessions: dict[str, Session] = {}
        self.stopped = ""
        """Why all of them were told to stop; '' while they were not."""

    def offer(self, subject: Subject) -> bool:
        """Harvest it, unless that is under way; whether it will be."""
        if self.stopped or subject.signature in self._tasks:
            return False
        self._tasks[subject.signature] = asyncio.create_task(self._draw(subject))
        return True

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Every session ends after the request under way."""
        self.stopped = self.stopped or reason
        for session in self._sessions.values():
            session.stop(reason)

    async def finish(self, *, at_once: bool = False) -> None:
        """Return when every harvest has stopped, or stop them now. Raises what a session raised."""
        try:
            if not at_once:
                await asyncio.gather(*self._tasks.values())
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def sessions(self) -> list[Session]:
        """Those begun in this run."""
        return list(self._sessions.values())

    @property
    def is_busy(self) -> bool:
        """Whether any harvest is under way. Raises what a session raised."""
        for task in self._tasks.values():
            if task.done():
                task.result()
        return any(not task.done() for task in self._tasks.values())

    @property
    def under_way(self) -> int:
        """Requests sent and not answered, at most."""
        return sum(session.is_asking for session in self.sessions())

    @property
    def requests(self) -> int:
        """Spent on harvests, in all runs on this store."""
        harvests = self._store.harvests
        return sum(harvests.tally(head.id).requests for head in harvests.all())

    async def _draw(self, subject: Subject) -> None:
        async with self._free:
            if reason := self._why_stop(subject.site):
                self.reasons[subject.signature] = reason
                return
            self.reasons[subject.signature] = await self._open_and_run(subject)

    async def _open_and_run(self, subject: Subject) -> str:
        head = self._head(subject)
        try:
            opened = await self._opener(head, lambda: self._why_stop(subject.site))
        except FetchError as error:
            return self._unopened(head, f"{UNOPENED}: {error.reason}")
        if isinstance(opened, str):
            return self._unopened(head, opened)
        session = self._session(opened)
        self._sessions[subject.signature] = session
        if self.stopped:
            session.stop(self.stopped)
        return await session.run()

    def _session(self, opened: Opened) -> Session:
        head = opened.harvest
        look = looking(self._fetcher, head.subject.site) if self._with_details else None
        asking = opened.source, opened.policy, opened.holdings
        kept = opened.reader_state, opened.known
        parts = Parts(self._store, *asking, *kept, look, opened.monitor, opened.count_matches)
        site = head.subject.site
        return Session(head, parts, self._plan, why_stop=lambda: self._why_stop(site), now=self.now)

    def _why_stop(self, site: Site) -> str:
        return self.stopped or self.why_stop() or self.why_not(site)

    def _head(self, subject: Subject) -> Harvest:
        harvests = self._store.harvests
        return harvests.find(subject.signature) or harvests.begin(subject, self.now())

    def _unopened(self, head: Harvest, reason: str) -> str:
        head = self._store.harvests.find(head.subject.signature) or head
        self._store.harvests.keep(structs.replace(head, reason=reason))
        self._store.note(Event(self.now(), "harvest-stopped", head.subject.signature, reason))
        return reason
