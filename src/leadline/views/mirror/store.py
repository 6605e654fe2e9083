"""The mirror of one store: every look first reads what was committed since the last one."""

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from leadline.core.change_feed import ChangeFeed
from leadline.core.store import StoreView
from leadline.store import open_store_view
from leadline.store.change_feed import open_change_feed
from leadline.views.mirror.crawl import EventTable, SiteTable, VisitTable
from leadline.views.mirror.forms import FormTable
from leadline.views.mirror.harvests import HarvestTable
from leadline.views.stores import check_store, saved_settings

T = TypeVar("T")


class StoreMirror:
    """One store and all that was read of it.

    Nothing is read twice, except visits after a second wind. One thread looks at a time; between
    two looks nothing changes.
    """

    def __init__(self, name: str, path: Path | str, store: StoreView, feed: ChangeFeed) -> None:
        self.name = name
        self.path = path
        self.store = store
        self.feed = feed
        self.visits = VisitTable()
        self.sites = SiteTable()
        self.events = EventTable()
        self.forms = FormTable()
        self.harvests = HarvestTable()
        self._cache: dict[str, tuple[Hashable, Any]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def refresh(self) -> Iterator["StoreMirror"]:
        """Reads what is new, and holds it unchanged until the block ends."""
        with self._lock:
            self._catch_up()
            yield self

    @property
    def version(self) -> tuple[int, ...]:
        """Differs when anything was added."""
        return (
            self.visits.mark,
            self.events.mark,
            self.forms.mark,
            self.harvests.mark,
            len(self.harvests),
            self.sites.known,
        )

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the store's last run, by group; empty when it never ran."""
        return saved_settings(self.store)

    @property
    def topic(self) -> str:
        """That of the store's last run, or ''."""
        name: str = self.settings.get("topic", {}).get("name", "")
        return name

    def remember(self, name: str, key: Hashable, make: Callable[[], T]) -> T:
        """What was made for the same key, or else made now; one value of each name is held."""
        held = self._cache.get(name)
        if held is None or held[0] != key:
            held = self._cache[name] = (key, make())
        found: T = held[1]
        return found

    def study_forms(self) -> int:
        """Interprets the fields of some more forms; returns how many are left."""
        with self._lock:
            return self.forms.study(self.feed)

    def close(self) -> None:
        with self._lock:
            self.feed.close()
            self.store.close()

    def _catch_up(self) -> None:
        feed = self.feed
        # Events first: one of them says that visits were taken back and are to be read again.
        has_fallback, touched = self.events.catch_up(feed)
        if has_fallback and len(self.visits):
            self.visits = VisitTable()
        self.forms.catch_up(feed)
        self.visits.catch_up(feed)
        self.harvests.catch_up(feed, touched, self._interface_of)
        # Sites last: every number that the others hold has a name then.
        self.sites.catch_up(feed)

    def _interface_of(self, signature: str) -> bytes:
        found = self.store.harvests.find(signature)
        return found.subject.interface if found else b""


def open_mirror(name: str, path: Path | str) -> StoreMirror:
    """An empty mirror of the store at `path`. Raises StoreError when there is none."""
    check_store(path)
    return StoreMirror(name, path, open_store_view(path), open_change_feed(path))
