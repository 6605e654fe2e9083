"""One process writes a store: a lock that the operating system releases."""

import fcntl
import os
import time
from pathlib import Path

from leadline.errors import StoreError, StoreLockedError
from leadline.store.address import is_database

HARVESTS = "harvests."
"""The lock of who writes harvests: a crawl takes it with its first harvest, a harvest by itself
at once, beside a crawl that only finds forms."""
_TRIES = 5
_PAUSE_S = 0.01
"""`is_locked` holds the lock for some microseconds: a writer that meets it looks again."""


class WriteLock:
    """Held from making to `release`, or until the process ends in whatever way.

    The lock is on a file beside the store, which stays: removing it would let
    two processes lock two files of the same name.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        """`name` tells the locks of one store apart: '' is that of the crawl."""
        try:
            self._file = os.open(_beside(path, name), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(f"{path} cannot be opened for writing: {error}") from error
        for _ in range(_TRIES):
            if _try(self._file, fcntl.LOCK_EX):
                return
            time.sleep(_PAUSE_S)
        os.close(self._file)
        verb = "harvests into" if name == HARVESTS else "writes"
        raise StoreLockedError(
            f"another process {verb} {path}: wait for it, stop it, or open the store read-only"
        )

    def release(self) -> None:
        os.close(self._file)


def is_locked(place: Path | str) -> bool:
    """Whether some process, be it this one, writes the store at this moment."""
    if is_database(place):
        from leadline.store.postgres.store import is_in_use

        return is_in_use(str(place))
    path = Path(place)
    try:
        file = os.open(_beside(path), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreError(f"whether {path} is written cannot be told: {error}") from error
    try:
        return not _try(file, fcntl.LOCK_SH)
    finally:
        os.close(file)


def _beside(path: Path, name: str = "") -> Path:
    return path.with_name(f"{path.name}.{name}lock")


def _try(file: int, kind: int) -> bool:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
