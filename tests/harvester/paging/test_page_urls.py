"""Straight to any page, where pages are counted in their addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.harvest import Trail
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.paging import PageUrlPattern, find_url_pattern
from leadline.harvester.paging.page_urls import fit_url_pattern
from tests.harvester.paging.replies import ASKED, ITEMS, QUERY, path, reply


def jump(html: str, url: str = ASKED, number: int = 1) -> PageUrlPattern | None:
    trail = Trail(number=number - 1).after(Request(Url(url)))
    return find_url_pattern(reply(f"<body>{ITEMS}{html}", url), QUERY, Request(Url(url)), trail)


@pytest.mark.parametrize(
    ("html", "page_9"),
    [
        (
            '<b>1</b> <a href="?q=whale&page=2">2</a> <a href="?q=whale&page=3">3</a>',
            "/search?q=whale&page=9",
        ),
        (
            '<b>1</b> <a href="?q=whale&start=20">2</a> <a href="?q=whale&start=40">3</a>',
            "/search?q=whale&start=160",
        ),
        (
            '<b>1</b> <a href="?q=whale&first=11">2</a> <a href="?q=whale&first=21">3</a>',
            "/search?q=whale&first=81",
        ),
        (
            '<b>1</b> <a href="?q=whale&page=1">2</a> <a href="?q=whale&page=2">3</a>',
            "/search?q=whale&page=8",
        ),
        (
            '<b>1</b> <a href="/search/p2.html?q=whale">2</a>'
            ' <a href="/search/p3.html?q=whale">3</a>',
            "/search/p9.html?q=whale",
        ),
        (
            '<b>1</b> <a href="?a=20&q=whale&b=20">2</a> <a href="?a=40&q=whale&b=40">3</a>',
            "/search?a=160&q=whale&b=160",
        ),
    ],
)
def test_the_address_of_any_page_is_known(html: str, page_9: str) -> None:
    found = jump(f"<div class=pager>{html}</div>")
    assert found is not None
    assert path(found.url(9)) == page_9
    assert found.request(9).referrer == ASKED
    assert found.page_of(found.url(9)) == 9


@pytest.mark.parametrize(
    ("html", "last"),
    [
        ('... <a href="?q=whale&p=40">40</a>', 40),
        ('<a href="?q=whale&p=31">Last</a>', 31),
        ('<a href="?q=whale&p=2">&gt;</a>', 0),
    ],
)
def test_the_last_page_is_told_where_it_is_shown(html: str, last: int) -> None:
    found = jump(f'1 <a href="?q=whale&p=2">2</a> <a href="?q=whale&p=3">3</a> {html}')
    assert found is not None
    assert found.last == last


def test_on_the_last_page_its_own_number_is_the_last() -> None:
    html = '<a href="?q=whale&p=1">1</a> <a href="?q=whale&p=2">2</a> <b>3</b>'
    found = jump(html, ASKED + "&p=3", 3)
    assert found is not None
    assert found.last == 3


def test_two_pages_one_after_the_other_are_enough() -> None:
    found = jump('<a href="?q=whale&start=40">Next</a>', ASKED + "&start=20", 2)
    assert found is not None
    assert path(found.url(7)) == "/search?q=whale&start=120"


@pytest.mark.parametrize(
    "html",
    [
        '<a href="?q=whale&page=2">Next</a>',
        '<b>1</b> <a href="?q=whale&k=ax">2</a> <a href="?q=whale&k=by">3</a>',
        '<b>1</b> <a href="?q=whale&k=7">2</a> <a href="?q=whale&k=19">3</a>'
        ' <a href="?q=whale&k=20">4</a>',
        '<b>1</b> <a href="?q=whale&k=9">2</a> <a href="?q=whale&k=8">3</a>',
    ],
)
def test_what_is_not_counted_gives_no_jump(html: str) -> None:
    assert jump(html) is None


@given(
    first=st.integers(0, 50),
    step=st.integers(1, 100),
    pages=st.sets(st.integers(2, 500), min_size=2, max_size=9),
    wanted=st.integers(1, 9_999),
)
def test_addresses_made_by_any_rule_are_made_again(
    first: int, step: int, pages: set[int], wanted: int
) -> None:
    def made(page: int) -> Url:
        return Url(f"http://a.test/x7/s?q=w4&at={first + step * (page - 1)}&z=1")

    found = fit_url_pattern([(page, made(page)) for page in sorted(pages)])
    assert found is not None
    assert found.url(wanted) == made(wanted)
    assert found.page_of(made(wanted)) == wanted


@given(
    st.lists(st.tuples(st.integers(1, 20), st.text(max_size=40)), max_size=8), st.text(max_size=40)
)
def test_any_addresses_are_taken(pages: list[tuple[int, str]], other: str) -> None:
    found = fit_url_pattern([(number, Url("http://a.test/" + text)) for number, text in pages])
    if found is not None:
        assert found.page_of(Url("http://a.test/" + other)) >= 0
