"""Sites that people excluded while a run on a shared store goes on."""

from collections.abc import Callable

import msgspec

from leadline.core.shared import Shared
from leadline.crawler.calling import Calls
from leadline.crawler.obeying import EXCLUDED_KEY
from leadline.crawler.scope import Scope

LOOK_S = 2.0


class Excluding:
    """Brings the scope of a worker up to date, now and then. An excluded site is closed by the
    worker that leases it next."""

    def __init__(
        self, shared: Shared, calls: Calls, scope: Scope, tick: Callable[[], float]
    ) -> None:
        self._shared = shared
        self._calls = calls
        self._scope = scope
        self._tick = tick
        self._next_look = 0.0
        self._kept = b""

    async def renew(self) -> None:
        if self._tick() < self._next_look:
            return
        kept = await self._calls(lambda: self._shared.load(EXCLUDED_KEY))
        self._next_look = self._tick() + LOOK_S
        if kept is not None and kept != self._kept:
            self._kept = kept
            self._scope.exclude(msgspec.json.decode(kept, type=list[str]))
