"""Regression over hashed features, one link at a time; letters of texts; the growing tree."""

import numpy as np
import pytest

from leadline.learn.online_links import OnlineLinkModel, char_cells
from leadline.learn.regression_tree import RegressionTree, find_split

SEARCH, PRIVACY, PAGE = 11, 22, 33


def rows(*links: tuple[int, ...]) -> np.ndarray:
    return np.array(links, np.int32)


def test_chances_part_links_that_led_to_something_from_others() -> None:
    model = OnlineLinkModel(0.5, is_chance=True)
    for _ in range(50):
        model.learn(rows((SEARCH, PAGE), (PRIVACY, PAGE)), np.array([1.0, 0.0], np.float32))
    good, bad, unknown = model.predict(rows((SEARCH, PAGE), (PRIVACY, PAGE), (44, 0))).tolist()
    assert good > 0.8 > 0.2 > bad
    assert unknown == pytest.approx(51 / 120, abs=1e-4)


def test_a_linear_model_comes_to_the_mean_of_its_targets() -> None:
    model = OnlineLinkModel(0.1, is_chance=False, is_plain=True)
    for number in range(400):
        model.learn(rows((SEARCH, PAGE)), np.array([number % 2], np.float32))
    assert model.predict(rows((SEARCH, PAGE)))[0] == pytest.approx(0.5, abs=0.06)


def test_no_feature_weighs_nothing_and_what_was_learned_survives_saving() -> None:
    model = OnlineLinkModel(0.5, is_chance=True)
    model.learn(rows((SEARCH, 0)), np.array([1.0], np.float32))
    assert model.weights[0] == 0
    heir = OnlineLinkModel(0.5, is_chance=True)
    heir.load(model.save())
    assert heir.predict(rows((SEARCH, 0))) == model.predict(rows((SEARCH, 0)))


def test_texts_that_share_letters_share_features() -> None:
    cells = char_cells(["search", "research", "xyz", ""], (3,), 10)
    assert cells.shape == (4, 8)
    one, two, other, none = (set(row.tolist()) - {0} for row in cells)
    assert len(one) == 4
    assert one <= two
    assert not one & other
    assert not none


def test_a_split_is_where_the_variance_falls_most() -> None:
    column, border = find_split(
        np.array([[5, 1], [5, 2], [6, 8], [5, 9]], np.float32), np.array([0.0, 0, 1, 1]), 2
    ) or (-1, 0.0)
    assert (column, border) == (1, 5.0)
    assert find_split(np.ones((6, 2), np.float32), np.arange(6.0), 2) is None


def test_the_tree_parts_good_links_from_bad_ones_and_says_how() -> None:
    tree = RegressionTree(2, least=10)
    for number in range(60):
        is_good = number % 2
        tree.learn(np.array([number % 7, is_good], np.float32), float(is_good))
    both = tree.find_leaves(np.array([[3, 0], [3, 1]], np.float32))
    low, high = tree.values()[both].tolist()
    assert low < 0.2 < 0.8 < high
    assert tree.describe(int(both[1]), ("size", "search")) == "search >= 0.5"


def test_the_tree_is_no_deeper_than_it_may_be() -> None:
    tree = RegressionTree(1, most_depth=2, least=2)
    for number in range(400):
        tree.learn(np.array([number % 40], np.float32), float(number % 40))
    assert tree.leaves <= 4
