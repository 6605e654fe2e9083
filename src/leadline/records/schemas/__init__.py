"""The schemas of topics: those that are shipped, by the properties of `extraction.vocabulary`."""

import tomllib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files

from msgspec import structs

from leadline.core.table import SchemaField, TopicSchema
from leadline.extraction.vocabulary import Property, read_properties


@lru_cache(maxsize=1)
def read_schemas() -> Mapping[str, TopicSchema]:
    """Of the shipped topics, by name."""
    text = (files("leadline.records.schemas") / "packs.toml").read_text(encoding="utf-8")
    return {topic: _make_schema(topic, table) for topic, table in tomllib.loads(text).items()}


def find_schema(topic: str) -> TopicSchema:
    """The schema of a shipped topic; of any other an empty one, to be induced from its sources.

    >>> find_schema("book").fields[0].labels["en"][:2], find_schema("museum objects").fields
    (('title', 'book title'), ())
    """
    return read_schemas().get(topic) or TopicSchema(topic, (), is_induced=True)


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
