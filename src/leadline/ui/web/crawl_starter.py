"""Starts a crawl that resumes a store, or a harvest of one form, in a process of its own that
outlives this one."""

import os
import subprocess
import sys
import threading
from pathlib import Path

from msgspec import Struct

from leadline.errors import StoreError, StoreLockedError
from leadline.store.address import mask_password, name_of, password_of, without_password
from leadline.store.lock import is_locked

LOG = ".log"


def log_of(path: Path | str) -> Path:
    """Next to the store's file; here for a database."""
    return Path(name_of(path) + LOG) if isinstance(path, str) else path.with_name(path.name + LOG)


_TAIL_BYTES = 2_000
_HINTS = ("next:", "  ")
"""Lines that follow a summary, as the command writes them."""


class HarvestStart(Struct, frozen=True):
    """A harvest that was started here."""

    form: str
    requests: int
    """That it may send, over all runs."""
    log: str
    """The file beside the store that its output goes to."""
    is_running: bool
    said: str
    """The last line of its output."""


class _Child(Struct, frozen=True):
    """A harvest under way, or the last one."""

    process: subprocess.Popen[bytes]
    form: str
    requests: int
    log: Path
    begins_at: int
    """In the log."""


class CrawlStarter:
    """Starts at most one crawl and one harvest per store at a time, with the settings of the
    store's last run."""

    def __init__(
        self, command: tuple[str, ...] = (sys.executable, "-m", "leadline.ui.cli")
    ) -> None:
        self._command = command
        self._started: dict[Path | str, subprocess.Popen[bytes]] = {}
        self._harvests: dict[Path | str, _Child] = {}
        self._lock = threading.Lock()

    def start(self, path: Path | str) -> Path:
        """The file that the crawl's output goes to. Raises StoreLockedError while one runs."""
        with self._lock:
            earlier = self._started.get(path)
            if is_locked(path) or (earlier is not None and earlier.poll() is None):
                raise StoreLockedError(
                    f"{mask_password(path)} is being written: a crawl or harvest runs on it"
                )
            log = log_of(path)
            arguments = ["crawl", "--store", without_password(str(path)), "--plain"]
            self._started[path] = self._spawn(path, log, arguments)
        return log

    def start_harvest(self, path: Path | str, form: str, requests: int) -> HarvestStart:
        """Extracts the records behind a form with so many requests, over all runs. Raises
        StoreLockedError while another harvest that was started here runs; what else may be in its
        way, it says itself."""
        with self._lock:
            earlier = self._harvests.get(path)
            if earlier is not None and earlier.process.poll() is None:
                raise StoreLockedError(
                    f"{mask_password(path)} is being harvested: form {earlier.form};"
                    " wait until it is done"
                )
            log = log_of(path)
            begins_at = log.stat().st_size if log.exists() else 0
            arguments = ["harvest", form, without_password(str(path)), "--plain"]
            arguments += ["--budget-requests", str(requests)]
            process = self._spawn(path, log, arguments)
            self._harvests[path] = _Child(process, form, requests, log, begins_at)
        return self._describe(self._harvests[path])

    def find_harvest(self, path: Path | str, form: str) -> HarvestStart | None:
        """The last one of a store, if it is of this form."""
        found = self._harvests.get(path)
        return self._describe(found) if found is not None and found.form == form else None

    def _describe(self, child: _Child) -> HarvestStart:
        is_running = child.process.poll() is None
        with child.log.open("rb") as log:
            end = log.seek(0, os.SEEK_END)
            log.seek(max(child.begins_at, end - _TAIL_BYTES))
            lines = log.read().decode(errors="replace").strip().splitlines()
        said = next((line for line in reversed(lines) if not line.startswith(_HINTS)), "")
        return HarvestStart(child.form, child.requests, child.log.name, is_running, said.strip())

    def wait(self) -> None:
        """Until all that were started have ended."""
        for child in self._started.values():
            child.wait()
        for harvest in self._harvests.values():
            harvest.process.wait()

    def _spawn(self, path: Path | str, log: Path, arguments: list[str]) -> subprocess.Popen[bytes]:
        # Anybody on the machine can read what a process was called with.
        secret = {"PGPASSWORD": password_of(path)} if isinstance(path, str) else {}
        try:
            with log.open("ab") as out:
                child = subprocess.Popen(  # noqa: S603 - our own command
                    [*self._command, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env={**os.environ, **{name: word for name, word in secret.items() if word}},
                )
        except OSError as error:
            raise StoreError(
                f"nothing could be started on {mask_password(path)}: {error}"
            ) from error
        threading.Thread(target=child.wait, daemon=True).start()
        return child
