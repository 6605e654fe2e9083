import random

from leadline.frontier.seen_urls import text_hash
from leadline.harvester.coverage.estimators import Sightings


def test_records_are_counted_by_how_often_they_came() -> None:
    seen = Sightings()
    seen.add([1, 2, 3], half=0)
    seen.add([2, 3], half=1)
    seen.add([3], half=1)
    counts = seen.counts(held=3, sightings=6)
    assert counts.times[:3] == (1, 1, 1)
    assert (counts.first, counts.second, counts.both) == (3, 2, 2)


def test_records_beyond_the_most_are_counted_on_a_sample() -> None:
    seen, chance = Sightings(most=2_000), random.Random(3)
    keys = [text_hash(str(number)) for number in range(40_000)]
    for number in range(20):
        seen.add(chance.sample(keys, 10_000), half=number % 2)
    assert len(seen._seen) <= 2_000
    counts = seen.counts(held=40_000, sightings=200_000)
    # Each record came five times on average, by chance: 40,000 * 20 * 0.25 * 0.75 ** 19 once.
    assert abs(counts.once - 845) < 250
    assert abs(counts.first - 40_000 * (1 - 0.75**10)) < 800


def test_which_records_are_sampled_does_not_depend_on_their_order() -> None:
    keys = [text_hash(str(number)) for number in range(1_000)]
    one, other = Sightings(most=100), Sightings(most=100)
    one.add(keys, half=0)
    for key in reversed(keys):
        other.add([key], half=0)
    assert one.counts(1_000, 1_000) == other.counts(1_000, 1_000)
    assert one._seen == other._seen


def test_nothing_seen_counts_nothing() -> None:
    assert sum(Sightings().counts(0, 0).times) == 0
