"""`leadline forms`: the directory so far."""

from typing import TextIO

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from leadline.core.crawl import LIKELY
from leadline.ui.exits import Exit
from leadline.ui.opening import store_path
from leadline.ui.output import clean, print_json, print_text, shorten, show, table
from leadline.views.forms import FormRow, form_rows
from leadline.views.stores import open_to_read


def run_forms(
    store: str | None, *, every: bool, min_score: float | None, topic: str, as_json: bool
) -> Exit:
    """The whole command."""
    with open_to_read(store_path(store)) as opened:
        rows = form_rows(
            opened,
            min_score=LIKELY if min_score is None else min_score,
            any_form=every and min_score is None,
            topic=topic,
        )
    if as_json:
        print_json(rows)
    elif not rows:
        print_text("no forms yet" if every else "no relevant forms yet; --all shows every form met")
    else:
        _print_directory(rows)
    return Exit.DONE


def print_forms(rows: list[FormRow], stream: TextIO) -> None:
    """The short table at the end of a crawl."""
    if not rows:
        return
    cells = (
        (
            shorten(row.site, 40),
            shorten(row.what, 44),
            shorten(", ".join(field.shown for field in row.fields), 40),
            f"{row.score:.2f}",
            shorten(row.why, 40),
        )
        for row in rows
    )
    show(table("", ("site", "what", "fields", "#score", "why"), cells), stream)


def _print_directory(rows: list[FormRow]) -> None:
    for row in rows:
        head = Text.assemble(
            (f"{row.score:.2f}  ", "bold green" if row.score >= LIKELY else "dim"),
            (clean(row.site), "bold"),
            "  ",
            shorten(row.what, 100),
        )
        show(Group(head, Padding(_facts(row), (0, 0, 0, 6))))


def _alike(row: FormRow) -> str:
    if not row.alike:
        return ""
    number = len(row.alike)
    return f", like {number} other{'s' if number > 1 else ''}: {', '.join(row.alike[:3])}"


def _facts(row: FormRow) -> Text:
    seen = "once" if row.sightings == 1 else f"{row.sightings} times"
    lines = [
        f"{row.method.upper()} {row.action or '(no address)'}",
        "fields: " + (", ".join(field.shown for field in row.fields) or "none"),
        *(f"range:  {shown}" for shown in row.ranges),
        f"why:    {row.why} (searchable {row.searchable:.2f})",
        f"page:   {row.page}, seen {seen}",
        *([f"topic:  {row.topic}"] if row.topic else []),
        f"form:   {row.signature}{_alike(row)}",
    ]
    return Text("\n".join(clean(line) for line in lines))
