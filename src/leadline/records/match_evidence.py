"""What speaks for a column being a field, as numbers, and how likely they make it.

`records.matching` asks it for every pair of a column and a field. The weights of the evidence are
fitted by `python -m tools.column_training`, which holds out one kind of things at a time.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files

from msgspec import Struct, structs

from leadline.core.table import SchemaField
from leadline.extraction.evidence import fits_values, has_look
from leadline.extraction.values import guess_kind, have_own_words, is_mostly, parse_value
from leadline.extraction.vocabulary import find_properties, normalise_label, read_properties

LEAST_LABEL = 0.2
"""From which a label says something at all."""
LEAST_LOOK = 0.5
"""Share of a column's texts that must look like a property, for it to be told by them alone."""
LEAST_ALIKE = 0.5
"""The same of how alike its texts are to those of columns that are the property."""
_STRUCTURED, _WEAK = "@", "."
"""Begin labels that are properties of structured data, and words of classes and ids."""
_WEAK_STRENGTH = 0.7
_LATER_LABEL = 0.85
"""What a further label of a column says beside the one before it."""
COMPATIBLE = {
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

_EXACT = _TELLING | {"number", "boolean"}
"""Kinds that have to parse: a text that does not is no value of them, or a rare one."""


_ADDRESSES = frozenset({"url", "image"})
_is_address = re.compile(r"\S*[/.]\S*$").match
_TELLING_APART = frozenset({"name", "case_name", "docket_number"})
"""Fields that tell things apart: a column of few different texts is none of them."""
_SERIAL = 0.6
"""How well numbers that were given to things fit an identifier: as if all of them parsed."""
_LEAST_TEXTS, _LEAST_DISTINCT = 5, 0.3
_DAYS = frozenset({"decision_date", "date_posted", "filing_date"})
"""Dates that are never given as a year alone."""
_serial_head = re.compile(r"\W*([A-Z]{0,3}-?\d{4,9})").match
_digits = re.compile(r"\d+").sub
_letters = re.compile(r"[^\W\d_]+").sub
_KINDS_OF_NUMBERS = frozenset({"number", "text", "category"})
_NUMBER_CHARS, _LEAST_FIGURES = 25, 3
"""Of a text that is the number of a thing."""
_figures = re.compile(r"\D+").sub
_PARTS_OF = {"date": ("decision_date",), "name": ("case_name",)}
"""Parts that fields of any topic take besides their own."""


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
    rows: int = 0
    """Which of the source's first records have it, as bits; 0 if that is not known."""
    part: str = ""
    """The field that the column is a part of cells for."""
    parts: frozenset[str] = frozenset()
    """Fields that parts of its texts are: the whole is no column of them."""

    def with_kind(self) -> "ColumnSample":
        if self.kind:
            return self
        return structs.replace(self, kind=guess_kind(self.texts))


class MatchEvidence(Struct, frozen=True):
    """What is known of a pair of a column and a field; each number is one weight's."""

    label: float
    """How surely one of the column's labels names the field."""
    rival: float
    """How surely its best label names some other property, beyond this one."""
    looks: float
    """Share of its texts that look like values of the field."""
    contrary: float
    """Share that does not, of a field whose values have a look of their own."""
    overlap: float
    """Share of its texts that other sources have in the field, or, where this is more, of the
    things of one name of which another source says the same in the field."""
    alike: float
    """How alike its texts are to those that other sources have in the field."""
    is_name: float
    """It is the record's title, and the field its name."""
    kind: float
    """How well its texts parse as the field's kind, from -1 (not at all) to 1."""
    by_kind: float
    """Nothing names it, and it is what a value of that kind most likely is."""
    prominence: float
    filled: float
    several: float
    """Often several values, of a field that has one."""
    is_open: float
    """The field is one of all properties there are, not of a topic's."""


class MatchWeights(Struct, frozen=True):
    """A logistic model of evidence."""

    bias: float
    weights: Mapping[str, float]
    """By the name of the evidence."""

    def rate(self, evidence: MatchEvidence) -> float:
        score = self.bias + sum(
            weight * getattr(evidence, name) for name, weight in self.weights.items()
        )
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@lru_cache(maxsize=1)
def read_match_weights() -> MatchWeights:
    """Those that are shipped."""
    text = (files("leadline.records") / "column_matching.json").read_text(encoding="utf-8")
    table = json.loads(text)
    return MatchWeights(table["bias"], table["weights"])


def collect_evidence(
    sample: ColumnSample,
    field: SchemaField,
    overlap: float = 0.0,
    alike: float = 0.0,
    *,
    is_primary: bool = False,
    is_open: bool = False,
) -> tuple[MatchEvidence, str] | None:
    """The evidence and the label that names the field; None if nothing speaks for the pair."""
    if field.name in sample.parts or (sample.part and sample.part not in _like(field.name)):
        return None
    if field.name in _TELLING_APART and _repeats(sample.texts):
        return None
    label, said = rate_labels(sample.labels, field)
    # Of all properties there are, the look of a file's number fits too much: `18/25`.
    is_told = not (is_open and field.name == "docket_number" and label < LEAST_LABEL)
    # What has a name of its own is no property that only its look fits: `Entropy` is no phone.
    is_told = is_told and not (is_open and label < LEAST_LABEL and has_name(sample.labels))
    # A number looks like what it was read out for, wherever it stood: that says nothing.
    is_told = is_told and sample.part in ("", "case_name")
    looks = fits_values(field.name, sample.texts) if is_told else 0.0
    if field.kind == "number" and sample.kind == "text" and _are_titles(sample.texts):
        return None
    if field.kind in _ADDRESSES and not any(map(_is_address, sample.texts[:20])):
        return None
    is_name = sample.is_name and field.name == "name"
    by_kind = is_primary and _is_told_by_kind(sample, field)
    if (
        label < LEAST_LABEL
        and max(looks, overlap) < LEAST_LOOK
        and not (is_name or by_kind or alike >= LEAST_ALIKE)
    ):
        return None
    evidence = MatchEvidence(
        label=label,
        rival=max(0.0, _rate_rivals(sample.labels, field) - label),
        looks=looks,
        contrary=1.0 - looks if has_look(field.name) else 0.0,
        overlap=overlap,
        alike=alike,
        is_name=float(is_name),
        kind=_rate_kind(sample, field),
        by_kind=float(by_kind and label < LEAST_LABEL and max(looks, overlap) < LEAST_LOOK),
        prominence=sample.prominence - 0.5,
        filled=sample.filled - 0.5,
        several=float(sample.is_list and not field.is_list),
        is_open=float(is_open),
    )
    return evidence, said


def _are_titles(texts: Sequence[str]) -> bool:
    """Whether texts are no numbers, whatever stands above them: `Casablanca (1942)`."""
    some = texts[:20]
    if len(some) < _LEAST_TEXTS or any(is_mostly(text, "number") for text in some):
        return False
    return sum(have_own_words(some)) > len(some) / 2


def has_name(labels: Sequence[str]) -> bool:
    """Whether a page or data prints what the column is called."""
    return any(label[:1] not in "@." and normalise_label(label) for label in labels)


def _like(name: str) -> tuple[str, ...]:
    """The parts that a field takes."""
    return _PARTS_OF.get(name, (name,))


def _repeats(texts: Sequence[str]) -> bool:
    return len(texts) >= _LEAST_TEXTS and len(set(texts)) < _LEAST_DISTINCT * len(texts)


def _is_told_by_kind(sample: ColumnSample, field: SchemaField) -> bool:
    """Whether a column that nothing names stands where the record is described, filled."""
    is_serial = (
        field.kind == "identifier"
        and sample.kind in _KINDS_OF_NUMBERS
        and _are_serial(sample.texts)
    )
    if (sample.kind != field.kind and not is_serial) or sample.is_list or sample.filled < 0.6:
        return False
    if sample.prominence < 0.6:
        return False
    if field.name in _DAYS and not any(len(_figures("", text)) > 4 for text in sample.texts):
        return False
    properties = read_properties()
    # A class `publisher` around a date names something else beside it.
    meant = [
        strength
        for label in sample.labels
        for name, strength in find_properties(label.lstrip("@.")).items()
        if (kind := properties[name].kind) == field.kind or (kind, field.kind) in COMPATIBLE
    ]
    return max(meant, default=0.0) < 0.6


def rate_labels(labels: Sequence[str], field: SchemaField) -> tuple[float, str]:
    """How surely the labels of a column name a field, and the one that does best."""
    best, said = find_meanings(tuple(labels)).get(field.name, (0.0, ""))
    own = _own_labels(field)
    for bare, share in _weigh_labels(labels):
        if share > best and normalise_label(bare) in own:
            best, said = share, bare
    return best, said


def _rate_rivals(labels: Sequence[str], field: SchemaField) -> float:
    """How surely the labels name any other property."""
    meanings = find_meanings(tuple(labels))
    return max((best for name, (best, _) in meanings.items() if name != field.name), default=0.0)


@lru_cache(maxsize=5_000)
def find_meanings(labels: tuple[str, ...]) -> Mapping[str, tuple[float, str]]:
    """The properties that labels may mean, each with how surely and the label that says so."""
    found: dict[str, tuple[float, str]] = {}
    for bare, share in _weigh_labels(labels):
        for name, strength in find_properties(bare).items():
            if strength * share > found.get(name, (0.0, ""))[0]:
                found[name] = strength * share, bare
    return found


def _weigh_labels(labels: Sequence[str]) -> Sequence[tuple[str, float]]:
    return _weigh(tuple(labels))


@lru_cache(maxsize=5_000)
def _weigh(labels: tuple[str, ...]) -> Sequence[tuple[str, float]]:
    weak = plain = 0
    found = []
    for label in labels[:8]:
        is_weak = label.startswith(_WEAK)
        place = weak if is_weak else plain
        weak, plain = weak + is_weak, plain + (not is_weak)
        share = (_WEAK_STRENGTH if is_weak else 1.0) * _LATER_LABEL ** min(place, 4)
        found.append((label.lstrip(_STRUCTURED + _WEAK), share))
    return found


def _own_labels(field: SchemaField) -> frozenset[str]:
    key = field.name, field.labels.get("en", ())
    if key not in _own_cache:
        _own_cache[key] = frozenset(
            {normalise_label(label) for label in field.labels.get("en", ()) if label[:1] != "*"}
            | {field.name.replace("_", " ")}
        )
    return _own_cache[key]


_own_cache: dict[tuple[str, tuple[str, ...]], frozenset[str]] = {}


def _are_serial(texts: Sequence[str]) -> bool:
    """Whether texts are numbers that were given to things: each another one, and of few shapes
    (`103,339-7`, `KA -0025-0535`) or with heads of about one length (`64475, 64476`)."""
    if len(texts) < _LEAST_TEXTS or len(set(texts)) < 0.8 * len(texts):
        return False
    shapes = Counter(
        _letters("A", _digits("9", "".join(text.split())))
        for text in texts
        if len(text) <= _NUMBER_CHARS and len(_figures("", text)) >= _LEAST_FIGURES
    )
    if sum(count for _, count in shapes.most_common(3)) >= 0.7 * len(texts):
        return True
    heads = [found[1] for text in texts if (found := _serial_head(text))]
    usual = sum(count for _, count in Counter(map(len, heads)).most_common(2))
    return usual >= 0.8 * len(texts) and len(set(heads)) >= 0.8 * len(heads)


def _rate_kind(sample: ColumnSample, field: SchemaField) -> float:
    """1 of the same kind, -1 if no text parses, little either way of kinds that look alike."""
    if sample.kind == field.kind:
        return 1.0 if field.kind != "text" else 0.25
    if field.kind == "identifier" and _are_serial(sample.texts):
        # Of a shape that few kinds of numbers have, and no two the same.
        return _SERIAL
    texts = sample.texts[:20]
    parsed = sum(
        is_mostly(text, field.kind) and parse_value(text, field.kind).is_parsed for text in texts
    )
    share = parsed / len(texts) if texts else 0.0
    if field.kind in _EXACT:
        return 1.6 * share - 1.0
    if (sample.kind, field.kind) in COMPATIBLE:
        return 0.4 * share - 0.2
    if field.kind in ("text", "category"):
        return -1.0 if sample.kind in _TELLING else -0.1
    return share - 1.0
