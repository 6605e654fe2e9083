"""Naive Bayes over word ids."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.learn.naive_bayes import PRIOR_WORDS, LogOdds, NaiveBayes, damp_counts, log_odds
from leadline.page.words import WordIds


def row(*words: int) -> WordIds:
    return np.array(words, np.int32)


CARS, BOOKS = row(1, 1, 2, 9), row(3, 4, 4, 9)
MODEL = NaiveBayes.fit([CARS, BOOKS, row(1, 2)], ["car", "book", "car"])


def test_texts_get_the_class_whose_words_they_have() -> None:
    assert MODEL.predict([row(1, 2, 2), row(4, 3), CARS, BOOKS]) == ["car", "book", "car", "book"]


def test_weights_are_laplace_shares() -> None:
    assert MODEL.labels == ("book", "car")
    assert MODEL.words.tolist() == [1, 2, 3, 4, 9]
    shares = np.exp(MODEL.weights)
    assert shares[0] == pytest.approx([1 / 9, 1 / 9, 2 / 9, 3 / 9, 2 / 9])
    assert shares[1] == pytest.approx([4 / 11, 3 / 11, 1 / 11, 1 / 11, 2 / 11])


def test_unknown_and_empty_words_say_nothing() -> None:
    priors = [1 / 3, 2 / 3]
    for text in (row(), row(0, 0), row(77, 1_000_000, 5)):
        assert MODEL.probabilities([text])[0] == pytest.approx(priors)
    assert MODEL.probabilities([row(1, 0, 77)]) == pytest.approx(MODEL.probabilities([row(1)]))


def test_probabilities_add_up_to_one() -> None:
    found = MODEL.probabilities([CARS, BOOKS, row(), row(9)])
    assert found.shape == (4, 2)
    assert found.sum(axis=1) == pytest.approx(np.ones(4))


def test_with_a_length_repeating_a_text_changes_nothing() -> None:
    once, often = MODEL.probabilities([CARS, np.tile(CARS, 50)], length=10)
    assert once == pytest.approx(often)
    assert MODEL.probabilities([np.tile(CARS, 50)])[0].max() > often.max()


def test_pickling_keeps_the_answers() -> None:
    copy = pickle.loads(pickle.dumps(MODEL))
    texts = [CARS, BOOKS, row(9)]
    assert copy.predict(texts) == MODEL.predict(texts)


def test_each_text_needs_a_label() -> None:
    with pytest.raises(ValueError, match="need one each"):
        NaiveBayes.fit([CARS], [])


texts = st.lists(st.integers(0, 30), max_size=20).map(lambda words: row(*words))


@given(st.lists(st.tuples(texts, st.sampled_from("abc")), min_size=1, max_size=12))
def test_any_texts_can_be_learned_and_judged(pairs: list[tuple[WordIds, str]]) -> None:
    rows, labels = [text for text, _ in pairs], [label for _, label in pairs]
    model = NaiveBayes.fit(rows, labels)
    assert set(model.predict(rows)) <= set(labels)
    assert np.isfinite(model.probabilities(rows)).all()


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
