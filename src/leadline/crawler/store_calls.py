"""How the loop calls its store: directly in memory and SQLite, in a thread with retries else."""

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from leadline.errors import StoreUnreachableError

T = TypeVar("T")

FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 5.0
"""Between two tries: short against a lease, long against what a starting database takes."""

_log = logging.getLogger(__name__)


class CallRunner(Protocol):
    """How a call is run that may take a while."""

    def __call__(self, call: Callable[[], T]) -> Awaitable[T]: ...


async def run_in_thread(call: Callable[[], T]) -> T:
    """Meanwhile the event loop continues."""
    return await asyncio.to_thread(call)


async def run_at_once(call: Callable[[], T]) -> T:
    """In the event loop, with a chance for other tasks before: for tests of several workers."""
    await asyncio.sleep(0)
    return call()


class StoreCalls:
    """Repeats a call while the store cannot be reached; every other error is the caller's.

    All calls of the ports may be repeated: one that took effect although its answer was lost
    changes nothing the second time, or raises LeaseLostError.
    """

    def __init__(
        self,
        run: CallRunner = run_in_thread,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        dice: Callable[[], float] = random.random,
    ) -> None:
        self._run = run
        self._sleep = sleep
        self._dice = dice
        self._loop = asyncio.get_running_loop()
        self.repeats = 0
        """Calls that had to be made again."""

    async def __call__(self, call: Callable[[], T]) -> T:
        wait_s = FIRST_WAIT_S
        while True:
            try:
                return await self._run(call)
            except StoreUnreachableError as error:
                self.repeats += 1
                _log.warning("the store cannot be reached, trying again: %s", error)
            # Workers that lost the store at the same moment do not come back at the same moment.
            await self._sleep(wait_s * (0.5 + 0.5 * self._dice()))
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    def in_the_loop(self, function: Callable[..., None]) -> Callable[..., None]:
        """The function, run in the event loop wherever it is called: what a store in another
        thread calls back must not meet the loop's own work half done. The store waits for it, so
        nothing in the loop may wait for the store but by a call of this object."""
        if self._run is not run_in_thread:
            return function

        async def call(*arguments: object) -> None:
            function(*arguments)

        def wait(*arguments: object) -> None:
            asyncio.run_coroutine_threadsafe(call(*arguments), self._loop).result()

        return wait


class DirectCalls(StoreCalls):
    """For a store that answers from the memory of this process.

    A call does not even give way to other tasks. So what one page is looked up, decided,
    delivered and learned by is one step, and a strategy sees pages in one order.
    """

    def __init__(self) -> None:
        super().__init__(run_at_once)

    async def __call__(self, call: Callable[[], T]) -> T:
        return call()
