"""Which column of a source is which field of a topic's schema, and how sure that is.

Evidence for a pair: what the source calls the column, in whatever language; what kind its values
are; whether the values look like those of the property; whether it is the records' name. Each match
says why. Fields of topics without a schema are induced: first from the vocabulary of properties,
then from labels that name no known property.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set

from msgspec import Struct, structs

from leadline.core.table import Column, SchemaField, TopicSchema, Wrapper
from leadline.extraction.evidence import fits_values
from leadline.extraction.values import guess_kind, parse_value
from leadline.extraction.vocabulary import find_properties, normalise_label, read_properties
from leadline.extraction.wrapper_learning import NAME_LABEL, strip_prefix
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
_TELLING = frozenset({"date", "money", "url", "image", "duration", "rating", "identifier"})
"""Kinds that a text is not by chance."""
_TOLD_BY_KIND = frozenset({"date", "money", "person", "place", "rating", "duration"})
_SHARED_KINDS = frozenset({"text", "category", "person", "place", "identifier"})
"""Of which equal values in two sources mean something: numbers and dates are equal by chance."""
_SURE = 0.8
_PRIMARY_OF_ANY = frozenset({"price", "date"})
"""What money and a date beside a name are, of whatever things."""
_LEAST_OPEN = 0.7
"""Of a match to any property there is: among two hundred, some fit by chance."""
_LEAST_SHARED = 3
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
    is_list: bool = False

    def with_kind(self) -> "ColumnSample":
        return self if self.kind else structs.replace(self, kind=guess_kind(self.texts))


class Match(Struct, frozen=True):
    """A column, a field, and how likely they belong together."""

    sample: ColumnSample
    field: SchemaField
    probability: float
    why: str


def match_columns(
    samples: Iterable[ColumnSample], fields: Sequence[SchemaField], *, is_open: bool = False
) -> dict[tuple[str, str], Match]:
    """The best match of columns by source and place; a field has one column of a source.

    Matched twice: the second time it is known what values surely matched columns have, and a column
    without a label may be told by sharing them. `is_open`: the fields are any properties, not those
    that a topic is known to have.
    """
    known = [sample.with_kind() for sample in samples]
    primary = _PRIMARY_OF_ANY if is_open else find_primary(fields)
    first = _assign(known, fields, primary, {})
    shared = _collect_values(first.values())
    return _assign(known, fields, primary, shared) if len(shared) > 0 else first


def _assign(
    samples: Sequence[ColumnSample],
    fields: Sequence[SchemaField],
    primary: Set[str],
    shared: Mapping[str, Mapping[str, Set[str]]],
) -> dict[tuple[str, str], Match]:
    matches = []
    for sample in samples:
        for field in fields:
            others = shared.get(field.name, {})
            overlap = rate_overlap(sample, others)
            if match := rate_match(sample, field, overlap, is_primary=field.name in primary):
                matches.append(match)
    matches.sort(key=lambda match: -match.probability)
    taken: set[tuple[str, str]] = set()
    found: dict[tuple[str, str], Match] = {}
    for match in matches:
        column = match.sample.source, match.sample.place
        field_of = match.sample.source, match.field.name
        if column not in found and field_of not in taken:
            found[column] = match
            taken.add(field_of)
    return found


def find_primary(fields: Sequence[SchemaField]) -> frozenset[str]:
    """The first field of each telling kind: what a text of that kind beside the name of a record
    most likely is, when nothing names it."""
    found: dict[str, str] = {}
    for field in fields:
        if field.kind in _TOLD_BY_KIND:
            found.setdefault(field.kind, field.name)
    return frozenset(found.values())


def _collect_values(matches: Iterable[Match]) -> dict[str, dict[str, Set[str]]]:
    """The values of surely matched columns, by field and source."""
    found: dict[str, dict[str, Set[str]]] = {}
    for match in matches:
        if match.probability >= _SURE and match.sample.kind in _SHARED_KINDS:
            texts = frozenset(text.casefold() for text in match.sample.texts)
            found.setdefault(match.field.name, {})[match.sample.source] = texts
    return found


def rate_overlap(sample: ColumnSample, others: Mapping[str, Set[str]]) -> float:
    """The share of a column's texts that other sources have in a field."""
    if sample.kind not in _SHARED_KINDS or not others:
        return 0.0
    texts = {text.casefold() for text in sample.texts}
    best = 0.0
    for source, values in others.items():
        shared = len(texts & values)
        if source != sample.source and shared >= _LEAST_SHARED:
            best = max(best, shared / min(len(texts), len(values)))
    return best


def rate_match(
    sample: ColumnSample, field: SchemaField, overlap: float = 0.0, *, is_primary: bool = False
) -> Match | None:
    """How likely a column is a field; None if nothing speaks for it."""
    label, said = _rate_labels(sample.labels, field)
    looks = max(fits_values(field.name, sample.texts), overlap)
    is_name = sample.is_name and field.name == "name"
    by_kind = is_primary and _is_told_by_kind(sample, field)
    if label < 0.2 and looks < 0.5 and not is_name and not by_kind:
        return None
    # Weights set by hand on the development sites of SWDE so that a sure label alone, or values
    # that only this property has, make a match, and a vague label needs fitting values.
    score = -3.6 + 5.0 * label + 3.4 * looks + 4.0 * is_name + 2.0 * (sample.prominence - 0.5)
    score += 2.0 * (sample.filled - 0.5) + _rate_kind(sample, field)
    score += 2.3 * (by_kind and label < 0.2 and looks < 0.5)
    score -= 0.8 * (sample.is_list and not field.is_list)
    probability = 1 / (1 + math.exp(-score))
    if probability < LEAST_PROBABILITY:
        return None
    reasons = [f"called {said!r}"] if label >= 0.2 else []
    reasons += ["title of the record"] if is_name else []
    reasons += [f"{looks:.0%} of its values look like it"] if looks >= 0.5 else []
    reasons.append(f"values are of kind {sample.kind}")
    return Match(sample, field, round(probability, 4), "; ".join(reasons))


def _is_told_by_kind(sample: ColumnSample, field: SchemaField) -> bool:
    """Whether a column that nothing names stands where the record is described, filled."""
    if sample.kind != field.kind or sample.is_list or sample.filled < 0.6:
        return False
    kinds = {name: prop.kind for name, prop in read_properties().items()}
    # A class `publisher` around a date names something else beside it.
    meant = [
        strength
        for label in sample.labels
        for name, strength in find_properties(label.lstrip("@.")).items()
        if kinds[name] == field.kind or (kinds[name], field.kind) in _COMPATIBLE
    ]
    return sample.prominence >= 0.6 and max(meant, default=0.0) < 0.6


def _rate_labels(labels: Sequence[str], field: SchemaField) -> tuple[float, str]:
    best, said = 0.0, ""
    weak = plain = 0
    for label in labels[:8]:
        is_weak = label.startswith(_WEAK)
        place = weak if is_weak else plain
        weak, plain = weak + is_weak, plain + (not is_weak)
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
    if (sample.kind, field.kind) in _COMPATIBLE:
        return 0.4 * share - 0.2
    if field.kind in ("text", "category"):
        return -1.6 if sample.kind in _TELLING else -0.2
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
    for match in match_columns(left, properties, is_open=True).values():
        if match.probability < _LEAST_OPEN:
            continue
        found[match.field.name] = match.field
        sources.setdefault(match.field.name, set()).add(match.sample.source)
    taken = set(match_columns(left, list(found.values())))
    for sample in left:
        name = _name_of_label(sample)
        if (sample.source, sample.place) in taken or not name or name in known:
            continue
        kind = sample.kind if name not in found or found[name].kind == sample.kind else "text"
        # Words of classes are left out: a class around all facts would make them one field.
        labels = {"en": tuple(label for label in sample.labels if label[:1] not in "@.")}
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


def sample_slots(
    wrapper: Wrapper, pages: Sequence[Mapping[str, Sequence[str]]]
) -> list[ColumnSample]:
    """The columns of a wrapper by what pages have in its slots."""
    found = []
    for slot in wrapper.slots:
        texts = [page[slot.name][0] for page in pages if page.get(slot.name)]
        found.append(
            ColumnSample(
                source=wrapper.source,
                place=slot.name,
                labels=slot.labels,
                texts=tuple(strip_prefix(texts)),
                filled=len(texts) / max(1, len(pages)),
                is_name=NAME_LABEL in slot.labels,
                prominence=slot.prominence,
                kind=slot.kind,
                is_list=slot.is_list,
            )
        )
    return found
