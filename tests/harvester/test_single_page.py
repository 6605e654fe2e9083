"""One page is read by itself: no form, no answers to nonsense, no pages before it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.harvest import KINDS, NOTHING, RESULTS, Query
from leadline.harvester.single_page import read_answer_page, read_next_page
from tests.harvester.paging.replies import ASKED, ITEMS

URL = "http://a.test/search?q=whale"
PAGE = """<html><head><title>Search</title></head><body>
<form action=/search><input name=q value=whale><input type=submit value=Search></form>
<p>Results 1 - 3 of 57</p>
<ol><li><a href="/item/1">The white whale</a><p>A novel of the sea by Herman</p>
<li><a href="/item/2">Whale songs</a><p>Recordings of singers of the deep</p>
<li><a href="/item/3">Whaling in the south</a><p>A history of ships and men</p></ol>
<p>Pages: <a href="/search?q=whale&amp;page=2">2</a> <a href="/search?q=whale&amp;page=3">3</a></p>
</body></html>"""
TITLES = ["The white whale", "Whale songs", "Whaling in the south"]


@pytest.mark.parametrize("query", [None, "whale", Query.of(q="whale")])
@pytest.mark.parametrize("body", [PAGE, PAGE.encode(), PAGE.encode("utf-16")])
def test_records_and_total_of_a_single_page_are_read(
    body: str | bytes, query: str | Query | None
) -> None:
    answer = read_answer_page(body, URL, "text/html", query)
    assert answer.kind == RESULTS
    assert [record.title for record in answer.records] == TITLES
    assert answer.records[0].url == "http://a.test/item/1"
    assert (answer.total, answer.is_total_exact) == (57, True)
    assert answer.url == URL
    assert answer.why
    assert answer.next_page is not None
    assert answer.next_page.request.url == "http://a.test/search?q=whale&page=2"


def test_text_is_read_as_it_is_whatever_charset_it_names() -> None:
    html = PAGE.replace("<title>", "<meta charset=koi8-r><title>").replace("Whale songs", "Wäle")
    answer = read_answer_page(html, URL, "text/html; charset=latin1")
    assert answer.records[1].title == "Wäle"


def test_links_to_other_pages_are_no_records_where_no_form_is_shown() -> None:
    bare = PAGE.replace("<form", "<div").replace("</form", "</div")
    assert [record.title for record in read_answer_page(bare, URL).records] == TITLES


def test_a_page_that_denies_is_told_from_one_that_shows_its_form_again() -> None:
    nothing = PAGE[: PAGE.index("<p>Results")] + "<p>No documents matched your query.</p>"
    assert read_answer_page(nothing, URL).kind == NOTHING


PIECES = st.sampled_from(
    ("<li><a href=/1>ab</a>", "<table><tr><td>", "12 of 34", "<form><input name=q>", "<pre>\n\n a")
)


@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200), st.lists(PIECES).map("".join)),
    st.text(max_size=30),
    st.text(max_size=30),
    st.one_of(st.none(), st.text(max_size=10)),
)
def test_anything_is_read(body: bytes | str, url: str, kind: str, query: str | None) -> None:
    answer = read_answer_page(body, url, kind, query)
    assert answer.kind in KINDS


PAGER = f'{ITEMS}<p>1 <a href="?q=whale&page=2">2</a> <a href="?q=whale&page=2">Next</a>'


def test_the_next_page_is_found_in_text_and_in_bytes() -> None:
    for html in (PAGER, PAGER.encode(), PAGER.encode("utf-16")):
        following = read_next_page(html, ASKED)
        assert following is not None
        assert following.request.url == "http://a.test/search?q=whale&page=2"
        assert following.number == 2


def test_a_page_without_links_onward_has_no_next_page() -> None:
    assert read_next_page(ITEMS, ASKED) is None


@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: PAGER + text)),
    st.text(max_size=30),
    st.text(max_size=30),
)
def test_anything_has_a_next_page_or_none(html: bytes | str, url: str, kind: str) -> None:
    following = read_next_page(html, url, kind)
    assert following is None or following.request.url.startswith("http")


def test_counts_that_link_are_no_numbers_of_records() -> None:
    rows = "".join(
        f"<li><div><a href='/ann/{name}'>ann/{name}</a></div><p>A tool to write in {name}</p>"
        f"<a href='/ann/{name}/stars'>{number}</a></li>"
        for name, number in (("oak", 37), ("elm", 19), ("ash", 4), ("fir", 211))
    )
    answer = read_answer_page(f"<html><body><ul>{rows}</ul></body></html>", URL)
    assert [record.url for record in answer.records][:2] == [
        "http://a.test/ann/oak", "http://a.test/ann/elm",
    ]  # fmt: skip
    assert [record.title for record in answer.records] == [
        "ann/oak",
        "ann/elm",
        "ann/ash",
        "ann/fir",
    ]


def test_an_item_built_differently_leads_where_the_others_do() -> None:
    def item(number: int, before: str, after: str) -> str:
        return (
            f"<li>{before}<a href='/watch/{number}'><img src='/{number}.jpg'></a>{after}"
            f"<a href='/maker/m{number}x'>Maker number {number}</a>{before}"
            f"<h3><a href='/watch/{number}'>Film of river {number}</a></h3>{after}</li>"
        )

    rows = "".join(
        item(n, *(("<div><div>", "</div></div>") if n == 3 else ("", ""))) for n in range(24)
    )
    answer = read_answer_page(f"<html><body><ul>{rows}</ul></body></html>", URL)
    assert [record.url for record in answer.records] == [
        f"http://a.test/watch/{n}" for n in range(24)
    ]


def test_what_stands_above_a_group_belongs_to_its_records() -> None:
    def group(day: int, numbers: range) -> str:
        rows = "".join(
            f"<tr><td><a href='/op/{n}.pdf'>Roe v. Oak number {n}</a></td><td>2{n}-10{n}</td></tr>"
            for n in numbers
        )
        return f"<h3>May {day}, 2024</h3><table>{rows}</table>"

    page = "<h3>Opinions</h3>" + group(7, range(3)) + group(3, range(3, 5)) + group(1, range(5, 9))
    answer = read_answer_page(f"<html><body>{page}</body></html>", URL)
    days = [[cell.text for cell in r.cells if cell.place == "group"] for r in answer.records]
    assert days == [["May 7, 2024"]] * 3 + [["May 3, 2024"]] * 2 + [["May 1, 2024"]] * 4


def test_items_of_several_kinds_lead_to_their_records_each() -> None:
    def item(number: int) -> str:
        link = f"<a href='http://s{number}.test/p/{number}'>The tale of river {number}</a>"
        rest = "<p>A long text that says more of it than a name</p><a href='/keep'>Keep</a>"
        if number % 2:
            return f"<li><div><div><h4>{link}</h4></div>{rest}</div></li>"
        return f"<li><div>{link}{rest}</div></li>"

    page = "".join(map(item, range(10)))
    answer = read_answer_page(f"<html><body><ul>{page}</ul></body></html>", URL)
    assert [r.url for r in answer.records] == [f"http://s{n}.test/p/{n}" for n in range(10)]
    assert [r.title for r in answer.records] == [f"The tale of river {n}" for n in range(10)]


def test_buttons_that_open_items_are_their_headings_and_commands_are_none() -> None:
    page = "".join(
        f"<div class=card><button>Roe v. Oak number {n}</button><div><p>Docket 2{n}-117</p>"
        f"<p><a href='/op/{n}.pdf'>Read the opinion</a></p><button>Save for later</button></div>"
        "</div>"
        for n in range(6)
    )
    answer = read_answer_page(f"<html><body>{page}</body></html>", URL)
    assert [r.cells[0].text for r in answer.records] == [f"Roe v. Oak number {n}" for n in range(6)]
    assert not any(cell.text == "Save for later" for r in answer.records for cell in r.cells)
