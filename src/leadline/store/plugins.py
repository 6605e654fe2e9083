"""Stores of other distributions, chosen by the scheme of their address: `name://...`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from leadline.core.store import Store
from leadline.plugins import Part, Registry, make_part, part_reader


class StoreMethods(Protocol):
    """What can be seen of a store's class before it is opened."""

    def save(self, key: str, value: bytes) -> None: ...

    def load(self, key: str) -> bytes | None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


def _open_ours(*_given: object) -> Iterator[Any]:
    raise AssertionError("open_store opens these by itself")


OTHER_STORES: Registry[Part] = Registry(
    "store",
    "leadline.stores",
    dict.fromkeys(("memory", "postgres", "postgresql", "sqlite"), Part(_open_ours)),
    part_reader(StoreMethods, "it implements leadline.core.store.Store"),
)
"""By name, which is also the scheme; ours are here so that nobody takes their names."""


def find_plugin_scheme(place: str | Path) -> str:
    """The scheme of an address that another distribution opens; '' for a file or a database."""
    scheme, mark, _ = str(place).partition("://")
    is_other = mark and isinstance(place, str) and scheme not in OTHER_STORES.own
    return scheme if is_other and scheme in OTHER_STORES else ""


def open_plugin_store(place: str, *, width: int = 0) -> Store:
    """Open the store at an address such as `name://anything`. Raises ConfigError."""
    store: Store = make_part(OTHER_STORES, find_plugin_scheme(place), None, place, width)
    return store
