"""Asks a source once more, after a pause, what it could not answer; and knows when to stop."""

from collections.abc import Awaitable, Callable
from itertools import count

from msgspec import Struct

from leadline.core.harvest import BLOCKED, Answer
from leadline.errors import (
    AddressRefusedError,
    ConnectionFailedError,
    FetchError,
    FetchTimeoutError,
    RobotsDeniedError,
    SiteBusyError,
)
from leadline.harvester.session.limits import Waits

Send = Callable[[], Awaitable[Answer]]
_SITE_WIDE = (RobotsDeniedError, AddressRefusedError)
"""What one query meets, all will."""
_PASSING = (SiteBusyError, FetchTimeoutError, ConnectionFailedError)


class Got(Struct, frozen=True):
    """An answer, or why there is none."""

    answer: Answer | None = None
    wasted: int = 0
    """Requests that brought nothing."""
    why: str = ""
    is_over: bool = False
    """Nothing more is to be had of the source in this run."""


class Trouble(Struct, frozen=True):
    """What came instead of an answer."""

    why: str
    requests: int
    tries: int
    """As many are made of it before it is final."""
    is_over: bool = False
    """Whether it then ends the harvest, not only the query."""
    asked_s: float | None = None
    """The pause that the site asked for."""


class Patience:
    """Guarantees: no more tries than `Waits` allows, each after its pause; no pause once
    `why_stop` has a reason."""

    def __init__(
        self,
        waits: Waits,
        pause: Callable[[float, str], Awaitable[None]],
        why_stop: Callable[[], str],
    ) -> None:
        """`pause` waits so many seconds, for a reason, unless the harvest is told to stop."""
        self._waits = waits
        self._pause = pause
        self._why_stop = why_stop

    async def ask(self, send: Send) -> Got:
        """Raises nothing that a source may raise."""
        wasted = 0
        for tries in count(1):
            trouble = await self._try(send)
            if isinstance(trouble, Answer):
                return Got(trouble, wasted)
            wasted += trouble.requests
            pause_s = self._waits.pause_before(tries, trouble.asked_s)
            if tries >= trouble.tries:
                return Got(None, wasted, trouble.why, trouble.is_over)
            if pause_s > self._waits.max_pause_s:
                return Got(None, wasted, f"{trouble.why}; come back in {pause_s:.0f} s", True)
            await self._pause(pause_s, trouble.why)
            if reason := self._why_stop():
                return Got(None, wasted, reason, True)
        raise AssertionError("counting never ends")

    async def _try(self, send: Send) -> Answer | Trouble:
        try:
            answer = await send()
        except FetchError as error:
            return self._trouble(error)
        if answer.kind == BLOCKED:
            why = f"blocked: {answer.why or 'the source keeps us out'}"
            return Trouble(why, answer.requests, self._waits.blocked_tries, is_over=True)
        return answer

    def _trouble(self, error: FetchError) -> Trouble:
        if isinstance(error, _SITE_WIDE):
            return Trouble(f"blocked: {error.reason}", error.requests, 1, is_over=True)
        if not isinstance(error, _PASSING):
            return Trouble(error.reason, error.requests, 1)
        is_busy = isinstance(error, SiteBusyError)
        why = f"blocked: {error.reason}" if is_busy else error.reason
        tries = self._waits.tries
        return Trouble(why, error.requests, tries, is_busy, error.retry_after_s)
