"""How what is seen becomes a better ranking: in line, or by the one learner of a team.

A crawl in one process learns from each page at once (`InlineLearner`). In a team each worker
decides by its `WorkerModel` and delivers lessons; who holds the claim is the `Learner`: it learns
all lessons in one order and publishes models. When it dies, another worker takes the claim over
and starts from the newest model and the lessons that are not in it: lessons are forgotten only
together with the model that holds them, so none is lost and none is learned twice.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence

from msgspec import Struct, structs

from leadline.core.crawl import BacklinkQuery, CandidateId, PageView, Priority, Skip, Visit
from leadline.core.ports import Strategy
from leadline.core.store import (
    LEARNER,
    STOPPED,
    Claim,
    LinkRanking,
    PublishedModel,
    Store,
    StoredLesson,
)
from leadline.core.url import Site, Url
from leadline.crawler.decisions import Decider
from leadline.crawler.lessons import (
    BacklinkReply,
    ModelState,
    PageLesson,
    SignedLesson,
    pack_lesson,
    pack_model,
    read_signed,
    sign_lesson,
    unpack_lesson,
    unpack_model,
)
from leadline.crawler.run import RunKeeper
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import LeaseLostError
from leadline.strategies.base import can_learn, find_least_ranked

RENEW_S = 0.1
"""Between two looks for what is new, at least."""
MOST_OWN = 2_000
"""Lessons of its own that a worker remembers until they are in a model."""
CATCH_UP = 200
"""Lessons of others that are taken in before they are in a model. In a small team that is all of
them, and its members decide as one process would; in a large one they wait for the model."""
LESSONS = 200
"""Read at once."""
LOOK_S = 0.1
"""Between two looks for lessons when there were none."""
END_S = 0.25
"""Between two looks whether the run is over."""
PUBLISHING = 10
"""Publishing, and sampling what waits, takes each at most one of so many seconds."""
SITES = 10_000
"""Ranked by one statement."""

_log = logging.getLogger(__name__)

MakeStrategy = Callable[[str], Strategy]
"""Gives the strategy of a name, with the run's settings."""
Broadcast = Callable[[PublishedModel], Awaitable[None]]


class InlineLearner:
    """Learns from each page at once, for the one process of a crawl.

    When the strategy says that waiting links should be ranked again, the next lease ranks all.
    """

    def __init__(self, decider: Decider, store: Store, fallback: Strategy | None = None) -> None:
        self._decider = decider
        self._store = store
        self._fallback = fallback
        self.version = 0
        self._since_save = 0
        self._ranking: LinkRanking | None = None

    @property
    def strategy(self) -> Strategy:
        return self._decider.strategy

    @property
    def ranking(self) -> LinkRanking | None:
        return self._ranking

    def learn(self, view: PageView, visit: Visit) -> bytes:
        if self.strategy.learn(view, visit):
            self.rank_again(find_least_ranked(self.strategy))
        return b""

    def rank_again(self, least: float = -math.inf) -> None:
        """Have the next lease rank what waits and has that score, all by default, if anything was
        learned to rank it by."""
        if not can_learn(self.strategy):
            return
        self.version += 1
        spec = self.strategy.features
        width = spec.width if spec else 0
        self._ranking = LinkRanking(self.version, width, self.strategy.rescore, least)

    def learn_again(self, view: PageView, visit: Visit) -> None:
        """Learn a page once more, as it is judged by now."""
        self.strategy.learn(view, visit)

    def sign(self, visit: CandidateId, lesson: bytes) -> bytes:  # noqa: ARG002
        return lesson

    def take_back(self, visit: CandidateId) -> None:
        """Nothing to do: what one process delivers is never refused."""

    def note_backlink_query(self, query: BacklinkQuery) -> None:
        self.strategy.note_backlink_query(query)

    def rank_backlinks(
        self, query: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]:
        return self.strategy.rank_backlinks(query, found)

    def count_visit(self) -> None:
        """Save what was learned, now and then."""
        self._since_save += 1
        if self._since_save >= self._decider.plan.checkpoint_pages:
            self.save()

    def save(self) -> None:
        self._since_save = 0
        self._store.save(f"strategy:{self.strategy.name}", self.strategy.state())

    async def switch(self, name: str) -> None:
        """Have the fallback strategy learn and rank from here on."""
        if self._fallback is None or self._fallback.name != name:
            raise ValueError(f"there is no strategy {name!r} to fall back on")
        self.save()
        self._decider.strategy = self._fallback
        self._ranking = None


class _OwnLesson(Struct):
    """A lesson of this worker that may not be in its model."""

    body: bytes
    serial: int = 0
    """0 until it is delivered."""


class WorkerModel:
    """What a worker decides by: the model of one version, and the lessons since then. Its own
    count at once, those of others as they are delivered, unless they are too many.

    So a worker knows all it did itself, also while no learner is alive.
    """

    def __init__(
        self,
        worker: str,
        store: Store,
        calls: StoreCalls,
        decider: Decider,
        make: MakeStrategy,
        tick: Callable[[], float],
    ) -> None:
        """`tick` is a clock that never jumps."""
        self._worker = worker
        self._learning = store.learning
        self._calls = calls
        self._decider = decider
        self._make = make
        self._tick = tick
        self._next_look = self._next_model = 0.0
        self._own: dict[CandidateId, _OwnLesson] = {}
        self._queries: list[BacklinkQuery] = []
        self._replies: list[BacklinkReply] = []
        self._corrections: list[bytes] = []
        self._serial = 0
        self._ranked = 0
        self._upto = 0
        self.version = 0
        self.model_s = RENEW_S
        """Between two looks for a model, at least: longer where models come by broadcast."""

    @property
    def strategy(self) -> Strategy:
        return self._decider.strategy

    @property
    def ranking(self) -> LinkRanking | None:
        if not self._ranked:
            return None
        spec = self.strategy.features
        return LinkRanking(self._ranked, spec.width if spec else 0, self.strategy.rescore)

    async def renew(self) -> None:
        """Take over what is new, if it is time to look."""
        if self._tick() < self._next_look:
            return
        if self._tick() >= self._next_model:
            model = await self._calls(lambda: self._learning.model(self.version))
            self._next_model = self._tick() + self.model_s
            if model is not None:
                self.take(model)
        if can_learn(self.strategy):
            await self._catch_up()
        self._next_look = self._tick() + RENEW_S

    async def _catch_up(self) -> None:
        """Take in what others learned since the model, unless it is too much."""
        upto = self._upto
        lessons = await self._calls(lambda: self._learning.lessons(upto, CATCH_UP + 1))
        if len(lessons) > CATCH_UP or upto != self._upto:
            return
        for lesson in lessons:
            signed = read_signed(lesson.body)
            if signed.worker == self._worker:
                self._forget(signed.serial)
            else:
                unpack_lesson(signed.body).teach(self.strategy)
            self._upto = lesson.number

    def take(self, model: PublishedModel) -> None:
        """Decide by a model from here on; nothing happens unless it is newer."""
        if model.version <= self.version:
            return
        state = unpack_model(model.state)
        if state.strategy != self.strategy.name:
            self._decider.strategy = self._make(state.strategy)
        self.strategy.restore(state.state)
        self.version, self._upto, self._ranked = model.version, model.upto, state.ranked
        self._forget(state.heard.get(self._worker, 0))
        for own in self._own.values():
            unpack_lesson(own.body).teach(self.strategy)
        for query in self._queries:
            self.strategy.note_backlink_query(query)
        for body in self._corrections:
            unpack_lesson(body).teach(self.strategy)

    def _forget(self, serial: int) -> None:
        """Drop its own lessons up to a serial number; they are in the model, or were taken in by
        their number."""
        for visit in [one for one, own in self._own.items() if 0 < own.serial <= serial]:
            del self._own[visit]

    def note_backlink_query(self, query: BacklinkQuery) -> None:
        """As `Strategy.note_backlink_query`; the next lesson tells of it."""
        self.strategy.note_backlink_query(query)
        self._queries.append(query)

    def rank_backlinks(
        self, query: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]:
        """As `Strategy.rank_backlinks`; the next lesson tells of it."""
        self._replies.append(BacklinkReply(query, tuple(found)))
        return self.strategy.rank_backlinks(query, found)

    def learn(self, view: PageView, visit: Visit) -> bytes:
        if not can_learn(self.strategy):
            return b""
        self.strategy.learn(view, visit)
        lesson = PageLesson(
            view, visit, tuple(self._queries), tuple(self._replies), tuple(self._corrections)
        )
        self._queries, self._replies, self._corrections = [], [], []
        body = pack_lesson(lesson)
        self._own[visit.id] = _OwnLesson(body)
        if len(self._own) > MOST_OWN:
            del self._own[next(iter(self._own))]
        return body

    def learn_again(self, view: PageView, visit: Visit) -> None:
        """Learn a page once more, as it is judged by now; the next lesson tells of it."""
        if can_learn(self.strategy):
            self.strategy.learn(view, visit)
            self._corrections.append(pack_lesson(PageLesson(view, visit)))

    def rank_again(self) -> None:
        """Nothing to do: the learner ranks anew when it hears of corrections."""

    def sign(self, visit: CandidateId, lesson: bytes) -> bytes:
        """Lessons are numbered in the order of delivery."""
        if not lesson:
            return lesson
        self._serial += 1
        if visit in self._own:
            self._own[visit].serial = self._serial
        return sign_lesson(SignedLesson(self._worker, self._serial, lesson))

    def take_back(self, visit: CandidateId) -> None:
        self._own.pop(visit, None)


class Learner:
    """One process's offer to be the learner. States: waiting (another one is), learning, over."""

    def __init__(
        self,
        name: str,
        keeper: RunKeeper,
        make: MakeStrategy,
        *,
        claim_s: float = 20.0,
        broadcast: Broadcast | None = None,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        """`broadcast` is also told of each model."""
        self.name = name
        self._store, self._calls, self._first = keeper.store, keeper.calls, keeper.first
        self._keeper = keeper
        self._make = make
        self.claim_s = claim_s
        self._broadcast = broadcast
        self._tick = tick
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
                if (await self._calls(self._store.run.state)).state == STOPPED:
                    self._is_over = True
                continue
            try:
                await self._learn_until_over()
            except LeaseLostError as error:
                _log.warning("another learner has taken over: %s", error)
            else:
                self._is_over = True
                await self._release(claim)

    async def _release(self, claim: Claim) -> None:
        await self._calls(lambda: self._store.learning.release(claim))

    def _claim(self) -> Claim | None:
        return self._store.learning.claim(LEARNER, self.name, self.claim_s)

    # From taking the claim to losing it, or to the end of the run

    async def _learn_until_over(self) -> None:
        """Raises LeaseLostError when another learner has taken over."""
        await self._begin()
        keeper = self._keeper
        sample_at = end_at = 0.0
        while not self._is_over:
            await self._prolong()
            lessons = await self._calls(self._read_lessons)
            await self._learn(lessons)
            if self._is_new and self._tick() >= self._publish_at:
                await self._publish()
            await keeper.look()
            if self._tick() >= sample_at:
                begun = self._tick()
                await keeper.sample(self._strategy)
                cost_s = self._tick() - begun
                sample_at = self._tick() + max(keeper.sample_s, PUBLISHING * cost_s)
            if self._tick() >= end_at:
                end_at = self._tick() + END_S
                if await keeper.is_over(self):
                    break
            if not lessons:
                await asyncio.sleep(LOOK_S)
        await self._end()

    async def _begin(self) -> None:
        """Take up what the last learner left."""
        self._strategy = self._make(self._first)
        self._state = ModelState(self._first, b"")
        self._version = self._upto = 0
        self._is_new = self._is_ranked = False
        self._publish_at = self._prolong_at = 0.0
        self._ranks: dict[Site, Priority] = {}
        model = await self._calls(self._store.learning.model)
        state = unpack_model(model.state) if model is not None else None
        if model is not None:
            self._version, self._upto = model.version, model.upto
        if state is not None and state.strategy in (self._first, self._keeper.fallback):
            self._state = state
            self._strategy = self._make(state.strategy)
            self._strategy.restore(state.state)
            return
        saved = await self._calls(lambda: self._store.load(f"strategy:{self._strategy.name}"))
        if saved is not None:
            self._strategy.restore(saved)
            self._is_new = True

    def _read_lessons(self) -> list[StoredLesson]:
        return self._store.learning.lessons(self._upto, LESSONS)

    async def _prolong(self) -> None:
        """Keep the claim. Raises LeaseLostError when it has passed on."""
        if self._tick() < self._prolong_at:
            return
        if await self._calls(self._claim) is None:
            raise LeaseLostError("the learner's claim has passed to another worker")
        self._prolong_at = self._tick() + self.claim_s / 4

    async def _learn(self, lessons: Iterable[StoredLesson]) -> None:
        for lesson in lessons:
            signed = read_signed(lesson.body)
            self._is_ranked |= unpack_lesson(signed.body).teach(self._strategy)
            self._state = self._state.add(signed)
            self._upto, self._is_new = lesson.number, True
            self.learned += 1
            await self._prolong()

    async def _publish(self) -> None:
        begun = self._tick()
        version = self._version + 1
        ranked = version if self._is_ranked else self._state.ranked
        state = structs.replace(self._state, state=self._strategy.state(), ranked=ranked)
        model = PublishedModel(version, pack_model(state), self._upto)
        await self._calls(lambda: self._publish_once(model))
        self._state, self._version, self._is_new = state, version, False
        if self._broadcast is not None:
            await self._broadcast(model)
        if self._is_ranked:
            self._is_ranked = False
            await self._rank_sites()
        self._publish_at = self._tick() + PUBLISHING * (self._tick() - begun)

    def _publish_once(self, model: PublishedModel) -> None:
        """Publish, unless this very model was published by a call whose answer was lost."""
        newest = self._store.learning.model(model.version - 1)
        if newest is None or newest != model:
            self._store.learning.publish(model)

    async def _rank_sites(self) -> None:
        """Give sites that wait their new ranks, those that moved."""
        ranks = dict(self._strategy.site_ranks())
        moved = [(site, rank) for site, rank in ranks.items() if self._ranks.get(site) != rank]
        self._ranks = ranks
        for start in range(0, len(moved), SITES):
            await self._rank(moved[start : start + SITES])

    async def _rank(self, ranks: list[tuple[Site, Priority]]) -> None:
        await self._calls(lambda: self._store.links.rank_sites(ranks, waiting=True))

    async def switch(self, name: str) -> None:
        """Have another strategy learn and rank from here on."""
        if self._strategy.name == name:
            return
        await self._save()
        self._strategy = self._make(name)
        self._state = structs.replace(self._state, strategy=name, ranked=0)
        await self._publish()

    async def _end(self) -> None:
        """Leave everything as a single process would."""
        while lessons := await self._calls(self._read_lessons):
            await self._learn(lessons)
        if self._is_new:
            await self._publish()
        await self._save()
        await self._keeper.sample(self._strategy)
        run = await self._calls(self._store.run.state)
        if run.state == STOPPED:
            await self._keeper.end(run.reason)

    async def _save(self) -> None:
        state, name = self._strategy.state(), self._strategy.name
        await self._calls(lambda: self._store.save(f"strategy:{name}", state))
