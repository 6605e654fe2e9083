"""The single parts: what they return, that nothing makes them raise, and that they stand alone."""

import encodings.aliases
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import leadline
from leadline import parts
from leadline.errors import ConfigError
from leadline.topics.vocabulary import DOMAINS

URL = "https://books.example/find?q=sea"
SEARCH = """<html lang=en><title>Second-hand books</title><body>
<form action="/find" role=search>
 <label for=q>Title, author or ISBN</label><input id=q name=q>
 <label>Price from <input name=price_from></label><label>to <input name=price_to></label>
 <select name=format><option value="">any</option><option value=h>Hardcover</option>
  <option value=p>Paperback</option></select>
 <input type=hidden name=shop value=7><button>Search books</button></form>
<form action=/login method=post><input name=user><input type=password name=pass>
 <button>Log in</button></form>
"""
RESULTS = """<html><body><h1>Books about sea</h1><p>Results 1 to 10 of 37</p><ol>{}</ol>
<div class=pager><b>1</b> <a href="/find?q=sea&page=2">2</a>
<a href="/find?q=sea&page=2">Next</a></div></body></html>""".format(
    "".join(
        f'<li><a href="/book/{n}">The sea, volume {n}</a><span class=by>by Author {n}</span>'
        f"<em>{n} EUR</em></li>"
        for n in range(1, 11)
    )
)
POSTED = """<html><body><ul>{}</ul><form method=post action=/list>
<input type=hidden name=state value=abc><input type=submit name=go value="Next page">
</form></body></html>""".format(
    "".join(f'<li><a href="/item/{n}">Thing number {n}</a> some words on it</li>' for n in range(9))
)


def test_a_search_form_is_found_with_all_it_asks_for() -> None:
    search, login = parts.find_forms(SEARCH, URL)
    assert (search.action, search.method) == ("https://books.example/find", "get")
    assert [(field.name, field.role) for field in search.fields] == [
        ("q", "keyword"),
        ("price_from", "price from"),
        ("price_to", "price to"),
        ("format", "category"),
        ("shop", "state"),
    ]
    assert search.fields[0].label == "Title, author or ISBN"
    assert [(one.value, one.text) for one in search.fields[3].options][1] == ("h", "Hardcover")
    assert search.searchable > 0.9
    assert search.is_safe_to_submit
    assert next(iter(search.topics)) == "book"
    assert login.searchable < 0.1
    assert not login.is_safe_to_submit
    assert "not to be sent: it asks for a password" in login.why
    assert set(search.topics) == set(login.topics) == set(DOMAINS)


def test_a_box_that_only_a_script_reads_is_found_and_not_to_be_sent() -> None:
    (box,) = parts.find_forms('<input type=search placeholder="Search">', URL)
    assert box.action is None
    assert not box.is_safe_to_submit


def test_the_action_is_that_of_the_button_to_press() -> None:
    page = (
        "<form action=/a><input name=q><button formaction=/b formmethod=post>Search</button></form>"
    )
    (form,) = parts.find_forms(page, URL)
    assert (form.action, form.method) == ("https://books.example/b", "post")


def test_results_are_read_with_their_total_and_next_page() -> None:
    found = parts.read_results(RESULTS.encode(), URL, content_type="text/html", query="sea")
    assert found.kind == "results"
    assert found.total == 37
    assert found.next_url == "https://books.example/find?q=sea&page=2"
    assert len(found.records) == 10
    first = found.records[0]
    assert first.title == "The sea, volume 1"
    assert first.url == "https://books.example/book/1"
    assert first.links[0] == first.url
    assert "by Author 1" in first.text
    assert "by Author 1" in first.fields.values()


@pytest.mark.parametrize("query", [None, "sea", {"q": "sea"}])
def test_a_query_may_be_given_or_left_out(query: str | dict[str, str] | None) -> None:
    found = parts.read_results(RESULTS, URL, query=query)
    assert (found.kind, len(found.records)) == ("results", 10)


def test_nothing_found_is_said_though_the_search_box_is_shown_again() -> None:
    page = "<form><input name=q><button>Search</button></form><p>No results found for sea.</p>"
    assert parts.read_results(page, URL, query="sea").kind == "nothing"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"%PDF-1.7", "application/pdf"),
        (b"\x89PNG", "image/png; x=y"),
    ],
)
def test_a_format_that_is_not_read_is_said_to_be(body: str | bytes, content_type: str) -> None:
    found = parts.read_results(body, URL, content_type=content_type)
    assert found.kind == "unread"
    assert found.why
    assert found.records == ()


def test_xhtml_is_read_whatever_it_is_sent_as() -> None:
    page = f"<?xml version='1.0'?><!DOCTYPE html>{RESULTS}"
    for content_type in ("application/xml", "application/xhtml+xml", ""):
        assert parts.read_results(page, URL, content_type=content_type).kind == "results"


@pytest.mark.parametrize("part", ["find_forms", "read_results", "next_page", "classify_page"])
def test_a_missing_content_type_may_be_none(part: str) -> None:
    assert PARTS[part](SEARCH.encode(), URL, content_type=None) == PARTS[part](SEARCH, URL)


def test_a_next_page_is_a_string() -> None:
    following = parts.next_page(RESULTS, URL)
    assert following == "https://books.example/find?q=sea&page=2"
    assert following is not None
    assert (following.method, following.body) == ("GET", b"")
    assert parts.next_page("<p>the end", URL) is None


def test_a_next_page_by_post_says_how_it_is_had() -> None:
    following = parts.next_page(POSTED, "https://books.example/list")
    assert following == "https://books.example/list"
    assert following is not None
    assert following.method == "POST"
    assert following.body == b"state=abc&go=Next+page"
    assert following.content_type == "application/x-www-form-urlencoded"
    again = pickle.loads(pickle.dumps(following))
    assert (again, again.body) == (following, following.body)
    with pytest.raises(AttributeError):
        following.method = "GET"


def test_a_page_is_classified_by_topic_and_language() -> None:
    text = "Used cars for sale: vehicles of every make and model, mileage, dealers. " * 5
    page = parts.classify_page(f"<html lang=en><title>Used cars</title><p>{text}", URL)
    assert next(iter(page.topics)) == "auto"
    assert page.topics["auto"] > 0.9 > page.topics["book"]
    assert page.language == "en"
    assert page.why.startswith("auto: ")


def test_links_are_ranked_best_first_each_once() -> None:
    page = """<a href=/about>About us</a><a href=/s>here</a><a href=/s>Search our book catalogue</a>
    <a href="/find?q=sea">this page</a><a href=javascript:x()>no</a>"""
    links = parts.rank_links(page, URL, "book")
    assert [link.url for link in links] == [
        "https://books.example/s",
        "https://books.example/about",
    ]
    assert links[0].anchor == "Search our book catalogue"
    assert 1 >= links[0].score > links[1].score >= 0
    assert "search" in links[0].why


def test_links_are_ranked_by_words_of_ones_own() -> None:
    page = "<a href=/a>Herbarium sheets</a><a href=/b>Jobs</a>"
    assert parts.rank_links(page, URL, ["herbarium", "specimen"])[0].anchor == "Herbarium sheets"
    assert len(parts.rank_links(page, URL, [])) == 2


def test_a_topic_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="no topic"):
        parts.rank_links("", URL, "bok")


def test_what_they_return_is_frozen_and_can_be_sent_to_other_processes() -> None:
    values: list[Any] = [
        parts.find_forms(SEARCH, URL)[0],
        parts.find_forms(SEARCH, URL)[0].fields[0],
        parts.read_results(RESULTS, URL),
        parts.read_results(RESULTS, URL).records[0],
        parts.classify_page(SEARCH, URL),
        parts.rank_links(RESULTS, URL, "book")[0],
    ]
    for thing in values:
        assert pickle.loads(pickle.dumps(thing)) == thing
        with pytest.raises(FrozenInstanceError):
            setattr(thing, fields(thing)[0].name, "")


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (parts.WebForm, "action method fields searchable topics is_safe_to_submit why source"),
        (parts.FormField, "name label kind role options"),
        (parts.SearchResults, "records total next_url kind why"),
        (parts.ResultRecord, "title url links text fields"),
        (parts.LinkRank, "url anchor score why"),
        (parts.PageTopics, "topics language why"),
    ],
)
def test_other_programs_can_rely_on_the_attributes(kind: Any, names: str) -> None:
    assert [field.name for field in fields(kind)] == names.split()


PARTS: dict[str, Callable[..., object]] = {
    "find_forms": parts.find_forms,
    "read_results": parts.read_results,
    "next_page": parts.next_page,
    "classify_page": parts.classify_page,
    "rank_links": lambda html, url, **more: parts.rank_links(html, url, "book", **more),
}
MANY = 40_000
BAD_HREFS = ["//", "http:", "http://[", "http://a:99999/", "http://\u2024.\ud800/", "%", "?&=;"]
BAD_URLS = ["", "garbage", "http://[::1", "javascript:1", "\ud800", "\0", "http://a:b/", "?q=1"]
NASTY: dict[str, str | bytes] = {
    "empty": b"",
    "empty text": "",
    "NULs": b"<form\0 action=\0><input name=q\0q><a href=\0>\0</a>" + b"\0" * 99,
    "lone surrogates": SEARCH.replace("books", "\ud800\udfff") + RESULTS,
    "latin-1 called utf-8": "Bücher für <a href='/ü'>Übung</a>".encode("latin-1"),
    "utf-16": SEARCH.encode("utf-16"),
    "half a character": RESULTS.encode() + b"\xf0\x9f",
    "half a tag": RESULTS[:-300] + "<a href='",
    "many attributes": "<input " + " ".join(f"a{n}=1" for n in range(MANY)) + ">" + SEARCH,
    "one tag of attributes": "<form " + "x " * MANY + "><input name=q>",
    "deep": "<div>" * MANY + SEARCH,
    "deep, but short": "<div>" * 9_000 + RESULTS,
    "deep lists": "<ul><li>" * 4_000 + RESULTS,
    "deep forms": "<form><table>" * 3_000 + "<input name=q>",
    "deep options": "<select name=a>" + "<optgroup>" * 9_000 + "<option>x",
    "many links": "".join(f"<a href=?page={n}>{n}</a> " for n in range(9_000)),
    "many forms": "<form><input name=q><button>Search</button></form>" * 900,
    "many items": "<ul>" + "<li><a href=/x>x</a>y</li>" * 20_000,
    "numbers": "<p>" + "9" * 6_000 + " results</p>" + RESULTS,
    "a bad base": "<base href='http://[::1'>" + SEARCH + RESULTS,
    "addresses": "".join(
        f"<a href='{href}'>Next</a><form action='{href}'><input name=q><button>Go</button></form>"
        for href in (
            "//",
            "http:",
            "http://[",
            "http://a:99999/",
            "http://\u2024.\ud800/",
            "%",
            "?&=;",
        )
    ),
    "binary": bytes(range(256)) * 40,
}
BAD_URLS = [
    "",
    "garbage",
    "http://",
    "http://[::1",
    "javascript:1",
    "\ud800",
    "\0",
    "http://a:b/",
    "?q=1",
]
NAMES = sorted({*encodings.aliases.aliases, *encodings.aliases.aliases.values()})
CHARSETS = [*NAMES, "idna", "undefined", "punycode", "unicode_escape", "..", "\ud800", "x" * 999]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("page", NASTY)
def test_no_page_is_too_nasty(part: str, page: str) -> None:
    PARTS[part](NASTY[page], URL)
    PARTS[part](NASTY[page], "no address")


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("url", BAD_URLS)
def test_a_url_may_be_garbage(part: str, url: str) -> None:
    for page in (SEARCH, RESULTS, POSTED):
        PARTS[part](page, url)


def test_without_an_address_absolute_links_still_lead_somewhere() -> None:
    page = '<a href="/a">one</a><a href="https://other.example/b">Search books</a>' + SEARCH
    assert [link.url for link in parts.rank_links(page, "", "book")] == ["https://other.example/b"]
    assert [form.action for form in parts.find_forms(page, "")] == [None, None]


@pytest.mark.parametrize("part", PARTS)
def test_a_charset_may_be_anything(part: str) -> None:
    for name in CHARSETS:
        kind = f"text/html; charset={name}"
        PARTS[part](
            b"<p>caf\xe9 \\x \\N{a} +AGE- \xff</p><a href=/n>Next</a>", URL, content_type=kind
        )
        declared = f"<meta charset='{name}'>caf".encode("utf-8", "replace") + b"\xe9\xff"
        PARTS[part](declared, URL)


tags = st.sampled_from(
    "form input select option textarea button label a table tr td ul li p div b h2 base pre".split()
)
attributes = st.dictionaries(
    st.sampled_from(
        "action method name type value href id for class rel role title charset content lang "
        "formaction placeholder maxlength size aria-label colspan data-url".split()
    ),
    st.text(max_size=12)
    | st.sampled_from(["post", "search", "q", "next", "password", "?page=2", "on"]),
    max_size=4,
)


@st.composite
def markup(draw: st.DrawFn) -> str:
    found = []
    for _ in range(draw(st.integers(0, 30))):
        tag = draw(tags)
        given = "".join(f' {name}="{value}"' for name, value in draw(attributes).items())
        found.append(
            draw(st.sampled_from([f"<{tag}{given}>", f"</{tag}>"])) + draw(st.text(max_size=9))
        )
    return "".join(found)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(html=markup() | st.binary(max_size=300) | st.text(max_size=200), url=st.text(max_size=30))
def test_nothing_makes_them_raise(html: str | bytes, url: str) -> None:
    for part in PARTS.values():
        part(html, url)
        part(html, URL)


@settings(max_examples=60, deadline=None)
@given(
    body=st.binary(max_size=200),
    content_type=st.text(max_size=40),
    query=st.none()
    | st.text(max_size=20)
    | st.dictionaries(st.text(max_size=9), st.text(max_size=9)),
)
def test_no_answer_makes_reading_raise(
    body: bytes, content_type: str, query: str | dict[str, str] | None
) -> None:
    parts.read_results(body, URL, content_type=content_type, query=query)
    parts.read_results(RESULTS.encode() + body, URL, query=query)


def test_importing_leadline_does_not_load_them() -> None:
    code = "import sys, leadline; assert 'parts' in dir(leadline);"
    code += "assert not any(n.startswith(('leadline.parts', 'numpy')) for n in sys.modules);"
    code += "leadline.parts.next_page('', '');"
    code += "assert not any(n.startswith(('asyncio', 'aiohttp', 'sqlite3')) for n in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert leadline.parts is parts
