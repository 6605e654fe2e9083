"""Links that number the pages of an answer, and the number of the page they stand on."""

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct, structs

from leadline.core.harvest import Trail
from leadline.core.url import Url
from leadline.harvester.paging.page_links import (
    GAP,
    LAST,
    NEXT,
    NUMBER,
    OTHER,
    PagerLink,
    links_between,
    read_label,
)
from leadline.harvester.paging.page_urls import PageUrlPattern, fit_url_pattern
from leadline.page.outline import TEXT, Outline

_MAX_APART = 25
"""Rows between two numbers of one pager: an item of a list with its icon takes four."""
_MAX_AROUND = 12
"""Rows before the first and after the last number that are searched for the present one."""
NEAR_ROWS = 60
"""Rows around the numbers that hold the pager's other links: arrows, the last page."""
_DAYS = 31
_MIN_DAYS = 20
"""A calendar links this many days of a month or more; pagers show fewer numbers at a time."""
_MAX_RUN = 500
"""Numbers of one pager; a longer row is taken for several."""
_YEARS = (1800, 2100)
"""Numbers that are all in this range narrow an answer by time; nobody pages so far by hand."""


class PageNumbers(Struct, frozen=True):
    """The numbered links of one pager."""

    links: tuple[PagerLink, ...]
    """With rising page numbers."""
    pages: tuple[int, ...]
    """The page each leads to, from 1."""
    first_row: int
    last_row: int
    present: int = 0
    """The number of the page they stand on; 0 if it is not known."""
    pattern: PageUrlPattern | None = None

    def url(self, page: int) -> Url | None:
        """Of a page that it shows or, up to the highest one shown, can count to."""
        place = bisect_left(self.pages, page)
        if place < len(self.pages) and self.pages[place] == page:
            shown = self.links[place]
            return None if shown.is_disabled else shown.url
        if self.pattern is None or page >= max(self.pages[-1], self.pattern.last + 1):
            return None
        return self.pattern.url(page)


def find_page_numbers(
    links: Sequence[PagerLink], outline: Outline, here: Sequence[Url], trail: Trail
) -> Iterator[PageNumbers]:
    """Every pager with numbers, in document order. `here`: the addresses of the page itself."""
    for run in _rising_runs(links):
        pages = _pages_of(run)
        is_of_time = all(_YEARS[0] <= page <= _YEARS[1] for page in pages)
        if pages and not is_of_time and not _is_calendar(run, outline):
            found = PageNumbers(tuple(run), pages, run[0].row, outline.ends[run[-1].row])
            yield _with_present(found, links, outline, here, trail)


def _rising_runs(links: Sequence[PagerLink]) -> Iterator[list[PagerLink]]:
    """Numbers that rise from link to link, with nothing but other labels of a pager between."""
    run: list[PagerLink] = []
    for link in links:
        kind = link.label.kind
        is_number = kind == NUMBER and link.url is not None
        is_apart = bool(run) and link.row - run[-1].row > _MAX_APART
        is_other = kind == OTHER and link.url is not None
        is_lower = is_number and bool(run) and link.label.number <= run[-1].label.number
        if run and (is_apart or is_other or is_lower or len(run) >= _MAX_RUN):
            yield run
            run = []
        if is_number:
            run.append(link)
    if run:
        yield run


def _pages_of(run: Sequence[PagerLink]) -> tuple[int, ...]:
    """The page numbers; for ranges of results, those of the pages that hold them."""
    if not any(link.label.end for link in run):
        return tuple(link.label.number for link in run)
    labels = [link.label for link in run if link.label.end]
    size = max(label.end - label.number + 1 for label in labels)
    if len(labels) < len(run) or any((label.number - 1) % size for label in labels):
        return ()
    return tuple((label.number - 1) // size + 1 for label in labels)


def _is_calendar(run: Sequence[PagerLink], outline: Outline) -> bool:
    """Whether these are days of a month, over several table rows."""
    if len(run) < _MIN_DAYS or max(link.label.number for link in run) > _DAYS:
        return False
    rows = set()
    for link in run:
        row = link.row
        while row > 0 and outline.tags[row] != "tr":
            row = outline.parents[row]
        rows.add(row)
    return len(rows) > 2


def _with_present(
    found: PageNumbers,
    links: Sequence[PagerLink],
    outline: Outline,
    here: Sequence[Url],
    trail: Trail,
) -> PageNumbers:
    known = [(p, a.url) for p, a in zip(found.pages, found.links, strict=True) if a.url]
    pattern = fit_url_pattern(known)
    shown = (
        _marked_page(found, outline),
        next((page for page, url in known if url in here), 0),
        max((pattern.page_of(url) for url in here), default=0) if pattern else 0,
    )
    # Numbers that begin with the second stand on the first page.
    first = 1 if found.pages[0] == 2 else 0
    # There must be pages before a number that nothing marks.
    guessed = (
        page for page in (trail.number, first) if page == 1 or (page > 1 and found.pages[0] <= page)
    )
    candidates = chain((page for page in shown if page), guessed)
    present = next((page for page in candidates if _continues(page, found.pages)), 0)
    if pattern is not None:
        last = _last_page(found, pattern, links, present)
        pattern = structs.replace(pattern, last=last, referrer=here[0])
    return structs.replace(found, present=present, pattern=pattern)


def _marked_page(found: PageNumbers, outline: Outline) -> int:
    """The number that is marked, or shown and no link; 0 for none."""
    marked = [p for p, link in zip(found.pages, found.links, strict=True) if link.is_current]
    if len(marked) == 1:
        return marked[0]
    linked = {link.label.number for link in found.links}
    sizes = [a.label.end - a.label.number + 1 for a in found.links if a.label.end]
    ends = {link.row: outline.ends[link.row] for link in found.links}
    pages = frozenset(found.pages)
    row = max(0, found.first_row - _MAX_AROUND)
    while row < min(found.last_row + _MAX_AROUND, len(outline)):
        label = read_label(outline.texts[row]) if outline.tags[row] == TEXT else None
        # Ranges are compared with ranges, and numbers with numbers.
        if label is not None and label.kind == NUMBER and bool(sizes) == bool(label.end):
            page = (label.number - 1) // max(sizes) + 1 if sizes else label.number
            if page and label.number not in linked and _has_neighbour(page, pages):
                return page
        row = ends.get(row, row + 1)
    return 0


def _has_neighbour(page: int, pages: Collection[int]) -> bool:
    """Whether the page before or after it is among these: sizes and years are not."""
    return page + 1 in pages or page - 1 in pages


def _continues(present: int, pages: Sequence[int]) -> bool:
    """Whether these follow one another, as pages do and page sizes do not."""
    steps = [high - low for low, high in pairwise(sorted({present, *pages}))]
    return _has_neighbour(present, pages) and 2 * steps.count(1) >= len(steps)


def _last_page(
    found: PageNumbers, pattern: PageUrlPattern, links: Sequence[PagerLink], present: int
) -> int:
    """The number of the last page; 0 if it is not shown."""
    around = links_between(links, found.first_row - NEAR_ROWS, found.last_row + NEAR_ROWS)
    near = [link for link in around if link.url]
    named = [pattern.page_of(a.url) for a in near if a.label.kind == LAST and a.url]
    if any(named):
        return max(named)
    after = {link.label.kind for link in near if link.row > found.last_row}
    # `1 2 3 ... 40`: a number far from the others is the last one, unless more dots follow it.
    if found.pages[-1] - max((1, *found.pages[:-1])) > 2 and GAP not in after:
        return found.pages[-1]
    has_more = GAP in after or NEXT in after
    return present if present > found.pages[-1] and not has_more else 0
