# ruff: noqa: RUF001 - words of many languages
"""An answer that says that it found nothing is known for an empty one, in forty languages."""

import pytest

from leadline.parts import read_results

SAID = (
    "No results found|Keine Treffer gefunden|Aucun résultat|No se han encontrado resultados"
    "|Nessun risultato trovato|Nenhum resultado encontrado|Geen resultaten gevonden"
    "|Nie znaleziono wyników|Nebyly nalezeny žádné výsledky|Nenašli sa žiadne výsledky"
    "|Inga träffar|Ingen resultater|Ingen treff|Ei tuloksia|Nincs találat|Niciun rezultat găsit"
    "|Nema rezultata|Нема резултата|Ni zadetkov|Няма намерени резултати|Ничего не найдено"
    "|Нічого не знайдено|Δεν βρέθηκαν αποτελέσματα|Sonuç bulunamadı|Tulemusi ei leitud"
    "|Nekas nav atrasts|Nieko nerasta|Tidak ada hasil|Không tìm thấy kết quả"
    "|該当するデータはありません|没有找到相关结果|검색 결과가 없습니다|لا توجد نتائج"
    "|לא נמצאו תוצאות|نتیجه‌ای یافت نشد|कोई परिणाम नहीं मिला|ไม่พบข้อมูล|No s'han trobat resultats"
    "|Ez da emaitzarik aurkitu|Engar niðurstöður fundust"
).split("|")


@pytest.mark.parametrize("said", SAID)
def test_that_nothing_was_found_is_understood(said: str) -> None:
    html = f"<h1>X</h1><form action=/find><input name=q value=oak></form><p>{said}</p>"
    assert read_results(html, "https://a.example/find?q=oak").kind == "nothing"
