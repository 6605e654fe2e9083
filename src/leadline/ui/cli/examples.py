"""Pages to learn from: files, URLs fetched politely, and what people labelled in a store."""

import asyncio
import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from leadline.config import Config
from leadline.core.crawl import Candidate, Visit
from leadline.core.http import Request
from leadline.core.inbox import FORM, NONE, PAGE, RIGHT, Label
from leadline.core.page import Page
from leadline.core.store import StoreView
from leadline.core.url import Url, canonical
from leadline.crawler.example_pages import fetch_examples, find_owner
from leadline.crawler.network import add_trials
from leadline.errors import ConfigError, FetchError
from leadline.page import parse_page
from leadline.topics.labels import FormSubject, LabelledSubject, PageSubject
from leadline.topics.teaching import PageExample
from leadline.ui.cli.output import say
from leadline.views.stores import open_to_read, saved_settings
from leadline.views.text import clean
from leadline.web.archive import ReplayFetcher

_ENDINGS = (".html", ".htm", ".xhtml")
_YES, _NO = frozenset({"yes", "y", "1", "true"}), frozenset({"no", "n", "0", "false"})


def read_pages(given: Sequence[str], config: Config, *, is_about: bool = True) -> list[PageExample]:
    """Pages in the order given; those that cannot be fetched are reported and left out."""
    files = [file for text in given if "://" not in text for file in _files(Path(text))]
    found = [_from_file(file, is_about=is_about) for file in files]
    urls = [text for text in given if "://" in text]
    if urls:
        found += asyncio.run(
            fetch_examples(urls, config, lambda text: say(clean(text)), is_about=is_about)
        )
    return found


def read_labels(file: Path, config: Config) -> list[PageExample]:
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
        for sample in read_pages(pages, config, is_about=is_about)
    ]


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix.lower() in _ENDINGS)
    if not path.is_file():
        raise ConfigError(f"page {str(path)!r}: no such file; write URLs as https://host/path")
    return [path]


def _from_file(file: Path, *, is_about: bool) -> PageExample:
    """A saved page mostly names its site in its links; one that does not is a site of its own."""
    page = parse_page(file.read_bytes(), Url(f"http://saved.invalid/{file.name}"), "text/html")
    named = page.canonical or canonical(page.base)
    owner = find_owner(named) if named else ""
    return PageExample(page, str(file) if owner in ("", "saved.invalid") else owner, is_about)


_SQLITE_HEAD = b"SQLite format 3\x00"
"""How a store begins."""


class LabelledPage(Struct, frozen=True, eq=False):
    """A page that was labelled, and its text if it could be fetched again."""

    label: Label
    visit: Visit
    candidate: Candidate | None
    page: Page | None = None

    @property
    def seen(self) -> PageSubject:
        if self.page is None:
            return PageSubject.of(self.visit, self.candidate)
        return PageSubject.read(self.visit.url, self.visit.relevance, self.page)


class StoreLabels(Struct, frozen=True, eq=False):
    """What people said of a crawl."""

    forms: list[LabelledSubject]
    pages: list[LabelledPage]

    @property
    def all(self) -> list[LabelledSubject]:
        return [*self.forms, *((one.label, one.seen) for one in self.pages)]

    @property
    def samples(self) -> list[PageExample]:
        """The pages whose text is there."""
        return [
            PageExample(one.page, find_owner(one.page.url), one.label.verdict == RIGHT)
            for one in self.pages
            if one.page is not None
        ]


NO_LABELS = StoreLabels([], [])


def is_store(path: Path) -> bool:
    """Whether a file is a store, and not a list of pages."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_SQLITE_HEAD)) == _SQLITE_HEAD


def read_store_labels(path: Path, config: Config) -> StoreLabels:
    """The labels in force. Texts of pages come from the crawl's archive, or are fetched again,
    politely. Raises ConfigError when nothing was labelled."""
    with open_to_read(str(path)) as store:
        labels = [label for label in store.inbox.labels() if label.verdict != NONE]
        forms = find_labelled_forms(store, [label for label in labels if label.what == FORM])
        pages = _find_labelled_pages(store, [label for label in labels if label.what == PAGE])
        settings = saved_settings(store)
    if not labels:
        raise ConfigError(f"{path} has no labels: call forms right or wrong in `leadline serve`")
    if lost := len(labels) - len(forms) - len(pages):
        say(f"left out: {lost} labels on what is not in {path}")
    return StoreLabels(forms, _add_texts(pages, settings, config))


def find_labelled_forms(store: StoreView, labels: Sequence[Label]) -> list[LabelledSubject]:
    """Each with its form and what is known of its page."""
    wanted = {label.subject: label for label in labels}
    return [
        (wanted[signature], FormSubject.of(stored, store.reader.visit(stored.visit)))
        for stored in store.reader.forms()
        if (signature := stored.judged.signature) in wanted
    ]


def _find_labelled_pages(store: StoreView, labels: Sequence[Label]) -> list[LabelledPage]:
    found = []
    for label in labels:
        known = store.reader.candidate(Url(label.subject))
        visit = store.reader.visit(known[0]) if known else None
        if known and visit:
            found.append(LabelledPage(label, visit, known[1]))
    return found


def _add_texts(
    pages: Sequence[LabelledPage], settings: Mapping[str, object], config: Config
) -> list[LabelledPage]:
    if not pages:
        return []
    archived = _read_archived([page.visit.url for page in pages], settings)
    missing = [page.visit.url for page in pages if page.visit.url not in archived]
    again = {url: one.page for url in missing for one in read_pages([url], config)}
    say(
        f"labelled pages: {len(archived)} read from the archive, {len(again)} fetched again, "
        f"{len(pages) - len(archived) - len(again)} known by title and link only"
    )
    texts = archived | again
    return [
        LabelledPage(one.label, one.visit, one.candidate, texts.get(one.visit.url)) for one in pages
    ]


def _read_archived(urls: Sequence[Url], settings: Mapping[str, object]) -> dict[Url, Page]:
    """Those that the crawl's archive holds, if it has one."""
    saved = settings.get("archive")
    folder = Path(str(saved.get("folder") or "")) if isinstance(saved, dict) else Path()
    files = sorted(folder.glob("*.warc.gz")) if folder.name and folder.is_dir() else []
    return asyncio.run(_replay(urls, files)) if files else {}


async def _replay(urls: Sequence[Url], files: Sequence[Path]) -> dict[Url, Page]:
    fetcher = add_trials(Config(), ReplayFetcher(files))
    found = {}
    for url in urls:
        try:
            response = await fetcher.fetch(Request(url))
        except FetchError:
            continue
        found[url] = parse_page(response.body, response.url, response.header("content-type"))
    await fetcher.close()
    return found
