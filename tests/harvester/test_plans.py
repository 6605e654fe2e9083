"""Plans: menus that are asked through, and what overflows of them."""

import numpy as np
import pytest

from leadline.harvester.policies.yield_per_cost.estimates import ExpectedReturn
from leadline.harvester.policies.yield_per_cost.proposals import plan_weight


def _expected(*rows: tuple[float, float]) -> ExpectedReturn:
    fresh, requests = zip(*rows, strict=True)
    return ExpectedReturn(np.array(fresh), np.array(requests))


def test_a_menu_that_brings_all_that_is_unseen_counts_twice() -> None:
    assert plan_weight(_expected((50, 5), (50, 5)), unseen=100) == pytest.approx(2.0)


def test_a_menu_that_brings_next_to_nothing_of_it_counts_once() -> None:
    assert plan_weight(_expected((5, 1), (5, 1)), unseen=10_000) == pytest.approx(1.001)


def test_choices_that_bring_little_are_left_out_of_the_plan() -> None:
    few = _expected((50, 5))
    with_poor_ones = _expected((50, 5), (1, 10), (1, 10))
    assert plan_weight(with_poor_ones, unseen=100) == plan_weight(few, unseen=100)
