"""What most strategies have in common: a beginning, of which each replaces what it does itself."""

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
from leadline.strategies.telling import NOT_LEARNING, told


class Base:
    """Learns nothing, wants no other URLs, ranks a site by its best link; `rank` is left open."""

    features: LinkFeatures | None = None
    path_length = 0

    def own_features(self, view: PageView) -> FeatureRows:
        """Never called unless `features.own` is set."""
        return np.zeros((len(view.links), 0), np.int32)

    def extra_urls(self, view: PageView) -> Sequence[ExtraUrl | BacklinkQuery]:  # noqa: ARG002
        return ()

    def asked(self, question: BacklinkQuery) -> None:
        """Never called: nothing is asked."""

    def rank_backlinks(
        self,
        question: BacklinkQuery,  # noqa: ARG002
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

    def reasons(self, candidate: Candidate) -> list[tuple[str, float]]:
        return [(candidate.priority.why or "no reason given", candidate.priority.score)]

    def name_queues(self, tiers: Mapping[int, int]) -> dict[str, int]:
        return {"links": sum(tiers.values())}

    def learned(self) -> dict[str, Any]:
        return told([], {}, NOT_LEARNING)

    def state(self) -> bytes:
        return b""

    def restore(self, state: bytes) -> None:
        """Nothing was kept."""


def learns(strategy: Strategy) -> bool:
    """Whether it takes anything from what it sees; if not, it is the same all the time."""
    return getattr(type(strategy), "learn", None) is not Base.learn
