"""A back-link service and a search service, on two hosts of the world itself.

Neither keeps an index: the world says what is true, and a part of it is recalled, the same
part to the same question. Results are at most 20, from 30-50 % of the truth, and one in ten
is stale. A site is known to the search service or not for good: asking in other words finds
no more than half of all there are. The language asked for is not heeded.

Costs: a question is one request, whichever transport carries it, and each of the two hosts
has a robots.txt that counts like any other. JSON must be among the types that the request
(`Request.accept`) or else the fetcher (`web.accept_types`) accepts.
"""

import re
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import parse_qs

import msgspec
from msgspec import Struct

from leadline.core.http import Request
from leadline.core.url import Url, canonical, host_of, path_of, site_of
from leadline.page import parse_page
from leadline_lab.draw import Draw, key_of
from leadline_lab.reply import Reply
from leadline_lab.server.incomplete import (
    MOST,
    POOL,
    Findings,
    Hit,
    gone_page,
    gone_site,
    home_page,
    recalled,
)
from leadline_lab.server.search_pages import results_html, results_json
from leadline_lab.server.transport import Answering

BACKLINKS = "backlinks.lab.test"
SEARCH = "search.lab.test"
_HTML = "text/html; charset=utf-8"
_JSON = "application/json"
_words = re.compile(r"[^\W_]+").findall


class Served(Answering, Protocol):
    """A world that services can be about."""

    @property
    def key(self) -> int: ...

    def seeds(self, domain: str, n: int) -> Sequence[Url]: ...


class Index(Protocol):
    """What a perfect service would know."""

    def backlinks(self, url: Url, limit: int) -> Sequence[tuple[Url, str]]:
        """Pages that link there, with their anchors; of a home page, those to the whole site."""
        ...

    def sites_about(self, words: list[str], limit: int) -> Sequence[tuple[Url, str, str]]:
        """Home pages, titles and snippets, the best known first."""
        ...


class Link(Struct, frozen=True):
    """A page that links to what was asked about."""

    url: str
    anchor: str


class Links(Struct, frozen=True):
    """The answer of the back-link service."""

    url: str
    links: tuple[Link, ...]
    total: int
    """Its estimate of how many there are."""


class Query(Struct, frozen=True):
    """A search query taken apart."""

    words: tuple[str, ...] = ()
    site: str = ""
    """Results must lie on this host or below it."""
    link: str = ""
    """Results are pages that link there; the words do not matter then."""


class WithServices:
    """A world and its two services."""

    def __init__(self, world: Served, index: Index) -> None:
        self.world = world
        self._index = index
        self._links_key = key_of(world.key, "back-link service")
        self._search_key = key_of(world.key, "search service")

    def answer(self, request: Request, now: float) -> Reply:
        host = site_of(request.url)
        if host == BACKLINKS:
            return self._answer_links(request)
        if host == SEARCH:
            return self._answer_search(request)
        return self.world.answer(request, now)

    def seeds(self, domain: str, n: int) -> Sequence[Url]:
        return self.world.seeds(domain, n)

    def links_to(self, target: Url) -> Findings:
        """What the back-link service knows; a home page stands for its whole site."""
        anchors = dict(self._index.backlinks(target, POOL))
        truth = [Hit(url, anchor) for url, anchor in anchors.items()]
        site = site_of(target)

        def outdate(hit: Hit, draw: Draw) -> Hit:
            # A site's own home page is likely to link to its pages after all.
            if site_of(hit.url) != site and draw.chance(500):
                return home_page(hit)
            return gone_page(hit, draw)

        key = key_of(self._links_key, target)
        return recalled(truth, key_of(key, "known"), key_of(key, "question"), outdate)

    def search(self, query: Query) -> Findings:
        """What the search service knows."""
        if query.link:
            target = target_of(query.link)
            return self.links_to(target) if target else Findings()
        truth = self._sites_about(query) + (self._pages_of(query) if query.site else [])
        question = key_of(self._search_key, *sorted(query.words), "site", query.site)
        return recalled(truth, key_of(self._search_key, "known"), question, _outdated)

    def _sites_about(self, query: Query) -> list[Hit]:
        if not query.words:
            return []
        found = self._index.sites_about(list(query.words), POOL)
        return [Hit(*row) for row in found if _is_below(row[0], query.site)]

    def _pages_of(self, query: Query) -> list[Hit]:
        """Pages the site's home page links to, by the words of their anchors and URLs."""
        home = target_of(query.site)
        if home is None:
            return []
        reply = self.world.answer(Request(home), 0.0)
        if reply.status != 200 or reply.fault:
            return []
        page = parse_page(reply.body, home, reply.header("content-type"))
        hits = {home: Hit(home, page.title, page.description)}
        for link in page.links:
            if site_of(link.target) == site_of(home) and link.target not in hits:
                hits[link.target] = Hit(link.target, link.anchor)
        return [hit for hit in hits.values() if _speaks_of(hit, query.words)][:POOL]

    def _answer_links(self, request: Request) -> Reply:
        path, asked = _question(request)
        if path != "/links":
            return _elsewhere(path, "/links?url=<URL or host>&limit=20")
        target = target_of(asked.get("url", ""))
        limit = asked.get("limit", str(MOST))
        if target is None or not limit.isdecimal() or not 1 <= int(limit[:9]) <= MOST:
            return _refusal(f"url must be a URL or a host, limit a number from 1 to {MOST}")
        found = self.links_to(target)
        links = tuple(Link(hit.url, hit.title) for hit in found.hits[: int(limit)])
        return _reply(200, _JSON, msgspec.json.encode(Links(target, links, found.total)))

    def _answer_search(self, request: Request) -> Reply:
        path, asked = _question(request)
        if path not in ("/", "/search"):
            return _elsewhere(path, "/search?q=<query>&format=json&pageno=1")
        text, form = asked.get("q", "").strip(), asked.get("format", "html")
        page = asked.get("pageno", "1")
        if form not in ("html", "json"):
            return _reply(403, "text/plain; charset=utf-8", b"format must be html or json\n")
        if not page.isdecimal() or not int(page[:9]) >= 1 or (form == "json" and not text):
            return _refusal("q must hold a query, pageno a number from 1 on")
        found = self.search(parse_query(text)) if text else Findings()
        if form == "json":
            return _reply(200, _JSON, results_json(text, found, int(page[:9])))
        return _reply(200, _HTML, results_html(text, found, int(page[:9])).encode())


def parse_query(text: str) -> Query:
    """Words and the operators `link:` and `site:`; the last of each counts.

    >>> parse_query('used "books" site:Shop.test')
    Query(words=('used', 'books'), site='shop.test', link='')
    """
    words: list[str] = []
    site = link = ""
    for part in text.split():
        if part.startswith("link:"):
            link = part[5:]
        elif part.startswith("site:"):
            site = part[5:].lower().strip(".")
        else:
            words += _words(part.lower())
    return Query(tuple(dict.fromkeys(words)), site, link)


def target_of(text: str) -> Url | None:
    """A URL, or the home page of a bare host; None for neither."""
    text = text.strip()
    return canonical(text if "://" in text else f"http://{text}")


def _outdated(hit: Hit, draw: Draw) -> Hit:
    return gone_site(hit, draw) if draw.chance(500) else gone_page(hit, draw)


def _is_below(url: Url, site: str) -> bool:
    host = host_of(site_of(url))
    return not site or host == site or host.endswith(f".{site}")


def _speaks_of(hit: Hit, words: Sequence[str]) -> bool:
    text = f"{hit.title} {hit.snippet} {path_of(hit.url)}".lower()
    return not words or any(word in text for word in words)


def _question(request: Request) -> tuple[str, dict[str, str]]:
    """The path, and the parameters of the query or of a form that was sent; the first of each."""
    path, _, query = path_of(request.url).partition("?")
    sent = request.body.decode("utf-8", "replace") if request.method == "POST" else query
    asked = parse_qs(sent, keep_blank_values=True)
    return path, {name: values[0] for name, values in asked.items()}


def _elsewhere(path: str, usage: str) -> Reply:
    if path == "/robots.txt":
        return _reply(200, "text/plain; charset=utf-8", b"User-agent: *\nDisallow:\n")
    return _reply(404, "text/plain; charset=utf-8", f"Ask for {usage}\n".encode())


def _refusal(reason: str) -> Reply:
    return _reply(400, _JSON, msgspec.json.encode({"error": reason}))


def _reply(status: int, kind: str, body: bytes) -> Reply:
    return Reply(status, (("content-type", kind),), body)
