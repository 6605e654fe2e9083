"""The settings of a run: flags over the file over the store's earlier run over the defaults."""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from msgspec import Struct

from leadline.config.load import (
    Origins,
    default_settings,
    flatten,
    load_config,
    rename_saved_settings,
    settings_file,
)
from leadline.config.models import Config
from leadline.core.crawl import Counts
from leadline.core.secrets import is_masked, mask_value
from leadline.core.store import StoreView
from leadline.errors import ConfigError, StoreError
from leadline.store import has_store, open_store_view
from leadline.store.address import is_url
from leadline.store.care.checks import blame_damage
from leadline.topics import KEYWORDS

_NOT_INHERITED = ("seeds", "store.")
"""Settings an earlier run does not hand on: seeds are in the store, which has its own place."""


SECRET_SETTINGS: Mapping[str, str] = {
    "LEADLINE_WEB_PROXY": "web.proxy",
    "LEADLINE_BACKLINKS_ADDRESS": "backlinks.address",
}
"""Settings that may hold a password or key, by the variables of the environment that set them:
what stands on a command line is seen by everybody on the machine."""


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
        return EarlierRun(store.reader.counts(), _load_settings(store))


@contextmanager
def open_to_read(path: str) -> Iterator[StoreView]:
    """The store at `path`, also while a crawl writes to it. Raises StoreError if there is none."""
    check_store(path)
    with blame_damage(path), closing(open_store_view(path)) as store:
        yield store


def check_store(path: Path | str) -> None:
    """Raise StoreError when `path` names a file that is not there."""
    if not is_url(path) and Path(path).is_dir():
        raise StoreError(f"{path} is a folder; name a store file in it")
    if not is_url(path) and not Path(path).is_file():
        raise StoreError(f"there is no store {path}; leadline run or leadline crawl makes one")


def saved_settings(store: StoreView) -> dict[str, Any]:
    """The settings of the store's last run, by group; empty when it never ran. Without passwords,
    also where an older leadline has kept some."""
    kept: dict[str, Any] = mask_value("", _load_settings(store))
    return kept


def _load_settings(store: StoreView) -> dict[str, Any]:
    saved = store.load("config")
    return rename_saved_settings(json.loads(saved)) if saved else {}


def resolve_settings(
    file: Path | None, flags: Mapping[str, object], earlier: Mapping[str, Any] | None = None
) -> tuple[Config, Origins]:
    """Flags over the file over the settings of the store's earlier run over the defaults."""
    from_file, in_file = load_config(file)
    from_environment = _read_environment()
    flags = {**from_environment, **flags}
    earlier, said, defaults = earlier or {}, {*in_file, *flags}, default_settings()
    inherited = {
        name: value
        for name, value in flatten(earlier).items()
        if not name.startswith(_NOT_INHERITED)
        and name not in said
        # JSON has lists where the models have tuples.
        and json.dumps(value) != json.dumps(defaults.get(name))
    }

    def is_changed(name: str, value: object) -> bool:
        return name in said and flags.get(name, value) != flatten(earlier).get(name)

    # A strategy's own settings mean nothing to another one, nor a topic's words to another topic.
    if is_changed("strategy.name", from_file.strategy.name):
        shared = ("strategy.goal", "strategy.fallback")
        inherited = {
            name: value
            for name, value in inherited.items()
            if name in shared or not name.startswith("strategy.")
        }
    if is_changed("topic.name", from_file.topic.name):
        inherited.pop("topic.words", None)
    for name, value in inherited.items():
        if is_masked(value):
            raise ConfigError(_missing_secret(name))
    config, origins = load_config(file, {**inherited, **flags}, source="flag")
    origins.update(dict.fromkeys(from_environment, "environment"))
    origins.update(dict.fromkeys(inherited, "earlier run"))
    return config, origins


def check_secrets(config: Config) -> None:
    """Raise ConfigError if settings came from a store, which keeps no passwords, and need one."""
    for name, value in flatten(config.model_dump()).items():
        if is_masked(value):
            raise ConfigError(_missing_secret(name))


def _read_environment() -> dict[str, object]:
    given = {name: os.environ.get(variable) for variable, name in SECRET_SETTINGS.items()}
    return {name: value for name, value in given.items() if value}


def _missing_secret(name: str) -> str:
    variable = {name: variable for variable, name in SECRET_SETTINGS.items()}.get(name)
    return (
        f"{name} had a password or key in the earlier run, which no store keeps: give the setting "
        f"again, {f'as {variable}, ' if variable else ''}in leadline.toml or with --set {name}=..."
    )
