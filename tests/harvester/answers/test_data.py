"""Answers that are data give the same records as pages."""

import json

import pytest

from leadline.core.harvest import NOTHING, REFUSED, RESULTS
from leadline.harvester.single_page import AnswerPageReader, read_answer_page

URL = "https://example.org/api/search?q=oak"
BOOKS = [
    {"id": n, "title": f"Oak trees of county {n}", "link": f"/book/{n}", "year": 1990 + n}
    for n in range(6)
]


def titles(body: str | bytes, content_type: str) -> list[str]:
    answer = read_answer_page(body, URL, content_type)
    return [record.title for record in answer.records]


WANTED = [str(book["title"]) for book in BOOKS]


def test_json_beside_facets_and_settings_is_read() -> None:
    facets = [{"name": f"Kind {n}", "count": n} for n in range(30)]
    body = json.dumps({"facets": facets, "total": 40, "hits": {"items": BOOKS}}).encode()
    answer = read_answer_page(body, URL, "application/json")
    assert [record.title for record in answer.records] == WANTED
    assert answer.total == 40
    assert answer.records[2].url == "https://example.org/book/2"
    assert {cell.place: cell.text for cell in answer.records[0].cells}["year"] == "1990"


def test_json_lines_and_jsonp_are_read() -> None:
    lines = "\n".join(map(json.dumps, BOOKS)).encode()
    assert titles(lines, "application/x-ndjson") == WANTED
    assert titles(b"show(" + json.dumps(BOOKS).encode() + b");", "text/javascript") == WANTED


def test_groups_of_items_are_joined_and_parts_of_items_are_not() -> None:
    grouped = [{"court": "North", "cases": BOOKS[:3]}, {"court": "South", "cases": BOOKS[3:]}]
    assert titles(json.dumps({"groups": grouped}).encode(), "application/json") == WANTED
    parts = [{**book, "files": [{"file": "a.pdf"}, {"file": "b.pdf"}]} for book in BOOKS]
    assert titles(json.dumps({"books": parts}).encode(), "application/json") == WANTED


def test_html_inside_json_strings_is_read_as_text_with_its_links() -> None:
    rows = [{"text": f"<a href='/x/{n}'>Ash of <b>county {n}</b></a>"} for n in range(4)]
    answer = read_answer_page(json.dumps({"rows": rows}).encode(), URL, "application/json")
    assert answer.records[1].title == "Ash of county 1"
    assert answer.records[1].url == "https://example.org/x/1"


@pytest.mark.parametrize("text", ["Oak & ash {n}", "Oak &amp; ash {n}"])
def test_a_feed_is_read_even_with_a_lone_ampersand(text: str) -> None:
    items = "".join(
        f"<item><title>{text.format(n=n)}</title><link>https://example.org/{n}</link></item>"
        for n in range(4)
    )
    body = f"<rss version='2.0'><channel><title>News</title>{items}</channel></rss>".encode()
    answer = read_answer_page(body, URL, "text/html")
    assert [record.title for record in answer.records] == [f"Oak & ash {n}" for n in range(4)]
    assert answer.records[3].url == "https://example.org/3"


def test_state_in_a_script_is_read_if_the_page_shows_nothing() -> None:
    literal = ",".join(
        f"{{title: 'Elm of the {n}. county', url: '/elm/{n}', words: 'long enough to be read'}}"
        for n in range(5)
    )
    body = f"<body><div id=app></div><script>var found = [{literal},];</script></body>".encode()
    answer = read_answer_page(body, URL, "text/html")
    assert [record.url for record in answer.records] == [
        f"https://example.org/elm/{n}" for n in range(5)
    ]


def test_empty_lists_say_nothing_and_errors_refuse() -> None:
    assert read_answer_page(b'{"total": 0, "items": []}', URL, "application/json").kind == NOTHING
    refused = read_answer_page(b'{"error": "query too short"}', URL, "application/json")
    assert refused.kind == REFUSED
    assert "query too short" in refused.why


def test_a_kept_reader_finds_the_list_of_data_again() -> None:
    reader = AnswerPageReader()
    reader.read(json.dumps({"items": BOOKS}).encode(), URL, "application/json")
    extra = {"news": [{"text": "A long text that is no result " * 9} for _ in range(9)]}
    again = reader.read(json.dumps({"items": BOOKS[:1], **extra}).encode(), URL, "application/json")
    assert again.kind == RESULTS
    assert [record.title for record in again.records] == WANTED[:1]


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b"{" * 9, b"<?xml version='1.0'?>" + b"<a>" * 5_000, b'{"a": NaN']
)
def test_hostile_data_is_read_as_something(body: bytes) -> None:
    assert read_answer_page(body, URL, "application/json").records == ()


def test_a_quotation_is_no_quota() -> None:
    rows = "<p>Search help: put a quotation in quotes.</p>"
    assert read_answer_page(rows.encode(), URL, "text/html").kind != "blocked"


def test_decisions_of_a_case_are_told_by_the_values_of_the_case() -> None:
    cases = [
        {"no": f"22-{n}", "case": f"Roe v. Oak {n}", "decisions": [
            {"title": f"Order {n}{part} on the motion to dismiss", "file": f"/d/{n}{part}.pdf"}
            for part in "ab"
        ]}
        for n in range(5)
    ]  # fmt: skip
    answer = read_answer_page(json.dumps({"cases": cases}), URL, "application/json")
    assert len(answer.records) == 10
    told = {cell.place: cell.text for cell in answer.records[3].cells}
    assert (told["cases.no"], told["cases.case"]) == ("22-1", "Roe v. Oak 1")


def test_items_that_share_an_address_are_different_records() -> None:
    rows = [
        {"docket": f"10-{n}", "title": f"Roe v. Oak {n}", "url": f"/file/{n // 2 if n < 4 else n}"}
        for n in range(12)
    ]
    answer = read_answer_page(json.dumps(rows), URL, "application/json")
    assert len(answer.records) == 12


def test_data_that_is_one_piece_of_a_page_among_commands_is_read_as_the_page() -> None:
    items = "".join(f"<li><a href='/book/{n}'>{t}</a> by Ann</li>" for n, t in enumerate(WANTED))
    commands = [
        {"command": "settings", "selector": "#a", "data": "the first of all commands to the page"},
        {"command": "insert", "selector": "#view", "data": f"<div><ul>{items}</ul></div>"},
        {"command": "invoke", "selector": "#b", "data": "the last of all commands to the page"},
    ]
    assert titles(json.dumps(commands), "application/json") == WANTED
