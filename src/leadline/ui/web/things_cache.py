"""Files of things for the dashboard: made in the background, and made again when a store has grown.

Nobody waits for one: a look tells what there is, as of when it is, and begins to make what is
missing or old.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from leadline.errors import ConfigError, LeadlineError, StoreError
from leadline.records.dataset import THINGS
from leadline.records.exporters import EXPORTERS
from leadline.records.things_file import ThingsFile
from leadline.store.address import password_of, without_password

_REST = 4.0
"""A file is made again no sooner than after so many times as long as it took: a crawl that adds
records all the time shall not keep a processor busy with it."""
_RETRY_S = 30.0
"""After it failed."""
_KEPT = 2
"""Files of one store: who reads the one before the latest may end."""


class ThingsState(Struct, frozen=True):
    """What there is to look at."""

    state: Literal["empty", "making", "ready", "failed"]
    """empty: nothing was harvested yet; making: the first file is not finished; failed: there is
    none, because making it failed."""
    is_renewed: bool
    """A newer one is being made."""
    at: float
    """As of when the table is; 0 before the first."""
    records: int
    """That it was made of."""
    newer: int
    """Records that came since."""
    said: str
    """Why making one failed the last time."""


class ThingsMaker(Protocol):
    """Makes the file of a store's things in a folder. Raises LeadlineError."""

    def __call__(self, place: Path | str, folder: Path) -> None: ...

    def stop(self) -> None:
        """End what is being made."""


class ChildMaker:
    """Makes them in processes of their own, which leave the processor to others."""

    def __init__(
        self, command: tuple[str, ...] = (sys.executable, "-m", "leadline.records.things_file")
    ) -> None:
        self._command = command
        self._children: set[subprocess.Popen[bytes]] = set()
        self._is_ending = False

    def __call__(self, place: Path | str, folder: Path) -> None:
        # Anybody on the machine can read what a process was called with.
        arguments = [*self._command, without_password(str(place)), str(folder)]
        secret = password_of(place) if isinstance(place, str) else None
        env = {**os.environ, **({"PGPASSWORD": secret} if secret else {})}
        if self._is_ending:
            return
        with subprocess.Popen(  # noqa: S603 - our own command
            arguments,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=env,
        ) as child:
            self._children.add(child)
            _, said = child.communicate()
        self._children.discard(child)
        if child.returncode:
            lines = said.decode(errors="replace").strip().splitlines()
            raise StoreError(lines[-1] if lines else f"it ended with {child.returncode}")

    def stop(self) -> None:
        self._is_ending = True
        for child in list(self._children):
            child.terminate()


class _StoreFiles:
    """The files of one store."""

    def __init__(self) -> None:
        self.files: list[ThingsFile] = []
        self.thread: threading.Thread | None = None
        self.at = 0.0
        self.records = 0
        self.said = ""
        self.rested_at = 0.0
        """No file is begun before."""


class ThingsCache:
    """The newest file of each store that is served."""

    def __init__(
        self, make: ThingsMaker | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._make = make or ChildMaker()
        self._clock = clock
        self._stores: dict[Path | str, _StoreFiles] = {}
        self._lock = threading.Lock()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._number = 0
        self._is_ending = False

    def look(self, place: Path | str, records: int) -> tuple[ThingsFile | None, ThingsState]:
        """The newest file of a store that holds so many records, and what to say of it."""
        with self._lock:
            held = self._stores.setdefault(place, _StoreFiles())
            is_old = not held.files or held.records != records
            if (
                (records and is_old)
                and held.thread is None
                and (self._clock() >= held.rested_at and not self._is_ending)
            ):
                self._begin(place, held, records)
            file = held.files[-1] if held.files else None
            is_made = held.thread is not None
            if file is not None:
                newer = max(0, records - held.records)
                return file, ThingsState("ready", is_made, held.at, held.records, newer, held.said)
            state: Literal["empty", "making", "failed"] = "making" if is_made else "failed"
            if not records:
                state = "empty"
            return None, ThingsState(state, is_made, 0.0, 0, records, held.said)

    def write(self, file: ThingsFile, format_name: str) -> Path:
        """The file in a format of an exporter, written once. Raises ConfigError."""
        if format_name not in EXPORTERS:
            raise ConfigError(f"no format {format_name!r}; there are: {', '.join(EXPORTERS)}")
        out = file.path.with_name(f"{THINGS}.{format_name}")
        if not out.exists():
            unfinished = out.with_name(f".{threading.get_ident()}.{out.name}")
            try:
                with unfinished.open("wb") as stream:
                    file.write(format_name, stream)
                unfinished.replace(out)
            finally:
                unfinished.unlink(missing_ok=True)
        return out

    def wait(self) -> None:
        """Until all that are being made are finished."""
        for held in list(self._stores.values()):
            if (thread := held.thread) is not None:
                thread.join()

    def close(self) -> None:
        """Stop what is being made and remove all files."""
        self._is_ending = True
        self._make.stop()
        self.wait()
        with self._lock:
            self._stores.clear()
            if self._folder is not None:
                self._folder.cleanup()
                self._folder = None

    def _begin(self, place: Path | str, held: _StoreFiles, records: int) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="leadline-things-")
        self._number += 1
        folder = Path(self._folder.name, str(self._number))
        folder.mkdir()
        held.thread = threading.Thread(
            target=self._fill, args=(place, held, folder, records), daemon=True
        )
        held.thread.start()

    def _fill(self, place: Path | str, held: _StoreFiles, folder: Path, records: int) -> None:
        begun = self._clock()
        file, said = None, ""
        try:
            self._make(place, folder)
            file = None if self._is_ending else ThingsFile(folder)
        except (LeadlineError, OSError, sqlite3.Error) as error:
            said = str(error)
        with self._lock:
            ended = self._clock()
            held.thread, held.said = None, said
            held.rested_at = ended + (_REST * (ended - begun) if file else _RETRY_S)
            if file is not None:
                held.files, held.at, held.records = [*held.files, file], begun, records
        old = held.files[:-_KEPT]
        held.files = held.files[-_KEPT:]
        for one in old:
            one.remove()
