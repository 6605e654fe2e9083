"""Totals are read in many languages; prices, years and page numbers are none."""

import pytest

from leadline.core.harvest import Query
from leadline.core.url import Url
from leadline.harvester.answers.answer_page import AnswerPage
from leadline.harvester.answers.reader_memory import ReaderMemory
from leadline.harvester.answers.totals import PrintedTotal, find_total
from leadline.page.outline import outline_of


def total(
    html: str, shown: int = 10, memory: ReaderMemory | None = None, query: str = "tree"
) -> PrintedTotal | None:
    outline = outline_of(html.encode(), Url("http://a.test/"), "text/html; charset=utf-8")
    return find_total(
        AnswerPage(outline, Query.of(q=query), frozenset()), (), shown, memory or ReaderMemory()
    )


EXACT = {
    "1,234 results": 1234,
    "Results <b>1</b> - <b>10</b> of <b>1234</b>": 1234,
    "1.234 Treffer": 1234,
    "12 345 résultats": 12345,
    "12\u00a0345 résultats": 12345,
    "共 123 条": 123,
    "全 87 件中 1\uff5e10 件": 87,
    "Your search for tree found 57 documents": 57,
    "Found: 18": 18,
    "Найдено записей: 48. Страница 1 из 16.": 48,
    "Page 1 of 40 (392 items)": 392,
    "Records 11-20 / 118": 118,
    "12 products from $ 99 to $ 450": 12,
    "2034 titles, 0.03 seconds": 2034,
    "Treffer 1-10 von 11": 11,
    "検索結果\uff1a\uff14\uff15件": 45,
}
ROUGH = {
    "About 2,350 results": 2350,
    "more than 400 hits": 400,
    "ca. 87 Treffer": 87,
    "environ 123 résultats": 123,
    "~ 77 results": 77,
    "500+ results": 500,
    "más de 321 resultados": 321,
    "около 954 результатов": 954,
    "约 123 条结果": 123,
    "1,200,000 results": 1_200_000,
}
NONE = (
    "Page 3 of 40",
    "Seite 1 von 25",
    "Showing 1 to 10",
    "© 2024",
    "Updated 12.05.2021 14:30",
    "From $ 120",
    "It took 1.234 seconds",
    "5 results",
    '<a href="/x">1234 results</a>',
    "<select><option>100</option></select>",
)


@pytest.mark.parametrize("said", EXACT)
def test_an_exact_total_is_read(said: str) -> None:
    assert total(f"<div><p>{said}</p></div>") == PrintedTotal(EXACT[said], is_exact=True)


@pytest.mark.parametrize("said", ROUGH)
def test_a_rough_total_is_read_as_such(said: str) -> None:
    assert total(f"<div><p>{said}</p></div>") == PrintedTotal(ROUGH[said], is_exact=False)


@pytest.mark.parametrize("said", NONE)
def test_other_numbers_are_no_totals(said: str) -> None:
    assert total(f"<div><p>{said}</p></div>") is None


def test_a_number_that_was_asked_for_is_no_total() -> None:
    assert total("<h1>Results for 1984</h1>", query="1984") is None


def test_a_total_is_not_smaller_than_what_is_shown() -> None:
    assert total("<p>7 results</p>", shown=10) is None
    assert total("<p>7 results</p>", shown=7) == PrintedTotal(7, is_exact=True)


def test_a_cap_that_never_changes_is_not_preferred_to_the_total() -> None:
    memory = ReaderMemory()
    for matched in (640, 720, 810):
        total(f"<p>{matched} found, at most 1000 results are shown</p>", memory=memory)
    assert total("<p>455 found, at most 1000 results are shown</p>", memory=memory) == PrintedTotal(
        455, is_exact=True
    )


def test_a_round_number_is_exact_in_a_sentence_that_had_others() -> None:
    memory = ReaderMemory()
    for matched in (1234, 98, 4501):
        total(f"<p>{matched} records</p>", memory=memory)
    assert total("<p>1200 records</p>", memory=memory) == PrintedTotal(1200, is_exact=True)


def test_memory_of_sentences_is_bounded() -> None:
    memory = ReaderMemory()
    for number in range(1_000):
        total(f"<p>sentence {'x' * (number % 900)} with {number} in it</p>", memory=memory)
    assert len(memory.numbers) <= 300
