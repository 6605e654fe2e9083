import random

import pytest

from leadline.harvester.coverage.estimators import (
    ESTIMATES,
    LEAST_SHARE,
    SightingCounts,
    Sightings,
    chao1_interval,
    estimate_ace,
    estimate_chao1,
    estimate_good_turing,
    estimate_halves,
    estimate_overlap,
    log_unseen,
)


def sampled(weights: list[float], queries: int, each: int) -> SightingCounts:
    """What comes of queries that bring records by their weights."""
    chance, seen, held, sightings = random.Random(5), Sightings(), set[int](), 0
    for number in range(queries):
        rows = set(chance.choices(range(len(weights)), weights, k=each))
        seen.add(rows, half=number % 2)
        held |= rows
        sightings += len(rows)
    return seen.counts(len(held), sightings)


def test_numbers_worked_out_by_hand() -> None:
    counts = SightingCounts(
        100, 200, (40, 20, 10, 0, 0, 0, 0, 0, 0, 0), first=70, second=60, both=30
    )
    assert estimate_good_turing(counts) == pytest.approx(125)
    assert estimate_chao1(counts) == pytest.approx(100 + 40 * 39 / (2 * 21))
    assert estimate_overlap(counts) == pytest.approx(100 / (1 - 2**-1.1))
    assert estimate_halves(counts) == pytest.approx(71 * 61 / 31 - 1)
    # 30 common, 70 rare with 110 sightings: 40/110 of them once; 100 pairs.
    covered = 1 - 40 / 110
    spread = 70 / covered * 100 / (110 * 109) - 1
    assert estimate_ace(counts) == pytest.approx(30 + 70 / covered + 40 / covered * max(0, spread))


@pytest.mark.parametrize("name", ["Good-Turing", "Chao1", "ACE", "halves"])
def test_an_even_source_is_sized_rightly(name: str) -> None:
    counts = sampled([1.0] * 2_000, queries=60, each=50)
    assert ESTIMATES[name](counts) == pytest.approx(2_000, rel=0.1)


def test_chao1_is_sure_of_an_even_source() -> None:
    low, high = chao1_interval(sampled([1.0] * 2_000, queries=60, each=50))
    assert low < 2_000 < high < 1.3 * low


def test_chao1_has_no_interval_where_nothing_came_once() -> None:
    counts = SightingCounts(50, 100, (0, 50, *[0] * 8), first=50, second=50, both=50)
    assert chao1_interval(counts) == (50, 50)


def test_an_uneven_source_is_sized_too_small_by_chao1() -> None:
    weights = [1 / (1 + number) for number in range(5_000)]
    assert estimate_chao1(sampled(weights, queries=60, each=50)) < 0.75 * 5_000


@pytest.mark.parametrize("name", list(ESTIMATES))
def test_nothing_seen_twice_leaves_a_bounded_size(name: str) -> None:
    counts = SightingCounts(50, 50, (50, *[0] * 9), first=25, second=25, both=0)
    assert 50 <= ESTIMATES[name](counts) <= 50 / LEAST_SHARE


@pytest.mark.parametrize("name", list(ESTIMATES))
def test_nothing_held_is_no_error(name: str) -> None:
    assert ESTIMATES[name](SightingCounts(0, 0, (0.0,) * 10, 0, 0, 0)) >= 0


def test_unseen_rises_with_the_size() -> None:
    assert (
        log_unseen(100, 100) < log_unseen(101, 100) < log_unseen(200, 100) < log_unseen(10**6, 100)
    )
