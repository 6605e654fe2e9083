"""Rows as a Parquet file, its columns typed by the rows' own fields. Needs `leadline[export]`."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

import msgspec
from msgspec import inspect

from leadline.errors import ConfigError

_ROWS_AT_ONCE = 10_000
"""Rows of one row group: some 10 MB in memory."""


def write_parquet(out: BinaryIO, rows: Iterable[object], kind: type[msgspec.Struct]) -> int:
    """How many rows. Raises ConfigError when pyarrow is not installed."""
    arrow, parquet = _arrow()
    schema = arrow.schema(_columns(arrow, kind))
    number = 0
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for some in _in_parts(rows):
            plain = [_plain(msgspec.to_builtins(row)) for row in some]
            writer.write_table(arrow.Table.from_pylist(plain, schema=schema))
            number += len(some)
    return number


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigError(
            "Parquet needs pyarrow; install it with: pip install 'leadline[export]'"
        ) from None
    return pyarrow, pyarrow.parquet


def _in_parts(rows: Iterable[object]) -> Iterator[Sequence[object]]:
    left = iter(rows)
    while some := list(islice(left, _ROWS_AT_ONCE)):
        yield some


def _columns(arrow: Any, kind: type[msgspec.Struct]) -> list[Any]:
    fields = msgspec.structs.fields(kind)
    return [(f.encode_name, _type(arrow, inspect.type_info(f.type))) for f in fields]


def _type(arrow: Any, described: inspect.Type) -> Any:
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
            return _type(arrow, inner[0])
        case inspect.VarTupleType(item_type=item):
            return arrow.list_(_type(arrow, item))
        case inspect.StructType(fields=fields):
            return arrow.struct([(f.encode_name, _type(arrow, f.type)) for f in fields])
    return arrow.string()


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Mappings other than rows in rows become text; 64 bits without a sign keep their bits."""
    return {name: _value(value) for name, value in row.items()}


def _value(value: Any) -> Any:
    if isinstance(value, int) and value >= 1 << 63:
        return value - (1 << 64)
    return value
