"""The waiting links held in memory, as columns."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.frontier.ranks import Ranks

Ids = NDArray[np.int64]
Slots = NDArray[np.int64]

FREE = -1
FIRST_CAPACITY = 1024


class Rows:
    """A table of links by slot: 20 bytes and `width` feature ids each.

    A freed slot is used again before the table grows, and it grows by doubling.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self._top = 0
        self._free: list[int] = []
        self._allocate(FIRST_CAPACITY)

    def __len__(self) -> int:
        return self._top - len(self._free)

    def add(
        self,
        ids: Sequence[int],
        sites: Sequence[int],
        ranks: Sequence[int],
        features: Sequence[bytes],
    ) -> list[int]:
        """Keep one row per id, with features as candidates hold them; the slots they got."""
        slots = self._claim(len(ids))
        id_cells, site_cells, rank_cells, feature_bytes = self._cells
        size = 4 * self.width
        for at, slot in enumerate(slots):
            id_cells[slot] = ids[at]
            site_cells[slot] = sites[at]
            rank_cells[slot] = ranks[at]
            if size:
                feature_bytes[slot * size : (slot + 1) * size] = fitted(features[at], size)
        return slots

    def free(self, slots: Sequence[int]) -> None:
        id_cells = self._cells[0]
        for slot in slots:
            id_cells[slot] = FREE
        self._free.extend(slots)

    def live(self) -> Slots:
        """The slots in use."""
        return np.flatnonzero(self.ids[: self._top] != FREE)

    def _claim(self, count: int) -> list[int]:
        again = min(count, len(self._free))
        slots = [self._free.pop() for _ in range(again)]
        fresh = count - again
        if self._top + fresh > len(self.ids):
            self._grow(self._top + fresh)
        slots.extend(range(self._top, self._top + fresh))
        self._top += fresh
        return slots

    def _grow(self, needed: int) -> None:
        ids, sites, ranks, features = self.ids, self.sites, self.ranks, self.features
        capacity = len(ids)
        while capacity < needed:
            capacity *= 2
        self._allocate(capacity)
        self.ids[: len(ids)] = ids
        self.sites[: len(ids)] = sites
        self.ranks[: len(ids)] = ranks
        self.features[: len(ids)] = features

    def _allocate(self, capacity: int) -> None:
        self.ids: Ids = np.full(capacity, FREE, np.int64)
        self.sites: NDArray[np.int32] = np.zeros(capacity, np.int32)
        self.ranks: Ranks = np.zeros(capacity, np.int64)
        self.features: FeatureRows = np.zeros((capacity, self.width), np.int32)
        # For a dozen rows, writing through memoryviews costs a third of numpy's indexing.
        flat = self.features.reshape(-1).view(np.uint8)
        self._cells = self.ids.data, self.sites.data, self.ranks.data, flat.data


def fitted(features: bytes, size: int) -> bytes:
    """Features cut or filled with zeros to `size` bytes."""
    return features if len(features) == size else features[:size].ljust(size, b"\0")


def feature_rows(features: Sequence[bytes], width: int) -> FeatureRows:
    """Features as candidates hold them, one row of `width` each."""
    joined = b"".join([fitted(row, 4 * width) for row in features])
    return np.frombuffer(joined, np.dtype("<i4")).reshape(len(features), width)
