"""A regression tree that grows while it learns: leaves split where that parts high from low.

Used by `tres`: its leaves divide the links that wait into groups of like ones.
"""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
_KEPT = 120
"""Examples kept in a leaf, the latest: enough to split by, and a bound on memory."""


class TreeNode(Struct):
    """A leaf, or a question with two answers."""

    depth: int
    count: float = 0.0
    total: float = 0.0
    column: int = -1
    """What the question is about; -1: a leaf."""
    border: float = 0.0
    low: int = 0
    high: int = 0
    """Where rows go that are below the border, or not."""
    examples: list[tuple[bytes, float]] = []


class RegressionTree:
    """Predicts the mean target of a row's leaf, drawn to that of all rows while it knows few."""

    def __init__(self, columns: int, most_depth: int = 18, least: int = 10) -> None:
        """`least` is the number of examples on each side of a split."""
        self._columns, self._most_depth, self._least = columns, most_depth, least
        self.nodes: list[TreeNode] = [TreeNode(0)]

    @property
    def leaves(self) -> int:
        return sum(node.column < 0 for node in self.nodes)

    def find_leaves(self, rows: Numbers) -> NDArray[np.int64]:
        """The leaf of each row."""
        columns = np.array([node.column for node in self.nodes])
        borders = np.array([node.border for node in self.nodes], np.float32)
        low = np.array([node.low for node in self.nodes])
        high = np.array([node.high for node in self.nodes])
        at = np.zeros(len(rows), np.int64)
        every = np.arange(len(rows))
        for _ in range(self._most_depth):
            asked = columns[at]
            is_question = asked >= 0
            if not is_question.any():
                break
            is_low = rows[every, np.maximum(asked, 0)] < borders[at]
            at = np.where(is_question, np.where(is_low, low[at], high[at]), at)
        return at

    def values(self) -> Numbers:
        """What each node predicts. Half of a leaf's word is its parent's until it knows five."""
        root = self.nodes[0]
        every = root.total / root.count if root.count else 0.0
        found = [(node.total + 5 * every) / (node.count + 5) for node in self.nodes]
        return np.array(found, np.float32)

    def learn(self, row: Numbers, target: float) -> None:
        """Take in one example, and split its leaf if that parts its examples well."""
        at = int(self.find_leaves(row[None])[0])
        self.nodes[0].count += at > 0
        self.nodes[0].total += target * (at > 0)
        leaf = self.nodes[at]
        leaf.count += 1
        leaf.total += target
        leaf.examples.append((row.astype(np.float32).tobytes(), target))
        if len(leaf.examples) > _KEPT:
            del leaf.examples[0]
        if len(leaf.examples) >= 2 * self._least and len(leaf.examples) % 5 == 0:
            self._split(at)

    def _split(self, at: int) -> None:
        leaf = self.nodes[at]
        if leaf.depth >= self._most_depth:
            return
        rows = np.array([np.frombuffer(row, np.float32) for row, _ in leaf.examples])
        targets = np.array([target for _, target in leaf.examples])
        best = find_split(rows, targets, self._least)
        if best is None:
            return
        leaf.column, leaf.border = best
        leaf.low, leaf.high = len(self.nodes), len(self.nodes) + 1
        is_low = rows[:, leaf.column] < leaf.border
        for side in (is_low, ~is_low):
            kept = [leaf.examples[place] for place in np.flatnonzero(side).tolist()]
            total = float(targets[side].sum())
            self.nodes.append(TreeNode(leaf.depth + 1, float(len(kept)), total, examples=kept))
        leaf.examples = []

    def describe(self, at: int, names: Sequence[str]) -> str:
        """The questions on the way to a node, in words."""
        told: list[str] = []
        node = 0
        while node != at and self.nodes[node].column >= 0:
            here = self.nodes[node]
            goes_low = self._holds(here.low, at)
            told.append(f"{names[here.column]} {'<' if goes_low else '>='} {here.border:.2g}")
            node = here.low if goes_low else here.high
        return ", ".join(told) or "all links"

    def _holds(self, root: int, at: int) -> bool:
        node = self.nodes[root]
        if root == at:
            return True
        return node.column >= 0 and (self._holds(node.low, at) or self._holds(node.high, at))


def find_split(rows: Numbers, targets: NDArray[np.float64], least: int) -> tuple[int, float] | None:
    """The column and border that lower the variance of the targets most; None if none does."""
    spread = float(((targets - targets.mean()) ** 2).sum())
    best, found = 1e-9 + 0.02 * spread, None
    for column in range(rows.shape[1]):
        order = np.argsort(rows[:, column], kind="stable")
        values, sums = rows[order, column], targets[order].cumsum()
        counts = np.arange(1, len(order))
        low = sums[:-1]
        between = low**2 / counts + (sums[-1] - low) ** 2 / (len(order) - counts)
        gains = between - sums[-1] ** 2 / len(order)
        is_border = (values[1:] > values[:-1]) & (counts >= least) & (len(order) - counts >= least)
        gains[~is_border] = 0.0
        at = int(gains.argmax())
        if gains[at] > best:
            best = float(gains[at])
            found = column, float((values[at] + values[at + 1]) / 2)
    return found
