"""Fits how much each kind of evidence says when columns are matched to fields.

    python -m tools.column_training DATA [--write]

The pairs are columns and fields of the development sites of SWDE (`tools/attribute_sites.json`): a
pair is right if the column holds, on its pages, the attribute that the field is; a pair of which
neither the column nor the field belongs to any attribute is unknown and is left out. Weights
of known sign are fitted so that of all columns of a site the right one is chosen for a field, and
of all fields the right one for a column, under a ridge penalty that pulls to PRIOR; a scale and a
bias then make the scores of those chosen probabilities. All is done once with each vertical left
out, to see how it does on kinds of things it has not seen, and once with all verticals, which
`--write` ships as `records/column_matching.json`. The last line is JSON.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from msgspec import structs
from scipy.optimize import minimize

from leadline.core.table import SchemaField
from leadline.extraction.vocabulary import read_properties
from leadline.extraction.wrapper_learning import NAME_LABEL
from leadline.records.match_evidence import ColumnSample, MatchEvidence, MatchWeights
from leadline.records.matching import collect_pairs, sample_slots
from leadline.records.schemas import find_schema, make_field
from tools.attribute_evaluation import (
    SiteReading,
    evaluate_vertical,
    properties_of,
    read_site,
    read_sites,
    summarise,
)

EVIDENCE = tuple(name for name in MatchEvidence.__struct_fields__)
_AGAINST = frozenset({"rival", "contrary", "several", "is_open"})
"""What speaks against a pair, if it says anything; all else speaks for it. A weight of the other
sign would be an accident of four kinds of things."""
PRIOR = {
    "label": 5.0, "rival": 0.0, "looks": 3.4, "contrary": 0.0, "overlap": 3.4, "alike": 1.0,
    "is_name": 4.0, "kind": 1.0, "by_kind": 2.3, "prominence": 2.0, "filled": 2.0,
    "several": -0.8, "is_open": 0.0,
}  # fmt: skip
"""What the penalty pulls to: a judgement by hand, made with the development sites in view."""
_RIDGE = 0.03
"""Of the squared distances. On the verticals left out .983 of the choices are right under it, and
.929 where a site's labels are hidden; under .1 .980 and .921. Less of it does better where labels
are hidden, worse where they are not: four kinds of things teach little more than a judgement."""
_RIGHT, _SHARE_OF_BEST = 0.5, 0.9
WEIGHTS_FILE = Path(__file__).parent.parent / "src/leadline/records/column_matching.json"


class LabelledPairs(NamedTuple):
    """Evidence of the pairs of one vertical, which of them are right, and which compete."""

    evidence: np.ndarray
    is_right: np.ndarray
    choices: list[np.ndarray]
    """The numbers of pairs of which one is chosen: all columns of a site for one field, or all
    fields for one column."""


def fit_weights(parts: Sequence[LabelledPairs], ridge: float = _RIDGE) -> MatchWeights:
    """Weights that choose the right pairs, and then a scale and a bias that make the scores of
    those chosen probabilities. Verticals weigh the same."""
    start = np.array([PRIOR[name] for name in EVIDENCE])

    def rate_loss(values: np.ndarray) -> tuple[float, np.ndarray]:
        loss, slope = 0.0, np.zeros(len(values))
        for part in parts:
            score = part.evidence @ values
            told = [one for one in part.choices if part.is_right[one].any() and len(one) > 1]
            for one in told:
                rows, right = part.evidence[one], part.is_right[one] > 0
                share = np.exp(score[one] - score[one].max())
                share /= share.sum()
                kept = max(1e-12, share[right].sum())
                loss -= np.log(kept) / len(told) / len(parts)
                wanted = np.where(right, share / kept, 0.0)
                slope -= (wanted - share) @ rows / len(told) / len(parts)
        off = values - start
        return float(loss + ridge * off @ off), slope + 2 * ridge * off

    bounds = [(None, 0) if name in _AGAINST else (0, None) for name in EVIDENCE]
    found = minimize(rate_loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    scale, bias = _calibrate(parts, found)
    weights = {name: round(float(scale * w), 3) for name, w in zip(EVIDENCE, found, strict=True)}
    return MatchWeights(round(bias, 3), weights)


def find_winners(part: LabelledPairs, values: np.ndarray) -> np.ndarray:
    """The pairs that are chosen."""
    score = part.evidence @ values
    return np.unique([one[np.argmax(score[one])] for one in part.choices])


def _calibrate(parts: Sequence[LabelledPairs], values: np.ndarray) -> tuple[float, float]:
    """Scale and bias of a logistic model of the winners' scores (Platt 1999)."""
    won = [find_winners(part, values) for part in parts]
    pairs = list(zip(parts, won, strict=True))
    score = np.concatenate([part.evidence[one] @ values for part, one in pairs])
    right = np.concatenate([part.is_right[one] for part, one in pairs])
    counts = np.concatenate([np.full(len(one), 1 / len(one)) for _, one in pairs]) / len(parts)

    def rate_loss(given: np.ndarray) -> float:
        logit = given[0] * score + given[1]
        return float(counts @ (np.logaddexp(0, logit) - right * logit))

    scale, bias = minimize(rate_loss, np.array([1.0, -3.0]), bounds=[(0.05, 5), (None, None)]).x
    return float(scale), float(bias)


def fields_of(vertical: str, *, is_open: bool) -> list[SchemaField]:
    if is_open:
        return [make_field(prop) for prop in read_properties().values()]
    return list(find_schema(vertical).fields)


def label_pairs(
    vertical: str, readings: Sequence[SiteReading], samples: Sequence[ColumnSample]
) -> LabelledPairs:
    """The pairs of a vertical under its schema and under all properties; and under its schema those
    of each site as if nothing in it were named, while the others are: labels that nobody knows are
    what an unseen site has, and the development sites have few."""
    held = find_truth(readings)
    known = {name for names in held.values() for name in names}
    rows: list[list[float]] = []
    right: list[bool] = []
    choices: dict[tuple[str, str, str, bool], list[int]] = defaultdict(list)
    views: list[tuple[str, Sequence[ColumnSample], str]] = [
        ("schema", samples, ""),
        ("open", samples, ""),
        *((f"without {got.site}", hide_labels(samples, got.site), got.site) for got in readings),
    ]
    for view, shown, only in views:
        is_open = view == "open"
        fields = fields_of(vertical, is_open=is_open)
        for sample, field, evidence, _ in collect_pairs(shown, fields, is_open=is_open):
            if only and sample.source != only:
                continue
            names = held.get((sample.source, sample.place))
            if names is None and field.name not in known:
                continue
            if field.name in known:
                choices[view, sample.source, field.name, True].append(len(rows))
            if names is not None:
                choices[view, sample.source, sample.place, False].append(len(rows))
            rows.append([getattr(evidence, name) for name in EVIDENCE])
            right.append(field.name in (names or ()))
    numbers = [np.array(one) for one in choices.values()]
    return LabelledPairs(np.array(rows), np.array(right, dtype=float), numbers)


def hide_labels(samples: Sequence[ColumnSample], site: str) -> list[ColumnSample]:
    """The columns as if no label of a site were known, but that of the record's name."""
    return [
        structs.replace(one, labels=(NAME_LABEL,) if NAME_LABEL in one.labels else ())
        if one.source == site
        else one
        for one in samples
    ]


def find_truth(readings: Sequence[SiteReading]) -> dict[tuple[str, str], set[str]]:
    """The fields that columns hold, by site and place."""
    held: dict[tuple[str, str], set[str]] = defaultdict(set)
    for got in readings:
        for attribute in {name for page in got.gold for name in page}:
            rated = got.rate(attribute)
            best = max(rated.values(), default=0.0)
            for slot, f1 in rated.items():
                if f1 >= max(_RIGHT, _SHARE_OF_BEST * best):
                    held[got.site, slot] |= set(properties_of(attribute))
    return dict(held)


def rate_calibration(weights: MatchWeights, pairs: LabelledPairs) -> dict[str, Any]:
    """Share of the winners that is right, their loss in nats, and the mean distance between
    probability and the share that is right."""
    values = np.array([weights.weights[name] for name in EVIDENCE])
    won = find_winners(pairs, values)
    said = 1 / (1 + np.exp(-(pairs.evidence[won] @ values + weights.bias)))
    right = pairs.is_right[won]
    kept = np.clip(np.where(right > 0, said, 1 - said), 1e-9, 1)
    bins = np.minimum((said * 5).astype(int), 4)
    off = sum(abs(float((said[bins == n] - right[bins == n]).sum())) for n in range(5)) / max(
        1, len(won)
    )
    told = [one for one in pairs.choices if pairs.is_right[one].any()]
    score = pairs.evidence @ values
    chosen = np.mean([pairs.is_right[one[np.argmax(score[one])]] for one in told])
    return {
        "choices_right": round(float(chosen), 4),
        "loss": round(float(-np.log(kept).mean()), 4),
        "calibration_error": round(off, 4),
    }


def evaluate(
    verticals: Mapping[str, tuple[Sequence[SiteReading], Sequence[ColumnSample]]],
    weights: Mapping[str, MatchWeights],
) -> dict[str, Any]:
    """Names and pairs of each vertical under its weights, with and without its schema."""
    figures: dict[str, Any] = {}
    for setting in ("schema", "unknown_topic"):
        scores, pairs = [], []
        for vertical, (readings, _) in verticals.items():
            topic = vertical if setting == "schema" else "unknown"
            found, counts = evaluate_vertical(vertical, readings, topic, weights[vertical])
            scores += found
            pairs.append(counts)
        got = summarise(scores, [one.seconds for v in verticals.values() for one in v[0]], pairs)
        names = ("column", "name", "pairs_precision", "pairs_recall")
        figures[setting] = {name: got[name] for name in names}
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("data", type=Path)
    parser.add_argument("--write", action="store_true", help="ship the weights of all verticals")
    given = parser.parse_args(arguments)
    by_vertical: dict[str, list[SiteReading]] = defaultdict(list)
    for (vertical, site), pages in sorted(read_sites(given.data, held_out=False).items()):
        by_vertical[vertical].append(read_site(site, pages))
    print(json.dumps(train(by_vertical, is_written=given.write)))
    return 0


def train(by_vertical: Mapping[str, Sequence[SiteReading]], *, is_written: bool) -> dict[str, Any]:
    verticals = {
        vertical: (
            readings,
            [one.with_kind() for got in readings for one in sample_slots(got.wrapper, got.pages)],
        )
        for vertical, readings in by_vertical.items()
    }
    pairs = {name: label_pairs(name, *got) for name, got in verticals.items()}
    apart = {
        left: fit_weights([part for name, part in pairs.items() if name != left]) for left in pairs
    }
    unseen = {name: rate_calibration(weights, pairs[name]) for name, weights in apart.items()}
    shipped = fit_weights(list(pairs.values()))
    if is_written:
        WEIGHTS_FILE.write_text(json.dumps(structs.asdict(shipped), indent=1) + "\n")
    return {
        "calibration_left_out": unseen,
        "weights": structs.asdict(shipped),
        "left_out": evaluate(verticals, apart),
    }


if __name__ == "__main__":
    sys.exit(main())
