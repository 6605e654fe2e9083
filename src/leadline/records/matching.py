"""Which column of a source is which field of a topic's schema, and how sure that is.

Evidence for a pair: what the source calls the column, in whatever language; what kind its values
are; whether the values look like those of the property; whether it is the records' name. Each match
says why. Fields of topics without a schema are induced: first from the vocabulary of properties,
then from labels that name no known property.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from msgspec import Struct, structs

from leadline.core.table import Column, SchemaField, TopicSchema, Wrapper
from leadline.extraction.evidence import fits_values
from leadline.extraction.values import parse_value
from leadline.extraction.vocabulary import normalise_label, read_properties
from leadline.extraction.wrapper_learning import NAME_LABEL, strip_prefix
from leadline.records.aligned_values import rate_agreement
from leadline.records.cell_parts import DOCUMENT
from leadline.records.match_evidence import (
    LEAST_ALIKE,
    LEAST_LABEL,
    LEAST_LOOK,
    ColumnSample,
    MatchEvidence,
    MatchWeights,
    collect_evidence,
    rate_labels,
    read_match_weights,
)
from leadline.records.schemas import find_schema, make_field
from leadline.records.text_profiles import Floats, rate_likeness, read_profiles

LEAST_PROBABILITY = 0.6
"""Of a match that is made without a person. Fitted weights say how likely the best of several is
right if one is; more than half, because a column may be none of them. On the verticals left out,
.5 to .65 find the same names, and .6 as many right pairs with fewer wrong ones."""
_TOLD_BY_KIND = frozenset({"date", "money", "person", "place", "rating", "duration"})
_CHECKED = frozenset({"isbn", "issn", "gtin", "vin", "doi"})
"""Keys that values tell by themselves: another number is not one of them."""
_SHARED_KINDS = frozenset({"text", "category", "person", "place", "identifier"})
"""Of which equal values in two sources mean something: numbers and dates are equal by chance."""
_SURE = 0.8
_PART_COST = 0.15
"""Probability by which a part of a text must be surer than a text of its own: on the development
courts any cost from .1 to .25 does the same."""
_FILE_COST = 0.5
"""The same of what is read out of a file's name: whatever the listing itself shows comes first."""
_PRIMARY_OF_ANY = frozenset({"price", "date"})
"""What money and a date beside a name are, of whatever things."""
_LEAST_OPEN = 0.7
"""Of a match to any property there is: among two hundred, some fit by chance."""
_LEAST_SHARED = 3
_LEAST_SOURCES = 2
_MOST_PROFILES = 20_000
"""Columns whose texts are compared at once: their profiles take 160 MB."""
_LEAST_FILLED = 0.2
_LEAST_TEXTS = 5
_LEAST_OWN = 0.05
"""Share of a source's records that must have what no schema asks for, to be a column of the table:
of what is rarer, each record has another. It stays among the values."""
_REPEATED = 0.8
"""Share of a column's texts that are in another one, for it to be the same: of a breadcrumb, some
are cut or missing. Few different texts, such as yes and no, may well be in two."""
_PACKS = {"case_name": "court", "isbn": "book", "vin": "auto"}
"""What tells by its look or its check digits alone what kind of thing has it."""
_LEAST_TOLD = 0.5
"""Share of records, and of their texts, that must have it."""
_ORDER = {"name": 0, "image": 2, "document": 3, "url": 4}
"""Of a topic without a schema: what a thing is called comes first, addresses come last."""
_plain_name = re.compile(r"[a-z][a-z0-9_]*$").match


class Match(Struct, frozen=True):
    """A column, a field, and how likely they belong together."""

    sample: ColumnSample
    field: SchemaField
    probability: float
    why: str
    label: float = 0.0
    """How surely the column is called so."""


def match_columns(
    samples: Iterable[ColumnSample],
    fields: Sequence[SchemaField],
    *,
    is_open: bool = False,
    weights: MatchWeights | None = None,
) -> dict[tuple[str, str], Match]:
    """The best match of columns by source and place; a field has one column of a source, and more
    only if no record has two of them: lists may hold items of several kinds.

    A column without a label may be told by sharing the values of columns that are surely called
    something. `is_open`: the fields are any properties, not those
    that a topic is known to have.
    """
    known = [sample.with_kind() for sample in samples]
    pairs = collect_pairs(known, fields, is_open=is_open)
    return _assign(pairs, weights or read_match_weights(), is_open=is_open)


def _assign(
    pairs: Iterable[tuple[ColumnSample, SchemaField, MatchEvidence, str]],
    weights: MatchWeights,
    *,
    is_open: bool,
) -> dict[tuple[str, str], Match]:
    matches = [match for pair in pairs if (match := _rate_match(*pair, weights))]
    # What a source gives by itself comes before what is read out of a text, if it is about as sure.
    matches.sort(key=lambda match: _find_cost(match.sample) - match.probability)
    taken: dict[tuple[str, str], int] = {}
    found: dict[tuple[str, str], Match] = {}
    said: dict[tuple[str, tuple[str, ...]], str] = {}
    for match in matches:
        column = match.sample.source, match.sample.place
        field_of = match.sample.source, match.field.name
        rows, others = match.sample.rows, taken.get(field_of)
        is_free = others is None or bool(rows and others and not rows & others)
        # What a source says twice is one column, unless a field of the topic is called as it is.
        texts = match.sample.source, match.sample.texts
        is_asked = match.label >= _SURE and not is_open
        is_new = is_asked or len(match.sample.texts) < _LEAST_TEXTS
        is_new = is_new or said.get(texts, match.sample.place) == match.sample.place
        if column not in found and is_free and is_new:
            found[column] = match
            said[texts] = match.sample.place
            taken[field_of] = rows | (others or 0)
    return found


def _find_cost(sample: ColumnSample) -> float:
    if not sample.part:
        return 0.0
    return _FILE_COST if sample.place.startswith(DOCUMENT) else _PART_COST


Pair = tuple[ColumnSample, SchemaField, MatchEvidence, str]


def collect_pairs(
    samples: Sequence[ColumnSample], fields: Sequence[SchemaField], *, is_open: bool = False
) -> list[Pair]:
    """Every column and field for which something speaks, with what does, and the label. What is
    called so for sure in one source tells the columns of others that have the same values."""
    primary = _PRIMARY_OF_ANY if is_open else find_primary(fields)
    found = []
    sure = _find_sure(samples, fields)
    shared = _collect_values(samples, sure)
    # Among all properties there are, something is always alike: only a topic's are looked for so.
    alike = {} if is_open else _rate_likeness(samples, sure)
    agreeing = rate_agreement(samples, sure)
    for number, sample in enumerate(samples):
        for field in fields:
            overlap = rate_overlap(sample, shared.get(field.name, {}))
            if field.name in agreeing:
                overlap = max(overlap, float(agreeing[field.name][number]))
            pair = collect_evidence(
                sample,
                field,
                overlap,
                float(alike[field.name][number]) if field.name in alike else 0.0,
                is_primary=field.name in primary,
                is_open=is_open,
            )
            if pair is not None:
                found.append((sample, field, *pair))
    return found


def find_primary(fields: Sequence[SchemaField]) -> frozenset[str]:
    """The first field of each telling kind: what a text of that kind beside the name of a record
    most likely is, when nothing names it."""
    found: dict[str, str] = {}
    for field in fields:
        if field.kind in _TOLD_BY_KIND or (field.is_key and field.name not in _CHECKED):
            found.setdefault(field.kind, field.name)
    return frozenset(found.values())


def _find_sure(
    samples: Sequence[ColumnSample], fields: Sequence[SchemaField]
) -> dict[str, list[int]]:
    """The numbers of columns that are surely called a field, the first of each source."""
    found: dict[str, dict[str, int]] = {}
    for number, sample in enumerate(samples):
        for field in fields:
            if rate_labels(sample.labels, field)[0] >= _SURE:
                found.setdefault(field.name, {}).setdefault(sample.source, number)
    return {name: list(by_source.values()) for name, by_source in found.items()}


def _collect_values(
    samples: Sequence[ColumnSample], sure: Mapping[str, Sequence[int]]
) -> dict[str, dict[str, Set[str]]]:
    """The values of columns that are surely called a field, by field and source."""
    return {
        name: {
            samples[number].source: frozenset(text.casefold() for text in samples[number].texts)
            for number in numbers
            if samples[number].kind in _SHARED_KINDS
        }
        for name, numbers in sure.items()
    }


def _rate_likeness(
    samples: Sequence[ColumnSample], sure: Mapping[str, Sequence[int]]
) -> Mapping[str, Floats]:
    """How alike each column is to those that other sources surely call a field."""
    sources = [sample.source for sample in samples]
    if len(set(sources)) < _LEAST_SOURCES or len(samples) > _MOST_PROFILES:
        return {}
    # What only one source calls something is a field of that source: others need not have it.
    known = {name: numbers for name, numbers in sure.items() if name in read_properties()}
    # Rare columns tell too little of what is usual in theirs.
    texts = [sample.texts if sample.filled >= _LEAST_FILLED else () for sample in samples]
    return rate_likeness(read_profiles(texts), sources, known)


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


def _rate_match(
    sample: ColumnSample,
    field: SchemaField,
    evidence: MatchEvidence,
    said: str,
    weights: MatchWeights,
) -> Match | None:
    probability = weights.rate(evidence)
    if probability < LEAST_PROBABILITY:
        return None
    looks = max(evidence.looks, evidence.overlap)
    reasons = [f"called {said!r}"] if evidence.label >= LEAST_LABEL else []
    reasons += ["title of the record"] if evidence.is_name else []
    reasons += [f"{looks:.0%} of its values look like it"] if looks >= LEAST_LOOK else []
    reasons += ["values like those of other sources"] if evidence.alike >= LEAST_ALIKE else []
    reasons.append(f"values are of kind {sample.kind}")
    return Match(sample, field, round(probability, 4), "; ".join(reasons), evidence.label)


def induce_fields(
    samples: Iterable[ColumnSample], schema: TopicSchema, weights: MatchWeights | None = None
) -> TopicSchema:
    """The schema with fields for columns that fit none of its own: known properties, then labels
    that some source has."""
    left = [sample.with_kind() for sample in samples]
    if not schema.fields and (pack := find_pack(left)):
        schema = structs.replace(schema, fields=find_schema(pack).fields)
    matched = match_columns(left, schema.fields, weights=weights)
    shown = [one for one in left if (one.source, one.place) in matched]
    left = [
        one
        for one in left
        if (one.source, one.place) not in matched
        and one.filled >= _LEAST_OWN
        and not _is_repeat(one, shown)
    ]
    known = {field.name for field in schema.fields}
    properties = [make_field(prop) for prop in read_properties().values() if prop.name not in known]
    found: dict[str, SchemaField] = {}
    sources: dict[str, set[str]] = {}
    for match in match_columns(left, properties, is_open=True, weights=weights).values():
        if match.probability < _LEAST_OPEN:
            continue
        found[match.field.name] = match.field
        sources.setdefault(match.field.name, set()).add(match.sample.source)
    taken = set(match_columns(left, list(found.values()), weights=weights))
    shown += [one for one in left if (one.source, one.place) in taken]
    for sample in left:
        name = _name_of_label(sample)
        is_taken = (sample.source, sample.place) in taken
        if is_taken or not name or name in known or _is_repeat(sample, shown):
            continue
        if len(sample.texts) >= _LEAST_TEXTS and len(set(sample.texts)) == 1:
            # `read more`: the same of all records, under a label that nobody knows.
            continue
        kind = sample.kind if name not in found or found[name].kind == sample.kind else "text"
        # Words of classes are left out: a class around all facts would make them one field.
        labels = {"en": tuple(label for label in sample.labels if label[:1] not in "@.")}
        found[name] = SchemaField(name, kind, labels=labels)
        sources.setdefault(name, set()).add(sample.source)
    fields = [
        structs.replace(field, why=f"of {len(sources[name])} sources")
        for name, field in sorted(
            found.items(), key=lambda pair: (_ORDER.get(pair[0], 1), -len(sources[pair[0]]))
        )
    ]
    return structs.replace(schema, fields=(*schema.fields, *fields))


def _is_repeat(sample: ColumnSample, shown: Iterable[ColumnSample]) -> bool:
    """Whether a source says it in another column too: what is said twice is one column."""
    texts = set(sample.texts)
    is_distinct = len(sample.texts) >= _LEAST_TEXTS and 2 * len(texts) >= len(sample.texts)
    return any(
        sample.texts == one.texts
        or (is_distinct and len(texts.intersection(one.texts)) >= _REPEATED * len(texts))
        for one in shown
        if one.source == sample.source
    )


def find_pack(samples: Sequence[ColumnSample]) -> str:
    """The shipped topic that records are plainly of, under whatever name they were looked for: most
    sources name cases, or give ISBNs or VINs; '' if they are of none."""
    sources = {sample.source for sample in samples}
    telling: dict[str, set[str]] = {}
    for sample in samples:
        if len(sample.texts) < _LEAST_TEXTS or sample.filled < _LEAST_TOLD:
            continue
        schemes = Counter(
            parse_value(text, "identifier").unit
            for text in (sample.texts if sample.kind == "identifier" else ())
        )
        for scheme, pack in _PACKS.items():
            is_case = scheme == "case_name" and fits_values(scheme, sample.texts) >= _LEAST_TOLD
            if is_case or schemes[scheme] >= _LEAST_TOLD * len(sample.texts):
                telling.setdefault(pack, set()).add(sample.source)
    return next((pack for pack, found in telling.items() if 2 * len(found) > len(sources)), "")


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
