"""The collections: whose pages teach the critic, and whose are crawled.

Each is cut into parts that have no page in common: one whose labels teach the critic, and two
webs. A strategy crawls one web and never sees a label; a model made offline comes from the other
web. Pages are judged by a critic that was shown no page of either.

WebKB: pages of computer science departments, 1997. Pages of many universities teach the critic;
Cornell's and Texas's are the webs. Wikipedia for Schools 2007: articles are dealt out by a hash of
their names, a fifth to the critic and two fifths to each web.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import xxhash
from msgspec import Struct

from leadline.core.url import Url, canonical
from leadline.errors import ConfigError


class StoredPage(Struct, frozen=True):
    """A page as it was found, and what people said it is about."""

    url: Url
    body: bytes
    topics: frozenset[str]


class Collection(Struct, frozen=True):
    """One set of pages in its parts."""

    name: str
    lessons: tuple[StoredPage, ...]
    """Pages for the critic to learn from; no part of any web."""
    webs: Mapping[str, tuple[StoredPage, ...]]
    targets: tuple[str, ...]
    """Topics to look for."""


WEBKB_TARGETS = ("student", "faculty", "course", "project")
"""The classes with at least 19 pages at each university, `other` left out."""
WIKIPEDIA_TARGETS = (
    "Science.Biology",
    "Science.Chemistry",
    "Science.Physics",
    "Geography",
    "History",
    "People",
)
"""Subjects with 5 to 25 of 100 articles."""
_HOST = "http://wikipedia-schools.test/"
"""Articles have paths only; the host is ours."""


def read_webkb(folder: Path) -> Collection:
    """Raises ConfigError when it is not in the folder."""
    parts: dict[str, dict[Url, StoredPage]] = {"misc": {}, "cornell": {}, "texas": {}}
    for row in _rows(folder, "webkb"):
        url = canonical(row["url"])
        if url is not None:
            topics = frozenset({row["class"]})
            parts[row["university"]].setdefault(url, StoredPage(url, _body(row["html"]), topics))
    whole = {name: tuple(pages.values()) for name, pages in parts.items()}
    lessons = whole.pop("misc")
    return Collection("webkb", lessons, whole, WEBKB_TARGETS)


def read_wikipedia(folder: Path) -> Collection:
    """Raises ConfigError when it is not in the folder."""
    parts: dict[str, list[StoredPage]] = {"lessons": [], "one": [], "two": []}
    for row in _rows(folder, "wikipedia-schools"):
        url = canonical(_HOST + row["path"])
        if url is not None:
            page = StoredPage(url, row["html"].encode(), frozenset(_subjects(row["subjects"])))
            parts[_part(row["path"])].append(page)
    whole = {name: tuple(pages) for name, pages in parts.items()}
    lessons = whole.pop("lessons")
    return Collection("wikipedia", lessons, whole, WIKIPEDIA_TARGETS)


def _part(path: str) -> str:
    return ("lessons", "one", "two", "one", "two")[xxhash.xxh3_64_intdigest(path.encode()) % 5]


def _subjects(names: list[str]) -> Iterator[str]:
    """Each subject with all that are above it."""
    for name in names:
        steps = name.removeprefix("subject.").split(".")
        yield from (".".join(steps[: n + 1]) for n in range(len(steps)))


def _body(text: str) -> bytes:
    """Without the header of the HTTP answer that stands before each page."""
    head, gap, rest = text.partition("\n\n")
    return (rest if gap and "<" not in head else text).encode()


def _rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    file = folder / "pages" / f"{name}.jsonl.gz"
    if not file.is_file():
        raise ConfigError(f"no {file}: give the folder that holds pages/{name}.jsonl.gz")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
