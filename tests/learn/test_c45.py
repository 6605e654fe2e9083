"""C4.5 on examples small enough to be worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.learn.c45 import Growth, Tree, extra_errors, fit_tree


def tree_of(rows: list[list[float]], labels: list[int], growth: Growth | None = None) -> Tree:
    return fit_tree(np.array(rows, np.float64), np.array(labels, np.int64), growth)


def test_a_clean_cut_is_found_in_the_middle() -> None:
    tree = tree_of([[n] for n in (1, 2, 3, 4, 7, 8, 9, 10)], [0, 0, 0, 0, 1, 1, 1, 1])
    assert tree.feature.tolist() == [0, -1, -1]
    assert tree.cut[0] == 5.5
    assert tree.counts.tolist() == [[4, 4], [4, 0], [0, 4]]
    assert tree.leaves(np.array([[5.5], [5.6]])).tolist() == [1, 2]


def test_chances_are_the_leaf_s_by_laplace_s_rule() -> None:
    tree = tree_of([[0], [0], [0], [0], [1], [1]], [0, 0, 0, 0, 1, 1])
    assert np.allclose(tree.chances(np.array([[0.0], [1.0]])), [[5 / 6, 1 / 6], [1 / 4, 3 / 4]])


def test_a_gain_that_does_not_pay_for_naming_its_cut_is_none() -> None:
    """Cut at 5.5 of ten rows: labels 1 0 1 1 1 | 0 0 1 0 0 gain 0.278 bits.

    Naming one of the seven cuts with two rows on each side costs log2(7) / 10 = 0.281.
    """
    labels = [1, 0, 1, 1, 1, 0, 0, 1, 0, 0]
    best = 1 - (-0.8 * math.log2(0.8) - 0.2 * math.log2(0.2))
    assert best < math.log2(7) / 10
    assert len(tree_of([[n] for n in range(10)], labels).feature) == 1


LABELS = [0] * 8 + [1] * 8
SMALL_AND_PURE = [1.0] * 6 + [0.0] * 2 + [1.0] * 8
"""Splits off two rows of one class: gain 0.138, split information 0.544, ratio 0.254."""
EVEN = [0.0] * 6 + [1.0] * 2 + [0.0] * 2 + [1.0] * 6
"""Halves the rows with two faults on each side: gain 0.189, split information 1, ratio 0.189."""
WEAK = [0.0] * 5 + [1.0] * 3 + [0.0] * 3 + [1.0] * 5
"""The same with three faults: gain 0.046."""
UNPRUNED = Growth(confidence=0.999)


def root_of(*columns: list[float]) -> int:
    rows = [list(row) for row in zip(*columns, strict=True)]
    return int(tree_of(rows, LABELS, UNPRUNED).feature[0])


def test_the_gain_ratio_decides_among_gains_above_the_average() -> None:
    """The average of 0.189, 0.138 and 0.046 is 0.124."""
    assert root_of(EVEN, SMALL_AND_PURE, WEAK) == 1


def test_a_gain_below_the_average_is_passed_over_whatever_its_ratio() -> None:
    """The average of 0.138, 0.189 and 0.189 is 0.172."""
    assert root_of(SMALL_AND_PURE, EVEN, EVEN) == 1


def test_no_side_of_a_split_is_smaller_than_allowed() -> None:
    rows, labels = [[0.0], [1.0], [1.0], [1.0], [1.0], [1.0]], [1, 0, 0, 0, 0, 0]
    assert len(tree_of(rows, labels).feature) == 1
    assert len(tree_of(rows, labels, Growth(min_leaf=1)).feature) == 3


@pytest.mark.parametrize(("rows", "rate"), [(6, 0.206), (9, 0.143), (1, 0.750)])
def test_leaves_without_errors_promise_what_quinlan_s_book_says(rows: int, rate: float) -> None:
    assert extra_errors(rows, 0, 0.25) / rows == pytest.approx(rate, abs=5e-4)


def test_a_leaf_with_one_error_in_sixteen_promises_about_what_the_book_says() -> None:
    """The book has 0.157 from the exact binomial; C4.5's own program approximates by a normal."""
    assert (1 + extra_errors(16, 1, 0.25)) / 16 == pytest.approx(0.157, abs=0.005)


def test_noise_is_pruned_away() -> None:
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 6, (300, 4)).astype(np.float64)
    labels = (rows[:, 0] > 2).astype(np.int64) ^ (rng.random(300) < 0.1)
    pruned = fit_tree(rows, labels.astype(np.int64))
    grown = fit_tree(rows, labels.astype(np.int64), Growth(confidence=0.999))
    assert len(pruned.feature) < len(grown.feature)
    assert pruned.feature[0] == 0
    assert pruned.cut[0] == 2.5


def test_the_way_down_adds_up_to_the_chance_at_the_leaf() -> None:
    rows = [[a, b] for a in (0.0, 1.0) for b in (0.0, 1.0)] * 5
    tree = tree_of(rows, [int(a and b) for a, b in rows])
    path = tree.path(np.array([1.0, 1.0]))
    assert sorted(feature for feature, _ in path) == [0, 1]
    root = (tree.counts[0] + 1) / (tree.counts[0] + 1).sum()
    reached = root + sum(added for _, added in path)
    assert np.allclose(reached, tree.chances(np.array([[1.0, 1.0]]))[0])


def test_no_rows_are_refused() -> None:
    with pytest.raises(ValueError, match="0 rows"):
        fit_tree(np.zeros((0, 2)), np.zeros(0, np.int64))


_row = st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 2))


@given(st.lists(_row, min_size=1, max_size=60))
def test_every_row_ends_in_a_leaf_that_counts_it(drawn: list[tuple[int, int, int]]) -> None:
    rows = np.array([row[:2] for row in drawn], np.float64)
    labels = np.array([row[2] for row in drawn], np.int64)
    tree = fit_tree(rows, labels)
    leaves = tree.leaves(rows)
    assert (tree.feature[leaves] == -1).all()
    assert (tree.counts[np.unique(leaves)].sum(axis=0) == np.bincount(labels)).all()
    again = fit_tree(rows, labels)
    assert all((again.arrays()[name] == part).all() for name, part in tree.arrays().items())
