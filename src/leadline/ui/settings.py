"""From files, flags and an earlier run to the settings in force, and where each came from."""

import json
import tomllib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from leadline.config import Config, Origins, effective, load_config
from leadline.errors import ConfigError

DEFAULT_FILE = Path("leadline.toml")
_NOT_KEPT = ("seeds", "store.")
"""Settings an earlier run does not hand on: seeds are in the store, which has its own place."""

_FILE_ENDINGS = (".txt", ".csv", ".list")
"""What ends so was meant as a file of seeds, not as a host."""


def settings_file(given: Path | None) -> Path | None:
    """The file to read: the one given, else leadline.toml here, else none."""
    if given is not None:
        return given
    return DEFAULT_FILE if DEFAULT_FILE.is_file() else None


def parse_pairs(pairs: Iterable[str]) -> dict[str, object]:
    """`--set` arguments. Lists and tables are written as in TOML, or a list as a,b,c.

    >>> parse_pairs(["budget.pages=5", "topic.words=a,b", 'web.resolve={"*" = "127.0.0.1:80"}'])
    {'budget.pages': '5', 'topic.words': ['a', 'b'], 'web.resolve': {'*': '127.0.0.1:80'}}
    """
    settings: dict[str, object] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise ConfigError(f"--set {pair!r} is no setting; write name=value, as budget.pages=50")
        settings[name.strip()] = _value(name.strip(), text)
    return settings


def _value(name: str, text: str) -> object:
    if text.startswith(("[", "{", '"', "'")):
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError as error:
            raise ConfigError(f"--set {name}: {text!r} is not valid TOML: {error}") from None
    if isinstance(_defaults().get(name), tuple):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text


def _defaults() -> dict[str, object]:
    return {name: value for name, value, _ in effective(Config(), {})}


def read_seeds(given: Iterable[str]) -> list[str]:
    """Seeds from URLs and from files of URLs. Raises ConfigError for a file that is not there."""
    seeds: list[str] = []
    for text in given:
        path = Path(text)
        if "://" not in text and path.is_file():
            seeds += _seeds_of(path)
        elif "://" in text or ("." in text and path.suffix not in _FILE_ENDINGS):
            seeds.append(text)
        else:
            raise ConfigError(f"seeds {text!r}: no such file, and no URL; write https://host/path")
    return seeds


def _seeds_of(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read seeds from {path}: {error}") from None
    # A '#' inside a URL is a fragment; only one after white space begins a comment.
    seeds = [f" {line}".partition(" #")[0].strip() for line in lines]
    return [seed for seed in seeds if seed]


def resolve(
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
    defaults = _defaults()
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
