"""The shipped model of links that lead to a search."""

import pytest

from leadline.core.page import Link
from leadline.core.url import Url
from leadline.learn.search_links import describe_links, family_of, open_link_weights, shape_of
from leadline.learn.search_words import CLASSES, find_classes


def weigh(url: str, anchor: str) -> float:
    link = Link(Url(url), anchor, 0, 0, "body/nav/ul/li", 0)
    return float((describe_links([link], [False]) @ open_link_weights())[0])


@pytest.mark.parametrize(
    "anchor",
    (
        "Search, Erweiterte Suche, Rechercher, Buscar, Cerca, Zoeken, Szukaj, Hledat, Keresés, "
        "Căutare, Sök, Søg, Haku, Arama, Поиск, Пошук, Αναζήτηση, חיפוש, بحث, खोज, ค้นหา, 検索, "
        "搜索, 검색, Pesquisar"
    ).split(", "),
)
def test_a_word_for_searching_counts_in_25_languages(anchor: str) -> None:
    assert find_classes(anchor)[CLASSES.index("search")]
    assert weigh("http://a.test/p", anchor) > weigh("http://a.test/p", "Impressum")


def test_a_search_address_counts_more_than_one_of_an_article() -> None:
    article = weigh("http://a.test/2024/05/what-the-mayor-said-on-monday", "What the mayor said")
    assert weigh("http://a.test/search", "Go") > article


def test_pages_of_one_kind_have_one_shape() -> None:
    assert shape_of("http://a.test/item/12.html") == shape_of("http://a.test/item/7.html")
    assert shape_of("http://a.test/i?page=search") != shape_of("http://a.test/i?page=news")


def test_a_family_is_a_shape_at_one_place() -> None:
    one = Link(Url("http://a.test/item/1"), "1", 0, 0, "body/ul/li", 0)
    two = Link(Url("http://a.test/item/2"), "2", 0, 0, "body/ul/li", 1)
    menu = Link(Url("http://a.test/item/3"), "3", 0, 0, "body/nav", 2)
    assert family_of(one) == family_of(two) != family_of(menu)
