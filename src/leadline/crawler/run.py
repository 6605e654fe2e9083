"""What somebody does for the run as a whole: steer it, sample it, start its fallback, end it.

In one process that is the crawl itself; in a team it is who holds the learner's claim.
"""

import math
from collections.abc import Callable
from typing import Protocol

import msgspec

from leadline.core.crawl import Event
from leadline.core.events import sample_event
from leadline.core.inbox import FORM, NONE, RIGHT, Label
from leadline.core.ports import Strategy
from leadline.core.servers import SHARING_KEY, ServerSharing
from leadline.core.store import NOTHING_LEFT, PAUSED, RUNNING, Store
from leadline.crawler.decisions import CrawlPlan, Decider
from leadline.crawler.links import FALLBACK_KEY, name_succession, retry_skipped
from leadline.crawler.orders import OrderRunner
from leadline.crawler.store_calls import StoreCalls

INTERRUPTED = "interrupted"
BUSY_LEFT = "only busy sites are left"
LABEL_LOOKS = 4
"""Looks at orders, of which one is also a look at labels."""
SAMPLE_S = 5.0
"""Between two samples of what waits in a team, at least."""


class RunControl:
    """The run as people steer it, by hand or by orders. What is set here is in the store, where
    all workers see it."""

    def __init__(self, store: Store, decider: Decider, now: Callable[[], float]) -> None:
        self.store = store
        self.decider = decider
        self.now = now

    @property
    def plan(self) -> CrawlPlan:
        """The settings in force."""
        return self.decider.plan

    @plan.setter
    def plan(self, plan: CrawlPlan) -> None:
        if plan.budget != self.decider.plan.budget:
            self.store.run.set_budget(plan.budget)
        self.decider.plan = plan

    @property
    def is_paused(self) -> bool:
        return self.store.run.state().state == PAUSED

    def pause(self) -> None:
        """Lease nothing until `resume`; what is under way ends."""
        if not self.is_paused:
            self.store.run.pause()
            self.store.note(Event(self.now(), "paused"))

    def resume(self, plan: CrawlPlan | None = None) -> None:
        """Continue, with other settings if given."""
        if plan is not None:
            self.plan = plan
        if self.is_paused:
            self.store.run.resume()
            self.store.note(Event(self.now(), "resumed"))

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Finish what is under way and end."""
        self.store.run.stop(reason)


class StrategySwitch(Protocol):
    """Whoever learns, as a fallback needs it."""

    async def switch(self, name: str) -> None:
        """Have another strategy learn and rank from here on."""
        ...


class RunKeeper:
    """Runs the orders, notes what waits, starts the fallback strategy when nothing is left for the
    first one, and ends the run."""

    sample_s = SAMPLE_S

    def __init__(
        self,
        control: RunControl,
        calls: StoreCalls,
        orders: OrderRunner,
        *,
        first: str,
        fallback: str = "",
        is_busy: Callable[[], bool] = lambda: False,
        sharing: Callable[[], ServerSharing] = ServerSharing,
    ) -> None:
        """`is_busy` says whether something else is under way that the run must wait for; `sharing`
        is asked how far sites share servers whenever what waits is noted."""
        self.store = control.store
        self.calls = calls
        self._control = control
        self._orders = orders
        self._now = control.now
        self.first = first
        self.fallback = fallback if fallback != first else ""
        """The name of the strategy that continues when nothing is left; '' for none."""
        self._is_busy = is_busy
        self._sharing = sharing
        self._shared = ServerSharing()
        self._sampled = 0
        self._useless_at = -1
        """Visits when the fallback had nothing to open."""
        self._labels: dict[str, Label] = {}
        self._looks = 0

    async def look(self) -> None:
        """Run the orders that were given meanwhile."""
        if self._orders.is_due:
            await self.calls(self._orders.look)
            # Labels of a file are read anew each time: every fourth look, about two seconds.
            if self._looks % LABEL_LOOKS == 0:
                await self.calls(self._judge_by_labels)
            self._looks += 1

    def _judge_by_labels(self) -> None:
        """Have the forms in the store count as people have labelled them; those whose label was
        taken back, as the critic said before."""
        topic = self._control.plan.topic
        labels = {
            one.subject: one
            for one in self.store.inbox.labels()
            if one.what == FORM and one.verdict != NONE and one.topic in ("", topic)
        }
        if labels == self._labels:
            return
        scores = {subject: float(one.verdict == RIGHT) for subject, one in labels.items()}
        for subject, one in self._labels.items():
            if subject not in labels and one.before is not None:
                scores[subject] = one.before
        self._labels = labels
        self.store.links.rejudge_forms(scores)

    async def is_over(self, learner: StrategySwitch) -> bool:
        """Whether the run is over; it is stopped then."""
        reason = await self.calls(self.store.run.stop_reason)
        if reason == NOTHING_LEFT:
            state = await self.calls(self.store.run.state)
            is_waiting = state.state == PAUSED or self._is_busy()
            if is_waiting or await self._start_fallback(learner):
                return False
        reason = reason or await self._end_idleness(learner)
        if not reason:
            return False
        await self.calls(lambda: self.store.run.stop(reason))
        return True

    async def _end_idleness(self, learner: StrategySwitch) -> str:
        """Start the fallback when all that waits is on sites that rest for long; the reason to
        stop when that is too long even then, else ''."""
        plan = self._control.plan
        if self._is_busy() or plan.max_idle_s == plan.patience_s == math.inf:
            return ""
        wait_s = await self.calls(self._find_idle_s)
        is_idle = wait_s > plan.patience_s and await self._is_fallback_useful()
        if is_idle and await self._start_fallback(learner):
            return ""
        if wait_s <= plan.max_idle_s:
            return ""
        return f"{BUSY_LEFT}: the first is ready in {wait_s:.0f} s, resume the crawl then"

    def _find_idle_s(self) -> float:
        """For how long nothing can be done; 0 while something is under way."""
        wait_s = self.store.links.wait_s() or 0.0
        if wait_s and self.store.run.state().state == RUNNING:
            is_idle = not any(worker.out for worker in self.store.run.workers())
            return wait_s if is_idle else 0.0
        return 0.0

    async def _is_fallback_useful(self) -> bool:
        """Whether the first strategy left anything: the better one is not given up for nothing."""
        counts = await self.calls(self.store.reader.counts)
        if counts.visits == self._useless_at:
            return False
        is_useful = counts.skipped > 0 or counts.passed_over > 0
        if not is_useful:
            is_useful = await self.calls(
                lambda: any(state.closed for state in self.store.reader.sites())
            )
        self._useless_at = -1 if is_useful else counts.visits
        return is_useful

    async def _start_fallback(self, learner: StrategySwitch) -> bool:
        """Let another strategy look at what was passed over; False when there is none."""
        if not self.fallback:
            return False
        succession = name_succession(self.first, self.fallback)
        if await self.calls(lambda: self.store.load(FALLBACK_KEY)) == succession:
            return False
        await learner.switch(self.fallback)
        await self.calls(self._reopen)
        # Saved last: who dies before this starts the fallback once more.
        await self.calls(lambda: self.store.save(FALLBACK_KEY, succession))
        return True

    def _reopen(self) -> None:
        links, rules = self.store.links, self._control.plan.rules
        sites = links.reopen_sites() - self._orders.close_excluded()
        put = links.put(list(retry_skipped(links.skipped_links(), rules)))
        detail = f"{sites} sites opened again, {put} links passed over before"
        self.store.note(Event(self._now(), "fallback", self.fallback, detail))

    async def sample(self, strategy: Strategy) -> None:
        """Note what waits, unless nothing was visited since that was noted last."""
        shared = await self.calls(self._sharing)
        if shared != self._shared:
            self._shared = shared
            await self.calls(lambda: self.store.save(SHARING_KEY, msgspec.json.encode(shared)))
        counts = await self.calls(self.store.reader.counts)
        if counts.visits == self._sampled:
            return
        self._sampled = counts.visits
        waiting = await self.calls(self.store.reader.count_waiting)
        queues = strategy.name_queues(waiting.tiers)
        event = sample_event(self._now(), counts, queues, waiting.sites)
        await self.calls(lambda: self.store.note(event))

    async def begin(self) -> None:
        """Run the orders that were left between two runs."""
        self._sampled = (await self.calls(self.store.reader.counts)).visits
        await self.calls(self._orders.begin)

    async def end(self, reason: str) -> None:
        """Note that the run is over."""
        await self.calls(lambda: self.store.note(Event(self._now(), "stopped", detail=reason)))
