"""The links that stay on their site: ranked, deduplicated, and shared out by the link tree."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from leadline.core.crawl import PageView, Priority, Skip
from leadline.core.url import Url, path_of, site_of
from leadline.strategies.smart.memory import query_pattern
from leadline.strategies.smart.ranking import InsideLinkRanker
from leadline.strategies.smart.settings import SmartCrawlerSettings

REST = "#"
"""The node that small directories are merged into."""
Verdicts = dict[int, Priority | Skip]
"""By the number of the link."""
_TWIN = Skip("differs from others in its query only")
_SURPLUS = Skip("more of its directory than its share")


class Leaf(NamedTuple):
    """A link of the tree."""

    number: int
    folders: tuple[str, ...]
    score: float


def leaf_of(number: int, url: Url, score: float) -> Leaf:
    path = path_of(url).partition("?")[0]
    return Leaf(number, tuple(path.split("/")[1:-1]), score)


def pick_balanced(leaves: Sequence[Leaf], most: int, *, evenly: bool = False) -> set[int]:
    """The numbers of at most `most` links: each directory's best, as many as its share."""
    return {leaf.number for leaf in _pick(leaves, most, 0, evenly)}


def _pick(leaves: Sequence[Leaf], most: int, level: int, evenly: bool) -> list[Leaf]:
    """Of the links under one node, whose directories have the same first `level` names."""
    if len(leaves) <= most:
        return list(leaves)
    nodes = _group_by_folder(leaves, level)
    if len(nodes) == 1:
        is_bottom = "" in nodes
        return _best(leaves, most) if is_bottom else _pick(leaves, most, level + 1, evenly)
    sizes = {name: len(node) for name, node in nodes.items()}
    counts = even_counts(sizes, most) if evenly else merged_counts(sizes, most)
    picked = []
    for name, count in counts.items():
        if name == REST:
            rest = [leaf for other in nodes if other not in counts for leaf in nodes[other]]
            picked += _best(rest, count)
        elif name:
            picked += _pick(nodes[name], count, level + 1, evenly)
        else:
            picked += _best(nodes[name], count)
    return picked


def _group_by_folder(leaves: Sequence[Leaf], level: int) -> dict[str, list[Leaf]]:
    """The links by their directory of that level; '' for those that lie in none."""
    nodes: dict[str, list[Leaf]] = defaultdict(list)
    for leaf in leaves:
        # A directory may be called like the merged node: its slash tells them apart.
        nodes[leaf.folders[level] + "/" if len(leaf.folders) > level else ""].append(leaf)
    return nodes


def _best(leaves: Sequence[Leaf], most: int) -> list[Leaf]:
    return sorted(leaves, key=lambda leaf: (-leaf.score, leaf.number))[:most]


def merged_counts(sizes: Mapping[str, int], most: int) -> dict[str, int]:
    """How many links of each node are visited: C = M V/N, nodes with C < 1 merged into one.

    >>> merged_counts({"books": 40, "servlet": 5, "docs": 3, "a": 1, "b": 1}, 10)
    {'books': 8, 'servlet': 1, '#': 1}
    """
    total = sum(sizes.values())
    kept = {name: size for name, size in sizes.items() if size * most >= total}
    if len(kept) < len(sizes):
        kept[REST] = total - sum(kept.values())
    counts = {name: size * most // total for name, size in kept.items()}
    by_remainder = sorted(kept, key=lambda name: (-(kept[name] * most % total), name))
    if counts.get(REST) == 0:
        counts[REST] = 1
        by_remainder.remove(REST)
    for name in by_remainder[: max(0, most - sum(counts.values()))]:
        counts[name] += 1
    if sum(counts.values()) > most:
        counts[max(counts, key=lambda name: (counts[name], name))] -= 1
    return counts


def even_counts(sizes: Mapping[str, int], most: int) -> dict[str, int]:
    """The same number for every node, and what small ones leave for the others."""
    counts: dict[str, int] = {}
    for left, (name, size) in enumerate(sorted(sizes.items(), key=lambda item: (item[1], item[0]))):
        nodes = len(sizes) - left
        counts[name] = min(size, -(-(most - sum(counts.values())) // nodes))
    return counts


class InsideLinks(NamedTuple):
    """What becomes of the links that stay."""

    verdicts: Verdicts
    queries: dict[int, int]
    """Links with queries that are to be followed, by pattern."""


def find_inside_links(view: PageView) -> list[int]:
    """The numbers of the links that stay."""
    here = site_of(view.page.url)
    return [number for number, site in enumerate(view.sites) if site == here]


def rank_inside(
    view: PageView,
    ranker: InsideLinkRanker,
    taken: Mapping[int, int],
    settings: SmartCrawlerSettings,
) -> InsideLinks:
    """All of them are to be followed, but for those the link tree leaves out.

    `taken` counts the links with queries that were followed before, by pattern.
    """
    numbers, depth = find_inside_links(view), view.candidate.depth + 1
    if depth > settings.max_depth:
        why = Skip(f"deeper than {settings.max_depth} links (SC1)")
        return InsideLinks(dict.fromkeys(numbers, why), {})
    if settings.link_ranking and numbers:
        every = len(numbers) == len(view.links)
        scores = ranker.ranks(view.features if every else view.features[numbers]).tolist()
    else:
        scores = [0.0] * len(numbers)
    # A site's links compete with each other only, so levels count from 0.
    verdicts: Verdicts = {
        number: Priority(depth - 1, score, "link rank")
        for number, score in zip(numbers, scores, strict=True)
    }
    patterns = _find_patterns(view, numbers, settings)
    if settings.link_tree:
        twins = _find_twins(patterns, taken, settings)
        verdicts |= dict.fromkeys(twins, _TWIN)
        verdicts |= dict.fromkeys(_find_surplus(view, verdicts, settings), _SURPLUS)
    followed = (
        pattern for number, pattern in patterns.items() if isinstance(verdicts[number], Priority)
    )
    return InsideLinks(verdicts, dict(Counter(followed)) if patterns else {})


def _find_patterns(
    view: PageView, numbers: Iterable[int], settings: SmartCrawlerSettings
) -> dict[int, int]:
    """The patterns of the links that have a query."""
    by_path, links = settings.same_query == "path", view.links
    return {
        number: query_pattern(links[number].target, by_path=by_path)
        for number in numbers
        if "?" in links[number].target
    }


def _find_twins(
    patterns: Mapping[int, int], taken: Mapping[int, int], settings: SmartCrawlerSettings
) -> list[int]:
    """Links beyond the first few of their path and kind of query."""
    if settings.same_query == "never":
        return []
    most = 1 if settings.same_query == "path" else settings.query_links
    counts: dict[int, int] = {}
    twins = []
    for number, pattern in patterns.items():
        counts[pattern] = counts.get(pattern, taken.get(pattern, 0)) + 1
        if counts[pattern] > most:
            twins.append(number)
    return twins


def _find_surplus(view: PageView, verdicts: Verdicts, settings: SmartCrawlerSettings) -> list[int]:
    """Links beyond the share of their directory."""
    if len(verdicts) <= settings.site_pages:
        return []
    scored = {n: rank.score for n, rank in verdicts.items() if isinstance(rank, Priority)}
    if len(scored) <= settings.site_pages:
        return []
    leaves = [leaf_of(number, view.links[number].target, scored[number]) for number in scored]
    picked = pick_balanced(leaves, settings.site_pages, evenly=settings.sharing == "even")
    return [number for number in scored if number not in picked]
