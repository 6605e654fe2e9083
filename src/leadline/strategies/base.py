"""`BaseStrategy`, which strategies are built on, and how they describe what they have learned."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import (
    BacklinkQuery,
    Candidate,
    ExtraUrl,
    FeatureRows,
    LinkFeatures,
    PageView,
    Priority,
    SiteState,
    Skip,
    Visit,
)
from leadline.core.ports import Scores, Strategy
from leadline.core.url import Site, Url

Words = Mapping[str, Sequence[str]]
"""Features of a model, strongest first, by the space they stand in."""
Weights = Mapping[str, Iterable[tuple[str, float]]]

SHOWN = 40
"""Features of a model that are told, half of them for and half against."""
NOT_LEARNING = "it learns nothing: links are ranked by the same rule from first to last"
NOT_YET = "it has not learned yet: too little was found to learn from"


class BaseStrategy:
    """Learns nothing, wants no other URLs, ranks a site by its best link; `rank` is left open."""

    features: LinkFeatures | None = None
    path_length = 0
    keeps_all_links = False
    """Whether every link that may be followed waits: then no fallback has anything to add."""

    def own_features(self, view: PageView) -> FeatureRows:
        """Never called unless `features.own` is set."""
        return np.zeros((len(view.links), 0), np.int32)

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:  # noqa: ARG002
        return ()

    def note_backlink_query(self, query: BacklinkQuery) -> None:
        """Never called: nothing is asked."""

    def rank_backlinks(
        self,
        query: BacklinkQuery,  # noqa: ARG002
        found: Sequence[Url],
    ) -> Sequence[Priority | Skip]:
        return [Skip("nobody asked")] * len(found)

    def rank_site(self, site: SiteState, view: PageView | None = None) -> Priority | Skip | None:  # noqa: ARG002
        return None

    def site_ranks(self) -> Iterable[tuple[Site, Priority]]:
        return ()

    def admit(self, candidate: Candidate, site: SiteState) -> Skip | None:  # noqa: ARG002
        return None

    def learn(self, view: PageView, visit: Visit) -> bool:  # noqa: ARG002
        return False

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        """Never called: nothing is learned."""

    def start_lessons(self) -> None:
        """Nothing to prepare."""

    def start_anew(self) -> None:
        """Nothing that was learned is of one crawl alone."""

    def explain_rank(self, candidate: Candidate) -> list[tuple[str, float]]:
        return [(candidate.priority.why or "no reason given", candidate.priority.score)]

    def name_queues(self, tiers: Mapping[int, int]) -> dict[str, int]:
        return {"links": sum(tiers.values())}

    def describe_knowledge(self) -> dict[str, Any]:
        return make_knowledge([], {}, NOT_LEARNING)

    def state(self) -> bytes:
        return b""

    def restore(self, state: bytes) -> None:
        """Nothing was kept."""


def can_learn(strategy: Strategy) -> bool:
    """Whether it takes anything from what it sees; if not, it is the same all the time."""
    return getattr(type(strategy), "learn", None) is not BaseStrategy.learn


def find_least_ranked(strategy: Strategy) -> float:
    """What a waiting link must be worth to be ranked again after the last `learn`; -inf: all are.
    For strategies that look at the most wanted links more often than at all (`least_ranked`)."""
    return float(getattr(strategy, "least_ranked", -math.inf))


def make_knowledge(
    iterations: Sequence[dict[str, Any]], weights: Weights, note: str
) -> dict[str, Any]:
    """All of it; `note` is added if something is missing."""
    return {
        "iterations": list(iterations),
        "weights": {model: pick_strongest(words) for model, words in weights.items()},
        "notes": [] if iterations and weights else [note],
    }


def make_steps(learned: Iterable[tuple[int, int, Words]]) -> list[dict[str, Any]]:
    """One row per learning: its number, the pages read until then, and the words that counted."""
    rows: list[dict[str, Any]] = []
    before: Words = {}
    for number, pages, words in learned:
        fresh = {space: _fresh(some, before.get(space, ())) for space, some in words.items()}
        features = {space: list(some) for space, some in words.items()}
        rows.append({"number": number, "pages": pages, "features": features, "fresh": fresh})
        before = words
    return rows


def _fresh(words: Sequence[str], before: Sequence[str]) -> list[str]:
    known = set(before)
    return [word for word in words if word not in known]


def pick_strongest(words: Iterable[tuple[str, float]], most: int = SHOWN) -> list[list[Any]]:
    """Those that count most, for or against, as [name, weight]."""
    known = [(name, round(float(weight), 4)) for name, weight in words if weight]
    for_it = sorted((pair for pair in known if pair[1] > 0), key=_strength)
    against = sorted((pair for pair in known if pair[1] < 0), key=_strength)
    few = min(len(for_it), max(most // 2, most - len(against)))
    chosen = sorted(for_it[:few] + against[: most - few], key=_strength)
    return [[name, weight] for name, weight in chosen]


def _strength(pair: tuple[str, float]) -> tuple[float, str]:
    return -abs(pair[1]), pair[0]
