"""Whether `leadline ask` brings what asking by hand brings.

    python -m bench.ask

Five catalogues on loopback, each with a part of the same books and a form of its own kind: one box;
author, title and years; lists; German labels; POST with a token. A crawl finds their forms. Each of
twelve questions is asked once through `leadline.ask`, and once by the requests below, which were
written by hand for each form, by a person who skips the results that show the wrong year, price or
format. What counts is which books of which site come: pairs of question and site that are equal,
and precision and recall of all records. `things` counts how many questions have each book once.
The last line is one JSON object.
"""

import json
import re
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from tests.server.asking import crawl_bookshops, serving_bookshops
from tests.server.bookshops import (
    BOOKS,
    FIELDS,
    KATALOG,
    LISTS,
    POSTED,
    SITES,
    WORDS,
    Book,
    Bookshops,
)

import leadline
from leadline.records.asking import AnswerTable

_SHOWN: Mapping[str, frozenset[str]] = {
    site: frozenset({"title", "author", "price", "year", "format"}) for site in SITES
} | {WORDS: frozenset({"title", "author", "price"})}
"""What the results of each site show, by which a person can skip some."""
Skip = Mapping[str, Callable[[Book], bool]]


class ByHand(NamedTuple):
    """A question, the values for each form that can be asked, and what a person keeps."""

    texts: list[str]
    values: Mapping[str, Mapping[str, str]]
    keeps: Skip = MappingProxyType({})


def _between(low: int, high: int) -> Skip:
    return {"year": lambda book: low <= book.year <= high}


QUESTIONS = (
    ByHand(
        ["author=Le Guin"],
        {
            WORDS: {"q": "Le Guin"},
            FIELDS: {"author": "Le Guin"},
            LISTS: {"au": "0"},
            KATALOG: {"vf": "Le Guin"},
            POSTED: {"a": "Le Guin"},
        },
    ),
    ByHand(
        ["author=Le Guin", "year=1970..1990"],
        {
            WORDS: {"q": "Le Guin"},
            FIELDS: {"author": "Le Guin", "from": "1970", "to": "1990"},
            LISTS: {"au": "0"},
            KATALOG: {"vf": "Le Guin", "jv": "1970", "jb": "1990"},
            POSTED: {"a": "Le Guin"},
        },
        _between(1970, 1990),
    ),
    ByHand(
        ["author=Lem", "format=paperback"],
        {
            WORDS: {"q": "Lem"},
            FIELDS: {"author": "Lem"},
            LISTS: {"au": "1", "f": "p"},
            KATALOG: {"vf": "Lem", "eb": "1"},
            POSTED: {"a": "Lem"},
        },
        {"format": lambda book: book.format == "Paperback"},
    ),
    ByHand(
        ["title=Silver River"],
        {
            WORDS: {"q": "Silver River"},
            FIELDS: {"title": "Silver River"},
            LISTS: {"t": "Silver River"},
            KATALOG: {"ti": "Silver River"},
            POSTED: {"t": "Silver River"},
        },
    ),
    ByHand(
        ["hidden"],
        {
            WORDS: {"q": "hidden"},
            FIELDS: {"title": "hidden"},
            LISTS: {"t": "hidden"},
            KATALOG: {"ti": "hidden"},
            POSTED: {"t": "hidden"},
        },
    ),
    ByHand(
        ["author=Borges", "price<=20"],
        {
            WORDS: {"q": "Borges"},
            FIELDS: {"author": "Borges"},
            LISTS: {"au": "4"},
            KATALOG: {"vf": "Borges"},
            POSTED: {"a": "Borges"},
        },
        {"price": lambda book: book.price <= 20},
    ),
    ByHand(
        ["year=1985..1992"],
        {FIELDS: {"from": "1985", "to": "1992"}, KATALOG: {"jv": "1985", "jb": "1992"}},
    ),
    ByHand(
        ["year=1982..1988"],
        {
            FIELDS: {"from": "1982", "to": "1988"},
            LISTS: {"d": "1980"},
            KATALOG: {"jv": "1982", "jb": "1988"},
        },
        _between(1982, 1988),
    ),
    ByHand(
        ["author=Carter", "title=Gate"],
        {
            WORDS: {"q": "Carter Gate"},
            FIELDS: {"author": "Carter", "title": "Gate"},
            LISTS: {"au": "5", "t": "Gate"},
            KATALOG: {"vf": "Carter", "ti": "Gate"},
            POSTED: {"a": "Carter", "t": "Gate"},
        },
    ),
    ByHand(
        ["author=Butler", "format=hardcover", "year>=1990"],
        {
            WORDS: {"q": "Butler"},
            FIELDS: {"author": "Butler", "from": "1990"},
            LISTS: {"au": "2", "f": "h"},
            KATALOG: {"vf": "Butler", "eb": "2", "jv": "1990"},
            POSTED: {"a": "Butler"},
        },
        {
            "year": lambda book: book.year >= 1990,
            "format": lambda book: book.format == "Hardcover",
        },
    ),
    ByHand(
        ["moon", "author=Calvino"],
        {
            WORDS: {"q": "Calvino moon"},
            FIELDS: {"author": "Calvino", "title": "moon"},
            LISTS: {"au": "3", "t": "moon"},
            KATALOG: {"vf": "Calvino", "ti": "moon"},
            POSTED: {"a": "Calvino", "t": "moon"},
        },
    ),
    ByHand(
        ["Autor=Octavia Butler", "Preis<=12"],
        {
            WORDS: {"q": "Octavia Butler"},
            FIELDS: {"author": "Octavia Butler"},
            LISTS: {"au": "2"},
            KATALOG: {"vf": "Octavia Butler"},
            POSTED: {"a": "Octavia Butler"},
        },
        {"price": lambda book: book.price <= 12},
    ),
)


def ask_by_hand(address: str, site: str, question: ByHand) -> set[int]:
    """The books that a person gets."""
    values = question.values.get(site)
    if values is None:
        return set()
    if site == POSTED:
        page = _fetch(address, site, "/", None)
        token = re.search(r"name=token value=(\w+)", page)
        assert token is not None
        page = _fetch(address, site, "/find", {"token": token[1], **values})
    else:
        path = "/suche" if site == KATALOG else "/find"
        page = _fetch(address, site, f"{path}?{urllib.parse.urlencode(values)}", None)
    shown = [BOOKS[int(number)] for number in re.findall(r"/book/(\d+)", page)]
    checks = [check for name, check in question.keeps.items() if name in _SHOWN[site]]
    return {book.id for book in shown if all(check(book) for check in checks)}


def _fetch(address: str, site: str, path: str, posted: Mapping[str, str] | None) -> str:
    body = urllib.parse.urlencode(posted).encode() if posted else None
    request = urllib.request.Request(f"http://{address}{path}", body, {"Host": site})
    with urllib.request.urlopen(request, timeout=10) as answer:
        text: str = answer.read().decode()
    return text


def list_books(table: AnswerTable, site: str) -> set[int]:
    """The books that a table has from a site."""
    urls = [str(origin.url) for origin in table.origins if origin.site == site]
    return {int(url.rpartition("/")[2]) for url in urls}


def measure(shops: Bookshops, store: Path) -> dict[str, object]:
    """Asks everything both ways."""
    equal = both = only_ask = only_hand = requests = once = 0
    seconds = 0.0
    for question in QUESTIONS:
        begun = time.monotonic()
        table = leadline.ask(question.texts, store)
        seconds += time.monotonic() - begun
        requests += sum(source.requests for source in table.sources)
        everything: set[int] = set()
        for site in SITES:
            ours = list_books(table, site)
            theirs = ask_by_hand(shops.address, site, question)
            everything |= ours
            equal += ours == theirs
            both += len(ours & theirs)
            only_ask += len(ours - theirs)
            only_hand += len(theirs - ours)
            mark = "=" if ours == theirs else f"+{sorted(ours - theirs)} -{sorted(theirs - ours)}"
            print(f"{table.question:60} {site:16} {len(ours):3} records  {mark}")
        once += len(table.things) == len(everything)
    pairs = len(QUESTIONS) * len(SITES)
    return {
        "questions": len(QUESTIONS),
        "sources": len(SITES),
        "pairs_equal": equal,
        "pairs": pairs,
        "precision": round(both / max(1, both + only_ask), 4),
        "recall": round(both / max(1, both + only_hand), 4),
        "records": both + only_ask,
        "questions_with_each_thing_once": once,
        "requests_a_source": round(requests / pairs, 2),
        "seconds_a_question": round(seconds / len(QUESTIONS), 2),
    }


def main() -> None:
    with serving_bookshops() as (shops, settings), tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "books.leadline"
        crawl_bookshops(store, settings)
        found = measure(shops, store)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
