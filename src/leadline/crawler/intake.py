"""Taking in what came: from an answer to a visit, forms and candidates, recorded and learned from.

Runs in the event loop one page at a time, so the strategy sees pages in one order and needs no
locks.
"""

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from leadline.core.crawl import BacklinkQuery, Event, Lease, SiteState, Visit
from leadline.core.http import Response
from leadline.core.ports import Backlinks, Fetcher, Store, Strategy
from leadline.core.samples import sample_event
from leadline.crawler.asking import Asker
from leadline.crawler.decisions import (
    KNOWN_TARGET,
    PAGE,
    SAME_TEXT,
    CrawlPlan,
    Decider,
    PageFacts,
    SitePause,
    VisitDecision,
    count_new_forms,
    find_targets,
    make_visit,
)
from leadline.crawler.harvests.handover import Handover, NoHandover
from leadline.crawler.links import Scope
from leadline.crawler.reading import PageReader, PageReading
from leadline.crawler.spending import Spending
from leadline.errors import FetchError, SiteBusyError


class Parts(Struct, frozen=True):
    """What a crawl is put together from."""

    store: Store
    fetcher: Fetcher
    reader: PageReader
    strategy: Strategy
    backlinks: Backlinks | None = None
    """Whom to ask who links to a page; without one no question is asked."""
    handover: Handover = NoHandover()
    """Takes over the forms found."""
    then: Strategy | None = None
    """Goes on when the first strategy has nothing left to follow; None: the crawl ends."""
    scope: Scope | None = None
    """Where sites are excluded while it runs; without it none can be."""
    opened_at: float = math.inf
    """Wall-clock second before the store was opened: pauses and stops that were ordered earlier
    were meant for an earlier run."""


class Intake:
    """Closes every lease it is given: recorded, or put back for later."""

    def __init__(self, parts: Parts, plan: CrawlPlan, now: Callable[[], float]) -> None:
        self._deciding = Decider(plan, parts.strategy)
        self._store = parts.store
        self._fetcher = parts.fetcher
        self._reader = parts.reader
        self._handover = parts.handover
        self._now = now
        self._asker = Asker(parts.backlinks, parts.store, now)
        self.spending = Spending(parts.store, self._asker, parts.handover, now)
        self._busy_tries: dict[int, int] = {}
        self._since_save = 0
        self._since_sample = 0

    @property
    def plan(self) -> CrawlPlan:
        return self._deciding.plan

    @plan.setter
    def plan(self, plan: CrawlPlan) -> None:
        self._deciding.plan = plan

    @property
    def strategy(self) -> Strategy:
        return self._deciding.strategy

    def pass_over(self, lease: Lease, why: str) -> None:
        """Of a link that the strategy has gone off."""
        site = self._store.site(lease.candidate.site)
        self._record(self._deciding.pass_over(lease, why, site, self._now()))

    def put_back(self, lease: Lease, error: SiteBusyError) -> None:
        tries = self._busy_tries.get(lease.id, 0) + 1
        self._busy_tries[lease.id] = tries
        if tries >= self.plan.busy_tries:
            self.fail(lease, error)
            return
        ready_at = self._fetcher.ready_at(lease.candidate.site)
        if error.retry_after_s is not None:
            ready_at = max(ready_at, self._now() + error.retry_after_s)
        self._store.give_back(lease, ready_at)
        self._store.note(Event(self._now(), "busy", lease.candidate.site, error.reason))

    def fail(self, lease: Lease, error: FetchError) -> None:
        before, pause = self._site(lease)
        self._record(self._deciding.fail(lease, error, before, pause, self._now()))

    async def take_in(self, lease: Lease, response: Response) -> None:
        visit = make_visit(lease, response)
        self.spending.size_bytes += visit.size_bytes
        if visit.outcome != PAGE:
            self._record(self._deciding.close_visit(visit, *self._site(lease)))
            return
        if visit.final_url is not None and self._store.known([visit.final_url])[0]:
            self._record(self._deciding.repeat(visit, KNOWN_TARGET, *self._site(lease)))
            return
        reading = await self._reader.read(response)
        if reading.digest and self._store.has_digest(visit.site, reading.digest):
            self._record(self._deciding.repeat(visit, SAME_TEXT, *self._site(lease)))
            return
        for question in self._record_page(lease, visit, reading):
            if not self.spending.why_over(self.plan.budget):
                plan = self.plan
                await self._asker.ask(question, self.strategy, plan.rules, plan.most_found)

    def _record_page(
        self, lease: Lease, visit: Visit, reading: PageReading
    ) -> Sequence[BacklinkQuery]:
        """What the strategy wants to know now."""
        before, pause = self._site(lease)
        facts = self._facts(lease, reading, before)
        verdict = self._deciding.decide_page(lease, visit, reading, facts, before, pause)
        self.spending.forms += facts.new.relevant
        self._record(verdict)
        for form in verdict.forms:
            self._handover.offer(form)
        if verdict.view is not None and self.strategy.learn(verdict.view, verdict.visit):
            self._store.rescore(self.strategy.rescore)
        return verdict.queries

    def _facts(self, lease: Lease, reading: PageReading, before: SiteState) -> PageFacts:
        forms, links = reading.judgement.forms, reading.page.links
        new = count_new_forms(forms, [self._store.has_form(form.signature) for form in forms])
        gain = self._deciding.count_gain(reading, new, before)
        known = self._store.known([links[p].target for p in find_targets(reading)])
        length = self.strategy.path_length
        path = self._store.path(lease.id)[: -length - 1 : -1] if gain and length else ()
        return PageFacts(known, new, gain, tuple(path))

    def _site(self, lease: Lease) -> tuple[SiteState, SitePause]:
        """Its site before the visit, and its pause after it."""
        site, fetcher = lease.candidate.site, self._fetcher
        return self._store.site(site), SitePause(fetcher.ready_at(site), fetcher.delay_of(site))

    def _record(self, verdict: VisitDecision) -> None:
        visit = verdict.visit
        if verdict.rank is not None:
            self._store.rank_site(visit.site, verdict.rank)
        self._store.record(visit, verdict.site, verdict.found, verdict.forms, verdict.events)
        self._busy_tries.pop(visit.id, None)
        self.spending.count(visit)
        self._since_sample += 1
        if self._since_sample >= self.plan.sample_visits:
            self.sample(visit.at)
        self._since_save += 1
        if self._since_save >= self.plan.checkpoint_pages:
            self.save_learned()

    def sample(self, at: float) -> None:
        """Note what waits, unless nothing was visited since that was noted last."""
        if not self._since_sample:
            return
        self._since_sample = 0
        waiting = self._store.waiting()
        queues = self.strategy.name_queues(waiting.tiers)
        self._store.note(sample_event(at, self._store.counts(), queues, waiting.sites))

    def learn_from(self, strategy: Strategy) -> None:
        """Have another strategy learn and rank from here on."""
        self.save_learned()
        self._deciding.strategy = strategy

    def save_learned(self) -> None:
        self._since_save = 0
        self._store.save(f"strategy:{self.strategy.name}", self.strategy.state())
