"""What is measured of a group of items that may be the results of a page, in words that explain
themselves (`FEATURES`). `block_scorer` scores the measures.
"""

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from leadline.core.url import Url, site_of
from leadline.harvester.answers.advertisements import find_advertised
from leadline.harvester.answers.answer_page import AnswerPage, LinkIndex, RowLink
from leadline.harvester.answers.item_splitter import ListItem
from leadline.harvester.answers.record_keys import shape_of

FEATURES = (
    "items", "chars", "chars_spread", "page_share", "short", "linked", "own_linked", "links",
    "first_links_differ", "one_shape", "link_text", "likeness", "evenness", "back_to_search",
    "aside", "form", "bad_names", "good_names", "position", "figures", "dates", "query_words",
    "query_share", "query_marked", "texts", "headings", "images", "is_li", "is_tr", "is_div",
    "is_anywhere", "weight", "weight_share", "page_links_share", "longest_text", "counted",
    "inside_links", "several_parts", "outer_share", "links_outside", "folded", "advertised",
    "numbered", "told_count", "pages_near", "alphabetical", "different_names", "container_share",
    "address_length", "to_other_sites", "equal_links",
)  # fmt: skip
_ITEMS_MEASURED = 40
"""Of a group: more of the same say nothing new, and pages with thousands must not take long."""
_SHORT_CHARS = 14
_LINKS_MEASURED = 24
"""Of an item; more of one kind say nothing new."""
_MAX_GROWTH = 12
"""Levels that an item is followed upwards to see what belongs to it."""
_bad_name = re.compile(
    r"nav|menu|foot|header|head\b|side|facet|filter|pag(?:er|ination)|breadcrumb|relat|promo|advert|"
    r"banner|social|share|lang|toolbar|tabs?\b|login|cookie|modal|help|suggest|trend|copyright",
    re.IGNORECASE,
).search
_good_name = re.compile(
    r"result|item|list|search|content|main|hit|entry|record|row|card|opinion|product|article|view",
    re.IGNORECASE,
).search
_hiding = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE).search
_figure = re.compile(r"\d").search
_date = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d[./-]\d{1,2}|"
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,2}|"
    r"\b\d{1,2}\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\d年",
    re.IGNORECASE,
).search
_ends_in_count = re.compile(r"[(\[]\s*[\d.,\s]+\s*[)\]]\s*$").search
_words = re.compile(r"\w+").findall
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_ASIDE = frozenset({"nav", "aside", "footer", "header", "select"})
_SET_OFF = frozenset({"b", "em", "strong", "mark", "i", "span", "font", "u"})
_OPENING = frozenset({"dialog", "alertdialog", "tooltip", "menu", "listbox"})
"""Roles of what opens only if it is asked for."""


_TEXTS_BEFORE = 14
"""Texts before the first item that may tell how many items there are."""
_NEAR_CHARS = 300
"""Letters between a list and links to its other pages at which they are half as telling."""
_leading_number = re.compile(r"\W{0,2}(\d{1,4})(?!\d)").match
_numbers = re.compile(r"\d{1,7}").findall
_thousands = re.compile(r"(?<=\d)[.,\s](?=\d{3}(?!\d))")


class ItemGroup(Struct, frozen=True):
    """What is measured of a candidate."""

    row: int
    items: tuple[ListItem, ...]
    likeness: float
    weight: float
    is_anywhere: bool
    own_share: float


class PageMeasures:
    """What is counted once for a page, as sums from its beginning: any items are measured by the
    differences of two of them."""

    def __init__(self, page: AnswerPage, links: LinkIndex, own_links: LinkIndex) -> None:
        """`links` lead away from the search, `own_links` are all."""
        self._page = page
        self._links = own_links
        outline = page.outline
        texts, tags = outline.texts, outline.tags
        self.lengths = [len(text) for text in texts]
        self.all_chars = page.fresh_chars(0, len(outline)) or 1
        self.all_links = len(links.within(0, len(outline))) or 1
        words = {w for word in page.echo.words for w in _words(word.casefold()) if len(w) > 1}
        asked = re.compile("|".join(map(re.escape, sorted(words)))) if words else None
        hits = [bool(text and asked and asked.search(text.casefold())) for text in texts]
        marked = [
            is_hit and tags[outline.parents[row]] in _SET_OFF for row, is_hit in enumerate(hits)
        ]
        self.queries = _sums(hits)
        self.marked = _sums(marked)
        self.figures = _sums([bool(text and _figure(text)) for text in texts])
        self.dates = _sums([bool(text and _figure(text) and _date(text[:600])) for text in texts])
        self.texts = _sums([bool(text) for text in texts])
        self.headings = _sums([tag in _HEADINGS for tag in tags])
        self.images = _sums([tag == "img" for tag in tags])
        self.folded = self._find_folded()
        self.advertised = find_advertised(outline)
        self._text_rows = [row for row, text in enumerate(texts) if text]
        self._pages = self._find_pages()
        self._site = site_of(outline.url) if outline.url else ""
        self._foreign: dict[Url, bool] = {}
        self._shapes: dict[Url, str] = {}

    def _find_folded(self) -> bytearray:
        """Rows inside what a page does not show before it is asked to."""
        outline = self._page.outline
        folded = bytearray(len(outline))
        for row in range(1, len(outline)):
            tag, attributes = outline.tags[row], outline.attributes[row]
            folded[row] = (
                folded[outline.parents[row]]
                or (tag == "details" and "open" not in attributes)
                or "dialog" in tag
                or "hidden" in attributes
                or attributes.get("role") in _OPENING
                or bool(_hiding(attributes.get("style", "")))
            )
        return folded

    def _find_pages(self) -> list[tuple[int, int]]:
        """Rows of the first and last link of each run of links named by consecutive numbers."""
        runs: list[tuple[int, int]] = []
        first, number = -1, -2
        for link in self._links.within(0, len(self._page.outline)):
            end = min(self._page.outline.ends[link.row], link.row + 6)
            text = "".join(self._page.outline.texts[link.row : end]).strip(" []()")
            if not (text.isascii() and text.isdigit() and len(text) < 4):
                continue
            if int(text) != number + 1:
                first = link.row
            elif runs and runs[-1][0] == first:
                runs[-1] = first, link.row
            else:
                runs.append((first, link.row))
            number = int(text)
        return runs

    def pages_near(self, first: int, end: int) -> float:
        """How near links to other pages stand to a list, from 0 to 1."""
        page, best = self._page, 0.0
        for low, high in self._pages:
            if low >= end:
                between = page.fresh_chars(end, low)
            elif high < first:
                between = page.fresh_chars(high, first)
            else:
                continue
            best = max(best, _NEAR_CHARS / (_NEAR_CHARS + between))
        return best

    def tells_count(self, first: int, count: int) -> float:
        """Whether a text before the first item tells the number of items, or their range."""
        rows, texts = self._text_rows, self._page.outline.texts
        place = bisect_left(rows, first)
        for row in rows[max(0, place - _TEXTS_BEFORE) : place]:
            if len(texts[row]) > 200 or not _figure(texts[row]):
                continue
            numbers = [int(n) for n in _numbers(_thousands.sub("", texts[row]))]
            if count in numbers or any(b - a + 1 == count for a, b in pairwise(numbers)):
                return 1.0
        return 0.0

    def count_equal_links(self, links: Sequence[RowLink]) -> int:
        """Links of an item that lead to different things of one kind from one depth: several
        records in one item have them."""
        depths = self._page.depths
        kinds = Counter(kind for kind, _ in {
            ((depths[link.row], self.shape(link.url)), link.url) for link in links[:_LINKS_MEASURED]
        })  # fmt: skip
        return max(kinds.values(), default=0)

    def is_foreign(self, url: Url) -> bool:
        if url not in self._foreign:
            self._foreign[url] = site_of(url) != self._site
        return self._foreign[url]

    def shape(self, url: Url) -> str:
        if url not in self._shapes:
            self._shapes[url] = shape_of(url)
        return self._shapes[url]

    def grow(self, items: Sequence[ListItem]) -> list[tuple[int, int]]:
        """For each item, the largest element around it that holds no other: rows of its beginning
        and end."""
        outline = self._page.outline
        firsts = sorted(item.first for item in items)
        grown = []
        for item in items:
            low, high = item.first, item.end
            at = outline.parents[low]
            for _ in range(_MAX_GROWTH):
                if at <= 0 or bisect_left(firsts, outline.ends[at]) - bisect_left(firsts, at) > 1:
                    break
                low, high = at, max(high, outline.ends[at])
                at = outline.parents[at]
            grown.append((low, high))
        return grown

    def chars_and_links(self, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
        chars = sum(self._page.fresh_chars(low, high) for low, high in spans)
        return chars, sum(len(self._links.within(low, high)) for low, high in spans)


def _sums(values: Sequence[bool]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.array(values, dtype=np.int64))])


def measure_group(
    page: AnswerPage, links: LinkIndex, measures: PageMeasures, group: ItemGroup, heaviest: float
) -> list[float]:
    """The values of `FEATURES`. `heaviest`: the weight of the heaviest group of the page."""
    measured = _GroupMeasures(page, links, measures, group, heaviest)
    values = {
        **measured.of_sizes(),
        **measured.of_links(),
        **measured.of_texts(),
        **measured.of_markup(),
        **measured.of_surroundings(),
    }
    return [values[name] for name in FEATURES]


class _GroupMeasures:
    """Measures one group; `of_...` give values by the names of features."""

    def __init__(
        self,
        page: AnswerPage,
        links: LinkIndex,
        measures: PageMeasures,
        group: ItemGroup,
        heaviest: float,
    ) -> None:
        self._page, self._measures = page, measures
        self._group, self._heaviest = group, heaviest
        self._items = items = group.items[:_ITEMS_MEASURED]
        self._count = len(items)
        self._low = np.array([item.first for item in items])
        self._high = np.array([item.end for item in items])
        self._sizes = [page.fresh_chars(item.first, item.end) for item in items]
        self._links = [links.within(item.first, item.end) for item in items]
        self._firsts = [row[0] for row in self._links if row]
        self._first_texts = [page.outline.text(link.row) for link in self._firsts]

    def _share(self, sums: NDArray[np.int64]) -> float:
        """Of the items that have some."""
        return float(np.count_nonzero(sums[self._high] > sums[self._low])) / self._count

    @cached_property
    def _whole(self) -> int:
        """Letters of all items."""
        return sum(self._page.fresh_chars(item.first, item.end) for item in self._group.items)

    def of_sizes(self) -> dict[str, float]:
        sizes, count, group = self._sizes, self._count, self._group
        mean = sum(sizes) / count
        spread = math.sqrt(sum((size - mean) ** 2 for size in sizes) / count) / (mean + 1)
        squares = sum(size * size for size in sizes)
        return {
            "items": math.log(len(group.items)),
            "chars": math.log1p(mean),
            "chars_spread": min(spread, 5.0),
            "page_share": self._whole / self._measures.all_chars,
            "short": sum(size < _SHORT_CHARS for size in sizes) / count,
            "likeness": group.likeness,
            "evenness": sum(sizes) ** 2 / squares / count if squares else 0.0,
            "weight": math.log1p(group.weight),
            "weight_share": group.weight / self._heaviest if self._heaviest else 0.0,
        }

    def of_links(self) -> dict[str, float]:
        inside, firsts, measures, count = self._links, self._firsts, self._measures, self._count
        some, all_links = max(1, len(firsts)), sum(map(len, inside))
        equal = sum(measures.count_equal_links(row) for row in inside)
        return {
            "linked": len(firsts) / count,
            "own_linked": _own_linked(inside) / count,
            "links": math.log1p(all_links / count),
            "first_links_differ": len({link.url for link in firsts}) / some,
            "one_shape": _most_common_share([measures.shape(link.url) for link in firsts]),
            "back_to_search": self._group.own_share,
            "page_links_share": all_links / measures.all_links,
            "inside_links": _link_chars(self._page, inside) / max(1, sum(self._sizes)),
            "address_length": math.log1p(sum(len(link.url) for link in firsts) / some),
            "to_other_sites": sum(measures.is_foreign(link.url) for link in firsts) / some,
            "equal_links": math.log1p(equal / count),
        }

    def of_texts(self) -> dict[str, float]:
        measures, items, count = self._measures, self._items, self._count
        texts, names = self._page.outline.texts, self._first_texts
        asked = float(measures.queries[-1])
        found = measures.queries[self._high] - measures.queries[self._low]
        longest = sum(max(measures.lengths[i.first : i.end], default=0) for i in items)
        counted = sum(bool(_ends_in_count(_last_text(texts, item))) for item in items)
        number = float((measures.texts[self._high] - measures.texts[self._low]).sum())
        return {
            "link_text": math.log1p(sum(map(len, names)) / max(1, len(names))),
            "figures": self._share(measures.figures),
            "dates": self._share(measures.dates),
            "query_words": float(np.count_nonzero(found)) / count,
            "query_share": float(found.sum()) / asked if asked else 0.0,
            "query_marked": self._share(measures.marked),
            "texts": math.log1p(number / count),
            "longest_text": math.log1p(longest / count),
            "counted": counted / count,
            "numbered": _numbered_share([_first_text(texts, item) for item in items]),
            "alphabetical": _rising_share(names),
            "different_names": len(set(names)) / max(1, len(names)),
        }

    def of_markup(self) -> dict[str, float]:
        measures, items = self._measures, self._items
        tag = self._page.outline.tags[items[0].first]
        above, names = _names_above(self._page, self._group.row, items[0].first)
        return {
            "aside": float(not _ASIDE.isdisjoint(above)),
            "form": float("form" in above),
            "bad_names": float(sum(bool(_bad_name(name)) for name in names)),
            "good_names": float(sum(bool(_good_name(name)) for name in names)),
            "headings": self._share(measures.headings),
            "images": self._share(measures.images),
            "is_li": float(tag in ("li", "dt", "dd")),
            "is_tr": float(tag == "tr"),
            "is_div": float(tag in ("div", "article", "section")),
            "is_anywhere": float(self._group.is_anywhere),
            "several_parts": sum(len(item.parts) > 1 for item in items) / self._count,
            "folded": float(measures.folded[items[0].first]),
            "advertised": sum(measures.advertised[item.first] for item in items) / self._count,
        }

    def of_surroundings(self) -> dict[str, float]:
        """How the group stands to what is around it."""
        page, measures, group, items = self._page, self._measures, self._group, self._items
        spans = [(item.first, item.end) for item in items]
        is_single = len(group.items) < 2
        around = spans if is_single else measures.grow(items)
        outer_chars, outer_links = measures.chars_and_links(around)
        own_chars, own_links = measures.chars_and_links(spans)
        first, held = items[0].first, page.fresh_chars(group.row, page.outline.ends[group.row])
        return {
            "position": first / len(page.outline),
            "outer_share": own_chars / outer_chars if outer_chars else 1.0,
            "links_outside": 1 - own_links / outer_links if outer_links else 0.0,
            "told_count": measures.tells_count(first, len(group.items)),
            "pages_near": measures.pages_near(first, group.items[-1].end),
            "container_share": min(2.0, self._whole / max(1, held)),
        }


def _last_text(texts: Sequence[str], item: ListItem) -> str:
    return next((text for text in reversed(texts[item.first : item.end]) if text), "")[-20:]


def _first_text(texts: Sequence[str], item: ListItem) -> str:
    return next((text for text in texts[item.first : item.end] if text), "")[:12]


def _numbered_share(texts: Sequence[str]) -> float:
    """Of the items that begin with the number that follows that of the item before."""
    starts = [int(found[1]) if (found := _leading_number(text)) else -9 for text in texts]
    return sum(b == a + 1 for a, b in pairwise(starts)) / max(1, len(starts) - 1)


def _rising_share(names: Sequence[str]) -> float:
    """Of the pairs of neighbours that are in the order of the alphabet: menus and indexes are."""
    plain = [name[:20].casefold() for name in names]
    return sum(a < b for a, b in pairwise(plain)) / max(1, len(plain) - 1)


def _own_linked(inside: Sequence[Sequence[RowLink]]) -> int:
    """Items with a link that no other has."""
    counts = Counter(url for row in inside for url in {link.url for link in row})
    return sum(any(counts[link.url] == 1 for link in row) for row in inside)


def _most_common_share(values: Sequence[str]) -> float:
    return max(Counter(values).values()) / len(values) if values else 0.0


def _link_chars(page: AnswerPage, inside: Sequence[Sequence[RowLink]]) -> int:
    ends = page.outline.ends
    return sum(page.fresh_chars(link.row, ends[link.row]) for row in inside for link in row)


def _names_above(page: AnswerPage, row: int, first: int) -> tuple[set[str], list[str]]:
    """The tags above an item, and the classes and identities of it and those above."""
    outline = page.outline
    tags: set[str] = set()
    names: list[str] = []
    at = first
    while at > 0 and len(tags) + len(names) < 200:
        attributes = outline.attributes[at]
        if attributes:
            names.append(f"{attributes.get('class', '')} {attributes.get('id', '')}"[:200])
        if at <= row:
            tags.add(outline.tags[at])
        at = outline.parents[at]
    return tags, names[:6]
