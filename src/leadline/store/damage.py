"""What is wrong with a store file, in words that say what to do about it."""

import os
import shutil
import sqlite3
from pathlib import Path

import msgspec
import zstandard

from leadline.errors import DamagedStoreError, StoreError, StoreLockedError
from leadline.store.address import quote_address

DAMAGE_SIGNS: tuple[type[Exception], ...] = (
    *(sqlite3.Error, msgspec.MsgspecError, ValueError, TypeError, LookupError),
    *(ArithmeticError, AttributeError, AssertionError, StoreError),
    *(MemoryError, zstandard.ZstdError),
)
"""What code raises that meets values which nobody has written. Each of them may as well be a
mistake of ours, which is why the file is checked before it is blamed."""

_SQLITE_HEAD = b"SQLite format 3\0"
_PRIMARY = 0xFF
_ROOM_BYTES = 64 << 20
"""A disk with more than this was not full a moment ago, whatever the largest transaction needs."""
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_CLOSED = (
    *(sqlite3.SQLITE_PERM, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN),
    sqlite3.SQLITE_AUTH,
)


def make_damage_error(path: Path, what: object) -> DamagedStoreError:
    """The error of a file with something wrong inside it."""
    name = quote_address(path)
    return DamagedStoreError(
        f"{path} is damaged ({what}); see how much with: leadline store check {name}; save what "
        f"can be read with: leadline store salvage {name} NEW"
    )


def explain_sqlite(path: Path, error: sqlite3.Error) -> StoreError:
    """SQLite's error as ours."""
    code = getattr(error, "sqlite_errorcode", None)
    code = None if code is None else code & _PRIMARY
    if code in _BUSY:
        return StoreLockedError(
            f"another program holds {path}: wait for it or stop it, then run the same command again"
        )
    # A damaged file says so too: it may name more pages than any file can have.
    if code == sqlite3.SQLITE_FULL and shutil.disk_usage(path.absolute().parent).free < _ROOM_BYTES:
        return StoreError(
            f"no space is left on the disk of {path}; what was committed is safe: free some and "
            "run the same command again"
        )
    fault = find_file_fault(path)
    if fault or code in _CLOSED:
        return StoreError(
            f"{path} cannot be opened: {fault or error}; it has to be a file that you may read "
            "and write, in a folder that you may write"
        )
    if code == sqlite3.SQLITE_IOERR:
        return StoreError(
            f"reading or writing {path} failed ({error}): if its disk is sound and has space, see "
            f"what is left with: leadline store check {quote_address(path)}"
        )
    if code == sqlite3.SQLITE_NOTADB and not _has_sqlite_head(path):
        return StoreError(
            f"{path} is not a store: its first bytes are not those of a SQLite file; name another "
            "file. If it was a store, save what can be read with: leadline store salvage "
            f"{quote_address(path)} NEW"
        )
    return make_damage_error(path, error)


def find_file_fault(path: Path) -> str:
    """Why a file cannot even be opened, or ''."""
    if path.is_dir():
        return "it is a folder"
    if not path.exists():
        return "there is no such file"
    if not os.access(path, os.R_OK):
        return "you may not read it"
    return ""


def has_remains_of_a_log(path: Path) -> bool:
    """Whether there is a log beside the file with something in it."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _has_sqlite_head(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE_HEAD)) == _SQLITE_HEAD
    except OSError:
        return False
