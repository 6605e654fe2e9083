"""Where a crawl remembers: in this process, or in one SQLite file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from leadline.core.ports import Store
from leadline.store.memory import MemoryStore
from leadline.store.readonly import ReadOnlyStore
from leadline.store.sqlite import SqliteStore

__all__ = ["IN_MEMORY", "MEMORY_LINKS", "STORES", "open_store"]

IN_MEMORY = ":memory:"
MEMORY_LINKS = 1_000_000
"""Waiting links kept in memory: some 200 MB at 32 features a link."""


class Opener(Protocol):
    """Opens a store of one kind for writing; `memory_links` None keeps all in memory."""

    def __call__(self, path: Path, *, width: int, memory_links: int | None) -> Store: ...


def _open_memory(path: Path, *, width: int, memory_links: int | None) -> Store:  # noqa: ARG001
    return MemoryStore(width)


def _open_sqlite(path: Path, *, width: int, memory_links: int | None) -> Store:
    return SqliteStore(path, width, memory_links)


STORES: Mapping[str, Opener] = {"memory": _open_memory, "sqlite": _open_sqlite}


def open_store(
    path: str | Path,
    *,
    read_only: bool = False,
    memory_links: int | None = MEMORY_LINKS,
    width: int = 0,
) -> Store:
    """Open the store at `path`, or make it; `:memory:` lives as long as the process.

    `width` is the number of feature ids the strategy keeps per link. Raises
    StoreLockedError while another process writes it, unless `read_only`.
    """
    if read_only:
        return ReadOnlyStore(Path(path))
    kind = "memory" if str(path) == IN_MEMORY else "sqlite"
    return STORES[kind](Path(path), width=width, memory_links=memory_links)
