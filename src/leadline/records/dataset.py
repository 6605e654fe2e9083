"""What a user gets: the things of a topic, each once, with where every value comes from.

A `Dataset` has four tables: `things` (one row a thing, one typed column a field), `origins` (one
row for each record that tells of a thing), `values` (every value of every record, with its raw
text, and whether `things` shows it) and `columns` (what each column is and how well it is filled).
It holds no rows: each table reads the store again, so a million records fit.
"""

import json
import keyword
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import msgspec
import xxhash
from msgspec import Struct

from leadline.core.store import StoreView
from leadline.core.table import SchemaField, TopicSchema, TypedRow, TypedValue
from leadline.records.comparisons import fold_text
from leadline.records.exporters import ExportedTable
from leadline.records.linkage import Linkage, RecordLinker
from leadline.records.table import TopicTable, build_table

THINGS: Final = "things"
ORIGINS, VALUES, COLUMNS = "origins", "values", "columns"
TABLES = (THINGS, ORIGINS, VALUES, COLUMNS)
_MOST_DISTINCT = 100_000
"""Distinct values counted of a column; of more it is only said that there are as many."""
_EXAMPLES = 3
_LEAST_PARSED = 0.5
"""Share of a column's values that must parse as its kind: else the column holds texts. More right
than wrong; the texts stay in `values` either way."""
_NEAR = 0.01
"""Numbers that differ by less are no conflict: sources round."""
_NUMBERS = frozenset({"number", "money", "duration", "rating"})
_name = re.compile(r"[a-z][a-z0-9_]*").fullmatch


class DataColumn(Struct, frozen=True):
    """A column of `things`."""

    name: str
    kind: str
    """What its values are (`core.table.VALUE_KINDS`)."""
    type: str
    """How they are written: text, integer, number, boolean or list."""
    unit: str
    """Of all its numbers; '' if they have none or several."""
    property: str
    """In schema.org."""
    filled: float
    """Share of records that have it."""
    distinct: int
    parsed: float
    """Share of its values that parse as their kind."""
    examples: tuple[str, ...]
    why: str
    """Which columns of which sources it was made of."""


class Origin(Struct, frozen=True):
    """A record that tells of a thing."""

    thing: int
    site: str
    form: str
    record: int
    url: str
    seen_at: str
    probability: float
    """That it is this thing."""


class OriginValue(Struct, frozen=True):
    """A value as a source has it."""

    thing: int
    column: str
    """A column of `things`, or the place in the source of what fits none."""
    value: str
    unit: str
    kind: str
    raw: str
    is_shown: bool
    """It is the one in `things`."""
    site: str
    record: int
    url: str


class Dataset:
    """The things of a topic."""

    def __init__(
        self, topic: str, table: TopicTable, linkage: Linkage, columns: Sequence[DataColumn]
    ) -> None:
        self.topic = topic
        self.columns = tuple(columns)
        self.count = linkage.things
        self.records = len(linkage.groups)
        self._table = table
        self._linkage = linkage
        self._sites = {
            harvest.subject.signature: harvest.subject.site for harvest in table.harvests
        }
        self._fields = {field.name: field for field in table.fields}
        self.thing_type = make_thing_type(self.columns)

    def tables(self) -> list[ExportedTable]:
        """All four, to be written into one file."""
        return [self.table(name) for name in TABLES]

    def table(self, name: str) -> ExportedTable:
        """One of TABLES, to be read once."""
        match name:
            case "things":
                return ExportedTable(THINGS, self.thing_type, self.things(), is_searched=True)
            case "origins":
                return ExportedTable(ORIGINS, Origin, self.origins())
            case "values":
                return ExportedTable(VALUES, OriginValue, self.values())
        return ExportedTable(COLUMNS, DataColumn, self.columns)

    def things(self) -> Iterator[Any]:
        """One row a thing, of `thing_type`, in the order of first sight."""
        for number, rows in self._groups():
            yield self._make_thing(number, rows)

    def origins(self) -> Iterator[Origin]:
        for number, rows in self._groups():
            for row, probability in rows:
                where = number, self._sites[row.source], row.source, row.number, row.url or ""
                yield Origin(*where, _iso(row.at), round(probability, 4))

    def values(self) -> Iterator[OriginValue]:
        for number, rows in self._groups():
            shown = {name: choose_values(self._fields[name], rows) for name in self._fields}
            for row, _ in rows:
                where = self._sites[row.source], row.number, row.url or ""
                for name, found in row.values.items():
                    for value in found:
                        is_shown = any(value is one for one in shown.get(name, ()))
                        yield _make_value(number, name, value, is_shown, where)
                for place, found in row.rest.items():
                    for value in found:
                        yield _make_value(number, place, value, False, where)

    def describe(self) -> dict[str, Any]:
        """A data package (Frictionless) of the tables."""
        return describe_package(self)

    def _groups(self) -> Iterator[tuple[int, list[tuple[TypedRow, float]]]]:
        """The rows of each thing, once all have come; a thing with one row is never held."""
        groups, chances = self._linkage.groups, self._linkage.probabilities
        left = Counter(groups.tolist())
        held: dict[int, list[tuple[TypedRow, float]]] = {}
        for at, row in enumerate(self._table.rows()):
            if at >= len(groups):
                # Extracted since the table was linked; the next table has it.
                break
            group = int(groups[at])
            rows = held.setdefault(group, [])
            rows.append((row, float(chances[at])))
            if len(rows) == left[group]:
                yield group + 1, held.pop(group)

    def _make_thing(self, number: int, rows: Sequence[tuple[TypedRow, float]]) -> Any:
        cells: dict[str, Any] = {"id": number}
        conflicts = []
        for column in self.columns:
            field = self._fields[column.name]
            chosen = choose_values(field, rows)
            cells[_attribute(column.name)] = _write_cell(column, chosen)
            if column.kind == "money" and not column.unit:
                cells[_attribute(f"{column.name}_currency")] = next(
                    (value.unit for value in chosen), None
                )
            if has_conflict(field, rows):
                conflicts.append(column.name)
        return self.thing_type(
            **cells,
            sources=len({row.source for row, _ in rows}),
            conflicts=tuple(conflicts),
        )


def build_dataset(
    store: StoreView, topic: str, *, schema: TopicSchema | None = None, is_linked: bool = True
) -> Dataset:
    """Reads the store once for the columns' figures and the linkage; the tables read it again."""
    return link_table(build_table(store, topic, schema=schema), topic, is_linked=is_linked)


def link_table(table: TopicTable, topic: str, *, is_linked: bool = True) -> Dataset:
    """The things that the rows of a table tell of."""
    fields = table.fields
    counts = {field.name: _ColumnCount() for field in fields}
    linker = RecordLinker(fields if is_linked else [])
    rows = 0
    for row in table.rows():
        rows += 1
        linker.add(row)
        for name, values in row.values.items():
            if values:
                counts[name].add(values)
    columns = [_make_column(field, counts[field.name], rows, table) for field in fields]
    kept = [column for column in columns if column.filled > 0]
    return Dataset(topic, table, linker.link(), kept)


def choose_values(
    field: SchemaField, rows: Sequence[tuple[TypedRow, float]]
) -> tuple[TypedValue, ...]:
    """What is shown of what the sources say: all of a list, else what most sources say, and of
    equals the one that was seen first."""
    found = [(row.source, value) for row, _ in rows for value in row.values.get(field.name, ())]
    if not found:
        return ()
    first: dict[object, TypedValue] = {}
    said: dict[object, set[str]] = {}
    for source, value in found:
        mark = _mark(value)
        # A value that was understood is better than the same text that was not.
        if mark not in first or (value.is_parsed and not first[mark].is_parsed):
            first[mark] = value
        said.setdefault(mark, set()).add(source)
    if field.is_list:
        return tuple(first.values())
    best = max(first, key=lambda mark: (first[mark].is_parsed, len(said[mark])))
    return (first[best],)


def has_conflict(field: SchemaField, rows: Sequence[tuple[TypedRow, float]]) -> bool:
    """Whether sources contradict each other: other numbers, dates or words, not less exact ones."""
    if field.is_list or len(rows) == 1 or field.kind in ("url", "image"):
        return False
    values = [row.values[field.name][0] for row, _ in rows if row.values.get(field.name)]
    if not values:
        return False
    return any(_contradict(values[0], value) for value in values[1:])


def _contradict(one: TypedValue, other: TypedValue) -> bool:
    a, b = one.value, other.value
    if isinstance(a, int | float) and isinstance(b, int | float):
        return one.unit == other.unit and abs(a - b) > _NEAR * max(abs(a), abs(b))
    ours, theirs = fold_text(str(a or one.raw)), fold_text(str(b or other.raw))
    return not (ours in theirs or theirs in ours or sorted(ours.split()) == sorted(theirs.split()))


def _mark(value: TypedValue) -> object:
    if value.value is None or isinstance(value.value, str):
        said = fold_text(str(value.value or value.raw))
        # `Roe, Jane` and `Jane Roe` are one person.
        return " ".join(sorted(said.split())) if value.kind == "person" else said
    return value.value, value.unit


class _ColumnCount:
    """What is counted of a column."""

    def __init__(self) -> None:
        self.rows = 0
        self.values = 0
        self.parsed = 0
        self.has_fractions = False
        self.units: Counter[str] = Counter()
        self.distinct: set[int] = set()
        self.examples: dict[str, None] = {}

    def add(self, values: Sequence[TypedValue]) -> None:
        self.rows += 1
        for value in values:
            self.values += 1
            self.parsed += value.is_parsed
            self.has_fractions |= isinstance(value.value, float) and value.value % 1 != 0
            if value.is_parsed:
                self.units[value.unit] += 1
            if len(self.distinct) < _MOST_DISTINCT:
                self.distinct.add(xxhash.xxh3_64_intdigest(value.text.encode()))
            if len(self.examples) < _EXAMPLES:
                self.examples.setdefault(value.text)


def _make_column(
    field: SchemaField, count: _ColumnCount, rows: int, table: TopicTable
) -> DataColumn:
    parsed = count.parsed / count.values if count.values else 0.0
    kind = field.kind if parsed >= _LEAST_PARSED else "text"
    written = "text"
    if field.is_list:
        written = "list"
    elif kind in _NUMBERS:
        written = "number" if count.has_fractions else "integer"
    elif kind == "boolean":
        written = "boolean"
    units = [unit for unit in count.units if unit]
    unit = units[0] if len(units) == 1 and len(count.units) == 1 else ""
    if kind == "rating" and units:
        # All are shown on the scale that most of them have.
        unit = max(units, key=lambda one: count.units[one])
        written = "number" if len(units) > 1 else written
    made_of = [column for column in table.columns if column.name == field.name]
    why = "; ".join(
        f"{column.labels[0] if column.labels else column.place}: {column.why}"
        for column in made_of[:5]
    )
    return DataColumn(
        *(field.name, kind, written),
        unit,
        field.property,
        round(count.rows / rows, 4) if rows else 0.0,
        len(count.distinct),
        round(parsed, 4),
        tuple(count.examples),
        why,
    )


_PYTHON_TYPES: Mapping[str, Any] = {
    "text": str | None,
    "integer": int | None,
    "number": float | None,
    "boolean": bool | None,
    "list": tuple[str, ...],
}


def make_thing_type(columns: Sequence[DataColumn]) -> type[Struct]:
    """A row of `things`: a frozen Struct with the columns as fields."""
    fields: list[tuple[str, Any]] = [("id", int)]
    for column in columns:
        fields.append((_attribute(column.name), _PYTHON_TYPES[column.type]))
        if column.kind == "money" and not column.unit:
            fields.append((_attribute(f"{column.name}_currency"), str | None))
    fields += [("sources", int), ("conflicts", tuple[str, ...])]
    renamed = {_attribute(column.name): column.name for column in columns}
    return msgspec.defstruct("Thing", fields, frozen=True, rename=renamed)


def _attribute(name: str) -> str:
    """The name as Python can have it, and beside the columns that every table has."""
    fitting = name if _name(name) else "c_" + re.sub(r"\W", "_", name)
    is_taken = fitting in ("id", "sources", "conflicts") or keyword.iskeyword(fitting)
    return f"{fitting}_" if is_taken else fitting


def _write_cell(column: DataColumn, values: Sequence[TypedValue]) -> object:
    if column.type == "list":
        return tuple(_write_text(value) for value in values)
    value = next(iter(values), None)
    if value is None:
        return None
    if column.type == "text":
        return _write_text(value)
    if column.type == "boolean":
        return value.value if isinstance(value.value, bool) else None
    if not isinstance(value.value, int | float) or isinstance(value.value, bool):
        return None
    if column.kind == "rating":
        shown = _rescale(value.value, value.unit, column.unit)
        return float(shown) if shown is not None and column.type == "number" else shown
    return round(value.value) if column.type == "integer" else float(value.value)


def _rescale(given: float, scale: str, wanted: str) -> float | None:
    """A rating on the column's scale: 9 of 10 is 4.5 of 5. One without a scale has that of the
    column, if it can."""
    if scale == wanted:
        return given
    best = int(wanted.removeprefix("of "))
    if not scale:
        return given if given <= best else None
    return round(given * best / int(scale.removeprefix("of ")), 2)


def _write_text(value: TypedValue) -> str:
    """Dates, identifiers and addresses in their normal form; other texts as the page has them."""
    return value.value if isinstance(value.value, str) else value.raw


def _make_value(
    thing: int, column: str, value: TypedValue, is_shown: bool, where: tuple[str, int, str]
) -> OriginValue:
    written = "" if value.value is None else str(value.value)
    return OriginValue(thing, column, written, value.unit, value.kind, value.raw, is_shown, *where)


def _iso(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


_PACKAGE_TYPES: Mapping[str, str] = {
    "text": "string",
    "integer": "integer",
    "number": "number",
    "boolean": "boolean",
    "list": "array",
}


def describe_package(dataset: Dataset) -> dict[str, Any]:
    """The tables in the words of Frictionless (specs.frictionlessdata.io), for a file beside."""
    fields: list[dict[str, Any]] = [{"name": "id", "type": "integer"}]
    for column in dataset.columns:
        about = {
            "name": column.name,
            "type": _PACKAGE_TYPES[column.type],
            "title": column.name.replace("_", " ").capitalize(),
            "kind": column.kind,
            "unit": column.unit,
            "rdfType": f"https://schema.org/{column.property}" if column.property else "",
            "filled": column.filled,
            "distinct": column.distinct,
            "parsed": column.parsed,
            "example": next(iter(column.examples), ""),
        }
        fields.append({name: value for name, value in about.items() if value != ""})
    fields += [
        {"name": "sources", "type": "integer"},
        {"name": "conflicts", "type": "array"},
    ]
    return {
        "profile": "tabular-data-package",
        "name": re.sub(r"[^a-z0-9]+", "-", dataset.topic.lower()).strip("-") or "things",
        "resources": [
            {
                "name": THINGS,
                "schema": {"fields": fields, "primaryKey": "id"},
                "rows": dataset.count,
            }
        ],
    }


def write_package(dataset: Dataset) -> bytes:
    return json.dumps(describe_package(dataset), ensure_ascii=False, indent=2).encode()
