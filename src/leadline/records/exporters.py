"""Exporters: the formats that rows are written in, by the ending of the file.

`EXPORTERS` has all of them by name, which is also the ending: jsonl, csv, parquet, sqlite, xlsx,
and those of other distributions.
"""

import csv
import errno
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec
from msgspec import inspect
from pydantic import BaseModel

from leadline.core.ports import Exporter
from leadline.errors import ConfigError
from leadline.plugins import NoSettings, Part, Registry, make_part, part_reader
from leadline.records.cells import make_cell, make_text

_ROWS_AT_ONCE = 10_000
"""Rows of one row group of a Parquet file: some 10 MB in memory."""


_SHEET_ROWS = 1_048_576
_SHEET_CHARS = 32_767
"""The most that Excel opens: rows of a sheet with its header, characters of a cell."""


class ExportedTable(NamedTuple):
    """Rows to be written beside others into one file."""

    name: str
    kind: type[Any]
    rows: Iterable[Any]
    is_searched: bool = False
    """Gets an index for full-text search, where the format has one."""


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


class SqliteExporter(BaseExporter):
    """An SQLite file with typed columns and a full-text index, as Datasette opens it."""

    name = "sqlite"
    is_flat = True

    def write(self, rows: Iterable[Any], kind: type[Any], out: BinaryIO) -> int:
        return self.write_tables([ExportedTable("rows", kind, rows)], out)

    def write_tables(self, tables: Iterable[ExportedTable], out: BinaryIO) -> int:
        """All tables into one file; the rows of the first are counted."""
        # SQLite writes here and there in its file, which a stream may not let it.
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "export.sqlite"
            try:
                with closing(sqlite3.connect(path)) as connection:
                    connection.execute("PRAGMA journal_mode = OFF")
                    counts = [_write_sqlite(connection, table) for table in tables]
                    connection.commit()
            except sqlite3.OperationalError as error:
                # The store that the rows come from raises errors of its own.
                raise OSError(errno.EIO, f"{error}, in {folder}") from None
            with path.open("rb") as made:
                shutil.copyfileobj(made, out)
        return counts[0] if counts else 0


class XlsxExporter(BaseExporter):
    """An Excel workbook, one sheet a table. Needs `leadline[export]`."""

    name = "xlsx"
    is_flat = True

    def write(self, rows: Iterable[Any], kind: type[Any], out: BinaryIO) -> int:
        return self.write_tables([ExportedTable("rows", kind, rows)], out)

    def write_tables(self, tables: Iterable[ExportedTable], out: BinaryIO) -> int:
        """Raises ConfigError if XlsxWriter is not installed, or for more rows than a sheet has."""
        try:
            import xlsxwriter
        except ImportError:
            raise ConfigError(
                "xlsx needs XlsxWriter; install it with: pip install 'leadline[export]'"
            ) from None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "export.xlsx"
            options = {
                # Rows are written as they come, and no text becomes a formula or a link.
                "constant_memory": True,
                "strings_to_formulas": False,
                "strings_to_urls": False,
                "nan_inf_to_errors": True,
                "tmpdir": folder,
            }
            book = xlsxwriter.Workbook(str(path), options)
            try:
                try:
                    counts = [_write_sheet(book, table) for table in tables]
                finally:
                    book.close()
            except xlsxwriter.exceptions.XlsxFileError as error:
                raise OSError(errno.EIO, f"{error}, in {folder}") from None
            with path.open("rb") as made:
                shutil.copyfileobj(made, out)
        return counts[0] if counts else 0


def _write_sqlite(connection: sqlite3.Connection, table: ExportedTable) -> int:
    rows = iter(table.rows)
    first = next(rows, None)
    names, types = _name_columns(first, table.kind)
    quoted = [_quote(name) for name in _tell_apart(names)]
    columns = ", ".join(f"{name} {kind}".rstrip() for name, kind in zip(quoted, types, strict=True))
    connection.execute(f"CREATE TABLE {_quote(table.name)} ({columns})")
    if first is None:
        return 0
    places = ", ".join("?" * len(names))
    insert = f"INSERT INTO {_quote(table.name)} VALUES ({places})"  # noqa: S608 - quoted names
    count = 0
    for some in _split_rows(chain((first,), rows)):
        plain = [msgspec.to_builtins(row) for row in some]
        values = ([_make_sqlite(row.get(name)) for name in names] for row in plain)
        connection.executemany(insert, values)
        count += len(some)
    texts = [name for name, kind in zip(quoted, types, strict=True) if kind in ("TEXT", "")]
    if table.is_searched and texts:
        index, source = _quote(f"{table.name}_fts"), table.name.replace("'", "''")
        connection.execute(
            f"CREATE VIRTUAL TABLE {index} USING fts5({', '.join(texts)}, content='{source}')"
        )
        connection.execute(f"INSERT INTO {index} ({index}) VALUES ('rebuild')")  # noqa: S608
    return count


def _tell_apart(names: Sequence[str]) -> list[str]:
    """Names that SQLite takes for different ones: it minds no case, and pages do.

    >>> _tell_apart(["cell:Title", "cell:title", "cell:title_2"])
    ['cell:Title', 'cell:title_3', 'cell:title_2']
    """
    taken = {name.lower() for name in names}
    seen: set[str] = set()
    told: list[str] = []
    for name in names:
        own, number = name, 2
        while own.lower() in seen or (own != name and own.lower() in taken):
            own, number = f"{name}_{number}", number + 1
        seen.add(own.lower())
        told.append(own)
    return told


def _write_sheet(book: Any, table: ExportedTable) -> int:
    sheet = book.add_worksheet(table.name)
    rows = iter(table.rows)
    first = next(rows, None)
    names, _ = _name_columns(first, table.kind)
    sheet.write_row(0, 0, [make_text(name) for name in names], book.add_format({"bold": True}))
    sheet.freeze_panes(1, 0)
    number = 0
    for number, row in enumerate(chain((first,), rows) if first is not None else (), start=1):
        if number >= _SHEET_ROWS:
            raise ConfigError(
                f"an xlsx sheet has {_SHEET_ROWS:,} rows, and {table.name} has more: "
                "write .sqlite or .parquet"
            )
        plain = msgspec.to_builtins(row)
        for column, name in enumerate(names):
            value = make_cell(plain.get(name))
            if isinstance(value, str):
                sheet.write_string(number, column, value[:_SHEET_CHARS])
            elif value is not None:
                sheet.write_number(number, column, value)
    sheet.autofilter(0, 0, max(1, number), max(0, len(names) - 1))
    return number


def _name_columns(first: object, kind: type[msgspec.Struct]) -> tuple[list[str], list[str]]:
    """The names of the columns and their SQLite types."""
    if isinstance(first, dict):
        # Flat records have columns of their own, which their type does not know.
        return list(first), [""] * len(first)
    fields = msgspec.structs.fields(kind)
    types = [_find_sqlite_type(inspect.type_info(field.type)) for field in fields]
    return [field.encode_name for field in fields], types


def _find_sqlite_type(described: inspect.Type) -> str:
    match described:
        case inspect.BoolType() | inspect.IntType():
            return "INTEGER"
        case inspect.FloatType():
            return "REAL"
        case inspect.UnionType(types=types):
            inner = [kind for kind in types if not isinstance(kind, inspect.NoneType)]
            return _find_sqlite_type(inner[0])
    return "TEXT"


def _make_sqlite(value: Any) -> object:
    """Lists and mappings as JSON, which SQLite's functions read."""
    if isinstance(value, list | tuple | dict):
        return msgspec.json.encode(value).decode()
    return _make_signed(value)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


_OURS = (JsonLinesExporter, CsvExporter, ParquetExporter, SqliteExporter, XlsxExporter)
EXPORTERS: Registry[Part] = Registry(
    "exporter",
    "leadline.exporters",
    {kind.name: Part(kind) for kind in _OURS},
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
