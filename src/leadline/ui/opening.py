"""Stores opened for looking: read-only, also while a crawl is writing."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from leadline.config import load_config, rename_saved_settings
from leadline.core.ports import Store
from leadline.errors import StoreError
from leadline.store import open_store
from leadline.store.address import is_database
from leadline.ui.settings import settings_file

MEMORY = ":memory:"


def store_path(given: str | None) -> str:
    """The path given, else the one in the settings."""
    return given or load_config(settings_file(None))[0].store.path


@contextmanager
def looking_at(path: str | None) -> Iterator[Store]:
    """The store at `path`, or the one in the settings. Raises StoreError when there is none."""
    where = store_path(path)
    if not is_database(where) and not Path(where).is_file():
        raise StoreError(
            f"there is no store {where}; make one with: leadline crawl --store {where}"
        )
    store = open_store(where, read_only=True)
    try:
        yield store
    finally:
        store.close()


def saved_settings(store: Store) -> dict[str, Any]:
    """The settings of the store's last run, by group; empty when it never ran."""
    saved = store.load("config")
    return rename_saved_settings(json.loads(saved)) if saved else {}


def topic_of(store: Store) -> str:
    """The topic of the store's last run, or ''."""
    name: str = saved_settings(store).get("topic", {}).get("name", "")
    return name
