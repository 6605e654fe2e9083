"""Folds that keep groups together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.learn.folds import grouped_folds


@given(st.lists(st.sampled_from("abcdefghijklmnop"), min_size=1, max_size=200), st.integers(0, 9))
def test_rows_of_one_group_share_a_fold(groups: list[str], seed: int) -> None:
    count = min(4, len(set(groups)))
    folds = grouped_folds(groups, count, seed)
    for group in set(groups):
        assert (
            len({int(fold) for fold, own in zip(folds, groups, strict=True) if own == group}) == 1
        )
    assert set(folds.tolist()) == set(range(count))
    assert (folds == grouped_folds(groups, count, seed)).all()


def test_folds_are_about_equally_large() -> None:
    rng = np.random.default_rng(6)
    groups = [f"host{n}" for n in rng.integers(0, 120, 1_000)]
    sizes = np.bincount(grouped_folds(groups, 10))
    assert sizes.min() >= 95
    assert sizes.max() <= 105


def test_the_order_of_rows_changes_nothing() -> None:
    groups = list("aaabbcdddde")
    folds = dict(zip(groups, grouped_folds(groups, 3).tolist(), strict=True))
    turned = groups[::-1]
    assert folds == dict(zip(turned, grouped_folds(turned, 3).tolist(), strict=True))


def test_fewer_groups_than_folds_are_refused() -> None:
    with pytest.raises(ValueError, match="2 groups cannot fill 3 folds"):
        grouped_folds(["a", "b", "a"], 3)
