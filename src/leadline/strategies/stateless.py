"""What strategies that learn nothing have in common."""

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows, LinkFeatures, Priority, Sight, SiteState, Skip, Visit
from leadline.core.ports import Scores


class Stateless:
    """Ranks a link once, by what is seen when it is found, and a site by its best link."""

    features: LinkFeatures | None = None

    def rank_site(self, site: SiteState) -> Priority | Skip | None:  # noqa: ARG002
        return None

    def learn(self, sight: Sight, visit: Visit) -> bool:  # noqa: ARG002
        return False

    def rescore(self, tiers: NDArray[np.int32], scores: Scores, features: FeatureRows) -> None:
        """Never called: nothing is learned."""

    def state(self) -> bytes:
        return b""

    def restore(self, state: bytes) -> None:
        """Nothing was kept."""
