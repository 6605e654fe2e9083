"""Running coroutines to their end from code that waits for them."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from threading import Event, Thread
from typing import Any, Generic, TypeVar

import uvloop

T = TypeVar("T")
Work = Callable[[], Coroutine[Any, Any, T]]


def run_to_end(work: Work[T]) -> T:
    """What the coroutine returns. Where an event loop runs already, as in a notebook, it gets a
    thread and a loop of its own; the caller waits for it there as anywhere else.

    Ctrl-C cancels it, waits until it has put its things away, and is raised.
    """
    if _is_in_a_loop():
        return _Beside(work).result()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work())


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _Beside(Generic[T]):
    """A coroutine on a loop in another thread."""

    def __init__(self, work: Work[T]) -> None:
        self._work = work
        self._begun = Event()
        self._cancel: Callable[[], object] = lambda: None
        self._ended: Future[T] = Future()

    def result(self) -> T:
        """Wait for it. To be called once."""
        try:
            Thread(target=self._run, name="leadline").start()
            return self._ended.result()
        except KeyboardInterrupt:
            # It may come at any instant: the coroutine can be cancelled from its first one on.
            # Thread.join cannot be trusted after it: an interrupted one takes the thread for dead.
            self._begun.wait()
            self._cancel()
            wait([self._ended])
            raise

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            loop = runner.get_loop()
            task = loop.create_task(self._work())
            self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
            self._begun.set()
            loop.run_until_complete(asyncio.wait([task]))
        self._keep(task)

    def _keep(self, task: asyncio.Task[T]) -> None:
        if task.cancelled():
            self._ended.cancel()
            self._ended.set_running_or_notify_cancel()
        elif (error := task.exception()) is not None:
            self._ended.set_exception(error)
        else:
            self._ended.set_result(task.result())
