"""When a form is fetched anew, and what of a request is replaced then."""

from hypothesis import given
from hypothesis import strategies as st

from leadline.core.harvest import NOTHING, REFUSED, RESULTS
from leadline.core.http import Request
from leadline.core.page import Form
from leadline.core.url import Url
from leadline.harvester.session.source import (
    HiddenValueRenewal,
    find_same_form,
    has_new_values,
    renew_request,
)
from leadline.page import parse_page

HERE = Url("http://a.test/find")


def form_with(token: str, more: str = "") -> Form:
    html = (
        f"<form method=post><input name=q><input type=hidden name=t value='{token}'>{more}</form>"
    )
    return parse_page(html.encode(), HERE).forms[0]


def test_a_refusal_is_looked_into_and_ever_less_often_when_that_does_not_help() -> None:
    renewal = HiddenValueRenewal()
    wanted = []
    for _ in range(12):
        wanted.append(renewal.take(REFUSED))
        if wanted[-1]:
            renewal.judge(has_helped=False)
    assert [n for n, is_wanted in enumerate(wanted, 1) if is_wanted] == [1, 3, 7]


def test_answers_between_refusals_make_them_look_like_bad_queries() -> None:
    renewal = HiddenValueRenewal()
    renewal.take(REFUSED)
    renewal.judge(has_helped=False)
    for _ in range(5):
        assert not renewal.take(RESULTS)
        assert not renewal.take(REFUSED)


def test_values_that_lasted_for_the_same_number_of_queries_twice_are_renewed_in_time() -> None:
    renewal = HiddenValueRenewal()
    for _ in range(2):
        while renewal._uses < 3:
            renewal.take(NOTHING)
        assert not renewal.is_due
        assert renewal.take(REFUSED)
        renewal.judge(has_helped=True)
    assert not renewal.is_due
    renewal.take(NOTHING)
    renewal.take(NOTHING)
    assert renewal.is_due
    renewal.restart()
    assert not renewal.is_due


def test_the_same_form_is_found_though_its_hidden_values_and_address_changed() -> None:
    before = form_with("1")
    page = parse_page(
        b"<form action=/login method=post><input name=u></form>"
        b"<form method=post action='/find;s=9'><input name=q><input type=hidden name=t value=2>"
        b"<input type=hidden name=other></form>",
        HERE,
    )
    found = find_same_form(page, before)
    assert found is not None
    assert has_new_values(before, found)
    assert find_same_form(parse_page(b"<form><input name=x></form>", HERE), before) is None


def test_old_values_are_replaced_where_a_request_carries_them() -> None:
    before, after = form_with("a b=1&"), form_with("c")
    old = Request(
        Url("http://a.test/find?page=2&t=a+b%3D1%26;x=1"), "POST", b"t=a+b%3D1%26&tt=a+b%3D1%26"
    )
    renewed = renew_request(old, before, after)
    assert (renewed.url, renewed.body) == (
        "http://a.test/find?page=2&t=c;x=1",
        b"t=c&tt=a+b%3D1%26",
    )


@given(st.text(max_size=8), st.text(max_size=8), st.binary(max_size=40))
def test_a_request_without_them_stays_as_it_is(one: str, other: str, body: bytes) -> None:
    request = Request(Url("http://a.test/find?page=2"), "POST", body)
    renewed = renew_request(request, form_with("x" + one), form_with("y" + other))
    assert renewed == request or b"t=x" in body
