"""Markup made to cost time is rewritten, ordinary markup is left alone, long menus are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from leadline.core.url import Url
from leadline.page import markup_guard
from leadline.page.html_tree import parse_html
from leadline.page.markup_guard import MAX_ATTRIBUTES, MAX_DEPTH, is_ordinary, rewrite_markup
from leadline.page.parse import parse_page

URL = Url("http://a.example/")
PIECES = (
    *("<div>", "</div>", "<p>", "</p>", "<b>", "</b>", "<b a=1>", "<a href=/x>", "</a>", "<table>"),
    *("</table>", "<tr>", "<td>", "</td>", "<li>", "<ul>", "</ul>", "<span>", "</span>", "<x-y>"),
    *("<svg>", "</svg>", "<path/>", "<title>", "</title>", "<style>", "</style>", "<script>"),
    *("</script>", "<!--", "-->", "<!-->", "<!x>", "<?", "</>", "<![CDATA[", "]]>", "<textarea>"),
    *("</textarea>", "<select>", "</select>", "<option>", "<form>", "</form>", "<input name=q>"),
    *(
        '"',
        "'",
        "=",
        ">",
        "<",
        "/",
        " ",
        "text",
        '<a b="',
        "<a ='",
        "<noscript>",
        "<object>",
        "&lt;",
    ),
    *("<ruby>", "<rt>", "<button>", "<h1>", "<template>", "<br>", "<plaintext>", "<frameset>"),
)
"""What a tokenizer may take for something else than the parser does."""


def measure_depth(body: bytes) -> int:
    """Of the tree that the parser builds."""
    deepest, waiting = 0, [(LexborHTMLParser(body).root, 0)]
    while waiting:
        node, depth = waiting.pop()
        while node is not None:
            deepest = max(deepest, depth)
            waiting.append((node.first_child, depth + 1))
            node = node.next
    return deepest


def list_links_and_fields(body: bytes) -> list[str]:
    page = parse_page(body, URL)
    fields = [field.name for form in page.forms for field in form.fields]
    return [*(link.target for link in page.links), *fields]


def test_nesting_stops_where_browsers_stop_and_the_rest_is_read() -> None:
    body = b"<body>" + b"<div>" * 5_000 + b"<p>deep" + b"</div>" * 5_000 + b"<a href=/x>after</a>"
    shorter, cut = rewrite_markup(body)
    assert cut == "depth"
    assert shorter.count(b"<div>") <= MAX_DEPTH
    assert b"<a href=/x>after</a>" in shorter


@pytest.mark.parametrize(
    "piece",
    [
        "<div></x>",
        "<div><table><tr><td></div>",
        "<span><div></span>",
        "<b><div></b>",
        "<svg><foreignObject><div/>",
        "<noscript><div>",
        "<!--><div>",
        "<object><a href=x>",
        "<ruby><rt><ruby>",
        "<table><div>",
    ],
)
def test_no_end_tag_deceives_the_count_of_open_elements(piece: str) -> None:
    rewritten, _ = rewrite_markup(b"<body>" + piece.encode() * 3_000)
    # Tables bring their own body and row.
    assert measure_depth(rewritten) < 2 * MAX_DEPTH


def test_formatting_that_is_never_closed_is_not_opened_again_by_every_block() -> None:
    body = b"<body>" + b"".join(b"<p><font size=%d>x</p>" % number for number in range(2_000))
    assert not is_ordinary(body)
    rewritten, _ = rewrite_markup(body)
    assert len(LexborHTMLParser(rewritten).css("font")) == 2_000


@pytest.mark.parametrize("attribute", ["a{}", "a{}=1", "a{}='>'", 'a{}="<b>"', "a{} = '\"'"])
def test_a_tag_of_too_many_attributes_is_left_bare(attribute: str) -> None:
    many = " ".join(attribute.format(number) for number in range(MAX_ATTRIBUTES + 5))
    body = f"<body><div {many}>text</div><p>after".encode()
    assert not is_ordinary(body + b"x" * 40_000)
    shorter, cut = rewrite_markup(body)
    assert cut == "attributes"
    assert shorter == b"<body><div>text</div><p>after"


@pytest.mark.parametrize("value", ["<", ">"])
def test_a_bracket_in_a_value_hides_no_attributes(value: str) -> None:
    many = " ".join(f"a{n} b{n}='{value}'" if n % 1_000 == 0 else f"a{n}" for n in range(20_000))
    assert not is_ordinary(f"<body><div {many}>text</div>".encode())


def test_a_long_value_is_no_trap() -> None:
    body = b"<body><input type=hidden name=state value='" + b"x" * 300_000 + b"'>"
    assert is_ordinary(body)
    assert rewrite_markup(body) == (body, "")


def test_what_stands_in_scripts_and_comments_nests_nothing() -> None:
    inside = b"<div>" * 2_000
    body = b"<body><script>" + inside + b"</script><!--" + inside + b"--><style>" + inside
    assert rewrite_markup(body) == (b"<body><script></script><!----><style>", "")


def test_rows_cells_and_items_do_not_nest() -> None:
    body = b"<body><table>" + b"<tr><td>x" * 3_000 + b"</table><ul>" + b"<li>x" * 3_000
    rewritten, cut = rewrite_markup(body)
    assert cut == ""
    assert measure_depth(rewritten) < 12


@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_the_parser_finds_no_more_open_than_the_rewriter_wrote(pieces: list[str]) -> None:
    body = "".join(pieces).encode()
    rewritten, _ = rewrite_markup(body)
    # Written once more it is the same to the parser: nothing in it can be taken for another token.
    again, _ = rewrite_markup(rewritten)
    assert list_links_and_fields(again) == list_links_and_fields(rewritten)
    assert measure_depth(rewritten) <= measure_depth(body) + 40


@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_what_the_quick_look_lets_through_has_no_tag_of_too_many_attributes(
    pieces: list[str],
) -> None:
    many = " ".join(f"a{number}" for number in range(8_000))
    body = f"{''.join(pieces)}<div {many}>".encode()
    if is_ordinary(body):
        counts = [len(node.attributes) for node in LexborHTMLParser(body).css("*")]
        assert max(counts, default=0) <= MAX_ATTRIBUTES


def test_a_menu_of_forty_thousand_options_is_a_menu() -> None:
    options = "".join(f"<option value={n}>Town {n}</option>" for n in range(40_000))
    body = f"<form action=/s><select name=town>{options}</select><input name=q></form>".encode()
    (form,) = parse_page(body, URL).forms
    menu, box = form.fields
    assert (menu.kind, menu.name, box.name) == ("select", "town", "q")
    assert [option.text for option in menu.options[:2]] == ["Town 0", "Town 1"]


@given(st.binary(max_size=3_000))
def test_any_bytes_are_rewritten_to_bytes_that_parse(body: bytes) -> None:
    rewritten, _ = rewrite_markup(body)
    assert parse_html(rewritten).tree.root is not None or not rewritten


def test_an_ordinary_page_is_ordinary() -> None:
    row = "<div class='row' data-x='{\"a\": 1}'><a href='/p/{}'>A page</a><p>Some text.</p></div>"
    page = "<!doctype html><body>" + "".join(row.replace("{}", str(n)) for n in range(1_500))
    assert is_ordinary(page.encode())


@given(st.lists(st.sampled_from(("<", "</", "b", "em", "STRONG", "font", "form", ">", " ", "x"))))
def test_formatting_is_found_in_what_is_cut_as_in_the_whole(parts: list[str]) -> None:
    many = "<b></b>" * markup_guard._ORDINARY_FORMATS  # of fewer tags nothing is cut
    body = "".join((many, "<i> ", *parts, " text")).encode()
    cut = markup_guard._cut_formats(body).lower()
    assert markup_guard._format_tags(cut) == markup_guard._format_tags(body.lower())


def test_formatting_left_open_on_a_page_of_few_tags_is_ordinary() -> None:
    text = b"<p>A word or two that is not formatted.</p>" * 300
    assert is_ordinary(b"<body>" + b"<em>" * 60 + text)
    assert not is_ordinary(b"<body>" + b"<em>" * 600 + text)
