"""Which of the candidates of a page are its results.

A learned score decides, together with what the source is known for: places where results were
before go first, and what answers to nonsense show is no result.
"""

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.harvester.answers.answer_page import (
    PagePart,
    RowLink,
)
from leadline.harvester.answers.block_candidates import (
    DEFINING,
    FEW,
    SECOND_WEIGHT,
    BlockFinder,
    ResultBlock,
    ancestors,
    blocks_like,
    is_between,
    list_around,
    list_groups,
    measure_groups,
    shapes_of_first_links,
)
from leadline.harvester.answers.item_splitter import (
    EACH,
    ItemSplit,
    ListItem,
)
from leadline.harvester.answers.reader_memory import ListFormat

_SURE_ITEM_TAGS = frozenset({"li", "article", "dd", "dt"})
_ITEM_TAGS = _SURE_ITEM_TAGS | {"tr"}
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_SECOND_SIZE = 0.3
"""Letters of its items, against those of the best block, that another block's must have."""
_MIN_NAME_CHARS = 3
"""Of a fresh link that may name a record; shorter ones are page numbers."""
_INNER_WEIGHT = 0.3
"""What blocks at known places weigh at most, against the best block, if they are parts of its
items."""
_UNLIKE = 0.75
"""Parts of one record are less alike than this, records more."""
# A score is the F1 that a group is expected to have: on services and courts that trees were not
# fitted on, F1 rises by 1.03 and 1.02 a unit of score (`tools.block_training --cross` tells it), so
# these limits need no change when trees are fitted anew.
_SURE = 0.2
"""Score from which a group is the results: single results are not looked for."""
_CERTAIN = 0.6
"""Score from which no word on the page makes it a refusal or a ban."""
_LIKELY = 0.5
"""The same of blocks whose items link: more of it is right than wrong."""
_BETTER = 0.03
"""Score by which other blocks must look better than those at places where results were."""
_CLEARLY = 0.35
"""The same on pages whose frame is known from answers to nonsense."""
_SECOND_SCORE = 0.5
"""Score, against the chosen group's, that a second block must have."""
_SECOND_ODDS = 0.5
"""Odds against the chosen group's: on written pages menus and news that led to the same kind of
addresses had .37 at most, further lists of the same records 1."""
_MAX_SECONDS = 12
_INNER_SCORE = 0.5
"""Score, against that of the items around, from which records inside groups are preferred: both
look like results then, and what is told apart by links of one kind are the records."""
_INNER_TEXT = 0.6
"""Share of the text of groups that is not their headings."""
_INNER_ITEMS = 1.5
_INNER_LINKED = 0.85


def find_blocks(finder: BlockFinder, places: dict[str, ListFormat]) -> list[ResultBlock]:
    """The blocks of results in document order; those at known places before any others.

    A known place that turns out to lie inside results is forgotten.
    """
    candidates = list(finder.candidates())
    best = max(candidates, key=lambda block: block.weight, default=None)
    main = finder.find_at(places) if places else []
    if best is not None and _are_inside(main, best):
        for block in main:
            places.pop(block.place, None)
        main = []
    is_single = finder.page.is_framed and sum(len(block.split.items) for block in main) == 1
    if main and best is not None and not is_single:
        main = _renew(finder, main, candidates)
    if not main:
        if best is None:
            return []
        chosen, score = choose_group(finder, _weigh_best(finder, best, candidates), candidates)
        single = None
        is_few = sum(len(block.split.items) for block in chosen) <= FEW
        if score < _SURE or is_few or finder.page.is_framed:
            single = (
                _single_item(finder, best)
                or _headed_item(finder, best)
                or _single_link(finder, best)
            )
        main = [single] if single else chosen
    return sorted([*main, *_seconds(finder, main, candidates)], key=lambda block: block.row)


def _weigh_best(
    finder: BlockFinder, best: ResultBlock, candidates: Sequence[ResultBlock]
) -> list[ResultBlock]:
    """The results as far as weight tells them."""
    return blocks_like(finder, list_around(finder, best, candidates))


def choose_group(
    finder: BlockFinder, first: list[ResultBlock], candidates: Sequence[ResultBlock]
) -> tuple[list[ResultBlock], float]:
    """The group of blocks that the learned scorer takes for the results, and its score. `first`
    stays if no other looks better by enough: what nonsense gets is a better witness than looks,
    and so are places where results were before."""
    groups = [first, *list_groups(finder, candidates)]
    rows = np.array(measure_groups(finder, groups))
    scores = finder.scorer.score(rows)
    best = finder.scorer.choose(rows, scores)
    # Preference decides between likely ones; what nonsense gets is overruled by likelihood alone.
    is_better = not finder.page.is_framed or scores[best] > scores[0] + _CLEARLY
    chosen = _find_inner(finder, groups, scores, best if is_better else 0)
    return groups[chosen], float(scores[chosen])


def _find_inner(
    finder: BlockFinder,
    groups: Sequence[Sequence[ResultBlock]],
    scores: NDArray[np.float64],
    chosen: int,
) -> int:
    """The group whose items make up those of the chosen one, if these are mere groups of records
    under headings; else the chosen one."""
    outer = [item for block in groups[chosen] for item in block.split.items]
    chars = sum(finder.page.fresh_chars(item.first, item.end) for item in outer)
    spans = sorted((item.first, item.end) for item in outer)
    firsts = [first for first, _ in spans]
    best, found = _INNER_SCORE * scores[chosen], chosen
    for number, group in enumerate(groups):
        items = [item for block in group for item in block.split.items]
        if scores[number] < best or len(items) < _INNER_ITEMS * len(outer):
            continue
        holders = [bisect_right(firsts, item.first) - 1 for item in items]
        inside = sum(
            place >= 0 and item.end <= spans[place][1]
            for place, item in zip(holders, items, strict=True)
        )
        if inside < _INNER_LINKED * len(items) or 2 * len(set(holders)) < len(outer):
            continue
        own = sum(finder.page.fresh_chars(item.first, item.end) for item in items)
        shapes = shapes_of_first_links(finder, items)
        is_one_kind = max(shapes.values(), default=0) >= _INNER_LINKED * len(items)
        if own >= _INNER_TEXT * chars and is_one_kind and _lead_apart(finder, items):
            best, found = scores[number], number
    return found


def _lead_apart(finder: BlockFinder, items: Sequence[ListItem]) -> bool:
    """Whether nearly every item leads to something that no other leads to first."""
    leads = (finder.links.within(item.first, item.end) for item in items)
    return len({links[0].url for links in leads if links}) >= _INNER_LINKED * len(items)


def are_results(finder: BlockFinder, blocks: Sequence[ResultBlock], *, is_linked: bool) -> bool:
    """Whether the scorer is sure that blocks hold results: words beside them prove nothing then.
    Lists of errors and advice seldom link."""
    score = finder.scorer.score(np.array(measure_groups(finder, [blocks])))[0]
    return bool(score > (_LIKELY if is_linked else _CERTAIN))


def _renew(
    finder: BlockFinder, known: list[ResultBlock], candidates: Sequence[ResultBlock]
) -> list[ResultBlock]:
    """The blocks at known places, or others that look clearly better: templates change."""
    groups = [known, *list_groups(finder, candidates)]
    rows = np.array(measure_groups(finder, groups))
    scores = finder.scorer.score(rows)
    best = finder.scorer.choose(rows, scores)
    margin = _CLEARLY if finder.page.is_framed else _BETTER
    return groups[best] if scores[best] > scores[0] + margin else known


def _are_inside(known: Sequence[ResultBlock], best: ResultBlock) -> bool:
    """Whether what was taken for results are parts of them, light against the whole."""
    if sum(block.weight for block in known) > _INNER_WEIGHT * best.weight:
        return False
    rows = sorted(block.row for block in known)
    return sum(is_between(rows, item.first, item.end) for item in best.split.items) > 1


def _single_item(finder: BlockFinder, block: ResultBlock) -> ResultBlock | None:
    """The one item of a list, if the block is only what this item consists of."""
    outline, page = finder.page.outline, finder.page
    row = block.row
    tags = _ITEM_TAGS if block.split.likeness < _UNLIKE else _SURE_ITEM_TAGS
    while row > 0 and outline.tags[row] not in tags:
        row = outline.parents[row]
    if row == 0 or block.split.linked > 0.5:
        return None
    above = outline.parents[row]
    fresh = [part for part in finder.parts(above) if page.fresh_chars(part.first, part.end)]
    # A term and its definitions are one item together.
    if outline.tags[row] not in DEFINING and len(fresh) != 1:
        return None
    return finder.block_of(above, ItemSplit(EACH, (ListItem(tuple(fresh)),), 1.0))


def _headed_item(finder: BlockFinder, block: ResultBlock) -> ResultBlock | None:
    """What is around the block, if this is a heading and texts of other kinds that lead nowhere: a
    record, whatever element holds it."""
    outline, items = finder.page.outline, block.split.items
    tags = [outline.tags[item.first] for item in items]
    is_record = tags[0] in _HEADINGS and len(set(tags)) == len(tags) and block.row > 0
    if block.split.linked > 0 or not is_record or not finder.page.is_framed:
        return None
    part = PagePart(block.row, outline.ends[block.row], outline.tags[block.row])
    return finder.block_of(outline.parents[block.row], ItemSplit(EACH, (ListItem((part,)),), 1.0))


def _single_link(finder: BlockFinder, best: ResultBlock) -> ResultBlock | None:
    """A single result with a link, if the best block is only lines of text or its values."""
    if best.split.linked > 0:
        return None
    single = find_single_block(finder)
    if single is None or len({link.url for link in _fresh_links(finder)}) > 1:
        return None
    item = single.split.items[0]
    is_value = item.first <= best.row < item.end
    is_apart = not any(i.first < item.end and item.first < i.end for i in best.split.items)
    return single if is_value or (is_apart and len(best.split.items) <= FEW) else None


def find_single_block(finder: BlockFinder) -> ResultBlock | None:
    """A single result on a page without any list: what stands around the first fresh link."""
    page, outline = finder.page, finder.page.outline
    item = next((link.row for link in _fresh_links(finder)), None)
    if item is None:
        return None
    for row in (item, *ancestors(outline, item)):
        above = outline.parents[row]
        # An item begins where something else stands before it.
        if outline.tags[row] in _ITEM_TAGS or above <= 0 or page.fresh_chars(above, row) > 0:
            item = row
            break
    part = PagePart(item, outline.ends[item], outline.tags[item])
    return finder.block_of(outline.parents[item], ItemSplit(EACH, (ListItem((part,)),), 1.0))


def _fresh_links(finder: BlockFinder) -> list[RowLink]:
    """Links with a text that no answer to nonsense has."""
    outline, page = finder.page.outline, finder.page
    links = finder.links.within(0, len(outline))
    return [a for a in links if len(outline.text(a.row)) >= _MIN_NAME_CHARS and page.is_fresh(a)]


def _seconds(
    finder: BlockFinder, main: Sequence[ResultBlock], candidates: Sequence[ResultBlock]
) -> list[ResultBlock]:
    """Other blocks that hold results too: as heavy, and leading to the same kind of addresses."""
    shapes = _usual_shapes(finder, main)
    best = max(block.weight for block in main)
    size = finder.chars_per_item(main)
    ends = finder.page.outline.ends
    found: list[ResultBlock] = []
    for block in sorted(candidates, key=lambda block: -block.weight)[:_MAX_SECONDS]:
        taken = (*main, *found)
        if any(block.row < ends[other.row] and other.row < ends[block.row] for other in taken):
            continue
        is_alike = bool(shapes) and _usual_shapes(finder, [block]) <= shapes
        is_heavy = (
            block.weight >= SECOND_WEIGHT * best
            and finder.chars_per_item([block]) >= _SECOND_SIZE * size
        )
        if is_alike and is_heavy and block.split.linked > 0.5:
            found.append(block)
    if not found:
        return []
    # Menus lead to the same kind of addresses as results: they must not look much worse.
    rows = np.array(measure_groups(finder, [list(main), *([block] for block in found)]))
    scores, odds = finder.scorer.score(rows), finder.scorer.weigh_odds(rows)
    is_as_good = (scores > _SECOND_SCORE * scores[0]) & (odds > _SECOND_ODDS)
    return [block for block, is_in in zip(found, is_as_good[1:], strict=True) if is_in]


def _usual_shapes(finder: BlockFinder, blocks: Sequence[ResultBlock]) -> set[str]:
    """The kinds of addresses that a fifth of the items or more lead to first."""
    items = [item for block in blocks for item in block.split.items]
    counts = shapes_of_first_links(finder, items)
    return {shape for shape, n in counts.items() if 5 * n >= counts.total()}
