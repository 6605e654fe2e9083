"""Markup made to cost time is cut, ordinary markup is left alone, and long menus are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.url import Url
from leadline.page.html_tree import parse_html
from leadline.page.markup_guard import MAX_ATTRIBUTES, MAX_DEPTH, cut_traps, is_ordinary
from leadline.page.parse import parse_page

URL = Url("http://a.example/")


def test_nesting_stops_where_browsers_stop_and_the_rest_is_read() -> None:
    body = b"<body>" + b"<div>" * 5_000 + b"<p>deep" + b"</div>" * 5_000 + b"<a href=/x>after</a>"
    shorter, cut = cut_traps(body)
    assert cut == "depth"
    assert shorter.count(b"<div>") <= MAX_DEPTH
    assert b"<a href=/x>after</a>" in shorter


def test_an_end_tag_of_another_name_closes_nothing() -> None:
    shorter, cut = cut_traps(b"<body>" + b"<div></x>" * 5_000)
    assert cut == "depth"
    assert shorter.count(b"<div>") <= MAX_DEPTH


@pytest.mark.parametrize("attribute", ["a{}", "a{}=1", "a{}='>'", 'a{}="<b>"', "a{} = '\"'"])
def test_a_tag_of_too_many_attributes_is_left_bare(attribute: str) -> None:
    many = " ".join(attribute.format(number) for number in range(MAX_ATTRIBUTES + 5))
    shorter, cut = cut_traps(f"<body><div {many}>text</div><p>after".encode())
    assert cut == "attributes"
    assert shorter == b"<body><div>text</div><p>after"


def test_a_long_value_is_no_trap() -> None:
    body = b"<body><input type=hidden name=state value='" + b"x" * 300_000 + b"'>"
    assert cut_traps(body) == (body, "")


def test_what_stands_in_scripts_and_comments_nests_nothing() -> None:
    inside = b"<div>" * 2_000
    body = b"<body><script>" + inside + b"</script><!--" + inside + b"--><style>" + inside
    assert cut_traps(body) == (body, "")


def test_rows_cells_and_items_do_not_nest() -> None:
    body = b"<body><table>" + b"<tr><td>x" * 3_000 + b"</table><ul>" + b"<li>x" * 3_000
    shorter, cut = cut_traps(body)
    assert (shorter, cut) == (body, "")


def test_a_menu_of_forty_thousand_options_is_a_menu() -> None:
    options = "".join(f"<option value={n}>Town {n}</option>" for n in range(40_000))
    body = f"<form action=/s><select name=town>{options}</select><input name=q></form>".encode()
    (form,) = parse_page(body, URL).forms
    menu, box = form.fields
    assert (menu.kind, menu.name, box.name) == ("select", "town", "q")
    assert [option.text for option in menu.options[:2]] == ["Town 0", "Town 1"]


@given(st.binary(max_size=3_000))
def test_any_bytes_are_cut_to_bytes_that_parse(body: bytes) -> None:
    shorter, _ = cut_traps(body)
    assert len(shorter) <= len(body)
    assert parse_html(shorter).tree.root is not None or not shorter


def test_an_ordinary_page_is_ordinary() -> None:
    row = "<div class='row' data-x='{\"a\": 1}'><a href='/p/{}'>A page</a><p>Some text.</p></div>"
    page = "<!doctype html><body>" + "".join(row.replace("{}", str(n)) for n in range(1_500))
    assert is_ordinary(page.encode())
