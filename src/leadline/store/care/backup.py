"""`leadline store backup`: a copy of a store at one moment, also while a crawl writes it."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from leadline.errors import ConfigError, StoreError
from leadline.store.care.checks import StoreCheck, check_file
from leadline.store.damage import explain_sqlite, find_file_fault, make_damage_error
from leadline.store.schema import check_version


def back_up(source: Path, target: Path) -> StoreCheck:
    """Copy the store file at `source` to `target`, which must not exist; what a check of the copy
    says. Nothing has the target's name before the copy is whole, checked and on the disk."""
    fault = find_file_fault(source)
    if fault:
        raise StoreError(f"{source} cannot be backed up: {fault}")
    check_target(target)
    draft = target.with_name(f"{target.name}.part")
    draft.unlink(missing_ok=True)
    try:
        _copy(source, draft)
        checked = check_file(draft)
        if checked.damage:
            raise make_damage_error(source, f"{checked.damage[0].where}: {checked.damage[0].what}")
        give_name(draft, target)
    finally:
        for leftover in (draft, *(draft.with_name(f"{draft.name}{end}") for end in _BESIDE)):
            leftover.unlink(missing_ok=True)
    return checked


_BESIDE = ("-wal", "-shm", "-journal", ".lock")


def check_target(target: Path) -> None:
    """Raise ConfigError for what would overwrite something, or cannot be written."""
    if target.exists() or target.is_symlink():
        raise ConfigError(f"{target} is there already, and is not overwritten: name another file")
    if not target.parent.is_dir():
        raise ConfigError(f"there is no folder {target.parent}: make it, or name another")
    if not os.access(target.parent, os.W_OK):
        raise ConfigError(f"you may not write into {target.parent}: name another folder")


def give_name(draft: Path, target: Path) -> None:
    """Let a finished file appear under its name. A link fails where a file has come up meanwhile;
    renaming would replace it."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    try:
        target.hardlink_to(draft)
    except FileExistsError:
        raise ConfigError(f"{target} has come up meanwhile, and is not overwritten") from None
    except OSError:
        # A file system without links.
        draft.rename(target)
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _copy(source: Path, draft: Path) -> None:
    try:
        with closing(
            sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        ) as connection:
            check_version(connection, source)
            # One transaction, which a writer of the log never waits for. Copying the pages by
            # SQLite's backup calls would begin again whenever somebody writes, and would carry the
            # remains of deleted rows along.
            connection.execute("VACUUM INTO ?", (str(draft),))
    except sqlite3.Error as error:
        raise explain_sqlite(source, error) from error
