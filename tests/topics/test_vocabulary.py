"""The words that were written by hand: enough of them, in all languages, without slips."""

import pytest

from leadline.topics.judges import KEYWORDS
from leadline.topics.vocabulary import (
    DOMAINS,
    LANGUAGES,
    general_words,
    rank_words,
    read_vocabulary,
)


def test_all_domains_have_words() -> None:
    assert set(DOMAINS) == set(KEYWORDS)


@pytest.mark.parametrize("name", DOMAINS)
def test_lists_are_long_enough_and_in_all_languages(name: str) -> None:
    known = read_vocabulary(name)
    assert set(known.page) == set(known.fields) == set(LANGUAGES)
    assert 60 <= len(known.page["en"]) <= 150
    assert all(len(known.page[language]) >= 20 for language in LANGUAGES)
    assert len(known.queries) >= 8
    for listed in (*known.page.values(), *known.fields.values(), *known.links.values()):
        assert all(word == word.lower() for word in listed)


def test_no_word_is_listed_twice_in_a_list() -> None:
    for name in DOMAINS:
        for language, listed in read_vocabulary(name).page.items():
            twice = {word for word in listed if listed.count(word) > 1}
            assert twice == set(), (name, language)


def test_general_words_are_those_of_foreign_languages() -> None:
    assert set(general_words()) == set(LANGUAGES) - {"en"}


def test_ranks_make_shares_that_add_up_to_one() -> None:
    shares = rank_words(["flight", "flights", "airport", "the"], ["en"])
    assert sum(shares.values()) == pytest.approx(1)
    assert len(shares) == 2
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_a_word_has_the_ids_of_all_languages_it_is_asked_for_in() -> None:
    assert len(rank_words(["running"], ["en", "de"])) == 2
