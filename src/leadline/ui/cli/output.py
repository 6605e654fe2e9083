"""Where output goes: results to stdout, everything else to stderr, both safe for a terminal."""

import io
import os
import re
import sys
from collections.abc import Iterable
from typing import TextIO

import msgspec
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from leadline.core.secrets import mask_text
from leadline.views.text import clean

_unshown = re.compile(r"[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]").sub
PLAIN_WIDTH = 160
"""Columns of a table that goes to a file or pipe."""


def show(picture: RenderableType, stream: TextIO | None = None) -> None:
    """Print a table or other picture, by default as a result on stdout."""
    stream = stream or sys.stdout
    if stream.isatty():
        console(stream).print(picture)
        return
    text = io.StringIO()
    console(text).print(picture)
    # Cells are padded with blanks to their column's width: noise in a file.
    stream.write("\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n")


def console(stream: TextIO, *, plain: bool = False) -> Console:
    """A console on the stream; without colour for NO_COLOR, pipes and `plain`."""
    colourless = plain or bool(os.environ.get("NO_COLOR")) or not stream.isatty()
    width = None if stream.isatty() else PLAIN_WIDTH
    return Console(
        file=stream,
        no_color=colourless,
        highlight=False,
        markup=False,
        emoji=False,
        width=width,
        color_system=None if colourless else "auto",
    )


def print_json(value: object) -> None:
    """One JSON document on stdout. What could drive a terminal, or turn its text round, is written
    as an escape, which says the same."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    sys.stdout.write(_unshown(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n")


def print_text(text: str = "") -> None:
    """A line on stdout."""
    sys.stdout.write(text + "\n")


def say(text: str) -> None:
    """A line on stderr: for people, not for pipes."""
    sys.stderr.write(mask_text(text) + "\n")
    sys.stderr.flush()


def table(title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Table:
    """A table whose cells are taken literally; columns beginning with '#' are numbers."""
    grid = Table(title=title or None, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        is_number = column.startswith("#")
        grid.add_column(
            column.removeprefix("#"),
            justify="right" if is_number else "left",
            no_wrap=is_number,
            overflow="fold",
        )
    for row in rows:
        grid.add_row(*(Text(clean(str(cell))) for cell in row))
    return grid
