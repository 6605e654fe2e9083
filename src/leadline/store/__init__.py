"""Where a crawl remembers: in this process, one SQLite file, or a PostgreSQL database."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from leadline.core.store import HarvestRunStore, Store, StoreView
from leadline.errors import ConfigError
from leadline.store.address import IN_MEMORY, is_database
from leadline.store.memory import MemoryStore
from leadline.store.plugins import find_plugin_scheme, open_plugin_store
from leadline.store.readonly import open_file_view
from leadline.store.schema import is_blank
from leadline.store.sqlite import HarvestFile, SqliteStore

__all__ = [
    "IN_MEMORY",
    "MEMORY_LINKS",
    "STORES",
    "has_store",
    "is_crawled",
    "open_harvests",
    "open_shared_store",
    "open_store",
    "open_store_view",
]

MEMORY_LINKS = 1_000_000
"""Waiting links kept in memory: some 200 MB at 32 features a link."""


class StoreOpener(Protocol):
    """Opens a store of one kind for writing; `memory_links` None keeps all in memory."""

    def __call__(self, path: str | Path, *, width: int, memory_links: int | None) -> Store: ...


def _open_memory(path: str | Path, *, width: int, memory_links: int | None) -> Store:  # noqa: ARG001
    return MemoryStore(width)


def _open_sqlite(path: str | Path, *, width: int, memory_links: int | None) -> Store:
    return SqliteStore(Path(path), width, memory_links)


def _open_postgres(path: str | Path, *, width: int, memory_links: int | None) -> Store:
    check_psycopg()
    from leadline.store.postgres.journal import AlonePostgresStore

    return AlonePostgresStore(str(path), width, memory_links)


STORES: Mapping[str, StoreOpener] = {
    "memory": _open_memory,
    "postgres": _open_postgres,
    "sqlite": _open_sqlite,
}


def open_store(
    path: str | Path, *, memory_links: int | None = MEMORY_LINKS, width: int = 0
) -> Store:
    """Open the store at `path` for this process alone, or make it: a file, the URL of a PostgreSQL
    database, `name://...` for a store of another distribution, or `:memory:`, which lives as long
    as the process.

    `width` is the number of feature ids the strategy keeps per link. Raises StoreLockedError while
    another process writes it.
    """
    if find_plugin_scheme(path):
        return open_plugin_store(str(path), width=width)
    kind = "memory" if str(path) == IN_MEMORY else "sqlite"
    return STORES["postgres" if is_database(path) else kind](
        path, width=width, memory_links=memory_links
    )


def open_harvests(path: str | Path) -> HarvestRunStore:
    """Open the store at `path` for harvests alone, or make it: of a file no waiting link is read,
    and a crawl may run on it. Raises StoreLockedError while another process harvests into it, and
    while another writes a PostgreSQL database."""
    if is_database(path) or str(path) == IN_MEMORY or find_plugin_scheme(path):
        return open_store(path)
    return HarvestFile(Path(path))


def is_crawled(store: object) -> bool:
    """Whether another process crawls on a store that this one opened for harvests."""
    return isinstance(store, HarvestFile) and store.is_crawled


def open_shared_store(url: str, *, is_new: bool = False) -> Store:
    """Open a PostgreSQL database for one worker of many; with `is_new` the store is made where
    there is none. Raises StoreError else, StoreLockedError while one process has it alone."""
    check_psycopg()
    from leadline.store.postgres.store import PostgresStore, make_store

    if is_new:
        make_store(url)
    return PostgresStore(url)


def open_store_view(path: str | Path) -> StoreView:
    """Open the store at `path` to look at, also while others write it."""
    if find_plugin_scheme(path):
        return open_plugin_store(str(path))
    if not is_database(path):
        return open_file_view(Path(path))
    check_psycopg()
    from leadline.store.postgres.store import open_database_view

    return open_database_view(str(path))


def has_store(place: str | Path) -> bool:
    """Whether there is a store to continue with."""
    if find_plugin_scheme(place):
        # Opening it is the only way to know, and makes it if there is none.
        return True
    if not is_database(place):
        path = Path(place)
        if str(place) == IN_MEMORY or not path.is_file() or not path.stat().st_size:
            return False
        return not is_blank(path)
    check_psycopg()
    from leadline.store.postgres.store import has_tables

    return has_tables(str(place))


def check_psycopg() -> None:
    """Raise ConfigError where PostgreSQL cannot be spoken to."""
    if find_spec("psycopg") is None:
        raise ConfigError("a PostgreSQL store needs psycopg: pip install 'leadline[postgres]'")
