"""Tests and intervals against cases computed by hand, scipy, and simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from leadline_lab.experiments.statistics import (
    Record,
    clustered_interval,
    friedman,
    hodges_lehmann,
    holm,
    signed_rank_p,
    wins_ties_losses,
)


def test_holm_corrects_as_computed_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


def test_hodges_lehmann_is_the_median_of_pairwise_means() -> None:
    # Means of pairs of 1, 2, 6: 1, 1.5, 3.5, 2, 4, 6.
    assert hodges_lehmann([1.0, 2.0, 6.0]) == 2.75
    assert hodges_lehmann([4.0]) == 4.0


def test_one_outlier_hardly_moves_hodges_lehmann() -> None:
    row = [1.0, 1.1, 0.9, 1.2, 0.8, 1.05, 0.95]
    assert abs(hodges_lehmann([*row, 1_000.0]) - hodges_lehmann(row)) < 0.1


def test_the_signed_rank_test_agrees_with_counting_all_signs() -> None:
    # Six positive differences: only one of 2^6 signings is as extreme on each side.
    assert signed_rank_p([1, 2, 3, 4, 5, 6]) == pytest.approx(2 / 64)
    assert signed_rank_p([0.0, 0.0]) == 1.0


def test_wins_are_counted_with_ties_apart() -> None:
    assert wins_ties_losses([1.0, 0.0, -2.0, 3.0]) == Record(2, 1, 1)


def test_mean_ranks_and_critical_distance_are_those_of_the_tables() -> None:
    values = {"a": [3.0, 3, 3, 2], "b": [2.0, 2, 1, 3], "c": [1.0, 1, 2, 1]}
    ranks = friedman(values)
    assert ranks.mean_ranks == {"a": 1.25, "b": 2.0, "c": 2.75}
    assert ranks.p == pytest.approx(stats.friedmanchisquare(*values.values()).pvalue)
    # q_0.05 for three is 2.343 in the published tables of Nemenyi's test.
    assert ranks.critical_distance == pytest.approx(2.343 * math.sqrt(3 * 4 / (6 * 4)), abs=1e-3)


def test_ties_share_their_ranks_and_two_strategies_have_no_friedman_test() -> None:
    ranks = friedman({"a": [1.0, 2.0], "b": [1.0, 1.0]})
    assert ranks.mean_ranks == {"a": 1.25, "b": 1.75}
    assert math.isnan(ranks.p)


def test_an_interval_weighs_numbers_not_clusters() -> None:
    interval = clustered_interval([[1.0, 1.0, 1.0], [5.0], [2.0], [2.0], [2.0]])
    assert interval.mean == 2.0
    assert interval.low < 2.0 < interval.high


@pytest.mark.parametrize("clusters", [[[1.0, 3.0]], [[2.0], [2.0], [2.0], [2.0]]])
def test_few_clusters_have_a_mean_and_no_interval(clusters: list[list[float]]) -> None:
    interval = clustered_interval(clusters)
    assert interval.mean == 2.0
    assert math.isnan(interval.low)
    assert not interval.excludes_zero


def test_the_same_numbers_give_the_same_interval() -> None:
    clusters = [[1.0, 2.0], [3.0], [0.5, 4.0], [2.0], [1.0]]
    assert clustered_interval(clusters) == clustered_interval(clusters)


@pytest.mark.parametrize("worlds", [6, 20])
def test_intervals_cover_the_truth_nineteen_times_in_twenty(worlds: int) -> None:
    random = np.random.default_rng(5)
    covered = 0
    for _ in range(400):
        of_world = random.normal(0.0, 1.0, (worlds, 1))
        rows = 2.0 + of_world + random.normal(0.0, 1.0, (worlds, 8))
        interval = clustered_interval(rows.tolist(), draws=1_000)
        covered += interval.low <= 2.0 <= interval.high
    assert 0.91 <= covered / 400 <= 0.98
