"""Pages to learn from: HTML files, folders of them, or URLs, which are fetched politely."""

import asyncio
import csv
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from leadline.config import Config
from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.ports import Fetcher
from leadline.core.url import Url, canonical, host_of, registered_domain, site_of
from leadline.errors import ConfigError, FetchError
from leadline.page import parse_page
from leadline.ui.output import clean, say
from leadline.web import open_fetcher

_ENDINGS = (".html", ".htm", ".xhtml")
_YES, _NO = frozenset({"yes", "y", "1", "true"}), frozenset({"no", "n", "0", "false"})


class Sample(Struct, frozen=True):
    """A page, whose it is, and whether it is about the topic."""

    page: Page
    owner: str
    is_about: bool = True


def read_samples(given: Sequence[str], config: Config, *, is_about: bool = True) -> list[Sample]:
    """Pages in the order given; those that cannot be fetched are told and left out."""
    files = [file for text in given if "://" not in text for file in _files(Path(text))]
    found = [_from_file(file, is_about=is_about) for file in files]
    urls = [_url(text, config) for text in given if "://" in text]
    if urls:
        pages = asyncio.run(_fetch(urls, config))
        found += [Sample(page, owner_of(page.url), is_about) for page in pages]
    return found


def read_labels(file: Path, config: Config) -> list[Sample]:
    """Pages named in a CSV file of two columns: a file or URL, and yes or no."""
    try:
        rows = [row for row in csv.reader(file.read_text("utf-8").splitlines()) if row]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read labels from {file}: {error}") from None
    named: dict[bool, list[str]] = {True: [], False: []}
    for number, row in enumerate(rows, start=1):
        label = row[-1].strip().lower()
        if len(row) != 2 or label not in _YES | _NO:
            raise ConfigError(f"{file}, line {number}: write page,yes or page,no")
        named[label in _YES].append(row[0].strip())
    return [
        sample
        for is_about, pages in named.items()
        for sample in read_samples(pages, config, is_about=is_about)
    ]


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix.lower() in _ENDINGS)
    if not path.is_file():
        raise ConfigError(f"page {str(path)!r}: no such file; write URLs as https://host/path")
    return [path]


def _from_file(file: Path, *, is_about: bool) -> Sample:
    """A saved page mostly names its site in its links; one that does not is a site of its own."""
    page = parse_page(file.read_bytes(), Url(f"http://saved.invalid/{file.name}"), "text/html")
    named = page.canonical or canonical(page.base)
    owner = owner_of(named) if named else ""
    return Sample(page, str(file) if owner in ("", "saved.invalid") else owner, is_about)


def _url(text: str, config: Config) -> Url:
    url = canonical(text, rules=config.urls.rules)
    if url is None:
        raise ConfigError(f"page {text!r} is not an http(s) URL; write https://host/path")
    return url


def owner_of(url: Url) -> str:
    return registered_domain(host_of(site_of(url)))


async def _fetch(urls: Sequence[Url], config: Config) -> list[Page]:
    fetcher = open_fetcher(config.web, config.robots, config.politeness)
    try:
        pages = await asyncio.gather(*(_fetch_one(url, fetcher) for url in urls))
    finally:
        await fetcher.close()
    return [page for page in pages if page is not None]


async def _fetch_one(url: Url, fetcher: Fetcher) -> Page | None:
    """None, and a word about it, for what cannot be had."""
    try:
        response = await fetcher.fetch(Request(url))
    except FetchError as error:
        say(f"left out: {clean(str(error))}")
        return None
    if response.status != 200:
        say(f"left out: the site answers {response.status}: {clean(url)}")
        return None
    return parse_page(response.body, response.url, response.header("content-type"))
