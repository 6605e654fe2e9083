"""Running coroutines to their end from code that waits for them."""

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
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
    with _on_ctrl_c(beside.cancel):
        thread = threading.Thread(target=beside.run, name="leadline", daemon=True)
        thread.start()
        thread.join()
    if beside.is_cancelled:
        raise KeyboardInterrupt
    return beside.result.result()


def _is_in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@contextmanager
def _on_ctrl_c(do: Callable[[], None]) -> Iterator[None]:
    """Have Ctrl-C do this instead of raising KeyboardInterrupt wherever the code is: raised in the
    midst of waiting it would leave locks held and threads behind. Only the main thread hears it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, lambda *_: do())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Beside(Generic[T]):
    """A coroutine on a loop in another thread, which this one may cancel at any time."""

    def __init__(self, work: Callable[[], Coroutine[Any, Any, T]]) -> None:
        self.result: Future[T] = Future()
        self.is_cancelled = False
        self._work = work
        self._stop: Callable[[], object] | None = None

    def run(self) -> None:
        try:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                self.result.set_result(runner.run(self._attended()))
        except BaseException as error:  # noqa: BLE001 - raised again by who waits
            self.result.set_exception(error)

    def cancel(self) -> None:
        self.is_cancelled = True
        if self._stop is not None:
            # The loop may have ended since then; so has what ran on it.
            with suppress(RuntimeError):
                self._stop()

    async def _attended(self) -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        if task is not None:
            cancel = task.cancel
            self._stop = lambda: loop.call_soon_threadsafe(cancel)
        if self.is_cancelled:
            raise asyncio.CancelledError
        return await self._work()
