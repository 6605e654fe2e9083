"""The link tree: a page's links shared out among the directories of its site."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from leadline.core.url import Url, path_of

REST = "#"
"""The node that small directories are merged into."""


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
