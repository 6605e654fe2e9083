"""A lone box with nothing but a button that says `search` is a search, in 65 languages."""

import pytest

from leadline.parts import find_forms

SAID = (
    "Search Suchen Rechercher Buscar Cerca Pesquisar Zoeken Szukaj Hledat Hľadať Sök Søg"
    " Søk Hae Keresés Caută Traži Тражи Išči Търси Найти Шукати Αναζήτηση Ara Otsi Meklēt"
    " Ieškoti Cari Tìm+kiếm 検索 搜索 검색 بحث חיפוש جستجو खोजें ค้นหา Cerca Bilatu Leita"
    " Cuardaigh Chwilio Kërko Барај Шукаць ძებნა Որոնել Axtar Іздеу Qidirish Хайх অনুসন্ধান"
    " தேடு వెతకండి تلاش Tafuta Carian Maghanap Soek Sichen Fittex Buscar खोज्नुहोस् සොයන්න"
    " ፈልግ"
).split()


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("said", SAID)
def test_a_button_that_searches_is_understood(said: str, method: str) -> None:
    html = (
        f"<h1>X</h1><form action=/z method={method}><input type=text name=f1>"
        f"<input type=submit value='{said.replace('+', ' ')}'></form>"
    )
    (form,) = find_forms(html, "https://a.example/p")
    assert form.is_safe_to_submit, form.why
