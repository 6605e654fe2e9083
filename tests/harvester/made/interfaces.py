"""Sites that differ in what can be asked: caps, prefixes, wildcards, menus, dates, data, POST."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import ClassVar
from urllib.parse import urlencode

from aiohttp import web

from tests.harvester.made.catalogue import KINDS, Item
from tests.harvester.made.site import MadeSite


class Plain(MadeSite):
    """Nothing odd."""


class ListsAll(MadeSite):
    """An empty query lists everything."""

    lists_all: ClassVar[bool] = True
    count: ClassVar[int] = 240
    least_share: ClassVar[float] = 1.0


class CappedWithTotals(MadeSite):
    """Tells how many match, and shows thirty of them."""

    most_to_90: ClassVar[int] = 100
    cap: ClassVar[int | None] = 30
    lists_all: ClassVar[bool] = True
    count: ClassVar[int] = 200


class CappedInSilence(MadeSite):
    """Shows thirty, and does not say how many match."""

    most_to_90: ClassVar[int] = 80
    cap: ClassVar[int | None] = 30
    count: ClassVar[int] = 200

    def say_total(self, found: Sequence[Item]) -> str:  # noqa: ARG002
        return "<h2>What we found</h2>"


class Prefixes(MadeSite):
    """Words are looked for by their beginnings; three letters at least."""

    def matches(self, word: str, item: Item) -> bool:
        return any(own.startswith(word) for own in item.words.replace(",", " ").split())

    def search(self, given: Mapping[str, str]) -> web.Response:
        if len(given.get("q", "")) < 3:
            return self.page(
                self.form(given) + "<p class='error'>Please type three letters or more.</p>"
            )
        return super().search(given)


class Substrings(MadeSite):
    """Parts of words are found, all results on one page."""

    page_size: ClassVar[int] = 1000

    def matches(self, word: str, item: Item) -> bool:
        return word in item.words


class Wildcard(MadeSite):
    """A star stands for anything; empty queries are refused."""

    def find(self, given: Mapping[str, str]) -> list[Item]:
        return list(self.items) if given.get("q", "").strip() == "*" else super().find(given)


class DateWindow(MadeSite):
    """Two years to type, and no box for words; answers end after forty."""

    most_to_90: ClassVar[int] = 60
    cap: ClassVar[int | None] = 40
    count: ClassVar[int] = 160

    def form(self, given: Mapping[str, str]) -> str:
        low, high = escape(given.get("from", "")), escape(given.get("to", ""))
        return (
            '<form action="/find">Year made: from <input name="from" size="4" maxlength="4" '
            f'value="{low}"> to <input name="to" size="4" maxlength="4" value="{high}">'
            "<button>Search</button></form>"
        )

    def find(self, given: Mapping[str, str]) -> list[Item]:
        low, high = given.get("from", ""), given.get("to", "")
        first = int(low) if low.isdigit() else 0
        last = int(high) if high.isdigit() else 9999
        if not low and not high:
            return []
        return [item for item in self.items if first <= item.year <= last]


class MenuOnly(MadeSite):
    """A menu of kinds and nothing to type."""

    def form(self, given: Mapping[str, str]) -> str:
        choices = "".join(
            f'<option value="{n}"{" selected" if given.get("kind") == str(n) else ""}>{kind}'
            for n, kind in enumerate(KINDS, start=1)
        )
        return (
            '<form action="/find">Show our <select name="kind"><option value="">choose one'
            f"{choices}</select><button>Show</button></form>"
        )

    def find(self, given: Mapping[str, str]) -> list[Item]:
        chosen = given.get("kind", "")
        return [i for i in self.items if chosen and i.kind == KINDS[int(chosen) - 1]]


class SortingMenus(MadeSite):
    """Menus that only sort and size the list, beside the box."""

    def form(self, given: Mapping[str, str]) -> str:
        value = escape(given.get("q", ""), quote=True)
        sizes = "".join(f"<option>{n}" for n in (10, 20, 50))
        return (
            f'<form action="/find">Find <input name="q" value="{value}"> sorted by <select '
            'name="sort"><option value="name">name<option value="year">year</select> '
            f'<select name="size">{sizes}</select> a page <button>Search</button></form>'
        )

    def search(self, given: Mapping[str, str]) -> web.Response:
        self.page_size = int(given.get("size") or 10)  # type: ignore[misc]
        return super().search(given)

    def find(self, given: Mapping[str, str]) -> list[Item]:
        key = "year" if given.get("sort") == "year" else "title"
        return sorted(super().find(given), key=lambda item: getattr(item, key))


class Posted(MadeSite):
    """A form sent by POST, whose pages are turned by buttons that send it again."""

    def form(self, given: Mapping[str, str]) -> str:
        return (
            '<form action="/find" method="post">Search the collection <input name="q" '
            f'value="{escape(given.get("q", ""))}"><input type="submit" value="Search"></form>'
        )

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:
        if number * self.page_size >= shown:
            return ""
        return (
            '<form action="/find" method="post"><input type="hidden" name="q" '
            f'value="{escape(given.get("q", ""))}"><input type="hidden" name="page" '
            f'value="{number + 1}"><input type="submit" value="Next page"></form>'
        )

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path == "/find" and method != "POST":
            return web.Response(text="<h1>Method not allowed</h1>", status=405)
        return super().respond(path, given, method)


class Tokens(MadeSite):
    """A token in the form that is good for five searches."""

    most_to_90: ClassVar[int] = 30

    def __init__(self) -> None:
        super().__init__()
        self._uses = 5
        self._token = 0

    def form(self, given: Mapping[str, str]) -> str:
        self._token += 1
        self._uses = 5
        hidden = f'<input type="hidden" name="token" value="t{self._token:08x}{"a" * 12}">'
        return super().form(given).replace("<button", hidden + "<button")

    def search(self, given: Mapping[str, str]) -> web.Response:
        if given.get("token") != f"t{self._token:08x}{'a' * 12}" or not self._uses:
            return self.page("<p>Your session has expired. <a href='/'>Start again</a></p>", 403)
        self._uses -= 1
        return super().search({k: v for k, v in given.items() if k != "token"})

    def turn(self, given: Mapping[str, str], number: int, shown: int) -> str:
        return super().turn({**given, "token": f"t{self._token:08x}{'a' * 12}"}, number, shown)


class PathQueries(MadeSite):
    """Words and page numbers are segments of the path, given as a template."""

    start: ClassVar[str] = "/search/{query}/"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        parts = path.strip("/").split("/")
        if parts[0] == "search" and len(parts) > 1:
            page = parts[2] if len(parts) > 2 and parts[2].isdigit() else "1"
            return self.search({"q": parts[1], "page": page})
        return super().respond(path, given, method)

    def form(self, given: Mapping[str, str]) -> str:  # noqa: ARG002
        return ""

    def turn_url(self, given: Mapping[str, str], number: int) -> str:
        return f"/search/{given['q']}/{number}"


class JsonOffset(MadeSite):
    """Data with a total, an offset and a limit."""

    start: ClassVar[str] = "/api/items?search={query}&limit=10&offset=0"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api/items":
            return super().respond(path, given, method)
        found = self.find({"q": given.get("search", "")})
        begin, size = int(given.get("offset") or 0), int(given.get("limit") or 10)
        items = [
            {
                "id": item.number,
                "name": item.title,
                "about": {"text": item.text, "year": item.year},
                "href": f"{'http://made.test'}/item/{item.number}",
            }
            for item in found[begin : begin + size]
        ]
        body = {"meta": {"total": len(found), "offset": begin}, "items": items}
        return web.Response(text=json.dumps(body), content_type="application/json")


class JsonCursor(MadeSite):
    """A bare list, whose next page is named by a header alone, and no total."""

    start: ClassVar[str] = "/api?q={query}"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        found = self.find(given)
        number = int(given.get("page") or 1)
        begin = (number - 1) * 10
        items = [
            {"ref": f"No. {i.number:04}", "title": i.title, "description": i.text, "year": i.year}
            for i in found[begin : begin + 10]
        ]
        answer = web.Response(text=json.dumps(items), content_type="application/json")
        if begin + 10 < len(found):
            target = "/api?" + urlencode({"q": given.get("q", ""), "page": number + 1})
            answer.headers["Link"] = f'<http://made.test{target}>; rel="next"'
        return answer


class JsonNextAddress(MadeSite):
    """Data that names the address of its next page, and counts nothing."""

    start: ClassVar[str] = "/api?q={query}"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/api":
            return super().respond(path, given, method)
        found, begin = self.find(given), int(given.get("at") or 0)
        items = [{"uri": f"/item/{i.number}", "title": i.title} for i in found[begin : begin + 10]]
        target = "/api?" + urlencode({"q": given.get("q", ""), "at": begin + 10})
        links = {"next": {"href": target if begin + 10 < len(found) else None}}
        body = {"links": links, "data": {"things": items}}
        return web.Response(text=json.dumps(body), content_type="application/json")


class Feed(MadeSite):
    """Results as a feed, all of them at once."""

    start: ClassVar[str] = "/feed?q={query}"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path != "/feed":
            return super().respond(path, given, method)
        entries = "".join(
            f"<item><title>{i.title}</title><link>http://made.test/item/{i.number}</link>"
            f"<description>{i.text}</description><pubDate>{i.day}</pubDate></item>"
            for i in self.find(given)
        )
        text = (
            '<?xml version="1.0"?><rss version="2.0"><channel><title>The collection</title>'
            f"<link>http://made.test/</link>{entries}</channel></rss>"
        )
        return web.Response(text=text, content_type="application/rss+xml")


class InlineState(MadeSite):
    """The page is empty but for a script with the results of the search."""

    def show_list(self, items: Sequence[Item], given: Mapping[str, str]) -> str:  # noqa: ARG002
        rows = [
            {"id": i.number, "title": i.title, "summary": i.text, "url": f"/item/{i.number}"}
            for i in items
        ]
        state = json.dumps({"props": {"results": rows}})
        return f'<div id="app"></div><script id="state" type="application/json">{state}</script>'


class ScriptOnly(MadeSite):
    """Shows the same page whatever is asked: a script does the rest."""

    least_share: ClassVar[float] = 0.0
    says: ClassVar[str] = "script"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:  # noqa: ARG002
        body = self.home().replace("</form>", "</form><div id=hits></div>")
        return self.page(body + "<script src='/app.js'></script>")


class NoFormAtHome(MadeSite):
    """The home page only links to the page with the search."""

    def home(self) -> str:
        return (
            "<p>Welcome to our house, open all year.</p><ul><li><a href='/visit'>Your visit</a>"
            "<li><a href='/login'>Log in</a><li><a href='/collection'>Explore the collection</a>"
            "</ul>"
        )

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path == "/collection":
            return self.page(super().home())
        if path == "/visit":
            return self.page("<p>Take the bus to the harbour.</p>")
        return super().respond(path, given, method)


class ForbiddenAtHome(NoFormAtHome):
    """robots.txt forbids the search of the whole site, which every page has; a collection has one
    of its own, behind lists that can be ordered in many ways."""

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/robots.txt":
            return web.Response(text="User-agent: *\nDisallow: /all\n")
        return await super()._answer(request)

    def home(self) -> str:
        orders = "".join(f"<a href='/lists?order={n}'>By {n}</a> " for n in range(20))
        box = "<form action='/all'><input type='search' name='s'><button>Search</button></form>"
        return (
            f"{box}<p><a href='/all'>Search</a> {orders}</p>"
            "<p><a href='/collection'>The collection of things</a></p>"
        )

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path == "/collection":
            return self.page(self.form({}))
        return self.page(self.home()) if path == "/lists" else super().respond(path, given, method)


class ListAlone(MadeSite):
    """No search at all: everything is listed, page by page, behind a link of the home page."""

    most_to_90: ClassVar[int] = 20

    def home(self) -> str:
        return "<p>Welcome to our house.</p><a href='/visit'>Visit</a> <a href='/things'>Things</a>"

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path == "/things":
            number = int(given.get("page") or 1)
            items = self.items[(number - 1) * self.page_size :][: self.page_size]
            body = self.show_list(items, {}) + self.turn({}, number, self.count)
            return self.page(body.replace("/find?", "/things?"))
        return super().respond("/" if path == "/find" else path, given, method)


class TwoForms(MadeSite):
    """A letter to subscribe to and a search of the site's pages before the search of the things."""

    def home(self) -> str:
        return (
            '<form action="/subscribe" method="post">Our letter <input name="email" type="email">'
            "<button>Subscribe</button></form>"
            '<form action="/site">Search this site <input name="s"><button>Go</button></form>'
            + super().home()
        )

    def respond(self, path: str, given: Mapping[str, str], method: str) -> web.Response:
        if path == "/site":
            pages = [("Visit", "/visit"), ("About us", "/about")]
            rows = "".join(
                f"<li><a href='{u}'>{t}</a> Opening hours and more</li>" for t, u in pages
            )
            asked = given.get("s", "").lower()
            body = (
                f"<ul>{rows}</ul>" if asked in ("", "about", "visit") else "<p>No pages found.</p>"
            )
            return self.page(body)
        return super().respond(path, given, method)


INTERFACES: tuple[type[MadeSite], ...] = (
    *(Plain, ListsAll, CappedWithTotals, CappedInSilence, Prefixes, Substrings, Wildcard),
    *(DateWindow, MenuOnly, SortingMenus, Posted, Tokens, PathQueries, JsonOffset, JsonCursor),
    *(JsonNextAddress, Feed, InlineState, ScriptOnly, NoFormAtHome, ForbiddenAtHome, ListAlone),
    TwoForms,
)
