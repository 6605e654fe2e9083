"""A search site made up for tests; what is odd about one is in a class that builds on it."""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import ClassVar
from urllib.parse import urlencode

from aiohttp import web

from tests.harvester.made.catalogue import Item, make_items
from tests.server.served import Served

HOST = "http://made.test"
_WORD = re.compile(r"[^\W_]+")


class MadeSite(Served):
    """Well behaved: one box, exact totals, pages of ten with links to the next one.

    `log` holds the target of every request but robots.txt.
    """

    start: ClassVar[str] = "/"
    """What is given to the harvest: a path, or a template with `{query}`."""
    count: ClassVar[int] = 120
    page_size: ClassVar[int] = 10
    cap: ClassVar[int | None] = None
    lists_all: ClassVar[bool] = False
    """An empty query lists everything."""
    any_word: ClassVar[bool] = False
    """Words are joined by OR."""
    max_requests: ClassVar[int] = 160
    least_share: ClassVar[float] = 0.95
    most_false: ClassVar[int] = 0
    most_to_90: ClassVar[int] = 50
    """Requests that nine tenths of the records may take."""
    says: ClassVar[str] = ""
    """What its reason to stop must hold."""

    def __init__(self) -> None:
        super().__init__()
        self.items = make_items(self.count)
        self.log: list[str] = []

    def reachable(self) -> frozenset[int]:
        return frozenset(item.number for item in self.items)

    @classmethod
    def listing_requests(cls) -> float:
        """The least that nine tenths of the records can take: full pages, answers as long as the
        cap allows, and no record twice."""
        size = cls.page_size if cls.cap is None else min(cls.page_size, cls.cap)
        return max(1.0, 0.9 * cls.count / size)

    # What it answers.

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/robots.txt":
            return web.Response(text="")
        posted = {}
        if request.method == "POST":
            posted = {name: str(value) for name, value in (await request.post()).items()}
        self.log.append(request.path_qs + (f" {urlencode(posted)}" if posted else ""))
        given = {**request.query, **posted}
        return self.respond(request.path, given, request.method)

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:  # noqa: ARG002
        if path == "/find":
            return self.search(given)
        found = re.fullmatch(r"/item/(\d+)", path)
        if found:
            return self.page(self.show_item(self.items[int(found[1]) - 1]))
        return self.page(self.home()) if path == "/" else self.missing()

    def missing(self) -> web.Response:
        return web.Response(text="<h1>Not found</h1>", status=404, content_type="text/html")

    def search(self, given: Mapping[str, str]) -> web.Response:
        found = self.find(given)
        number = max(1, int(given.get("page") or 1))
        if not found:
            return self.page(self.form(given) + self.nothing(given))
        shown = found[: self.cap]
        begin = (number - 1) * self.page_size
        items = shown[begin : begin + self.page_size]
        body = self.say_total(found) + self.show_list(items, given)
        return self.page(self.form(given) + body + self.turn(given, number, len(shown)))

    def find(self, given: Mapping[str, str]) -> list[Item]:
        text = given.get("q", "").strip().lower()
        if not text:
            return list(self.items) if self.lists_all else []
        words = _WORD.findall(text)
        join = any if self.any_word else all
        return [item for item in self.items if join(self.matches(w, item) for w in words)]

    def matches(self, word: str, item: Item) -> bool:
        return word in _WORD.findall(item.words)

    # How it looks.

    def page(self, body: str, status: int = 200) -> web.Response:
        head = "<!DOCTYPE html><html lang=en><title>The collection</title>"
        text = f"{head}<body><h1>The collection of old things</h1>{body}{self.foot()}</body></html>"
        return web.Response(text=text, status=status, content_type="text/html")

    def home(self) -> str:
        return (
            f"<p>A lamp of the harbour, a carved clock, a ship in winter, maps and coins.</p>"
            f"{self.form({})}"
        )

    def form(self, given: Mapping[str, str]) -> str:
        value = escape(given.get("q", ""), quote=True)
        return (
            f'<form action="/find">Search the collection <input type="search" name="q" '
            f'value="{value}"><button>Search</button></form>'
        )

    def foot(self) -> str:
        return '<p class="foot"><a href="/">Home</a> <a href="/about">About us</a></p>'

    def nothing(self, given: Mapping[str, str]) -> str:
        return f"<p>Nothing matches {escape(given.get('q', ''))}.</p>"

    def say_total(self, found: Sequence[Item]) -> str:
        return f"<p>{len(found)} things found</p>"

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:
        rows = "".join(f"<li>{self.show_row(item, given)}</li>" for item in items)
        return f'<ol class="results">{rows}</ol>'

    def show_row(self, item: Item, given: Mapping[str, str]) -> str:  # noqa: ARG002
        return (
            f'<a href="/item/{item.number}">{item.title}</a> <p>{item.text}</p>'
            f"<small>{item.kind}, {item.place} {item.year}</small>"
        )

    def show_item(self, item: Item) -> str:
        return f"<h2>{item.title}</h2><p>{item.text}</p><p>{item.kind}, {item.place}</p>"

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:
        if number * self.page_size >= shown:
            return ""
        return f'<p><a href="{self.turn_url(given, number + 1)}">Next page</a></p>'

    def turn_url(self, given: Mapping[str, str], number: int) -> str:
        return escape("/find?" + urlencode({**given, "page": str(number)}), quote=True)


def highlight(text: str, query: str) -> str:
    """The part of a text around the first word of the query, with that word in bold."""
    words = _WORD.findall(query.lower())
    if not words:
        return escape(text[:60])
    found = re.search(rf"\b{re.escape(words[0])}", text, re.IGNORECASE)
    if not found:
        return escape(text[:60])
    begin = max(0, found.start() - 20)
    part = escape(text[begin : found.end() + 25])
    return re.sub(rf"(?i)\b({re.escape(words[0])}\w*)", r"<b>\1</b>", part)
