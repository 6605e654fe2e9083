"""`leadline export`: the store's contents as JSON lines or CSV."""

import csv
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TextIO, get_args

import msgspec

from leadline.core.ports import Store
from leadline.errors import ConfigError
from leadline.ui.exits import Exit
from leadline.ui.opening import looking_at
from leadline.ui.output import print_json, say
from leadline.ui.rows import form_rows

What = Literal["forms", "visits", "sites", "events"]
_SOURCES: dict[str, Callable[[Store], Iterable[object]]] = {
    "forms": lambda store: form_rows(store, any_form=True),
    "visits": lambda store: store.visits(),
    "sites": lambda store: store.sites(),
    "events": lambda store: store.events(),
}
WHATS: tuple[str, ...] = get_args(What)
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")


def run_export(store: str, out: str, *, what: What, as_json: bool) -> Exit:
    """The whole command."""
    write = _writer(out)
    with looking_at(store) as opened, _opened(out) as stream:
        number = write(stream, _SOURCES[what](opened))
    if out != "-" and as_json:
        print_json({"what": what, "rows": number, "out": out})
    elif out != "-":
        say(f"{number} {what} to {out}")
    return Exit.DONE


def _writer(out: str) -> Callable[[TextIO, Iterable[object]], int]:
    ending = ".jsonl" if out == "-" else Path(out).suffix.lower()
    if ending == ".parquet":
        raise ConfigError(f"{out}: Parquet needs an extra that does not exist yet; .jsonl, .csv do")
    if ending not in (".jsonl", ".csv"):
        raise ConfigError(f"{out}: the format is told by the ending; write .jsonl or .csv, or -")
    return write_csv if ending == ".csv" else write_lines


@contextmanager
def _opened(out: str) -> Iterator[TextIO]:
    """stdout, or a file that appears only when it is complete."""
    if out == "-":
        yield sys.stdout
        return
    path = Path(out)
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with unfinished.open("w", encoding="utf-8", newline="") as stream:
            yield stream
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
