"""C4.5 decision trees over numbers: Quinlan, "C4.5: Programs for Machine Learning" (1993).

A node is split at the cut with the best gain ratio among the features whose information
gain is at least average. The gain of a feature is reduced by log2(cuts) / rows, the cost
of naming its cut (Quinlan 1996). The grown tree is pruned bottom up where a leaf, or the
larger branch in the place of the whole, promises no more errors: the promise is the upper
bound of a binomial error rate at confidence CF. Missing values and discrete features are
left out, since forms have neither.
"""

import math
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Rows = NDArray[np.float64]
Labels = NDArray[np.int64]
Numbers = NDArray[np.float64]

_LEAF = -1
_SLACK = 0.1
"""Errors by which a simpler tree may be worse and still replaces the other: C4.5's own value."""
_NEAR = 1e-3
"""Gains this much below the average count as average: sums of logarithms are not exact."""


class Growth(Struct, frozen=True):
    """How far a tree grows and how hard it is cut back. Quinlan's values."""

    min_leaf: int = 2
    """Rows on each side of a split, at least."""
    confidence: float = 0.25
    """CF: smaller prunes more."""


class Tree(Struct, frozen=True, eq=False):
    """A tree as arrays, one cell per node; node 0 is the root. Never changed."""

    feature: NDArray[np.int32]
    """The column a node asks for; -1 at a leaf."""
    cut: Numbers
    """Rows at or below it go to `below`, the others to `above`."""
    below: NDArray[np.int32]
    above: NDArray[np.int32]
    counts: NDArray[np.int64]
    """counts[node, class]: training rows that came by."""

    def leaves(self, rows: Rows) -> NDArray[np.int64]:
        """The leaf each row ends in."""
        # All rows go down together, level by level.
        at = np.zeros(len(rows), np.int64)
        going = np.flatnonzero(self.feature[at] != _LEAF)
        while len(going):
            node = at[going]
            is_below = rows[going, self.feature[node]] <= self.cut[node]
            at[going] = np.where(is_below, self.below[node], self.above[node])
            going = going[self.feature[at[going]] != _LEAF]
        return at

    def chances(self, rows: Rows) -> Numbers:
        """Of each class by Laplace's rule at the leaf: one row per row, one column per class."""
        return self._shares()[self.leaves(rows)]

    def path(self, row: Numbers) -> list[tuple[int, Numbers]]:
        """The features asked on the way down, each with what its answer adds to the chances."""
        shares, node, steps = self._shares(), 0, []
        while (feature := int(self.feature[node])) != _LEAF:
            is_below = row[feature] <= self.cut[node]
            child = int(self.below[node] if is_below else self.above[node])
            steps.append((feature, shares[child] - shares[node]))
            node = child
        return steps

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        return {name: getattr(self, name) for name in self.__struct_fields__}

    def _shares(self) -> Numbers:
        smoothed = self.counts + 1.0
        shares: Numbers = smoothed / smoothed.sum(axis=1, keepdims=True)
        return shares


def fit_tree(rows: Rows, labels: Labels, growth: Growth | None = None) -> Tree:
    """Grows and prunes a tree. Labels are numbers from 0. The same rows give the same tree."""
    if not len(rows) or len(rows) != len(labels):
        raise ValueError(f"{len(rows)} rows and {len(labels)} labels: need one each")
    growth = growth or Growth()
    classes = int(labels.max()) + 1
    root = _grow(rows, np.eye(classes, dtype=np.int64)[labels], growth)
    return _as_arrays(_prune(root, rows, np.eye(classes, dtype=np.int64)[labels], growth))


class _Node(NamedTuple):
    counts: NDArray[np.int64]
    feature: int = _LEAF
    cut: float = 0.0
    branches: tuple["_Node", ...] = ()
    """Below and above; none at a leaf."""


class _Split(NamedTuple):
    feature: int
    cut: float
    gain: float
    ratio: float


def _grow(rows: Rows, marks: NDArray[np.int64], growth: Growth) -> _Node:
    """`marks` has a 1 in the column of each row's class."""
    leaf = _Node(marks.sum(axis=0))
    if len(rows) < 2 * growth.min_leaf or leaf.counts.max() == len(rows):
        return leaf
    split = _best_split(rows, marks, growth.min_leaf)
    if split is None:
        return leaf
    is_below = rows[:, split.feature] <= split.cut
    branches = tuple(_grow(rows[side], marks[side], growth) for side in (is_below, ~is_below))
    return _Node(leaf.counts, split.feature, split.cut, branches)


def _best_split(rows: Rows, marks: NDArray[np.int64], min_leaf: int) -> _Split | None:
    tried = (_split(rows, marks, feature, min_leaf) for feature in range(rows.shape[1]))
    splits = [split for split in tried if split is not None and split.gain > 0]
    if not splits:
        return None
    # The ratio alone would favour cuts that part off a few rows, so only splits of at least average
    # gain compete by it (Quinlan 1993, section 2.2).
    average = sum(split.gain for split in splits) / len(splits)
    worthy = (split for split in splits if split.gain >= average - _NEAR)
    return max(worthy, key=lambda split: split.ratio)


def _split(rows: Rows, marks: NDArray[np.int64], feature: int, min_leaf: int) -> _Split | None:
    """The cut of one feature with the highest gain; None where no cut is allowed."""
    order = np.argsort(rows[:, feature], kind="stable")
    values, total = rows[order, feature], len(order)
    below = marks[order].cumsum(axis=0)[:-1]
    sizes = np.arange(1, total)
    is_cut = values[1:] > values[:-1]
    allowed = np.flatnonzero(is_cut & (sizes >= min_leaf) & (total - sizes >= min_leaf))
    if not len(allowed):
        return None
    below, size = below[allowed], sizes[allowed]
    every = marks.sum(axis=0)
    inside = (size * _entropy(below) + (total - size) * _entropy(every - below)) / total
    best = int(inside.argmin())
    # The subtracted term is the cost of naming the cut (Quinlan 1996).
    gain = float(_entropy(every[None])[0] - inside[best]) - math.log2(len(allowed)) / total
    sides = np.array([[size[best], total - size[best]]])
    at = allowed[best]
    return _Split(
        feature, float((values[at] + values[at + 1]) / 2), gain, gain / float(_entropy(sides)[0])
    )


def _entropy(counts: NDArray[np.int64]) -> Numbers:
    """In bits, of each row of counts."""
    total = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(total, 1)
    bits = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    entropy: Numbers = -(shares * bits).sum(axis=1)
    return entropy


def _prune(node: _Node, rows: Rows, marks: NDArray[np.int64], growth: Growth) -> _Node:
    """The subtree, its larger branch or a leaf: whichever has the fewest expected errors."""
    counts = marks.sum(axis=0)
    leaf = _Node(counts)
    if not node.branches:
        return leaf
    is_below = rows[:, node.feature] <= node.cut
    branches = tuple(
        _prune(branch, rows[side], marks[side], growth)
        for branch, side in zip(node.branches, (is_below, ~is_below), strict=True)
    )
    kept = node._replace(counts=counts, branches=branches)
    larger = _recount(max(branches, key=lambda branch: int(branch.counts.sum())), rows, marks)
    whole, raised, single = (_expected_errors(tree, growth) for tree in (kept, larger, leaf))
    if single <= whole + _SLACK and single <= raised + _SLACK:
        return leaf
    # The raised branch sees rows it was not grown on, so it is pruned once more.
    if raised <= whole + _SLACK:
        return _prune(larger, rows, marks, growth)
    return kept


def _recount(node: _Node, rows: Rows, marks: NDArray[np.int64]) -> _Node:
    """The same tree with the counts of other rows."""
    counts = marks.sum(axis=0)
    if not node.branches:
        return _Node(counts)
    is_below = rows[:, node.feature] <= node.cut
    branches = tuple(
        _recount(branch, rows[side], marks[side])
        for branch, side in zip(node.branches, (is_below, ~is_below), strict=True)
    )
    return node._replace(counts=counts, branches=branches)


def _expected_errors(node: _Node, growth: Growth) -> float:
    """Errors to expect on as many new rows as the node has, at the upper bound of the rate."""
    if node.branches:
        return sum(_expected_errors(branch, growth) for branch in node.branches)
    rows = int(node.counts.sum())
    errors = rows - int(node.counts.max())
    return errors + extra_errors(rows, errors, growth.confidence)


def extra_errors(rows: int, errors: float, confidence: float) -> float:
    """Errors to add to those seen to reach the upper bound of their rate.

    >>> round(extra_errors(6, 0, 0.25), 3), round(6 * (1 - 0.25 ** (1 / 6)), 3)
    (1.238, 1.238)
    """
    if rows == 0:
        return 0.0
    # Between no error and one, the bound is interpolated, as in C4.5.
    if errors < 1:
        none: float = rows * (1 - confidence ** (1 / rows))
        return none + errors * (extra_errors(rows, 1, confidence) - none) if errors else none
    if errors + 0.5 >= rows:
        return max(rows - errors, 0.0)
    z: float = NormalDist().inv_cdf(1 - confidence)
    rate = (errors + 0.5) / rows
    spread = math.sqrt(rate / rows - rate**2 / rows + z**2 / (4 * rows**2))
    bound = (rate + z**2 / (2 * rows) + z * spread) / (1 + z**2 / rows)
    return bound * rows - errors


def _as_arrays(root: _Node) -> Tree:
    """Nodes level by level, so that branches stand after their node."""
    nodes, below, above = [root], [], []
    for node in nodes:
        below.append(len(nodes) if node.branches else _LEAF)
        above.append(len(nodes) + 1 if node.branches else _LEAF)
        nodes += node.branches
    return Tree(
        np.array([node.feature if node.branches else _LEAF for node in nodes], np.int32),
        np.array([node.cut for node in nodes]),
        np.array(below, np.int32),
        np.array(above, np.int32),
        np.array([node.counts for node in nodes]),
    )
