"""Starts a crawl that goes on with a store, in a process of its own that outlives this one."""

import subprocess
import sys
import threading
from pathlib import Path

from leadline.errors import StoreError, StoreLockedError
from leadline.store.lock import is_locked

LOG = ".log"


class Starter:
    """Starts at most one crawl a store. Each gets what the store's last run was told."""

    def __init__(
        self, command: tuple[str, ...] = (sys.executable, "-m", "leadline.ui.cli")
    ) -> None:
        self._command = command
        self._started: dict[Path, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def start(self, path: Path) -> Path:
        """The file that the crawl's output goes to. Raises StoreLockedError while one runs."""
        with self._lock:
            earlier = self._started.get(path)
            if is_locked(path) or (earlier is not None and earlier.poll() is None):
                raise StoreLockedError(f"{path} is written already: a crawl or harvest runs on it")
            log = path.with_name(path.name + LOG)
            self._started[path] = self._spawn(path, log)
        return log

    def wait(self) -> None:
        """Until all that were started have ended."""
        for child in self._started.values():
            child.wait()

    def _spawn(self, path: Path, log: Path) -> subprocess.Popen[bytes]:
        arguments = [*self._command, "crawl", "--store", str(path), "--plain"]
        try:
            with log.open("ab") as out:
                child = subprocess.Popen(  # noqa: S603 - our own command
                    arguments,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as error:
            raise StoreError(f"no crawl could be started on {path}: {error}") from error
        threading.Thread(target=child.wait, daemon=True).start()
        return child
