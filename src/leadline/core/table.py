"""What a table of records is made of: typed values, the columns of one source, wrappers that were
learned, the schema of a topic, and typed rows with where they come from."""

from collections.abc import Mapping

from msgspec import Struct

from leadline.core.harvest import HarvestId
from leadline.core.url import Url

VALUE_KINDS = (
    "text", "number", "money", "date", "duration", "person", "place", "identifier", "url", "image",
    "category", "boolean", "rating",
)  # fmt: skip
"""What a value may be. Every text is a `text`; the others are texts that a parser understood."""


class TypedValue(Struct, frozen=True, omit_defaults=True):
    """A value as a type, with the text it was read from.

    `raw` is always what the page shows. `value` is None if the text is of no use for its kind:
    nothing is lost, and a reader shows `raw`.
    """

    kind: str
    """One of VALUE_KINDS."""
    raw: str
    value: str | int | float | bool | None = None
    """Of a number, amount of money, duration (seconds) or rating: a number; of
    a date ISO 8601, as exact as the text is (`2019`, `2019-04`, `2019-04-02`); of an identifier
    its normal form; of a boolean a boolean; else a text."""
    unit: str = ""
    """Of a number its unit, of money its currency (ISO 4217), of an identifier its scheme (`isbn`,
    `doi` ...), of a rating what the best is (`of 5`), of a text its language if it is known."""

    @property
    def is_parsed(self) -> bool:
        return self.value is not None

    @property
    def text(self) -> str:
        """For people: the value with its unit, else as the page shows it."""
        if self.value is None:
            return self.raw
        is_fraction = isinstance(self.value, float)
        shown = f"{self.value:.10g}" if is_fraction else str(self.value)
        has_unit = self.kind in ("number", "money", "rating")
        return f"{shown} {self.unit}".strip() if has_unit else shown


class Column(Struct, frozen=True):
    """A column of one source: where it stands there, and what it was matched to."""

    name: str
    """The field of the topic's schema; '' if it fits none."""
    kind: str
    """One of VALUE_KINDS: the one that most of its values parse as."""
    labels: tuple[str, ...]
    """What the source calls it, the best first: a text before the value, a heading of a table, a
    property of structured data, words of a class. May be empty."""
    source: str
    """The signature of the form, or the name of whatever was read."""
    place: str
    """Of its cells in that source (`Cell.place`)."""
    probability: float = 0.0
    """That it is the field `name`; 1.0 if a person said so."""
    why: str = ""
    """The evidence for the match, for people."""
    filled: float = 0.0
    """Share of the source's records that have it."""
    examples: tuple[str, ...] = ()


class Slot(Struct, frozen=True):
    """A place of a page template at which a value varies, and how it is found again."""

    name: str
    """Unique in its wrapper; the place of its cells."""
    keys: tuple[str, ...]
    """The addresses of its texts, the surest first: structured property, label and path, path."""
    kind: str = "text"
    labels: tuple[str, ...] = ()
    is_list: bool = False
    """Several values on one page are normal."""
    filled: float = 1.0
    """Share of the pages it was learned from that have it."""
    prominence: float = 0.0
    """How likely it is a fact about the page's record, and not about its frame or neighbours."""
    why: str = ""
    examples: tuple[str, ...] = ()
    further: tuple[tuple[str, ...], ...] = ()
    """Keys of the lines that continue the value: `Salem, OR 97301` below a street."""


class Wrapper(Struct, frozen=True):
    """How the detail pages of one source are read: learned from several, kept in the store."""

    source: str
    version: int
    """From 1; one more each time it was learned again."""
    pages: int
    """From how many it was learned."""
    frame: tuple[int, ...]
    """Digests of the texts that belong to the template, ascending."""
    slots: tuple[Slot, ...]
    fit: float = 1.0
    """Share of its slots that a page it was learned from fills in the median: a later page with
    far fewer is built otherwise, and enough of these make it be learned again."""


class SchemaField(Struct, frozen=True):
    """A property that things of a topic have."""

    name: str
    """As a column of the topic's table: lower case with underscores."""
    kind: str = "text"
    property: str = ""
    """Its name in schema.org, where it has one."""
    labels: Mapping[str, tuple[str, ...]] = {}
    """What sources call it, by language."""
    unit: str = ""
    """That its numbers are given in, where they all are."""
    is_list: bool = False
    is_key: bool = False
    """Equal values mean the same thing: an identifier."""
    why: str = ""
    """Of an induced field: which sources have it."""


class TopicSchema(Struct, frozen=True):
    """The columns of a topic's table."""

    topic: str
    fields: tuple[SchemaField, ...]
    type: str = ""
    """Of the things, in schema.org: `Book`, `JobPosting`."""
    is_induced: bool = False
    """Made from what the sources have, because the topic has no schema of its own."""

    def find(self, name: str) -> SchemaField | None:
        return next((field for field in self.fields if field.name == name), None)


class TypedRow(Struct, frozen=True):
    """One record as typed values, and where it comes from."""

    harvest: HarvestId
    number: int
    """Of the record in its store."""
    source: str
    """The signature of the form."""
    key: str
    url: Url | None
    at: float
    values: Mapping[str, tuple[TypedValue, ...]]
    """By the field of the schema; a field without a value is absent."""
    rest: Mapping[str, tuple[TypedValue, ...]] = {}
    """What fits no field, by the place in its source: nothing is lost."""

    def first(self, name: str) -> TypedValue | None:
        """The first value of a field."""
        return next(iter(self.values.get(name, ())), None)
