"""Sorts more links than fit into memory: sorted runs on disk, merged piece by piece."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
"""Links as numbers: the target in the upper 32 bits, the source in the lower."""

RUN_KEYS = 4_000_000
"""Links sorted at a time: 32 MB, some 100 MB with what sorting and merging need besides."""
_LOWER = np.uint64(0xFFFF_FFFF)


class SortedLinks:
    """Takes in links in any order, then gives them back sorted and each once."""

    def __init__(self, path: Path, run_keys: int = RUN_KEYS) -> None:
        """`path` is a file of its own; whoever names it deletes it."""
        self._path = path
        self._run_keys = run_keys
        self._waiting: list[Keys] = []
        self._ends = [0]
        """Where each run ends in the file."""

    def add(self, keys: Keys) -> None:
        self._waiting.append(keys)
        if sum(map(len, self._waiting)) >= self._run_keys:
            self._write_run()

    def merged(self) -> Iterator[Keys]:
        """All of them, in pieces. All links to one target come in the same piece, so that a
        piece may be larger than a run where one host gets very many."""
        self._write_run()
        if self._ends[-1] == 0:
            return
        runs = np.memmap(self._path, np.uint64, "r")
        left = [runs[start:end] for start, end in zip(self._ends, self._ends[1:], strict=False)]
        ahead = max(1, self._run_keys // len(left))
        while left := [run for run in left if len(run)]:
            # Each run gives at most `ahead` and the rest of one target's.
            last = min(run[min(ahead, len(run)) - 1] for run in left) | _LOWER
            cuts = [int(np.searchsorted(run, last, side="right")) for run in left]
            yield _distinct(
                np.concatenate([run[:cut] for run, cut in zip(left, cuts, strict=True)])
            )
            left = [run[cut:] for run, cut in zip(left, cuts, strict=True)]

    def _write_run(self) -> None:
        if not self._waiting:
            return
        run = np.sort(np.concatenate(self._waiting))
        self._waiting.clear()
        with self._path.open("ab") as file:
            file.write(run.data)
        self._ends.append(self._ends[-1] + len(run))


def _distinct(keys: Keys) -> Keys:
    """Sorted in place, each once: np.unique hashes instead, and takes far longer."""
    keys.sort()
    is_first = np.ones(len(keys), np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=is_first[1:])
    return keys[is_first]
