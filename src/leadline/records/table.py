"""One typed table for a topic, from all its sources.

`build_table` reads the first records of each source to know its columns, matches these to the
topic's schema, and then reads all records once, row by row: a million records are never held.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from leadline.core.harvest import Cell, Harvest, Record, StoredRecord
from leadline.core.store import StoreView
from leadline.core.table import Column, SchemaField, TopicSchema, TypedRow, TypedValue
from leadline.extraction.values import parse_value
from leadline.records.corrections import ColumnCorrections
from leadline.records.match_evidence import ColumnSample
from leadline.records.matching import induce_fields, make_columns, match_columns
from leadline.records.schemas import find_schema

TITLE, URL, IMAGE = "record:title", "record:url", "record:image"
"""Places of what a record has beside its cells."""
_SAMPLE_ROWS = 300
"""Records of a source from which its columns are known."""
_SAMPLE_TEXTS = 80
_MAX_COLUMNS = 400
_OF_LISTS = 0.8
DETAIL = "detail:"
_path_step = re.compile(r"^[#a-z][a-z0-9-]*(?:\d+)?(?:\.[\w-]+)?$").match
_class_words = re.compile(r"\.([A-Za-z_][\w-]*)").findall


class TopicTable:
    """The columns and rows of a topic. Reading the rows reads the store each time."""

    def __init__(
        self,
        store: StoreView,
        schema: TopicSchema,
        columns: Sequence[Column],
        harvests: Sequence[Harvest],
    ) -> None:
        self.schema = schema
        self.columns = tuple(columns)
        """Of all sources; those of no field have no name."""
        self.harvests = tuple(harvests)
        self._store = store
        self._by_place: dict[str, dict[str, Column]] = defaultdict(dict)
        for column in columns:
            self._by_place[column.source][column.place] = column

    @property
    def fields(self) -> tuple[SchemaField, ...]:
        """Those that some source has, in the order of the schema."""
        named = {column.name for column in self.columns}
        return tuple(field for field in self.schema.fields if field.name in named)

    def rows(self) -> Iterator[TypedRow]:
        """Source by source, in the order of first sight."""
        for harvest in self.harvests:
            columns = self._by_place[harvest.subject.signature]
            for stored in self._store.harvests.records(harvest.id):
                yield self._make_row(harvest, stored, columns)

    def _make_row(
        self, harvest: Harvest, stored: StoredRecord, columns: Mapping[str, Column]
    ) -> TypedRow:
        texts: dict[str, tuple[Column, list[str]]] = {}
        rest: dict[str, list[TypedValue]] = {}
        for place, text in read_cells(stored.record, stored.detail):
            column = columns.get(place)
            kind = column.kind if column else "text"
            if column and column.name:
                texts.setdefault(column.name, (column, []))[1].append(text)
            elif place not in (TITLE, URL, IMAGE):
                rest.setdefault(place, []).append(parse_value(text, kind))
        return TypedRow(
            *(harvest.id, stored.number, harvest.subject.signature, stored.record.key),
            *(stored.record.url, stored.at),
            {name: self._read_values(*found) for name, found in texts.items()},
            {place: tuple(found) for place, found in rest.items()},
        )

    def _read_values(self, column: Column, texts: Sequence[str]) -> tuple[TypedValue, ...]:
        """The lines of an address are one value; else each text is one."""
        field = self.schema.find(column.name)
        if column.kind == "place" and len(texts) > 1 and field is not None and not field.is_list:
            texts = [", ".join(text.strip(" ,") for text in dict.fromkeys(texts))]
        return tuple(parse_value(text, column.kind) for text in texts)


def build_table(
    store: StoreView,
    topic: str,
    *,
    schema: TopicSchema | None = None,
    corrections: ColumnCorrections | None = None,
) -> TopicTable:
    """The table of all harvests of a store, under the topic's schema or the one given, as a person
    corrected it."""
    harvests = list(store.harvests.all())
    samples = [sample for harvest in harvests for sample in sample_columns(store, harvest)]
    complete = induce_fields(samples, schema or find_schema(topic))
    columns = make_columns(samples, match_columns(samples, complete.fields))
    if corrections is not None:
        sites = {harvest.subject.signature: harvest.subject.site for harvest in harvests}
        columns = tuple(
            corrections.correct_column(column, sites[column.source]) for column in columns
        )
        complete = corrections.correct_schema(complete, columns)
    return TopicTable(store, complete, columns, harvests)


def read_cells(record: Record, detail: Iterable[Cell] = ()) -> Iterator[tuple[str, str]]:
    """Places and texts of a record, its title and addresses included."""
    if record.title:
        yield TITLE, record.title
    if record.url:
        yield URL, record.url
    for image in record.images:
        yield IMAGE, image
    for cell in (*record.cells, *detail):
        yield cell.place, cell.text


def sample_columns(store: StoreView, harvest: Harvest) -> list[ColumnSample]:
    """The columns of a source by its first records."""
    stored = islice(store.harvests.records(harvest.id), _SAMPLE_ROWS)
    rows = (read_cells(one.record, one.detail) for one in stored)
    return sample_rows(harvest.subject.signature, rows)


def sample_rows(source: str, rows: Iterable[Iterable[tuple[str, str]]]) -> list[ColumnSample]:
    """The columns of rows of places and texts."""
    texts: dict[str, list[str]] = {}
    rows_with: dict[str, int] = defaultdict(int)
    count = 0
    for row in rows:
        count += 1
        seen = set()
        for place, text in row:
            if place not in texts and len(texts) >= _MAX_COLUMNS:
                continue
            kept = texts.setdefault(place, [])
            if place not in seen and len(kept) < _SAMPLE_TEXTS:
                kept.append(text)
            seen.add(place)
        for place in seen & texts.keys():
            rows_with[place] += 1
    return [
        ColumnSample(
            source=source,
            place=place,
            labels=labels_of_place(place),
            texts=tuple(found),
            filled=rows_with[place] / count,
            is_name=place == TITLE,
            # An item of a list speaks of its record alone, unlike a page.
            prominence=0.5 if place.startswith(DETAIL) else _OF_LISTS,
            kind={URL: "url", IMAGE: "image"}.get(place, ""),
        )
        for place, found in texts.items()
    ]


def labels_of_place(place: str) -> tuple[str, ...]:
    """What the place of a cell says about what it is called.

    >>> labels_of_place("Published by"), labels_of_place("div.info/span.price")
    (('Published by',), ('.price', '.info'))
    """
    if place in (TITLE, URL, IMAGE):
        return ({TITLE: "name", URL: "url", IMAGE: "image"}[place],)
    bare = place.removeprefix(DETAIL)
    steps = bare.split("/")
    if all(_path_step(step) for step in steps):
        words = [word for step in reversed(steps) for word in reversed(_class_words(step))]
        return tuple(f".{word}" for word in words)
    return (bare.rpartition(".")[2] if " " not in bare and "." in bare else bare,)
