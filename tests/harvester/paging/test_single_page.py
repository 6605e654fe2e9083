"""The next page of a page by itself: no query, no pages before it."""

from hypothesis import given
from hypothesis import strategies as st

from leadline.harvester.paging import read_next_page
from tests.harvester.paging.replies import ASKED, ITEMS

PAGER = f'{ITEMS}<p>1 <a href="?q=whale&page=2">2</a> <a href="?q=whale&page=2">Next</a>'


def test_the_next_page_is_found_in_text_and_in_bytes() -> None:
    for html in (PAGER, PAGER.encode(), PAGER.encode("utf-16")):
        turn = read_next_page(html, ASKED)
        assert turn is not None
        assert turn.request.url == "http://a.test/search?q=whale&page=2"
        assert turn.number == 2


def test_a_page_without_links_onward_has_no_next_page() -> None:
    assert read_next_page(ITEMS, ASKED) is None


@given(
    st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: PAGER + text)),
    st.text(max_size=30),
    st.text(max_size=30),
)
def test_anything_has_a_next_page_or_none(html: bytes | str, url: str, kind: str) -> None:
    turn = read_next_page(html, url, kind)
    assert turn is None or turn.request.url.startswith("http")
