"""Columns that say the same of the same things: the strongest sign that two sources mean one field.

Two sources have many records with one name; over these, the columns of one that nothing names agree
with columns of the other that are surely called something. `records.matching` asks for it before
any linkage: names that only one record of a source has are enough to pair records.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.extraction.values import parse_value
from leadline.records.comparisons import fold_text
from leadline.records.match_evidence import ColumnSample

Floats = NDArray[np.float32]
_LEAST_PAIRS = 5
"""Records of one name that two sources must have: fewer agree by chance in some column."""
_LEAST_VALUES = 3
"""Different values that these must have: what is always the same agrees with anything such."""
_PARSED = frozenset({"number", "money", "date", "duration", "rating", "identifier"})


def rate_agreement(
    samples: Sequence[ColumnSample], known: Mapping[str, Sequence[int]]
) -> dict[str, Floats]:
    """By field, how often each column says of a thing what a column of another source says that is
    known to be the field. `known`: the numbers of these columns."""
    by_name = _index_names(samples)
    if len(by_name) < 2:
        return {}
    marks = [_read_marks(sample) if sample.source in by_name else {} for sample in samples]
    found = {field: np.zeros(len(samples), np.float32) for field in known}
    # By the two sources: most share no names at all.
    paired: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for number, sample in enumerate(samples):
        for field, columns in known.items():
            for other in columns:
                both = sample.source, samples[other].source
                if both[0] == both[1] or not marks[number] or not marks[other]:
                    continue
                if both not in paired:
                    paired[both] = _pair_rows(by_name[both[0]], by_name[both[1]])
                rate = _compare(marks[number], marks[other], paired[both])
                found[field][number] = max(found[field][number], rate)
    return {field: rates for field, rates in found.items() if rates.any()}


def _index_names(samples: Sequence[ColumnSample]) -> dict[str, dict[str, int]]:
    """Rows by the name that only they have, by source."""
    found: dict[str, dict[str, int]] = {}
    for sample in samples:
        if sample.is_name and sample.rows and sample.source not in found:
            rows: dict[str, list[int]] = {}
            for row, text in zip(_list_rows(sample), sample.texts, strict=False):
                rows.setdefault(fold_text(text), []).append(row)
            found[sample.source] = {
                name: these[0] for name, these in rows.items() if len(these) == 1 and name
            }
    return found


def _list_rows(sample: ColumnSample) -> list[int]:
    """The rows that a column's texts stand in, in their order."""
    return [row for row in range(sample.rows.bit_length()) if sample.rows >> row & 1]


def _read_marks(sample: ColumnSample) -> dict[int, frozenset[str]]:
    """What each row says, in normal forms: `Mar 3, 2010` and `3.3.2010` say the same."""
    if not sample.rows or sample.is_name:
        return {}
    kind = sample.with_kind().kind
    found = {}
    for row, text in zip(_list_rows(sample), sample.texts, strict=False):
        value = parse_value(text, kind).value if kind in _PARSED else None
        found[row] = frozenset(filter(None, (fold_text(text), "" if value is None else str(value))))
    return found


def _pair_rows(ours: Mapping[str, int], theirs: Mapping[str, int]) -> list[tuple[int, int]]:
    return [(row, theirs[name]) for name, row in ours.items() if name in theirs]


def _compare(
    ours: Mapping[int, frozenset[str]],
    theirs: Mapping[int, frozenset[str]],
    pairs: Sequence[tuple[int, int]],
) -> float:
    """The share of pairs that agree; 0.0 where there are too few, or too few different values."""
    if len(pairs) < _LEAST_PAIRS:
        return 0.0
    both = [(ours[a], theirs[b]) for a, b in pairs if a in ours and b in theirs]
    if len(both) < _LEAST_PAIRS or len({one for one, _ in both}) < _LEAST_VALUES:
        return 0.0
    return sum(bool(one & other) for one, other in both) / len(both)
