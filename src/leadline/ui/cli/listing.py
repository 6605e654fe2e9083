"""`leadline forms`, `records`, `config`, `strategies`, `policies` and `plugins`, as tables."""

import inspect
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import msgspec
from msgspec import Struct
from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from leadline.backlinks.settings import PROVIDERS
from leadline.config import list_settings, parse_pairs, settings_file
from leadline.config.runs import choose_store_path, resolve_settings
from leadline.core.crawl import LIKELY
from leadline.errors import ConfigError
from leadline.harvester.policies import POLICIES, PolicyKind
from leadline.plugins import OURS, Part, Registry
from leadline.records.exporters import EXPORTERS
from leadline.store.plugins import OTHER_STORES
from leadline.strategies import STRATEGIES
from leadline.topics import CRITICS
from leadline.ui.cli.exits import Exit
from leadline.ui.cli.output import print_json, print_text, say, show, table
from leadline.views.forms import FormRow, form_rows
from leadline.views.harvests import RecordRow, harvest_rows, record_rows
from leadline.views.stores import open_to_read
from leadline.views.text import clean, shorten
from leadline.web.fetchers import FETCHERS


def run_forms(
    store: str | None, *, every: bool, min_score: float | None, topic: str, as_json: bool
) -> Exit:
    """The whole command."""
    with open_to_read(choose_store_path(store)) as opened:
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
        show(Group(head, Padding(_describe_form(row), (0, 0, 0, 6))))


def _describe_form(row: FormRow) -> Text:
    seen = "once" if row.sightings == 1 else f"{row.sightings} times"
    alike = ""
    if row.alike:
        others = "other" if len(row.alike) == 1 else "others"
        alike = f", like {len(row.alike)} {others}: {', '.join(row.alike[:3])}"
    lines = [
        f"{row.method.upper()} {row.action or '(no address)'}",
        "fields: " + (", ".join(field.shown for field in row.fields) or "none"),
        *(f"range:  {shown}" for shown in row.ranges),
        f"why:    {row.why} (searchable {row.searchable:.2f})",
        f"page:   {row.page}, seen {seen}",
        *([f"topic:  {row.topic}"] if row.topic else []),
        f"form:   {row.signature}{alike}",
    ]
    return Text("\n".join(clean(line) for line in lines))


def run_records(store: str | None, *, form: str, limit: int, as_json: bool) -> Exit:
    """The whole command."""
    with open_to_read(choose_store_path(store)) as opened:
        rows = list(islice(record_rows(opened, form), limit or None))
        in_all = sum(h.records for h in harvest_rows(opened) if h.source.startswith(form))
    if as_json:
        print_json(rows)
    elif not rows:
        print_text("no records yet; extract some with: leadline harvest FORM")
    else:
        show(
            table("", ("title", "what it says", "query", "#page", "site"), map(_record_cells, rows))
        )
    if len(rows) < in_all and not as_json:
        say(f"{len(rows)} of {in_all:,} records; --limit 0 shows all, leadline export writes them")
    return Exit.DONE


def _record_cells(row: RecordRow) -> tuple[object, ...]:
    said = "; ".join(cell.text for cell in row.cells if cell.text != row.title)
    return (
        shorten(row.title or row.key, 50),
        shorten(said, 60),
        shorten(row.query, 30),
        row.page,
        shorten(row.site, 30),
    )


class PartRow(Struct, frozen=True):
    """A part in one line, and its settings with their defaults."""

    name: str
    does: str
    settings: dict[str, object]
    source: str
    """The distribution it is from."""
    fault: str = ""
    """Why it cannot be used."""


def part_rows(parts: Registry[Part] | Registry[PolicyKind]) -> list[PartRow]:
    """All of them, by name."""
    return [_describe_one(parts, name) for name in parts]


def _describe_one(parts: Registry[Any], name: str) -> PartRow:
    source = parts.source(name)
    try:
        kind = parts[name]
    except ConfigError as error:
        return PartRow(name, "", {}, source, str(error))
    fields = kind.settings.model_fields.items()
    settings = {field: about.get_default(call_default_factory=True) for field, about in fields}
    return PartRow(name, describe_part(kind.make), settings, source)


def describe_part(make: Callable[..., Any]) -> str:
    """The first line of what a part says of itself."""
    home = inspect.getmodule(make)
    return (make.__doc__ or (home.__doc__ if home else "") or "").strip().split("\n")[0]


def run_config(file: Path | None, pairs: Sequence[str], *, as_json: bool) -> Exit:
    """Every setting in force, and where it came from."""
    rows = list_settings(*resolve_settings(settings_file(file), parse_pairs(pairs)))
    if as_json:
        print_json([{"name": n, "value": value, "from": origin} for n, value, origin in rows])
    else:
        cells = ((name, _format_value(value), origin) for name, value, origin in rows)
        show(table("", ("setting", "value", "from"), cells))
    return Exit.DONE


def _format_value(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(str(item) for item in value) or "(none)"
    if isinstance(value, bool):
        return str(value).lower()
    return "(empty)" if value in ("", {}) else str(value)


def run_strategies(*, as_json: bool) -> Exit:
    """All strategies."""
    return _show_parts(part_rows(STRATEGIES), as_json=as_json)


def run_policies(*, as_json: bool) -> Exit:
    """All query policies."""
    return _show_parts(part_rows(POLICIES), as_json=as_json)


def run_plugins(*, as_json: bool) -> Exit:
    """The parts that other distributions offer, whatever their kind."""
    registries: tuple[Registry[Any], ...] = (
        *(STRATEGIES, POLICIES, CRITICS, FETCHERS, OTHER_STORES, PROVIDERS, EXPORTERS),
    )
    rows = [
        (parts.what, _describe_one(parts, name))
        for parts in registries
        for name in parts
        if name not in parts.own or parts.source(name) != OURS
    ]
    if as_json:
        print_json([{"kind": what, **msgspec.to_builtins(row)} for what, row in rows])
    elif not rows:
        print_text("no plug-ins are installed; docs/guides/extending.md says how to write one")
    else:
        cells = ((what, row.name, row.fault or row.does, row.source) for what, row in rows)
        show(table("", ("kind", "name", "what it does", "from"), cells))
    return Exit.DONE


def _show_parts(rows: list[PartRow], *, as_json: bool) -> Exit:
    """Each with its settings below it: as columns they would leave no room for words."""
    if as_json:
        print_json(rows)
        return Exit.DONE
    for row in rows:
        source = "" if row.source == OURS else f" (from {row.source})"
        head = Text.assemble((row.name, "bold"), f"  {clean(row.fault or row.does)}{source}")
        settings = ", ".join(f"{name}={value}" for name, value in row.settings.items())
        show(Group(head, *([Padding(Text(settings, "dim"), (0, 0, 0, 6))] if settings else [])))
    return Exit.DONE
