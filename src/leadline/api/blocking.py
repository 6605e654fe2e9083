"""Running coroutines to their end from code that waits for them."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, Generic, TypeVar

import uvloop

T = TypeVar("T")


def run_to_end(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """What the coroutine returns. Where an event loop runs already, as in a notebook, it gets a
    thread and a loop of its own; the caller waits for it there as anywhere else.

    Ctrl-C cancels it, waits until it has put its things away, and is raised.
    """
    if not _is_in_a_loop():
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(work())
    beside: _Beside[T] = _Beside()
    with ThreadPoolExecutor(1, "leadline") as pool:
        ended = pool.submit(beside.run, work)
        try:
            return ended.result()
        except KeyboardInterrupt:
            # Leaving the pool waits for the thread.
            beside.cancel()
            raise


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _Beside(Generic[T]):
    """A coroutine on a loop in another thread, which this one may cancel."""

    def __init__(self) -> None:
        self._begun = Event()
        self._cancel: Callable[[], object] = lambda: None

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(self._attended(work))

    def cancel(self) -> None:
        self._begun.wait()
        self._cancel()

    async def _attended(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is not None:
            cancel = task.cancel
            self._cancel = lambda: loop.call_soon_threadsafe(cancel)
        self._begun.set()
        return await work()
