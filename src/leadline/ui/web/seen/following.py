"""Keeps up with one store: every look first reads what was committed since the last one."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from leadline.core.catalogue import Catalogue
from leadline.core.ports import Store
from leadline.store import open_store
from leadline.store.catalogue import open_catalogue
from leadline.ui.opening import saved_settings
from leadline.ui.web.seen.events import Events
from leadline.ui.web.seen.forms import Forms
from leadline.ui.web.seen.harvests import Harvests
from leadline.ui.web.seen.sites import Sites
from leadline.ui.web.seen.visits import Visits


class Following:
    """One store and all that was read of it.

    Nothing is read twice, but for visits after a second wind. One thread looks at a time; between
    two looks nothing changes.
    """

    def __init__(self, name: str, path: Path | str, store: Store, catalogue: Catalogue) -> None:
        self.name = name
        self.path = path
        self.store = store
        self.catalogue = catalogue
        self.visits = Visits()
        self.sites = Sites()
        self.events = Events()
        self.forms = Forms()
        self.harvests = Harvests()
        self.kept: dict[str, Any] = {}
        """What views keep between looks, by their names."""
        self._lock = threading.Lock()

    @contextmanager
    def looking(self) -> Iterator["Following"]:
        """Read what is new, and keep it still until the block ends."""
        with self._lock:
            self._catch_up()
            yield self

    @property
    def moment(self) -> tuple[int, ...]:
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
        """Of the store's last run, by group; empty when it never ran."""
        return saved_settings(self.store)

    def study(self) -> int:
        """Look at the fields of some more forms; how many are left."""
        with self._lock:
            return self.forms.study(self.catalogue)

    def close(self) -> None:
        with self._lock:
            self.catalogue.close()
            self.store.close()

    def _catch_up(self) -> None:
        catalogue = self.catalogue
        has_second_wind, touched = self.events.catch_up(catalogue)
        if has_second_wind and len(self.visits):
            self.visits = Visits()
        self.forms.catch_up(catalogue)
        self.visits.catch_up(catalogue)
        self.harvests.catch_up(catalogue, touched, self._interface_of)
        self.sites.catch_up(catalogue)

    def _interface_of(self, signature: str) -> bytes:
        found = self.store.harvests.find(signature)
        return found.subject.interface if found else b""


def follow(name: str, path: Path | str) -> Following:
    """Begin to follow a store. Raises StoreError when there is none."""
    return Following(name, path, open_store(path, read_only=True), open_catalogue(path))
