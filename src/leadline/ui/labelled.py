"""Forms and pages of a store that people labelled, ready to be learned from."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from leadline.config import Config
from leadline.core.crawl import Candidate, Visit
from leadline.core.http import Request
from leadline.core.inbox import FORM, NONE, PAGE, RIGHT, Label
from leadline.core.page import Page
from leadline.core.ports import Store
from leadline.core.url import Url
from leadline.errors import ConfigError, FetchError
from leadline.page import parse_page
from leadline.topics.labels import FormSubject, LabelledSubject, PageSubject
from leadline.ui.output import say
from leadline.ui.samples import Sample, owner_of, read_samples
from leadline.views.stores import open_to_read, saved_settings
from leadline.web.archive import ReplayFetcher

_HEAD = b"SQLite format 3\x00"
"""How a store begins."""


class LabelledPage(Struct, frozen=True, eq=False):
    """A page that was labelled, and its text where it could be had again."""

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
    def samples(self) -> list[Sample]:
        """The pages whose text was had."""
        return [
            Sample(one.page, owner_of(one.page.url), one.label.verdict == RIGHT)
            for one in self.pages
            if one.page is not None
        ]


NO_LABELS = StoreLabels([], [])


def is_store(path: Path) -> bool:
    """Whether a file is a store, and not a list of pages."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_HEAD)) == _HEAD


def read_store_labels(path: Path, config: Config) -> StoreLabels:
    """The labels in force. Texts of pages come from the crawl's archive, or are fetched again,
    politely. Raises ConfigError when nothing was labelled."""
    with open_to_read(str(path)) as store:
        labels = [label for label in store.inbox.labels() if label.verdict != NONE]
        forms = labelled_forms(store, [label for label in labels if label.what == FORM])
        pages = _labelled_pages(store, [label for label in labels if label.what == PAGE])
        settings = saved_settings(store)
    if not labels:
        raise ConfigError(f"{path} has no labels: call forms right or wrong in `leadline serve`")
    if lost := len(labels) - len(forms) - len(pages):
        say(f"left out: {lost} labels on what is not in {path}")
    return StoreLabels(forms, _with_texts(pages, settings, config))


def labelled_forms(store: Store, labels: Sequence[Label]) -> list[LabelledSubject]:
    """Each with its form and what is known of its page."""
    wanted = {label.subject: label for label in labels}
    return [
        (wanted[signature], FormSubject.of(stored, store.visit(stored.visit)))
        for stored in store.forms()
        if (signature := stored.judged.signature) in wanted
    ]


def _labelled_pages(store: Store, labels: Sequence[Label]) -> list[LabelledPage]:
    found = []
    for label in labels:
        known = store.candidate(Url(label.subject))
        visit = store.visit(known[0]) if known else None
        if known and visit:
            found.append(LabelledPage(label, visit, known[1]))
    return found


def _with_texts(
    pages: Sequence[LabelledPage], settings: Mapping[str, object], config: Config
) -> list[LabelledPage]:
    if not pages:
        return []
    kept = _archived([page.visit.url for page in pages], settings)
    missing = [page.visit.url for page in pages if page.visit.url not in kept]
    again = {url: found for url in missing for found in _fetched(url, config)}
    say(
        f"labelled pages: {len(kept)} read from the archive, {len(again)} fetched again, "
        f"{len(pages) - len(kept) - len(again)} known by title and link alone"
    )
    texts = kept | again
    return [
        LabelledPage(one.label, one.visit, one.candidate, texts.get(one.visit.url)) for one in pages
    ]


def _fetched(url: Url, config: Config) -> list[Page]:
    return [sample.page for sample in read_samples([url], config)]


def _archived(urls: Sequence[Url], settings: Mapping[str, object]) -> dict[Url, Page]:
    """Those that the crawl's archive holds, if it kept one."""
    kept = settings.get("archive")
    folder = Path(str(kept.get("folder") or "")) if isinstance(kept, dict) else Path()
    files = sorted(folder.glob("*.warc.gz")) if folder.name and folder.is_dir() else []
    return asyncio.run(_replayed(urls, files)) if files else {}


async def _replayed(urls: Sequence[Url], files: Sequence[Path]) -> dict[Url, Page]:
    fetcher = ReplayFetcher(files)
    found = {}
    for url in urls:
        try:
            response = await fetcher.fetch(Request(url))
        except FetchError:
            continue
        found[url] = parse_page(response.body, response.url, response.header("content-type"))
    await fetcher.close()
    return found
