"""A site on loopback that answers with friendly and hostile pages by turns, over real HTTP."""

import random
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from leadline.store import open_store_view
from tests.adversary.families import FAMILIES, PACKERS, Body, Grammar, list_charsets, list_packed

FRIENDLY_PAGES = 30
HOSTILE_PAGES = 30
HOST = "books.example"
_MOST_BYTES = 400_000
_FORM = (
    "<form action=/search><label>Title <input name=q></label><button>Search books</button></form>"
)


class HostileSite:
    """Friendly pages link to each other and to hostile ones, all within one site; the same seed
    gives the same pages. A search answers with hostile pages too."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self) -> None:
                site.answer(self)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                """Nothing is logged."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def settings(self) -> list[str]:
        """For a command that is to ask this site."""
        port = self._server.server_address[1]
        return [
            f'web.resolve={{"*" = "127.0.0.1:{port}"}}',
            "web.allow_private=true",
            "politeness.delay_s=0",
            # Its friendly pages differ in a number only, as those of a calendar do.
            "scope.leave_traps=false",
        ]

    @property
    def pages(self) -> int:
        return FRIENDLY_PAGES + HOSTILE_PAGES + 1

    seed_url = f"http://{HOST}/"
    form_url = f"http://{HOST}/friendly/1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        path = urlsplit(request.path).path
        body = self._choose_body(path)
        request.send_response(200 if body is not None else 404)
        body = body or Body(b"not here")
        request.send_header("Content-Type", body.content_type)
        request.send_header("Content-Length", str(len(body.data)))
        if body.encoding:
            request.send_header("Content-Encoding", body.encoding)
        request.end_headers()
        try:
            request.wfile.write(body.data)
        except OSError:
            # The crawl was killed.
            return

    def _choose_body(self, path: str) -> Body | None:
        kind, _, number = path.strip("/").partition("/")
        if not kind or kind == "friendly":
            return Body(self._write_friendly(path).encode())
        if kind in ("hostile", "search"):
            return self._make_hostile(
                random.Random(f"{self._seed} {path}"), int(number) if number.isdecimal() else 0
            )
        return None

    def _write_friendly(self, path: str) -> str:
        links = [f"<a href=/friendly/{n}>Book number {n}</a>" for n in range(FRIENDLY_PAGES)]
        links += [f"<a href=/hostile/{n}>Shelf {n}</a>" for n in range(HOSTILE_PAGES)]
        return f"<title>Books {path}</title><h1>Page {path} of books</h1>{_FORM}{' '.join(links)}"

    def _make_hostile(self, chance: random.Random, number: int) -> Body:
        size = chance.randint(10_000, _MOST_BYTES)
        kind = chance.random()
        if kind < 0.1:
            return chance.choice(list(list_packed(size).values()))
        if kind < 0.2:
            return chance.choice(list_charsets_for_headers())
        if kind < 0.6:
            data = FAMILIES[chance.choice(list(FAMILIES))](size)
        else:
            data = Grammar(self._seed * 1_000 + number).make(size)
        encoding = chance.choice(("", *PACKERS))
        return Body(PACKERS[encoding](data) if encoding else data, encoding=encoding)

    def count_missing(self, store: str) -> int:
        """Friendly pages that the store holds no visit of."""
        wanted = {f"http://{HOST}/friendly/{n}" for n in range(FRIENDLY_PAGES)}
        kept = open_store_view(store)
        recorded = {visit.url for visit in kept.reader.visits()}
        kept.close()
        return len(wanted - recorded)


def list_charsets_for_headers() -> list[Body]:
    """Those that can be written into a header."""
    return [body for body in list_charsets() if body.content_type.isprintable()]
