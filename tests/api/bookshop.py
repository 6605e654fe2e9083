"""A bookshop over real HTTP, with a catalogue that can be searched; its texts try to do harm."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

from aiohttp import web

from tests.server.served import Served

HARM = "<script>alert(1)</script>"
HOME = "http://bookshop.test/"
_FRAME = """<html lang=en><title>Books and authors {harm}</title><body>
<h1>A shop of old books</h1><p>Every book by author, title, publisher and ISBN: novels, paperbacks,
hardcovers, first editions, poetry, libraries bought and sold, readers welcome.</p>
<p><a href=/>Home</a> <a href=/catalogue>Search all books by author or title</a>
<a href=/about>About our bookshop</a> <a href=/gone>Old books</a></p>{body}</body></html>"""
_FORM = """<form action=/search><label>Author or title <input type=search name=q></label>
<button>Search books</button></form>"""
_TREES = ("oak", "elm", "ash", "fir", "yew", "beech")
BOOKS = tuple(f"The {tree} book volume {n}" for tree in _TREES for n in range(1, 9))


class Bookshop(Served):
    """Answers for any host."""

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        if request.path == "/robots.txt":
            return web.Response(text="")
        if request.path == "/gone":
            return web.Response(status=404, text="gone")
        body = {"/catalogue": _FORM, "/search": _found(request.query.get("q", ""))}
        text = _FRAME.format(harm=escape(HARM), body=body.get(request.path, f"<p>{request.path}"))
        return web.Response(text=text, content_type="text/html")


def _found(word: str) -> str:
    matches = [book for book in BOOKS if word and word.lower() in book.lower().split()]
    if not matches:
        return f"{_FORM}<p>No book matches {escape(word)}.</p>"
    items = "".join(
        f"<li><a href=/book/{BOOKS.index(book)}>{book}</a> <i>Author {escape(HARM)}</i></li>"
        for book in matches
    )
    return f"{_FORM}<p>{len(matches)} books found</p><ol>{items}</ol>"


@contextmanager
def serving() -> Iterator[dict[str, object]]:
    """The settings that lead there, while the shop answers from a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    shop = asyncio.run_coroutine_threadsafe(_open(), loop).result(10)
    try:
        yield {
            "web.resolve": {"*": shop.address},
            "web.allow_private": True,
            "politeness.delay_s": 0.0,
        }
    finally:
        asyncio.run_coroutine_threadsafe(shop.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _open() -> Bookshop:
    return await Bookshop().__aenter__()
