"""The one thread that writes a store: what is recorded goes to disk in batches."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from leadline.errors import StoreError
from leadline.store.batch import Batch

INTERVAL_S = 0.25
"""Longest time a record waits for its transaction: what a kill -9 can cost."""
BATCH_VISITS = 500
"""As many visits are written at once: larger transactions save nothing more."""
PENDING_VISITS = 5_000
PENDING_LINKS = 100_000
PENDING_RECORDS = 20_000
"""As much unwritten blocks the crawl: the disk is slower than the web."""


class Writer:
    """Collects records and commits them, each record whole, in the order given.

    An error stops the thread for good: every later call raises StoreError, and
    what was committed before is safe.
    """

    def __init__(
        self,
        write: Callable[[Batch], None],
        path: Path | str,
        failures: tuple[type[Exception], ...],
    ) -> None:
        """`write` writes a batch, all or nothing; `failures` are what it may raise."""
        self._write = write
        self._path = path
        # ValueError: text with half a surrogate pair; OverflowError: an integer beyond 64 bits.
        self._failures: tuple[type[Exception], ...] = (*failures, ValueError, OverflowError)
        # By itself: taking it through the condition takes three times as long.
        lock = threading.RLock()
        self._changed = threading.Condition(lock)
        self.lock: AbstractContextManager[object] = lock
        """Held while a record is added."""
        self._queued = Batch()
        self._writing: Batch | None = None
        self._has_work = False
        self._is_urgent = False
        self._is_stopping = False
        self._is_running = True
        self._is_reported = False
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="leadline-writer", daemon=True)
        self._thread.start()

    def __enter__(self) -> Batch:
        """The batch to add one record to; it is not written before the block ends."""
        self._changed.acquire()
        if not self._is_running or self._is_full():
            try:
                self._await(lambda: not self._is_full())
            except StoreError:
                self._changed.release()
                raise
        return self._queued

    def __exit__(self, *_: object) -> None:
        if not self._has_work or len(self._queued.visits) >= BATCH_VISITS:
            self._has_work = True
            self._changed.notify_all()
        self._changed.release()

    def list_pending(self) -> Iterator[Batch]:
        """What may not be on disk yet. A record not found in these is.

        Batches go from queued to writing to disk; looked up in that order, none
        slips by.
        """
        yield self._queued
        writing = self._writing
        if writing is not None:
            yield writing

    def check(self) -> None:
        """Raise if nothing more will be written."""
        if self._is_running:
            return
        if self._error is None and self._is_stopping:
            raise StoreError(f"{self._path} is closed")
        self._is_reported = True
        raise StoreError(
            f"{self._path} cannot be written ({self._error or 'the writing thread died'}); "
            "all that was committed is safe: mend the cause and run again"
        ) from self._error

    def flush(self) -> None:
        """Return when everything collected so far is committed."""
        with self._changed:
            self._is_urgent = self._has_work
            self._changed.notify_all()
            self._await(lambda: not self._has_work and self._writing is None)

    def close(self) -> None:
        """Write what is left and stop. Raises when that fails and nobody was told yet."""
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()
        self._thread.join()
        if self._error is not None and not self._is_reported:
            self.check()

    def _await(self, is_so: Callable[[], bool]) -> None:
        self._changed.wait_for(lambda: is_so() or not self._is_running)
        self.check()

    def _run(self) -> None:
        try:
            while (batch := self._next_batch()) is not None:
                self._write(batch)
                with self._changed:
                    self._writing = None
                    self._changed.notify_all()
        except self._failures as error:
            self._error = error
        finally:
            with self._changed:
                self._is_running = False
                self._changed.notify_all()

    def _next_batch(self) -> Batch | None:
        """Wait for something to write; None when nothing more will come."""
        with self._changed:
            self._changed.wait_for(lambda: self._has_work or self._is_stopping)
            if not self._has_work:
                return None
            self._changed.wait_for(self._is_due, INTERVAL_S)
            self._has_work = self._is_urgent = False
            self._writing = self._queued
            self._queued = Batch()
            return self._writing

    def _is_due(self) -> bool:
        is_large = len(self._queued.visits) >= BATCH_VISITS
        return is_large or self._is_urgent or self._is_stopping

    def _is_full(self) -> bool:
        queued = self._queued
        return (
            len(queued.visits) >= PENDING_VISITS
            or len(queued.arrivals) >= PENDING_LINKS
            or len(queued.harvests.records) >= PENDING_RECORDS
        )
