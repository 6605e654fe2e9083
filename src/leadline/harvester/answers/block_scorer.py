"""How likely a group of items on a page is its list of results: a learned score.

Two ensembles of small regression trees see what `block_measures` measures of each candidate. One
predicts how well its items agree with the results, the other which candidate of a page to prefer.
Both were fitted on real result pages of search services, courts and other makers and on written
ones by `tools.block_training`; they are plain arrays in `block_scorer.json`.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.harvester.answers.block_measures import FEATURES


class TreeEnsemble(Struct, frozen=True):
    """Regression trees as arrays: all trees are walked at once."""

    base: float
    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    """-1 at a leaf."""
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float64]
    depth: int

    def score(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """One for each row of measures."""
        at = np.repeat(self.roots[None, :], len(rows), axis=0)
        number = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            feature = self.feature[at]
            is_leaf = feature < 0
            goes_left = rows[number, np.where(is_leaf, 0, feature)] <= self.threshold[at]
            at = np.where(is_leaf, at, np.where(goes_left, self.left[at], self.right[at]))
        scores: NDArray[np.float64] = self.base + self.value[at].sum(axis=1)
        return scores


class BlockScorer(Struct, frozen=True):
    """Scores the candidates of a page."""

    agreement: TreeEnsemble
    """The F1 to expect of a candidate, on any page."""
    preference: TreeEnsemble
    """Tells candidates of one page apart; between pages it says nothing."""
    preference_share: float
    """What a unit of preference counts for beside the F1 to expect."""

    def score(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The F1 to expect of each candidate."""
        return self.agreement.score(rows)

    def choose(self, rows: NDArray[np.float64], scores: NDArray[np.float64]) -> int:
        """The candidate to take for the results, of those with these scores."""
        return int((scores + self.preference_share * self.preference.score(rows)).argmax())

    def weigh_odds(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """How readily each candidate would be taken in place of the first."""
        preferences = self.preference.score(rows)
        odds: NDArray[np.float64] = np.exp(preferences - preferences[0])
        return odds


@cache
def load_scorer() -> BlockScorer:
    """The trees that ship with leadline."""
    path = resources.files(__package__) / "block_scorer.json"
    return scorer_from(json.loads(path.read_text("utf-8")))


def scorer_from(told: Mapping[str, Any]) -> BlockScorer:
    """The trees that `tools.block_training` writes."""
    if tuple(told["features"]) != FEATURES:
        raise ValueError("block_scorer.json was made for other features: train it again")
    return BlockScorer(
        trees_from(told["agreement"]), trees_from(told["preference"]), told["preference_share"]
    )


def trees_from(told: Mapping[str, Any]) -> TreeEnsemble:
    return TreeEnsemble(
        told["base"],
        np.array(told["roots"], dtype=np.int32),
        np.array(told["feature"], dtype=np.int32),
        np.array(told["threshold"], dtype=np.float64),
        np.array(told["left"], dtype=np.int32),
        np.array(told["right"], dtype=np.int32),
        np.array(told["value"], dtype=np.float64),
        told["depth"],
    )
