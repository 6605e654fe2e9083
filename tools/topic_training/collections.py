"""The real pages, each with whose it is and what its words are counted for."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from leadline.core.page import Page
from leadline.core.url import Url, canonical, host_of, path_of, registered_domain, site_of
from leadline.page import parse_page
from leadline.page.words import PageWords, WordIds
from leadline.topics.background import CAMPUS, ENCYCLOPEDIA
from leadline.topics.judges import page_ids
from leadline.topics.training import SpellingVotes

SETS = (
    "pages/swde", "pages/webkb", "pages/wikipedia-schools",
    "forms/formasaurus", "forms/autofill", "pagination/autopager",
)  # fmt: skip
_PERSONS = frozenset({"faculty", "staff", "student"})
"""Classes of WebKB that are pages of persons."""
_FEWEST_WORDS = 20
_HOME = frozenset({"/", "/index.html", "/index.php", "/index.htm"})
_mail_head = re.compile(r"\A(?:[A-Za-z-]+:[^\n]*\n|HTTP/[^\n]*\n)+\r?\n").match
_address = re.compile(r"<!--\s*(https?://\S+)").search


class Text(Struct, frozen=True):
    """The words of a real page."""

    group: str
    """The row of the background it counts for: `web:en`, `campus`, `real:auto` ..."""
    owner: str
    """Its site, or its article where one site has them all: pages of one owner stay together."""
    host: str
    ids: WordIds
    is_home: bool = False


class Material(NamedTuple):
    """Real texts, and how their words are spelled."""

    texts: Sequence[Text]
    spelled: Mapping[int, str]


def read_material(folder: Path, every: int = 1) -> Material:
    """All pages with enough words, or every so many of them, in a fixed order; takes a minute."""
    spellings = SpellingVotes()
    found = []
    for group, owner, page in _pages(folder, every):
        ids = page_ids(PageWords(page))
        if (ids != 0).sum() < _FEWEST_WORDS:
            continue
        spellings.add(page)
        host = host_of(site_of(page.url))
        is_home = path_of(page.url).partition("?")[0] in _HOME
        found.append(Text(group, owner, host, ids, is_home))
    return Material(found, spellings.most_common())


def _pages(folder: Path, every: int) -> Iterator[tuple[str, str, Page]]:
    for row in _rows(folder, "pages/swde", every):
        yield f"real:{row['vertical']}", f"{row['vertical']}-{row['site']}", _read(row)
    for row in _rows(folder, "pages/webkb", every):
        head = _mail_head(row["html"])
        page = _read(row | {"html": row["html"][head.end() if head else 0 :]})
        group = "real:people" if row["class"] in _PERSONS else CAMPUS
        yield group, registered_domain(host_of(site_of(page.url))), page
    for row in _rows(folder, "pages/wikipedia-schools", every):
        page = _read(row | {"url": f"http://wikipedia.test/{row['path']}"})
        yield ENCYCLOPEDIA, row["path"], page
    for name in SETS[3:]:
        for row in _rows(folder, name, every):
            page = _read(row | {"url": _url(row)})
            yield f"web:{page.language}", registered_domain(host_of(site_of(page.url))), page


def _url(row: dict[str, Any]) -> str:
    """Of a page of any of the sets of forms: a fragment has it in a comment, or only a name."""
    named = _address(row["html"][:500])
    known = row.get("url") or row.get("page url") or (named and named[1])
    return str(known or f"http://{row['name'].partition('_')[0].lower()}.test/form")


def _read(row: dict[str, Any]) -> Page:
    url = canonical(row["url"]) or Url("http://unknown.test/")
    return parse_page(row["html"].encode("utf-8", "replace"), url, "text/html; charset=utf-8")


def _rows(folder: Path, name: str, every: int) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, 0, None, every):
            yield json.loads(line)
