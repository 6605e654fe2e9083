"""The real data, row by row, as pages read by the parser that reads every crawl."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import py3langid
from msgspec import Struct

from leadline.core.page import Page
from leadline.core.url import Url, canonical, host_of, registered_domain, site_of
from leadline.page.html_tree import parse_html
from leadline.page.parse import page_from

_ENOUGH_CHARS, _SAMPLE_CHARS = 200, 3_000
"""Of text, to tell its language by."""
_UTF_8 = "text/html; charset=utf-8"
_mail_head = re.compile(r"\A(?:[A-Za-z-]+:[^\n]*\n|HTTP/[^\n]*\n)+\r?\n").match
_markdown_link = re.compile(r"(?<!!)\[([^\[\]]+)\]\((https?://[^\s)]+)\)")
_markdown_image = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_address_comment = re.compile(r"<!--\s*(https?://\S+)").search


class RealPage(Struct, frozen=True):
    """A real page with what its collection says about it."""

    owner: str
    """The site or registered domain it is from: pages of one owner resemble each other."""
    kind: str
    """Its class in the collection: a vertical, a class of WebKB, a subject; or ''."""
    page: Page
    html: str


class ListLine(Struct, frozen=True):
    """One line of a curated list that holds links."""

    anchors: tuple[tuple[str, Url], ...]
    text: str
    """The line without markup and addresses."""


def rows(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def read(html: str, url: Url) -> Page:
    """Labels are of forms as they stand in the page, so that none is cut into regions."""
    tree = parse_html(html.encode("utf-8", "replace"), _UTF_8)
    return page_from(tree, url, with_regions=False)


def owner_of(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


def swde(folder: Path) -> Iterator[RealPage]:
    for row in rows(folder, "pages/swde"):
        if url := canonical(row["url"]):
            owner = f"{row['vertical']}-{row['site']}"
            yield RealPage(owner, row["vertical"], read(row["html"], url), row["html"])


def webkb(folder: Path) -> Iterator[RealPage]:
    """Without the few pages whose address is none; `campus` is the collection's `other`."""
    for row in rows(folder, "pages/webkb"):
        if url := canonical(row["url"]):
            head = _mail_head(row["html"])
            html = row["html"][head.end() if head else 0 :]
            kind = "campus" if row["class"] == "other" else row["class"]
            yield RealPage(owner_of(url), kind, read(html, url), html)


def formasaurus(folder: Path) -> Iterator[tuple[RealPage, list[str]]]:
    """Each page with the labels of its forms."""
    for row in rows(folder, "forms/formasaurus"):
        if url := canonical(row["url"]):
            page = RealPage(owner_of(url), "", read(row["html"], url), row["html"])
            yield page, row["form_types"]


def autofill(folder: Path) -> Iterator[RealPage]:
    for row in rows(folder, "forms/autofill"):
        named = _address_comment(row["html"])
        url = canonical(named[1]) if named else None
        url = url or Url(f"http://{row['name'].split('_')[0].lower()}.test/")
        yield RealPage(owner_of(url), row["name"], read(row["html"], url), row["html"])


def autopager(folder: Path) -> Iterator[RealPage]:
    for row in rows(folder, "pagination/autopager"):
        if url := canonical(row["page url"]):
            yield RealPage(owner_of(url), "", read(row["html"], url), row["html"])


def wikipedia(folder: Path) -> Iterator[tuple[RealPage, list[str]]]:
    """Each article with its subjects, `Science.Biology.Birds`."""
    for row in rows(folder, "pages/wikipedia-schools"):
        if url := canonical(f"http://wikipedia.test/{row['path']}"):
            subjects = [subject.removeprefix("subject.") for subject in row["subjects"]]
            html = row["html"]
            yield RealPage("wikipedia.test", "", read(html, url), html), subjects


def lists(folder: Path) -> Iterator[tuple[str, list[ListLine]]]:
    """Each curated list: its name and its lines with links."""
    for path in sorted((folder / "sources" / "lists").glob("*.md")):
        text = _markdown_image.sub("", path.read_text(encoding="utf-8"))
        yield path.stem, [line for line in map(_list_line, text.splitlines()) if line.anchors]


def _list_line(line: str) -> ListLine:
    found = [(text, canonical(href)) for text, href in _markdown_link.findall(line)]
    anchors = tuple((text, url) for text, url in found if url)
    return ListLine(anchors, _markdown_link.sub(r"\1", line).strip(" -*|#"))


def spoken(page: Page) -> str:
    """The language the text is in, whatever the page declares; '' for too little text."""
    text = page.text[:_SAMPLE_CHARS]
    if len(text) < _ENOUGH_CHARS:
        return ""
    return str(py3langid.classify(text)[0])
