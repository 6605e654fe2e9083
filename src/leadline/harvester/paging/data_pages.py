"""The next page of an answer that is data: an address that the data names, or the same request with
a position further on. No I/O."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import quote_plus

from leadline.core.harvest import NextPage, Trail
from leadline.core.http import Request
from leadline.core.url import AS_IT_IS, Url, canonical
from leadline.harvester.paging.page_urls import is_same_site, split_url
from leadline.harvester.paging.words import PERHAPS_SIZE_NAME, SIZE_NAME

DATA = "data"
"""Way to a next page that the data names."""
_OFFSET = "offset"
_PAGE = "number"
_NEXT_KEYS = frozenset({"next", "nextpage", "nexturl", "nextlink", "nexthref", "nextpageurl"})
_TOKEN_KEYS = frozenset(
    "nextcursor cursor nextpagetoken nexttoken continuation continuationtoken after endcursor "
    "nextmarker scrollid".split()
)
"""Keys of data, without case and signs between, that name the next page or the place it begins."""
_PAGE_NAMES = frozenset(
    "page p pg pagenum pageno pagenumber paged pageindex currentpage seite".split()
)
_RECORD_NAMES = frozenset(
    "offset start skip from first startindex startrow startrecord startat begin position".split()
)
"""Names of parameters that count pages, and of those that count records."""
_TOKEN_NAMES = frozenset(
    "cursor pagetoken token nexttoken continuation continuationtoken after marker scrollid".split()
)
_MAX_DEPTH = 4
_MAX_KEYS = 200
_ROUND, _LEAST_FULL = 5, 10
"""A page without a size or a total is taken to be full if it has this many records or more, and a
multiple of five: lists that are cut are cut so."""
_not_letters = re.compile(r"[^a-z]+")


class DataAnswer(NamedTuple):
    """One page of an answer that is data."""

    tree: Any
    asked: Request
    shown: int
    """Records on it."""
    total: int | None
    """Matches, where the data says so."""


def find_next_data_page(answer: DataAnswer, trail: Trail) -> NextPage | None:
    """The page after this one; None at the end, or if nothing says how to ask for it.

    `trail` holds the pages so far, this one included.
    """
    number = trail.number + 1 if trail.number else 0
    for url, way in (*_named_pages(answer), *_further_positions(answer)):
        request = Request(url, referrer=answer.asked.referrer)
        if not trail.was_asked(request) and is_same_site(url, answer.asked.url):
            return NextPage(request, way, number, trail)
    return None


def _named_pages(answer: DataAnswer) -> Iterator[tuple[Url, str]]:
    """Addresses that the data calls next, and the request with a token that it hands on."""
    own = split_url(answer.asked.url).parameters
    tokens = [name for name in own if _plain(name) in _TOKEN_NAMES]
    for key, value in _outer_pairs(answer.tree):
        target = value.get("href") or value.get("url") if isinstance(value, dict) else value
        if not isinstance(target, str) or not target:
            continue
        if key in _NEXT_KEYS and target.startswith(("http://", "https://", "/", "?")):
            base = answer.asked.url
            joined = f"{base.partition('?')[0]}{target}" if target.startswith("?") else target
            if (url := canonical(joined, base, rules=AS_IT_IS)) is not None:
                yield url, DATA
        elif key in _TOKEN_KEYS and tokens:
            yield _with_value(answer.asked.url, tokens[0], target), DATA


def _further_positions(answer: DataAnswer) -> Iterator[tuple[Url, str]]:
    """The same request further on, if one of its parameters is a position and there is more."""
    own = split_url(answer.asked.url).parameters
    counted = {_plain(name): name for name, value in own.items() if value.isdigit()}
    sizes = [
        int(own[name])
        for plain, name in counted.items()
        if SIZE_NAME(plain) or PERHAPS_SIZE_NAME(plain)
    ]
    size = max((one for one in sizes if one), default=0)
    records = next((counted[plain] for plain in counted if plain in _RECORD_NAMES), None)
    pages = next((counted[plain] for plain in counted if plain in _PAGE_NAMES), None)
    name = records or pages
    if name is None or not answer.shown:
        return
    value = int(own[name])
    is_full = (
        answer.shown >= size if size else answer.shown >= _LEAST_FULL and not answer.shown % _ROUND
    )
    if records is not None:
        has_more = is_full if answer.total is None else value + answer.shown < answer.total
        step = answer.shown
    else:
        # Pages are counted from 0 or 1: shown so far is at least what one counted from 1 says.
        so_far = max(0, value - 1) * max(size, answer.shown) + answer.shown
        has_more = is_full if answer.total is None else so_far < answer.total
        step = 1
    if has_more:
        way = _OFFSET if records is not None else _PAGE
        yield _with_value(answer.asked.url, name, str(value + step)), way


def _outer_pairs(tree: Any) -> Iterator[tuple[str, Any]]:
    """Keys and values of objects that stand outside of lists, the outermost first."""
    waiting = [(tree, 0)]
    count = 0
    while waiting:
        value, depth = waiting.pop(0)
        if not isinstance(value, dict) or depth > _MAX_DEPTH:
            continue
        for key, inner in value.items():
            count += 1
            if count > _MAX_KEYS:
                return
            yield _plain(str(key)), inner
            waiting.append((inner, depth + 1))


def _with_value(url: Url, name: str, value: str) -> Url:
    head, _, query = url.partition("?")
    pairs = [
        f"{name}={quote_plus(value)}" if pair.partition("=")[0] == name else pair
        for pair in query.split("&")
    ]
    return Url(f"{head}?{'&'.join(pairs)}")


def _plain(name: str) -> str:
    return _not_letters.sub("", name.lower())
