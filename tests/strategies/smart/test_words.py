"""Host names are split, words counted, and likeness is the cosine of the paper."""

import math

import numpy as np
import pytest

from leadline.core.url import Site
from leadline.learn.link_features import URL, hash_in_space, space_key
from leadline.page.words import word_id
from leadline.strategies.smart.feature_sets import (
    MOST_TERMS,
    SpelledWord,
    Term,
    TermCounts,
    find_splitters,
    host_words,
    spell_words,
    split_host_counts,
    split_host_words,
    split_word,
)
from leadline.strategies.smart.ranking import TermContext, TermVectors


@pytest.mark.parametrize(
    ("site", "words"),
    [
        ("www.abebooks.com", ("abebooks",)),
        ("used-cars.co.uk:8080", ("used", "cars")),
        ("192.0.2.1", ()),
        ("[::1]", ()),
    ],
)
def test_a_host_name_is_read_without_its_suffix(site: str, words: tuple[str, ...]) -> None:
    assert host_words(Site(site)) == words


def test_names_are_split_by_frequent_words() -> None:
    assert split_word("abebooks", ("book",)) == ["abe", "book"]
    assert split_word("carbuyer", ("book", "car")) == ["car", "buyer"]
    assert split_word("carcar", ("car",)) == ["car", "car"]
    assert split_word("mybooking", ("book",)) == ["book"]


def test_a_frequent_word_splits_in_its_shortest_form() -> None:
    terms = [Term(1, "jobs", 5), Term(2, "booking", 3), Term(3, "once", 1), Term(4, "of", 9)]
    assert find_splitters(terms) == ("book", "job")


def test_splitting_adds_up_what_stood_in_different_names() -> None:
    counts = TermCounts()
    counts.add(split_host_words(["abebooks", "bookfinder", "books"], ()))
    assert max(term.times for term in counts.top(9)) == 1
    again = split_host_counts(counts, ("book",))
    assert again.top(1)[0][1:] == ("book", 3)


def test_words_are_counted_by_stem_and_shown_in_their_shortest_spelling() -> None:
    counts = TermCounts()
    counts.add(spell_words("Books of the libraries: book 2009 library", "en"))
    assert [(term.word, term.times) for term in counts.top(5)] == [("book", 2), ("library", 2)]


def test_rare_words_are_forgotten_when_there_are_too_many() -> None:
    counts = TermCounts()
    counts.add([SpelledWord(10**6, "often")], 2)
    counts.add(SpelledWord(n, f"w{n}") for n in range(1, MOST_TERMS + 2))
    assert len(counts.counts) <= MOST_TERMS
    assert counts.top(1)[0].word == "often"


def test_likeness_is_the_cosine_of_term_weights() -> None:
    terms = (Term(word_id("book"), "book", 3), Term(word_id("search"), "search", 1))
    vectors = TermVectors([TermContext("host", URL, 4, terms)])
    row = np.array([[word_id("book"), word_id("book"), word_id("x"), 0], [0, 0, 0, 0]], np.int32)
    rows = hash_in_space(row, space_key(URL))
    book, search = 1 + math.log(3), 1.0
    twice = 1 + math.log(2)
    expected = book * twice / (math.hypot(book, search) * math.hypot(twice, 1))
    assert vectors.similarity(rows) == pytest.approx([expected, 0.0], rel=1e-5)
    assert sum(value for _, value in vectors.shares(rows[0])) == pytest.approx(expected, rel=1e-5)
    assert {name for name, _ in vectors.shares(rows[0])} == {"host: book"}


def test_nothing_learned_is_like_nothing() -> None:
    vectors = TermVectors([TermContext("host", URL, 2, ())])
    assert vectors.similarity(np.ones((3, 2), np.int32)).tolist() == [0, 0, 0]
