"""`leadline config`, `strategies` and `policies`: what there is to choose from."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from leadline.config import list_settings, parse_pairs, settings_file
from leadline.config.runs import resolve_settings
from leadline.errors import ConfigError
from leadline.harvester.policies import POLICIES, PolicyKind
from leadline.plugins import Part, Registry
from leadline.strategies import STRATEGIES
from leadline.ui.exits import Exit
from leadline.ui.output import print_json, show, table


class PartRow(Struct, frozen=True):
    """A strategy or policy in one line, and its settings with their defaults."""

    name: str
    does: str
    settings: dict[str, object]
    source: str
    """The distribution it is from."""
    fault: str = ""
    """Why it cannot be used."""


def part_rows(parts: Registry[Part] | Registry[PolicyKind]) -> list[PartRow]:
    """All of them, by name."""
    return [_row(parts, name) for name in parts]


def _row(parts: Registry[Part] | Registry[PolicyKind], name: str) -> PartRow:
    source = parts.source(name)
    try:
        kind = parts[name]
    except ConfigError as error:
        return PartRow(name, "", {}, source, str(error))
    fields = kind.settings.model_fields.items()
    settings = {field: about.get_default(call_default_factory=True) for field, about in fields}
    return PartRow(name, does_of(kind.make), settings, source)


def does_of(make: Callable[..., Any]) -> str:
    """The first line of what a part says of itself."""
    home = inspect.getmodule(make)
    return (make.__doc__ or (home.__doc__ if home else "") or "").strip().split("\n")[0]


def run_config(file: Path | None, pairs: Sequence[str], *, as_json: bool) -> Exit:
    """Every setting in force, and where it came from."""
    rows = list_settings(*resolve_settings(settings_file(file), parse_pairs(pairs)))
    if as_json:
        print_json([{"name": n, "value": value, "from": origin} for n, value, origin in rows])
    else:
        cells = ((name, _shown(value), origin) for name, value, origin in rows)
        show(table("", ("setting", "value", "from"), cells))
    return Exit.DONE


def _shown(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(str(item) for item in value) or "(none)"
    if isinstance(value, bool):
        return str(value).lower()
    return "(empty)" if value in ("", {}) else str(value)


def run_strategies(*, as_json: bool) -> Exit:
    """All strategies."""
    return _show_parts("strategy", part_rows(STRATEGIES), as_json=as_json)


def run_policies(*, as_json: bool) -> Exit:
    """All query policies."""
    return _show_parts("policy", part_rows(POLICIES), as_json=as_json)


def _show_parts(what: str, rows: list[PartRow], *, as_json: bool) -> Exit:
    if as_json:
        print_json(rows)
        return Exit.DONE
    cells = (
        (row.name, row.fault or row.does, ", ".join(_pairs(row.settings)), row.source)
        for row in rows
    )
    show(table("", (what, "what it does", "its settings", "from"), cells))
    return Exit.DONE


def _pairs(settings: dict[str, object]) -> list[str]:
    return [f"{name}={value}" for name, value in settings.items()]
