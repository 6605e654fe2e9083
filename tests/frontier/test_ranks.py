"""Ranks order as priorities do, one by one and in bulk."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.frontier.ranks import LARGEST, priorities_of, priority_of, rank_of, ranks_of

scores = st.floats() | st.floats(width=32)
pairs = st.tuples(st.integers(0, 65_535), scores)


def tidy(score: float) -> float:
    return -LARGEST if math.isnan(score) else float(np.float32(max(-LARGEST, min(LARGEST, score))))


@given(pairs, pairs)
def test_a_smaller_rank_is_a_lower_tier_or_a_higher_score(
    one: tuple[int, float], other: tuple[int, float]
) -> None:
    keys = [(tier, -tidy(score)) for tier, score in (one, other)]
    assert (rank_of(*one) < rank_of(*other)) == (keys[0] < keys[1])
    assert (rank_of(*one) == rank_of(*other)) == (keys[0] == keys[1])


@given(pairs)
def test_a_priority_comes_back_from_its_rank(pair: tuple[int, float]) -> None:
    assert priority_of(rank_of(*pair)) == (pair[0], tidy(pair[1]), "")


@given(st.lists(st.tuples(st.integers(0, 65_535), st.floats(width=32)), max_size=20))
def test_many_ranks_are_the_ranks_of_each(many: list[tuple[int, float]]) -> None:
    tiers = np.array([tier for tier, _ in many], np.int32)
    values = np.array([score for _, score in many], np.float32)
    ranks = ranks_of(tiers, values)
    assert ranks.tolist() == [rank_of(*pair) for pair in many]
    back_tiers, back_scores = priorities_of(ranks)
    assert back_tiers.tolist() == tiers.tolist()
    assert back_scores.tolist() == [tidy(score) for _, score in many]


@pytest.mark.parametrize("tier", [-1, 65_536])
def test_a_tier_out_of_range_is_refused(tier: int) -> None:
    with pytest.raises(ValueError, match="tier"):
        rank_of(tier, 0.0)
    with pytest.raises(ValueError, match="tier"):
        ranks_of(np.array([tier], np.int32), np.zeros(1, np.float32))
