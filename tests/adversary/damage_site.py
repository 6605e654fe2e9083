"""A site on which following the wrong link does damage, and which counts the damage that was done.

Its home page links to every target of `damage_targets`; pages called /go/N redirect to some; its
search answers with records whose only links, and whose next pages, are targets; a page holds every
form.
"""

import random
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from tests.adversary.damage_targets import TARGETS, DamageTarget

BOOKS = 20
ROWS = 8
_SEARCH = (
    '<form action="/search" role="search"><label>Search books by title or author'
    ' <input type="search" name="q"></label><button>Search</button></form>'
)
_WORDS = (
    "river harbour winter garden letters island mountain history music stone bridge silver night"
    " forest painter doctor market sailor kitchen village window summer ocean travel science"
).split()


def form_html(target: DamageTarget) -> str:
    """The form of a target: fields with a value are hidden, the others take text."""
    parts = urlsplit(target.url)
    fields = "".join(
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        if value
        else f'<input name="{escape(name)}">'
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
    )
    button = f"<button>{escape(target.text)}</button>"
    return f'<p>{target.around}</p><form action="{parts.path}">{fields}{button}</form>'


def link_html(target: DamageTarget, suffix: str = "") -> str:
    """The link of a target, as a site would write it."""
    url = target.url + (("&" if "?" in target.url else "?") + suffix if suffix else "")
    title = f' title="{escape(target.around)}"' if target.around else ""
    return f'<a href="{escape(url)}"{title}>{escape(target.text)}</a>'


class SiteAnswer(NamedTuple):
    """What the site says to one request."""

    body: str
    location: str = ""


class DamageSite:
    """Answers requests, and keeps what was asked for."""

    def __init__(self, targets: Sequence[DamageTarget] = TARGETS) -> None:
        self.asked: list[str] = []
        self._of_kind = {
            kind: [target for target in targets if target.kind == kind]
            for kind in ("link", "detail", "paging", "form", "redirect")
        }
        self.answers = 0
        """Searches that found something: each offers another detail and another next page."""

    def answer(self, path: str) -> SiteAnswer:
        self.asked.append(path)
        parts = urlsplit(path)
        if parts.path.startswith("/go/"):
            redirects = self._of_kind["redirect"]
            target = redirects[int(parts.path[4:]) % len(redirects)]
            return SiteAnswer("", target.url)
        if parts.path == "/search":
            return SiteAnswer(self._find(dict(parse_qsl(parts.query)).get("q", "")))
        if parts.path == "/catalogue":
            shown = " ".join(f"<p>A book about the {word}.</p>" for word in _WORDS)
            return SiteAnswer(f"<title>Catalogue of books</title>{_SEARCH}{shown}")
        if parts.path == "/forms":
            shown = "".join(map(form_html, self._of_kind["form"]))
            return SiteAnswer(f"<title>Forms</title>{shown}")
        return SiteAnswer(self._show_page(path))

    def _show_page(self, path: str) -> str:
        of_kind = self._of_kind
        links = "".join(
            f"<li>{link_html(target)}</li>"
            for kind in ("link", "detail", "paging")
            for target in of_kind[kind]
        )
        moved = "".join(
            f'<li><a href="/go/{n}">Novel {n}</a></li>' for n in range(len(of_kind["redirect"]))
        )
        books = "".join(f'<li><a href="/books/{n}">Book {n}</a></li>' for n in range(BOOKS))
        more = '<a href="/forms">Forms</a>'
        shown = f"<ul>{books}{moved}</ul>{more}<ul>{links}</ul>"
        return f"<title>Books {escape(path)}</title><h1>Books</h1>{_SEARCH}{shown}"

    def _find(self, query: str) -> str:
        """Records whose only link is a detail target, and a next page that is a paging target."""
        if query.lower() not in _WORDS and not query.isdigit():
            return f"<title>Results</title>{_SEARCH}<p>No books found.</p>"
        details, pages = self._of_kind["detail"], self._of_kind["paging"]
        number = self.answers
        self.answers += 1
        chance = random.Random(query)
        rows = "".join(
            f"<li><b>{' '.join(chance.sample(_WORDS, 4)).title()}</b> by {query}"
            f" <i>{chance.randrange(1900, 2020)}</i> {chance.randrange(10**9)}"
            f" {link_html(details[number % len(details)], f'row={row}')}</li>"
            for row in range(ROWS)
        )
        onward = link_html(pages[number % len(pages)])
        return (
            f"<title>Results</title>{_SEARCH}<p>{10 * ROWS} books found for {query}</p>"
            f"<ul class=results>{rows}</ul><p>Page 1 {onward}</p>"
        )

    def list_hits(self) -> list[DamageTarget]:
        """The targets that were asked for."""
        asked = [_split(path) for path in self.asked]
        return [
            target
            for kind, targets in self._of_kind.items()
            for target in targets
            if any(_is_same(one, target, is_form=kind == "form") for one in asked)
        ]


@contextmanager
def serve_damage(site: DamageSite) -> Iterator[int]:
    """Serve the site over HTTP in a thread; its port on 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            answer = site.answer(self.path)
            body = answer.body.encode()
            self.send_response(302 if answer.location else 200)
            if answer.location:
                self.send_header("Location", answer.location)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its own name)
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()


def _split(path: str) -> tuple[str, frozenset[tuple[str, str]]]:
    parts = urlsplit(path)
    return unquote(parts.path), frozenset(parse_qsl(parts.query, keep_blank_values=True))


def _is_same(
    asked: tuple[str, frozenset[tuple[str, str]]], target: DamageTarget, *, is_form: bool
) -> bool:
    """Session ids are cut from links, rows are added to details: what is left has to agree."""
    path, pairs = _split(target.url)
    if path != asked[0]:
        return False
    return is_form or bool(pairs & asked[1]) or not pairs or (not asked[1] and path != "/")
