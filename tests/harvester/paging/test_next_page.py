"""Turns: what they carry, where they end, and that they never go in circles."""

import msgspec
import pytest

from leadline.core.harvest import NextPage, Query, Trail
from leadline.core.http import Request
from leadline.core.url import Url
from leadline.harvester.paging import find_next_page
from tests.harvester.paging.replies import ASKED, ITEMS, QUERY, path, reply, turn_on

PAGE_2 = ASKED + "&page=2"
PAGE_3 = ASKED + "&page=3"
NEXT_3 = f'<a href="{PAGE_3}">Next</a>'


def request(url: str) -> Request:
    return Request(Url(url))


@pytest.mark.parametrize(
    ("html", "way"),
    [
        ('<a href="?q=whale&page=2">Next</a>', "link"),
        ('<p><b>1</b> <a href="?q=whale&page=2">2</a> <a href="?q=whale&page=3">3</a>', "number"),
        ('<a href="?q=whale&start=20">Next</a>', "offset"),
        ('<a href="?q=whale&after=k-17">Next</a>', "keyset"),
    ],
)
def test_a_turn_says_how_it_was_found(html: str, way: str) -> None:
    turn = turn_on(html)
    assert turn is not None
    assert turn.way == way
    assert turn.number == 2
    assert turn.request.referrer == ASKED


def test_a_page_nobody_came_to_by_turning_has_no_number() -> None:
    turn = turn_on('<a href="?q=whale&after=k-17">Next</a>', trail=Trail())
    assert turn is not None
    assert turn.number == 0


def test_a_turn_never_leads_to_a_page_already_asked() -> None:
    trail = Trail().after(request(ASKED)).after(request(PAGE_2)).after(request(PAGE_3))
    assert turn_on('<a href="?q=whale&page=2">Next</a>', PAGE_3, trail=trail) is None
    assert turn_on(NEXT_3, PAGE_3, trail=trail) is None


def test_a_turn_carries_its_trail_and_both_can_be_stored() -> None:
    trail = Trail().after(request(ASKED), ["a", "b"])
    turn = turn_on('<a href="?q=whale&page=2">Next</a>', trail=trail)
    assert turn is not None
    stored = msgspec.msgpack.decode(msgspec.msgpack.encode(turn), type=NextPage)
    assert stored == turn
    assert stored.trail == trail
    assert stored.trail.repeats(["b", "a"])
    assert not stored.trail.repeats(["a", "b", "c"])
    assert not stored.trail.repeats([])


def test_a_page_counts_once_however_often_it_is_told_of() -> None:
    once = Trail().after(request(ASKED), ["a"])
    assert once.after(request(ASKED), ["a"]) == once
    assert once.number == 1


def test_a_server_that_always_shows_next_is_walked_to_its_end_only() -> None:
    """Past its end it shows the last page again, with a next link all the same."""
    pages = {number: [f"r{number}a", f"r{number}b"] for number in (1, 2, 3)}
    trail, asked, seen = Trail(), request(ASKED), []
    for number in range(1, 9):
        keys = pages[min(number, 3)]
        if trail.repeats(keys):
            break
        seen += keys
        trail = trail.after(asked, keys)
        turn = turn_on(f'<a href="?q=whale&page={number + 1}">Next</a>', asked.url, trail=trail)
        assert turn is not None
        asked = turn.request
    assert seen == [key for number in (1, 2, 3) for key in pages[number]]


@pytest.mark.parametrize("shown", [1, 3])
def test_a_page_past_the_end_that_shows_the_first_or_the_last_one_ends_the_walk(shown: int) -> None:
    trail = Trail()
    for page in (ASKED, PAGE_2, PAGE_3, ASKED + "&page=4"):
        trail = trail.after(request(page))
    numbers = " ".join(
        f"<b>{n}</b>" if n == shown else f'<a href="?q=whale&page={n}">{n}</a>' for n in (1, 2, 3)
    )
    arrow = '<a href="?q=whale&page=2">Next</a>' if shown == 1 else ""
    assert turn_on(numbers + arrow, ASKED + "&page=4", trail=trail) is None


def test_the_head_of_a_page_may_name_the_next_one() -> None:
    html = f'<html><head><link rel="next" href="?q=whale&page=2"></head><body>{ITEMS}'
    turn = find_next_page(reply(html), QUERY, request(ASKED), Trail())
    assert turn is not None
    assert turn.request.url == PAGE_2


def test_the_head_of_a_text_names_the_next_text_which_is_no_page() -> None:
    html = f'<html><head><link rel="next" href="/2020/squids"></head><body>{ITEMS}'
    assert (
        find_next_page(reply(html, "http://a.test/2020/whales"), QUERY, request(ASKED), Trail())
        is None
    )


def test_a_header_may_name_the_next_page() -> None:
    header = ("link", '<?q=whale&page=1>; rel="prev", <?q=whale&page=3>; rel="next"')
    shown = reply(f"<body>{ITEMS}", PAGE_2, (header,))
    turn = find_next_page(shown, QUERY, request(PAGE_2), Trail())
    assert turn is not None
    assert turn.request.url == PAGE_3


def test_after_a_redirect_the_page_is_known_by_both_its_addresses() -> None:
    shown = reply(
        f'<body>{ITEMS}<a href="/r/8?p=1">1</a> 2 <a href="/r/8?p=3">3</a>', "http://a.test/r/8?p=2"
    )
    turn = find_next_page(shown, Query(()), request("http://a.test/go"), Trail())
    assert turn is not None
    assert turn.request.url == "http://a.test/r/8?p=3"


_COUNTS = ((10, "less"), (40, "more"))


def test_links_to_more_of_the_same_are_followed_while_the_page_is_full() -> None:
    """The number is how many records are shown; the answer grows with it."""
    fewer, more = ("<a href='/search?q=whale&count={}'>{}</a>".format(*one) for one in _COUNTS)
    asked = Request(Url("http://a.test/search?q=whale&count=20"))
    page = reply(f"<body>{ITEMS}<p>{fewer} {more}", asked.url)
    full = find_next_page(page, QUERY, asked, Trail(), 20)
    assert full is not None
    assert path(full.request.url) == "/search?q=whale&count=40"
    assert find_next_page(page, QUERY, asked, Trail(), 17) is None
