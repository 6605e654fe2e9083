"""Several sources at a time, each in a session of its own."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import structs

from leadline.core.crawl import Event
from leadline.core.harvest import Harvest, HarvestId, HarvestSource
from leadline.core.ports import Fetcher
from leadline.core.store import SessionStore
from leadline.core.url import Site
from leadline.errors import BudgetSpentError, FetchError
from leadline.harvester.allocation import RequestAllocator
from leadline.harvester.session.record_pages import make_detail_pages
from leadline.harvester.session.session import (
    INTERRUPTED,
    HarvestSession,
    OpenedSource,
    SessionPlan,
)

UNOPENED = "blocked: its page could not be had"
ALL_SPENT = "budget: requests of all harvests"
_LOOK_AGAIN_S = 5.0
"""A source that waits for its turn looks again after this time: the one that is ahead may have been
told to pause by its site."""


WhyNot = Callable[[], Awaitable[str]]
"""Finds out whether a form is to be harvested at all."""


class SourceOpener(Protocol):
    """Surveys a source, and stores what that brought in its harvest."""

    async def __call__(
        self, harvest: Harvest, why_stop: Callable[[], str], *, is_dry: bool = False
    ) -> OpenedSource | str:
        """The source; or why it cannot be asked, or not now. `why_stop` is asked before each
        request; what is spent is stored in the harvest. `is_dry`: only the form's page is
        fetched, nothing is submitted or stored. Raises FetchError."""
        ...


class HarvestPool:
    """Runs a session for each form offered, `concurrency` at a time.

    The fetcher keeps one request at a time to a site, also between sessions and a crawl.
    """

    def __init__(
        self,
        store: SessionStore,
        fetcher: Fetcher,
        opener: SourceOpener,
        plan: SessionPlan,
        *,
        concurrency: int,
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
        self.fetcher = fetcher
        """Sends nothing beyond the budget of all harvests together."""
        self._opener = opener
        self._plan = plan
        self.allocator: RequestAllocator | None = None
        """With one sources compete: each request waits until its source is worth more than the
        others, or as much."""
        self.max_requests: int | None = None
        """Of all harvests together, over all runs."""
        self._rivals: set[str] = set()
        """Sources with a next request, sent or waiting for its turn."""
        self._changed = asyncio.Event()
        self._free = asyncio.Semaphore(concurrency)
        self._with_details = with_details
        self.now = now
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sessions: dict[str, HarvestSession] = {}
        self.stopped = ""
        """Why all harvests were told to stop; '' while they were not."""

    def offer(self, subject: HarvestSource, why_not: WhyNot | None = None) -> bool:
        """Harvests it, unless that is under way; whether it will be. `why_not` is awaited first: a
        reason not to harvest it after all, or ''."""
        if self.stopped or subject.signature in self._tasks:
            return False
        self._tasks[subject.signature] = asyncio.create_task(self._harvest(subject, why_not))
        return True

    async def wait_for(self, signature: str) -> str:
        """Why the harvest of a form that was offered stopped, once it has."""
        await asyncio.wait({self._tasks[signature]})
        return self.reasons.get(signature, "")

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Every session ends after the request under way."""
        self.stopped = self.stopped or reason
        for session in self._sessions.values():
            session.stop(reason)
        self._wake()

    async def finish(self, *, at_once: bool = False) -> None:
        """Returns when every harvest has stopped, or stops them now. Raises what they raised."""
        try:
            if not at_once:
                await asyncio.gather(*self._tasks.values())
        finally:
            for task in self._tasks.values():
                task.cancel()
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def sessions(self) -> list[HarvestSession]:
        """The sessions begun in this run."""
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
        """Requests spent on harvests, in all runs on this store."""
        harvests = self._store.harvests
        return sum(harvests.tally(head.id).requests for head in harvests.all())

    async def _harvest(self, subject: HarvestSource, why_not: WhyNot | None = None) -> None:
        refusal = await why_not() if why_not is not None else ""
        async with self._free:
            try:
                reason = refusal or self._why_stop(subject.site)
                reason = reason or await self._open_and_run(subject)
            finally:
                self._rivals.discard(subject.signature)
                self._wake()
            self.reasons[subject.signature] = reason

    @property
    def best_yield(self) -> float:
        """New records that one more request brings, of the source worth most."""
        allocator = self.allocator
        waiting = self._list_rivals()
        return max(map(allocator.expect, waiting), default=0.0) if allocator else 0.0

    def _list_rivals(self) -> list[str]:
        """Those that would send a request now: not those that rest because their site asked."""
        sessions = self._sessions
        return [
            name for name in self._rivals if name not in sessions or not sessions[name].is_pausing
        ]

    async def _take_turn(self, head: Harvest, why_stop: Callable[[], str]) -> None:
        """Returns once the next request may go to this source, or need not be sent any more."""
        allocator, signature = self.allocator, head.subject.signature
        if allocator is None:
            return
        tally = self._store.harvests.tally(head.id)
        allocator.learn(signature, tally.requests, tally.records)
        self._rivals.add(signature)
        self._wake()
        while not why_stop() and not allocator.is_worth_asking(signature, self._list_rivals()):
            changed = self._changed
            # Others may be opened meanwhile: they may be worth more.
            self._free.release()
            try:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(changed.wait(), _LOOK_AGAIN_S)
            finally:
                await self._free.acquire()

    def _wake(self) -> None:
        """Lets those that wait for their turn look again."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _open_and_run(self, subject: HarvestSource) -> str:
        harvests = self._store.harvests
        head = harvests.find(subject.signature) or harvests.begin(subject, self.now())
        await self._take_turn(head, lambda: self._why_unopened(subject.site, head.id))
        if spent := self._why_unopened(subject.site, head.id):
            return self._note_unopened(head, spent)
        try:
            opened = await self._opener(head, lambda: self._why_unopened(subject.site, head.id))
        except BudgetSpentError as error:
            return self._note_unopened(head, error.reason)
        except FetchError as error:
            return self._note_unopened(head, f"{UNOPENED}: {error.reason}")
        if isinstance(opened, str):
            return self._note_unopened(head, opened)
        site = opened.harvest.subject.site
        details = (
            make_detail_pages(self.fetcher, site, subject.signature) if self._with_details else None
        )
        session = HarvestSession(
            self._store,
            opened,
            self._plan,
            fetch_detail=details,
            why_stop=lambda: self._why_stop(site),
            now=self.now,
        )
        session.take_turn = lambda: self._take_turn(head, session.why_stop)
        self._sessions[subject.signature] = session
        if self.stopped:
            session.stop(self.stopped)
        return await session.run()

    def _why_unopened(self, site: Site, harvest: HarvestId) -> str:
        """What opening a source costs, its survey above all, counts as any other request."""
        tally = self._store.harvests.tally(harvest)
        spent = self._plan.budget.why_spent(tally, 0.0, is_query_next=True)
        return self._why_stop(site) or spent

    def _why_stop(self, site: Site) -> str:
        most = self.max_requests
        is_spent = most is not None and self.requests + self.under_way >= most
        spent = ALL_SPENT if is_spent else ""
        return self.stopped or self.why_stop() or spent or self.why_not(site)

    def _note_unopened(self, head: Harvest, reason: str) -> str:
        head = self._store.harvests.find(head.subject.signature) or head
        self._store.harvests.keep(structs.replace(head, reason=reason))
        self._store.note(Event(self.now(), "harvest-stopped", head.subject.signature, reason))
        return reason
