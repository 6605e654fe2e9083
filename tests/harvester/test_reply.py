"""A reply is parsed once, and any bytes give one."""

from collections.abc import Callable
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from leadline.core.http import Response
from leadline.core.url import AS_IT_IS, Url
from leadline.harvester.reply import reply_of
from leadline.page import html_tree
from leadline.page.html_tree import find_charset
from leadline.page.outline import outline_of
from leadline.page.parse import parse_page

URL = Url("http://a.test/search?q=whale")
HTML = (
    "<html><head><base href='/in/'><link rel=next href='2'><title>Ärzte</title></head><body>"
    "<form action=find><input name=q value=whale><input type=submit></form><pre>a\n  b</pre>"
    "<ul><li><a href='1?sid=7'>Whale</a><li><a href='2'>Shark</a></ul></body></html>"
)


class Calls:
    """Counts the calls of a function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.count = 0
        self._function = function

    def __call__(self, *given: Any) -> Any:
        self.count += 1
        return self._function(*given)


def test_a_reply_is_decoded_and_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parses = Calls(LexborHTMLParser)
    detections = Calls(find_charset)
    monkeypatch.setattr(html_tree, "LexborHTMLParser", parses)
    monkeypatch.setattr(html_tree, "find_charset", detections)
    reply = reply_of(Response(URL, 200, (), HTML.encode("cp1252"), 0.0))
    assert reply.page.title == "Ärzte"
    assert "Whale" in reply.outline.texts
    assert (parses.count, detections.count) == (1, 1)


def test_page_and_outline_are_those_of_bytes_parsed_for_each() -> None:
    body = HTML.encode()
    reply = reply_of(Response(URL, 200, (), body, 0.0))
    alone = outline_of(body, URL, rules=AS_IT_IS)
    assert reply.page == parse_page(body, URL, rules=AS_IT_IS)
    for name in ("tags", "parents", "ends", "texts", "attributes", "relations", "truncated"):
        assert getattr(reply.outline, name) == getattr(alone, name)
    assert reply.outline.join("x?sid=1") == alone.join("x?sid=1") == "http://a.test/in/x?sid=1"
