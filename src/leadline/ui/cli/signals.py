"""Ctrl-C, twice: first finish what is under way, then stop at once. SIGTERM is like the first."""

import asyncio
import signal
from collections.abc import Callable
from typing import Protocol

from leadline.crawler.run import INTERRUPTED
from leadline.ui.cli.exits import TERMINATED

FIRST = "stopping; press Ctrl-C again to stop at once"
SECOND = "stopping at once; nothing recorded is lost"


def crawl_task() -> "asyncio.Task[object]":
    """The task this is called in; there is one wherever a crawl runs."""
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("no crawl is running here")
    return task


class Stoppable(Protocol):
    """What can be stopped by a signal."""

    def stop(self, reason: str = ...) -> None: ...


class StopSignals:
    """Signals of one run. States: running, stopping (after one), cut off (after two)."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._is_stopping = False

    def attach(self, crawl: Stoppable) -> None:
        """Listen to signals. Called inside the crawl's own task, which the second one cancels."""
        loop, task = asyncio.get_running_loop(), crawl_task()

        def on_signal(reason: str) -> None:
            if self._is_stopping:
                self._say(SECOND)
                task.cancel()
                return
            self._is_stopping = True
            self._say(FIRST)
            crawl.stop(reason)

        loop.add_signal_handler(signal.SIGINT, on_signal, INTERRUPTED)
        loop.add_signal_handler(signal.SIGTERM, on_signal, TERMINATED)
