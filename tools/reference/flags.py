"""`python -m tools.reference.flags`: writes the options that stand for settings.

The command line must answer `--help` without importing the settings' models, which take longer
than that may; so their flags are written down as a small module, and a test sees that it is up
to date.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

import leadline
from leadline.config import Config
from leadline.core.settings import Flag
from leadline.ui.cli.output import say

FILE = Path(leadline.__file__).parent / "ui" / "cli" / "flags.py"
_HEAD = '''"""Options that stand for settings.

Made by `python -m tools.reference.flags` from the settings' models: edit those.
"""

# fmt: off
# ruff: noqa: E501

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Parameter
'''
_CLASSES = {"crawl": "CrawlFlags", "harvest": "HarvestFlags", "order": "OrderFlags"}


def flagged_settings(command: str) -> Iterator[tuple[str, Flag, FieldInfo]]:
    """Dotted name, flag and field of each setting that is an option of a command."""
    for group, table in Config.model_fields.items():
        model = table.annotation
        if isinstance(model, type) and issubclass(model, BaseModel):
            for name, field in model.model_fields.items():
                for flag in field.metadata:
                    if isinstance(flag, Flag) and command in flag.commands:
                        yield f"{group}.{name}", flag, field


def render_flags() -> str:
    """src/leadline/ui/cli/flags.py."""
    parts = [_HEAD.rstrip()]
    for command, name in _CLASSES.items():
        flagged = list(flagged_settings(command))
        parts += [
            '\n\n@Parameter(name="*")\n@dataclass(frozen=True, kw_only=True)',
            f'class {name}:\n    """The settings that `leadline {command}` has options for."""\n',
            *(_option(flag, field) for _, flag, field in flagged),
            "\n    def given_settings(self) -> dict[str, object]:",
            '        """The settings that were given, by dotted name."""',
            "        given: dict[str, object] = {",
            *(f'            "{setting}": self.{_attribute(flag)},' for setting, flag, _ in flagged),
            "        }",
            "        return {name: value for name, value in given.items() if value is not None}",
        ]
    return "\n".join(parts) + "\n"


def _option(flag: Flag, field: FieldInfo) -> str:
    names = ", ".join(f'"{name}"' for name in (flag.name, *flag.also))
    negative = "negative=(), " if field.annotation is bool else ""
    about = f'name=({names},), {negative}help="{field.description}"'
    return f"    {_attribute(flag)}: Annotated[{_type(field)} | None, Parameter({about})] = None"


def _attribute(flag: Flag) -> str:
    return flag.name.removeprefix("--").replace("-", "_")


def _type(field: FieldInfo) -> str:
    kind = field.annotation
    if get_origin(kind) is Literal:
        words = ", ".join(f'"{word}"' for word in get_args(kind))
        return f"Literal[{words}]"
    return getattr(kind, "__name__", str(kind))


def main() -> None:
    """Write the module."""
    FILE.write_text(render_flags(), encoding="utf-8")
    say(f"wrote {FILE.name}")


if __name__ == "__main__":
    main()
