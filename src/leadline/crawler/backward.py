"""Crawls backwards from pages with forms, to learn what links to them look like.

FFC's backward crawl (Barbosa and Freire, WebDB 2005, section 3.1): pages that link to pages with
forms give links of level 1, pages that link to those give links of level 2, and so on. A back-link
provider names the pages; they are fetched to see the links.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct

from leadline.core.crawl import FeatureRows, LinkFeatures
from leadline.core.http import Request
from leadline.core.page import Page
from leadline.core.ports import Backlinks, Fetcher
from leadline.core.url import Url
from leadline.errors import FetchError
from leadline.learn.link_features import PageLinks, Terms
from leadline.learn.link_levels import LinkLesson
from leadline.page import parse_page

_OK = 200
_Item = TypeVar("_Item")


class BackwardPlan(Struct, frozen=True):
    """How far back, and how much of it."""

    levels: int = 3
    back_links: int = 50
    """Asked for of one page: FFC takes a subset, and does not say how large."""
    pages: int = 200
    """Fetched for one level: FFC's Table 1 has 187, 212 and 137."""
    others: int = 5
    """Links of one page that are kept as leading to no form."""
    width: int = 16
    """Pages asked about, or fetched, at the same time."""


class BackwardResult(Struct, frozen=True, eq=False):
    """What a backward crawl brought."""

    lesson: LinkLesson
    requests: int
    """All that was spent: questions, pages, robots.txt."""
    pages: dict[int, int]
    """Pages of each level that were found to have a link of it."""


async def crawl_backward(
    forms: Sequence[Url],
    backlinks: Backlinks,
    fetcher: Fetcher,
    plan: BackwardPlan,
    spec: LinkFeatures,
) -> BackwardResult:
    """Gather links of each level, from the pages with these URLs on."""
    crawl = _Backward(backlinks, fetcher, plan, spec)
    targets: Sequence[Url] = list(dict.fromkeys(forms))
    for level in range(1, plan.levels + 1):
        targets = await crawl.step(level, targets)
    return crawl.result()


class _Backward:
    """A backward crawl under way: what it knows, and what it has spent."""

    def __init__(
        self, backlinks: Backlinks, fetcher: Fetcher, plan: BackwardPlan, spec: LinkFeatures
    ) -> None:
        self._backlinks = backlinks
        self._fetcher = fetcher
        self._plan = plan
        self._spec = spec
        self._requests = 0
        self._wanted: set[Url] = set()
        """Pages of all levels: a link to one of them leads to a form."""
        self._pages: dict[Url, Page | None] = {}
        """Those that were fetched; None for what could not be had."""
        self._linking: dict[Url, Page] = {}
        """Those that have a link of some level."""
        self._links: dict[int, list[Terms]] = {}
        self._counts: Counter[int] = Counter()

    async def step(self, level: int, targets: Sequence[Url]) -> list[Url]:
        """Find the links of one level, which lead to `targets`; the pages that have them."""
        self._wanted.update(targets)
        named = await self._name(targets)
        for some in _split([url for url in named if url not in self._pages], self._plan.width):
            pages = await asyncio.gather(*(self._fetch(url) for url in some))
            self._pages.update(zip(some, pages, strict=True))
        wanted = frozenset(targets)
        found = [url for url in named if self._take_links(level, self._pages[url], wanted)]
        return [url for url in found if url not in self._wanted]

    async def _name(self, targets: Sequence[Url]) -> list[Url]:
        """Pages that are said to link to the targets, at most `plan.pages`.

        One of each target in turn, so that the cap does not leave most targets without any.
        """
        answers: list[Sequence[Url]] = []
        for some in _split(targets[: self._plan.pages], self._plan.width):
            answers += await asyncio.gather(*(self._ask(target) for target in some))
        return list(dict.fromkeys(_take_turns(answers)))[: self._plan.pages]

    async def _ask(self, target: Url) -> Sequence[Url]:
        try:
            answer = await self._backlinks.find_backlinks(target, self._plan.back_links)
        except FetchError as error:
            self._requests += error.requests
            return ()
        self._requests += answer.requests
        return answer.urls

    async def _fetch(self, url: Url) -> Page | None:
        try:
            response = await self._fetcher.fetch(Request(url))
        except FetchError as error:
            self._requests += error.requests
            return None
        self._requests += response.requests
        if response.status != _OK:
            return None
        return parse_page(response.body, response.url, response.header("content-type"))

    def _take_links(self, level: int, page: Page | None, targets: frozenset[Url]) -> bool:
        """Keep the page's links to the targets, one to each; whether there are any."""
        if page is None:
            return False
        numbers = {link.target: at for at, link in enumerate(page.links) if link.target in targets}
        if not numbers:
            return False
        links = PageLinks(page, self._spec)
        terms = (links.terms(number) for number in numbers.values())
        self._links.setdefault(level, []).extend(found for found in terms if found)
        self._linking[page.url] = page
        self._counts[level] += 1
        return True

    def result(self) -> BackwardResult:
        rows = [self._other_rows(page) for page in self._linking.values()]
        others = np.concatenate([np.zeros((0, self._spec.words), np.int32), *rows])
        return BackwardResult(LinkLesson(self._links, others), self._requests, dict(self._counts))

    def _other_rows(self, page: Page) -> FeatureRows:
        """Some links of the page that lead to no page of any level, spread over the page."""
        places = [at for at, link in enumerate(page.links) if link.target not in self._wanted]
        step = max(1, len(places) // self._plan.others)
        return PageLinks(page, self._spec).rows[places[::step][: self._plan.others]]


def _split(items: Sequence[_Item], size: int) -> Iterator[Sequence[_Item]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _take_turns(rows: Sequence[Sequence[Url]]) -> Iterator[Url]:
    """The first of each row, then the second of each, and so on."""
    for at in range(max(map(len, rows), default=0)):
        yield from (row[at] for row in rows if at < len(row))
