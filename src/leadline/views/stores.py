"""Stores opened for reading, and the settings they keep. Works while a crawl is writing."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from leadline.config import Config, explain, rename_saved_settings
from leadline.core.ports import Store
from leadline.errors import ConfigError, StoreError
from leadline.store import open_store
from leadline.store.address import is_database


@contextmanager
def open_to_read(path: str) -> Iterator[Store]:
    """The store at `path`. Raises StoreError when there is none."""
    check_store(path)
    store = open_store(path, read_only=True)
    try:
        yield store
    finally:
        store.close()


def check_store(path: Path | str) -> None:
    """Raises StoreError when `path` names a file that is not there."""
    if not (isinstance(path, str) and is_database(path)) and not Path(path).is_file():
        raise StoreError(f"there is no store {path}; make one with: leadline crawl --store {path}")


def saved_settings(store: Store) -> dict[str, Any]:
    """The settings of the store's last run, by group; empty when it never ran."""
    saved = store.load("config")
    return rename_saved_settings(json.loads(saved)) if saved else {}


def saved_config(store: Store) -> Config:
    """The same, checked. Raises ConfigError when they name a topic or part that is gone."""
    try:
        return Config.model_validate(saved_settings(store))
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def topic_of(store: Store) -> str:
    """The topic of the store's last run, or ''."""
    name: str = saved_settings(store).get("topic", {}).get("name", "")
    return name
