"""The study of words near links, on links made up."""

import numpy as np
import pytest

from leadline_lab.experiments.link_study import WIDEST, LinkExample, accuracies, information

RELEVANT, OTHER, NOISE = 11, 12, 1000


def examples(at: int) -> list[LinkExample]:
    """One word at offset `at` tells the class; as many others at all offsets tell nothing."""
    draw = np.random.default_rng(1)
    found = []
    for number in range(400):
        is_high = bool(draw.integers(2))
        words = draw.integers(NOISE, NOISE + 20, 2 * WIDEST + 1).astype(np.int32)
        distances = np.arange(-WIDEST, WIDEST + 1, dtype=np.int32)
        words[at + WIDEST] = RELEVANT if is_high else OTHER
        found.append(LinkExample(words, distances, f"page{number}", f"site{number % 12}", is_high))
    return found


def test_words_count_from_the_d_max_that_reaches_them() -> None:
    for by_site in (False, True):
        found = accuracies(examples(at=3), by_site=by_site)
        told = {row.d_max: row for row in found if not row.is_bag}
        assert told[2].accuracy < 0.7
        assert told[3].accuracy > 0.95
        assert told[3].of_high > 0.9
        assert told[3].of_low > 0.9


def test_a_bag_cannot_tell_where_a_word_stands() -> None:
    mixed = [
        LinkExample(
            np.array([RELEVANT, OTHER] if high else [OTHER, RELEVANT], np.int32),
            np.array([-1, 1], np.int32),
            f"page{number}",
            f"site{number % 8}",
            high,
        )
        for number, high in enumerate([True, True, False, True, False, False] * 40)
    ]
    by_kind = {row.is_bag: row.accuracy for row in accuracies(mixed) if row.d_max == 1}
    assert by_kind[False] == 1.0
    assert by_kind[True] < 0.7


def test_information_is_where_the_word_is() -> None:
    bits = information(examples(at=-2))
    assert set(bits) == set(range(-WIDEST, WIDEST + 1))
    assert bits[-2] == max(bits.values()) == pytest.approx(1.0, abs=0.05)
