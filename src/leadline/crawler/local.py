"""The crawl in one process: what is taken when, and when it ends.

Many coroutines fetch; everything after the fetch is engine.intake's.
"""

import asyncio
import time
from collections.abc import Callable

from leadline.core import running
from leadline.core.crawl import Event, Lease
from leadline.core.http import Request
from leadline.core.ports import Strategy
from leadline.core.running import PAUSED, RUNNING, STOPPED, STOPPING, RunState
from leadline.crawler.decisions import CrawlPlan
from leadline.crawler.intake import Intake, Parts
from leadline.crawler.links import FALLBACK_KEY, name_succession, retry_skipped
from leadline.crawler.orders import OrderRunner
from leadline.errors import FetchError, SiteBusyError
from leadline.harvester.session.session import Progress

INTERRUPTED = "interrupted"
CUT_OFF = "cut off"
NOTHING_LEFT = "nothing left to follow"
_IDLE_S = 0.5
"""Longest wait before looking again at budgets and pauses."""


class Crawl:
    """One run of a crawl on its store.

    States: running, paused (nothing new is taken; what is under way ends),
    stopping (likewise, then over), stopped. `run` returns the reason. A run
    that is cut off at any instant can be taken up again on the same store.
    """

    def __init__(self, parts: Parts, plan: CrawlPlan, now: Callable[[], float] = time.time) -> None:
        self._store = parts.store
        self._fetcher = parts.fetcher
        self._then = parts.then
        self._handover = parts.handover
        self._now = now
        self._intake = Intake(parts, plan, now)
        self._spending = self._intake.spending
        self._leases: asyncio.Queue[Lease | None] = asyncio.Queue()
        self._wake = asyncio.Event()
        self._open: dict[int, Lease] = {}
        self._stop_reason = ""
        self._is_paused = False
        self._attendant = OrderRunner(
            self, parts.store, parts.scope, now, opened_at=parts.opened_at
        )

    def pause(self) -> None:
        """Take nothing new until `resume`. Harvests beside the crawl rest as well."""
        if self._is_paused:
            return
        self._is_paused = True
        self._handover.rest()
        at = self._now()
        self._spending.rest(at)
        self._store.note(Event(at, "paused"))
        self._tell(PAUSED, at)

    def resume(self, plan: CrawlPlan | None = None) -> None:
        """Go on, with other settings if given."""
        self.plan = plan or self.plan
        if not self._is_paused:
            return
        self._is_paused = False
        self._handover.go_on()
        at = self._now()
        self._spending.go_on(at)
        self._store.note(Event(at, "resumed"))
        self._tell(RUNNING, at)
        self._wake.set()

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Finish what is under way and end."""
        self._stop_reason = self._stop_reason or reason
        self._wake.set()

    @property
    def plan(self) -> CrawlPlan:
        """The settings in force."""
        return self._intake.plan

    @plan.setter
    def plan(self, plan: CrawlPlan) -> None:
        self._intake.plan = plan

    @property
    def is_paused(self) -> bool:
        return self._is_paused

    @property
    def strategy(self) -> Strategy:
        """The one at work."""
        return self._intake.strategy

    @property
    def under_way(self) -> int:
        """Visits begun and not ended."""
        return len(self._open)

    @property
    def harvests(self) -> list[Progress]:
        """How those beside the crawl go."""
        return self._handover.progress

    async def run(self) -> str:
        """Crawl until the budget is spent, nothing is left, or `stop`; the reason."""
        self._tell(RUNNING, self._spending.begin())
        self._attendant.begin()
        self._handover.begin(self._why_stop)
        workers = [asyncio.create_task(self._work()) for _ in range(self.plan.width)]
        reason = CUT_OFF
        try:
            reason = await self._dispatch(workers)
            self._tell(STOPPING, self._now(), reason)
            for _ in workers:
                self._leases.put_nowait(None)
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            # Who rests would wait for ever, and has nothing under way.
            at_once = reason == CUT_OFF or self._is_paused
            await self._handover.end(reason, at_once=at_once)
            self._end(reason)
        return reason

    def _tell(self, state: str, at: float, reason: str = "") -> None:
        """Let other processes know."""
        self._store.save(running.KEY, running.encoded(RunState(state, at, reason)))

    def _end(self, reason: str) -> None:
        for lease in self._open.values():
            self._store.give_back(lease, self._fetcher.ready_at(lease.candidate.site))
        self._open.clear()
        self._intake.save_learned()
        at = self._now()
        self._intake.sample(at)
        self._store.note(Event(at, "stopped", detail=reason))
        self._tell(STOPPED, at, reason)
        self._store.flush()

    async def _dispatch(self, workers: list[asyncio.Task[None]]) -> str:
        while True:
            self._attendant.look()
            if reason := self._why_stop():
                return reason
            for worker in workers:
                if worker.done():
                    worker.result()
            self._wake.clear()
            wait_s = _IDLE_S
            if not self._is_paused:
                self._take()
                wait_s = self._wait_s()
                if wait_s < 0 and not self._handover.is_busy and not self._go_on():
                    return NOTHING_LEFT
            await self._sleep(wait_s if wait_s >= 0 else _IDLE_S)

    def _go_on(self) -> bool:
        """Let another strategy look at what was passed over; False when there is none."""
        if self._then is None:
            return False
        succession = name_succession(self.strategy.name, self._then.name)
        self._intake.learn_from(self._then)
        self._store.save(FALLBACK_KEY, succession)
        self._then = None
        sites = self._store.reopen() - self._attendant.close_excluded()
        passed_over = list(retry_skipped(self._store.skipped(), self.plan.rules))
        links = self._store.put(passed_over)
        detail = f"{sites} sites opened again, {links} links passed over before"
        self._store.note(Event(self._now(), "second-wind", self.strategy.name, detail))
        return True

    def _why_stop(self) -> str:
        return self._stop_reason or self._spending.why_over(self.plan.budget)

    def _take(self) -> None:
        """Lease what may be followed now, and pass over what the strategy has gone off."""
        while leases := self._store.take(self._free(), self._now()):
            passed = 0
            for lease in leases:
                refusal = self.strategy.admit(
                    lease.candidate, self._store.site(lease.candidate.site)
                )
                if refusal is None:
                    self._open[lease.id] = lease
                    self._leases.put_nowait(lease)
                else:
                    self._intake.pass_over(lease, refusal.why)
                    passed += 1
            if not passed:
                return

    def _free(self) -> int:
        free = self.plan.width - len(self._open)
        limit = self.plan.budget.pages
        if limit is None:
            return free
        return min(free, self._handover.room(limit, self._spending.own + len(self._open)))

    def _wait_s(self) -> float:
        """How long `take` will have nothing new unless a visit ends; negative: for ever."""
        if self._free() <= 0:
            return _IDLE_S
        at = self._store.next_ready()
        if at is None:
            return _IDLE_S if self._open else -1.0
        return min(_IDLE_S, max(0.0, at - self._now()))

    async def _sleep(self, wait_s: float) -> None:
        loop = asyncio.get_running_loop()
        timer = loop.call_later(wait_s, self._wake.set)
        await self._wake.wait()
        timer.cancel()

    async def _work(self) -> None:
        while (lease := await self._leases.get()) is not None:
            await self._follow(lease)
            self._wake.set()

    async def _follow(self, lease: Lease) -> None:
        try:
            response = await self._fetcher.fetch(Request(lease.candidate.url))
        except SiteBusyError as error:
            self._intake.put_back(lease, error)
        except FetchError as error:
            self._intake.fail(lease, error)
        else:
            await self._intake.take_in(lease, response)
        self._open.pop(lease.id, None)
