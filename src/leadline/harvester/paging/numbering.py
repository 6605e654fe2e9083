"""Links that number the pages of an answer, and which of them one is on."""

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from msgspec import Struct, structs

from leadline.core.harvest import Trail
from leadline.core.url import Url
from leadline.harvester.paging.anchors import Anchor, between
from leadline.harvester.paging.jump import Jump, fitted
from leadline.harvester.paging.label import GAP, LAST, NEXT, NUMBER, OTHER, Label, label_of
from leadline.page.outline import TEXT, Outline

_MAX_APART = 25
"""Rows between two numbers of one pager: an item of a list with its icon takes four."""
_MAX_AROUND = 12
"""Rows before the first and after the last number in which the present one is looked for."""
_NEAR_ROWS = 60
"""Rows around the numbers in which the pager's other links stand."""
_DAYS = 31
_LEAST_DAYS = 20
"""A calendar links this many days of a month or more; pagers show fewer numbers at a time."""


_YEARS = (1800, 2100)
"""Numbers that are all in this range narrow an answer by time; nobody pages so far by hand."""


class Numbering(Struct, frozen=True):
    """The numbered links of one pager."""

    links: tuple[Anchor, ...]
    """With rising page numbers."""
    pages: tuple[int, ...]
    """The page each leads to, from 1."""
    first_row: int
    last_row: int
    present: int = 0
    """The number of the page they stand on; 0 when it cannot be told."""
    jump: Jump | None = None

    def url(self, page: int) -> Url | None:
        """Of a page it shows or, where a higher one is shown, knows how to count to."""
        shown = dict(zip(self.pages, self.links, strict=True)).get(page)
        if shown is not None:
            return None if shown.is_off else shown.url
        is_within = page < max(self.pages) or (self.jump is not None and page <= self.jump.last)
        return self.jump.url(page) if self.jump is not None and is_within else None


def numberings(
    anchors: Sequence[Anchor], outline: Outline, here: Sequence[Url], trail: Trail
) -> Iterator[Numbering]:
    """Every pager with numbers, in the page's order. `here`: the addresses of the page itself."""
    for run in _runs(anchors):
        pages = _pages(run)
        if pages and not _is_calendar(run, outline) and not _are_years(pages):
            found = Numbering(tuple(run), pages, run[0].row, outline.ends[run[-1].row])
            yield _placed(found, anchors, outline, here, trail)


def _runs(anchors: Sequence[Anchor]) -> Iterator[list[Anchor]]:
    """Numbers that rise from link to link, with nothing but other labels of a pager between."""
    run: list[Anchor] = []
    for anchor in anchors:
        kind = anchor.label.kind
        is_number = kind == NUMBER and anchor.url is not None
        is_apart = bool(run) and anchor.row - run[-1].row > _MAX_APART
        breaks = kind == OTHER and anchor.url is not None
        falls = is_number and bool(run) and anchor.label.number <= run[-1].label.number
        if run and (is_apart or breaks or falls):
            yield run
            run = []
        if is_number:
            run.append(anchor)
    if run:
        yield run


def _pages(run: Sequence[Anchor]) -> tuple[int, ...]:
    """The page numbers; of ranges of results those of the pages that hold them."""
    if not any(anchor.label.end for anchor in run):
        return tuple(anchor.label.number for anchor in run)
    labels = [anchor.label for anchor in run if anchor.label.end]
    size = max(label.end - label.number + 1 for label in labels)
    if len(labels) < len(run) or any((label.number - 1) % size for label in labels):
        return ()
    return tuple((label.number - 1) // size + 1 for label in labels)


def _is_calendar(run: Sequence[Anchor], outline: Outline) -> bool:
    numbers = [anchor.label.number for anchor in run]
    if len(run) < _LEAST_DAYS or max(numbers) > _DAYS:
        return False
    rows = {_above(outline, anchor.row, "tr") for anchor in run}
    return len(rows) > 2


def _are_years(pages: Sequence[int]) -> bool:
    return all(_YEARS[0] <= page <= _YEARS[1] for page in pages)


def _above(outline: Outline, row: int, tag: str) -> int:
    while row > 0 and outline.tags[row] != tag:
        row = outline.parents[row]
    return row


def _placed(
    found: Numbering,
    anchors: Sequence[Anchor],
    outline: Outline,
    here: Sequence[Url],
    trail: Trail,
) -> Numbering:
    known = [(p, a.url) for p, a in zip(found.pages, found.links, strict=True) if a.url]
    jump = fitted(known)
    shown = (
        _marked(found, outline),
        next((page for page, url in known if url in here), 0),
        max((jump.page_of(url) for url in here), default=0) if jump else 0,
    )
    # Numbers that begin with the second stand on the first page.
    first = 1 if found.pages[0] == 2 else 0
    guessed = (page for page in (trail.number, first) if _leads(page, found.pages))
    said = chain((page for page in shown if page), guessed)
    present = next((page for page in said if _counts(page, found.pages)), 0)
    if jump is not None:
        jump = structs.replace(jump, last=_last(found, jump, anchors, present), referrer=here[0])
    return structs.replace(found, present=present, jump=jump)


def _marked(found: Numbering, outline: Outline) -> int:
    """The number that is marked, or shown and no link."""
    pairs = zip(found.pages, found.links, strict=True)
    marked = [page for page, anchor in pairs if anchor.is_current]
    if len(marked) == 1:
        return marked[0]
    linked = {anchor.label.number for anchor in found.links}
    for text in _texts_around(found, outline):
        label = label_of(text)
        page = _page_of(label, found) if label.kind == NUMBER else 0
        if page and label.number not in linked and _fits(page, found.pages):
            return page
    return 0


def _texts_around(found: Numbering, outline: Outline) -> Iterator[str]:
    """The pieces of text that stand beside the links."""
    ends = {anchor.row: outline.ends[anchor.row] for anchor in found.links}
    row = max(0, found.first_row - _MAX_AROUND)
    while row < min(found.last_row + _MAX_AROUND, len(outline)):
        if outline.tags[row] == TEXT:
            yield outline.texts[row]
        row = ends.get(row, row + 1)


def _page_of(label: Label, found: Numbering) -> int:
    sizes = {a.label.end - a.label.number + 1 for a in found.links if a.label.end}
    if not sizes:
        return 0 if label.end else label.number
    return (label.number - 1) // max(sizes) + 1 if label.end else 0


def _fits(page: int, pages: Sequence[int]) -> bool:
    """Whether it has a neighbour among these: sizes and years do not count pages."""
    return page + 1 in pages or page - 1 in pages


def _counts(present: int, pages: Sequence[int]) -> bool:
    """Whether these go on from one another, as pages do and page sizes do not."""
    steps = [high - low for low, high in pairwise(sorted({present, *pages}))]
    return _fits(present, pages) and 2 * steps.count(1) >= len(steps)


def _leads(present: int, pages: Sequence[int]) -> bool:
    """Whether there are pages before a number that nothing marks, as there must be."""
    return present == 1 or (present > 1 and pages[0] <= present)


def _last(found: Numbering, jump: Jump, anchors: Sequence[Anchor], present: int) -> int:
    """The number of the last page; 0 when it is not shown."""
    around = between(anchors, found.first_row - _NEAR_ROWS, found.last_row + _NEAR_ROWS)
    near = [anchor for anchor in around if anchor.url]
    ends = [jump.page_of(a.url) for a in near if a.label.kind == LAST and a.url]
    if any(ends):
        return max(ends)
    goes_on = any(a.label.kind in (GAP, NEXT) and a.row > found.last_row for a in near)
    if found.pages[-1] - max((1, *found.pages[:-1])) > 2 and not any(
        a.label.kind == GAP and a.row > found.last_row for a in near
    ):
        return found.pages[-1]
    return present if present > found.pages[-1] and not goes_on else 0
