"""Naive Bayes over hashed link features."""

import math

import numpy as np
import pytest

from leadline.learn.link_bayes import LinkBayes, pack_arrays, unpack_arrays


def taught() -> LinkBayes:
    bayes = LinkBayes()
    rows = np.array([[1, 2, 0], [1, 1, 0], [3, 2, 0]], np.int32)
    bayes.add(rows, np.array([True, True, False]))
    return bayes


def test_rates_are_by_laplaces_rule_within_each_class() -> None:
    odds = taught().odds()
    # Three features met; four words at links of the high class, two at the low one.
    assert odds.weights[1] == pytest.approx(math.log((4 / 7) / (1 / 5)))
    assert odds.weights[2] == pytest.approx(math.log((2 / 7) / (2 / 5)))
    assert odds.weights[3] == pytest.approx(math.log((1 / 7) / (2 / 5)))
    assert odds.prior == pytest.approx(math.log(3 / 2))


def test_features_never_met_and_empty_cells_say_nothing() -> None:
    odds = taught().odds()
    assert odds.of_rows(np.array([[0, 9, 0]], np.int32)).tolist() == pytest.approx([odds.prior])


def test_scores_are_sums_and_parts_add_up() -> None:
    odds = taught().odds()
    row = np.array([1, 2, 2], np.int32)
    for length in (0, 2):
        (score,) = odds.of_rows(row[None], length).tolist()
        assert score == pytest.approx(odds.prior + float(odds.parts(row, length).sum()), rel=1e-5)


def test_with_a_length_longer_links_weigh_no_more() -> None:
    odds = taught().odds()
    short, long = odds.of_rows(np.array([[1, 0, 0], [1, 1, 1]], np.int32), 1).tolist()
    assert short == pytest.approx(long)


def test_batches_teach_the_same_as_all_at_once() -> None:
    rows = np.random.default_rng(1).integers(0, 50, (40, 6), np.int32)
    is_high = rows[:, 0] > 20
    whole, parts = LinkBayes(), LinkBayes()
    whole.add(rows, is_high)
    for half in (slice(0, 17), slice(17, 40)):
        parts.add(rows[half], is_high[half])
    assert (whole.counts == parts.counts).all()
    assert pack_arrays(whole.arrays()) == pack_arrays(parts.arrays())


def test_what_was_packed_is_what_was_counted() -> None:
    bayes = taught()
    again = LinkBayes.of(unpack_arrays(pack_arrays(bayes.arrays())))
    assert (again.counts == bayes.counts).all()
    assert (again.links == bayes.links).all()


def test_anything_else_is_refused() -> None:
    with pytest.raises(ValueError, match="not packed"):
        unpack_arrays(b"PK\x03\x04 no")
