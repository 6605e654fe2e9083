"""Which blocks of a page are its results."""

from collections import Counter
from collections.abc import Sequence

from leadline.harvester.answers.addresses import shape_of
from leadline.harvester.answers.blocks import SECOND, Block, Finder, ancestors, known_from
from leadline.harvester.answers.memory import Known
from leadline.harvester.answers.parts import Part, place_of
from leadline.harvester.answers.sight import Anchor
from leadline.harvester.answers.splitting import EACH, Item, Split, best_split

_LEAST_SIZE = 0.3
"""Letters of its items, against those of the best block, that another block's must have."""
_LEAST_NAME = 3
"""Letters of a new link that may name a record; shorter ones are page numbers."""
_INNER_WEIGHT = 0.3
"""What blocks at known places weigh at most, against the best block, if they are parts of its
items."""
_UNLIKE = 0.75
"""Parts of one record are less alike than this, records more."""
_SURE_ITEM_TAGS = frozenset({"li", "article", "dd", "dt"})
_ITEM_TAGS = _SURE_ITEM_TAGS | {"tr"}
_DEFINING = frozenset({"dd", "dt"})
_FEW = 3
_PROBED = 6
"""Items looked into for lists inside."""
_INSIDE = 0.75
"""Share of an item's text that lists inside must hold to be the results themselves."""
_MOST_BLOCKS = 12
_MOST_TRIES = 8
"""Containers inside one another that are split to find a list inside an item."""


def find_blocks(finder: Finder, places: dict[str, Known]) -> list[Block]:
    """The blocks of results in document order; those at known places before any others.

    A known place that turns out to lie inside results is forgotten.
    """
    candidates = list(finder.candidates())
    best = max(candidates, key=lambda block: block.weight, default=None)
    main = finder.at_places(places) if places else []
    if best is not None and _is_inside(main, best):
        for block in main:
            places.pop(block.place, None)
        main = []
    if not main:
        if best is None:
            return []
        best = _holder(finder, best, candidates)
        alone = _alone(finder, best) or _linked_alone(finder, best)
        main = [alone] if alone else _family(finder, best)
    return sorted([*main, *_seconds(finder, main, candidates)], key=lambda block: block.row)


def _holder(finder: Finder, best: Block, candidates: Sequence[Block]) -> Block:
    """The list whose items each hold a block like the best one, if there is one: a few records
    with many values weigh less than the values of one of them."""
    outline = finder.sight.outline
    if best.split.linked > 0 or outline.tags[best.row] in _DEFINING:
        return best
    rows = [row for row in finder.sight.containers() if outline.tags[row] == outline.tags[best.row]]
    alike = [row for row in rows if place_of(outline, row) == best.place]
    for other in candidates:
        holding = sum(any(i.first <= row < i.end for row in alike) for i in other.split.items)
        if holding > 1 and holding == len(other.split.items) and other.row < best.row:
            return other
    return best


def _is_inside(known: Sequence[Block], best: Block) -> bool:
    """Whether what was taken for results are parts of them, light against the whole."""
    if sum(block.weight for block in known) > _INNER_WEIGHT * best.weight:
        return False
    holding = {
        item.first
        for block in known
        for item in best.split.items
        if item.first <= block.row < item.end
    }
    return len(holding) > 1


def _alone(finder: Finder, block: Block) -> Block | None:
    """A single result, if the block is only what it consists of: the one item of a list."""
    outline, sight = finder.sight.outline, finder.sight
    row = block.row
    tags = _ITEM_TAGS if block.split.likeness < _UNLIKE else _SURE_ITEM_TAGS
    while row > 0 and outline.tags[row] not in tags:
        row = outline.parents[row]
    if row == 0 or block.split.linked > 0.5:
        return None
    above = outline.parents[row]
    weighing = [p for p in finder.parts(above) if sight.mass(p.first, p.end)]
    if outline.tags[row] in _DEFINING:
        item = Item(tuple(weighing))
    elif len(weighing) == 1:
        item = Item((weighing[0],))
    else:
        return None
    split = Split(EACH, (item,), 1.0)
    return Block(above, place_of(outline, above), split, 0.0)


def _linked_alone(finder: Finder, best: Block) -> Block | None:
    """A single result with a link, if the best block is only lines of text or its values."""
    if best.split.linked > 0:
        return None
    lone = lone_block(finder)
    if lone is None or len({link.url for link in _new_links(finder)}) > 1:
        return None
    item = lone.split.items[0]
    is_value = item.first <= best.row < item.end
    is_apart = not any(i.first < item.end and item.first < i.end for i in best.split.items)
    return lone if is_value or (is_apart and len(best.split.items) <= _FEW) else None


def lone_block(finder: Finder) -> Block | None:
    """A single result on a page without any list: what stands around the first new link."""
    outline = finder.sight.outline
    row = next((link.row for link in _new_links(finder)), None)
    if row is None:
        return None
    above = [row, *ancestors(outline, row)]
    item = next(
        (
            r
            for r in above
            if outline.tags[r] in _ITEM_TAGS or _begins(finder, outline.parents[r], r)
        ),
        row,
    )
    holder = outline.parents[item]
    split = Split(EACH, (Item((Part(item, outline.ends[item], outline.tags[item]),)),), 1.0)
    return Block(holder, place_of(outline, holder), split, 0.0)


def _new_links(finder: Finder) -> list[Anchor]:
    """Links with a text that no answer to nonsense has."""
    outline, sight = finder.sight.outline, finder.sight
    links = finder.links.within(0, len(outline))
    return [a for a in links if len(outline.text(a.row)) >= _LEAST_NAME and sight.is_new(a)]


def _begins(finder: Finder, above: int, row: int) -> bool:
    """Whether there is something else in front of the row."""
    return above <= 0 or finder.sight.mass(above, row) > 0


def _family(finder: Finder, best: Block) -> list[Block]:
    """The best block and all others at the same place of the tag tree."""
    places = _inner(finder, best) or {best.place: known_from(finder.sight, best)}
    return finder.at_places(places) or [best]


def _inner(finder: Finder, block: Block) -> dict[str, Known]:
    """Places of lists inside the items that are the results themselves: rows of cards, groups
    under headings."""
    found: dict[str, Known] = {}
    items = block.split.items[:_PROBED]
    holding = 0
    for item in items:
        inside = _list_inside(finder, item)
        if inside is not None:
            holding += 1
            found[inside.place] = known_from(finder.sight, inside)
    return found if 2 * holding >= len(items) else {}


def _list_inside(finder: Finder, item: Item) -> Block | None:
    """The list that makes up an item: each of its items links to a thing of the same kind."""
    sight, ends = finder.sight, finder.sight.outline.ends
    least = _INSIDE * sight.mass(item.first, item.end)
    tries = 0
    for row in range(item.first, item.end):
        if len(sight.children[row]) < 2 or sight.mass(row, ends[row]) < least:
            continue
        tries += 1
        if tries > _MOST_TRIES:
            return None
        split = best_split(sight, finder.parts(row), finder.links)
        if split is not None and split.linked > 0.9 and _are_of_a_kind(finder, split.items):
            return Block(row, place_of(sight.outline, row), split, 0.0)
    return None


def _are_of_a_kind(finder: Finder, items: Sequence[Item]) -> bool:
    leads = [finder.links.within(item.first, item.end) for item in items]
    return len({shape_of(links[0].url) for links in leads if links}) == 1


def _seconds(finder: Finder, main: Sequence[Block], candidates: Sequence[Block]) -> list[Block]:
    """Other blocks that hold results too."""
    shapes = _shapes(finder, main)
    best = max(block.weight for block in main)
    size = size_of(finder, main)
    found: list[Block] = []
    for block in sorted(candidates, key=lambda block: -block.weight)[:_MOST_BLOCKS]:
        if any(_overlap(finder, block, other) for other in (*main, *found)):
            continue
        is_alike = bool(shapes) and _shapes(finder, [block]) <= shapes
        is_heavy = block.weight >= SECOND * best and size_of(finder, [block]) >= _LEAST_SIZE * size
        if is_alike and is_heavy and block.split.linked > 0.5:
            found.append(block)
    return found


def size_of(finder: Finder, blocks: Sequence[Block]) -> float:
    """Letters of fresh text in an item of these blocks."""
    items = [item for block in blocks for item in block.split.items]
    return sum(finder.sight.mass(item.first, item.end) for item in items) / len(items)


def _shapes(finder: Finder, blocks: Sequence[Block]) -> set[str]:
    """The kinds of addresses that items lead to first."""
    leads = (
        finder.links.within(item.first, item.end) for block in blocks for item in block.split.items
    )
    counts = Counter(shape_of(links[0].url) for links in leads if links)
    return {shape for shape, n in counts.items() if 5 * n >= counts.total()}


def _overlap(finder: Finder, one: Block, other: Block) -> bool:
    ends = finder.sight.outline.ends
    return one.row < ends[other.row] and other.row < ends[one.row]
