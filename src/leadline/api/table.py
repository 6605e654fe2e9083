"""Rows that are read when they are looked at: to iterate, to show, to hand to pandas."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec
from msgspec import Struct

from leadline.errors import ConfigError
from leadline.views.text import shorten

if TYPE_CHECKING:
    import pandas

Row = TypeVar("Row", bound=Struct)

_SHOWN_ROWS = 20
_CELL_CHARS = 80
_TIME = "at"
"""The column that tells when, in seconds since 1970."""


class Table(Generic[Row]):
    """Rows of one kind. Nothing is held: each pass over them reads the store as it is then, so a
    table of a crawl that goes on grows."""

    def __init__(
        self,
        name: str,
        kind: type[Row],
        rows: Callable[[], Iterable[Row]],
        count: Callable[[], int],
        *,
        shown: Sequence[str] = (),
        flat: Callable[[], Iterable[Mapping[str, object]]] | None = None,
    ) -> None:
        """`shown` are the columns that a notebook shows, all unless given; `flat` makes the rows
        of a data frame where they are others than those of the table."""
        self.name = name
        self.columns = tuple(field.name for field in msgspec.structs.fields(kind))
        self._rows = rows
        self._count = count
        self._shown = tuple(shown) or self.columns
        self._flat = flat or self._flattened

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows())

    def __len__(self) -> int:
        return self._count()

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        """By position. Reads as far as it has to."""
        if isinstance(at, slice):
            return list(islice(self, *at.indices(len(self))))
        position = at if at >= 0 else at + len(self)
        for row in islice(self, position, None) if position >= 0 else ():
            return row
        raise IndexError(f"{self.name} has {len(self)} rows; there is none at {at}")

    def head(self, rows: int = 5) -> list[Row]:
        """The first ones."""
        return list(islice(self, rows))

    def to_dicts(self) -> list[dict[str, Any]]:
        """Every row as plain values, lists and dicts, as in an export to JSON lines."""
        return [msgspec.to_builtins(row) for row in self]

    def to_pandas(self) -> "pandas.DataFrame":
        """A data frame, with one value a cell and times as times.

        Raises ConfigError when pandas is not installed.
        """
        pandas = _pandas()
        columns: dict[str, list[object]] = {name: [] for name in self._frame_columns()}
        for row in self._flat():
            for name, value in row.items():
                columns.setdefault(name, []).append(value)
        frame = pandas.DataFrame(columns)
        if _TIME in frame:
            frame[_TIME] = pandas.to_datetime(frame[_TIME], unit="s", utc=True)
        return frame

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self):,} rows of {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        """The first rows, for notebooks. Texts come from the web, and are escaped."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self._shown)
        body = "".join(f"<tr>{self._cells(row)}</tr>" for row in islice(self, _SHOWN_ROWS))
        number = len(self)
        more = f"the first {_SHOWN_ROWS} of " if number > _SHOWN_ROWS else ""
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p>{more}{number:,} {escape(self.name)}</p>"
        )

    def _cells(self, row: Row) -> str:
        texts = (shorten(_text(getattr(row, name)), _CELL_CHARS) for name in self._shown)
        return "".join(f"<td>{escape(text)}</td>" for text in texts)

    def _frame_columns(self) -> Iterable[str]:
        return self.columns if self._flat == self._flattened else ()

    def _flattened(self) -> Iterator[dict[str, object]]:
        for row in self:
            yield {name: _plain(getattr(row, name)) for name in self.columns}


def _plain(value: object) -> object:
    """A value that fits into one cell of a data frame."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Struct):
        return getattr(value, "shown", None) or msgspec.to_builtins(value)
    return value


def _text(value: object) -> str:
    """A value in the fewest words: of a control its label, of a piece of a record its text."""
    if isinstance(value, tuple):
        return "; ".join(map(_text, value))
    if isinstance(value, float):
        return f"{value:g}"
    return str(getattr(value, "shown", None) or getattr(value, "text", None) or value)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ConfigError(
            "to_pandas() needs pandas; install it with: pip install 'leadline[pandas]', "
            "or take to_dicts()"
        ) from None
    return pandas
