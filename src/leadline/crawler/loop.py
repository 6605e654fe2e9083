"""The crawl's one loop: lease sites, fetch, read, look up, decide, deliver.

A crawl in one process is a team of one, whose store answers from memory. Several workers share a
store on PostgreSQL: each may die or stall at any time; what it did not deliver was never done, and
what it delivers too late is refused. The loop holds no queue and no budget, and a site's pause
only while it has its lease; all of that is the store's.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol

from msgspec import Struct, structs

from leadline.core.crawl import (
    BacklinkQuery,
    CandidateId,
    Event,
    JudgedForm,
    Lease,
    PageView,
    SiteState,
    Visit,
)
from leadline.core.http import Request, Response
from leadline.core.ports import Backlinks, Fetcher
from leadline.core.store import (
    RUNNING,
    STOPPED,
    Completion,
    Delivery,
    LinkRanking,
    SiteLease,
    Store,
)
from leadline.core.url import Site
from leadline.crawler.backlink_queries import BacklinkQueries, BacklinkRanker
from leadline.crawler.decisions import (
    KNOWN_TARGET,
    PAGE,
    SAME_TEXT,
    Decider,
    SitePause,
    VisitDecision,
    is_seed,
    make_visit,
)
from leadline.crawler.evidence import DoorQuestions, EvidenceKeeper, QuestionTerms
from leadline.crawler.labels import CorrectableReader, LabelUpdates
from leadline.crawler.leases import LeaseTerms, SiteLeases, SoleLeases
from leadline.crawler.lookup import LeaseFindings, PageLookup
from leadline.crawler.network import StoredRobots
from leadline.crawler.reading import PageReader
from leadline.crawler.search_descriptions import SearchDescriptions, add_doors
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import (
    FetchError,
    LeaseOverError,
    SiteBusyError,
    SiteTakenError,
    UnreadablePageError,
)

IDLE_S = 0.5
"""Longest wait before looking again whether there is something to do."""
_SHORT_S = 0.005
"""First wait when there is nothing to lease."""
_PATIENCE_S = 5.0
"""A site whose turn is further off gives its place to another: a place is worth several pages in
that time, and putting a link back costs a millisecond."""
_MOST_BUSY = 10_000
"""Links whose tries are counted."""

_log = logging.getLogger(__name__)


class LoopLearning(BacklinkRanker, Protocol):
    """How what is seen becomes a better ranking: in line, or by the learner of a team."""

    @property
    def version(self) -> int:
        """Of the model in force."""
        ...

    @property
    def ranking(self) -> LinkRanking | None:
        """How waiting links are ranked again; None while nothing was learned that would."""
        ...

    def learn(self, view: PageView, visit: Visit) -> bytes:
        """Learn from a page; the lesson for the team's learner, b'' when there is none."""
        ...

    def sign(self, visit: CandidateId, lesson: bytes) -> bytes:
        """The lesson as it is delivered now."""
        ...

    def take_back(self, visit: CandidateId) -> None:
        """A delivery was refused: nobody will learn the lesson."""
        ...


class RunWatch(Protocol):
    """What a loop asks between two leases."""

    async def look(self) -> str:
        """See to what happened outside meanwhile; the state of the run."""
        ...

    def room(self, free: int) -> int:
        """How many of the free places may be used."""
        ...

    async def note_delivery(self, done: Sequence[Completion]) -> None:
        """Visits were stored."""
        ...

    def note_revision(self, forms: Sequence[JudgedForm]) -> None:
        """Stored forms are judged otherwise now: they were asked, or their site is better known."""
        ...


class WorkerParts(Struct, frozen=True):
    """What a loop works with."""

    store: Store
    calls: StoreCalls
    leases: SiteLeases | SoleLeases
    fetcher: Fetcher
    """Whose permits are `leases`."""
    reader: PageReader
    learning: LoopLearning
    watch: RunWatch
    backlinks: Backlinks | None = None
    """Without a provider no query is sent."""
    labels: LabelUpdates | None = None
    """Keeps the pages that labels may change."""
    robots: StoredRobots | None = None
    """Where the fetcher has robots.txt from, if that is a store it cannot wait for."""
    questions: QuestionTerms | None = None
    """How doubtful forms are asked; None: they are not."""


class WorkerCounts(Struct):
    """What a worker has done."""

    leases: int = 0
    visits: int = 0
    """Delivered and stored."""
    lost: int = 0
    """Visits of leases that had passed to another worker: dropped."""
    dropped: int = 0
    """Leases that ended before all their links were asked."""


class CrawlLoop:
    """States: working; leaving (nothing more is leased, what is under way is delivered); over.

    `run` returns when the run is over or `leave` was called. Cancelling it is like a crash, but
    that leases of a store in this process go back.
    """

    def __init__(
        self,
        name: str,
        parts: WorkerParts,
        decider: Decider,
        terms: LeaseTerms,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.name = name
        self.counts = WorkerCounts()
        self._terms = terms
        self._links, self._calls, self._leases = parts.store.links, parts.calls, parts.leases
        self._store = parts.store
        self._fetcher, self._reader = parts.fetcher, parts.reader
        self._learning, self._watch, self._robots = parts.learning, parts.watch, parts.robots
        # Asking whether an object keeps a protocol takes longer than choosing a form.
        self._correctable = parts.reader if isinstance(parts.reader, CorrectableReader) else None
        self._labels = parts.labels
        self._evidence = EvidenceKeeper(parts.store, parts.calls, is_alone=terms.is_alone)
        self._questions: DoorQuestions | None = None
        if parts.questions is not None:
            self._questions = DoorQuestions(
                *(parts.store, parts.calls, parts.fetcher, self._evidence, name, now),
                parts.questions,
            )
        self._decider = decider
        self._lookup = PageLookup(parts.store.pages, parts.calls, decider)
        self._descriptions = SearchDescriptions(parts.fetcher, parts.store, parts.calls)
        self._queries = BacklinkQueries(parts.store, parts.calls, parts.backlinks, name, now)
        self._now = now
        self._tasks: set[asyncio.Task[None]] = set()
        self._open: dict[Site, SiteLease] = {}
        self._outbox: list[Delivery] = []
        self._wake = asyncio.Event()
        self._is_leaving = False
        self._deliver_at = 0.0
        self._busy_tries: dict[CandidateId, int] = {}
        self._patience_s = _SHORT_S
        self._expected_at = 0.0

    @property
    def under_way(self) -> int:
        """Visits and backlink queries begun and not ended."""
        return len(self._tasks)

    @property
    def query_requests(self) -> int:
        """Spent on backlink queries by this loop."""
        return self._queries.requests

    def leave(self) -> None:
        """Finish the requests under way, deliver, and end."""
        self._is_leaving = True
        self._queries.leave()
        self._wake.set()

    def wake(self) -> None:
        """Look at once whether there is something to do."""
        self._wake.set()

    async def run(self) -> None:
        try:
            while not self._is_leaving:
                await self._turn()
            while self._tasks:
                await asyncio.wait(self._tasks)
                self._reap()
            await self._deliver()
            await self._calls(lambda: self._store.run.sign_off(self.name))
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._terms.is_alone:
                self._give_back()

    async def _turn(self) -> None:
        """One round: deliver what is due, take what there is room for, wait."""
        self._wake.clear()
        self._reap()
        if self._is_due():
            await self._deliver()
        state = await self._watch.look()
        if state == STOPPED:
            self.leave()
        if self._is_leaving:
            return
        wait_s = IDLE_S
        if state == RUNNING and self._has_room():
            has_leased = await self._lease()
            # In a database a look at what waits costs as much as another try to lease.
            if not has_leased or self._terms.is_alone:
                wait_s = await self._idle_s()
        await self._sleep(wait_s)

    async def _idle_s(self) -> float:
        """How long to wait until the next site is ready; with other workers, longer each time
        that others were quicker then."""
        left = await self._calls(self._links.wait_s)
        # A ready site that is not leased waits for the budget: ask less and less often.
        if self._terms.is_alone and left != 0.0:
            return IDLE_S if left is None else min(IDLE_S, left)
        tick = asyncio.get_running_loop().time()
        if tick >= self._expected_at:
            self._patience_s = min(IDLE_S, 2 * self._patience_s)
        wait_s = IDLE_S if left is None else min(IDLE_S, max(left, self._patience_s))
        self._expected_at = tick + wait_s
        return wait_s

    def _has_room(self) -> bool:
        """Leasing from a database is worth a call when a quarter of the places is free."""
        width = self._terms.width
        return len(self._tasks) < (width if self._terms.is_alone else width * 3 // 4 + 1)

    async def _lease(self) -> bool:
        """Whether there was anything."""
        terms, ranking = self._terms, self._learning.ranking
        room = self._watch.room(terms.width - len(self._tasks))
        if room <= 0:
            return False
        if ranking is not None and not terms.is_alone:
            score = self._calls.in_the_loop(ranking.score)
            ranking = ranking._replace(score=score)
        taken = await self._calls(
            lambda: self._links.lease(
                self.name,
                sites=room,
                urls=terms.urls,
                turn=terms.turn,
                for_s=terms.lease_s,
                pause_s=terms.pause_s,
                ranking=ranking,
            )
        )
        self.counts.leases += len(taken)
        self._patience_s = _SHORT_S if taken else self._patience_s
        if self._robots is not None:
            await self._robots.read_ahead(
                link.candidate.url for one in taken for link in one.leases
            )
        for lease in taken:
            self._begin(self._visit(lease))
        return bool(taken)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._wake_up)

    def _wake_up(self, _task: asyncio.Task[None]) -> None:
        self._wake.set()

    def _reap(self) -> None:
        for task in [task for task in self._tasks if task.done()]:
            self._tasks.discard(task)
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
        return is_time or not self._tasks or visits >= self._terms.batch

    async def _deliver(self) -> None:
        if not self._outbox:
            return
        outbox, self._outbox = self._outbox, []
        self._deliver_at = asyncio.get_running_loop().time() + self._terms.batch_s
        # The pause continues while a delivery waits; the store hears what is left of it.
        signed = [self._sign(delivery) for delivery in outbox]
        refused = await self._calls(lambda: self._links.deliver(signed))
        lost = {(lease.site.site, lease.epoch) for lease in refused}
        for delivery in outbox:
            await self._count(delivery, lost)

    def _sign(self, delivery: Delivery) -> Delivery:
        """As it goes to the store."""
        done = delivery.done
        if any(one.lesson for one in done):
            done = tuple(
                structs.replace(one, lesson=self._learning.sign(one.visit.id, one.lesson))
                for one in done
            )
        rest_s = max(delivery.rest_s, self._rest_s(delivery.lease.site.site))
        return Delivery(delivery.lease, done, rest_s, delivery.is_over)

    async def _count(self, delivery: Delivery, lost: set[tuple[Site, int]]) -> None:
        site, visits = delivery.lease.site.site, len(delivery.done)
        if (site, delivery.lease.epoch) not in lost:
            self.counts.visits += visits
            await self._watch.note_delivery(delivery.done)
            return
        self.counts.lost += visits
        for one in delivery.done:
            self._learning.take_back(one.visit.id)
        _log.warning("the lease of %s was lost; %d visits are dropped", site, visits)

    def _give_back(self) -> None:
        """Return what is on lease to a store in this process."""
        over = [Delivery(lease, (), self._rest_s(site)) for site, lease in self._open.items()]
        self._open.clear()
        if over:
            self._links.deliver(over)

    def _rest_s(self, site: Site) -> float:
        return max(0.0, self._fetcher.ready_at(site) - self._now())

    # Visiting

    async def _visit(self, lease: SiteLease) -> None:
        """Ask a site for the links of its lease, one after the other."""
        site = lease.site.site
        self._leases.take(lease)
        self._open[site] = lease
        done: list[Completion] = []
        raised: list[BacklinkQuery] = []
        rest_s = 0.0
        try:
            await self._evidence.open(site)
            await self._ask(lease, done, raised)
        except LeaseOverError:
            self.counts.dropped += 1
        except SiteBusyError as error:
            rest_s = error.retry_after_s or 0.0
        finally:
            self._leases.drop(lease)
        self._outbox.append(Delivery(lease, tuple(done), rest_s))
        # A lease that ran out while this process stood still may have been followed by another.
        if self._open.get(site) is lease:
            del self._open[site]
        if self._terms.is_alone:
            await self._deliver()
        await self._revise(site)
        # The page counts against the budget before its queries do.
        if raised and self._terms.is_alone:
            await self._raise(raised)

    async def _revise(self, site: Site) -> None:
        """Have the stored forms of the site judged again, and learned from, as it is known now."""
        labels = self._labels
        changed = await self._evidence.close(
            site, labels.is_labelled if labels is not None else lambda _: False
        )
        self._watch.note_revision(changed)
        if changed and labels is not None:
            labels.learn_revised({form.signature: form for form in changed})

    async def _question(self, decision: VisitDecision) -> None:
        """Ask the form of a page that is most worth it."""
        questions, view, reader = self._questions, decision.view, self._correctable
        if questions is None or view is None or reader is None:
            return
        questions.count_visit(view.new_forms)
        chosen = questions.choose(decision.site.site, decision.forms)
        if chosen is not None and not self._is_leaving:
            await questions.ask(decision.site.site, chosen, view.page, reader.critic)

    async def _ask(
        self, lease: SiteLease, done: list[Completion], raised: list[BacklinkQuery]
    ) -> None:
        """Raises LeaseOverError, or SiteBusyError when the site wants to be left alone."""
        site, brought, asked = lease.site, LeaseFindings(), 0
        for link in lease.leases:
            if site.closed or self._is_leaving or not self._is_time(lease):
                self.counts.dropped += 1
                return
            try:
                decision = await self._follow(link, site, brought)
            finally:
                self._outbox += self._leases.settle(self._rest_s)
            done.append(self._complete(decision))
            await self._question(decision)
            if decision.queries and not self._terms.is_alone:
                await self._raise(decision.queries)
            elif decision.queries:
                raised += decision.queries
            site = decision.site
            asked += decision.visit.requests > 0
            if asked >= self._terms.turn:
                return

    def _is_time(self, lease: SiteLease) -> bool:
        """Whether another page of the site can be had and delivered before its lease is over."""
        wait_s = self._rest_s(lease.site.site)
        return self._leases.left_s(lease) - wait_s > self._terms.reserve_s

    async def _follow(self, link: Lease, site: SiteState, brought: LeaseFindings) -> VisitDecision:
        decider = self._decider
        if (refused := decider.refuse(link, site, self._now())) is not None:
            return refused
        request = Request(
            link.candidate.url, is_meant=is_seed(link.candidate), patience_s=_PATIENCE_S
        )
        try:
            response = await self._fetcher.fetch(request)
        except LeaseOverError:
            raise
        except SiteBusyError as error:
            if isinstance(error, SiteTakenError) and not error.requests:
                # The site did not refuse anything: it was not its turn.
                raise
            tries = self._busy_tries.pop(link.id, 0) + 1
            if tries < decider.plan.busy_tries:
                await self._put_back(link, tries, error)
                raise
            return decider.fail(link, error, site, self._pause(site.site), self._now())
        except FetchError as error:
            return decider.fail(link, error, site, self._pause(site.site), self._now())
        if self._busy_tries:
            self._busy_tries.pop(link.id, None)
        return await self._decide(link, response, site, brought)

    async def _put_back(self, link: Lease, tries: int, error: SiteBusyError) -> None:
        """The link is for later."""
        self._busy_tries[link.id] = tries
        if len(self._busy_tries) > _MOST_BUSY:
            del self._busy_tries[next(iter(self._busy_tries))]
        event = Event(self._now(), "busy", link.candidate.site, error.reason)
        await self._calls(lambda: self._store.note(event))

    async def _decide(
        self, link: Lease, response: Response, site: SiteState, brought: LeaseFindings
    ) -> VisitDecision:
        visit = make_visit(link, response)
        decider = self._decider
        if visit.outcome != PAGE:
            return decider.close_visit(visit, site, self._pause(site.site))
        if visit.final_url is not None and await self._lookup.is_known(visit.final_url, brought):
            return decider.repeat(visit, KNOWN_TARGET, site, self._pause(site.site))
        try:
            reading = await self._reader.read(response)
        except UnreadablePageError as error:
            return decider.fail(link, error, site, self._pause(site.site), self._now())
        if reading.page.search_descriptions:
            described = await self._descriptions.find(reading)
            reading = add_doors(reading, described.doors, self._reader.judge)
            visit = structs.replace(visit, requests=visit.requests + described.requests)
        if self._correctable is not None:
            await self._evidence.follow_lead(link.candidate, self._correctable.critic)
        evidence, reading = self._evidence.judge(site.site, reading)
        facts = await self._lookup.look_up(link, reading, site, brought)
        if facts is None:
            pause = self._pause(site.site)
            return decider.repeat(visit, SAME_TEXT, site, pause, reading.digest)
        self._evidence.keep(site.site, evidence)
        decision = decider.decide_page(link, visit, reading, facts, site, self._pause(site.site))
        brought.add(decision)
        return decision

    def _complete(self, decision: VisitDecision) -> Completion:
        """What is delivered of a visit. The strategy learns from its page at once."""
        version, lesson = self._learning.version, b""
        if decision.view is not None:
            lesson = self._learning.learn(decision.view, decision.visit)
            if self._labels is not None:
                self._labels.remember(decision)
        return Completion(
            decision.visit,
            decision.site,
            decision.found,
            decision.forms,
            decision.events,
            decision.rank,
            version,
            lesson,
            self._decider.plan.topic,
        )

    async def _raise(self, queries: Sequence[BacklinkQuery]) -> None:
        """Claim the first query at once, or the next page would raise it again; send all while
        other pages are visited."""
        is_ours = await self._queries.claim(queries[0], self._learning)
        self._begin(self._send(queries, is_ours=is_ours))

    async def _send(self, queries: Sequence[BacklinkQuery], *, is_ours: bool) -> None:
        """`is_ours` says whether the first one is claimed."""
        plan = self._decider.plan
        try:
            for place, query in enumerate(queries):
                if is_ours if place == 0 else await self._queries.claim(query, self._learning):
                    await self._queries.send(query, self._learning, plan.rules, plan.most_found)
        finally:
            self._outbox += self._leases.settle(self._rest_s)

    def _pause(self, site: Site) -> SitePause:
        return SitePause(self._fetcher.ready_at(site), self._fetcher.delay_of(site))
