"""`leadline export`: the store's contents as JSON lines, CSV or Parquet, and pages as WARC."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, Literal, NamedTuple, get_args

import msgspec

from leadline.core.crawl import Event, SiteState, Visit
from leadline.core.ports import Store
from leadline.errors import ConfigError
from leadline.records.exporters import EXPORTERS, make_exporter
from leadline.ui.exits import Exit
from leadline.ui.output import print_json, say
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


def run_export(store: str, out: str, *, what: What | None, archive: str, as_json: bool) -> Exit:
    """The whole command."""
    if out == "-" and what != PAGES:
        with open_to_read(store) as opened:
            kind = _KINDS[what or "forms"]
            make_exporter("jsonl").write(kind.rows(opened), kind.type, sys.stdout.buffer)
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
    endings = (*(f".{name}" for name in EXPORTERS), *_WARC)
    ending = next((known for known in endings if out.lower().endswith(known)), "")
    if not ending:
        further = "".join(f", .{name}" for name in EXPORTERS if name not in EXPORTERS.own)
        raise ConfigError(
            f"{out}: the format is told by the ending; write .jsonl, .csv or .parquet{further}, "
            "or - for JSON lines on stdout, and .warc.gz for pages"
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
    kind, exporter = _KINDS[what], make_exporter(ending.removeprefix("."))
    is_flat = what == "records" and exporter.is_flat
    return exporter.write(flat_records(store) if is_flat else kind.rows(store), kind.type, stream)


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
