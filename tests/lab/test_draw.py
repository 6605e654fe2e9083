"""Chance that is a function of a key."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from leadline_lab.draw import Draw, Shuffle, key_of, number_at, numbers, numbers_at, running_sums

KEYS = st.integers(0, 2**64 - 1)


def test_draws_are_the_same_everywhere() -> None:
    assert key_of(7, "site", 12) == 16_178_624_725_705_864_314
    assert numbers(7, 3).tolist() == [
        7_191_089_600_892_374_487,
        309_689_372_594_955_804,
        16_616_101_746_815_609_346,
    ]


@given(KEYS, st.integers(1, 300))
def test_a_longer_row_begins_with_the_shorter_one(key: int, n: int) -> None:
    assert numbers(key, n + 10)[:n].tolist() == numbers(key, n).tolist()


@given(KEYS, st.integers(1, 2**40))
def test_one_draw_is_the_same_alone_and_in_a_row(key: int, place: int) -> None:
    row = numbers_at(key, np.array([place], np.uint64))
    assert number_at(key, place) == int(row[0])


@given(KEYS)
def test_draws_one_after_another_are_the_row(key: int) -> None:
    draw = Draw(key)
    assert [draw.number() for _ in range(20)] == numbers(key, 20).tolist()


@given(KEYS, st.integers(1, 1000))
def test_draws_stay_below_their_bound(key: int, n: int) -> None:
    draw = Draw(key)
    assert all(0 <= draw.below(n) < n for _ in range(100))


@given(KEYS)
def test_some_are_different_ones(key: int) -> None:
    found = Draw(key).some(range(10), 6)
    assert len(set(found)) == 6


def test_weights_decide_how_often() -> None:
    draw = Draw(3)
    sums = running_sums((1, 3))
    drawn = [draw.weighted(sums) for _ in range(4_000)]
    assert 0.72 < sum(drawn) / len(drawn) < 0.78


def test_quantiles_give_their_distribution() -> None:
    draw = Draw(4)
    drawn = sorted(draw.quantile((0, 10, 100)) for _ in range(4_000))
    assert abs(drawn[2_000] - 10) <= 2
    assert drawn[0] == 0
    assert drawn[-1] < 100


@given(KEYS, st.integers(1, 5_000))
def test_a_shuffle_is_a_permutation_that_goes_back(key: int, size: int) -> None:
    shuffle = Shuffle(key, size)
    places = range(min(size, 50))
    there = [shuffle.at(place) for place in places]
    assert len(set(there)) == len(there)
    assert all(0 <= place < size for place in there)
    assert [shuffle.back(place) for place in there] == list(places)


@given(KEYS, st.integers(1, 10**8))
def test_rows_are_shuffled_as_single_places_are(key: int, size: int) -> None:
    shuffle = Shuffle(key, size)
    places = [place * (size - 1) // 20 for place in range(21)]
    there = shuffle.at_all(np.array(places, np.uint64))
    assert there.tolist() == [shuffle.at(place) for place in places]
    assert shuffle.back_all(there).tolist() == places
