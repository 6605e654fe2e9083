"""Where a crawl remembers: in this process, one SQLite file, or a PostgreSQL database."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from leadline.core.ports import Store
from leadline.core.store import Store as PortStore
from leadline.errors import ConfigError
from leadline.store.address import IN_MEMORY, is_database
from leadline.store.memory import MemoryStore
from leadline.store.readonly import ReadOnlyStore
from leadline.store.sqlite import SqliteStore

__all__ = ["IN_MEMORY", "MEMORY_LINKS", "STORES", "has_store", "open_shared_store", "open_store"]

MEMORY_LINKS = 1_000_000
"""Waiting links kept in memory: some 200 MB at 32 features a link."""


class Opener(Protocol):
    """Opens a store of one kind for writing; `memory_links` None keeps all in memory."""

    def __call__(self, path: str | Path, *, width: int, memory_links: int | None) -> Store: ...


def _open_memory(path: str | Path, *, width: int, memory_links: int | None) -> Store:  # noqa: ARG001
    return MemoryStore(width)


def _open_sqlite(path: str | Path, *, width: int, memory_links: int | None) -> Store:
    return SqliteStore(Path(path), width, memory_links)


def _open_postgres(path: str | Path, *, width: int, memory_links: int | None) -> Store:
    check_psycopg()
    from leadline.store.postgres.alone import AlonePostgresStore

    return AlonePostgresStore(str(path), width, memory_links)


STORES: Mapping[str, Opener] = {
    "memory": _open_memory,
    "postgres": _open_postgres,
    "sqlite": _open_sqlite,
}


def open_store(
    path: str | Path,
    *,
    read_only: bool = False,
    memory_links: int | None = MEMORY_LINKS,
    width: int = 0,
) -> Store:
    """Open the store at `path`, or make it: a file, the URL of a PostgreSQL database, or
    `:memory:`, which lives as long as the process.

    `width` is the number of feature ids the strategy keeps per link. Raises
    StoreLockedError while another process writes it, unless `read_only`.
    """
    if read_only:
        return _open_read_only(path)
    return STORES[_kind(path)](path, width=width, memory_links=memory_links)


def open_shared_store(place: str | Path, *, width: int = 0) -> PortStore:
    """Open the store at `place` for one worker of several, or make it. In memory and SQLite all
    workers are of this process."""
    if not is_database(place):
        if str(place) == IN_MEMORY:
            return MemoryStore(width)
        return SqliteStore(Path(place), width, MEMORY_LINKS)
    check_psycopg()
    from leadline.store.postgres.store import PostgresStore, make_store

    make_store(str(place))
    return PostgresStore(str(place))


def has_store(place: str | Path) -> bool:
    """Whether there is a store to go on with."""
    if not is_database(place):
        path = Path(place)
        return str(place) != IN_MEMORY and path.is_file() and path.stat().st_size > 0
    check_psycopg()
    from leadline.store.postgres.store import has_tables

    return has_tables(str(place))


def _kind(path: str | Path) -> str:
    if is_database(path):
        return "postgres"
    return "memory" if str(path) == IN_MEMORY else "sqlite"


def _open_read_only(path: str | Path) -> Store:
    if not is_database(path):
        return ReadOnlyStore(Path(path))
    check_psycopg()
    from leadline.store.postgres.store import ReadOnlyPostgresStore

    return ReadOnlyPostgresStore(str(path))


def check_psycopg() -> None:
    """Raise ConfigError where PostgreSQL cannot be spoken to."""
    if find_spec("psycopg") is None:
        raise ConfigError("a PostgreSQL store needs psycopg: pip install 'leadline[postgres]'")
