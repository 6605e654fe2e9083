"""The largest page size: taken where it is offered, and no other number for it."""

import pytest

from leadline.core.harvest import Query
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.paging import PageSize, find_larger_size, find_largest_size
from tests.harvester.paging.replies import ASKED, ITEMS, QUERY, path, reply


def options(*values: object) -> str:
    return "".join(f"<option>{value}</option>" for value in values)


def of_form(control: str) -> tuple[tuple[str, str], ...] | None:
    page = reply(f"<form action=/search><input name=q>{control}<button>Search</button></form>").page
    found = find_largest_size(page.forms[0])
    return None if found is None else found.values


@pytest.mark.parametrize(
    ("control", "wanted"),
    [
        (f"<select name=per_page>{options(10, 20, 50)}</select>", ("per_page", "50")),
        (f"Treffer pro Seite <select name=tps>{options(10, 25, 100)}</select>", ("tps", "100")),
        (f"Results per page: <select name=x>{options(12, 24, 48)}</select>", ("x", "48")),
        (f"<select name=n>{options('10 per page', '50 per page')}</select>", ("n", "50 per page")),
        (f"<select name=rows>{options(20, 40, 'all')}</select>", ("rows", "40")),
        (f"<select name=limit>{options(100, 500, 5000)}</select>", ("limit", "500")),
        (
            "<select name=pagesize><option value=a>10<option value=b selected>20"
            "<option value=c>100</select>",
            ("pagesize", "c"),
        ),
        (
            "<p>Résultats par page <input type=radio name=nb value=10 checked>10"
            "<input type=radio name=nb value=30>30</p>",
            ("nb", "30"),
        ),
    ],
)  # fmt: skip
def test_a_search_form_offers_sizes(control: str, wanted: tuple[str, str]) -> None:
    assert of_form(control) == (wanted,)


@pytest.mark.parametrize(
    "control",
    [
        f"Rooms <select name=rooms>{options(1, 2, 3, 4, 5)}</select>",
        f"Guests <select name=num>{options(1, 2, 4, 8, 16)}</select>",
        f"Max price <select name=max>{options(100, 200, 500)}</select>",
        f"<select name=show>{options('within 10 miles', 'within 50 miles')}</select>",
        f"Radius <select name=size>{options('5 km', '10 km', '50 km')}</select>",
        f"Year <select name=number>{options(1990, 2000, 2010)}</select>",
        f"Colour <select name=c>{options('red', 'blue')}</select>",
        f"<select name=category>{options(10, 20, 30)}</select>",
        f"<select name=per_page>{options(10)}</select>",
        "<select name=per_page><option>10<option selected>50</select>",
        f"<select name=per_page disabled>{options(10, 20, 50)}</select>",
        "<input type=hidden name=per_page value=10>",
    ],
)
def test_other_numbers_are_not_taken_for_sizes(control: str) -> None:
    assert of_form(control) is None


def of_answer(html: str, url: str = ASKED, query: Query = QUERY) -> PageSize | None:
    return find_larger_size(reply(f"<body>{html}{ITEMS}", url), query, Request(Url(url)))


@pytest.mark.parametrize(
    ("html", "number", "wanted"),
    [
        (
            'Show: 10 | <a href="?q=whale&n=20">20</a> | <a href="?q=whale&n=50">50</a> per page',
            50,
            "/search?q=whale&n=50",
        ),
        (
            '<ul><li><a href="?q=whale&per_page=25">25</a><li><a href="?q=whale&per_page=100">100'
            "</a></ul>",
            100,
            "/search?q=whale&per_page=100",
        ),
        (
            '<b>Pro Seite</b> <a href="?q=whale&z=20">20</a> <a href="?q=whale&z=2000">2000</a>'
            ' <a href="?q=whale&z=200">200</a>',
            200,
            "/search?q=whale&z=200",
        ),
        (
            'Show <select onchange="go(this.value)"><option value="?q=whale&limit=12">12'
            '<option value="?q=whale&limit=36">36</select> per page',
            36,
            "/search?q=whale&limit=36",
        ),
        (
            'Show <a href="?q=whale&n=all">all</a>',
            None,
            None,
        ),
        (
            'Per page: <a href="?q=whale&rows=all">All</a>',
            0,
            "/search?q=whale&rows=all",
        ),
    ],
)
def test_an_answer_offers_sizes_by_links(html: str, number: int | None, wanted: str | None) -> None:
    found = of_answer(html)
    assert (found and found.number) == number
    assert (found and found.request and path(found.request.url)) == wanted


def test_an_answer_offers_sizes_by_a_form_that_carries_the_search() -> None:
    select = f"<select name=rpp onchange='this.form.submit()'>{options(10, 20, 60)}</select>"
    found = of_answer(f"<form action=/search><input type=hidden name=q value=whale>{select}</form>")
    assert found is not None
    assert found.request is not None
    assert path(found.request.url) == "/search?q=whale&rpp=60"
    other = "<form action=/other><input type=hidden name=u value=me>"
    assert of_answer(f"{other}{select}</form>") is None


@pytest.mark.parametrize(
    "html",
    [
        '<b>1</b> <a href="?q=whale&page=2">2</a> <a href="?q=whale&page=3">3</a>',
        '<b>10</b> <a href="?q=whale&page=20">20</a> <a href="?q=whale&page=30">30</a>',
        'Price up to <a href="?q=whale&max=100">100</a> <a href="?q=whale&max=500">500</a>',
        'Within <a href="?q=whale&r=10">10</a> <a href="?q=whale&r=50">50</a> km',
        'Per page: <a href="?q=whale&n=10">10</a> <a href="?q=whale&n=20">20</a> <b>50</b>',
        'Per page: <a href="/item/10">10</a> <a href="/item/20">20</a>',
    ],
)
def test_other_numbers_on_an_answer_are_not_taken(html: str) -> None:
    assert of_answer(html) is None
