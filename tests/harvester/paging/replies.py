"""Replies made of a few lines of HTML."""

from leadline.core.harvest import NextPage, Query, Trail
from leadline.core.http import Request, Response
from leadline.core.url import Url
from leadline.harvester.paging import find_next_page
from leadline.harvester.reply import Reply, reply_of

ASKED = "http://a.test/search?q=whale"
QUERY = Query.of(q="whale")
ITEMS = "".join(
    f'<div class=hit><a href="/item/{n}">Whale {n}</a><p>words</p></div>' for n in "123"
)


def reply(html: str, url: str = ASKED, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    kinds = (("content-type", "text/html; charset=utf-8"), *headers)
    return reply_of(Response(Url(url), 200, kinds, html.encode(), 0.0))


def turn_on(
    html: str,
    url: str = ASKED,
    *,
    query: Query = QUERY,
    trail: Trail | None = None,
    asked: Request | None = None,
) -> NextPage | None:
    """Of a page with results, as the first page of an answer unless a trail is given."""
    asked = asked or Request(Url(url))
    trail = Trail().after(asked) if trail is None else trail
    return find_next_page(reply(f"<body>{ITEMS}{html}", url), query, asked, trail)


def target_of(html: str, url: str = ASKED, *, number: int = 1) -> str | None:
    """Where the next page is, seen from the page with that number."""
    trail = Trail(number=number - 1).after(Request(Url(url)))
    turn = turn_on(html, url, trail=trail)
    return None if turn is None else path(turn.request.url)


def path(url: str) -> str:
    return url.removeprefix("http://a.test")
