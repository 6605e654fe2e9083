"""Which column of a source is which field of a topic's schema, and how sure that is.

Evidence for a pair: what the source calls the column, in whatever language; what kind its values
are; whether the values look like those of the property; whether it is the records' name. Each match
says why. Fields of topics without a schema are induced: first from the vocabulary of properties,
then from labels that name no known property.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, structs

from leadline.core.table import Column, SchemaField, TopicSchema
from leadline.extraction.evidence import fits_values
from leadline.extraction.values import guess_kind, parse_value
from leadline.extraction.vocabulary import find_properties, normalise_label, read_properties
from leadline.records.schemas import make_field

LEAST_PROBABILITY = 0.5
"""Of a match that is made without a person: more likely right than wrong."""
_STRUCTURED, _WEAK = "@", "."
"""Begin labels that are properties of structured data, and words of classes and ids."""
_WEAK_STRENGTH = 0.7
_LATER_LABEL = 0.85
"""What a further label of a column says beside the one before it."""
_COMPATIBLE = {
    ("text", "category"), ("category", "text"), ("person", "text"), ("text", "person"),
    ("place", "text"), ("text", "place"), ("person", "category"), ("category", "person"),
    ("place", "category"), ("category", "place"), ("number", "rating"), ("rating", "number"),
    ("identifier", "number"), ("number", "identifier"), ("identifier", "text"), ("person", "place"),
    ("place", "person"), ("date", "number"), ("number", "money"), ("text", "identifier"),
    ("date", "identifier"), ("number", "duration"), ("text", "number"),
}  # fmt: skip
"""A column's kind and a field's that texts of one and the same property may seem to have."""
_plain_name = re.compile(r"[a-z][a-z0-9_]*$").match


class ColumnSample(Struct, frozen=True):
    """What is known of a column before it is matched."""

    source: str
    place: str
    labels: tuple[str, ...]
    """The best first; `@` begins those of structured data, `.` words of classes."""
    texts: tuple[str, ...]
    """Of its cells, some."""
    filled: float = 1.0
    is_name: bool = False
    """It is what the page or the list gives as the record's title."""
    prominence: float = 0.5
    kind: str = ""

    def with_kind(self) -> "ColumnSample":
        return self if self.kind else structs.replace(self, kind=guess_kind(self.texts))


class Match(Struct, frozen=True):
    """A column, a field, and how likely they belong together."""

    sample: ColumnSample
    field: SchemaField
    probability: float
    why: str


def match_columns(
    samples: Iterable[ColumnSample], fields: Sequence[SchemaField]
) -> dict[tuple[str, str], Match]:
    """The best match of columns by source and place; a field has one column of a source."""
    matches = []
    for sample in samples:
        known = sample.with_kind()
        matches += [match for field in fields if (match := rate_match(known, field))]
    matches.sort(key=lambda match: -match.probability)
    taken: set[tuple[str, str]] = set()
    found: dict[tuple[str, str], Match] = {}
    for match in matches:
        column = match.sample.source, match.sample.place
        field = match.sample.source, match.field.name
        if column not in found and field not in taken:
            found[column] = match
            taken.add(field)
    return found


def rate_match(sample: ColumnSample, field: SchemaField) -> Match | None:
    """How likely a column is a field; None if nothing speaks for it."""
    label, said = _rate_labels(sample.labels, field)
    looks = fits_values(field.name, sample.texts)
    is_name = sample.is_name and field.name == "name"
    if label < 0.2 and looks < 0.5 and not is_name:
        return None
    # Weights set by hand so that a sure label alone, or values that only this property has, make a
    # match, and a vague label needs fitting values.
    score = -3.2 + 5.0 * label + 3.4 * looks + 4.0 * is_name + 1.2 * (sample.prominence - 0.5)
    score += 0.8 * (sample.filled - 0.5) + _rate_kind(sample, field)
    probability = 1 / (1 + math.exp(-score))
    if probability < LEAST_PROBABILITY:
        return None
    reasons = []
    if label >= 0.2:
        reasons.append(f"called {said!r}")
    if is_name:
        reasons.append("title of the record")
    if looks >= 0.5:
        reasons.append(f"{looks:.0%} of its values look like it")
    reasons.append(f"values are of kind {sample.kind}")
    return Match(sample, field, round(probability, 4), "; ".join(reasons))


def _rate_labels(labels: Sequence[str], field: SchemaField) -> tuple[float, str]:
    best, said = 0.0, ""
    for place, label in enumerate(labels[:8]):
        is_weak = label.startswith(_WEAK)
        bare = label.lstrip(_STRUCTURED + _WEAK)
        strength = find_properties(bare).get(field.name, 0.0)
        own = normalise_label(bare)
        if strength < 1.0 and own in _own_labels(field):
            strength = 1.0
        strength *= (_WEAK_STRENGTH if is_weak else 1.0) * _LATER_LABEL ** min(place, 4)
        if strength > best:
            best, said = strength, bare
    return best, said


def _own_labels(field: SchemaField) -> frozenset[str]:
    key = field.name, field.labels.get("en", ())
    if key not in _own_cache:
        _own_cache[key] = frozenset(
            {normalise_label(label) for label in field.labels.get("en", ()) if label[:1] != "*"}
            | {field.name.replace("_", " ")}
        )
    return _own_cache[key]


_own_cache: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}


def _rate_kind(sample: ColumnSample, field: SchemaField) -> float:
    if sample.kind == field.kind:
        return 0.8 if field.kind != "text" else 0.2
    texts = sample.texts[:20]
    parsed = sum(parse_value(text, field.kind).is_parsed for text in texts)
    share = parsed / len(texts) if texts else 0.0
    if (sample.kind, field.kind) in _COMPATIBLE or field.kind == "text":
        return 0.4 * share - 0.2
    return 1.5 * share - 1.8


def induce_fields(samples: Iterable[ColumnSample], schema: TopicSchema) -> TopicSchema:
    """The schema with fields for columns that fit none of its own: known properties, then labels
    that some source has."""
    left = [sample.with_kind() for sample in samples]
    matched = match_columns(left, schema.fields)
    left = [one for one in left if (one.source, one.place) not in matched]
    known = {field.name for field in schema.fields}
    properties = [make_field(prop) for prop in read_properties().values() if prop.name not in known]
    found: dict[str, SchemaField] = {}
    sources: dict[str, set[str]] = {}
    for match in match_columns(left, properties).values():
        found[match.field.name] = match.field
        sources.setdefault(match.field.name, set()).add(match.sample.source)
    taken = set(match_columns(left, list(found.values())))
    for sample in left:
        name = _name_of_label(sample)
        if (sample.source, sample.place) in taken or not name or name in known:
            continue
        kind = sample.kind if name not in found or found[name].kind == sample.kind else "text"
        labels = {"en": tuple(dict.fromkeys(label.lstrip("@.") for label in sample.labels))}
        found[name] = SchemaField(name, kind, labels=labels)
        sources.setdefault(name, set()).add(sample.source)
    fields = [
        structs.replace(field, why=f"of {len(sources[name])} sources")
        for name, field in sorted(found.items(), key=lambda pair: -len(sources[pair[0]]))
    ]
    return structs.replace(schema, fields=(*schema.fields, *fields))


def _name_of_label(sample: ColumnSample) -> str:
    """A column name from a label that a page prints; classes and tag paths name nothing."""
    said = next((label for label in sample.labels if label[:1] not in "@."), "")
    name = normalise_label(said).replace(" ", "_")
    return name if 2 < len(name) <= 40 and _plain_name(name) else ""


def make_columns(
    samples: Iterable[ColumnSample], matches: Mapping[tuple[str, str], Match]
) -> tuple[Column, ...]:
    """All columns with what they were matched to; those of no field are named ''."""
    found = []
    for sample in samples:
        known = sample.with_kind()
        match = matches.get((sample.source, sample.place))
        found.append(
            Column(
                name=match.field.name if match else "",
                kind=match.field.kind if match else known.kind,
                labels=tuple(label.lstrip("@.") for label in sample.labels),
                source=sample.source,
                place=sample.place,
                probability=match.probability if match else 0.0,
                why=match.why if match else "",
                filled=round(sample.filled, 3),
                examples=sample.texts[:3],
            )
        )
    return tuple(found)
