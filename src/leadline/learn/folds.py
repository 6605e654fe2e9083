"""Folds for cross-validation that keep what belongs together apart from what tests it."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import xxhash
from numpy.typing import NDArray


def grouped_folds(groups: Sequence[str], folds: int, seed: int = 0) -> NDArray[np.int64]:
    """The fold of each row; rows of one group share theirs, and folds are about equally large.

    The largest groups are dealt out first, each to the smallest fold. Equal for equal groups
    and seed; groups of equal size are shuffled by the seed.
    """
    sizes = Counter(groups)
    if len(sizes) < folds:
        raise ValueError(f"{len(sizes)} groups cannot fill {folds} folds")
    dealt = sorted(sizes, key=lambda group: (-sizes[group], _shuffled(group, seed)))
    loads, fold_of = [0] * folds, {}
    for group in dealt:
        fold_of[group] = loads.index(min(loads))
        loads[fold_of[group]] += sizes[group]
    return np.array([fold_of[group] for group in groups], np.int64)


def _shuffled(group: str, seed: int) -> int:
    return xxhash.xxh3_64_intdigest(group.encode("utf-8", "replace"), seed)
