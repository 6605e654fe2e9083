"""What the crawler has learned: features by iteration, weights, sites by rank, calibration."""

import numpy as np
from msgspec import Struct, structs

from leadline.core.inbox import FORM, RIGHT
from leadline.core.knowledge import Knowledge
from leadline.errors import ConfigError, ModelError
from leadline.forms.searchable import read_shipped_manifest
from leadline.learn.evaluation import ReliabilityBin, measure_reliability
from leadline.learn.model_files import Manifest
from leadline.topics.judges import find_topic_folder
from leadline.topics.pack import read_pack
from leadline.views.critic import find_ranking
from leadline.views.mirror.store import StoreMirror

_MOST_SITES = 15
_LEAST_LABELS = 5
"""Fewer labels say nothing of calibration."""
_NOT_RESTORED = "what it learned cannot be shown: a model of the crawl's settings is gone"
_NO_RANKS = "the strategy gives sites no rank of their own"
_FEW = f"fewer than {_LEAST_LABELS} forms are labelled: calibration is shown as it was in training"


class RankedSite(Struct, frozen=True):
    """A site and its rank."""

    site: str
    score: float
    pages: int
    forms: int
    why: str


class Calibration(Struct, frozen=True):
    """Whether a classifier's probabilities can be believed."""

    name: str
    bins: tuple[ReliabilityBin, ...]
    """Of the cases that were given about this probability, so many were right."""
    error: float
    """Expected calibration error."""
    source: str
    """What it was measured on: labels of this store, or training."""


class LearnedReport(Knowledge, frozen=True):
    """What the crawler has learned."""

    strategy: str
    top_sites: tuple[RankedSite, ...]
    bottom_sites: tuple[RankedSite, ...]
    calibrations: tuple[Calibration, ...]


def read_learned(mirror: StoreMirror) -> LearnedReport:
    ranking = find_ranking(mirror)
    if ranking is None:
        knowledge = Knowledge([], {}, [_NOT_RESTORED])
    else:
        knowledge = mirror.remember("knowledge", id(ranking), ranking.knowledge)
    top, bottom = _rank_sites(mirror)
    by_labels = _calibration_by_labels(mirror)
    notes = [*knowledge.notes, *([] if top else [_NO_RANKS]), *([] if by_labels else [_FEW])]
    return LearnedReport(
        **structs.asdict(structs.replace(knowledge, notes=notes)),
        strategy=mirror.settings.get("strategy", {}).get("name", ""),
        top_sites=top,
        bottom_sites=bottom,
        calibrations=(*by_labels, *_calibrations_by_training(mirror)),
    )


def _rank_sites(mirror: StoreMirror) -> tuple[tuple[RankedSite, ...], tuple[RankedSite, ...]]:
    """Open sites with a rank of their own: lower tiers first, then higher scores."""
    sites = mirror.sites
    ranked = np.flatnonzero((sites.tiers.cells >= 0) & (sites.closed.cells == 0))
    scores = np.nan_to_num(sites.scores.cells[ranked])
    order = ranked[np.lexsort((-scores, sites.tiers.cells[ranked]))]
    top = order[:_MOST_SITES]
    # A store with few ranked sites must not list one at both ends.
    bottom = order[max(len(top), len(order) - _MOST_SITES) :][::-1]
    both = [tuple(_ranked_site(mirror, at) for at in some.tolist()) for some in (top, bottom)]
    return both[0], both[1]


def _ranked_site(mirror: StoreMirror, at: int) -> RankedSite:
    sites = mirror.sites
    closed = sites.reasons.words[sites.closed.cells[at]]
    return RankedSite(
        site=sites.names[at],
        score=float(np.nan_to_num(sites.scores.cells[at])),
        pages=int(sites.counts["pages"].cells[at]),
        forms=int(sites.counts["forms"].cells[at]),
        why=f"tier {int(sites.tiers.cells[at])}{f', left: {closed}' if closed else ''}",
    )


def _calibration_by_labels(mirror: StoreMirror) -> tuple[Calibration, ...]:
    """The critic's scores when labels were given, against the labels."""
    labels = mirror.store.inbox.labels()
    given = [one for one in labels if one.what == FORM and one.before is not None]
    if len(given) < _LEAST_LABELS:
        return ()
    # Programs leave labels too, and may write any number as the score before.
    chances = [min(1.0, max(0.0, one.before or 0.0)) for one in given]
    found = measure_reliability(chances, [one.verdict == RIGHT for one in given])
    source = f"{len(given)} labels of this store; people label what they look at"
    return (Calibration("relevant forms", found.bins, found.error, source),)


def _calibrations_by_training(mirror: StoreMirror) -> tuple[Calibration, ...]:
    """The figures that the shipped models were published with."""
    found = [_read_published("searchable forms", read_shipped_manifest(), "calibration")]
    topic = mirror.topic
    if topic:
        manifest = mirror.remember("topic manifest", topic, lambda: _topic_manifest(topic))
        found.append(_read_published(f"pages about {topic}", manifest, "page calibration"))
    return tuple(one for one in found if one is not None)


def _read_published(name: str, manifest: Manifest | None, score: str) -> Calibration | None:
    if manifest is None or score not in manifest.scores:
        return None
    data = ", ".join(manifest.trained_on)
    source = f"training of {manifest.date} on {data}: examples held back from it"
    return Calibration(name, (), manifest.scores[score], source)


def _topic_manifest(topic: str) -> Manifest | None:
    """None for a topic of bare words, or one that is gone."""
    try:
        return read_pack(find_topic_folder(topic))[1]
    except (ConfigError, ModelError):
        return None
