"""`python -m tools.reference.commands`: writes the reference pages that are made from the code."""

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from inspect import cleandoc
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from cyclopts import App
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from leadline.config import Config
from leadline.core.settings import Flag
from leadline.strategies import STRATEGIES
from leadline.ui.cli.app import app
from leadline.ui.cli.exits import MEANINGS
from leadline.ui.cli.listing import describe_part
from leadline.ui.cli.output import say
from tools.reference.events import render_events
from tools.reference.picture import render_picture

FOLDER = Path("docs/reference")
_MADE = "<!-- Made by `python -m tools.reference.commands`; edit the code instead. -->\n"


def commands() -> list[tuple[str, App]]:
    """Every command by name, those below another with its name before theirs."""
    return list(_commands_of(app, ""))


def _commands_of(parent: App, before: str) -> Iterator[tuple[str, App]]:
    for name in sorted(parent):
        if name.startswith("-"):
            continue
        command = parent[name]
        below = list(_commands_of(command, f"{before}{name} "))
        if below:
            yield from below
        else:
            yield f"{before}{name}", command


def options_of(command: App) -> list[tuple[tuple[str, ...], str, str, str]]:
    """Names, type, default and help of each argument of a command, positional ones first."""
    rows = [
        (
            argument.names or (argument.name,),
            _value_word(argument.hint),
            _default(argument.field_info.default),
            " ".join((argument.parameter.help or "").split()),
        )
        for argument in command.assemble_argument_collection()
        if argument.show
    ]
    return sorted(rows, key=lambda row: row[0][0].startswith("--"))


def _value_word(hint: object) -> str:
    """What to write after an option: FILE, NUMBER, one of some words; '' for a switch."""
    parts = [part for part in get_args(hint) if part is not type(None)]
    if get_origin(hint) is Literal:
        return "\\|".join(map(str, parts))
    if get_origin(hint) is tuple:
        return f"{_value_word(parts[0])}..."
    if parts:
        return _value_word(parts[0])
    words: dict[object, str] = {bool: "", int: "NUMBER", float: "NUMBER", Path: "FILE"}
    return words.get(hint, "TEXT")


def _default(value: object) -> str:
    empty = ("", None, (), False)
    return "" if value in empty or not isinstance(value, str | int | float) else str(value)


def render_cli() -> str:
    """docs/reference/cli.md."""
    parts = [
        f"{_MADE}\n# Commands\n",
        "Results go to stdout, progress and messages to stderr. Every command takes `--json`.",
        "`--version` prints the version, `--help` the help of a command.",
        "How commands end is told in [exit codes](exit-codes.md).\n",
    ]
    for name, command in commands():
        parts.append(f"## leadline {name}\n\n{cleandoc(command.help)}\n")
        parts.append("| argument | default | what |\n|---|---|---|")
        parts += [_option_row(*row) for row in options_of(command)]
        parts.append("")
    return "\n".join(parts)


def _option_row(names: tuple[str, ...], kind: str, default: str, text: str) -> str:
    shown = ", ".join(f"`{name}`" for name in names)
    word = f" {kind}" if kind and names[0].startswith("--") else ""
    return f"| {shown}{word} | {default} | {_escape(text)} |"


def _escape(text: str) -> str:
    return text.replace("|", "\\|")


def render_config() -> str:
    """docs/reference/config.md."""
    parts = [
        f"{_MADE}\n# Settings\n",
        "One name each, everywhere: in a TOML file under its table, after `--set` with its dotted",
        "name, and in Python as `load_config(settings={...})`; the common ones are also flags.",
        "Flags win over the file, the file over what the store's earlier run used, that over the",
        "defaults. An unknown name is an error; an old name is one that says the name of today.",
        "`leadline config` shows what is in force and where it came from.\n",
    ]
    for name, field in Config.model_fields.items():
        parts += _table_of(name, field)
    parts.append("## Settings of the strategies\n\nIn `[strategy]`, beside `name` and `goal`.\n")
    for name, kind in sorted(STRATEGIES.own.items()):
        parts += _strategy(name, describe_part(kind.make))
    return "\n".join(parts)


def _table_of(name: str, field: FieldInfo) -> Iterator[str]:
    model = field.annotation
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        yield f"`{name}`: {field.description}\n"
        return
    yield f"## {name}\n\n{_doc(model)}\n"
    yield from _fields(model, f"{name}.")


def _doc(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())


def _fields(model: type[BaseModel], prefix: str) -> Iterator[str]:
    yield "| setting | flag | default | bounds | what |\n|---|---|---|---|---|"
    for name, field in model.model_fields.items():
        default = _shown(field.get_default(call_default_factory=True))
        text = _escape(field.description or "")
        yield f"| `{prefix}{name}` | {_flag(field)} | {default} | {_bounds(field)} | {text} |"
    yield ""


def _strategy(name: str, does: str) -> Iterator[str]:
    model = STRATEGIES.own[name].settings
    yield f"### {name}\n\n{does}\n"
    if model.model_fields:
        yield from _fields(model, "strategy.")


def _shown(value: Any) -> str:
    if isinstance(value, tuple):
        value = " ".join(str(item) for item in value)
    if isinstance(value, bool):
        return str(value).lower()
    return _escape(str(value)) if value not in ("", {}) else ""


def _flag(field: FieldInfo) -> str:
    flags = [flag for flag in field.metadata if isinstance(flag, Flag)]
    return ", ".join(f"`{flag.name}` of {', '.join(flag.commands)}" for flag in flags)


def _bounds(field: FieldInfo) -> str:
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
    return ", ".join(
        f"{sign} {getattr(rule, name):,}"
        for rule in field.metadata
        for name, sign in signs.items()
        if hasattr(rule, name)
    )


def render_exits() -> str:
    """docs/reference/exit-codes.md."""
    rows = "\n".join(f"| {int(code)} | {meaning} |" for code, meaning in MEANINGS.items())
    return (
        f"{_MADE}\n# Exit codes\n\n| code | meaning |\n|---|---|\n{rows}\n\n"
        "Messages about codes 2 and 3 are one line on stderr that begins with `leadline:`.\n"
    )


PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": render_cli,
    "config.md": render_config,
    "events.md": partial(render_events, _MADE),
    "exit-codes.md": render_exits,
    "../images/architecture.svg": render_picture,
}


def main(folder: Path = FOLDER) -> None:
    """Write all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, render in PAGES.items():
        (folder / name).write_text(render(), encoding="utf-8")
        say(f"wrote {folder / name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
