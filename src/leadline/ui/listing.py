"""`leadline config` and `strategies`: what there is to choose from."""

import inspect
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from leadline.config import effective
from leadline.strategies import STRATEGIES
from leadline.ui.exits import Exit
from leadline.ui.output import print_json, show, table
from leadline.ui.settings import parse_pairs, resolve, settings_file


class StrategyRow(Struct, frozen=True):
    """A strategy in one line, and its settings with their defaults."""

    name: str
    does: str
    settings: dict[str, object]


def strategy_rows() -> list[StrategyRow]:
    """All strategies, by name."""
    rows = []
    for name, kind in sorted(STRATEGIES.items()):
        home = inspect.getmodule(kind.make)
        does = (kind.make.__doc__ or (home.__doc__ if home else "") or "").strip().split("\n")[0]
        settings = kind.settings.model_validate({}).model_dump()
        rows.append(StrategyRow(name, does, settings))
    return rows


def run_config(file: Path | None, pairs: Sequence[str], *, as_json: bool) -> Exit:
    """Every setting in force, and where it came from."""
    rows = effective(*resolve(settings_file(file), parse_pairs(pairs)))
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
    rows = strategy_rows()
    if as_json:
        print_json(rows)
    else:
        cells = (
            (row.name, row.does, ", ".join(f"{k}={v}" for k, v in row.settings.items()))
            for row in rows
        )
        show(table("", ("strategy", "what it does", "its settings"), cells))
    return Exit.DONE
