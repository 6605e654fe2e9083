"""A web with good sites and a site for each kind of trap, as a fetcher in this process.

A page is a function of its URL. Good sites have lists and detail pages of texts of their own and
one search form each; a trap's site has some detail pages too, and its trap is entered from every
page. Words and layouts are drawn anew for each site.
"""

import random
import re
import time
from collections import Counter
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import xxhash

from leadline.core.http import Request, Response
from leadline.core.url import Site, Url

DETAILS, PER_LIST = 120, 20
TRAP_DETAILS = 30
_SYLLABLES = (
    "ba ce di fo gu ha je ki lo mu na pe qui ra so te vu wa xi yo zan ber tor lin mes".split()
)
_TOPIC = "book author novel edition publisher chapter library reading paperback isbn".split()


def _draw(*name: object) -> random.Random:
    return random.Random(xxhash.xxh3_64_intdigest("|".join(map(str, name)).encode()))


def _write(count: int, *name: object) -> str:
    """Prose of so many words, the same for the same name."""
    draw = _draw("text", *name)
    words = [
        draw.choice(_TOPIC)
        if draw.random() < 0.2
        else "".join(draw.choices(_SYLLABLES, k=draw.randint(1, 3)))
        for _ in range(count)
    ]
    return " ".join(words)


def _make_page(site: str, title: str, body: str, links: list[tuple[str, str]]) -> str:
    menu = "".join(f'<li><a href="{href}">{text}</a></li>' for href, text in links)
    about = _write(40, site, "about")
    return (
        f"<html><head><title>{title}</title></head><body><h1>{title}</h1><ul>{menu}</ul>"
        f"<div>{body}</div><p>{about}</p></body></html>"
    )


_FORM = (
    '<form action="/find" method="get"><label>Search books by title or author '
    '<input type="text" name="q"></label><input type="submit" value="Search books"></form>'
)


def _detail(site: str, number: int) -> str:
    draw = _draw(site, number)
    cells = f"<h2>{_write(4, site, number, 'title')}</h2><p>by {_write(2, site, number, 'who')}</p>"
    return f"{cells}<p>Published {draw.randint(1900, 2020)}, {draw.randint(90, 900)} pages</p>"


def _good_page(site: str, path: str, _query: dict[str, str]) -> str | None:
    lists = DETAILS // PER_LIST
    menu = [("/", "Home"), ("/search", "Search the catalogue")]
    if path == "/":
        menu += [(f"/books/page/{number}", f"List {number}") for number in range(lists)]
        menu += [(f"http://{other}/", other) for other in (*GOOD, *TRAPS)]
        return _make_page(site, f"Books of {site}", _write(60, site, "home"), menu)
    if path == "/search":
        return _make_page(site, "Search books", _FORM, menu)
    if found := re.fullmatch(r"/books/page/(\d+)", path):
        number = int(found[1])
        if number >= lists:
            return None
        first = number * PER_LIST
        menu += [
            (f"/book/{one}", _write(4, site, one, "title"))
            for one in range(first, first + PER_LIST)
        ]
        return _make_page(site, f"Books, list {number}", "", menu)
    if (found := re.fullmatch(r"/book/(\d+)", path)) and int(found[1]) < DETAILS:
        return _make_page(site, "A book", _detail(site, int(found[1])), menu)
    return None


def _own_links(site: str, at: str = "/book/{}") -> list[tuple[str, str]]:
    return [(at.format(n), _write(4, site, n, "title")) for n in range(TRAP_DETAILS)]


def _own_page(site: str, path: str, links: list[tuple[str, str]]) -> str | None:
    """Home and detail pages of a trap's site."""
    if path == "/":
        return _make_page(site, f"Books of {site}", _FORM, [*_own_links(site), *links])
    found = re.fullmatch(r"/book/(\d+)", path)
    if found and int(found[1]) < TRAP_DETAILS:
        return _make_page(site, "A book", _detail(site, int(found[1])), links)
    return None


def _calendar(site: str, path: str, _query: dict[str, str]) -> str | None:
    found = re.fullmatch(r"/events/(\d{4})/(\d+)", path)
    year, month = (int(found[1]), int(found[2])) if found else (2024, 5)
    months = ["January", "February", "March", "April", "May", "June", "July", "August"]
    months += ["September", "October", "November", "December"]
    at = year * 12 + month - 1
    links = [
        (f"/events/{n // 12}/{n % 12 + 1}", f"{months[n % 12]} {n // 12}") for n in (at - 1, at + 1)
    ]
    links += [
        (f"/events/{year + 1}/{month}", "Next year"),
        (f"/events/{year - 1}/{month}", "Last year"),
    ]
    if found:
        days = " ".join(f"<td>{day}</td>" for day in range(1, 31))
        return _make_page(
            site, f"{months[at % 12]} {year}", f"<table><tr>{days}</tr></table>", links
        )
    return _own_page(site, path, links)


def _repeated(site: str, path: str, _query: dict[str, str]) -> str | None:
    base = path.rstrip("/")
    links = [(f"{base}/{word}/", word) for word in ("reading", "novel", "author")]
    own = _own_page(site, path, [("/reading/novel/", "More books")])
    if own or not re.fullmatch(r"(/(reading|novel|author))+", base):
        return own
    # The way to the page stands above its text, so that no two pages are the same.
    last = base.rpartition("/")[2]
    text = f"<p>{base.replace('/', ' ')}</p><p>{_write(50, site, last)}</p>"
    return _make_page(site, last, text, links)


def _session_value(site: str, *name: object) -> str:
    return f"{_draw(site, 'session', *name).getrandbits(64):016x}"


def _session_parameter(site: str, path: str, query: dict[str, str]) -> str | None:
    fresh = [
        (f"{href}?tk={_session_value(site, path, query.get('tk'), n)}", text)
        for n, (href, text) in enumerate([*_own_links(site), ("/", "Home")])
    ]
    if path == "/":
        return _make_page(site, f"Books of {site}", _FORM, fresh)
    return _own_page(site, path, fresh)


def _session_path(site: str, path: str, _query: dict[str, str]) -> str | None:
    found = re.fullmatch(r"/([0-9a-f]{16})(/.*)", path)
    place = found[2] if found else path
    fresh = [
        (f"/{_session_value(site, path, n)}{href}", text)
        for n, (href, text) in enumerate([*_own_links(site), ("/", "Home")])
    ]
    if place == "/":
        return _make_page(site, f"Books of {site}", _FORM, fresh)
    return _own_page(site, place, fresh)


def _fresh_parameters(site: str, path: str, query: dict[str, str]) -> str | None:
    here = "&".join(f"{name}={value}" for name, value in query.items())
    names = ["".join(_draw(path, here, n).choices("abcdefghijk", k=6)) for n in range(8)]
    links = [(f"/browse?{name}={_session_value(site, here, name)}", "More") for name in names]
    if path == "/browse":
        return _make_page(site, "Browse books", _write(50, site, "browse"), links)
    return _own_page(site, path, links)


_FACETS = {
    "colour": ("red", "blue", "green", "black", "white"),
    "format": ("paper", "cloth", "audio", "large"),
    "price": ("low", "middle", "high", "9-12"),
    "language": ("en", "de", "fr", "es", "it"),
    "age": ("child", "young", "adult"),
}


def _facets(site: str, path: str, query: dict[str, str]) -> str | None:
    links = []
    for name, values in _FACETS.items():
        for value in values:
            chosen = {**query, name: value}
            links.append(
                ("/shop?" + "&".join(f"{k}={v}" for k, v in sorted(chosen.items())), value)
            )
    if path != "/shop":
        return _own_page(site, path, [*links, ("/shop", "Shop")])
    shown = sorted(_draw(site, sorted(query.items())).sample(range(TRAP_DETAILS), 10))
    items = "".join(f"<p>{_write(4, site, number, 'title')}</p>" for number in shown)
    return _make_page(site, "Shop", items, links)


def _switches(site: str, path: str, query: dict[str, str]) -> str | None:
    links = []
    for name, values in (
        ("sort", ("name", "date", "price")),
        ("view", ("print", "wide")),
        ("lang", ("en", "de")),
        ("per", ("10", "20", "50")),
    ):
        for value in values:
            chosen = {**query, name: value}
            pairs = "&".join(f"{k}={v}" for k, v in chosen.items())
            links.append((f"{path}?{pairs}", f"{name} {value}"))
    own = _own_page(site, path, links)
    order = "".join(
        f"<i>{number}</i>" for number in _draw(site, query.get("sort")).sample(range(9), 9)
    )
    return own and own.replace("</body>", f"{order}</body>")


def _same_template(site: str, path: str, _query: dict[str, str]) -> str | None:
    links = [
        (f"/places/{_write(1, site, path, n)}-{_write(1, site, path, n, 'b')}", "Near you")
        for n in range(12)
    ]
    if path.startswith("/places/"):
        name = path.removeprefix("/places/")
        text = f"Best books in {name}. Order any book today and get it in {name} tomorrow."
        return _make_page(
            site, "Books near you", f"<p>{text}</p><p>{_write(80, site, 'same')}</p>", links
        )
    return _own_page(site, path, links)


def _soft_404(site: str, path: str, _query: dict[str, str]) -> str | None:
    links = [(f"/{_write(1, path, n)}/{_write(1, path, n, 2)}", "A book") for n in range(10)]
    own = _own_page(site, path, links)
    # The page that any address gets shows links that differ from page to page, and one text.
    return own or _make_page(site, "Welcome", _write(60, site, "any"), links)


KINDS: dict[str, Callable[[str, str, dict[str, str]], str | None]] = {
    "calendar": _calendar,
    "repeated": _repeated,
    "session-parameter": _session_parameter,
    "session-path": _session_path,
    "fresh-parameters": _fresh_parameters,
    "facets": _facets,
    "switches": _switches,
    "same-template": _same_template,
    "soft-404": _soft_404,
}
GOOD = tuple(f"good{number}.test" for number in range(10))
TRAPS = tuple(f"{kind}.test" for kind in KINDS)


class TrapWeb:
    """A `Fetcher` of that web, which counts what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[Url] = []

    async def fetch(self, request: Request) -> Response:
        self.asked.append(request.url)
        parts = urlsplit(request.url)
        site = parts.netloc
        answer = KINDS.get(site.removesuffix(".test"), _good_page)
        text = answer(site, parts.path, dict(parse_qsl(parts.query)))
        body = (text or "<html><body><h1>Not found</h1></body></html>").encode()
        kind = (("content-type", "text/html; charset=utf-8"),)
        status = 200 if text else 404
        return Response(request.url, status, kind, body, time.time(), size_bytes=len(body))

    def ready_at(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    def delay_of(self, site: Site) -> float:  # noqa: ARG002
        return 0.0

    async def close(self) -> None:
        """Nothing to give back."""

    def count_by_site(self) -> dict[str, int]:
        return dict(Counter(urlsplit(url).netloc.removesuffix(".test") for url in self.asked))
