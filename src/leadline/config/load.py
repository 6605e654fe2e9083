"""Settings from TOML files, `--set` pairs and arguments, checked; and the names of old ones."""

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from leadline.config.models import Config
from leadline.core.secrets import mask_given, mask_text, mask_value
from leadline.errors import ConfigError
from leadline.plugins import explain_unknown

DEFAULT_FILE = Path("leadline.toml")
_FILE_ENDINGS = (".txt", ".csv", ".list")
"""What ends so was meant as a file of seeds, not as a host."""
Origins = dict[str, str]
"""Where each setting came from, by dotted name."""

RENAMED: Mapping[str, str] = {
    "engine.width": "crawl.concurrency",
    "engine.workers": "crawl.parse_processes",
    "engine.give_up_after": "crawl.max_site_failures",
    "engine.busy_tries": "crawl.busy_retries",
    "engine.checkpoint_pages": "crawl.checkpoint_pages",
    "strategy.then": "strategy.fallback",
    "cluster.links": "cluster.links_per_lease",
    "cluster.turn": "cluster.pages_per_lease",
    "cluster.margin_s": "cluster.lease_margin_s",
    "cluster.claim_s": "cluster.learner_timeout_s",
    "cluster.batch": "cluster.batch_links",
    "cluster.batch_s": "cluster.batch_wait_s",
    "backlinks.most": "backlinks.max_pages",
    "harvest.seed": "harvest.random_seed",
    "harvest.requests": "harvest.max_requests",
    "harvest.queries": "harvest.max_queries",
    "harvest.records": "harvest.max_records",
    "harvest.seconds": "harvest.max_seconds",
    "harvest.ahead": "harvest.lookahead_queries",
    "harvest.patience": "harvest.patience_requests",
    "harvest.give_up_after": "harvest.max_failed_queries",
    "harvest.tries": "harvest.max_tries",
    "harvest.blocked_tries": "harvest.max_blocked_tries",
    "harvest.pause_s": "harvest.retry_pause_s",
    "harvest.at_once": "harvest.concurrency",
    "harvest.with_crawl": "harvest.during_crawl",
    "harvest.min_relevant": "harvest.min_relevance",
    "harvest.share": "harvest.budget_share",
}
"""Old names of settings. A user who writes one gets an error with the name of today; what an
older store has saved is renamed when it is read."""


def load_config(
    file: Path | None = None, settings: Mapping[str, object] | None = None, source: str = "argument"
) -> tuple[Config, Origins]:
    """Settings by dotted name over those of the file over the defaults, and where each is from.

    >>> load_config(settings={"politeness.delay_s": "2.5"})[0].politeness.delay_s
    2.5
    """
    table: dict[str, Any] = _read_toml(file) if file is not None else {}
    origins = dict.fromkeys(flatten(table), f"file {file}")
    for name, value in (settings or {}).items():
        _set_by_name(table, name, value)
        origins[name] = source
    for name in origins:
        if name in RENAMED:
            raise ConfigError(f"setting {name!r} is now called {RENAMED[name]!r}")
    try:
        return Config.model_validate(table), origins
    except ValidationError as error:
        raise ConfigError(explain(error)) from None


def rename_saved_settings(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a store has saved, by group, with today's names.

    >>> rename_saved_settings({"engine": {"width": 8}, "budget": {"pages": 5}})
    {'crawl': {'concurrency': 8}, 'budget': {'pages': 5}}
    """
    table: dict[str, Any] = {}
    for group, value in saved.items():
        if not isinstance(value, Mapping):
            table[group] = value
            continue
        for key, inner in value.items():
            new_group, _, new_key = RENAMED.get(f"{group}.{key}", f"{group}.{key}").partition(".")
            table.setdefault(new_group, {})[new_key] = inner
    return table


def list_settings(config: Config, origins: Origins) -> list[tuple[str, object, str]]:
    """Every setting as (dotted name, value, where from), without passwords."""
    return [
        (name, mask_value(name, value), origins.get(name, "default"))
        for name, value in flatten(config.model_dump()).items()
    ]


def setting_names() -> list[str]:
    """Every dotted name a user may set."""
    return list(flatten(Config().model_dump()))


def explain(error: ValidationError) -> str:
    """The first fault of a validation, in words: what, which, and what to do."""
    fault = error.errors()[0]
    name = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        return explain_unknown("setting", name, setting_names())
    message = mask_text(fault["msg"].removeprefix("Value error, "))
    given = fault.get("input")
    hidden = isinstance(given, dict | BaseModel) or not name
    shown = "" if hidden else f" (given: {mask_given(given)})"
    return f"{name}: {message}{shown}" if name else message


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not valid TOML: {error}") from None


def _set_by_name(table: dict[str, Any], name: str, value: object) -> None:
    *parents, last = name.split(".")
    for parent in parents:
        inner = table.setdefault(parent, {})
        if not isinstance(inner, dict):
            raise ConfigError(explain_unknown("setting", name, setting_names()))
        table = inner
    table[last] = value


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Settings by dotted name. `web.resolve` is a table that is one setting."""
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, Mapping) and key != "resolve":
            flat.update(flatten(value, f"{prefix}{key}."))
        else:
            flat[f"{prefix}{key}"] = value
    return flat


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
            what = mask_given(pair)
            raise ConfigError(f"--set {what} is no setting; write name=value, as budget.pages=50")
        settings[name.strip()] = _value(name.strip(), text)
    return settings


def _value(name: str, text: str) -> object:
    if text.startswith(("[", "{", '"', "'")):
        try:
            return tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError as error:
            what = mask_given(text)
            raise ConfigError(f"--set {name}: {what} is not valid TOML: {error}") from None
    if isinstance(default_settings().get(name), tuple):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text


def default_settings() -> dict[str, object]:
    """By dotted name."""
    return {name: value for name, value, _ in list_settings(Config(), {})}


def read_seeds(given: Iterable[str]) -> list[str]:
    """Seeds from URLs and from files of URLs. Raises ConfigError for a file that is not there."""
    seeds: list[str] = []
    for text in given:
        path = Path(text)
        if "://" not in text and path.is_file():
            seeds += _read_seed_file(path)
        elif "://" in text or ("." in text and path.suffix not in _FILE_ENDINGS):
            seeds.append(text)
        else:
            raise ConfigError(f"seeds {text!r}: no such file, and no URL; write https://host/path")
    return seeds


def _read_seed_file(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read seeds from {path}: {error}") from None
    # A '#' inside a URL is a fragment; only one after white space begins a comment.
    seeds = [f" {line}".partition(" #")[0].strip() for line in lines]
    if not any(seeds):
        raise ConfigError(f"there is no URL in {path}; write one a line, as https://host/path")
    return [seed for seed in seeds if seed]
