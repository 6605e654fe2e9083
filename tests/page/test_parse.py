"""Pages: any bytes in, links with their surroundings out."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leadline.core.page import Page
from leadline.core.url import Url
from leadline.page import PageLimits, parse_page
from leadline.page.words import text_at_offset, words_around

HERE = Url("http://a.test/dir/page.html")


def parse(html: str) -> Page:
    return parse_page(html.encode(), HERE)


tags = st.sampled_from(
    "<a href=x>|</a>|<form>|</form>|<table>|<tr>|<td>|</table>|<input name=q>|<select>|<option>"
    "|<script>|</script>|<base href=//b.test/c/>|<p>|<!--|-->|<svg>|<template>|<title>|<frameset>"
    "|<frame src=y>|<plaintext>|<body>|<html lang=de>|<meta http-equiv=refresh content='0;url=z'>"
    "|text|é|<button>|<label for=i>|<iframe src=w>|<math>|<a>|<area href=v>|<noscript>|<textarea>"
    "|\x00".split("|")
)


@given(
    body=st.one_of(
        st.binary(max_size=300), st.lists(tags, max_size=40).map("".join).map(str.encode)
    )
)
def test_any_bytes_give_a_page(body: bytes) -> None:
    page = parse_page(body, HERE)
    for number, link in enumerate(page.links):
        assert link.position == number
        assert 0 <= link.first_leaf <= link.last_leaf + 1 <= len(page.leaves)
        words_around(page, link)
    assert parse_page(body, HERE) == page


def test_dom_offsets_count_leaves_from_the_anchor() -> None:
    page = parse("<ul><li>T1</li><li><a href=/x>T2<b>T3</b></a></li><li>T4</li></ul>")
    link = page.links[0]
    assert link.anchor == "T2 T3"
    assert [text_at_offset(page, link, d) for d in (-1, 0, 1, 2)] == ["T1", "T2 T3", "T4", ""]


def test_textless_leaves_count_and_white_space_does_not() -> None:
    page = parse("<p>far</p> <img src=i> \n <a href=/x>go</a>")
    assert text_at_offset(page, page.links[0], -1) == ""
    assert text_at_offset(page, page.links[0], -2) == "far"


def test_ten_words_before_and_after() -> None:
    words = " ".join(f"w{n}" for n in range(20))
    page = parse(f"<p>{words} <a href=/x>go</a> {words}</p>")
    before, after = words_around(page, page.links[0])
    assert before == [f"w{n}" for n in range(10, 20)]
    assert after == [f"w{n}" for n in range(10)]


def test_links_keep_anchor_path_and_relation() -> None:
    page = parse(
        "<div class='menu top'><ul><li><a href='/s' rel='nofollow ugc' title='T'>Find it</a></ul>"
        "</div>"
        "<a href=/i><img alt='Advanced search'></a><area href=/m><iframe src=/f></iframe>"
    )
    first, image, area, frame = page.links
    assert (first.tag_path, first.nofollow, first.title) == ("body/div.menu/ul/li", True, "T")
    assert image.anchor == "Advanced search"
    assert (area.target, frame.target) == ("http://a.test/m", "http://a.test/f")


def test_base_title_language_canonical_and_robots() -> None:
    page = parse(
        "<html lang='de-AT'><head><base href='/other/'><title> A\n B </title>"
        "<link rel=canonical href=c><meta name=robots content='noindex, nofollow'>"
        "<meta http-equiv=refresh content='5; URL=next.html'></head><body><a href=x>x</a>"
    )
    assert (page.title, page.language, page.canonical) == ("A B", "de", "http://a.test/other/c")
    assert [link.target for link in page.links] == [
        "http://a.test/other/next.html",
        "http://a.test/other/x",
    ]
    assert page.is_noindex
    assert page.is_nofollow


def test_language_is_detected_where_none_is_declared() -> None:
    text = "Die alten Bücher stehen in der Bibliothek und werden dort von den Lesern gesucht. "
    assert parse(f"<p>{text * 2}").language == "de"


def test_unseen_text_is_no_text() -> None:
    page = parse(
        "<script>var a</script><style>b</style><p>seen</p><template>t</template><!-- c -->"
        "<select><option>o</select><textarea>d</textarea>"
    )
    assert page.text == "seen"


def test_a_cut_page_says_so() -> None:
    limits = PageLimits(nodes=50, links=3)
    assert parse_page(b"<p>x" * 100, HERE, limits=limits).truncated == "nodes"
    page = parse_page(b"<a href=x>y</a>" * 10, HERE, limits=limits)
    assert (len(page.links), page.truncated) == (3, "links")


def cpu_of(body: bytes) -> float:
    start = time.process_time()
    parse_page(body, HERE)
    return time.process_time() - start


UNITS = (
    "<div><a href=x><table><td><form><select><label>|<a href=x>|<form>|<b><p>|<div>|<ul><li>"
    "|<table><form><input>|<select><option>|<b x=1><i></b>|<label><input>|<p>x<a href=y>z"
    "|<path/>|<svg><div><path/>"
).split("|")


@pytest.mark.parametrize("unit", UNITS)
def test_hostile_markup_costs_bounded_time(unit: str) -> None:
    body = unit.encode() * (5_000_000 // len(unit))
    assert cpu_of(body) < 5.0


def test_many_drawn_icons_are_no_deep_nesting() -> None:
    row = "<tr><td><svg viewBox='0 0 9 9'><path d='M0 0h9'/></svg><a href=/item/{}>x</a></td></tr>"
    body = f"<table>{''.join(row.format(number) for number in range(3_000))}</table>"
    page = parse_page(body.encode(), HERE)
    assert not page.truncated
    assert len(page.links) == 3_000


def test_a_tag_of_half_a_million_attributes_is_cut() -> None:
    body = b"<p " + b" ".join(b"a%d=1" % n for n in range(500_000)) + b"><a href=/x>y</a>"
    page = parse_page(body, HERE)
    assert page.truncated == "attributes"
    assert len(page.links) == 1
