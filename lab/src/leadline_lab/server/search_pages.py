"""Search results as SearXNG writes them, for programs and for people."""

from html import escape
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from leadline_lab.server.incomplete import Findings, Hit

_ENGINE = "lab"
PER_PAGE = 10


class Result(Struct, frozen=True, rename={"published_date": "publishedDate"}):
    """One result, with the fields that SearXNG's default template has."""

    url: str
    title: str
    content: str
    positions: tuple[int, ...]
    score: float
    parsed_url: tuple[str, ...]
    """Scheme, network location, path, parameters, query, fragment."""
    engine: str = _ENGINE
    engines: tuple[str, ...] = (_ENGINE,)
    category: str = "general"
    template: str = "default.html"
    img_src: str = ""
    thumbnail: str = ""
    priority: str = ""
    published_date: str | None = None


class Answer(Struct, frozen=True):
    """The whole answer. What this service never has stays empty, as clients expect it."""

    query: str
    number_of_results: int
    results: tuple[Result, ...]
    answers: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()
    infoboxes: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    unresponsive_engines: tuple[tuple[str, str], ...] = ()


def results_json(query: str, findings: Findings, page: int) -> bytes:
    """`page` counts from 1; beyond the last one there are no results."""
    first = (page - 1) * PER_PAGE
    shown = findings.hits[first : first + PER_PAGE]
    results = tuple(_result(hit, first + n) for n, hit in enumerate(shown, 1))
    return msgspec.json.encode(Answer(query, findings.total, results))


def _result(hit: Hit, position: int) -> Result:
    parts = urlsplit(hit.url)
    parsed = (parts.scheme, parts.netloc, parts.path, "", parts.query, parts.fragment)
    return Result(hit.url, hit.title, hit.snippet, (position,), 1.0 / position, parsed)


def results_html(query: str, findings: Findings, page: int) -> str:
    first = (page - 1) * PER_PAGE
    items = "".join(_item(hit) for hit in findings.hits[first : first + PER_PAGE])
    shown = f'<ol start="{first + 1}">{items}</ol>' if query else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Search</title></head>'
        '<body><h1>Search</h1><form action="/search" method="get" role="search">'
        f'<input type="text" name="q" value="{escape(query)}"> <button>Search</button></form>'
        f"{shown}</body></html>"
    )


def _item(hit: Hit) -> str:
    return (
        f'<li><a href="{escape(hit.url)}">{escape(hit.title)}</a><p>{escape(hit.snippet)}</p></li>'
    )
