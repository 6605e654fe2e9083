"""The crawl in one process: a team of one that owns its run and learns in line."""

import math
import time
from collections.abc import Callable, Sequence

from msgspec import Struct

from leadline.core.crawl import JudgedForm
from leadline.core.ports import Backlinks, Fetcher, Strategy
from leadline.core.servers import ServerSharing
from leadline.core.store import NOTHING_LEFT, STOPPED, Completion, Store
from leadline.crawler.decisions import PASSED_OVER, CrawlPlan, Decider
from leadline.crawler.evidence import QuestionTerms
from leadline.crawler.harvests.crawl_harvests import HarvestsOfCrawl, NoHarvests
from leadline.crawler.labels import CorrectableReader, LabelUpdates
from leadline.crawler.learning import InlineLearner
from leadline.crawler.leases import SoleLeases, make_sole_terms
from leadline.crawler.links import Scope
from leadline.crawler.loop import CrawlLoop, WorkerParts
from leadline.crawler.orders import OrderRunner
from leadline.crawler.reading import PageReader
from leadline.crawler.run import INTERRUPTED, RunControl, RunKeeper
from leadline.crawler.store_calls import DirectCalls
from leadline.errors import RobotsDeniedError
from leadline.harvester.session.session import HarvestProgress

CUT_OFF = "cut off"
WORKER = "crawl"
"""The name of the only worker."""
_HARVESTS_KEY = "harvest requests"
"""Under which a store keeps how many requests of harvests are in the run's account."""


class CrawlParts(Struct, frozen=True):
    """What a crawl in one process is put together from."""

    store: Store
    fetcher: Fetcher
    reader: PageReader
    strategy: Strategy
    backlinks: Backlinks | None = None
    """Whom to ask for backlinks; without a provider no query is sent."""
    harvests: HarvestsOfCrawl = NoHarvests()
    """Harvests the forms found meanwhile."""
    fallback: Strategy | None = None
    """Continues when the first strategy has nothing left to follow; None: the crawl ends."""
    scope: Scope | None = None
    """Where sites are excluded while it runs; without it none can be."""
    label_topic: str | None = None
    """The topic whose labels steer the crawl; None: no labels do."""
    questions: QuestionTerms = QuestionTerms()
    """How forms of which the critic is unsure are asked, if the plan says so."""
    opened_at: float = math.inf
    """Wall-clock second before the store was opened: pauses and stops that were ordered earlier
    were meant for an earlier run."""
    sharing: Callable[[], ServerSharing] = ServerSharing
    """How far the sites asked so far share servers."""


class Crawl(RunControl):
    """One run of a crawl on its store.

    States: running, paused (nothing new is leased; what is under way ends), stopping (likewise,
    then over), stopped. `run` returns the reason. A run that is cut off at any instant can be
    resumed on the same store.
    """

    def __init__(
        self, parts: CrawlParts, plan: CrawlPlan, now: Callable[[], float] = time.time
    ) -> None:
        decider = Decider(plan, parts.strategy)
        super().__init__(parts.store, decider, now)
        calls, fallback = DirectCalls(), parts.fallback
        self._harvests = parts.harvests
        self._learner = InlineLearner(decider, parts.store, fallback)
        orders = OrderRunner(self, parts.store, parts.scope, now, opened_at=parts.opened_at)
        self._keeper = RunKeeper(
            self,
            calls,
            orders,
            first=parts.strategy.name,
            fallback=fallback.name if fallback else "",
            sharing=parts.sharing,
            is_busy=lambda: self._harvests.is_busy or self._loop.under_way > 0,
        )
        self._labels: LabelUpdates | None = None
        if parts.label_topic is not None and isinstance(parts.reader, CorrectableReader):
            self._labels = LabelUpdates(
                *(parts.store, calls, parts.reader, decider, self._learner, parts.label_topic)
            )
        worker = WorkerParts(
            parts.store,
            calls,
            SoleLeases(),
            parts.fetcher,
            parts.reader,
            self._learner,
            self,
            parts.backlinks,
            self._labels,
            questions=parts.questions if plan.ask_forms else None,
        )
        self._loop = CrawlLoop(WORKER, worker, decider, make_sole_terms(plan.width), now)
        self._has_begun = False
        self._early: list[Callable[[], None]] = []
        self._since_sample = 0
        self._harvest_requests = 0
        self._has_paused_harvests = False

    @property
    def strategy(self) -> Strategy:
        """The one at work."""
        return self.decider.strategy

    @property
    def under_way(self) -> int:
        """Visits begun and not ended."""
        return self._loop.under_way

    @property
    def harvests(self) -> list[HarvestProgress]:
        """How those during the crawl go."""
        return self._harvests.progress

    def pause(self) -> None:
        """Lease nothing until `resume`. Harvests during the crawl pause as well."""
        if not self._has_begun:
            self._early.append(self.pause)
            return
        self._pause_harvests(is_paused=True)
        super().pause()

    def resume(self, plan: CrawlPlan | None = None) -> None:
        """Continue, with other settings if given."""
        self._pause_harvests(is_paused=False)
        super().resume(plan)
        self._loop.wake()

    def _pause_harvests(self, *, is_paused: bool) -> None:
        if is_paused != self._has_paused_harvests:
            self._has_paused_harvests = is_paused
            (self._harvests.pause if is_paused else self._harvests.resume)()

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Finish what is under way and end."""
        if not self._has_begun:
            self._early.append(lambda: self.stop(reason))
            return
        super().stop(reason)
        self._loop.wake()

    async def run(self) -> str:
        """Crawl until the budget is spent, nothing is left, or `stop`; the reason."""
        store, reason = self.store, CUT_OFF
        store.run.begin(self.plan.budget)
        self.decider.traps.restore(store.reader.events())
        self._has_begun = True
        for call in self._early:
            call()
        await self._keeper.begin()
        kept = store.load(_HARVESTS_KEY)
        self._harvest_requests = int(kept) if kept else 0
        self._harvests.start(self._why_stop)
        try:
            await self._loop.run()
            reason = store.run.state().reason
        finally:
            # Who is paused would wait for ever, and has nothing under way.
            at_once = reason == CUT_OFF or self._has_paused_harvests
            store.run.stop(reason)
            await self._harvests.stop(reason, at_once=at_once)
            self._learner.save()
            await self._keeper.sample(self.strategy)
            await self._keeper.end(reason)
            store.flush()
        return reason

    # What the loop asks between two leases (RunWatch)

    async def look(self) -> str:
        await self._keeper.look()
        if self._labels is not None and await self._labels.look():
            self.store.note(self._labels.describe(self.now()))
        self._spend_on_harvests()
        if await self._keeper.is_over(self._learner):
            return STOPPED
        return self.store.run.state().state

    def room(self, free: int) -> int:
        """Harvests get their share of the budget of pages."""
        limit = self.plan.budget.pages
        if limit is None or isinstance(self._harvests, NoHarvests):
            return free
        counts = self.store.reader.counts()
        # What robots.txt forbids or the strategy passes over costs the site nothing.
        unpaid = sum(counts.outcomes.get(kind, 0) for kind in (RobotsDeniedError.kind, PASSED_OVER))
        own = counts.visits - unpaid + self._loop.query_requests
        return min(free, self._harvests.count_pages_left(limit, own + self._loop.under_way))

    async def note_delivery(self, done: Sequence[Completion]) -> None:
        for one in done:
            self._learner.count_visit()
            self._since_sample += 1
            self.note_revision(one.forms)
        if self._since_sample >= self.plan.sample_visits:
            self._since_sample = 0
            await self._keeper.sample(self.strategy)

    def note_revision(self, forms: Sequence[JudgedForm]) -> None:
        for form in forms:
            self._harvests.offer(form)

    def _spend_on_harvests(self) -> None:
        """Count the requests of harvests against the budget of pages."""
        new = self._harvests.requests - self._harvest_requests
        if new > 0:
            self._harvest_requests += new
            self.store.run.spend(WORKER, new)
            self.store.save(_HARVESTS_KEY, str(self._harvest_requests).encode())

    def _why_stop(self) -> str:
        """Why harvests should stop with the crawl; not because it has nothing left to follow."""
        self._spend_on_harvests()
        reason = self.store.run.stop_reason()
        return "" if reason == NOTHING_LEFT else reason
