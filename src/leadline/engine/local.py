"""The crawl in one process: take, fetch, read, judge, rank, record, learn.

Many coroutines fetch; everything after the fetch runs in the event loop one
page at a time, so the strategy sees pages in one order and needs no locks.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TypeGuard

import numpy as np
from msgspec import Struct, structs

from leadline.core.crawl import (
    Budget,
    Candidate,
    Event,
    JudgedForm,
    Lease,
    Question,
    Sight,
    SiteState,
    Skip,
    Visit,
    Wish,
)
from leadline.core.http import Request, Response
from leadline.core.ports import BackLinks, Fetcher, Store, Strategy
from leadline.engine import goals, outcomes, second_wind
from leadline.engine.asking import Asker
from leadline.engine.expand import LinkRules, candidates, choose, distinct, wished
from leadline.engine.harvest.handover import Handover, NoHandover
from leadline.engine.harvest.session import Progress
from leadline.engine.outcomes import NO_FORMS, NewForms
from leadline.engine.reading import Reader, Reading
from leadline.errors import FetchError, RobotsDeniedError, SiteBusyError
from leadline.page.navigation import Navigation

INTERRUPTED = "interrupted"
CUT_OFF = "cut off"
NOTHING_LEFT = "nothing left to follow"
_ACCEPTED = 0.5
"""Belief from which a form counts as found."""
_UNPAID = (RobotsDeniedError.kind, outcomes.PASSED_OVER)
"""What robots.txt forbids or the strategy passes over costs the site nothing."""
_IDLE_S = 0.5
"""Longest wait before looking again at budgets and pauses."""


class Parts(Struct, frozen=True):
    """What a crawl is put together from."""

    store: Store
    fetcher: Fetcher
    reader: Reader
    strategy: Strategy
    backlinks: BackLinks | None = None
    """Whom to ask who links to a page; without one no question is asked."""
    handover: Handover = NoHandover()
    """Takes over the forms found."""
    then: Strategy | None = None
    """Goes on when the first strategy has nothing left to follow; None: the crawl ends."""


class Plan(Struct, frozen=True):
    """How a crawl is run; may be replaced while it runs."""

    goal: str
    budget: Budget
    rules: LinkRules
    width: int = 64
    max_pages_per_site: int = 5_000
    give_up_after: int = 8
    busy_tries: int = 5
    checkpoint_pages: int = 1_000
    most_found: int = 20
    """Pages taken from one answer to who links to a page."""


class Crawl:
    """One run of a crawl on its store.

    States: running, paused (nothing new is taken; what is under way ends),
    stopping (likewise, then over), stopped. `run` returns the reason. A run
    that is cut off at any instant can be taken up again on the same store.
    """

    def __init__(self, parts: Parts, plan: Plan, now: Callable[[], float] = time.time) -> None:
        self.plan = plan
        self._store = parts.store
        self._fetcher = parts.fetcher
        self._reader = parts.reader
        self._strategy = parts.strategy
        self._then = parts.then
        self._handover = parts.handover
        self._now = now
        self._asker = Asker(parts.backlinks, parts.store, parts.strategy, now)
        self._navigation = Navigation()
        self._leases: asyncio.Queue[Lease | None] = asyncio.Queue()
        self._wake = asyncio.Event()
        self._open: dict[int, Lease] = {}
        self._busy_tries: dict[int, int] = {}
        self._stop_reason = ""
        self._is_paused = False
        self._begun_at = 0.0
        counts = parts.store.counts()
        self._visits = counts.visits - sum(counts.outcomes.get(kind, 0) for kind in _UNPAID)
        self._forms = counts.forms
        self._run_bytes = 0
        self._since_save = 0

    def pause(self) -> None:
        """Take nothing new until `resume`."""
        self._is_paused = True

    def resume(self, plan: Plan | None = None) -> None:
        """Go on, with other settings if given."""
        self.plan = plan or self.plan
        self._is_paused = False
        self._wake.set()

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Finish what is under way and end."""
        self._stop_reason = self._stop_reason or reason
        self._wake.set()

    @property
    def is_paused(self) -> bool:
        return self._is_paused

    @property
    def strategy(self) -> Strategy:
        """The one at work."""
        return self._strategy

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
        self._begun_at = self._now()
        self._handover.begin(self._why_stop)
        workers = [asyncio.create_task(self._work()) for _ in range(self.plan.width)]
        reason = CUT_OFF
        try:
            reason = await self._dispatch(workers)
            for _ in workers:
                self._leases.put_nowait(None)
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)
            await self._handover.end(reason, at_once=reason == CUT_OFF)
            self._end(reason)
        return reason

    def _end(self, reason: str) -> None:
        for lease in self._open.values():
            self._store.give_back(lease, self._fetcher.ready_at(lease.candidate.site))
        self._open.clear()
        self._save_learned()
        self._store.note(Event(self._now(), "stopped", detail=reason))
        self._store.flush()

    async def _dispatch(self, workers: list[asyncio.Task[None]]) -> str:
        while True:
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
        self._save_learned()
        self._store.save(second_wind.KEY, second_wind.succession(self._strategy, self._then))
        self._strategy, self._then = self._then, None
        sites = self._store.reopen()
        passed_over = list(second_wind.second_chances(self._store.skipped(), self.plan.rules))
        links = self._store.put(passed_over)
        detail = f"{sites} sites opened again, {links} links passed over before"
        self._store.note(Event(self._now(), "second-wind", self._strategy.name, detail))
        return True

    def _why_stop(self) -> str:
        return self._stop_reason or self._spent()

    def _take(self) -> None:
        """Lease what may be followed now, and pass over what the strategy has gone off."""
        while leases := self._store.take(self._free(), self._now()):
            passed = 0
            for lease in leases:
                refusal = self._strategy.admit(
                    lease.candidate, self._store.site(lease.candidate.site)
                )
                if refusal is None:
                    self._open[lease.id] = lease
                    self._leases.put_nowait(lease)
                else:
                    self._pass_over(lease, refusal.why)
                    passed += 1
            if not passed:
                return

    def _pass_over(self, lease: Lease, why: str) -> None:
        visit = outcomes.of_refusal(lease, why, self._now())
        self._record(visit, self._store.site(visit.site))

    @property
    def _own(self) -> int:
        """Visits and questions that count against the budget of pages."""
        return self._visits + self._asker.requests

    def _free(self) -> int:
        free = self.plan.width - len(self._open)
        limit = self.plan.budget.pages
        if limit is None:
            return free
        return min(free, self._handover.room(limit, self._own + len(self._open)))

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

    def _spent(self) -> str:
        return self.plan.budget.spent(
            pages=self._own + self._handover.requests,
            seconds=self._now() - self._begun_at,
            size_bytes=self._run_bytes,
            forms=self._forms,
        )

    async def _work(self) -> None:
        while (lease := await self._leases.get()) is not None:
            await self._follow(lease)
            self._wake.set()

    async def _follow(self, lease: Lease) -> None:
        try:
            response = await self._fetcher.fetch(Request(lease.candidate.url))
        except SiteBusyError as error:
            self._put_back(lease, error)
        except FetchError as error:
            self._record_failure(lease, error)
        else:
            await self._take_in(lease, response)
        self._open.pop(lease.id, None)

    def _put_back(self, lease: Lease, error: SiteBusyError) -> None:
        tries = self._busy_tries.get(lease.id, 0) + 1
        self._busy_tries[lease.id] = tries
        if tries >= self.plan.busy_tries:
            self._record_failure(lease, error)
            return
        ready_at = self._fetcher.ready_at(lease.candidate.site)
        if error.retry_after_s is not None:
            ready_at = max(ready_at, self._now() + error.retry_after_s)
        self._store.give_back(lease, ready_at)
        self._store.note(Event(self._now(), "busy", lease.candidate.site, error.reason))

    def _record_failure(self, lease: Lease, error: FetchError) -> None:
        visit = outcomes.of_error(lease, error, self._now())
        self._record(visit, self._left(self._site_after(visit, NO_FORMS)))

    async def _take_in(self, lease: Lease, response: Response) -> None:
        visit = outcomes.of_response(lease, response)
        self._run_bytes += visit.size_bytes
        if visit.outcome != outcomes.PAGE:
            self._record(visit, self._left(self._site_after(visit, NO_FORMS)))
            return
        if visit.final_url is not None and self._store.known([visit.final_url])[0]:
            self._record_repeat(visit, "redirects to a known URL")
            return
        reading = await self._reader.read(response)
        if reading.digest and self._store.has_digest(visit.site, reading.digest):
            self._record_repeat(visit, "the same text as another page of its site")
            return
        for question in self._record_page(lease, visit, reading):
            if not self._spent():
                await self._asker.ask(question, self.plan.rules, self.plan.most_found)

    def _record_repeat(self, visit: Visit, why: str) -> None:
        visit = structs.replace(visit, outcome=outcomes.DUPLICATE, reason=why)
        self._record(visit, self._left(self._site_after(visit, NO_FORMS)))

    def _record_page(self, lease: Lease, visit: Visit, reading: Reading) -> list[Question]:
        """What the strategy wants to know now."""
        goal, new = self.plan.goal, self._new_forms(reading.judgement.forms)
        had = self._store.site(visit.site).forms
        gain = goals.gain(goal, reading.judgement, new.relevant, had)
        worth = goals.reward(goal, reading.judgement, gain)
        visit = outcomes.with_page(visit, reading, new.relevant, worth)
        site = self._site_after(visit, new)
        sight, refused = self._look(lease, reading, site, (new.relevant, gain))
        found = candidates(sight, self._strategy.rank(sight), refused)
        wishes = self._strategy.wishes(sight)
        found += [wished(sight, wish) for wish in wishes if self._may_follow(wish)]
        self._forms += new.relevant
        self._record(visit, self._left(site, sight), found, reading.judgement.forms)
        for form in reading.judgement.forms:
            self._handover.offer(form)
        if self._strategy.learn(sight, visit):
            self._store.rescore(self._strategy.rescore)
        return [wish for wish in wishes if isinstance(wish, Question)]

    def _may_follow(self, wish: Wish | Question) -> TypeGuard[Wish]:
        return isinstance(wish, Wish) and not self.plan.rules.why_not(wish.url)

    def _look(
        self, lease: Lease, reading: Reading, site: SiteState, brought: tuple[int, int]
    ) -> tuple[Sight, list[tuple[int, str]]]:
        page, (new_forms, gain) = reading.page, brought
        positions = distinct(page.links)
        known = self._store.known([page.links[p].target for p in positions])
        unknown = [p for p, is_known in zip(positions, known, strict=True) if not is_known]
        choice = choose(page, unknown, lease.candidate.depth, self.plan.rules)
        sight = Sight(
            id=lease.id,
            candidate=lease.candidate,
            page=page,
            judgement=reading.judgement,
            site=site,
            links=tuple(page.links[p] for p in choice.positions),
            sites=choice.sites,
            repeats=self._navigation.repeats(site.site, page.links, choice.positions),
            features=reading.features(self._strategy.features, choice.positions),
            new_forms=new_forms,
            gain=gain,
            path=self._path(lease) if gain and self._strategy.path_length else (),
        )
        if self._strategy.features is not None and self._strategy.features.own:
            own = self._strategy.own_features(sight)
            sight = structs.replace(sight, features=np.hstack([sight.features, own]))
        return sight, choice.refused

    def _path(self, lease: Lease) -> tuple[Candidate, ...]:
        return tuple(self._store.path(lease.id)[: -self._strategy.path_length - 1 : -1])

    def _new_forms(self, forms: Sequence[JudgedForm]) -> NewForms:
        new = [form for form in forms if not self._store.has_form(form.signature)]
        return NewForms(
            sum(form.relevant >= _ACCEPTED for form in new),
            sum(form.searchable >= _ACCEPTED for form in new),
        )

    def _site_after(self, visit: Visit, new: NewForms) -> SiteState:
        return outcomes.next_site(
            self._store.site(visit.site),
            visit,
            new,
            ready_at=self._fetcher.ready_at(visit.site),
            delay_s=self._fetcher.delay_of(visit.site),
        )

    def _left(self, site: SiteState, sight: Sight | None = None) -> SiteState:
        """The site, closed if it is not to be asked any more."""
        return structs.replace(site, closed=self._why_leave(site, sight))

    def _why_leave(self, site: SiteState, sight: Sight | None) -> str:
        if site.errors_in_a_row >= self.plan.give_up_after:
            return f"gave up after {site.errors_in_a_row} failures in a row"
        if site.pages >= self.plan.max_pages_per_site:
            return f"{site.pages} pages visited, the most allowed for one site"
        if why := goals.why_done(self.plan.goal, site):
            return why
        verdict = self._strategy.rank_site(site, sight)
        if isinstance(verdict, Skip):
            return verdict.why
        if verdict is not None:
            self._store.rank_site(site.site, verdict)
        return ""

    def _record(
        self,
        visit: Visit,
        site: SiteState,
        found: Sequence[Candidate] = (),
        forms: Sequence[JudgedForm] = (),
    ) -> None:
        events = (Event(visit.at, "site-left", site.site, site.closed),) if site.closed else ()
        self._store.record(visit, site, found, forms, events)
        self._busy_tries.pop(visit.id, None)
        self._visits += visit.outcome not in _UNPAID
        self._since_save += 1
        if self._since_save >= self.plan.checkpoint_pages:
            self._save_learned()

    def _save_learned(self) -> None:
        self._since_save = 0
        self._store.save(f"strategy:{self._strategy.name}", self._strategy.state())
