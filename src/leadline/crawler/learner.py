"""The one learner of a run on a shared store, which also sees to orders and to the run's end.

Whoever holds the claim is the learner; when it dies, another worker takes the claim over. It
starts from the newest model and the lessons that are not in it: lessons are forgotten only
together with the model that holds them, so none is lost and none is learned twice.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable

from msgspec import Struct, structs

from leadline.core import running
from leadline.core.crawl import Event, Priority
from leadline.core.ports import Strategy
from leadline.core.running import RunState
from leadline.core.samples import sample_event
from leadline.core.shared import LEARNER, NOTHING_LEFT, STOPPED, Claim, Lesson, Model, Shared
from leadline.core.url import Site
from leadline.crawler.lessons import Taught, packed_model, unpacked, unpacked_model, unsigned
from leadline.crawler.links import FALLBACK_KEY, LinkRules, retry_skipped
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import LeaseLostError

LESSONS = 200
"""Read at once."""
LOOK_S = 0.1
"""Between two looks for lessons when there were none."""
END_S = 0.25
"""Between two looks whether the run is over."""
PUBLISHING = 10
"""Publishing, and sampling what waits, takes each at most one of so many seconds."""
SAMPLE_S = 5.0
"""Between two samples of what waits, at least."""
SITES = 10_000
"""Ranked by one statement."""

_log = logging.getLogger(__name__)

Broadcast = Callable[[Model], Awaitable[None]]


class School(Struct, frozen=True):
    """What the learner works with."""

    shared: Shared
    calls: StoreCalls
    make: Callable[[str], Strategy]
    """The strategy of a name, with the run's settings."""
    first: str
    then: str = ""
    """The strategy that goes on when nothing is left; '' for none."""
    rules: LinkRules | None = None
    look: Callable[[], None] = lambda: None
    """Sees to orders on the desk; called now and then, in a thread."""
    broadcast: Broadcast | None = None
    """Also told of each model."""


class Learner:
    """One process's offer to be the learner. States: waiting (another one is), teaching, over."""

    def __init__(
        self,
        name: str,
        school: School,
        claim_s: float = 20.0,
        now: Callable[[], float] = time.time,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._school = school
        self._shared, self._calls = school.shared, school.calls
        self.claim_s = claim_s
        self._now, self._tick = now, tick
        self._is_over = False
        self.learned = 0
        """Lessons taken in by this process."""

    def leave(self) -> None:
        self._is_over = True

    async def run(self) -> None:
        """Be the learner whenever no other one is, until the run is over or `leave`."""
        while not self._is_over:
            claim = await self._calls(self._claim)
            if claim is None:
                await asyncio.sleep(min(1.0, self.claim_s / 4))
                if (await self._calls(self._shared.run)).state == STOPPED:
                    self._is_over = True
                continue
            try:
                await Teaching(self, self._school, self._now, self._tick).run()
            except LeaseLostError as error:
                _log.warning("another learner has taken over: %s", error)
            else:
                self._is_over = True
                await self._release(claim)

    async def _release(self, claim: Claim) -> None:
        await self._calls(lambda: self._shared.release(claim))

    async def prolong(self) -> None:
        """Keep the claim. Raises LeaseLostError when it has passed on."""
        if await self._calls(self._claim) is None:
            raise LeaseLostError("the learner's claim has passed to another worker")

    @property
    def is_over(self) -> bool:
        return self._is_over

    def _claim(self) -> Claim | None:
        return self._shared.claim(LEARNER, self.name, self.claim_s)


class Teaching:
    """From taking the claim to losing it, or to the end of the run."""

    def __init__(
        self,
        learner: Learner,
        school: School,
        now: Callable[[], float],
        tick: Callable[[], float],
    ) -> None:
        self._learner = learner
        self._school = school
        self._shared, self._calls = school.shared, school.calls
        self._now, self._tick = now, tick
        self._strategy = school.make(school.first)
        self._taught = Taught(school.first, b"")
        self._version = 0
        self._upto = 0
        self._is_new = self._is_ranked = False
        self._publish_at = self._prolong_at = self._end_at = self._sample_at = 0.0
        self._sampled = 0
        self._sites: dict[Site, Priority] = {}

    async def run(self) -> None:
        """Raises LeaseLostError when another learner has taken over."""
        await self._begin()
        while not self._learner.is_over:
            await self._prolong()
            lessons = await self._calls(lambda: self._shared.lessons(self._upto, LESSONS))
            await self._learn(lessons)
            if self._is_new and self._tick() >= self._publish_at:
                await self._publish()
            await self._calls(self._school.look)
            if self._tick() >= self._sample_at:
                await self._sample()
            if self._tick() >= self._end_at and await self._is_the_end():
                break
            if not lessons:
                await asyncio.sleep(LOOK_S)
        await self._end()

    async def _begin(self) -> None:
        """Take up what the last learner left."""
        model = await self._calls(self._shared.model)
        taught = unpacked_model(model.state) if model is not None else None
        if model is not None:
            self._version, self._upto = model.version, model.upto
        names = {self._school.first, self._school.then}
        if taught is not None and taught.strategy in names:
            self._taught = taught
            self._strategy = self._school.make(taught.strategy)
            self._strategy.restore(taught.state)
            return
        kept = await self._calls(lambda: self._shared.load(f"strategy:{self._strategy.name}"))
        if kept is not None:
            self._strategy.restore(kept)
            self._is_new = True

    async def _prolong(self) -> None:
        if self._tick() >= self._prolong_at:
            await self._learner.prolong()
            self._prolong_at = self._tick() + self._learner.claim_s / 4

    async def _learn(self, lessons: Iterable[Lesson]) -> None:
        for lesson in lessons:
            told = unsigned(lesson.body)
            self._is_ranked |= unpacked(told.body).teach(self._strategy)
            self._taught = self._taught.after(told)
            self._upto, self._is_new = lesson.number, True
            self._learner.learned += 1
            await self._prolong()

    async def _publish(self) -> None:
        begun = self._tick()
        version = self._version + 1
        ranked = version if self._is_ranked else self._taught.ranked
        taught = structs.replace(self._taught, state=self._strategy.state(), ranked=ranked)
        state = packed_model(taught)
        model = Model(version, state, self._upto)
        await self._calls(lambda: self._publish_once(model))
        self._taught, self._version, self._is_new = taught, version, False
        if self._school.broadcast is not None:
            await self._school.broadcast(model)
        if self._is_ranked:
            self._is_ranked = False
            await self._rank_sites()
        self._publish_at = self._tick() + PUBLISHING * (self._tick() - begun)

    def _publish_once(self, model: Model) -> None:
        """Publish, unless this very model was published by a call whose answer was lost."""
        newest = self._shared.model(model.version - 1)
        if newest is None or newest != model:
            self._shared.publish(model)

    async def _rank_sites(self) -> None:
        """Give sites that wait their new ranks, those that moved."""
        standing = dict(self._strategy.site_ranks())
        moved = [(site, rank) for site, rank in standing.items() if self._sites.get(site) != rank]
        self._sites = standing
        for start in range(0, len(moved), SITES):
            await self._rank(moved[start : start + SITES])

    async def _rank(self, ranks: list[tuple[Site, Priority]]) -> None:
        await self._calls(lambda: self._shared.rank_sites(ranks, waiting=True))

    async def _sample(self) -> None:
        """Note what waits, unless nothing was visited since that was noted last."""
        begun = self._tick()
        counts = await self._calls(self._shared.counts)
        if counts.visits != self._sampled:
            waiting = await self._calls(self._shared.waiting)
            queues = self._strategy.name_queues(waiting.tiers)
            event = sample_event(self._now(), counts, queues, waiting.sites)
            await self._calls(lambda: self._shared.note(event))
            self._sampled = counts.visits
        cost_s = self._tick() - begun
        self._sample_at = self._tick() + max(SAMPLE_S, PUBLISHING * cost_s)

    async def _is_the_end(self) -> bool:
        self._end_at = self._tick() + END_S
        run = await self._calls(self._shared.run)
        if run.state == STOPPED:
            return True
        reason = await self._calls(self._shared.why_stop)
        if not reason or (reason == NOTHING_LEFT and await self._go_on()):
            return False
        await self._calls(lambda: self._shared.stop(reason))
        return True

    async def _go_on(self) -> bool:
        """Let another strategy look at what was passed over; False when there is none."""
        school, rules = self._school, self._school.rules
        succession = f"{school.first} {school.then}".encode()
        if not school.then or rules is None:
            return False
        if await self._calls(lambda: self._shared.load(FALLBACK_KEY)) == succession:
            return False
        if self._strategy.name != school.then:
            await self._save()
            self._strategy = school.make(school.then)
            self._taught = structs.replace(self._taught, strategy=school.then, ranked=0)
            await self._publish()
        await self._calls(lambda: self._reopen(rules))
        await self._calls(lambda: self._shared.save(FALLBACK_KEY, succession))
        return True

    def _reopen(self, rules: LinkRules) -> None:
        sites = self._shared.reopen()
        links = self._shared.put(list(retry_skipped(self._shared.skipped(), rules)))
        detail = f"{sites} sites opened again, {links} links passed over before"
        self._shared.note(Event(self._now(), "second-wind", self._strategy.name, detail))

    async def _end(self) -> None:
        """Leave everything as a single process would."""
        while lessons := await self._calls(lambda: self._shared.lessons(self._upto, LESSONS)):
            await self._learn(lessons)
        if self._is_new:
            await self._publish()
        await self._save()
        await self._sample()
        run = await self._calls(self._shared.run)
        if run.state == STOPPED:
            at = self._now()
            told = running.encoded(RunState(running.STOPPED, at, run.reason))
            await self._calls(lambda: self._shared.save(running.KEY, told))
            event = Event(at, "stopped", detail=run.reason)
            await self._calls(lambda: self._shared.note(event))

    async def _save(self) -> None:
        state, name = self._strategy.state(), self._strategy.name
        await self._calls(lambda: self._shared.save(f"strategy:{name}", state))
