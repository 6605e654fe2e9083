"""Parts of a container into items: which parts make one record together.

Several ways to split are tried: every part by itself, at each kind of part that may begin an item,
at gaps. The best way gives items that are alike, each with a link of its own if there are links; of
equal ones the finest.

The shares and factors were chosen on pages of the lab's development worlds and on written ones.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise, takewhile
from typing import TypeVar

from msgspec import Struct

from leadline.harvester.answers.answer_page import GAP, HEAD, AnswerPage, LinkIndex, PagePart
from leadline.harvester.answers.reader_memory import ListFormat
from leadline.page.outline import TEXT

T = TypeVar("T")

EACH, GAPS = "each", "gaps"
"""Ways to split; any other is the label of the part that begins an item."""
ANYWHERE = "//"
"""Begins a way that takes elements of one kind anywhere inside the container; the kind follows."""
LINKED = "@"
"""Ends the label of a part that holds a link."""
_MAX_LABELS = 5
"""Kinds of parts tried as beginnings."""
_ALIKE = 0.45
"""Share of the common structure that an item must have: headings and totals have less."""
_LIGHT = 0.4
"""Share of the usual letters below which something is hardly an item."""
_MUCH_ALIKE = 0.75
"""Share of the common structure that such a light item must have."""
_SEVERAL = 2
"""If items usually have so many texts, one with a single text is only a sentence."""
_MAX_COMPARED = 20
"""Items whose parts are compared with those of the last one."""
_UNLINKED = 0.3
"""Parts without a link, against those with one, up to which they are records that lack theirs."""
_SAME_LEADS = 0.8
"""Share of beginnings that a part of one kind must stand before to belong to them."""
_MAX_CORE = 80
_FINER = 0.15
"""Exponent by which more items are better: it decides between ways that are equally good."""
_GOOD_GAPS = 0.6
_FAR_MORE_ALIKE = 0.25
_MAX_ITEMS = 2_000
_begins_with_name = re.compile(r"(?:h[1-6]|dt|summary|legend)\b").match


class ListItem(Struct, frozen=True):
    """One result: some parts next to each other."""

    parts: tuple[PagePart, ...]

    @property
    def first(self) -> int:
        return self.parts[0].first

    @property
    def end(self) -> int:
        return self.parts[-1].end


class ItemSplit(Struct, frozen=True):
    """Items, and how good they look."""

    way: str
    items: tuple[ListItem, ...]
    likeness: float = 0.0
    """How much they have in common, from 0 to 1."""
    linked: float = 0.0
    """Share of them with a link that no other has."""
    evenness: float = 1.0
    """The number of items of equal weight that they amount to: 1 if one outweighs all."""

    @property
    def quality(self) -> float:
        reach = self.linked if self.linked > 0 else 1.0
        # Headings and links begin items rather than end them: decides if all else is equal.
        if _begins_with_name(self.way):
            opening = 1.04
        else:
            opening = 1.02 if self.way.endswith(LINKED) else 1.0
        return float(self.likeness * reach * len(self.items) ** _FINER * opening)


def mark_linked(page: AnswerPage, parts: Sequence[PagePart], links: LinkIndex) -> list[PagePart]:
    """Labels parts with a link differently from those without. A few without one among many alike
    are records whose document is missing, and keep the label of the others."""
    marked = [
        part._replace(label=part.label + LINKED)
        if part.label not in (GAP, HEAD) and links.within(part.first, part.end)
        else part
        for part in parts
    ]
    counts = Counter(part.label for part in marked)
    rare = {
        label
        for label, n in counts.items()
        if label not in (GAP, HEAD)
        and label[0] != "~"
        and n <= _UNLINKED * counts.get(label + LINKED, 0)
    }
    for label in rare:
        alike = [part for part in marked if part.label == label + LINKED]
        shapes = [_drop_links(page.shapes[part.first : part.end]) for part in alike]
        core = _core(shapes)
        sizes = sorted(page.fresh_chars(part.first, part.end) for part in alike)
        least = _LIGHT * sizes[len(sizes) // 2]
        marked = [
            part._replace(label=label + LINKED)
            if part.label == label
            # What stands above the first is a row of headings.
            and part.first > alike[0].first
            and page.fresh_chars(part.first, part.end) >= least
            and _is_alike(_drop_links(page.shapes[part.first : part.end]), core, _MUCH_ALIKE)
            else part
            for part in marked
        ]
    return marked


def _drop_links(shapes: Iterable[str]) -> frozenset[str]:
    """Shapes as if links were plain text."""
    plain = (f"{one[:-1]}{TEXT}" if one.endswith(">a") else one for one in shapes)
    return frozenset(one for one in plain if one and not one.startswith("a>"))


def find_best_split(
    page: AnswerPage, parts: Sequence[PagePart], links: LinkIndex
) -> ItemSplit | None:
    """The best way to split; None if there are not two items."""
    splits = [_judge(page, way, items, links) for way, items in _try_ways(parts)]
    splits = [split for split in splits if len(split.items) > 1]
    if not splits:
        return None
    gaps = next((split for split in splits if split.way == GAPS), None)
    if gaps is not None and _are_deliberate(gaps):
        # Only a way that gives more items a link of their own, or items far more alike, beats them.
        splits = [
            split
            for split in splits
            if split is gaps
            or split.linked > gaps.linked
            or split.likeness > gaps.likeness + _FAR_MORE_ALIKE
        ]
    return max(splits, key=lambda split: split.quality)


def split_as_learned(
    page: AnswerPage, parts: Sequence[PagePart], links: LinkIndex, learned: ListFormat
) -> ItemSplit:
    """The items of a way that was learned, if they are like those it was learned from; there may
    be a single one, or none."""
    items = _split_at(parts, learned.way, learned.core)
    return _judge(page, learned.way, items, links, learned)


def split_anywhere(
    page: AnswerPage,
    rows: Sequence[int],
    way: str,
    links: LinkIndex,
    learned: ListFormat | None = None,
) -> ItemSplit:
    """Elements of one kind as items, whatever stands between them. What holds another of its kind
    ends where that begins: an answer above the answers to it."""
    tags = page.outline.tags
    ends = [min(page.outline.ends[row], after) for row, after in pairwise((*rows, len(tags)))]
    items = [
        ListItem((PagePart(row, end, tags[row]),))
        for row, end in zip(rows[:_MAX_ITEMS], ends, strict=False)
    ]
    split = _judge(page, way, items, links, learned)
    # Headings and notes of groups stand among the items: what is unlike them all is left out.
    shapes = [_shape(page, item) for item in split.items]
    core = _core(shapes) if shapes else set()
    sizes = sorted(page.fresh_chars(item.first, item.end) for item in split.items)
    kept = tuple(
        item
        for item, shape in zip(split.items, shapes, strict=True)
        if _is_alike(shape, core, _ALIKE)
        and page.fresh_chars(item.first, item.end)
        and not (
            split.linked > 0.7
            and not links.within(item.first, item.end)
            and not _lacks_link_alone(page, item, shape, core, sizes)
        )
    )
    return ItemSplit(way, kept, split.likeness, split.linked, split.evenness)


def learn_format(page: AnswerPage, split: ItemSplit) -> ListFormat:
    """What the items of one list have in common, to read others like them."""
    return _format_of(page, split.way, split.items, [_shape(page, item) for item in split.items])


def _are_deliberate(gaps: ItemSplit) -> bool:
    """Whether gaps were put between items: several, alike, of several parts each."""
    has_several = sum(len(item.parts) for item in gaps.items) > 1.2 * len(gaps.items)
    links = sum(part.label.endswith(LINKED) for item in gaps.items for part in item.parts)
    is_good = gaps.evenness >= 2 and gaps.likeness >= _GOOD_GAPS
    return has_several and links < 2 * len(gaps.items) and is_good


def _try_ways(parts: Sequence[PagePart]) -> Iterator[tuple[str, list[ListItem]]]:
    counts = Counter(part.label for part in parts if part.label not in (GAP, HEAD))
    for way in (EACH, GAPS, *[label for label, _ in counts.most_common(_MAX_LABELS)]):
        if way == EACH or counts[way] > 1 or (way == GAPS and any(not p.label for p in parts)):
            yield way, _split_at(parts, way)


def _split_at(parts: Sequence[PagePart], way: str, labels: Collection[str] = ()) -> list[ListItem]:
    """The items of one way. `labels`: those known to belong to items."""
    if way == GAPS:
        items = _split_at_gaps(parts)
    else:
        solid = [part for part in parts if part.label not in (GAP, HEAD)]
        if way == EACH:
            items = [ListItem((part,)) for part in solid]
        else:
            items = _split_at_label(solid, way, labels)
    return items[:_MAX_ITEMS]


def _split_at_gaps(parts: Sequence[PagePart]) -> list[ListItem]:
    items: list[ListItem] = []
    run: list[PagePart] = []
    for part in (*parts, PagePart(0, 0, GAP)):
        if part.label not in (GAP, HEAD):
            run.append(part)
        elif run and part.label == GAP:
            items.append(ListItem(tuple(run)))
            run = []
    return items


def _split_at_label(
    solid: Sequence[PagePart], label: str, labels: Collection[str]
) -> list[ListItem]:
    """Runs that begin at a label, together with what stands before it in each of them."""
    starts = [n for n, part in enumerate(solid) if part.label == label]
    if not starts:
        return []
    lead = _count_leading(solid, starts)
    begins = [starts[0] - lead, *(max(a + 1, b - lead) for a, b in pairwise(starts))]
    ends = [*begins[1:], len(solid)]
    groups = [solid[begin:end] for begin, end in zip(begins, ends, strict=True)]
    # Parts that a fifth of the items have, and those known, belong to the list: the last item ends
    # where something else follows, and has no more parts than the longest.
    others = groups[:-1]
    counts = Counter(n for group in others for n in {p.label.rstrip(LINKED) for p in group})
    known = {name for name, n in counts.items() if 5 * n >= len(others)}
    known |= {name.rstrip(LINKED) for name in labels}
    if known:
        own = takewhile(lambda part: part.label.rstrip(LINKED) in known, groups[-1])
        groups[-1] = list(own)[: max(map(len, others), default=len(solid))]
    return [ListItem(tuple(group)) for group in groups if group]


def _count_leading(solid: Sequence[PagePart], starts: Sequence[int]) -> int:
    """How many parts before each beginning belong to it: an image, a number, a date.

    They do if the list begins with them and its last item ends without them.
    """
    trailing = 0
    if len(starts) > 1:
        # Parts after a beginning that belong to it, as the last one shows.
        after = [part.label for part in solid[starts[-1] + 1 :]]
        for one, other in islice(pairwise(starts), _MAX_COMPARED):
            between = [part.label for part in solid[one + 1 : other]]
            same = takewhile(lambda pair: pair[0] == pair[1], zip(between, after, strict=False))
            trailing = max(trailing, sum(1 for _ in same))
    usual = sorted(b - a for a, b in pairwise(starts))
    room = (usual[len(usual) // 5] if usual else 1) - 1 - trailing
    lead = 0
    while lead < min(room, starts[0]):
        # A font that nothing ends makes some of them look different.
        labels = Counter(solid[start - lead - 1].label for start in starts)
        count = max(labels.values())
        if count < _SAME_LEADS * len(starts):
            break
        lead += 1
    return lead


def _judge(
    page: AnswerPage,
    way: str,
    items: list[ListItem],
    links: LinkIndex,
    learned: ListFormat | None = None,
) -> ItemSplit:
    """The items without what stands before and after the list, and how good they look."""
    shapes = [_shape(page, item) for item in items]
    usual = learned or _format_of(page, way, items, shapes)
    inside = [links.within(item.first, item.end) for item in items]
    urls = [{link.url for link in row} for row in inside]
    core = set(usual.core)
    # If most items link, those that do not are headings and notes between them.
    must_link = sum(map(bool, urls)) >= 0.7 * len(urls)
    lengths = sorted(page.fresh_chars(item.first, item.end) for item in items)
    belongs = [
        _is_alike(shape, core, _ALIKE)
        and (bool(row) or not must_link or _lacks_link_alone(page, item, shape, core, lengths))
        and (any(map(page.is_fresh, row)) or _says_enough(page, item, shape, usual))
        for item, shape, row in zip(items, shapes, inside, strict=True)
    ]
    # Only at both ends: what looks different in the midst of a list is still an item.
    low = next((n for n, is_in in enumerate(belongs) if is_in), len(belongs))
    high = len(belongs) - next((n for n, is_in in enumerate(reversed(belongs)) if is_in), 0)
    items, shapes, urls = items[low:high], shapes[low:high], urls[low:high]
    if not items:
        return ItemSplit(way, ())
    counts = Counter(url for one in urls for url in one)
    linked = sum(any(counts[url] == 1 for url in one) for one in urls) / len(urls)
    sizes = [page.fresh_chars(item.first, item.end) for item in items]
    squares = sum(size * size for size in sizes)
    evenness = sum(sizes) ** 2 / squares if squares else 0.0
    return ItemSplit(way, tuple(items), _likeness(shapes), linked, evenness)


def _format_of(
    page: AnswerPage, way: str, items: Sequence[ListItem], shapes: Sequence[frozenset[str]]
) -> ListFormat:
    if not items:
        return ListFormat(way, ())
    core = sorted(_core(shapes))
    sizes = sorted(page.fresh_chars(item.first, item.end) for item in items)
    texts = sorted(_count_texts(page, item) for item in items)
    middle = len(items) // 2
    return ListFormat(way, tuple(core[:_MAX_CORE]), sizes[middle], texts[middle])


def _lacks_link_alone(
    page: AnswerPage, item: ListItem, shape: frozenset[str], core: set[str], sizes: Sequence[int]
) -> bool:
    """Whether an item without a link is as long as others, whose sizes are sorted, and looks like
    them but for the link: its document is missing."""
    least = _LIGHT * sizes[len(sizes) // 2]
    if page.fresh_chars(item.first, item.end) < least:
        return False
    return _is_alike(_drop_links(shape), set(_drop_links(core)), _MUCH_ALIKE)


def _is_alike(shape: frozenset[str], core: set[str], least: float) -> bool:
    common = len(shape & core)
    return common >= least * (len(core) + len(shape) - common)


def _says_enough(
    page: AnswerPage, item: ListItem, shape: frozenset[str], usual: ListFormat
) -> bool:
    """Whether an item that links to nothing new is one; if it says far less than the others it
    must look like them all the more."""
    if page.is_common(item.first, item.end):
        return False
    if page.fresh_chars(item.first, item.end) >= _LIGHT * usual.size:
        return True
    is_sentence = usual.texts >= _SEVERAL and _count_texts(page, item) == 1
    return _is_alike(shape, set(usual.core), _MUCH_ALIKE) and not is_sentence


def _count_texts(page: AnswerPage, item: ListItem) -> int:
    return sum(map(bool, page.outline.texts[item.first : item.end]))


def _shape(page: AnswerPage, item: ListItem) -> frozenset[str]:
    shapes = set(page.shapes[item.first : item.end])
    shapes.update([part.label for part in item.parts])
    shapes.discard("")
    return frozenset(shapes)


def _core(shapes: Sequence[frozenset[str]]) -> set[str]:
    """What at least half of the items have."""
    counts = Counter(shape for one in shapes for shape in one)
    return {shape for shape, n in counts.items() if 2 * n >= len(shapes)}


def _likeness(shapes: Sequence[frozenset[str]]) -> float:
    core = _core(shapes)
    size, alike = len(core), 0.0
    for one in shapes:
        common = len(one & core)
        alike += common / max(1, len(one) + size - common)
    return alike / len(shapes)
