"""Any page gives a turn or none, in bounded time, and a turn stays on its site."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.harvest import Query, Trail
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.paging import (
    find_larger_size,
    find_largest_size,
    find_next_page,
    find_url_pattern,
)
from leadline.harvester.paging.page_links import read_label
from leadline.harvester.paging.page_urls import is_same_site
from tests.harvester.paging.replies import ASKED, QUERY, reply

WORDS = (
    "Next", "&raquo;", "&rsaquo;", "&gt;", "&lt;", "1", "2", "3", "10", "50", "all", "Weiter",
    "Prev", "…", "per page",
)  # fmt: skip
HREFS = (
    "?q=whale&page=2", "?page=9999999999", "/p/2", "//b.test/2", "#", "", "javascript:x",
    "http://[", "?;;=&", "/%zz?a=%",
)  # fmt: skip
OTHERS = (
    '<li class="next">', '<li class="next disabled">', '<li class="active">', "<table><tr><td>",
    "</td></tr></table>", "<form>", "<form method=post action='?x'>", "</form>", "<b>2</b>",
    "<input type=hidden name=q value=whale>", "<button>Next</button>", "Page 3 of 9",
    "<input type=submit value='>'>", "<select name=rows><option>10<option>50</select>",
    "<base href='http://b.test/'>",
)  # fmt: skip
LINKS = [f'<a href="{href}">{word}</a>' for href in HREFS for word in WORDS]
PIECES = st.one_of(st.sampled_from(LINKS), st.sampled_from(OTHERS))


@given(st.lists(PIECES, max_size=30), st.booleans())
def test_any_page_gives_a_turn_on_its_site_or_none(pieces: list[str], is_walked: bool) -> None:
    shown, asked = reply("".join(pieces)), Request(Url(ASKED))
    trail = Trail().after(asked) if is_walked else Trail()
    turn = find_next_page(shown, QUERY, asked, trail)
    if turn is not None:
        assert is_same_site(turn.request.url, asked.url)
        assert turn.request.url != asked.url or turn.request.method == "POST"
        assert not trail.was_asked(turn.request)
    jump = find_url_pattern(shown, QUERY, asked, trail)
    assert jump is None or jump.url(7) != jump.url(8)
    find_larger_size(shown, QUERY, asked)
    for form in shown.page.forms:
        find_largest_size(form)


@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    label = read_label(text)
    assert label.number >= 0


def numbers(count: int) -> str:
    return "".join(f'<a href="?q=whale&page={n}">{n}</a> ' for n in range(1, count))


@pytest.mark.parametrize(
    "html",
    [
        numbers(8_000),
        numbers(3) * 4_000,
        '<a href="?q=whale&p=2">&rsaquo;</a><a href="?q=whale&p=3">&raquo;</a>' * 4_000,
        '<ul class=pager><li class=next><a href="/x">Next</a></ul>' * 4_000,
        "<div class=pager>" * 3_000 + numbers(500),
        '<a href="/' + "page2/" * 300 + '2">Next</a>' + "<a href='/" + "9-" * 900 + "'>2</a>" * 900,
        "<form><input type=hidden name=q value=whale><input type=submit value=Next></form>" * 200,
        "<select name=rows>" + "<option>10" * 4_000 + "</select>",
        "per page " * 20_000 + numbers(2_000),
    ],
    ids=range(9),
)
def test_large_pages_take_bounded_time(html: str) -> None:
    shown, asked = reply(html), Request(Url(ASKED))
    start = process_time()
    find_next_page(shown, Query.of(q="squid"), asked, Trail())
    find_url_pattern(shown, QUERY, asked, Trail())
    find_larger_size(shown, QUERY, asked)
    # A few hundred milliseconds; a page read in quadratic time takes minutes.
    assert process_time() - start < 5
