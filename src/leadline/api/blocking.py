"""Running coroutines to their end from code that waits for them."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from threading import Event, Thread
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
    beside = _Beside(work)
    thread = Thread(target=beside.run, name="leadline", daemon=True)
    thread.start()
    try:
        beside.begin()
        thread.join()
    except KeyboardInterrupt:
        beside.cancel()
        thread.join()
        raise
    return beside.result.result()


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _Beside(Generic[T]):
    """A coroutine on a loop in another thread, which this one may cancel.

    Nothing of it runs before `begin` or `cancel`: a Ctrl-C that comes while the thread is being
    made then finds nothing to put away.
    """

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self.result: Future[T] = Future()
        self._work = work
        self._may_begin = Event()
        self._has_begun = Event()
        self._cancel: Callable[[], object] = lambda: None

    def run(self) -> None:
        self._may_begin.wait()
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                self.result.set_result(runner.run(self._attended()))
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            self.result.set_exception(error)

    def begin(self) -> None:
        self._may_begin.set()

    def cancel(self) -> None:
        self._may_begin.set()
        self._has_begun.wait()
        self._cancel()

    async def _attended(self) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is not None:
            cancel = task.cancel
            self._cancel = lambda: loop.call_soon_threadsafe(cancel)
        self._has_begun.set()
        return await self._work()
