"""A bookshop without a form: its pages tell of their search in other ways, one for each door."""

import json
from html import escape
from urllib.parse import unquote

from aiohttp import web

from tests.server.served import Served

HOME = "http://books.test/"
ADJECTIVES = ("silent", "crimson", "broken", "distant", "hidden", "golden")
NOUNS = ("garden", "river", "winter", "letter", "island", "mirror", "orchard")
AUTHORS = ("Ada Moreau", "Ben Ortiz", "Clara Lund", "Dan Okafor", "Eva Stein")
BOOKS = tuple(
    (f"The {adjective} {noun}", AUTHORS[(row + column) % len(AUTHORS)], 1950 + 3 * row + column)
    for row, adjective in enumerate(ADJECTIVES)
    for column, noun in enumerate(NOUNS)
)
TOLD = "Search used and rare books by title, author, publisher or ISBN: novels, paperbacks, fiction"
TEXT = (
    "<h1>Used and rare books</h1><p>Our bookshop sells novels, paperbacks and hardcover books by "
    "many authors: fiction, poetry, first editions and signed books. Every book has its title, "
    "author, publisher and ISBN. The silent garden, a crimson river, one broken letter, a distant "
    "island, the hidden orchard and a golden mirror are novels that readers ask us for.</p>"
    "<p><a href=/about>About our bookshop</a> <a href=/new>New books</a></p>"
)
DESCRIPTION = (
    '<?xml version="1.0"?><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
    f"<ShortName>Old Mill Books</ShortName><Description>{TOLD}</Description>"
    '<Url type="application/rss+xml" template="http://books.test/feed?q={searchTerms}"/>'
    '<Url type="text/html" template="http://books.test/find?q={searchTerms}&amp;p={startPage?}"/>'
    "</OpenSearchDescription>"
)


def make_search_action(target: object) -> str:
    data = {
        "@context": "https://schema.org",
        "@graph": [
            {
                "@type": "WebSite",
                "name": "Old Mill Books",
                "description": TOLD,
                "potentialAction": [
                    {
                        "@type": "SearchAction",
                        "target": target,
                        "query-input": "required name=search_term_string",
                    }
                ],
            }
        ],
    }
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


HEADS = {
    "opensearch": '<link rel=search type="application/opensearchdescription+xml" href=/os.xml>',
    "search-action": make_search_action("http://books.test/find?q={search_term_string}"),
    "in the path": make_search_action({"urlTemplate": "/find/{search_term_string}"}),
    "none": "",
}


class DoorSite(Served):
    """Serves any host. `log` holds every path that was asked for."""

    def __init__(self, door: str) -> None:
        self.log: list[str] = []
        self._head = HEADS[door]
        super().__init__()

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        self.log.append(request.path_qs)
        if request.path == "/robots.txt":
            return web.Response(text="")
        if request.path == "/os.xml":
            kind = "application/opensearchdescription+xml"
            return web.Response(text=DESCRIPTION, content_type=kind)
        if request.path.startswith("/find"):
            query = request.query.get("q", unquote(request.path.removeprefix("/find/")))
            return self._page(_list(query))
        return self._page(f"{TEXT}<p>{escape(request.path)}</p>")

    def _page(self, body: str) -> web.Response:
        text = f"<html lang=en><head><title>Used books</title>{self._head}</head><body>{body}"
        return web.Response(text=text, content_type="text/html")


def _list(query: str) -> str:
    words = query.lower().split()
    shown = [
        (number, book)
        for number, book in enumerate(BOOKS)
        if words and all(word in f"{book[0]} {book[1]} {book[2]}".lower() for word in words)
    ]
    if not shown:
        return f"<h1>Search</h1><p>No book matches {escape(query)}</p>"
    rows = "".join(
        f"<li><a href=/b/{number}>{title}</a> by <i>{author}</i>, {year}</li>"
        for number, (title, author, year) in shown
    )
    return f"<h1>Search</h1><p>{len(shown)} books</p><ul>{rows}</ul>"
