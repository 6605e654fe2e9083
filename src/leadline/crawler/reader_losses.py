"""Remembers which pages ended the processes that read them, so that none is read for ever."""

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from leadline.core.crawl import Event
from leadline.core.url import Url
from leadline.crawler.store_calls import StoreCalls

_KEY = "reader losses"
QUARANTINE_AFTER = 2
"""Losses over one page. One may be chance: a machine without memory ends whom it likes."""
_MOST_LOSSES = 10_000
"""Pages remembered, the oldest forgotten first."""


class LossStore(Protocol):
    """What is needed of a store to remember lost readers."""

    def note(self, event: Event) -> None: ...

    def save(self, key: str, value: bytes) -> None: ...

    def load(self, key: str) -> bytes | None: ...

    def flush(self) -> None: ...


class ReaderLosses:
    """Pages that readers were lost over, remembered in the store over all runs.

    Workers on one store add to what others have saved. One hears of the losses of others when it
    begins and when it loses a reader itself, so a page can cost each worker one more.
    """

    def __init__(self, store: LossStore, calls: StoreCalls, now: Callable[[], float]) -> None:
        self._store = store
        self._calls = calls
        self._now = now
        self._counts: dict[str, int] | None = None

    async def why_not(self, url: Url) -> str:
        """Why a page is not read; '' if it may be."""
        if self._counts is None:
            self._counts = await self._calls(self._load)
        if self._counts.get(url, 0) < QUARANTINE_AFTER:
            return ""
        return f"quarantined: {QUARANTINE_AFTER} readers were lost over it"

    def is_suspect(self, url: Url) -> bool:
        """Whether a process ended while it read the page, perhaps with others. After `why_not`."""
        return self._counts is not None and url in self._counts

    async def blame(self, urls: Sequence[Url]) -> None:
        """A crawl's own process ended while it read these pages. One page is its loss; of several
        nobody knows which it was, so they are suspects without a loss. Durable when this returns.
        """
        if len(urls) == 1:
            await self.add(urls[0], "the crawl's own process ended while it read the page")
        elif urls:
            self._counts = await self._calls(lambda: self._save_suspects(urls))

    async def add(self, url: Url, why: str) -> None:
        """Remember a loss. Durable when this returns."""
        self._counts = await self._calls(lambda: self._save(url, why))

    def _load(self) -> dict[str, int]:
        saved = self._store.load(_KEY)
        return msgspec.json.decode(saved, type=dict[str, int]) if saved else {}

    def _save(self, url: Url, why: str) -> dict[str, int]:
        counts = self._load()
        # At the end, so that it is forgotten last.
        counts[url] = counts.pop(url, 0) + 1
        self._keep(counts)
        self._store.note(Event(self._now(), "reader-lost", url, why))
        if counts[url] == QUARANTINE_AFTER:
            self._store.note(Event(self._now(), "quarantined", url, why))
        self._store.flush()
        return counts

    def _save_suspects(self, urls: Sequence[Url]) -> dict[str, int]:
        counts = self._load()
        for url in urls:
            counts[url] = counts.pop(url, 0)
        self._keep(counts)
        self._store.note(Event(self._now(), "process-lost", f"{len(urls)} pages", " ".join(urls)))
        self._store.flush()
        return counts

    def _keep(self, counts: dict[str, int]) -> None:
        while len(counts) > _MOST_LOSSES:
            del counts[next(iter(counts))]
        self._store.save(_KEY, msgspec.json.encode(counts))
