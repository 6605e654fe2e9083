"""`leadline export`: the store's contents as JSON lines, CSV or Parquet, and pages as WARC."""

import csv
import sys
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, TextIO, get_args

import msgspec

from leadline.core.crawl import Event, SiteState, Visit
from leadline.core.ports import Store
from leadline.errors import ConfigError
from leadline.ui.exits import Exit
from leadline.ui.output import print_json, say
from leadline.ui.parquet import write_parquet
from leadline.ui.places import writing
from leadline.views.forms import FormRow, form_rows
from leadline.views.harvests import QueryRow, RecordRow, flat_records, query_rows, record_rows
from leadline.views.stores import open_to_read, saved_settings
from leadline.web.archive import archive_files, merge_archives

What = Literal["forms", "visits", "sites", "events", "records", "queries", "pages"]
PAGES = "pages"


class _Kind(NamedTuple):
    """What is written, and the type of its rows."""

    rows: Callable[[Store], Iterable[object]]
    type: type[msgspec.Struct]


_KINDS: dict[str, _Kind] = {
    "forms": _Kind(lambda store: form_rows(store, any_form=True), FormRow),
    "visits": _Kind(lambda store: store.visits(), Visit),
    "sites": _Kind(lambda store: store.sites(), SiteState),
    "events": _Kind(lambda store: store.events(), Event),
    "records": _Kind(record_rows, RecordRow),
    "queries": _Kind(query_rows, QueryRow),
}
WHATS: tuple[str, ...] = get_args(What)
_WARC = (".warc.gz", ".warc")
_ENDINGS = (".jsonl", ".csv", ".parquet", *_WARC)
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def run_export(store: str, out: str, *, what: What | None, archive: str, as_json: bool) -> Exit:
    """The whole command."""
    if out == "-" and what != PAGES:
        with open_to_read(store) as opened:
            write_lines(sys.stdout, _KINDS[what or "forms"].rows(opened))
        return Exit.DONE
    format_of(out, what)
    with open_to_read(store) as opened:
        done = export(opened, out, what, archive)
    if as_json:
        print_json(done)
    else:
        say(f"{done.rows} {done.what} to {out}")
    return Exit.DONE


class Exported(msgspec.Struct, frozen=True):
    """What was written."""

    what: str
    rows: int
    out: str


def export(store: Store, out: str, what: What | None = None, archive: str = "") -> Exported:
    """Write to a path or a URL, whose ending tells the format; pages come from the archive of the
    store's crawl, or from the folder `archive`. Raises ConfigError."""
    ending, chosen = format_of(out, what)
    if chosen == PAGES:
        files = archived_files(store, archive)
        with writing(out) as stream:
            pages = merge_archives(files, stream, is_packed=ending == ".warc.gz")
        return Exported(PAGES, pages, out)
    with writing(out) as stream:
        return Exported(chosen, _write(store, chosen, ending, stream), out)


def format_of(out: str, what: What | None = None) -> tuple[str, str]:
    """The ending that tells the format, and what is written. Raises ConfigError."""
    ending = next((known for known in _ENDINGS if out.lower().endswith(known)), "")
    if not ending:
        raise ConfigError(
            f"{out}: the format is told by the ending; write .jsonl, .csv or .parquet, or - for "
            "JSON lines on stdout, and .warc.gz for pages"
        )
    chosen = what or (PAGES if ending in _WARC else "forms")
    if (chosen == PAGES) != (ending in _WARC):
        raise ConfigError(
            f"{out}: pages are written as .warc.gz or .warc, and nothing else is; "
            f"say --what {PAGES}, or take another ending"
        )
    return ending, chosen


def _write(store: Store, what: str, ending: str, stream: BinaryIO) -> int:
    """How many rows."""
    kind = _KINDS[what]
    if ending == ".parquet":
        return write_parquet(stream, kind.rows(store), kind.type)
    text = TextIOWrapper(stream, encoding="utf-8", newline="")
    try:
        if ending == ".jsonl":
            return write_lines(text, kind.rows(store))
        return write_csv(text, flat_records(store) if what == "records" else kind.rows(store))
    finally:
        # Closing is for those who opened the stream.
        text.detach()


def archived_files(store: Store, folder: str = "") -> list[Path]:
    """Where the pages of a crawl were kept. Raises ConfigError when they were not."""
    kept: str = folder or saved_settings(store).get("archive", {}).get("folder", "")
    if not kept:
        raise ConfigError(
            "this crawl kept no pages; keep them with: leadline crawl --archive FOLDER, "
            "or name a folder that has them with --archive"
        )
    files = archive_files(Path(kept))
    if not files:
        raise ConfigError(
            f"there are no WARC files in {kept}; name their folder with --archive if they moved"
        )
    return files


def write_lines(stream: TextIO, rows: Iterable[object]) -> int:
    """One JSON object a line; how many."""
    return sum(bool(stream.write(msgspec.json.encode(row).decode() + "\n")) for row in rows)


def write_csv(stream: TextIO, rows: Iterable[object]) -> int:
    """A header and one row each; lists become one cell. How many rows."""
    number = 0
    writer = csv.writer(stream, lineterminator="\n")
    for number, row in enumerate(rows, start=1):
        table: dict[str, Any] = msgspec.to_builtins(row)
        if number == 1:
            writer.writerow(table)
        writer.writerow([_cell(value) for value in table.values()])
    return number


def _cell(value: object) -> object:
    """A text that a spreadsheet would run as a formula is quoted, since it comes from the web."""
    if isinstance(value, list):
        return "; ".join(str(item.get("label") or item.get("name") or item) for item in value)
    if isinstance(value, str) and value.startswith(_DANGEROUS):
        return f"'{value}"
    return value
