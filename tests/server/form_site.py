"""A site with forms, on a real HTTP server: it echoes what it gets, and searches a small list."""

import json
from collections.abc import Callable
from html import escape

from aiohttp import web

from tests.server.served import Served

RECORDS = tuple(
    f"{adjective} {noun} of {place}"
    for adjective in ("red", "old", "quiet", "last")
    for noun in ("harbour", "garden", "winter", "letter", "clock")
    for place in ("Lisbon", "Oslo", "Turin")
)
ROBOTS = "User-agent: *\nDisallow: /forbidden\n"
FRAME = "<title>Old Mill Library</title><nav><a href=/>Home</a> <a href=/about>About</a></nav>"
TEXT = "<p>the garden and the harbour in winter: every letter is read in the garden</p>"

Page = Callable[[str], str]
"""The answer to a query."""


def listed(query: str) -> str:
    found = [record for record in RECORDS if query and query.lower() in record.lower()]
    if not found:
        return f"<h1>{escape(query)}</h1><p>Sorry, your search brought nothing</p>"
    links = "".join(f"<li><a href=/r/{RECORDS.index(r)}>{r}</a></li>" for r in found)
    return f"<h1>{escape(query)}</h1><ul>{links}</ul>"


def suggesting(query: str) -> str:
    """Nothing found, but three records that nobody asked for, others each time."""
    if any(query.lower() in record.lower() for record in RECORDS):
        return listed(query)
    some = [RECORDS[(hash_of(query) + n) % len(RECORDS)] for n in range(3)]
    return listed(query) + "".join(f"<li><a href=/r/{r[:3]}>{r}</a>" for r in some)


def thanking(_query: str) -> str:
    return "<h1>Thank you</h1><p>We will come back to you</p>"


def rambling(query: str) -> str:
    """Something else for every query, whether it means anything or not."""
    number = hash_of(query)
    return "".join(f"<li><a href=/r/{number + n}>entry {chr(97 + (number + n) % 26) * 5}</a>"
                   for n in range(8))  # fmt: skip


def hash_of(query: str) -> int:
    return sum(map(ord, query)) * 7


PAGES: dict[str, Page] = {
    "/listed": listed,
    "/suggesting": suggesting,
    "/thanking": thanking,
    "/rambling": rambling,
    "/echoing": lambda query: f"<p>You said {escape(query)}</p>",
    "/forbidden": listed,
}


class FormSite(Served):
    """Serves any host on a loopback address while its `async with` lasts.

    `asks` holds every request but those for robots.txt: method, and path with query.
    """

    def __init__(self) -> None:
        self.asks: list[tuple[str, str]] = []
        self.pages: dict[str, str] = {}
        """Bodies by path, besides the ones above."""
        super().__init__()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/robots.txt":
            return web.Response(text=ROBOTS)
        # Read first, a multipart body could not be taken apart any more.
        await request.post()
        self.asks.append((request.method, request.path_qs))
        if request.path == "/echo":
            return web.Response(text=await _echo(request))
        if request.path.startswith("/status/"):
            return web.Response(text="no", status=int(request.path[8:]))
        if request.path == "/moved":
            raise web.HTTPFound("/echo?after=redirect")
        if request.path in self.pages:
            return web.Response(text=self.pages[request.path], content_type="text/html")
        page = PAGES.get(request.path)
        if page is None:
            return web.Response(text="<title>Not found</title>", status=404)
        sent = request.query if request.method == "GET" else await request.post()
        body = FRAME + page(str(sent.get("q", ""))) + TEXT
        return web.Response(text=body, content_type="text/html")


async def _echo(request: web.BaseRequest) -> str:
    """What the server made of the request, as JSON."""
    posted = await request.post()
    return json.dumps(
        {
            "method": request.method,
            "query": list(request.query.items()),
            "query_string": request.rel_url.raw_query_string,
            "posted": [(name, value) for name, value in posted.items()],
            "type": request.headers.get("content-type", ""),
            "body": (await request.read()).decode("latin-1"),
            "referrer": request.headers.get("referer", ""),
        }
    )
