"""One typed table for a topic, from all its sources.

`build_table` reads the first records of each source to know its columns, matches these to the
topic's schema, and then reads all records once, row by row: a million records are never held.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from msgspec import structs

from leadline.core.harvest import Cell, Harvest, Record, StoredRecord
from leadline.core.store import StoreView
from leadline.core.table import Column, SchemaField, TopicSchema, TypedRow, TypedValue
from leadline.extraction.dates import parse_date
from leadline.extraction.identifiers import find_file_number
from leadline.extraction.values import guess_kind, parse_value
from leadline.records.cell_parts import (
    DOCUMENT,
    PART,
    CellReader,
    find_parts,
    find_separator,
    split_list,
)
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
_OF_TITLES = 0.9
"""Of a part of a record's title, which surely speaks of it."""
_NO_NAMES = frozenset({"date", "identifier", "money", "number", "url", "rating", "duration"})
"""Kinds that a link may be made of, and that no thing is called."""
_OWN_LABELS: Mapping[str, tuple[str, ...]] = {
    TITLE: ("name",), URL: ("url",), IMAGE: ("image",), DOCUMENT: ("document",),
}  # fmt: skip
_LABEL_WORDS = 6
"""Of a label at most: a sentence above a column is a remark."""
_SAME_KINDS = 0.6
"""Share of columns of two tables that must be of one kind, place by place, for the second to go on
with the first: of tables of courts, names and numbers are now and then taken for other kinds."""
_JOINED = frozenset({"date", "money", "identifier"})
"""Kinds by which columns that nothing names are told."""
_LISTED = frozenset({"text", "category", "person", "place"})
"""Kinds of which one text may hold several values."""
DETAIL = "detail:"
_is_file = re.compile(
    r"\.(?:pdf|docx?|rtf|odt|epub|wpd|ps|djvu)$|\b(?:download|sendpdf|getpdf|viewpdf)|\bpdf\b"
    r"|(?:^|/)(?:file|document)s?(?:\.\w+)?(?:[/?]|$)|\b(?:show|view|get|display|deliver)[_-]?(?:public[_-]?)?(?:doc|document|file|pdf|opinion)\b",
    re.IGNORECASE,
).search
"""Of a link's path and query: it leads to a file, whatever its page is."""
_path_step = re.compile(r"^[#a-z][a-z0-9-]*(?:\d+)?(?:\.[\w-]+)?$").match
_numbering = re.compile(r" \d+$").sub
_tag_of = re.compile(r"[#a-z][a-z0-9-]*?(?=\d*(?:\.|$))").match
_TAGS = frozenset(
    "a abbr article aside b big blockquote body br button caption center cite code dd del dfn div"
    " dl dt em fieldset figcaption figure font footer form h header hr html i iframe img input ins"
    " kbd label legend li link main mark menu nav ol option p picture pre q s samp section select"
    " small span strike strong sub sup svg table tbody td textarea tfoot th thead tr tt u ul"
    " var".split()
)
"""Of pages. Others stand alone too seldom to be told from keys of data: `address`, `title`."""
_class_words = re.compile(r"\.([A-Za-z_][\w-]*)").findall


class TopicTable:
    """The columns and rows of a topic. Reading the rows reads the store each time."""

    def __init__(
        self,
        store: StoreView,
        schema: TopicSchema,
        columns: Sequence[Column],
        harvests: Sequence[Harvest],
        separators: Mapping[tuple[str, str], str],
    ) -> None:
        """`separators`: what parts the items of a cell, by source and place of the columns whose
        cells are lists."""
        self.schema = schema
        self.columns = tuple(columns)
        """Of all sources; those of no field have no name."""
        self.harvests = tuple(harvests)
        self._store = store
        self.separators = dict(separators)
        self._by_place: dict[str, dict[str, Column]] = defaultdict(dict)
        for column in columns:
            self._by_place[column.source][column.place] = column
        self._readers = {
            source: CellReader(place for place, column in places.items() if column.name)
            for source, places in self._by_place.items()
        }

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
        cells = read_cells(stored.record, stored.detail)
        reader = self._readers.get(harvest.subject.signature)
        for place, text in reader.read(cells) if reader else cells:
            column = columns.get(place)
            kind = column.kind if column else "text"
            if column and column.name:
                texts.setdefault(column.name, (column, []))[1].append(text)
            elif place not in _OWN_LABELS:
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
        if separator := self.separators.get((column.source, column.place)):
            return tuple(
                _read_item(item, column.kind, text)
                for text in texts
                for item in split_list(text, separator)
            )
        return tuple(parse_value(text, column.kind) for text in texts)


def _read_item(item: str, kind: str, text: str) -> TypedValue:
    """An item of a list with the text that it stands in."""
    return structs.replace(parse_value(item, kind), value=item, raw=text)


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
    known = schema or find_schema(topic)
    samples = [one for harvest in harvests for one in sample_columns(store, harvest, known)]
    complete = induce_fields(samples, known)
    columns = make_columns(samples, match_columns(samples, complete.fields))
    if corrections is not None:
        sites = {harvest.subject.signature: harvest.subject.site for harvest in harvests}
        columns = tuple(
            corrections.correct_column(column, sites[column.source]) for column in columns
        )
        complete = corrections.correct_schema(complete, columns)
    complete, separators = find_lists(samples, columns, complete, known)
    return TopicTable(store, complete, columns, harvests, separators)


def find_lists(
    samples: Iterable[ColumnSample],
    columns: Sequence[Column],
    schema: TopicSchema,
    known: TopicSchema,
) -> tuple[TopicSchema, dict[tuple[str, str], str]]:
    """What parts the items of cells, by source and place, and the schema with the fields that these
    make lists: fields of a `known` schema say so themselves, of others nobody knows."""
    own = {field.name for field in known.fields}
    texts = {(sample.source, sample.place): sample.texts for sample in samples}
    found = {}
    for column in columns:
        field = schema.find(column.name) if column.name else None
        held = texts.get((column.source, column.place), ())
        if field is None or field.kind not in _LISTED:
            continue
        may_list = field.is_list or (field.name not in own and field.kind != "text")
        if may_list and (separator := find_separator(held, field.kind)):
            found[column.source, column.place] = separator
    lists = {column.name for column in columns if (column.source, column.place) in found}
    fields = (
        structs.replace(field, is_list=field.is_list or field.name in lists)
        for field in schema.fields
    )
    return structs.replace(schema, fields=tuple(fields)), found


def read_cells(record: Record, detail: Iterable[Cell] = ()) -> Iterator[tuple[str, str]]:
    """Places and texts of a record, its title and addresses included."""
    if record.title:
        yield TITLE, record.title
    if record.url:
        yield URL, record.url
    if document := find_document(record):
        yield DOCUMENT, document
    for image in record.images:
        yield IMAGE, image
    for cell in (*record.cells, *detail):
        yield cell.place, cell.text


def find_document(record: Record) -> str | None:
    """The first link of a record that leads to a file."""
    links = (record.url, *record.links)
    return next((link for link in links if link and _is_file(_behind_host(link))), None)


def _behind_host(url: str) -> str:
    return url.partition("://")[2].partition("/")[2].partition("#")[0]


def sample_columns(store: StoreView, harvest: Harvest, schema: TopicSchema) -> list[ColumnSample]:
    """The columns of a source by its first records."""
    stored = islice(store.harvests.records(harvest.id), _SAMPLE_ROWS)
    rows = [list(read_cells(one.record, one.detail)) for one in stored]
    return sample_rows(harvest.subject.signature, rows, schema)


def sample_rows(
    source: str, rows: Sequence[Sequence[tuple[str, str]]], schema: TopicSchema
) -> list[ColumnSample]:
    """The columns of rows of places and texts, parts of cells included."""
    parts = find_parts(rows, (field.name for field in schema.fields), (URL, DOCUMENT, IMAGE))
    reader = CellReader(parts)
    texts: dict[str, list[str]] = {}
    rows_with: dict[str, int] = defaultdict(int)
    for number, row in enumerate(rows):
        seen = set()
        for place, text in reader.read(row):
            if place not in texts and len(texts) >= _MAX_COLUMNS:
                continue
            kept = texts.setdefault(place, [])
            if place not in seen and len(kept) < _SAMPLE_TEXTS:
                kept.append(text)
            seen.add(place)
        for place in seen & texts.keys():
            rows_with[place] |= 1 << number
    is_named = guess_kind(texts.get(TITLE, ())) not in _NO_NAMES
    samples = [
        ColumnSample(
            source=source,
            place=place,
            labels=() if place == TITLE and not is_named else labels_of_place(place),
            texts=tuple(found),
            filled=rows_with[place].bit_count() / len(rows),
            rows=rows_with[place],
            is_name=place == TITLE and is_named,
            # An item of a list speaks of its record alone, unlike a page.
            prominence=0.5 if place.startswith(DETAIL) else _OF_LISTS,
            kind={URL: "url", DOCUMENT: "url", IMAGE: "image"}.get(place, ""),
        )
        for place, found in texts.items()
    ]
    return [*split_samples(join_rows(inherit_labels(samples)), parts)]


def inherit_labels(samples: Sequence[ColumnSample]) -> list[ColumnSample]:
    """The columns with the labels of a table's head also for tables below it that have none: as
    many columns, of mostly the same kinds, in other rows."""
    tables: dict[int, list[ColumnSample]] = defaultdict(list)
    for sample in samples:
        if sample.place not in _OWN_LABELS and PART not in sample.place:
            tables[sample.rows].append(sample)
    heads = [one for one in tables.values() if len(one) > 2 and all(map(_has_label, one))]
    found: dict[str, tuple[str, ...]] = {}
    for rows, columns in tables.items():
        if any(map(_has_label, columns)):
            continue
        for head in heads:
            if head[0].rows & rows == 0 and _are_alike(head, columns):
                found |= {one.place: other.labels for one, other in zip(columns, head, strict=True)}
    return [
        structs.replace(sample, labels=found.get(sample.place, sample.labels)) for sample in samples
    ]


def _has_label(sample: ColumnSample) -> bool:
    return any(label[:1] not in "@." for label in sample.labels)


def _are_alike(one: Sequence[ColumnSample], other: Sequence[ColumnSample]) -> bool:
    if len(one) != len(other):
        return False
    kinds = [(a.with_kind().kind, b.with_kind().kind) for a, b in zip(one, other, strict=True)]
    return sum(a == b for a, b in kinds) >= _SAME_KINDS * len(kinds)


def join_rows(samples: Sequence[ColumnSample]) -> list[ColumnSample]:
    """The columns as they are where a source's rows come from several tables: places under one
    label, or without a label and of one kind, that never stand in one row are each as full as all
    of them."""
    groups: dict[object, list[ColumnSample]] = defaultdict(list)
    for sample in samples:
        if _has_label(sample) and not sample.is_name:
            groups[sample.labels].append(sample)
        elif not sample.is_name and (kind := sample.with_kind().kind) in _JOINED:
            groups[kind].append(sample)
    filled: dict[str, float] = {}
    for group in groups.values():
        rows = 0
        for sample in group:
            if rows & sample.rows:
                break
            rows |= sample.rows
        else:
            total = sum(sample.filled for sample in group)
            filled |= {sample.place: total for sample in group}
    return [
        structs.replace(sample, filled=filled.get(sample.place, sample.filled))
        for sample in samples
    ]


def split_samples(samples: Iterable[ColumnSample], parts: Iterable[str]) -> Iterator[ColumnSample]:
    """The same columns, parts and those that have parts marked: `Case` over numbers and names is
    a column of neither."""
    fields: dict[str, set[str]] = defaultdict(set)
    for part in parts:
        whole, _, field = part.rpartition(PART)
        fields[whole].add(field)
    for sample in samples:
        whole, mark, field = sample.place.rpartition(PART)
        if mark and field in fields.get(whole, ()):
            is_name = whole == TITLE and field == "case_name"
            # A date is named by what it is, if by anything: any text may tell of some date.
            labels = () if field == "decision_date" else (f".{field}",)
            prominence = _OF_TITLES if whole == TITLE else sample.prominence
            yield structs.replace(
                sample, labels=labels, is_name=is_name, part=field, prominence=prominence
            )
        elif held := fields.get(sample.place):
            yield structs.replace(sample, parts=frozenset(held))
        else:
            yield sample


def is_value(label: str) -> bool:
    """Whether what stands where labels do is a value: the month above a group of rows, a number."""
    has_digits = any(map(str.isdigit, label))
    return has_digits and bool(
        parse_date(label) or find_file_number(label) == (label, 0, len(label))
    )


def _is_tag(step: str) -> bool:
    """Whether a step is a tag with its class: `year` and `offer.price` are keys of data."""
    tag = _tag_of(step)
    return tag is not None and (tag[0] in _TAGS or "-" in tag[0] or tag[0][0] == "#")


def labels_of_place(place: str) -> tuple[str, ...]:
    """What the place of a cell says about what it is called.

    >>> labels_of_place("Published by"), labels_of_place("div.info/span.price")
    (('Published by',), ('.price', '.info'))
    >>> labels_of_place("January 2025"), labels_of_place("AC45482")
    ((), ())
    >>> labels_of_place("detail:.wiki 2"), labels_of_place("detail:Pages")
    (('.wiki',), ('Pages',))
    >>> labels_of_place("year"), labels_of_place("offer.price"), labels_of_place("h5.year")
    (('year',), ('price',), ('.year',))
    """
    if place in _OWN_LABELS:
        return _OWN_LABELS[place]
    bare = place.removeprefix(DETAIL)
    if bare.startswith("."):
        # Of a page: a word of a class, with a number where several slots have it.
        return (_numbering("", bare),)
    steps = bare.split("/")
    if all(_path_step(step) for step in steps) and (len(steps) > 1 or _is_tag(bare)):
        words = [word for step in reversed(steps) for word in reversed(_class_words(step))]
        return tuple(f".{word}" for word in words)
    label = bare.rpartition(".")[2] if " " not in bare and "." in bare else bare
    is_sentence = len(label.split()) > _LABEL_WORDS
    return () if is_sentence or is_value(label) else (label,)
