"""Exporters: the formats that rows are written in, by the ending of the file.

`EXPORTERS` has all of them by name, which is also the ending: jsonl, csv, parquet, and those of
other distributions.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import TextIOWrapper
from itertools import islice
from typing import Any, BinaryIO

import msgspec
from msgspec import inspect
from pydantic import BaseModel

from leadline.core.ports import Exporter
from leadline.errors import ConfigError
from leadline.plugins import NoSettings, Part, Registry, make_part, part_reader
from leadline.records.cells import make_cell

_ROWS_AT_ONCE = 10_000
"""Rows of one row group of a Parquet file: some 10 MB in memory."""


class BaseExporter:
    """Build an exporter of your own on this: `name` and `write` are left."""

    name = ""
    is_flat = False

    def __init__(self, settings: BaseModel | None = None) -> None:
        """`settings` are of the class's own `Settings`, with their defaults."""
        self.settings = settings or NoSettings()


class JsonLinesExporter(BaseExporter):
    """One JSON object a line."""

    name = "jsonl"

    def write(self, rows: Iterable[Any], kind: type[Any], out: BinaryIO) -> int:  # noqa: ARG002
        return sum(bool(out.write(msgspec.json.encode(row) + b"\n")) for row in rows)


class CsvExporter(BaseExporter):
    """A header, then one line each; what its cells hold is said in `records.cells`."""

    name = "csv"
    is_flat = True

    def write(self, rows: Iterable[Any], kind: type[Any], out: BinaryIO) -> int:  # noqa: ARG002
        text = TextIOWrapper(out, encoding="utf-8", newline="")
        number = 0
        try:
            writer = csv.writer(text, lineterminator="\n")
            for number, row in enumerate(rows, start=1):
                table: dict[str, Any] = msgspec.to_builtins(row)
                if number == 1:
                    # Columns of records are named by the pages they come from.
                    writer.writerow([make_cell(name) for name in table])
                writer.writerow([make_cell(value) for value in table.values()])
        finally:
            # Closing is for those who opened the stream.
            text.detach()
        return number


class ParquetExporter(BaseExporter):
    """Parquet, its columns typed by the fields of the rows. Needs `leadline[export]`."""

    name = "parquet"

    def write(self, rows: Iterable[Any], kind: type[Any], out: BinaryIO) -> int:
        """Raises ConfigError if pyarrow is not installed."""
        arrow, parquet = _import_arrow()
        schema = arrow.schema(_make_columns(arrow, kind))
        number = 0
        with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
            for some in _split_rows(rows):
                plain = [_make_plain(msgspec.to_builtins(row)) for row in some]
                writer.write_table(arrow.Table.from_pylist(plain, schema=schema))
                number += len(some)
        return number


EXPORTERS: Registry[Part] = Registry(
    "exporter",
    "leadline.exporters",
    {kind.name: Part(kind) for kind in (JsonLinesExporter, CsvExporter, ParquetExporter)},
    part_reader(Exporter, "build it on leadline.records.exporters.BaseExporter"),
)
"""All of them by name, those of other distributions too."""


def make_exporter(name: str) -> Exporter:
    """The exporter of that name. Raises KeyError, and ConfigError for a broken plug-in."""
    exporter: Exporter = make_part(EXPORTERS, name)
    return exporter


def _import_arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigError(
            "Parquet needs pyarrow; install it with: pip install 'leadline[export]'"
        ) from None
    return pyarrow, pyarrow.parquet


def _split_rows(rows: Iterable[Any]) -> Iterator[Sequence[Any]]:
    left = iter(rows)
    while some := list(islice(left, _ROWS_AT_ONCE)):
        yield some


def _make_columns(arrow: Any, kind: type[msgspec.Struct]) -> list[Any]:
    fields = msgspec.structs.fields(kind)
    return [(f.encode_name, _find_type(arrow, inspect.type_info(f.type))) for f in fields]


def _find_type(arrow: Any, described: inspect.Type) -> Any:
    """The column of a field; what has no plain type is written as JSON text."""
    match described:
        case inspect.BoolType():
            return arrow.bool_()
        case inspect.IntType():
            return arrow.int64()
        case inspect.FloatType():
            return arrow.float64()
        case inspect.UnionType(types=types):
            inner = [kind for kind in types if not isinstance(kind, inspect.NoneType)]
            return _find_type(arrow, inner[0])
        case inspect.VarTupleType(item_type=item):
            return arrow.list_(_find_type(arrow, item))
        case inspect.StructType(fields=fields):
            return arrow.struct([(f.encode_name, _find_type(arrow, f.type)) for f in fields])
    return arrow.string()


def _make_plain(row: dict[str, Any]) -> dict[str, Any]:
    """Mappings other than rows in rows become text; 64 bits without a sign keep their bits."""
    return {name: _make_signed(value) for name, value in row.items()}


def _make_signed(value: Any) -> Any:
    if isinstance(value, int) and value >= 1 << 63:
        return value - (1 << 64)
    return value
