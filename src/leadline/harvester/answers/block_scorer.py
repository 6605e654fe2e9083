"""How likely a group of items on a page is its list of results: a learned score.

Candidates are measured in words that explain themselves (`FEATURES`), and an ensemble of small
regression trees predicts how well their items agree with the results. The trees were fitted on
real result pages of search services and courts by `tools.block_training`; they are plain arrays in
`block_scorer.json`.
"""

import json
import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

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
    """The values of `FEATURES`."""
    outline = page.outline
    items = group.items[:_ITEMS_MEASURED]
    count = len(items)
    low = np.array([item.first for item in items])
    high = np.array([item.end for item in items])
    sizes = [page.fresh_chars(item.first, item.end) for item in items]
    total = sum(sizes)
    mean = total / count
    spread = math.sqrt(sum((size - mean) ** 2 for size in sizes) / count) / (mean + 1)
    inside = [links.within(item.first, item.end) for item in items]
    firsts = [row[0] for row in inside if row]
    names = _names_above(page, group.row, items[0].first)
    squares = sum(size * size for size in sizes)
    tag = outline.tags[items[0].first]
    whole = sum(page.fresh_chars(item.first, item.end) for item in group.items)
    asked = float(measures.queries[-1])
    found = measures.queries[high] - measures.queries[low]
    first_texts = [outline.text(link.row) for link in firsts]
    last_texts = [_last_text(outline.texts, item) for item in items]
    grown, spans = measures.grow(items), [(item.first, item.end) for item in items]
    is_single = len(group.items) < 2
    outer_chars, outer_links = measures.chars_and_links(spans if is_single else grown)
    own_chars, own_links = measures.chars_and_links(spans)

    def share(sums: NDArray[np.int64]) -> float:
        """Of the items that have some."""
        return float(np.count_nonzero(sums[high] > sums[low])) / count

    return [
        math.log(len(group.items)),
        math.log1p(mean),
        min(spread, 5.0),
        whole / measures.all_chars,
        sum(size < 14 for size in sizes) / count,
        len(firsts) / count,
        _own_linked(inside) / count,
        math.log1p(sum(map(len, inside)) / count),
        len({link.url for link in firsts}) / max(1, len(firsts)),
        _most_common_share([measures.shape(link.url) for link in firsts]),
        math.log1p(sum(map(len, first_texts)) / max(1, len(firsts))),
        group.likeness,
        total * total / squares / count if squares else 0.0,
        group.own_share,
        float(not _ASIDE.isdisjoint(names[0])),
        float("form" in names[0]),
        float(sum(bool(_bad_name(name)) for name in names[1])),
        float(sum(bool(_good_name(name)) for name in names[1])),
        items[0].first / len(outline),
        share(measures.figures),
        share(measures.dates),
        float(np.count_nonzero(found)) / count,
        float(found.sum()) / asked if asked else 0.0,
        share(measures.marked),
        math.log1p(float((measures.texts[high] - measures.texts[low]).sum()) / count),
        share(measures.headings),
        share(measures.images),
        float(tag in ("li", "dt", "dd")),
        float(tag == "tr"),
        float(tag in ("div", "article", "section")),
        float(group.is_anywhere),
        math.log1p(group.weight),
        group.weight / heaviest if heaviest else 0.0,
        sum(map(len, inside)) / measures.all_links,
        math.log1p(sum(max(measures.lengths[i.first : i.end], default=0) for i in items) / count),
        sum(bool(_ends_in_count(text)) for text in last_texts) / count,
        _link_chars(page, inside) / max(1, total),
        sum(len(item.parts) > 1 for item in items) / count,
        own_chars / outer_chars if outer_chars else 1.0,
        1 - own_links / outer_links if outer_links else 0.0,
        float(measures.folded[items[0].first]),
        sum(measures.advertised[item.first] for item in items) / count,
        _numbered_share([_first_text(outline.texts, item) for item in items]),
        measures.tells_count(items[0].first, len(group.items)),
        measures.pages_near(items[0].first, group.items[-1].end),
        _rising_share(first_texts),
        len(set(first_texts)) / max(1, len(first_texts)),
        min(2.0, whole / max(1, page.fresh_chars(group.row, outline.ends[group.row]))),
        math.log1p(sum(len(link.url) for link in firsts) / max(1, len(firsts))),
        sum(measures.is_foreign(link.url) for link in firsts) / max(1, len(firsts)),
        math.log1p(sum(measures.count_equal_links(row) for row in inside) / count),
    ]  # fmt: skip


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


class TreeEnsemble(Struct, frozen=True):
    """Regression trees as arrays: all trees are walked at once."""

    base: float
    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    """-1 at a leaf."""
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: NDArray[np.float64]
    depth: int

    def score(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """One for each row of measures."""
        at = np.repeat(self.roots[None, :], len(rows), axis=0)
        number = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            feature = self.feature[at]
            is_leaf = feature < 0
            goes_left = rows[number, np.where(is_leaf, 0, feature)] <= self.threshold[at]
            at = np.where(is_leaf, at, np.where(goes_left, self.left[at], self.right[at]))
        scores: NDArray[np.float64] = self.base + self.value[at].sum(axis=1)
        return scores


@cache
def load_scorer() -> TreeEnsemble:
    """The trees that ship with leadline."""
    path = resources.files(__package__) / "block_scorer.json"
    return scorer_from(json.loads(path.read_text("utf-8")))


def scorer_from(told: Mapping[str, Any]) -> TreeEnsemble:
    """The trees that `tools.block_training` writes."""
    if tuple(told["features"]) != FEATURES:
        raise ValueError("block_scorer.json was made for other features: train it again")
    return TreeEnsemble(
        told["base"],
        np.array(told["roots"], dtype=np.int32),
        np.array(told["feature"], dtype=np.int32),
        np.array(told["threshold"], dtype=np.float64),
        np.array(told["left"], dtype=np.int32),
        np.array(told["right"], dtype=np.int32),
        np.array(told["value"], dtype=np.float64),
        told["depth"],
    )
