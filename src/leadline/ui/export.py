"""`leadline export`: the store's contents as JSON lines, CSV or Parquet."""

import csv
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple, TextIO, get_args

import msgspec

from leadline.core.crawl import Event, SiteState, Visit
from leadline.core.ports import Store
from leadline.errors import ConfigError
from leadline.ui.exits import Exit
from leadline.ui.opening import looking_at
from leadline.ui.output import print_json, say
from leadline.ui.parquet import write_parquet
from leadline.ui.record_rows import QueryRow, RecordRow, flat_records, query_rows, record_rows
from leadline.ui.rows import FormRow, form_rows

What = Literal["forms", "visits", "sites", "events", "records", "queries"]


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
_ENDINGS = (".jsonl", ".csv", ".parquet")
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def run_export(store: str, out: str, *, what: What, as_json: bool) -> Exit:
    """The whole command."""
    ending = ".jsonl" if out == "-" else Path(out).suffix.lower()
    if ending not in _ENDINGS:
        raise ConfigError(
            f"{out}: the format is told by the ending; write .jsonl, .csv or .parquet, or -"
        )
    with looking_at(store) as opened, _unfinished(out) as path:
        number = _write(opened, what, ending, path)
    if out != "-" and as_json:
        print_json({"what": what, "rows": number, "out": out})
    elif out != "-":
        say(f"{number} {what} to {out}")
    return Exit.DONE


def _write(store: Store, what: What, ending: str, path: Path | None) -> int:
    """To stdout without a path; how many rows."""
    kind = _KINDS[what]
    if path is None:
        return write_lines(sys.stdout, kind.rows(store))
    if ending == ".parquet":
        return write_parquet(path, kind.rows(store), kind.type)
    with path.open("w", encoding="utf-8", newline="") as stream:
        if ending == ".jsonl":
            return write_lines(stream, kind.rows(store))
        rows = flat_records(store) if what == "records" else kind.rows(store)
        return write_csv(stream, rows)


@contextmanager
def _unfinished(out: str) -> Iterator[Path | None]:
    """None for stdout, or a file that gets its name only when it is complete."""
    if out == "-":
        yield None
        return
    path = Path(out)
    unfinished = path.with_name(f".{path.name}.part")
    try:
        yield unfinished
        unfinished.replace(path)
    except OSError as error:
        raise ConfigError(f"cannot write {out}: {error.strerror}") from None
    finally:
        unfinished.unlink(missing_ok=True)


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
