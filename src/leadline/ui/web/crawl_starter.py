"""Starts a crawl that resumes a store, in a process of its own that outlives this one."""

import os
import subprocess
import sys
import threading
from pathlib import Path

from leadline.errors import StoreError, StoreLockedError
from leadline.store.address import name_of, password_of, shown, without_password
from leadline.store.lock import is_locked

LOG = ".log"


def log_of(path: Path | str) -> Path:
    """Next to the store's file; here for a database."""
    return Path(name_of(path) + LOG) if isinstance(path, str) else path.with_name(path.name + LOG)


class CrawlStarter:
    """Starts at most one crawl per store, with the settings of the store's last run."""

    def __init__(
        self, command: tuple[str, ...] = (sys.executable, "-m", "leadline.ui.cli")
    ) -> None:
        self._command = command
        self._started: dict[Path | str, subprocess.Popen[bytes]] = {}
        self._lock = threading.Lock()

    def start(self, path: Path | str) -> Path:
        """The file that the crawl's output goes to. Raises StoreLockedError while one runs."""
        with self._lock:
            earlier = self._started.get(path)
            if is_locked(path) or (earlier is not None and earlier.poll() is None):
                raise StoreLockedError(
                    f"{shown(path)} is being written: a crawl or harvest runs on it"
                )
            log = log_of(path)
            self._started[path] = self._spawn(path, log)
        return log

    def wait(self) -> None:
        """Until all that were started have ended."""
        for child in self._started.values():
            child.wait()

    def _spawn(self, path: Path | str, log: Path) -> subprocess.Popen[bytes]:
        # Anybody on the machine can read what a process was called with.
        arguments = [*self._command, "crawl", "--store", without_password(str(path)), "--plain"]
        secret = {"PGPASSWORD": password_of(path)} if isinstance(path, str) else {}
        try:
            with log.open("ab") as out:
                child = subprocess.Popen(  # noqa: S603 - our own command
                    arguments,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env={**os.environ, **{name: word for name, word in secret.items() if word}},
                )
        except OSError as error:
            raise StoreError(f"no crawl could be started on {shown(path)}: {error}") from error
        threading.Thread(target=child.wait, daemon=True).start()
        return child
