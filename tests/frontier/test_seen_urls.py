"""The sieve is a set."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from leadline.frontier.seen_urls import SeenUrls, text_hash, text_hashes

# Small numbers and the largest ones crowd the first and last cells of the table.
keys = st.integers(1, 50) | st.integers(2**64 - 50, 2**64 - 1) | st.integers(1, 2**64 - 1)


@given(st.lists(st.lists(keys, max_size=30), max_size=30))
def test_a_sieve_answers_like_a_set(batches: list[list[int]]) -> None:
    sieve, model = SeenUrls(), set[int]()
    for batch in batches:
        assert sieve.has(batch) == [key in model for key in batch]
        fresh = []
        for key in batch:
            fresh.append(key not in model)
            model.add(key)
        assert sieve.add(batch) == fresh
        assert len(sieve) == len(model)
    assert all(sieve.has(model))


def test_a_run_of_neighbours_passes_the_end_of_the_table() -> None:
    top = list(range(2**64 - 400, 2**64))
    sieve = SeenUrls()
    assert all(sieve.add(top))
    assert all(sieve.has(top))
    assert not any(sieve.has(range(1, 100)))
    assert not any(sieve.has([2**64 - 401]))


def test_a_sieve_grows_and_forgets_nothing() -> None:
    many = np.random.default_rng(3).integers(1, 2**64, 20_000, np.uint64)
    sieve = SeenUrls(many[:5_000])
    assert all(sieve.add(many[5_000:].tolist()))
    assert len(sieve) == 20_000
    assert all(sieve.has(many.tolist()))


def test_doubles_given_at_the_start_count_once() -> None:
    assert len(SeenUrls(np.array([5, 5, 7], np.uint64))) == 2


def test_hashes_of_many_are_the_hashes_of_each() -> None:
    texts = ["", "http://a.test/", "http://ä.test/"]
    assert text_hashes(texts) == [text_hash(text) for text in texts]
