"""What the crawler has learned: features by iteration, weights, sites by rank, calibration."""

import numpy as np

from leadline.core.inbox import FORM, RIGHT
from leadline.core.knowledge import Knowledge
from leadline.errors import ConfigError, ModelError
from leadline.forms.searchable import shipped_manifest
from leadline.learn.evaluation import measure_reliability
from leadline.learn.model_files import Manifest
from leadline.topics.judges import find_topic_folder
from leadline.topics.pack import read_pack
from leadline.ui.web.models import (
    Calibration,
    CalibrationBin,
    Feature,
    Iteration,
    Learned,
    RankedSite,
)
from leadline.ui.web.seen.following import Following
from leadline.ui.web.views.judging import kept, labels_of, ranking_of
from leadline.ui.web.views.overview import topic_of

_SITES = 15
_FEW_LABELS = 5
"""Labels below which they say nothing of calibration."""
_NOT_RESTORED = "what it learned cannot be told: a model of the crawl's settings is gone"
_NO_RANKS = "the strategy gives sites no rank of their own"
_FEW = f"fewer than {_FEW_LABELS} forms are labelled: calibration is told as it was in training"


def learned(seen: Following) -> Learned:
    told = _told(seen)
    top, bottom = _ranked(seen)
    labels = _by_labels(seen)
    notes = [*(told.notes if told else [_NOT_RESTORED])]
    notes += [] if top else [_NO_RANKS]
    notes += [] if labels else [_FEW]
    return Learned(
        strategy=seen.settings.get("strategy", {}).get("name", ""),
        iterations=_iterations(told) if told else (),
        weights=_weights(told) if told else {},
        top_sites=top,
        bottom_sites=bottom,
        calibrations=(*labels, *_by_training(seen)),
        notes=tuple(notes),
    )


def _told(seen: Following) -> Knowledge | None:
    ranking = ranking_of(seen)
    if ranking is None:
        return None
    return kept(seen, "told", id(ranking), ranking.learned)


def _iterations(told: Knowledge) -> tuple[Iteration, ...]:
    return tuple(
        Iteration(
            number=one.number,
            pages=one.pages,
            features={space: tuple(words) for space, words in one.features.items()},
            fresh={space: tuple(words) for space, words in one.fresh.items()},
        )
        for one in told.iterations
    )


def _weights(told: Knowledge) -> dict[str, tuple[Feature, ...]]:
    return {
        model: tuple(Feature(name=name, weight=weight) for name, weight in features)
        for model, features in told.weights.items()
    }


def _ranked(seen: Following) -> tuple[tuple[RankedSite, ...], tuple[RankedSite, ...]]:
    """Open sites with a rank of their own: lower tiers first, then higher scores."""
    sites = seen.sites
    ranked = np.flatnonzero((sites.tiers.cells >= 0) & (sites.closed.cells == 0))
    scores = np.nan_to_num(sites.scores.cells[ranked])
    order = ranked[np.lexsort((-scores, sites.tiers.cells[ranked]))]
    top = order[:_SITES]
    bottom = order[max(len(top), len(order) - _SITES) :][::-1]
    both = [tuple(_ranked_site(seen, at) for at in some.tolist()) for some in (top, bottom)]
    return both[0], both[1]


def _ranked_site(seen: Following, at: int) -> RankedSite:
    sites = seen.sites
    closed = sites.reasons.words[sites.closed.cells[at]]
    return RankedSite(
        site=sites.names[at],
        score=float(np.nan_to_num(sites.scores.cells[at])),
        pages=int(sites.counts["pages"].cells[at]),
        forms=int(sites.counts["forms"].cells[at]),
        why=f"tier {int(sites.tiers.cells[at])}{f', left: {closed}' if closed else ''}",
    )


def _by_labels(seen: Following) -> tuple[Calibration, ...]:
    """The critic's scores when labels were given, against the labels."""
    given = [one for one in labels_of(seen) if one.what == FORM and one.before is not None]
    if len(given) < _FEW_LABELS:
        return ()
    chances = [min(1.0, max(0.0, one.before or 0.0)) for one in given]
    found = measure_reliability(chances, [one.verdict == RIGHT for one in given])
    return (
        Calibration(
            name="relevant forms",
            bins=tuple(
                CalibrationBin(said=one.said, right=one.right, cases=one.cases)
                for one in found.bins
            ),
            error=found.error,
            source=f"{len(given)} labels of this store; people label what they look at",
        ),
    )


def _by_training(seen: Following) -> tuple[Calibration, ...]:
    """The figures that the shipped models were published with."""
    found = [_calibration("searchable forms", shipped_manifest(), "calibration")]
    topic = topic_of(seen)
    if topic:
        manifest = kept(seen, "topic manifest", topic, lambda: _topic_manifest(topic))
        found.append(_calibration(f"pages about {topic}", manifest, "page calibration"))
    return tuple(one for one in found if one is not None)


def _calibration(name: str, manifest: Manifest | None, score: str) -> Calibration | None:
    if manifest is None or score not in manifest.scores:
        return None
    data = ", ".join(manifest.trained_on)
    source = f"training of {manifest.date} on {data}: examples held back from it"
    return Calibration(name=name, bins=(), error=manifest.scores[score], source=source)


def _topic_manifest(topic: str) -> Manifest | None:
    """None for a topic of bare words, or one that is gone."""
    try:
        return read_pack(find_topic_folder(topic))[1]
    except (ConfigError, ModelError):
        return None
