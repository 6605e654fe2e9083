"""A small invented web for the demo, over real HTTP on loopback: a page is a function of its URL.

Hubs link to sites of several topics. Book sites hide their search forms at different depths
among pages without any; other sites have search forms too, about something else. Every site
has forms that search nothing, a few dead links, and a corner its robots.txt forbids.
"""

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from html import escape
from urllib.parse import urlsplit

ROBOTS = "User-agent: *\nDisallow: /account/\n"
GENRES = 7
ITEMS = 6
LATENCY_S = (0.01, 0.06)
NEUTRAL = tuple(
    "the and with for from every day new best our more about small great town week open team "
    "welcome find read here people year good first many old service page home".split()
)
LOGIN = (
    '<form action="/account/login" method="post"><label>User <input name="user"></label>'
    '<label>Password <input type="password" name="password"></label><button>Log in</button></form>'
)
NEWSLETTER = (
    '<form action="/subscribe" method="post"><label>E-mail <input type="email" name="mail">'
    "</label><button>Subscribe to our newsletter</button></form>"
)


@dataclass(frozen=True, slots=True)
class Theme:
    """What the sites of one topic are called, speak of, and ask for in their search forms."""

    sites: tuple[str, ...]
    words: tuple[str, ...]
    fields: tuple[str, ...]
    noun: str


def _theme(noun: str, sites: str, words: str, fields: str) -> Theme:
    return Theme(tuple(sites.split()), tuple(words.split()), tuple(fields.split()), noun)


THEMES = (
    _theme(
        "book",
        "harbour-books old-mill-library paper-lantern quire-and-quill riverside-library inkwell "
        "blue-spine county-library margin-notes folio-house second-chapter north-reading-room "
        "broken-press busy-binder leaf-and-board atlas-bookshop",
        "book books author isbn title publisher paperback hardcover library novel reader edition",
        "Title Author ISBN Publisher",
    ),
    _theme(
        "car",
        "motor-mile used-wheels autoplaza garage-nine piston-yard roadline",
        "car auto vehicle engine dealer mileage model wheel diesel gearbox seat brake",
        "Make Model Mileage",
    ),
    _theme(
        "hotel",
        "sea-view-inn grand-stay bed-and-bay alpine-rooms lantern-hotel",
        "hotel room guest stay breakfast suite night resort booking beach spa",
        "City Arrival Guests",
    ),
    _theme(
        "recipe",
        "slow-kitchen bread-table spice-route green-spoon",
        "recipe flour oven butter garlic soup bake dish dinner sauce salt onion",
        "Ingredient Dish",
    ),
    _theme(
        "job",
        "work-here hire-board day-shift",
        "job career salary employer vacancy hiring office contract interview shift",
        "Keywords Region Salary",
    ),
)
HUBS = ("shelf-guide", "web-atlas", "town-portal")
PLACE_OF = {site: theme for theme in THEMES for site in theme.sites}
SEEDS = ("http://shelf-guide.demo/", "http://web-atlas.demo/")
SITES = len(PLACE_OF) + len(HUBS)


@dataclass(frozen=True, slots=True)
class Answer:
    """What one URL answers."""

    body: str
    status: str = "200 OK"
    kind: str = "text/html; charset=utf-8"
    extra: str = ""


Say = Callable[[str, str], Answer | None]
"""The page of a host at a path."""


def answer(host: str, path: str) -> Answer | None:
    """The page at a URL; None drops the connection."""
    name = host.partition(".")[0]
    if path == "/robots.txt":
        return Answer(ROBOTS, kind="text/plain")
    if name in HUBS:
        return Answer(_hub(name, path))
    theme = PLACE_OF.get(name)
    if theme is None or path.startswith("/old/"):
        return Answer("<title>Not found</title>", "404 Not Found")
    if name == "broken-press" and path != "/":
        return None if path.endswith("0") else Answer("broken", "500 Internal Server Error")
    if path == "/home":
        return Answer("", "301 Moved Permanently", extra="Location: /\r\n")
    return Answer(_site(name, theme, path))


def _hub(name: str, path: str) -> str:
    """The first hub knows books; the others everything, topic by topic."""
    themes: tuple[Theme, ...] = THEMES[:1] if name == HUBS[0] else THEMES
    topic = path.strip("/")
    if topic:
        themes = tuple(theme for theme in themes if theme.noun == topic)
    draw = random.Random(name + path)
    parts = [f"<p>{_prose(draw, theme, 25)}</p>{_hub_list(draw, theme)}" for theme in themes]
    topics = "".join(f'<li><a href="/{t.noun}">{t.noun}s</a></li>' for t in THEMES)
    others = "".join(f'<li><a href="http://{h}.demo/">{h}</a></li>' for h in HUBS if h != name)
    menu = f"<ul>{others}</ul>" if name == HUBS[0] else f"<ul>{topics}{others}</ul>"
    return _page(
        f"Guide to {' and '.join(theme.noun for theme in themes)} sites", "".join(parts) + menu
    )


def _hub_list(draw: random.Random, theme: Theme) -> str:
    chosen = draw.sample(theme.sites, min(len(theme.sites), 10))
    items = (f'<li><a href="http://{s}.demo/">{_title(s)}</a>, {theme.noun}s</li>' for s in chosen)
    return f"<ul>{''.join(items)}</ul>"


def _site(name: str, theme: Theme, path: str) -> str:
    draw = random.Random(name + path)
    parts = [f"<p>{_prose(draw, theme, 60)}</p>", _menu(name)]
    parts.append(f"<ul>{''.join(_links(draw, theme, name, path))}</ul>")
    if path == search_path(name):
        parts.append(_search(name, theme))
    if path in ("/about", "/contact"):
        parts.append(NEWSLETTER if path == "/about" else LOGIN)
    what = path.strip("/").replace("/", " ") or theme.noun + "s"
    if path == search_path(name):
        what = f"search {theme.noun}s"
    return _page(f"{_title(name)}: {what}", "".join(parts))


def search_path(name: str) -> str:
    """Where a site keeps its search form: on its first page, or up to three links inside."""
    depth = random.Random(name).randrange(4)
    return ("/", "/search", "/catalogue/2", "/catalogue/4/3")[depth]


def _menu(name: str) -> str:
    paths = ["/", "/about", "/contact", "/catalogue", "/account/basket", "/home"]
    if search_path(name) == "/search":
        paths.append("/search")
    return "".join(f'<a href="{path}">{path.strip("/") or "start"}</a> ' for path in paths)


def _links(draw: random.Random, theme: Theme, name: str, path: str) -> Iterator[str]:
    steps = path.strip("/").split("/")
    if steps[0] != "catalogue":
        for site in draw.sample(theme.sites, 2):
            yield f'<li><a href="http://{site}.demo/">{_title(site)}</a></li>'
        return
    for number in range((GENRES, ITEMS)[len(steps) - 1] if len(steps) < 3 else 0):
        word = draw.choice(theme.words)
        yield f'<li><a href="{path}/{number}">{theme.noun} {word} {number}</a></li>'
    if len(steps) == 3 and draw.random() < 0.1:
        yield f'<li><a href="/old/{name}-{draw.randrange(99)}">an old {theme.noun}</a></li>'


def _search(name: str, theme: Theme) -> str:
    draw = random.Random(f"form of {name}")
    asked = draw.sample(theme.fields, draw.randint(1, len(theme.fields)))
    labels = "".join(f'<label>{f} <input name="{f.lower()}"></label> ' for f in asked)
    options = "".join(f"<option>{escape(word)}</option>" for word in theme.words[:6])
    choice = f'<label>Kind <select name="kind">{options}</select></label>'
    return (
        f'<form action="/results" method="get"><h2>Search all {theme.noun}s</h2>{labels}'
        f"{choice if draw.random() < 0.5 else ''}<button>Search</button></form>"
    )


def _prose(draw: random.Random, theme: Theme, words: int) -> str:
    return " ".join(
        draw.choice(theme.words if draw.random() < 0.25 else NEUTRAL) for _ in range(words)
    )


def _title(name: str) -> str:
    return name.replace("-", " ").title()


def _page(title: str, body: str) -> str:
    return (
        f'<!doctype html><html lang="en"><head><title>{title}</title></head>'
        f"<body><h1>{title}</h1>{body}</body></html>"
    )


async def _converse(say: Say, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            lines = head.decode("latin-1").split("\r\n")
            host = next(x[5:].strip() for x in lines if x.lower().startswith("host:"))
            # Those who take it for their proxy write whole URLs.
            reply = say(host, urlsplit(lines[0].split(" ")[1]).path)
            await asyncio.sleep(random.uniform(*LATENCY_S))
            if reply is None:
                break
            writer.write(_wire(reply))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


def _wire(reply: Answer) -> bytes:
    body = reply.body.encode()
    head = (
        f"HTTP/1.1 {reply.status}\r\nContent-Type: {reply.kind}\r\n"
        f"Content-Length: {len(body)}\r\n{reply.extra}\r\n"
    )
    return head.encode() + body


@contextmanager
def serving(say: Say = answer) -> Iterator[int]:
    """Serve the demo's web in a thread; its port on 127.0.0.1."""
    loop = asyncio.new_event_loop()
    converse = partial(_converse, say)
    server = loop.run_until_complete(asyncio.start_server(converse, "127.0.0.1", 0))
    thread = threading.Thread(target=loop.run_forever, name="demo web", daemon=True)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(_end(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _end(server: asyncio.Server) -> None:
    server.close()
    open_ones = [t for t in asyncio.all_tasks() if t is not asyncio.current_task()]
    for task in open_ones:
        task.cancel()
    await asyncio.gather(*open_ones, return_exceptions=True)
