"""Which control takes words, and which words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.page import Form, Page
from leadline.core.url import Url
from leadline.forms.query import (
    find_query_field,
    is_query_field_certain,
    make_nonsense,
    pick_topical_words,
)
from leadline.page import parse_page

HERE = Url("http://a.test/")


def page_of(html: str) -> Page:
    return parse_page(html.encode(), HERE)


def form_of(inside: str) -> Form:
    return page_of(f"<form>{inside}</form>").forms[0]


@pytest.mark.parametrize(
    ("inside", "name"),
    [
        ("<input name=a><input type=search name=b>", "b"),
        ("<input name=year><input name=q>", "q"),
        ("<label>Author <input name=a></label><label>Keywords <input name=b></label>", "b"),
        ("<label>Year <input name=a></label><label>Title <input name=b></label>", "b"),
        ("<label>Place <input name=a></label><label>Title <input name=b></label>", "b"),
        ("<label>Price from <input name=a></label><label>Maker <input name=b></label>", "b"),
        ("<input type=hidden name=h><input name=bot><input name=search>", "search"),
        ("<input name=code maxlength=4><input name=word>", "word"),
    ],
)
def test_words_go_where_most_may_be_typed(inside: str, name: str) -> None:
    field = find_query_field(form_of(inside))
    assert field is not None
    assert field.name == name


@pytest.mark.parametrize(
    "inside",
    [
        "<select name=s><option>a<option>b</select>",
        "<input type=number name=n>",
        "<input name=a disabled>",
        "<label>ZIP <input name=z></label>",
        "<label>Mileage <input name=km></label>",
        "<label>Arrival between <input name=check_in></label>",
    ],
)
def test_where_only_numbers_and_choices_fit_nothing_is_typed(inside: str) -> None:
    assert find_query_field(form_of(inside)) is None


@pytest.mark.parametrize(
    ("inside", "is_sure"),
    [
        ("<input name=q><input name=place>", True),
        ("<input name=x7>", True),
        ("<input name=x7><select name=x8><option>a<option>b</select>", False),
        ("<input name=x7><input name=x8>", False),
        ("<select name=x8><option>a<option>b</select>", False),
    ],
)
def test_a_box_is_surely_for_words_by_its_name_or_if_it_is_alone(
    inside: str, is_sure: bool
) -> None:
    assert is_query_field_certain(form_of(inside)) is is_sure


@given(st.text(max_size=16), st.integers(1, 30))
def test_nonsense_is_the_same_again_and_fits(key: str, most_chars: int) -> None:
    first = make_nonsense(key, 0, most_chars)
    assert first == make_nonsense(key, 0, most_chars)
    assert len(first) == min(11, most_chars)
    assert not set("aeiouy") & set(first)
    assert make_nonsense(key, 0) != make_nonsense(key, 1)


def test_words_are_those_given_and_then_the_most_frequent_of_the_page() -> None:
    page = page_of(
        "<title>Mofuda Poems</title><a href=/x>home search search login search</a>"
        "<p>every poem by every poet: a poem a day, and old poems of Mofuda Mofuda Mofuda</p>"
        "<form>poet <input name=q></form>"
    )
    form = page.forms[0]
    assert pick_topical_words(page, form) == ["poems", "poem"]
    assert pick_topical_words(page, form, ["verse"]) == ["verse", "poems"]
    assert pick_topical_words(page, form, ["a", "b", "c"]) == ["a", "b"]


def test_names_are_taken_where_there_is_nothing_else() -> None:
    page = page_of("<p>Lisbon Lisbon Oslo</p><hr><hr><hr><form><input name=q></form>")
    assert pick_topical_words(page, page.forms[0]) == ["lisbon", "oslo"]
