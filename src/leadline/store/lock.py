"""One process writes a store: a lock that the operating system releases."""

import fcntl
import os
from pathlib import Path

from leadline.errors import StoreError, StoreLockedError


class WriteLock:
    """Held from making to `release`, or until the process ends in whatever way.

    The lock is on a file beside the store, which stays: removing it would let
    two processes lock two files of the same name.
    """

    def __init__(self, path: Path) -> None:
        beside = path.with_name(path.name + ".lock")
        try:
            self._file = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(f"{path} cannot be opened for writing: {error}") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._file)
            raise StoreLockedError(
                f"another process writes {path}: wait for it, stop it, or open the store read-only"
            ) from error

    def release(self) -> None:
        os.close(self._file)
