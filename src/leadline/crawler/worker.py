"""One worker of many on a shared store: lease sites, fetch, read, decide, deliver.

It may die or stall at any time: what it did not deliver was never done, and what it delivers
too late is refused. It keeps no frontier and no budget, and a site's pause only while it has
its lease; all of that is the store's.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import Struct, structs

from leadline.core.crawl import BacklinkQuery, Event, Lease, SiteState
from leadline.core.http import Request, Response
from leadline.core.ports import Backlinks, Fetcher
from leadline.core.shared import (
    RUNNING,
    STOPPED,
    Completion,
    Delivery,
    Model,
    Ranking,
    Shared,
    SiteLease,
)
from leadline.core.url import Site
from leadline.crawler.decisions import (
    KNOWN_TARGET,
    PAGE,
    SAME_TEXT,
    Decider,
    SitePause,
    VisitDecision,
    make_visit,
)
from leadline.crawler.leases import LeaseTerms, SiteLeases
from leadline.crawler.looking import Brought, Looking
from leadline.crawler.network import StoredRobots
from leadline.crawler.orders import ExclusionUpdates
from leadline.crawler.pupil import Pupil
from leadline.crawler.questions import Questions
from leadline.crawler.reading import PageReader
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import FetchError, LeaseOverError, SiteBusyError

IDLE_S = 0.5
"""Longest wait before looking again whether there is something to do."""
LOOK_S = 0.1
"""Between two looks at the run's state and at models, at least."""
_SHORT_S = 0.005
"""First wait when there is nothing to lease."""
_MOST_BUSY = 10_000
"""Links whose tries are counted."""

_log = logging.getLogger(__name__)


class Tools(Struct, frozen=True):
    """What a worker works with."""

    shared: Shared
    calls: StoreCalls
    holding: SiteLeases
    fetcher: Fetcher
    """Whose permits are `holding`."""
    reader: PageReader
    pupil: Pupil
    backlinks: Backlinks | None = None
    excluding: ExclusionUpdates | None = None
    rules: StoredRobots | None = None
    """Where the fetcher has robots.txt from."""


class Tally(Struct):
    """What a worker has done."""

    leases: int = 0
    visits: int = 0
    """Delivered and kept."""
    lost: int = 0
    """Visits of leases that had passed to another worker: dropped."""
    dropped: int = 0
    """Leases that ended before all their links were asked."""


class Worker:
    """States: working; leaving (nothing more is leased, what is under way is delivered); over.

    `run` returns when the run is over or `leave` was called. Cancelling it is like a crash.
    """

    def __init__(
        self,
        name: str,
        tools: Tools,
        deciding: Decider,
        terms: LeaseTerms,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.tally = Tally()
        self._terms = terms
        self._shared, self._calls, self._holding = tools.shared, tools.calls, tools.holding
        self._fetcher, self._reader, self._pupil = tools.fetcher, tools.reader, tools.pupil
        self._excluding, self._rules = tools.excluding, tools.rules
        self._deciding = deciding
        self._looking = Looking(tools.shared, tools.calls, deciding)
        self._questions = Questions(tools.shared, tools.calls, tools.backlinks, name, now)
        self._now = now
        self._visiting: set[asyncio.Task[None]] = set()
        self._outbox: list[Delivery] = []
        self._wake = asyncio.Event()
        self._is_leaving = False
        self._deliver_at = 0.0
        self._busy_tries: dict[int, int] = {}
        self._look_at = 0.0
        self._state = RUNNING
        self._patience_s = _SHORT_S
        self._expected_at = 0.0

    def leave(self) -> None:
        """Finish the requests under way, deliver, and end."""
        self._is_leaving = True
        self._questions.leave()
        self._wake.set()

    def take_model(self, model: Model) -> None:
        """Decide by a model that came some other way than by the store, if it is newer."""
        self._pupil.take(model)

    async def run(self) -> None:
        try:
            while not self._is_leaving:
                await self._turn()
            while self._visiting:
                await asyncio.wait(self._visiting)
                self._reap()
            await self._deliver()
            await self._calls(lambda: self._shared.sign_off(self.name))
        finally:
            for task in self._visiting:
                task.cancel()
            await asyncio.gather(*self._visiting, return_exceptions=True)

    async def _turn(self) -> None:
        """One round: deliver what is due, take what there is room for, wait."""
        self._wake.clear()
        self._reap()
        if self._is_due():
            await self._deliver()
        await self._look_round()
        if self._is_leaving:
            return
        wait_s = IDLE_S
        if self._has_room() and self._state == RUNNING:
            wait_s = 0.0 if await self._lease() else await self._idle_s()
        await self._sleep(wait_s or IDLE_S)

    async def _look_round(self) -> None:
        """See what others have done meanwhile, now and then."""
        tick = asyncio.get_running_loop().time()
        if tick < self._look_at:
            return
        self._look_at = tick + LOOK_S
        self._state = (await self._calls(self._shared.run)).state
        if self._state == STOPPED:
            self.leave()
            return
        await self._pupil.renew()
        if self._excluding is not None:
            await self._excluding.renew()

    async def _idle_s(self) -> float:
        """How long to wait when there was nothing: until the next site is ready, but longer each
        time that others were quicker then."""
        left = await self._calls(self._shared.wait_s)
        tick = asyncio.get_running_loop().time()
        if tick >= self._expected_at:
            self._patience_s = min(IDLE_S, 2 * self._patience_s)
        wait_s = IDLE_S if left is None else min(IDLE_S, max(left, self._patience_s))
        self._expected_at = tick + wait_s
        return wait_s

    def _has_room(self) -> bool:
        """Leasing is worth a call when a quarter of the places is free."""
        return len(self._visiting) <= self._terms.width * 3 // 4

    async def _lease(self) -> bool:
        """Whether there was anything."""
        terms, ranking = self._terms, self._pupil.ranking
        if ranking is not None:
            ranking = Ranking(
                ranking.version, ranking.width, self._calls.in_the_loop(ranking.score)
            )
        room = terms.width - len(self._visiting)
        taken = await self._calls(
            lambda: self._shared.lease(
                self.name,
                sites=room,
                urls=terms.urls,
                turn=terms.turn,
                for_s=terms.lease_s,
                pause_s=terms.pause_s,
                ranking=ranking,
            )
        )
        self.tally.leases += len(taken)
        self._patience_s = _SHORT_S if taken else self._patience_s
        if self._rules is not None:
            await self._rules.read_ahead(link.candidate.url for one in taken for link in one.leases)
        for lease in taken:
            self._begin(self._visit(lease))
        return bool(taken)

    def _begin(self, visiting: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(visiting)
        self._visiting.add(task)
        task.add_done_callback(lambda _: self._wake.set())

    def _reap(self) -> None:
        for task in [task for task in self._visiting if task.done()]:
            self._visiting.discard(task)
            task.result()

    async def _sleep(self, wait_s: float) -> None:
        loop = asyncio.get_running_loop()
        if self._outbox:
            wait_s = min(wait_s, max(0.0, self._deliver_at - loop.time()))
        timer = loop.call_later(wait_s, self._wake.set)
        await self._wake.wait()
        timer.cancel()

    # Delivering

    def _is_due(self) -> bool:
        """Deliveries are gathered for a moment, unless there is nothing else to do."""
        if not self._outbox:
            return False
        visits = sum(len(delivery.done) for delivery in self._outbox)
        is_time = asyncio.get_running_loop().time() >= self._deliver_at
        return is_time or not self._visiting or visits >= self._terms.batch

    async def _deliver(self) -> None:
        if not self._outbox:
            return
        outbox, self._outbox = self._outbox, []
        self._deliver_at = asyncio.get_running_loop().time() + self._terms.batch_s
        # The pause goes on while a delivery waits; it is told as it is when the store hears it.
        told = [self._told(delivery) for delivery in outbox]
        refused = await self._calls(lambda: self._shared.deliver(told))
        lost = {(lease.site.site, lease.epoch) for lease in refused}
        for delivery in outbox:
            is_lost = (delivery.lease.site.site, delivery.lease.epoch) in lost
            self._count(delivery, is_lost=is_lost)

    def _told(self, delivery: Delivery) -> Delivery:
        """As it goes to the store."""
        done = tuple(
            structs.replace(one, lesson=self._pupil.sign(one.visit.id, one.lesson))
            for one in delivery.done
        )
        rest_s = max(delivery.rest_s, self._rest_s(delivery.lease.site.site))
        return structs.replace(delivery, done=done, rest_s=rest_s)

    def _count(self, delivery: Delivery, *, is_lost: bool) -> None:
        visits = len(delivery.done)
        if is_lost:
            self.tally.lost += visits
            for one in delivery.done:
                self._pupil.take_back(one.visit.id)
            _log.warning(
                "the lease of %s was lost; %d visits are dropped", delivery.lease.site.site, visits
            )
        else:
            self.tally.visits += visits

    def _rest_s(self, site: Site) -> float:
        return max(0.0, self._fetcher.ready_at(site) - self._now())

    # Visiting

    async def _visit(self, lease: SiteLease) -> None:
        """Ask a site for the links of its lease, one after the other."""
        self._holding.take(lease)
        done: list[Completion] = []
        rest_s = 0.0
        try:
            await self._ask(lease, done)
        except LeaseOverError:
            self.tally.dropped += 1
        except SiteBusyError as error:
            rest_s = error.retry_after_s or 0.0
        finally:
            self._holding.drop(lease)
        self._outbox.append(Delivery(lease, tuple(done), rest_s))

    async def _ask(self, lease: SiteLease, done: list[Completion]) -> None:
        """Raises LeaseOverError, or SiteBusyError when the site wants to be left alone."""
        site, brought, asked = lease.site, Brought(), 0
        for link in lease.leases:
            if site.closed or self._is_leaving or not self._is_time(lease):
                self.tally.dropped += 1
                return
            try:
                completion = await self._follow(link, site, brought)
            finally:
                self._outbox += self._holding.settle(self._rest_s)
            done.append(completion)
            site = completion.site
            asked += completion.visit.requests > 0
            if asked >= self._terms.turn:
                return

    def _is_time(self, lease: SiteLease) -> bool:
        """Whether another page of the site can be had and delivered before its lease is over."""
        wait_s = self._rest_s(lease.site.site)
        return self._holding.left_s(lease) - wait_s > self._terms.reserve_s

    async def _follow(self, link: Lease, site: SiteState, brought: Brought) -> Completion:
        why = self._deciding.plan.rules.why_excluded(site.site)
        if why:
            verdict = self._deciding.pass_over(link, why, site, self._now())
            return _completed(structs.replace(verdict, site=structs.replace(site, closed=why)))
        refusal = self._pupil.strategy.admit(link.candidate, site)
        if refusal is not None:
            verdict = self._deciding.pass_over(link, refusal.why, site, self._now())
            return _completed(verdict)
        try:
            response = await self._fetcher.fetch(Request(link.candidate.url))
        except LeaseOverError:
            raise
        except SiteBusyError as error:
            return await self._put_back(link, site, error)
        except FetchError as error:
            return _completed(self._failed(link, site, error))
        return await self._take_in(link, response, site, brought)

    def _failed(self, link: Lease, site: SiteState, error: FetchError) -> VisitDecision:
        pause = self._pause(site.site)
        return self._deciding.fail(link, error, site, pause, self._now())

    async def _put_back(self, link: Lease, site: SiteState, error: SiteBusyError) -> Completion:
        """A failure if it was tried often enough; else it is for later: raises the error."""
        tries = self._busy_tries.pop(link.id, 0) + 1
        if tries >= self._deciding.plan.busy_tries:
            return _completed(self._failed(link, site, error))
        self._busy_tries[link.id] = tries
        if len(self._busy_tries) > _MOST_BUSY:
            del self._busy_tries[next(iter(self._busy_tries))]
        event = Event(self._now(), "busy", site.site, error.reason)
        await self._calls(lambda: self._shared.note(event))
        raise error

    async def _take_in(
        self, link: Lease, response: Response, site: SiteState, brought: Brought
    ) -> Completion:
        visit = make_visit(link, response)
        deciding, pause = self._deciding, self._pause(site.site)
        if visit.outcome != PAGE:
            return _completed(deciding.close_visit(visit, site, pause))
        if visit.final_url is not None and await self._looking.is_known(visit.final_url, brought):
            return _completed(deciding.repeat(visit, KNOWN_TARGET, site, pause))
        reading = await self._reader.read(response)
        facts = await self._looking.look(link, reading, site, brought)
        if facts is None:
            return _completed(deciding.repeat(visit, SAME_TEXT, site, pause))
        verdict = deciding.decide_page(link, visit, reading, facts, site, pause)
        brought.add(verdict)
        return self._taught(verdict)

    def _taught(self, verdict: VisitDecision) -> Completion:
        """Learn from a page at once, ask what the strategy wants to know, and tell the learner."""
        pupil, sight = self._pupil, verdict.view
        if sight is None:
            return _completed(verdict)
        version, lesson = pupil.version, pupil.learn(sight, verdict.visit)
        if verdict.queries and self._questions.can_ask:
            self._begin(self._put(verdict.queries))
        return structs.replace(_completed(verdict), lesson=lesson, version=version)

    async def _put(self, questions: Sequence[BacklinkQuery]) -> None:
        """Ask, while the page that raised the questions is delivered."""
        plan = self._deciding.plan
        try:
            for question in questions:
                await self._questions.ask(question, self._pupil, plan.rules, plan.most_found)
        finally:
            self._outbox += self._holding.settle(self._rest_s)

    def _pause(self, site: Site) -> SitePause:
        return SitePause(self._fetcher.ready_at(site), self._fetcher.delay_of(site))


def _completed(verdict: VisitDecision) -> Completion:
    return Completion(
        visit=verdict.visit,
        site=verdict.site,
        found=verdict.found,
        forms=verdict.forms,
        events=verdict.events,
        rank=verdict.rank,
    )
