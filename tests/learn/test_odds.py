"""Log-odds of words: repeated words count less, long texts and short ones alike."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.learn.naive_bayes import PRIOR_WORDS, LogOdds, damp_counts, log_odds
from leadline.page.words import WordIds


def row(*words: int) -> WordIds:
    return np.array(words, np.int32)


ODDS = LogOdds(row(3, 5, 9), np.array([2.0, -1.0, 0.5], np.float32))


def test_a_score_is_the_mean_weight_of_the_words() -> None:
    assert ODDS.score(row(3, 5)) == pytest.approx((2 - 1) / (2 + PRIOR_WORDS))
    assert ODDS.score(row(3, 7, 8)) == pytest.approx(2 / (3 + PRIOR_WORDS))


def test_a_repeated_word_counts_by_its_logarithm() -> None:
    count = 1 + np.log(4)
    assert ODDS.score(row(3, 3, 3, 3)) == pytest.approx(2 * count / (count + PRIOR_WORDS))


def test_stop_words_and_empty_texts_say_nothing() -> None:
    assert ODDS.score(row()) == ODDS.score(row(0, 0)) == 0.0
    assert ODDS.score(row(0, 3, 0)) == ODDS.score(row(3))
    assert LogOdds(row(), np.zeros(0, np.float32)).score(row(3, 5)) == 0.0


def test_contributions_add_up_to_the_score() -> None:
    text = row(9, 3, 5, 5, 4)
    parts = ODDS.contributions(text)
    assert sum(part for _, part in parts) == pytest.approx(ODDS.score(text))
    assert [ODDS.words[place] for place, _ in parts] == [3, 5, 9]


def test_pickling_keeps_the_scores() -> None:
    assert pickle.loads(pickle.dumps(ODDS)).score(row(3, 9)) == ODDS.score(row(3, 9))


def test_rare_words_say_little() -> None:
    common, rare = log_odds(np.array([0.01, 1e-6]), np.array([0.001, 1e-7]), floor=1e-4)
    assert common > 2
    assert rare < 0.02


@given(st.lists(st.integers(0, 40), max_size=60))
def test_each_word_is_counted_once(words: list[int]) -> None:
    unique, counts = damp_counts(row(*words))
    assert unique.tolist() == sorted({word for word in words if word})
    assert counts == pytest.approx([1 + np.log(words.count(word)) for word in unique.tolist()])
