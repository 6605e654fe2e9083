"""A file of things made to be looked at: an SQLite export with indexes, and the order of its rows
by every column beside it.

The dashboard asks it for one page of a table of up to a million things, in any order, with any
filters. `python -m leadline.records.things_file STORE FOLDER` makes it, in a process of its own:
linking a million records takes minutes.
"""

import math
import re
import shutil
import sqlite3
import sys
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, Literal

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.store import StoreView
from leadline.errors import ConfigError
from leadline.records.dataset import (
    COLUMNS,
    ORIGINS,
    THINGS,
    VALUES,
    DataColumn,
    Dataset,
    Origin,
    OriginValue,
    build_dataset,
    make_thing_type,
)
from leadline.records.export import write_dataset
from leadline.records.exporters import ExportedTable, SqliteExporter, XlsxExporter, make_exporter
from leadline.views.listing import Listing
from leadline.views.stores import open_to_read, topic_of

FILE = "things.sqlite"
SOURCES, CONFLICTS = "sources", "conflicts"
"""Columns that every table of things has, beside those of its topic."""
NUMERIC = frozenset({"integer", "number"})
_BEGINNINGS = f"{THINGS}_beginnings"
_KEPT = 24
"""Conditions and orders that are remembered: 1 to 4 MB each for a million things."""
_BATCH = 5_000
_year = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?").fullmatch
_word = re.compile(r"[^\W_]+").findall
_TRUE, _FALSE = frozenset({"yes", "true", "1"}), frozenset({"no", "false", "0"})

Rows = NDArray[np.int32]
Mask = NDArray[np.bool_]
FilterKind = Literal["has", "from", "to", "is"]
FILTER_KINDS: tuple[FilterKind, ...] = ("has", "from", "to", "is")


class ThingFilter(Struct, frozen=True):
    """What a column must hold."""

    column: str
    kind: FilterKind
    """has: a text is part of it; from, to: numbers and dates between; is: yes or no."""
    text: str


class ThingQuery(Struct, frozen=True):
    """Which part of a table of things is asked for."""

    q: str = ""
    """Beginnings of words that all stand somewhere in the thing."""
    sort: str = ""
    """A column; with `-` before it the largest or last first; '' for the order of first sight."""
    filters: tuple[ThingFilter, ...] = ()
    offset: int = 0
    limit: int = 50


class ThingField(Struct, frozen=True):
    """All that the sources say of one column of a thing."""

    column: str
    """One of the table, or the place in the source of what fits none."""
    is_conflict: bool
    """Sources contradict each other."""
    values: tuple[OriginValue, ...]


class ThingDetail(Struct, frozen=True):
    """A thing with where everything comes from."""

    id: int
    thing: dict[str, Any]
    """Its row in the table."""
    fields: tuple[ThingField, ...]
    """Of the table's columns."""
    rest: tuple[ThingField, ...]
    """What fits no column."""
    origins: tuple[Origin, ...]
    """The records that tell of it."""


def make_things_file(store: StoreView, folder: Path) -> int:
    """Write the things of a store into a folder, to be opened as a ThingsFile. How many."""
    return write_things_file(build_dataset(store, topic_of(store)), folder)


def write_things_file(dataset: Dataset, folder: Path) -> int:
    with (folder / FILE).open("wb") as stream:
        count = write_dataset(dataset, THINGS, "sqlite", stream)
    index_things(folder)
    return count


def index_things(folder: Path) -> None:
    """Add what makes an exported file quick to look at."""
    with closing(sqlite3.connect(folder / FILE)) as connection:
        # Nobody reads the file yet, and one that is cut off is made again.
        connection.execute("PRAGMA journal_mode = OFF")
        names = _column_names(connection, THINGS)
        for table, column in ((ORIGINS, "thing"), (VALUES, "thing")):
            connection.execute(f'CREATE INDEX {table}_{column} ON "{table}"({column})')
        for number, name in enumerate(names):
            column = _quote(name)
            connection.execute(f"CREATE INDEX things_{number} ON things({column} COLLATE NOCASE)")
            key = f"json_array_length({column})" if name == CONFLICTS else column
            found = connection.execute(
                f"SELECT rowid, {column} FROM things WHERE {column} IS NOT NULL "  # noqa: S608 - quoted
                f"ORDER BY {key} COLLATE NOCASE, rowid"
            )
            rows, values = [], []
            for row, value in found:
                rows.append(row)
                values.append(value)
            np.save(folder / f"{number}.npy", np.array(rows, dtype=np.int32))
            if all(isinstance(value, int | float) for value in values):
                np.save(folder / f"{number}.values.npy", np.array(values, dtype=np.float64))
        _index_beginnings(connection)
        connection.execute("ANALYZE")
        connection.commit()


def _index_beginnings(connection: sqlite3.Connection) -> None:
    """A second index of words, for what the page of things asks: which rows have a word that begins
    so, and nothing else. Of a beginning that a million rows have, the index of the export merges
    the rows of thousands of words, which takes .34 s; this one has such rows together, .07 s."""
    columns = ", ".join(_quote(name) for name in _column_names(connection, f"{THINGS}_fts"))
    if columns:
        connection.execute(
            f"CREATE VIRTUAL TABLE {_BEGINNINGS} USING fts5({columns}, content='{THINGS}', "
            "detail=none, prefix='1 2')"
        )
        connection.execute(f"INSERT INTO {_BEGINNINGS}({_BEGINNINGS}) VALUES ('rebuild')")  # noqa: S608 - a constant


class ThingsFile:
    """A finished file, opened to be read by any number of threads. It does not change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self.path = self._folder / FILE
        self._kept: OrderedDict[object, Any] = OrderedDict()
        with self._open() as connection:
            self.names = tuple(_column_names(connection, THINGS))
            """Columns as they are in the file."""
            self.columns = tuple(_read_rows(connection, COLUMNS, DataColumn))
            """Those of the topic."""
            (self.count,) = connection.execute("SELECT count(*) FROM things").fetchone()
            (self.values,) = connection.execute('SELECT count(*) FROM "values"').fetchone()
        self.thing_type = make_thing_type(self.columns)
        self._by_name = {column.name: column for column in self.columns}

    def currency_of(self, column: DataColumn) -> str:
        """The column beside it that has the currencies of its amounts; '' if there is none."""
        if column.kind != "money" or column.unit:
            return ""
        return self.names[self.names.index(column.name) + 1]

    def find(self, query: ThingQuery) -> Listing[dict[str, Any]]:
        """One page of the table. Raises ConfigError for columns it has not, and for texts that a
        column cannot be compared with."""
        if not self.count:
            return Listing((), 0, query.offset, query.limit)
        mask: Mask | None = None
        for one in query.filters:
            if self._find_kind(one.column) in NUMERIC and one.kind in ("from", "to"):
                found = self._remember(one, lambda o=one: self._match_range(o))
                mask = found if mask is None else mask & found
        for sql, values in self._make_conditions(query):
            found = self._remember((sql, values), lambda s=sql, v=values: self._match(s, v))
            mask = found if mask is None else mask & found
        order: Rows = self._remember(("order", query.sort), lambda: self._sort(query.sort))
        hits = order if mask is None else order[mask[order]]
        shown = hits[query.offset : query.offset + query.limit].tolist()
        return Listing(tuple(self._fetch(shown)), len(hits), query.offset, query.limit)

    def describe(self, number: int) -> ThingDetail | None:
        """A thing by its id."""
        with self._open() as connection:
            row = connection.execute("SELECT * FROM things WHERE id = ?", (number,)).fetchone()
            if row is None:
                return None
            where = "WHERE thing = ? ORDER BY rowid"
            values = list(_read_rows(connection, VALUES, OriginValue, where, (number,)))
            origins = tuple(_read_rows(connection, ORIGINS, Origin, where, (number,)))
        thing = self._read_thing(row)
        by_column: dict[str, list[OriginValue]] = {}
        for value in values:
            by_column.setdefault(value.column, []).append(value)
        known = [name for name in self._by_name if name in by_column]
        rest = [name for name in by_column if name not in self._by_name]
        fields = [
            ThingField(name, name in thing[CONFLICTS], tuple(by_column[name]))
            for name in (*known, *rest)
        ]
        return ThingDetail(
            number, thing, tuple(fields[: len(known)]), tuple(fields[len(known) :]), origins
        )

    def write(self, format_name: str, out: BinaryIO) -> int:
        """The things in a format of an exporter, as `leadline export` writes them."""
        exporter = make_exporter(format_name)
        with self._open() as connection:
            things = ExportedTable(
                THINGS, self.thing_type, _read_rows(connection, THINGS, self.thing_type)
            )
            if not isinstance(exporter, SqliteExporter | XlsxExporter):
                return exporter.write(things.rows, things.kind, out)
            further = [
                ExportedTable(name, kind, _read_rows(connection, name, kind))
                for name, kind in ((ORIGINS, Origin), (VALUES, OriginValue), (COLUMNS, DataColumn))
            ]
            return exporter.write_tables([things, *further], out)

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _open(self) -> closing[sqlite3.Connection]:
        return closing(sqlite3.connect(f"{self.path.as_uri()}?mode=ro&immutable=1", uri=True))

    def _make_conditions(self, query: ThingQuery) -> Iterator[tuple[str, tuple[object, ...]]]:
        words = _word(query.q)
        if words:
            asked = " ".join(f'"{word}"*' for word in words)
            sql = f"SELECT rowid FROM {_BEGINNINGS} WHERE {_BEGINNINGS} MATCH ?"  # noqa: S608 - a constant
            yield sql, (asked,)
        for one in query.filters:
            if self._find_kind(one.column) in NUMERIC and one.kind in ("from", "to"):
                continue
            condition, values = self._make_condition(one)
            yield f"SELECT rowid FROM things WHERE {condition}", values  # noqa: S608 - quoted

    def _make_condition(self, one: ThingFilter) -> tuple[str, tuple[object, ...]]:
        kind = self._find_kind(one.column)
        column = f"{_quote(one.column)} COLLATE NOCASE"
        if one.kind == "has":
            # SQLite ignores the case of ASCII letters alone.
            text = one.text
            forms = {text} if text.isascii() else {text, text.lower(), text.upper(), text.title()}
            asked = tuple(f"%{_escape(form)}%" for form in sorted(forms))
            return " OR ".join([f"{_quote(one.column)} LIKE ? ESCAPE '\\'"] * len(asked)), asked
        if one.kind == "is" and kind in ("boolean", CONFLICTS):
            if one.text.lower() not in _TRUE | _FALSE:
                raise ConfigError(f"{one.column}.is={one.text!r}: write yes or no")
            is_wanted = one.text.lower() in _TRUE
            if kind == CONFLICTS:
                return f"{column} {'!=' if is_wanted else '='} '[]'", ()
            return f"{column} = ?", (int(is_wanted),)
        if one.kind in ("from", "to") and kind == "date":
            if not _year(one.text):
                raise ConfigError(
                    f"{one.column}.{one.kind}={one.text!r} is no date; write 2019, 2019-04 or "
                    "2019-04-02"
                )
            if one.kind == "from":
                # Texts that did not parse as dates begin with anything.
                return f"{column} >= ? AND {column} < ':'", (one.text,)
            return f"{column} >= '0' AND {column} <= ?", (one.text + "~",)
        raise ConfigError(
            f"{one.column} cannot be filtered by {one.kind}: texts and lists take .has, numbers "
            "and dates .from and .to, yes or no takes .is"
        )

    def _find_kind(self, name: str) -> str:
        """How a column is compared. Raises ConfigError for one that is not there."""
        if name in (SOURCES, CONFLICTS):
            return CONFLICTS if name == CONFLICTS else "integer"
        column = self._by_name.get(name)
        if column is None:
            if name in self.names:
                return "text"
            raise ConfigError(f"there is no column {name!r}; there are: {', '.join(self.names)}")
        return "date" if column.kind == "date" and column.type == "text" else column.type

    def _match_range(self, one: ThingFilter) -> Mask:
        """Which rows have a number from or to another one: all beside each other in their order, so
        none has to be read."""
        stem = self._folder / str(self.names.index(one.column))
        rows: Rows = np.load(stem.with_suffix(".npy"))
        values = np.load(stem.with_suffix(".values.npy"))
        limit = _read_number(one)
        mask = np.zeros(self.count + 1, dtype=np.bool_)
        if one.kind == "from":
            mask[rows[np.searchsorted(values, limit, side="left") :]] = True
        else:
            mask[rows[: np.searchsorted(values, limit, side="right")]] = True
        return mask

    def _match(self, sql: str, values: tuple[object, ...]) -> Mask:
        """Which rows fit, by their number."""
        mask = np.zeros(self.count + 1, dtype=np.bool_)
        with self._open() as connection:
            # One text of all numbers: a million rows as Python's integers take twice as long.
            joined = f"SELECT group_concat(rowid) FROM ({sql})"  # noqa: S608 - made above
            (text,) = connection.execute(joined, values).fetchone()
        if text:
            mask[np.fromstring(str(text), dtype=np.int64, sep=",")] = True
        return mask

    def _sort(self, sort: str) -> Rows:
        """The numbers of all rows; those without a value come last either way."""
        name = sort.removeprefix("-") or "id"
        if name not in self.names:
            raise ConfigError(
                f"the table cannot be sorted by {name!r}; it has: {', '.join(self.names)}"
            )
        rows: Rows = np.load(self._folder / f"{self.names.index(name)}.npy")
        is_there = np.zeros(self.count + 1, dtype=np.bool_)
        is_there[0], is_there[rows] = True, True
        empty = np.flatnonzero(~is_there).astype(np.int32)
        return np.concatenate([rows[::-1] if sort.startswith("-") else rows, empty])

    def _fetch(self, rows: Sequence[int]) -> Iterator[dict[str, Any]]:
        places = ", ".join("?" * len(rows))
        sql = f"SELECT rowid, * FROM things WHERE rowid IN ({places})"  # noqa: S608 - marks
        with self._open() as connection:
            found = {row[0]: row[1:] for row in connection.execute(sql, rows)}
        for row in rows:
            yield self._read_thing(found[row])

    def _read_thing(self, row: Iterable[Any]) -> dict[str, Any]:
        thing = dict(zip(self.names, row, strict=True))
        for name in (*self._lists(), CONFLICTS):
            if thing[name] is not None:
                thing[name] = msgspec.json.decode(thing[name])
        for column in self.columns:
            if column.type == "boolean" and thing[column.name] is not None:
                thing[column.name] = bool(thing[column.name])
        return thing

    def _lists(self) -> Iterator[str]:
        return (column.name for column in self.columns if column.type == "list")

    def _remember(self, key: object, make: Any) -> Any:
        """What was made for the key; the latest are kept. Two threads may make one twice."""
        if key not in self._kept:
            self._kept[key] = make()
        found = self._kept[key]
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return found


def read_filters(asked: Mapping[str, str]) -> tuple[ThingFilter, ...]:
    """The filters among the parameters of an address, which are called COLUMN.KIND.

    >>> read_filters({"q": "dune", "year.from": "1960", "title.has": ""})
    (ThingFilter(column='year', kind='from', text='1960'),)
    """
    found = []
    for name, text in asked.items():
        column, _, kind = name.rpartition(".")
        if column and text.strip():
            if kind not in FILTER_KINDS:
                raise ConfigError(f"{name}: write {column}. and one of {', '.join(FILTER_KINDS)}")
            found.append(ThingFilter(column, kind, text.strip()))
    return tuple(found)


def _read_number(one: ThingFilter) -> float:
    try:
        number = float(one.text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ConfigError(f"{one.column}.{one.kind}={one.text!r} is no number")
    return number


def _column_names(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({_quote(table)})")]


def _read_rows(
    connection: sqlite3.Connection,
    table: str,
    kind: type[Any],
    where: str = "",
    values: tuple[object, ...] = (),
) -> Iterator[Any]:
    """The rows of a table as they were before they were written."""
    sql = f"SELECT * FROM {_quote(table)} {where}"  # noqa: S608 - quoted
    cursor = connection.execute(sql, values)
    fields = [str(field.type) for field in msgspec.structs.fields(kind)]
    lists = [at for at, name in enumerate(fields) if name.startswith("tuple")]
    # SQLite has no yes and no.
    claims = [at for at, name in enumerate(fields) if "bool" in name]
    while some := cursor.fetchmany(_BATCH):
        for row in some:
            cells = list(row)
            for at in lists:
                cells[at] = tuple(msgspec.json.decode(cells[at] or "[]"))
            for at in claims:
                cells[at] = None if cells[at] is None else bool(cells[at])
            yield kind(*cells)


def _escape(text: str) -> str:
    """For LIKE."""
    return re.sub(r"([\\%_])", r"\\\1", text)


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def main(place: str, folder: str) -> None:
    with open_to_read(place) as store:
        make_things_file(store, Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:3])
