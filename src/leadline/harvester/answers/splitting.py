"""Parts of a container into items: which parts make one record together.

Several ways to split are tried: every part by itself, at each kind of part
that may begin an item, at gaps. The best way gives items that are alike, each
with a link of its own where there are links; of equal ones the finest.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import TypeVar

from msgspec import Struct

from leadline.core.url import Url
from leadline.harvester.answers.memory import Known
from leadline.harvester.answers.parts import GAP, HEAD, Part
from leadline.harvester.answers.sight import Anchor, Sight

T = TypeVar("T")

EACH, GAPS = "each", "gaps"
"""Ways to split; any other is the label of the part that begins an item."""
LINKED = "@"
"""Ends the label of a part that holds a link."""
_MOST_LABELS = 5
"""Kinds of parts tried as beginnings."""
_ALIKE = 0.45
"""Share of the common structure that an item must have: headings and totals have less."""
_LIGHT = 0.4
"""Share of the usual letters below which something is hardly an item."""
_MUCH_ALIKE = 0.75
_SEVERAL = 2
"""Texts that items usually have where something with a single one is only a sentence."""
_MOST_CORE = 80
_FINER = 0.15
"""Exponent by which more items are better: it decides between ways that are equally good."""
_GOOD_GAPS = 0.6
_MOST_ITEMS = 2_000
_names = re.compile(r"(?:h[1-6]|dt|summary|legend)\b").match


class Item(Struct, frozen=True):
    """One result: some parts next to each other."""

    parts: tuple[Part, ...]

    @property
    def first(self) -> int:
        return self.parts[0].first

    @property
    def end(self) -> int:
        return self.parts[-1].end


class Split(Struct, frozen=True):
    """Items, and how good they look."""

    way: str
    items: tuple[Item, ...]
    likeness: float = 0.0
    """How much they have in common, from 0 to 1."""
    linked: float = 0.0
    """Share of them with a link that no other has."""
    even: float = 1.0
    """How many items of equal weight they amount to."""

    @property
    def quality(self) -> float:
        reach = self.linked if self.linked > 0 else 1.0
        return float(self.likeness * reach * len(self.items) ** _FINER * _opening(self.way))


def _opening(way: str) -> float:
    """Headings and links begin items rather than end them: decides where all else is equal."""
    if _names(way):
        return 1.04
    return 1.02 if way.endswith(LINKED) else 1.0


class Links:
    """The links of a page by row: which of them lie between two rows."""

    def __init__(self, anchors: Sequence[Anchor]) -> None:
        self._rows = [anchor.row for anchor in anchors]
        self._anchors = anchors

    def within(self, first: int, end: int) -> Sequence[Anchor]:
        low, high = bisect_left(self._rows, first), bisect_left(self._rows, end)
        return self._anchors[low:high]


def marked(parts: Sequence[Part], links: Links) -> list[Part]:
    """Parts with a link are of another kind than those without."""
    return [
        part._replace(label=part.label + LINKED)
        if part.label not in (GAP, HEAD) and links.within(part.first, part.end)
        else part
        for part in parts
    ]


def best_split(sight: Sight, parts: Sequence[Part], links: Links) -> Split | None:
    """The best way to split; None when there are not two items."""
    splits = [_judged(sight, way, items, links) for way, items in _ways(parts)]
    splits = [split for split in splits if len(split.items) > 1]
    if not splits:
        return None
    gaps = next((s for s in splits if s.way == GAPS), None)
    if gaps is not None and _is_trusted(gaps):
        splits = [s for s in splits if s is gaps or s.linked > gaps.linked]
    return max(splits, key=lambda split: split.quality)


def known_split(sight: Sight, parts: Sequence[Part], links: Links, known: Known) -> Split:
    """The items of a way that was learned, if they are like those it was learned from; there may
    be a single one, or none."""
    items = _split_at(parts, known.way, known.core)
    return _judged(sight, known.way, items, links, known)


def _is_trusted(gaps: Split) -> bool:
    """Whether gaps were put between items: several, alike, of several parts each."""
    several = sum(len(item.parts) for item in gaps.items) > 1.2 * len(gaps.items)
    links = sum(part.label.endswith(LINKED) for item in gaps.items for part in item.parts)
    return (
        several and links < 2 * len(gaps.items) and gaps.even >= 2 and gaps.likeness >= _GOOD_GAPS
    )


def _ways(parts: Sequence[Part]) -> Iterator[tuple[str, list[Item]]]:
    counts = Counter(part.label for part in parts if part.label not in (GAP, HEAD))
    for way in (EACH, GAPS, *[label for label, _ in counts.most_common(_MOST_LABELS)]):
        if way == EACH or counts[way] > 1 or (way == GAPS and any(not p.label for p in parts)):
            yield way, _split_at(parts, way)


def _split_at(parts: Sequence[Part], way: str, labels: Collection[str] = ()) -> list[Item]:
    """The items of one way. `labels`: those known to belong to items."""
    if way == EACH:
        items = [Item((part,)) for part in parts if part.label not in (GAP, HEAD)]
    elif way == GAPS:
        items = _at_gaps(parts)
    else:
        items = _at_label(parts, way, labels)
    return items[:_MOST_ITEMS]


def _at_gaps(parts: Sequence[Part]) -> list[Item]:
    items: list[Item] = []
    run: list[Part] = []
    for part in (*parts, Part(0, 0, GAP)):
        if part.label not in (GAP, HEAD):
            run.append(part)
        elif run and part.label == GAP:
            items.append(Item(tuple(run)))
            run = []
    return items


def _at_label(parts: Sequence[Part], label: str, labels: Collection[str]) -> list[Item]:
    """Runs that begin at a label; what stands before it in each of them goes along."""
    solid = [part for part in parts if part.label not in (GAP, HEAD)]
    starts = [n for n, part in enumerate(solid) if part.label == label]
    if not starts:
        return []
    lead = _lead(solid, starts)
    ends = [*(start - lead for start in starts[1:]), len(solid)]
    groups = [
        solid[start - lead : end] for start, end in zip(starts, ends, strict=True) if end > start
    ]
    known = _usual_labels(groups[:-1]) | {known_label.rstrip(LINKED) for known_label in labels}
    if known:
        groups[-1] = _known_only(groups[-1], known, max(map(len, groups[:-1]), default=len(solid)))
    return [Item(tuple(group)) for group in groups]


def _lead(solid: Sequence[Part], starts: Sequence[int]) -> int:
    """How many parts before each beginning belong to it: an image, a number, a date.

    They do if the list begins with them and its last item goes without them at its end.
    """
    room = min((b - a for a, b in pairwise(starts)), default=1) - 1 - _trailing(solid, starts)
    lead = 0
    while lead < min(room, starts[0]):
        if len({solid[start - lead - 1].label for start in starts}) > 1:
            break
        lead += 1
    return lead


def _trailing(solid: Sequence[Part], starts: Sequence[int]) -> int:
    """How many parts after each beginning belong to it, as the last one shows."""
    if len(starts) < 2:
        return 0
    between = [part.label for part in solid[starts[0] + 1 : starts[1]]]
    after = [part.label for part in solid[starts[-1] + 1 :]]
    same = takewhile(lambda pair: pair[0] == pair[1], zip(between, after, strict=False))
    return sum(1 for _ in same)


def _usual_labels(groups: Sequence[Sequence[Part]]) -> set[str]:
    """Of the parts that a fifth of the items have."""
    counts = Counter(n for group in groups for n in {p.label.rstrip(LINKED) for p in group})
    return {label for label, n in counts.items() if 5 * n >= len(groups)}


def _known_only(group: list[Part], known: set[str], most: int) -> list[Part]:
    """The last item, without what follows the list."""
    strange = next(
        (n for n, part in enumerate(group) if part.label.rstrip(LINKED) not in known), len(group)
    )
    return group[: min(strange, most)]


def _judged(
    sight: Sight, way: str, items: list[Item], links: Links, known: Known | None = None
) -> Split:
    shapes = [_shape(sight, item) for item in items]
    known = known or _known(sight, way, items, shapes)
    anchors = [links.within(item.first, item.end) for item in items]
    urls = [{anchor.url for anchor in row} for row in anchors]
    core = set(known.core)
    must_link = sum(map(bool, urls)) >= 0.7 * len(urls)
    belongs = [
        _is_alike(shape, core, _ALIKE)
        and (bool(row) or not must_link)
        and (any(map(sight.is_new, row)) or _says_enough(sight, item, shape, core, known))
        for item, shape, row in zip(items, shapes, anchors, strict=True)
    ]
    items, shapes, urls = (_between(row, belongs) for row in (items, shapes, urls))
    if not items:
        return Split(way, ())
    return Split(way, tuple(items), _likeness(shapes), _linked(urls), evenness(sight, items))


def known_of(sight: Sight, way: str, items: Sequence[Item]) -> Known:
    """What items of one list have in common, to read others like them."""
    return _known(sight, way, items, [_shape(sight, item) for item in items])


def _known(
    sight: Sight, way: str, items: Sequence[Item], shapes: Sequence[frozenset[str]]
) -> Known:
    core = sorted(_core(shapes))
    sizes = sorted(sight.mass(item.first, item.end) for item in items)
    pieces = sorted(_pieces(sight, item) for item in items)
    middle = len(items) // 2
    if not items:
        return Known(way, ())
    return Known(way, tuple(core[:_MOST_CORE]), sizes[middle], pieces[middle])


def _is_alike(shape: frozenset[str], core: set[str], least: float) -> bool:
    common = len(shape & core)
    return common >= least * (len(core) + len(shape) - common)


def _says_enough(
    sight: Sight, item: Item, shape: frozenset[str], core: set[str], known: Known
) -> bool:
    """Whether an item that links to nothing new is one; if it says far less than the others it
    must look like them all the more."""
    if sight.is_steady(item.first, item.end):
        return False
    if sight.mass(item.first, item.end) >= _LIGHT * known.size:
        return True
    is_sentence = known.pieces >= _SEVERAL and _pieces(sight, item) == 1
    return _is_alike(shape, core, _MUCH_ALIKE) and not is_sentence


def _pieces(sight: Sight, item: Item) -> int:
    """How many texts an item consists of."""
    return sum(map(bool, sight.outline.texts[item.first : item.end]))


def _shape(sight: Sight, item: Item) -> frozenset[str]:
    shapes = set(sight.shapes[item.first : item.end])
    shapes.update([part.label for part in item.parts])
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


def _linked(urls: Sequence[set[Url]]) -> float:
    counts = Counter(url for one in urls for url in one)
    return sum(any(counts[url] == 1 for url in one) for one in urls) / len(urls)


def _between(things: list[T], belongs: Sequence[bool]) -> list[T]:
    """Without what stands before and after the list in the same container."""
    low = next((n for n, is_in in enumerate(belongs) if is_in), len(belongs))
    high = len(belongs) - next((n for n, is_in in enumerate(reversed(belongs)) if is_in), 0)
    return things[low:high]


def evenness(sight: Sight, items: Sequence[Item]) -> float:
    """The number of items of equal weight that they amount to: 1 when one outweighs all."""
    masses = [sight.mass(item.first, item.end) for item in items]
    squares = sum(mass * mass for mass in masses)
    return sum(masses) ** 2 / squares if squares else 0.0
