"""Words that searches use in many languages."""

import pytest

from leadline.core.search_words import KINDS, SEARCH_WORDS, find_search_words
from leadline.harvester.paging.words import NEXT, PAGES, pieces_of


def test_every_kind_has_words_in_29_languages() -> None:
    assert len(SEARCH_WORDS) == 29
    assert all(all(words) for kinds in SEARCH_WORDS.values() for words in kinds.values())


def test_words_are_found_by_language_and_over_all() -> None:
    assert "検索" in find_search_words("search", "ja")
    assert {"suche", "поиск", "بحث"} <= set(find_search_words("search"))
    assert find_search_words("search", "xx") == ()
    with pytest.raises(KeyError, match="no kind"):
        find_search_words("surch")


def test_paging_knows_every_word_for_the_next_page() -> None:
    known = NEXT | PAGES
    lacking = [
        word
        for word in find_search_words("next page")
        if not all(piece in known for piece in pieces_of(word))
    ]
    assert not lacking


def test_kinds_are_named_once() -> None:
    assert len(set(KINDS)) == len(KINDS)
