"""A question to databases: words, and conditions on the fields of a topic's schema.

Read from what a person types (`author="Le Guin" year=1990..2000 price<=20 dragons`). A condition
that a source cannot be asked is checked on its records (`judge_condition`).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from msgspec import Struct, structs

from leadline.core.table import SchemaField, TopicSchema, TypedValue
from leadline.core.text import fold
from leadline.errors import ConfigError
from leadline.extraction.values import parse_value
from leadline.extraction.vocabulary import find_properties, normalise_label, read_properties
from leadline.topics.translation import read_translations

ORDERED = frozenset({"number", "money", "date", "duration", "rating"})
"""Kinds of which ranges can be asked."""
_TOLD_BY_KIND = frozenset({"date", "money", "person", "place", "duration", "rating"})
"""Kinds of which the first field of a schema may stand for another of the same kind: who asks for
the `year` of books means their date."""
_NEAR = 0.4
"""Strength from which a label may mean a field: below it are labels with other words around."""
_SURE = 0.9
"""Strength from which a label surely means a property."""
_NEAREST = 3
_condition = re.compile(r"\s*([^\W\d_][\w -]*?)\s*(<=|>=|=|<|>)\s*(.*\S)\s*", re.S).fullmatch
_words = re.compile(r"[^\W_]+").findall
_amount = re.compile(r"\d").search


class FieldCondition(Struct, frozen=True):
    """What a field must be."""

    field: str
    """The name of a field of the schema, or of a property."""
    kind: str
    """One of `core.table.VALUE_KINDS`."""
    text: str = ""
    """What it is; '' for a range."""
    low: str = ""
    high: str = ""
    """The ends of a range, both part of it; '' for an open end."""
    also: tuple[str, ...] = ()
    """Other properties that the name given may mean, which records may have instead."""

    @property
    def is_range(self) -> bool:
        return not self.text

    @property
    def shown(self) -> str:
        """As it is typed."""
        if self.text:
            return f"{self.field}={self.text}"
        if self.low and self.high:
            return f"{self.field}={self.low}..{self.high}"
        return f"{self.field}>={self.low}" if self.low else f"{self.field}<={self.high}"

    @property
    def ends(self) -> tuple[str, str]:
        """Of the range; what is one value has two equal ends."""
        return (self.low, self.high) if self.is_range else (self.text, self.text)


class DatabaseQuestion(Struct, frozen=True):
    """Words to look for, and conditions; one of both at least."""

    words: str = ""
    conditions: tuple[FieldCondition, ...] = ()

    @property
    def shown(self) -> str:
        return " ".join(filter(None, (self.words, *(one.shown for one in self.conditions))))


def read_question(
    texts: Iterable[str], schema: TopicSchema, fields: Mapping[str, object] | None = None
) -> DatabaseQuestion:
    """A question from `field=value` texts and words, and from `fields` as programs give them.

    Raises ConfigError for a question that asks nothing and for fields that nobody knows.

    >>> schema = TopicSchema("book", (SchemaField("author", "person"),), is_induced=True)
    >>> read_question(["dragons", "writer=Le Guin", "price<=20"], schema).shown
    'dragons author=Le Guin price<=20'
    """
    words: list[str] = []
    conditions: list[FieldCondition] = []
    for text in texts:
        found = _condition(text)
        if found is None:
            words.append(" ".join(text.split()))
            continue
        name, sign, value = found.groups()
        conditions.append(_read_condition(name, sign, value, schema))
    for name, given in (fields or {}).items():
        value = str(given).strip()
        if not value:
            raise ConfigError(f"{name} is empty; give a value, or leave it out")
        found = re.fullmatch(r"(<=|>=|<|>)\s*(.+)", value, re.S)
        sign, value = found.groups() if found else ("=", value)
        conditions.append(_read_condition(name, sign, value, schema))
    question = DatabaseQuestion(" ".join(filter(None, words)), tuple(conditions))
    if not question.words and not question.conditions:
        raise ConfigError(
            'nothing is asked; write words, or field=value, as in author="Le Guin" year=1990..2000'
        )
    return question


def _read_condition(name: str, sign: str, value: str, schema: TopicSchema) -> FieldCondition:
    field, meant = find_field(name, schema), find_properties(name)
    also = (one for one in meant if one != field.name and meant[one] >= _SURE)
    return structs.replace(_make_condition(field, sign, value), also=tuple(also))


def _make_condition(field: SchemaField, sign: str, value: str) -> FieldCondition:
    if sign in ("<", "<="):
        return _make_range(field, "", value)
    if sign in (">", ">="):
        return _make_range(field, value, "")
    low, dots, high = value.partition("..")
    if dots and (_amount(low) or _amount(high)):
        return _make_range(field, low.rstrip(), high.lstrip())
    return FieldCondition(field.name, field.kind, value)


def _make_range(field: SchemaField, low: str, high: str) -> FieldCondition:
    kind = field.kind if field.kind in ORDERED else "number"
    for end in (low, high):
        if end and not read_amount(end, kind).is_parsed:
            raise ConfigError(
                f"{end!r} is no end of a range of {field.name}; write numbers or dates, as in "
                f"{field.name}=10..20"
            )
    return FieldCondition(field.name, kind, "", low, high)


def read_amount(text: str, kind: str) -> TypedValue:
    """The text as a value of an ordered kind; a bare number is one of any kind but dates.

    >>> read_amount("20", "money").value, read_amount("20 EUR", "money").text
    (20, '20 EUR')
    """
    found = parse_value(text, kind)
    return found if found.is_parsed or kind == "date" else parse_value(text, "number")


def find_field(name: str, schema: TopicSchema) -> SchemaField:
    """The field that a person means. Raises ConfigError with the nearest names if there is none."""
    plain = normalise_label(name)
    own = {field.name: field for field in schema.fields}
    exact = own.get(plain.replace(" ", "_"))
    if exact is not None:
        return exact
    labelled = (field for field in schema.fields if plain in list_labels(field))
    if (field := next(labelled, None)) is not None:
        return field
    meant = find_properties(name)
    ranked = sorted(meant, key=lambda one: -meant[one])
    near = next((one for one in ranked if one in own and meant[one] >= _NEAR), None)
    if near is not None:
        return own[near]
    properties = read_properties()
    if ranked:
        known = properties[ranked[0]]
        of_kind = (field for field in schema.fields if field.kind == known.kind)
        if known.kind in _TOLD_BY_KIND and (field := next(of_kind, None)) is not None:
            return field
        return SchemaField(known.name, known.kind, known.schema_org, known.labels)
    if not schema.fields or schema.is_induced:
        return SchemaField(plain.replace(" ", "_") or name, labels={"en": (name,)})
    names = get_close_matches(plain, own, _NEAREST) or list(own)
    raise ConfigError(
        f"{name!r} is no field of the topic {schema.topic!r}; there are: {', '.join(names)}"
    )


@lru_cache(maxsize=2_000)
def _labels_of(name: str, labels: tuple[str, ...]) -> frozenset[str]:
    return frozenset({normalise_label(label) for label in labels} | {name.replace("_", " ")})


def list_labels(field: SchemaField) -> frozenset[str]:
    """What sources surely call a field, in all languages, in normal form."""
    sure = (label for row in field.labels.values() for label in row if not label.startswith("*"))
    return _labels_of(field.name, tuple(sure))


def judge_condition(condition: FieldCondition, values: Sequence[TypedValue]) -> bool | None:
    """Whether a record with these values of the field fulfils a condition; None if the values do
    not tell: there are none, or none could be read."""
    told = [_judge_value(condition, value) for value in values]
    known = [one for one in told if one is not None]
    return any(known) if known else None


def _judge_value(condition: FieldCondition, value: TypedValue) -> bool | None:
    low, high = condition.ends
    if condition.kind == "date":
        return _is_between_dates(value, low, high)
    if condition.kind in ORDERED:
        return _is_between(value, condition.kind, low, high)
    return is_said_in(condition.text, value.raw) or is_said_in(condition.text, value.text)


def _is_between_dates(value: TypedValue, low: str, high: str) -> bool | None:
    shown = value if value.kind == "date" else parse_value(value.raw, "date")
    if not isinstance(shown.value, str):
        return None
    first, last = (read_amount(end, "date").value if end else None for end in (low, high))
    # Dates are as exact as they are: 1994 lies in March 1994 to May 1996 as far as it is known.
    is_late = not isinstance(first, str) or shown.value[: len(first)] >= first[: len(shown.value)]
    is_early = not isinstance(last, str) or shown.value[: len(last)] <= last[: len(shown.value)]
    return is_late and is_early


def _is_between(value: TypedValue, kind: str, low: str, high: str) -> bool | None:
    shown = value if value.kind == kind and value.is_parsed else read_amount(value.raw, kind)
    if isinstance(shown.value, bool) or not isinstance(shown.value, int | float):
        return None
    for end, sign in ((low, 1), (high, -1)):
        limit = read_amount(end, kind) if end else None
        if limit is None or isinstance(limit.value, bool | str | None):
            continue
        # Amounts in another currency or unit cannot be compared.
        if limit.unit and shown.unit and limit.unit != shown.unit:
            return None
        if sign * (shown.value - limit.value) < 0:
            return False
    return True


def is_said_in(asked: str, shown: str) -> bool:
    """Whether a text says what was asked for: all its words, in any order and language known.

    >>> is_said_in("Le Guin", "Guin, Ursula K. Le"), is_said_in("U. Le Guin", "Ursula Le Guin")
    (True, True)
    >>> is_said_in("hardcover", "Gebunden"), is_said_in("hardcover", "Taschenbuch")
    (True, False)
    """
    wanted, words = (_words(fold(text)) for text in (asked, shown))
    if wanted and all(any(_is_same_word(one, other) for other in words) for one in wanted):
        return True
    return are_same_concept(asked, shown)


def _is_same_word(asked: str, shown: str) -> bool:
    return asked == shown or (min(len(asked), len(shown)) == 1 and asked[0] == shown[0])


def are_same_concept(one: str, other: str) -> bool:
    """Whether two texts are one word of some topic in two languages: `paperback`, `Taschenbuch`."""
    concepts = _concepts()
    ours, theirs = (concepts.get(fold(text).strip(), frozenset()) for text in (one, other))
    return not ours.isdisjoint(theirs)


@lru_cache(maxsize=1)
def _concepts() -> Mapping[str, frozenset[str]]:
    """English words by what they are called in each language."""
    found: dict[str, set[str]] = {}
    for rows in read_translations().values():
        for row in rows:
            for form in (row.english, *row.forms):
                found.setdefault(fold(form).strip(), set()).add(row.english)
    return {form: frozenset(words) for form, words in found.items()}
