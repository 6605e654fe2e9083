"""The strategy of one worker: the newest model, and on top of it what the worker saw since."""

from collections import deque
from collections.abc import Callable, Sequence

from leadline.core.crawl import Sight, Visit
from leadline.core.ports import Strategy
from leadline.core.shared import Ranking, Shared
from leadline.engine.calling import Calls
from leadline.engine.deciding import Deciding
from leadline.engine.lessons import Answered, Told, packed, unpacked, unpacked_model
from leadline.strategies.base import learns

RENEW_S = 0.25
"""Between two looks for a newer model, at least."""
MOST_OWN = 2_000
"""Lessons of its own that a worker remembers until they are in a model."""


class Pupil:
    """Decides by the model of one version. Its own lessons count at once for itself, and are told
    again to each newer model that does not hold them yet; everybody else's come with a model.

    So a worker knows all it did itself, also while no learner is alive.
    """

    def __init__(
        self,
        worker: str,
        shared: Shared,
        calls: Calls,
        deciding: Deciding,
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
        self._next_look = 0.0
        self._own: deque[tuple[int, bytes]] = deque(maxlen=MOST_OWN)
        self._serial = 0
        self._ranked = 0
        self.version = 0
        self.renew_s = RENEW_S

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
        """Take over a newer model, if it is time to look for one."""
        if self._tick() < self._next_look:
            return
        model = await self._calls(lambda: self._shared.model(self.version))
        self._next_look = self._tick() + self.renew_s
        if model is not None:
            self.take(model.version, model.state)

    def take(self, version: int, state: bytes) -> None:
        """Take over a model that came some other way; nothing happens unless it is newer."""
        if version <= self.version:
            return
        taught = unpacked_model(state)
        if taught.strategy != self.strategy.name:
            self._deciding.strategy = self._make(taught.strategy)
        self.strategy.restore(taught.state)
        self.version, self._ranked = version, taught.ranked
        heard = taught.heard.get(self._worker, 0)
        while self._own and self._own[0][0] <= heard:
            self._own.popleft()
        for _, lesson in self._own:
            unpacked(lesson).teach(self.strategy)

    def learn(self, sight: Sight | None, visit: Visit, answers: Sequence[Answered]) -> bytes:
        """Learn from a page; the lesson for the learner, b'' when there is none."""
        if sight is None or not learns(self.strategy):
            return b""
        self._serial += 1
        lesson = packed(Told(self._worker, self._serial, sight, visit, tuple(answers)))
        self._own.append((self._serial, lesson))
        # Answers were taken in when they came.
        self.strategy.learn(sight, visit)
        return lesson
