"""The schemas of topics: those that are shipped, by the properties of `extraction.vocabulary`."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from msgspec import structs

from leadline.core.table import SchemaField, TopicSchema
from leadline.extraction.vocabulary import Property, read_properties

_words = re.compile(r"\w+").findall


@lru_cache(maxsize=1)
def read_schemas() -> Mapping[str, TopicSchema]:
    """Of the shipped topics, by name."""
    return {topic: _make_schema(topic, table) for topic, table in _read_tables().items()}


def _read_tables() -> Mapping[str, Mapping[str, object]]:
    text = (files("leadline.records.schemas") / "packs.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def find_schema(topic: str) -> TopicSchema:
    """The schema of a shipped topic, or of the things that a phrase names; of any other topic an
    empty one, to be induced from its sources.

    >>> find_schema("book").fields[0].labels["en"][:2], find_schema("shelves of minerals").fields
    (('title', 'book title'), ())
    >>> find_schema("court records").type, find_schema("Judgments of Ohio").type
    ('LegalCase', 'LegalCase')
    """
    if known := read_schemas().get(topic):
        return known
    said = f" {' '.join(_words(topic.casefold()))} "
    named = [(len(phrase), name) for phrase, name in _read_phrases() if f" {phrase} " in said]
    # The longest phrase says most: `museum objects` are no museums.
    schema = read_schemas()[max(named)[1]] if named else TopicSchema("", (), is_induced=True)
    return structs.replace(schema, topic=topic)


@lru_cache(maxsize=1)
def _read_phrases() -> Sequence[tuple[str, str]]:
    tables = _read_tables().items()
    return [
        (phrase.strip(), topic)
        for topic, table in tables
        for phrase in str(table.get("phrases", "")).split(",")
        if phrase.strip()
    ]


def make_field(prop: Property, called: Iterable[str] = (), *, is_list: bool = False) -> SchemaField:
    """The field of a property; what this topic calls it comes first."""
    english = dict.fromkeys((*called, *prop.labels.get("en", ())))
    labels = {**prop.labels, "en": tuple(english)}
    return SchemaField(prop.name, prop.kind, prop.schema_org, labels, is_list=is_list)


def _make_schema(topic: str, table: Mapping[str, object]) -> TopicSchema:
    properties = read_properties()
    lists, keys = str(table.get("lists", "")).split(), str(table.get("keys", "")).split()
    called = table.get("called", {})
    fields = []
    for name in str(table["fields"]).split():
        prop = properties.get(name)
        if prop is None:
            continue
        own = called.get(name, "") if isinstance(called, dict) else ""
        field = make_field(prop, filter(None, own.split(", ")), is_list=name in lists)
        fields.append(structs.replace(field, is_key=name in keys))
    return TopicSchema(topic, tuple(fields), str(table.get("type", "")))
