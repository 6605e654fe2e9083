"""`leadline.open_store`: what a crawl has found, as tables for programs and notebooks."""

import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import msgspec
from msgspec import Struct

from leadline.core.crawl import LIKELY, Counts, Event, SiteState, StoredForm, Visit
from leadline.core.harvest import HarvestCounts
from leadline.core.store import StoreView
from leadline.errors import ConfigError, StoreError
from leadline.records.dataset import build_dataset
from leadline.records.export import TableName, export
from leadline.store import open_store_view
from leadline.store.address import is_url
from leadline.views.forms import FormRow, form_rows
from leadline.views.harvests import (
    HarvestRow,
    QueryRow,
    RecordRow,
    find_harvests,
    flat_records,
    harvest_rows,
    query_rows,
    record_rows,
)
from leadline.views.overview import site_rows, stop_reason
from leadline.views.stores import saved_settings, topic_of
from leadline.views.text import shorten

if TYPE_CHECKING:
    import pandas
    import polars

STORE = "crawl.leadline"
Row = TypeVar("Row", bound=Struct)

_SHOWN_ROWS = 20
_CELL_CHARS = 80
_TIME = "at"
"""The column that tells when, in seconds since 1970."""


class Table(Generic[Row]):
    """Rows of one kind. Nothing is held: each pass over them reads the store as it is then, so so a
    table of a running crawl grows."""

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
        """Names of attributes of its rows."""
        self._rows = rows
        self._count = count
        self._shown = tuple(shown) or self.columns
        self._flat = flat or self._flat_rows

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

    def to_polars(self) -> "polars.DataFrame":
        """The same as a data frame of polars. Raises ConfigError when polars is not installed."""
        rows = list(self._flat())
        frame: polars.DataFrame = _import_polars().DataFrame(rows, infer_schema_length=None)
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
        return self.columns if self._flat == self._flat_rows else ()

    def _flat_rows(self) -> Iterator[dict[str, object]]:
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


def _import_polars() -> Any:
    try:
        import polars
    except ImportError:
        raise ConfigError(
            "to_polars() needs polars; install it with: pip install 'leadline[polars]', "
            "or take to_dicts()"
        ) from None
    return polars


def open_store(path: str | Path = STORE) -> "Results":
    """What the store at `path` holds, also while a crawl or a harvest writes it.

    Nothing is changed. Raises StoreError when there is no store, or none that can be read.
    """
    if not is_url(path) and not Path(path).is_file():
        raise StoreError(
            f"there is no store {path}; make one with: leadline.crawl(..., store={str(path)!r})"
        )
    return Results(open_store_view(path), str(path))


class Results:
    """A store opened to look at. Tables read it anew each time they are used."""

    def __init__(self, store: StoreView, path: str) -> None:
        self.path = path
        self.store = store
        """The port (`leadline.core.ports.Store`), for what the tables do not tell; read-only."""
        self._close = weakref.finalize(self, store.close)

    def forms(self, *, min_score: float = LIKELY, every: bool = False) -> Table[FormRow]:
        """The directory, best first; `every` also takes forms that are not relevant."""

        def rows() -> list[FormRow]:
            return form_rows(self.store, min_score=min_score, any_form=every)

        def is_wanted(stored: StoredForm) -> bool:
            return every or round(stored.judged.relevant, 4) >= min_score

        shown = ("site", "what", "fields", "score", "why", "page", "signature")
        return Table(
            "forms",
            FormRow,
            rows,
            lambda: sum(map(is_wanted, self.store.reader.forms())),
            shown=shown,
        )

    def records(self, form: str = "") -> Table[RecordRow]:
        """What was extracted, in the order of first sight; of the form whose signature begins so,
        or of all. A data frame has a column for each place where records have text."""
        return Table(
            "records",
            RecordRow,
            lambda: record_rows(self.store, form),
            lambda: sum(tally.records for tally in self._tallies(form)),
            shown=("site", "title", "cells", "query", "url", "sightings"),
            flat=lambda: flat_records(self.store, form),
        )

    def things(self, topic: str = "") -> Table[Any]:
        """What was found, each thing once, with the typed columns of the topic's schema: of the
        store's topic unless another is given. The store is read when the table is made; things
        extracted later are in the next one."""
        dataset = build_dataset(self.store, topic or topic_of(self.store))
        return Table("things", dataset.thing_type, dataset.things, lambda: dataset.count)

    def queries(self, form: str = "") -> Table[QueryRow]:
        """What was asked, and what each query brought, in the order of asking."""
        return Table(
            "queries",
            QueryRow,
            lambda: query_rows(self.store, form),
            lambda: sum(tally.queries for tally in self._tallies(form)),
            shown=("site", "query", "kind", "returned", "fresh", "total", "requests", "why"),
        )

    def harvests(self) -> Table[HarvestRow]:
        """One row for each form that was asked."""
        return Table(
            "harvests",
            HarvestRow,
            lambda: harvest_rows(self.store),
            lambda: sum(1 for _ in self.store.harvests.all()),
        )

    def visits(self) -> Table[Visit]:
        """Every page asked for, in order, with what became of it."""
        return Table(
            "visits",
            Visit,
            self.store.reader.visits,
            lambda: self.store.reader.counts().visits,
            shown=("url", "outcome", "title", "relevance", "links", "forms", "reason"),
        )

    def sites(self) -> Table[SiteState]:
        """Visited sites, those with most forms first."""

        def count() -> int:
            return sum(bool(site.pages or site.errors) for site in self.store.reader.sites())

        return Table("sites", SiteState, lambda: site_rows(self.store), count)

    def events(self) -> Table[Event]:
        """What happened beside visits, in order."""
        events = self.store.reader.events
        return Table("events", Event, events, lambda: sum(1 for _ in events()))

    def export(self, out: str | Path, what: TableName | None = None) -> int:
        """Write the things found (forms if nothing was harvested), or `what` is named, to a path or
        a URL as s3://bucket/key; how many rows.

        The ending tells the format: .sqlite, .jsonl, .csv, .parquet, .xlsx, and .warc.gz for pages.
        Raises ConfigError.
        """
        return export(self.store, str(out), what).rows

    @property
    def counts(self) -> Counts:
        """How far the crawl has come."""
        return self.store.reader.counts()

    @property
    def settings(self) -> dict[str, Any]:
        """Those of the last run, by group."""
        return saved_settings(self.store)

    @property
    def stopped(self) -> str:
        """Why the last run ended."""
        return stop_reason(self.store)

    def close(self) -> None:
        """Tables of a closed store cannot be read. Happens by itself when nobody holds it."""
        self._close()

    def __enter__(self) -> "Results":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        figures = ", ".join(f"{number:,} {what}" for what, number in self._main_figures())
        return f"<{self.path}: {figures}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{what}</th><td>{number:,}</td></tr>" for what, number in self._main_figures()
        )
        head = f"{escape(self.path)}: {escape(topic_of(self.store) or 'no topic')}"
        return f"<table><caption>{head}, {escape(self.stopped)}</caption>{rows}</table>"

    def _main_figures(self) -> list[tuple[str, int]]:
        counts = self.store.reader.counts()
        return [
            ("relevant forms", counts.forms),
            ("visits", counts.visits),
            ("sites", counts.sites),
            ("records", len(self.records())),
            ("links waiting", counts.waiting),
        ]

    def _tallies(self, form: str) -> list[HarvestCounts]:
        return [self.store.harvests.tally(number) for number in find_harvests(self.store, form)]
