"""What on a page may be its results: containers split into items, and groups of them.

Each container is split into items and weighed by how much they look like results: fresh text in
many equal pieces that lead somewhere. Blocks at one place, lists inside items and elements of one
kind anywhere are candidates as a whole. `result_blocks` chooses among them.

The shares and factors were chosen on pages of the lab's development worlds and on written ones;
most pages are read the same with half or twice of each.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from leadline.core.url import Url
from leadline.harvester.answers.answer_page import (
    BREAKS,
    CONTROLS,
    INLINE,
    AnswerPage,
    LinkIndex,
    PagePart,
    name_element,
    place_of,
    split_container,
)
from leadline.harvester.answers.block_measures import ItemGroup, PageMeasures, measure_group
from leadline.harvester.answers.block_scorer import BlockScorer, load_scorer
from leadline.harvester.answers.item_splitter import (
    ANYWHERE,
    ItemSplit,
    ListItem,
    find_best_split,
    learn_format,
    mark_linked,
    split_anywhere,
    split_as_learned,
)
from leadline.harvester.answers.reader_memory import ListFormat
from leadline.harvester.answers.record_keys import shape_of
from leadline.page.outline import Outline

_ASIDE = frozenset({"nav", "aside", "footer", "header", "select"})
_TYPED = frozenset({"select", "textarea", "input"})
_UNTYPED = frozenset({"hidden", "checkbox", "submit", "image", "button", "reset"})
"""Kinds of inputs that lists of results have too."""
DEFINING = frozenset({"dd", "dt"})

_MIN_EVENNESS = 1.3
"""A container in which one part outweighs the others is only a wrapper."""
_MAX_ITEM_CHARS = 400
"""What an item counts for at most: a long text is no better a result."""
_MIN_CHARS = 12
"""Letters of fresh text: two short titles."""
_MAX_CONTAINERS = 500
"""Looked at on a page; those of ordinary ones are left out long before by their weight."""
_MIN_WEIGHT = 2.0
"""What two short linked titles weigh."""
_INSIDE_BEST = 0.5
"""A container inside the best block so far cannot be better if it has less than this share of
the weight in text."""
_UNLINKED = 0.5
"""Factor of a block without links."""
_COUNTED_LABELS = 0.3
"""Factor of names with counts, as facets are."""
_BESIDES = 0.3
"""Factor of what stands beside the main part of the page."""
_SHORT = 0.5
"""Factor of items below this number of letters."""
_SHORT_CHARS = 14
_CELLS_LINKED = 0.8
"""Share of a row's cells that must link to be records each."""
_COUNT_CHARS = 60
"""A sentence that tells how many results there are is shorter."""
FEW = 3
SECOND_WEIGHT = 0.02
"""Weight, against the best block's, below which no other is looked at."""
_MAX_PROBED = 6
"""Items looked into for lists inside."""
_INNER_SHARE = 0.75
"""Share of an item's text that lists inside must hold to be the results themselves."""
_MAX_GROUPED = 24
_MAX_JOINED = 6
_MAX_KINDS = 28
"""Candidates that are scored, the heaviest first: on real pages results are among the first ten."""
_MAX_INNER_TRIES = 8
"""Containers inside one another that are split to find a list inside an item."""
_figure = re.compile(r"\d").search
_digits = re.compile(r"\d+")
_ends_in_count = re.compile(r"[(\[]\s*[\d.,\s]+\s*[)\]]\s*$").search


class ResultBlock(Struct, frozen=True):
    """A container and the items in it."""

    row: int
    place: str
    split: ItemSplit
    weight: float


class BlockFinder:
    """Finds and weighs the blocks of one page."""

    def __init__(
        self, page: AnswerPage, is_own: Callable[[Url], bool], scorer: BlockScorer | None = None
    ) -> None:
        """`is_own` recognises links that lead back into the search; `scorer`, if not the one that
        ships, says how likely groups are the results."""
        self.page = page
        self._scorer = scorer
        self.all_links = LinkIndex(page.links)
        self._own = {link.row for link in page.links if is_own(link.url)}
        self.links = LinkIndex([link for link in page.links if link.row not in self._own])
        self._parts: dict[int, list[PagePart]] = {}
        outline = page.outline
        self._typed = [
            row
            for row, tag in enumerate(outline.tags)
            if tag in _TYPED and outline.attributes[row].get("type") not in _UNTYPED
        ]

    @property
    def scorer(self) -> BlockScorer:
        return self._scorer or load_scorer()

    @cached_property
    def measures(self) -> PageMeasures:
        return PageMeasures(self.page, self.links, self.all_links)

    def parts(self, row: int) -> list[PagePart]:
        """Of a container; those with a link are marked."""
        if row not in self._parts:
            self._parts[row] = mark_linked(self.page, split_container(self.page, row), self.links)
        return self._parts[row]

    def candidates(self) -> Iterator[ResultBlock]:
        """Containers with most text first."""
        page, ends = self.page, self.page.outline.ends
        rows = [
            (page.fresh_chars(row, ends[row]), row)
            for row in page.containers()
            if len(page.flat_children(row)) > 1 and page.fresh_chars(row, ends[row]) >= _MIN_CHARS
        ]
        best, inside = 0.0, range(0)
        for chars, row in sorted(rows, key=lambda pair: (-pair[0], pair[1]))[:_MAX_CONTAINERS]:
            # A block weighs no more than its letters, and the rest have fewer.
            if chars < SECOND_WEIGHT * best:
                return
            if row in inside and chars < _INSIDE_BEST * best:
                continue
            block = self._block(row)
            if block is not None:
                yield block
                if block.weight > best:
                    best, inside = block.weight, range(row, ends[row])

    def _block(self, row: int) -> ResultBlock | None:
        page, outline = self.page, self.page.outline
        sizes = [page.fresh_chars(child, outline.ends[child]) for child in page.flat_children(row)]
        squares = sum(size * size for size in sizes)
        if squares <= 0 or sum(sizes) ** 2 < _MIN_EVENNESS * squares:
            return None
        split = find_best_split(page, self.parts(row), self.links)
        if split is None or split.evenness < _MIN_EVENNESS:
            return None
        # The cells of a row are one record, unless each of them links.
        if outline.tags[row] == "tr" and split.linked < _CELLS_LINKED:
            return None
        weight = self._weigh(row, split)
        if weight < _MIN_WEIGHT:
            return None
        return ResultBlock(row, place_of(outline, row), split, weight)

    def _weigh(self, row: int, split: ItemSplit) -> float:
        """How much the items look like results: fresh text in many equal pieces, above all."""
        outline = self.page.outline
        sizes = [min(self.page.fresh_chars(i.first, i.end), _MAX_ITEM_CHARS) for i in split.items]
        weight = sum(sizes) * (1 - 1 / max(1.0, split.evenness)) ** 2 * split.likeness
        weight *= self._link_factor(split.items)
        if 2 * sum(size < _SHORT_CHARS for size in sizes) > len(sizes):
            weight *= _SHORT
        above = {outline.tags[other] for other in (row, *ancestors(outline, row))}
        if not _ASIDE.isdisjoint(above):
            weight *= _BESIDES
        # Rows of a form are no results, nor is a list with a form among its items.
        if "form" in above and split.linked < 0.5:
            is_form = self._has_input(row, outline.ends[row])
        else:
            asking = sum(self._has_input(item.first, item.end) for item in split.items)
            is_form = 0 < asking / len(split.items) < 0.9
        return 0.0 if is_form else weight

    def _has_input(self, first: int, end: int) -> bool:
        """Whether there is a control to type into or choose from."""
        place = bisect_left(self._typed, first)
        return place < len(self._typed) and self._typed[place] < end

    def _link_factor(self, items: Sequence[ListItem]) -> float:
        outline = self.page.outline
        own = sum(self.is_own(item) for item in items)
        linked = sum(bool(self.links.within(item.first, item.end)) for item in items)
        # Pages, orders and facets of the search.
        if 2 * own > len(items):
            return 0.0
        if not linked and len(items) <= FEW and all(map(self._is_count, items)):
            return 0.0
        factor = _UNLINKED + (1 - _UNLINKED) * linked / len(items)
        texts = [outline.text(item.first) for item in items if len(item.parts) == 1]
        counted = sum(bool(_ends_in_count(text[-20:])) for text in texts)
        if texts and counted / len(texts) > 0.7:
            factor *= _COUNTED_LABELS
        return factor

    def _is_count(self, item: ListItem) -> bool:
        """Whether the item is a short sentence with a number: how many, which ones."""
        texts = [text for text in self.page.outline.texts[item.first : item.end] if text]
        return len(texts) == 1 and len(texts[0]) < _COUNT_CHARS and bool(_figure(texts[0]))

    def is_own(self, item: ListItem) -> bool:
        """Whether all that the item offers is another query to the source."""
        links = self.all_links.within(item.first, item.end)
        return bool(links) and all(link.row in self._own for link in links)

    def find_at(self, places: Mapping[str, ListFormat]) -> list[ResultBlock]:
        """Blocks at places that are known to hold results."""
        outline = self.page.outline
        # Tag and depth are compared first: the place of a row is slow to write out.
        last = {place.partition(" ")[0].rpartition("/")[2] or "body" for place in places}
        depths = {place.partition(" ")[0].count("/") for place in places}
        found = []
        for row in self.page.containers():
            if outline.tags[row] not in last or self.page.depths[row] - 1 not in depths:
                continue
            place = place_of(outline, row)
            if place not in places or self.page.is_common(row, outline.ends[row]):
                continue
            split = self._split_as_learned(row, places[place])
            items = [item for item in split.items if not self.is_own(item)]
            if items and 2 * len(items) >= len(split.items):
                found.append(ResultBlock(row, place, split, self._weigh(row, split)))
        return found

    def _split_as_learned(self, row: int, learned: ListFormat) -> ItemSplit:
        if not learned.way.startswith(ANYWHERE):
            return split_as_learned(self.page, self.parts(row), self.links, learned)
        kind, page = learned.way.removeprefix(ANYWHERE), self.page
        inside = range(row + 1, page.outline.ends[row])
        rows = [inner for inner in inside if kind in name_kinds(page, inner)]
        return split_anywhere(page, rows, learned.way, self.links, learned)

    def find_anywhere(self) -> list[ResultBlock]:
        """Elements of one kind at one depth, whatever stands between them: rows of several tables,
        results under headings, cards in rows of their own."""
        page, outline = self.page, self.page.outline
        found: dict[str, list[int]] = {}
        for row, tag in enumerate(outline.tags):
            is_block = row and tag not in INLINE and tag not in BREAKS and tag not in CONTROLS
            if is_block and page.fresh_chars(row, outline.ends[row]) >= _MIN_CHARS // 2:
                for kind in name_kinds(page, row):
                    found.setdefault(kind, []).append(row)
        weighed = [
            (sum(page.fresh_chars(row, outline.ends[row]) for row in rows), kind, rows)
            for kind, rows in found.items()
            if len(rows) > 1
        ]
        weighed.sort(key=lambda one: (-one[0], one[1]))
        blocks: list[ResultBlock] = []
        seen: set[tuple[int, ...]] = set()
        for _, kind, rows in weighed[: 2 * _MAX_KINDS]:
            # Several names often mean the same elements.
            if tuple(rows) in seen or len(blocks) >= _MAX_KINDS:
                continue
            seen.add(tuple(rows))
            top = _common_ancestor(outline, rows[0], rows[-1])
            split = split_anywhere(page, rows, ANYWHERE + kind, self.links)
            if len(split.items) > 1:
                weight = self._weigh(top, split)
                blocks.append(ResultBlock(top, place_of(outline, top), split, weight))
        return blocks

    def block_of(self, row: int, split: ItemSplit) -> ResultBlock:
        """A block that was not chosen by its weight."""
        return ResultBlock(row, place_of(self.page.outline, row), split, 0.0)

    def chars_per_item(self, blocks: Sequence[ResultBlock]) -> float:
        """Letters of fresh text in an item of these blocks."""
        items = [item for block in blocks for item in block.split.items]
        return sum(self.page.fresh_chars(item.first, item.end) for item in items) / len(items)


def ancestors(outline: Outline, row: int) -> Iterator[int]:
    """From the parent up, without the body."""
    while outline.parents[row] > 0:
        row = outline.parents[row]
        yield row


def measure_groups(
    finder: BlockFinder, groups: Sequence[Sequence[ResultBlock]]
) -> list[list[float]]:
    """The features of each group."""
    weights = [sum(block.weight for block in group) for group in groups]
    heaviest = max(weights)
    rows = []
    for group, weight in zip(groups, weights, strict=True):
        items = tuple(item for block in group for item in block.split.items)
        count = len(items)
        likeness = sum(b.split.likeness * len(b.split.items) for b in group) / count
        own = sum(finder.is_own(item) for item in items) / count
        is_anywhere = any(block.split.way.startswith(ANYWHERE) for block in group)
        measured = ItemGroup(group[0].row, items, likeness, weight, is_anywhere, own)
        rows.append(measure_group(finder.page, finder.links, finder.measures, measured, heaviest))
    return rows


def list_groups(finder: BlockFinder, candidates: Sequence[ResultBlock]) -> list[list[ResultBlock]]:
    """All that may be the results: each block, the blocks at one place together, the lists inside
    the items of a block, the list around blocks, and elements of one kind anywhere."""
    groups: list[list[ResultBlock]] = []
    heavy = sorted(candidates, key=lambda block: -block.weight)[:_MAX_GROUPED]
    for number, block in enumerate(heavy):
        groups.append([block])
        if number < _MAX_JOINED:
            joined = blocks_like(finder, block)
            groups.append(joined)
            groups.append(_under_one_identity(finder, block, joined))
            holder = list_around(finder, block, candidates)
            if holder is not block:
                groups.append(blocks_like(finder, holder))
    groups.extend([block] for block in finder.find_anywhere())
    seen: set[tuple[int, ...]] = set()
    found = []
    for group in groups:
        firsts = tuple(item.first for block in group for item in block.split.items)
        # What weighs nothing is a form, or only asks the source again.
        if firsts and firsts not in seen and sum(block.weight for block in group) > 0:
            seen.add(firsts)
            found.append(group)
    return found


def _under_one_identity(
    finder: BlockFinder, block: ResultBlock, joined: Sequence[ResultBlock]
) -> list[ResultBlock]:
    """Of blocks at one place those under elements with the same identities, numbers aside: a menu
    may stand at the place of a list, in another part of the page."""

    def identities(row: int) -> tuple[str, ...]:
        outline = finder.page.outline
        above = (outline.attributes[other].get("id", "") for other in ancestors(outline, row))
        return tuple(_digits.sub("", name) for name in above if name)

    wanted = identities(block.row)
    return [other for other in joined if identities(other.row) == wanted]


def list_around(
    finder: BlockFinder, best: ResultBlock, candidates: Sequence[ResultBlock]
) -> ResultBlock:
    """The list whose items each hold a block like the best one, if there is one: a few records
    with many values weigh less than the values of one of them."""
    outline = finder.page.outline
    # Values seldom link, and each definition belongs to a term beside it.
    if best.split.linked > 0 or outline.tags[best.row] in DEFINING:
        return best
    rows = [row for row in finder.page.containers() if outline.tags[row] == outline.tags[best.row]]
    alike = [row for row in rows if place_of(outline, row) == best.place]
    for other in candidates:
        holding = sum(is_between(alike, i.first, i.end) for i in other.split.items)
        if holding > 1 and holding == len(other.split.items) and other.row < best.row:
            return other
    return best


def _common_ancestor(outline: Outline, one: int, other: int) -> int:
    """Of two rows: the nearest that holds both."""
    at = outline.parents[one]
    while at > 0 and outline.ends[at] <= other:
        at = outline.parents[at]
    return max(at, 0)


def name_kinds(page: AnswerPage, row: int) -> tuple[str, ...]:
    """What an element has in common with others like it: where it stands and its class; its class
    at any depth; where it stands, whatever its class."""
    outline, parent = page.outline, page.holders[row]
    tag, name = outline.tags[row], name_element(outline, row)
    above = outline.tags[page.holders[parent]] if parent > 0 else ""
    place = f"{page.depths[row]} {above}/{outline.tags[max(parent, 0)]}"
    if name == tag:
        return (f"{place}/{tag}",)
    holder = name_element(outline, parent) if parent > 0 else ""
    return f"{place}/{name}", name, f"{page.depths[row]} {holder}/{tag}"


def is_between(rows: Sequence[int], first: int, end: int) -> bool:
    """Whether one of these rows, which rise, is from `first` on and before `end`."""
    place = bisect_left(rows, first)
    return place < len(rows) and rows[place] < end


def blocks_like(finder: BlockFinder, best: ResultBlock) -> list[ResultBlock]:
    """The best block and all others at the same place of the tag tree; or the lists inside its
    items, if these are the results: rows of cards, groups under headings."""
    inner: dict[str, ListFormat] = {}
    items = best.split.items[:_MAX_PROBED]
    holding = 0
    for item in items:
        inside = _list_inside(finder, item)
        if inside is not None:
            holding += 1
            inner[inside.place] = learn_format(finder.page, inside.split)
    if 2 * holding < len(items) or not inner:
        inner = {best.place: learn_format(finder.page, best.split)}
    return finder.find_at(inner) or [best]


def _list_inside(finder: BlockFinder, item: ListItem) -> ResultBlock | None:
    """The list that makes up an item: each of its items links to a thing of the same kind."""
    page, ends = finder.page, finder.page.outline.ends
    least = _INNER_SHARE * page.fresh_chars(item.first, item.end)
    tries = 0
    for row in range(item.first, item.end):
        if len(page.children[row]) < 2 or page.fresh_chars(row, ends[row]) < least:
            continue
        tries += 1
        if tries > _MAX_INNER_TRIES:
            return None
        split = find_best_split(page, finder.parts(row), finder.links)
        if split is None or split.linked <= 0.9:
            continue
        if len(shapes_of_first_links(finder, split.items)) == 1:
            return finder.block_of(row, split)
    return None


def shapes_of_first_links(finder: BlockFinder, items: Sequence[ListItem]) -> Counter[str]:
    """The kinds of addresses that items lead to first."""
    leads = (finder.links.within(item.first, item.end) for item in items)
    return Counter(shape_of(links[0].url) for links in leads if links)
