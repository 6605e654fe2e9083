"""Ask for words of acquired records at random.

L. Jiang, Z. Wu, Q. Feng, J. Liu and Q. Zheng, "Efficient Deep Web Crawling Using Reinforcement
Learning", PAKDD 2010, section 5: the baseline `Random`.

    candidates: the 500 terms of acquired records with the highest residual IDF
    ask for one of them, each as likely as any other

Departures: chance is a hash of the word and the seed, so that a harvest that is taken up again
goes on as it would have.
"""

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from leadline.harvester.holdings import Holdings
from leadline.harvester.interface import Interface
from leadline.harvester.policies.base import CANDIDATES, Floats, Rows, WordPolicy

_MIX = 0x9E37_79B9_7F4A_7C15
_LEAST = np.uint64(11)


class RandomSettings(BaseModel):
    """Settings of `random`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    candidates: int = Field(CANDIDATES, ge=1, description="Words considered at a time.")


class RandomWords(WordPolicy):
    """Words in random order."""

    name = "random"

    def __init__(
        self, settings: RandomSettings, interface: Interface, holdings: Holdings, seed: int = 0
    ) -> None:
        super().__init__(interface, holdings, settings.candidates)
        self._seed = np.uint64((2 * seed + 1) * _MIX % 2**64)

    def scores(self, rows: Rows) -> Floats:
        mixed = self.holdings.terms.hashes[rows] * self._seed
        return ((mixed ^ mixed >> np.uint64(32)) * self._seed >> _LEAST) / 2.0**53
