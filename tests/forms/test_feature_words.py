"""What words speak of, in many languages and however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.forms.feature_words import (
    ASKED_ROLES,
    MEANINGS,
    ROLE_SHIFT,
    SAYS_SEARCH,
    find_meanings,
    read_control,
)


def meanings(text: str) -> set[str]:
    return {meaning for bit, meaning in enumerate(MEANINGS) if find_meanings(text) >> bit & 1}


def roles(text: str) -> set[str]:
    bits = read_control(text) >> ROLE_SHIFT
    return {role for bit, role in enumerate(ASKED_ROLES) if bits >> bit & 1}


@pytest.mark.parametrize(
    "text",
    [
        "Search", "quickSearchForm", "search_query", "Find a branch", "Jetzt suchen", "Recherche",
        "buscar", "Cerca nel sito", "zoeken", "Sök", "Szukaj", "Hledat", "Поиск по сайту", "検索",
        "搜索", "검색", "بحث", "Tìm kiếm", "Ara",
    ],
)  # fmt: skip
def test_searching_is_known_in_many_languages(text: str) -> None:
    assert "searching" in meanings(text)


@pytest.mark.parametrize("text", ["such as this", "character", "contact us", "arabic", "q", ""])
def test_other_words_do_not_speak_of_searching(text: str) -> None:
    assert "searching" not in meanings(text)


def test_words_speak_of_what_a_form_is_for() -> None:
    assert meanings("Passwort vergessen?") == {"an account"}
    assert meanings("newsletter") == {"mail"}
    assert meanings("Add to basket") == {"a purchase"}
    assert meanings("Votre commentaire") == {"a message"}
    assert meanings("first_name") == {"a person"}


def test_what_underscores_join_is_one_word() -> None:
    assert meanings("post_code") == set()
    assert meanings("post code") == {"a message"}


@pytest.mark.parametrize(
    "text", ["Author", "Publisher", "Subject", "Name", "Carte", "Terms used", "Published"]
)
def test_what_records_have_is_not_misread_as_an_act(text: str) -> None:
    assert meanings(text) == set()


def test_a_control_tells_what_it_asks_for() -> None:
    assert roles("pubYear") == {"a year"}
    assert roles("Postleitzahl") == {"a place"}
    assert roles("著者") == {"a person"}
    assert roles("Autor") == {"a person"}


def test_the_word_search_is_found_inside_words() -> None:
    assert find_meanings("presearched") & SAYS_SEARCH
    assert not find_meanings("suchen") & SAYS_SEARCH


@given(st.text(max_size=80))
def test_any_text_is_read_and_always_the_same_way(text: str) -> None:
    assert find_meanings(text) == find_meanings(text)
    assert 0 <= find_meanings(text) < 2 * SAYS_SEARCH
