"""The settings of a run: flags over the file over the store's earlier run over the defaults."""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from leadline.config.load import (
    Origins,
    default_settings,
    load_config,
    rename_saved_settings,
    settings_file,
)
from leadline.config.models import Config
from leadline.core.crawl import Counts
from leadline.core.ports import Store
from leadline.errors import ConfigError, StoreError
from leadline.store import has_store, open_store
from leadline.store.address import is_database
from leadline.topics import KEYWORDS

_NOT_KEPT = ("seeds", "store.")
"""Settings an earlier run does not hand on: seeds are in the store, which has its own place."""


class EarlierRun(Struct, frozen=True):
    """What a store holds before a run."""

    counts: Counts = Counts()
    settings: dict[str, Any] = {}


def settle_crawl(
    file: Path | None, flags: Mapping[str, object]
) -> tuple[Config, Origins, EarlierRun]:
    """The settings of a crawl, where each came from, and what its store already holds.

    Raises ConfigError, also when nothing says what to look for.
    """
    path = str(flags.get("store.path") or load_config(file)[0].store.path)
    earlier = read_earlier_run(path)
    config, origins = resolve_settings(file, flags, earlier.settings)
    if not config.topic.name and not config.topic.words:
        raise ConfigError(
            f"no topic: name one ({', '.join(sorted(KEYWORDS))}), as in 'leadline crawl book', "
            "give words of your own: --set topic.words=court,judge,docket, "
            "or teach one by pages: leadline topic new"
        )
    return config, origins, earlier


def settle_harvest(file: Path | None, flags: Mapping[str, object]) -> Config:
    """The settings of a harvest; `store.path` is among the flags."""
    earlier = read_earlier_run(str(flags["store.path"]))
    return resolve_settings(file, flags, earlier.settings)[0]


def choose_store_path(given: str | None) -> str:
    """The path given, else the one in the settings."""
    return given or load_config(settings_file(None))[0].store.path


def read_earlier_run(path: str) -> EarlierRun:
    """What the store holds; nothing when there is none yet."""
    if not has_store(path):
        return EarlierRun()
    with open_to_read(path) as store:
        return EarlierRun(store.counts(), saved_settings(store))


@contextmanager
def open_to_read(path: str) -> Iterator[Store]:
    """The store at `path`, also while a crawl writes to it. Raises StoreError if there is none."""
    check_store(path)
    store = open_store(path, read_only=True)
    try:
        yield store
    finally:
        store.close()


def check_store(path: Path | str) -> None:
    """Raise StoreError when `path` names a file that is not there."""
    if not (isinstance(path, str) and is_database(path)) and not Path(path).is_file():
        raise StoreError(f"there is no store {path}; make one with: leadline crawl --store {path}")


def saved_settings(store: Store) -> dict[str, Any]:
    """The settings of the store's last run, by group; empty when it never ran."""
    saved = store.load("config")
    return rename_saved_settings(json.loads(saved)) if saved else {}


def resolve_settings(
    file: Path | None, flags: Mapping[str, object], earlier: Mapping[str, Any] | None = None
) -> tuple[Config, Origins]:
    """Flags over the file over the settings of the store's earlier run over the defaults."""
    from_file, in_file = load_config(file)
    wanted = {
        "strategy": flags.get("strategy.name", from_file.strategy.name),
        "topic": flags.get("topic.name", from_file.topic.name),
    }
    kept = _kept(earlier or {}, {*in_file, *flags}, wanted)
    config, origins = load_config(file, {**kept, **flags}, source="flag")
    origins.update(dict.fromkeys(kept, "earlier run"))
    return config, origins


def _kept(
    earlier: Mapping[str, Any], said: Collection[str], wanted: Mapping[str, object]
) -> dict[str, object]:
    """What an earlier run hands on: what it had set and nobody says otherwise."""
    defaults = default_settings()
    kept = {
        name: value
        for name, value in _flat(earlier).items()
        if not name.startswith(_NOT_KEPT)
        and name not in said
        and not _same(value, defaults.get(name))
    }
    # A strategy's own settings and a topic's own words mean nothing to another one.
    for group, shared in (("strategy", ("strategy.goal", "strategy.fallback")), ("topic", ())):
        changed = f"{group}.name" in said and wanted[group] != earlier.get(group, {}).get("name")
        if changed:
            kept = {n: v for n, v in kept.items() if n in shared or not n.startswith(f"{group}.")}
    return kept


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for group, value in table.items():
        if isinstance(value, Mapping):
            flat.update({f"{group}.{name}": inner for name, inner in value.items()})
        else:
            flat[group] = value
    return flat


def _same(value: object, default: object) -> bool:
    return json.dumps(value) == json.dumps(default)
