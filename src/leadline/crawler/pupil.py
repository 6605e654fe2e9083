"""The strategy of one worker: the newest model, and on top of it what the worker saw since."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from leadline.core.crawl import BacklinkQuery, CandidateId, PageView, Priority, Skip, Visit
from leadline.core.ports import Strategy
from leadline.core.shared import Model, Ranking, Shared
from leadline.core.url import Url
from leadline.crawler.decisions import Decider
from leadline.crawler.lessons import (
    Answered,
    Signed,
    Told,
    packed,
    signed,
    unpacked,
    unpacked_model,
    unsigned,
)
from leadline.crawler.store_calls import StoreCalls
from leadline.strategies.base import can_learn

RENEW_S = 0.1
"""Between two looks for what is new, at least."""
MOST_OWN = 2_000
"""Lessons of its own that a worker remembers until they are in a model."""
CATCH_UP = 200
"""Lessons of others that are taken in before they are in a model. In a small team that is all of
them, and its members decide as one process would; in a large one they wait for the model."""


class Own(Struct):
    """A lesson of this worker that may not be in its model."""

    body: bytes
    serial: int = 0
    """0 until it is told."""


class Pupil:
    """Decides by the model of one version, and by the lessons since then: its own count at once,
    those of others as they are told, unless they are too many.

    So a worker knows all it did itself, also while no learner is alive.
    """

    def __init__(
        self,
        worker: str,
        shared: Shared,
        calls: StoreCalls,
        deciding: Decider,
        make: Callable[[str], Strategy],
        tick: Callable[[], float],
    ) -> None:
        """`make` gives the strategy of a name; `tick` is a clock that never jumps."""
        self._worker = worker
        self._shared = shared
        self._calls = calls
        self._deciding = deciding
        self._make = make
        self._tick = tick
        self._next_look = self._next_model = 0.0
        self._own: dict[CandidateId, Own] = {}
        self._asked: list[BacklinkQuery] = []
        self._answers: list[Answered] = []
        self._serial = 0
        self._ranked = 0
        self._upto = 0
        self.version = 0
        self.model_s = RENEW_S
        """Between two looks for a model, at least: longer where models come by broadcast."""

    @property
    def strategy(self) -> Strategy:
        return self._deciding.strategy

    @property
    def ranking(self) -> Ranking | None:
        """How waiting links are ranked again; None while nothing was learned that would."""
        if not self._ranked:
            return None
        spec = self.strategy.features
        return Ranking(self._ranked, spec.width if spec else 0, self.strategy.rescore)

    async def renew(self) -> None:
        """Take over what is new, if it is time to look."""
        if self._tick() < self._next_look:
            return
        if self._tick() >= self._next_model:
            model = await self._calls(lambda: self._shared.model(self.version))
            self._next_model = self._tick() + self.model_s
            if model is not None:
                self.take(model)
        if can_learn(self.strategy):
            await self._catch_up()
        self._next_look = self._tick() + RENEW_S

    async def _catch_up(self) -> None:
        """Take in what others learned since the model, unless it is too much."""
        upto = self._upto
        lessons = await self._calls(lambda: self._shared.lessons(upto, CATCH_UP + 1))
        if len(lessons) > CATCH_UP or upto != self._upto:
            return
        for lesson in lessons:
            told = unsigned(lesson.body)
            if told.worker == self._worker:
                self._forget(told.serial)
            else:
                unpacked(told.body).teach(self.strategy)
            self._upto = lesson.number

    def take(self, model: Model) -> None:
        """Decide by a model from here on; nothing happens unless it is newer."""
        if model.version <= self.version:
            return
        taught = unpacked_model(model.state)
        if taught.strategy != self.strategy.name:
            self._deciding.strategy = self._make(taught.strategy)
        self.strategy.restore(taught.state)
        self.version, self._upto, self._ranked = model.version, model.upto, taught.ranked
        self._forget(taught.heard.get(self._worker, 0))
        for own in self._own.values():
            unpacked(own.body).teach(self.strategy)
        for question in self._asked:
            self.strategy.note_backlink_query(question)

    def _forget(self, serial: int) -> None:
        """Of its own lessons, those up to a number that were told; they are in the model, or were
        taken in by their number."""
        for visit in [one for one, own in self._own.items() if 0 < own.serial <= serial]:
            del self._own[visit]

    def note_backlink_query(self, question: BacklinkQuery) -> None:
        """As `Strategy.note_backlink_query`; the next lesson tells of it."""
        self.strategy.note_backlink_query(question)
        self._asked.append(question)

    def rank_backlinks(
        self, question: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]:
        """As `Strategy.rank_backlinks`; the next lesson tells of it."""
        self._answers.append(Answered(question, tuple(found)))
        return self.strategy.rank_backlinks(question, found)

    def learn(self, view: PageView, visit: Visit) -> bytes:
        """Learn from a page; the lesson for the learner, b'' when there is none."""
        if not can_learn(self.strategy):
            return b""
        self.strategy.learn(view, visit)
        told = Told(view, visit, tuple(self._asked), tuple(self._answers))
        self._asked, self._answers = [], []
        body = packed(told)
        self._own[told.visit.id] = Own(body)
        if len(self._own) > MOST_OWN:
            del self._own[next(iter(self._own))]
        return body

    def sign(self, visit: CandidateId, body: bytes) -> bytes:
        """The lesson as it is told now: lessons are numbered in the order of telling."""
        if not body:
            return body
        self._serial += 1
        if visit in self._own:
            self._own[visit].serial = self._serial
        return signed(Signed(self._worker, self._serial, body))

    def take_back(self, visit: CandidateId) -> None:
        """A lesson was refused: nobody will hear it."""
        self._own.pop(visit, None)
