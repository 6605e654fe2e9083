"""Searchable databases on a real HTTP server: one path for each way of being hard to ask.

The form of a way stands at `/<way>`, and is sent to `/<way>/find` unless the way is about that.
"""

from collections.abc import Callable
from html import escape
from urllib.parse import parse_qsl, unquote_to_bytes

from aiohttp import web

from tests.server.served import Served

PLACES = ("Lisbon", "Oslo", "Turin", "Málaga", "東京")
RECORDS = tuple(
    f"{adjective} {noun} of {place}"
    for adjective in ("red", "old", "quiet", "last")
    for noun in ("harbour", "garden", "winter", "letter", "clock")
    for place in PLACES
)
KINDS = ("", "town", "sea", "sky")
"""Of records, by their number."""
STATE = "v" * 30_000
"""As long as hidden state of real pages."""
NOTHING = "<p>Nothing found</p>"
LOGIN = "<form method=post action=/enter><input name=user><input type=password name=pass></form>"

Sent = dict[str, str]
Way = Callable[["SourceSite", web.BaseRequest, Sent], web.StreamResponse]


def page(body: str, status: int = 200, charset: str = "utf-8") -> web.Response:
    text = f"<title>Old Mill Library</title><meta charset={charset}>{body}"
    kind = f"text/html; charset={charset}"
    return web.Response(body=text.encode(charset, "replace"), status=status,
                        headers={"content-type": kind})  # fmt: skip


def found(query: str, kind: str = "") -> web.Response:
    """What is found for words of which any record may hold one; all for nothing."""
    words = query.lower().split()
    shown = [
        (number, record)
        for number, record in enumerate(RECORDS)
        if all(word in record.lower() for word in words)
        and (not kind or KINDS[1 + number % 3] == kind)
    ]
    if not shown:
        return page(f"<h1>{escape(query)}</h1>{NOTHING}")
    rows = "".join(f"<li><a href=/r/{number}>{record}</a></li>" for number, record in shown)
    return page(f"<h1>{escape(query)}</h1><p>{len(shown)} results</p><ul>{rows}</ul>")


def form(inside: str, way: str, method: str = "get", action: str = "", more: str = "") -> str:
    action = action or f"/{way}/find"
    return f"<form action='{action}' method={method} {more}>{inside}<button>Search</button></form>"


BOX = "<label>Keywords <input name=q></label>"


def plain(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    if request.path == "/plain":
        return page(form(BOX, "plain"))
    return found(sent.get("q", ""))


def token(site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """A hidden value is good for as many queries as the site says; then the form comes again."""
    if request.path == "/token/find" and site.spend(sent.get("csrf", "")):
        return found(sent.get("q", ""))
    shown = form(f"{BOX}<input type=hidden name=csrf value={site.issue()}>", "token", "post")
    again = "" if request.path == "/token" else "<p>Please try again</p>"
    return page(again + shown)


def forbidding(site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """The same, but what is too old is forbidden, and sent by GET."""
    if request.path == "/forbidding/find":
        is_good = site.spend(sent.get("csrf", ""))
        return found(sent.get("q", "")) if is_good else page("<p>Forbidden</p>", 403)
    return page(form(f"{BOX}<input type=hidden name=csrf value={site.issue()}>", "forbidding"))


def restless(site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Another hidden value on each page, which nobody looks at; short words are refused."""
    shown = form(f"{BOX}<input type=hidden name=build value={site.issue()}>", "restless", "post")
    if request.path == "/restless":
        return page(shown)
    if len(sent.get("q", "")) < 3:
        return page(f"<p>Please type 3 letters or more</p>{shown}")
    return found(sent["q"])


def state(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    if request.path == "/state/find" and sent.get("__VIEWSTATE") == STATE:
        return found(sent.get("q", ""))
    hidden = f"<input type=hidden name=__VIEWSTATE value='{STATE}'>"
    filler = "<p>a longer page</p>" * 3_000
    return page(form(BOX + hidden, "state", "post") + filler)


def cookie(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Who did not visit the form's page is asked to log in."""
    if request.path == "/cookie":
        response = page(form(BOX, "cookie"))
        response.headers.add("Set-Cookie", "visit=1; Path=/")
        return response
    return found(sent.get("q", "")) if request.cookies.get("visit") == "1" else page(LOGIN)


def session(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """The answer stands at an address with a session in it."""
    if request.path == "/session":
        return page(form(BOX, "session", "post"))
    if request.path == "/session/find":
        raise web.HTTPSeeOther(f"/session/list;jsessionid=7?sid=42&q={sent['q']}")
    is_known = request.path.endswith(";jsessionid=7") and sent.get("sid") == "42"
    return found(sent.get("q", "")) if is_known else page("<p>Your session is over</p>", 403)


def in_charset(charset: str, way: str) -> Way:
    def answer(_site: "SourceSite", request: web.BaseRequest, _sent: Sent) -> web.StreamResponse:
        if request.path == f"/{way}":
            return page(form(BOX, way), charset=charset)
        raw = dict(pair.split("=") for pair in request.rel_url.raw_query_string.split("&"))
        return found(unquote_to_bytes(raw["q"].replace("+", " ")).decode(charset))

    return answer


def semicolons(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Which database is asked is told in the action, by pairs with semicolons between."""
    if request.path == "/semicolons":
        return page(form(BOX, "", "post", "/semicolons/find?sid=5;db=books;view=list"))
    pairs = dict(parse_qsl(request.rel_url.raw_query_string, separator=";"))
    is_told = pairs == {"sid": "5", "db": "books", "view": "list"}
    return found(sent.get("q", "")) if is_told else page("<p>No such database</p>", 404)


def choosy(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Words alone are refused: a kind must be chosen. The place is not looked at."""
    kinds = "<option value=''>Please choose</option><option>town<option>sea<option>sky"
    places = "<option value=''>Any<option>Lisbon<option>Oslo"
    lists = f"<select name=near>{places}</select><select name=kind>{kinds}</select>"
    shown = form(BOX + lists, "choosy")
    if request.path == "/choosy":
        return page(shown)
    if not sent.get("kind"):
        return page(f"<p>Please choose a kind</p>{shown}")
    return found(sent.get("q", ""), sent["kind"])


def buttons(site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Several buttons, of which one searches."""
    if request.path == "/buttons":
        pressed = "".join(
            f"<input type=submit name=do value='{text}'>"
            for text in ("Clear", "Back", "Search", "Show map")
        )
        return page(f"<form action=/buttons/find>{BOX}{pressed}</form>")
    if sent.get("do") != "Search":
        site.strayed.append(sent.get("do", "none"))
        return page("<p>Done</p>")
    return found(sent.get("q", ""))


def buttonless(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    if request.path == "/buttonless":
        return page(f"<form action=/buttonless/find role=search>{BOX}</form>")
    return found(sent.get("q", ""))


def itself(_site: "SourceSite", _request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """One address for the form and its answers; the language in it is a hidden value too."""
    if not sent.get("q"):
        shown = f"<form>{BOX}<input type=hidden name=lang value=en><button>Search</button></form>"
        return page(shown)
    return found(sent["q"]) if sent.get("lang") == "en" else page(NOTHING)


def busy(site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Wants a pause before every second answer."""
    if request.path == "/busy":
        return page(form(BOX, "busy", "post"))
    if site.asks[-2:-1] == site.asks[-1:]:
        return found(sent.get("q", ""))
    return web.Response(status=429, text="slow down", headers={"Retry-After": site.rest_s})


def wall(_site: "SourceSite", request: web.BaseRequest, _sent: Sent) -> web.StreamResponse:
    return page(form(BOX, "wall")) if request.path == "/wall" else page(LOGIN)


def menus(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Nothing to type: one list that narrows and one that does not."""
    if request.path == "/menus":
        kinds = "<option value=''>All kinds<option>town<option>sea<option>sky"
        idle = "<option value=0>Any<option>a<option>b<option>c<option>d<option>e<option>f<option>g"
        lists = f"<select name=idle>{idle}</select><select name=kind>{kinds}</select>"
        return page(form(lists, "menus"))
    return found("", sent.get("kind", ""))


def sized(site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Five records a page, and links to larger pages; `site.largest` are given at most."""
    if request.path == "/sized":
        return page(form(BOX, "sized"))
    query, size = sent.get("q", ""), min(site.largest, int(sent.get("rows", "5")))
    first = int(sent.get("from", "0"))
    shown = [(n, text) for n, text in enumerate(RECORDS) if query.lower() in text.lower()]
    rows = "".join(f"<li><a href=/r/{n}>{text}</a></li>" for n, text in shown[first:][:size])
    here = f"/sized/find?q={escape(query)}"
    sizes = " | ".join(f"<a href='{here}&amp;rows={n}'>{n}</a>" for n in (5, 20, 50))
    onward = f"<a href='{here}&amp;rows={size}&amp;from={first + size}'>Next</a>"
    below = f"<p>Results per page: {sizes}</p>{onward if first + size < len(shown) else ''}"
    return page(f"<p>{len(shown)} results</p><ul>{rows}</ul>{below}" if shown else NOTHING)


def odd(_site: "SourceSite", request: web.BaseRequest, sent: Sent) -> web.StreamResponse:
    """Breaks down over one word and forbids another."""
    if request.path == "/odd":
        return page(form(BOX, "odd"))
    status = {"harbour": 500, "letter": 403}.get(sent.get("q", ""))
    return page("<p>Something is wrong</p>", status) if status else found(sent.get("q", ""))


WAYS: dict[str, Way] = {
    "plain": plain, "token": token, "forbidding": forbidding, "restless": restless, "state": state,
    "cookie": cookie, "session": session, "latin": in_charset("iso-8859-1", "latin"),
    "japanese": in_charset("shift_jis", "japanese"), "semicolons": semicolons, "choosy": choosy,
    "buttons": buttons, "buttonless": buttonless, "itself": itself, "busy": busy, "wall": wall,
    "menus": menus, "sized": sized, "odd": odd,
}  # fmt: skip


class SourceSite(Served):
    """Serves any host on a loopback address while its `async with` lasts."""

    def __init__(self) -> None:
        self.asks: list[str] = []
        """Every request but those for robots.txt: method, path and what was sent."""
        self.strayed: list[str] = []
        self.uses = 2
        """Queries that a token is good for."""
        self.rest_s = "0"
        """Seconds that a busy one wants to rest."""
        self.largest = 50
        """Records on the largest page that is given."""
        self._tokens: dict[str, int] = {}
        super().__init__()

    def issue(self) -> str:
        self._tokens[f"t{len(self._tokens)}"] = self.uses
        return f"t{len(self._tokens) - 1}"

    def spend(self, issued: str) -> bool:
        self._tokens[issued] = self._tokens.get(issued, 0) - 1
        return self._tokens[issued] >= 0

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/robots.txt":
            return web.Response(text="")
        posted = await request.post()
        sent = {**dict(request.query), **{name: str(value) for name, value in posted.items()}}
        told = {name: value[:40] for name, value in sent.items()}
        self.asks.append(f"{request.method} {request.path} {told}")
        way = WAYS.get(request.path.split("/")[1])
        return way(self, request, sent) if way else page("<p>Not found</p>", 404)
