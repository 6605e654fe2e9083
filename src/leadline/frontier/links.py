"""Waiting links as columns: those in memory with their features, and those spilled from memory.

Of a spilled link its site, rank and number stay here, 20 bytes; its features are in the store.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows
from leadline.frontier.ranks import NOWHERE, Ranks, place_of

Ids = NDArray[np.int64]
Slots = NDArray[np.int64]

FREE = -1
FIRST_CAPACITY = 1024
Sites = NDArray[np.int32]
POSITION_BITS = 32
POSITION_MASK = (1 << POSITION_BITS) - 1


class LinkRows:
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
                feature_bytes[slot * size : (slot + 1) * size] = fit_features(features[at], size)
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


def fit_features(features: bytes, size: int) -> bytes:
    """Features cut or filled with zeros to `size` bytes."""
    return features if len(features) == size else features[:size].ljust(size, b"\0")


def feature_rows(features: Sequence[bytes], width: int) -> FeatureRows:
    """Features as candidates hold them, one row of `width` each."""
    joined = b"".join([fit_features(row, 4 * width) for row in features])
    return np.frombuffer(joined, np.dtype("<i4")).reshape(len(features), width)


class LinkColumns(NamedTuple):
    """Links as columns."""

    sites: Sites
    ranks: Ranks
    ids: Ids

    def pick(self, rows: slice | NDArray[np.bool] | NDArray[np.intp]) -> "LinkColumns":
        return LinkColumns(self.sites[rows], self.ranks[rows], self.ids[rows])


def sort_links(links: LinkColumns) -> NDArray[np.intp]:
    """The rows by site, rank and id: `np.lexsort`, in half its time."""
    rows = np.argsort(links.ids, kind="stable")
    rows = rows[np.argsort(links.ranks[rows], kind="stable")]
    # Site and position fit into one integer, which sorts without being asked to be stable.
    packed = (links.sites[rows].astype(np.int64) << POSITION_BITS) | np.arange(len(rows))
    packed.sort()
    ordered: NDArray[np.intp] = rows[packed & POSITION_MASK]
    return ordered


class SpilledSegment:
    """LinkColumns links in order of (site, rank, id). Each site's are used up from its best on."""

    def __init__(self, links: LinkColumns) -> None:
        self.links = links.pick(sort_links(links))
        sites = self.links.sites
        self.begins = np.flatnonzero(np.concatenate([[True], sites[1:] != sites[:-1]]))
        self.numbers = sites[self.begins]
        self.starts = self.begins.copy()
        self.ends = np.append(self.begins[1:], len(sites))

    def __len__(self) -> int:
        return len(self.links.ids)

    def find(self, site: int) -> int | None:
        """Where the site stands among the segment's sites, if anything of it is left."""
        at = int(np.searchsorted(self.numbers, site))
        is_here = at < len(self.numbers) and self.numbers[at] == site
        return at if is_here and self.starts[at] < self.ends[at] else None

    def pick_remaining(self) -> LinkColumns:
        is_left = np.arange(len(self)) >= np.repeat(self.starts, self.ends - self.begins)
        return self.links.pick(is_left)


class SpilledLinks:
    """The links whose rows are only in the store, best first within each site.

    20 bytes a link. Segments are merged as they pile up, each at least twice
    its follower, so that there are few to look through and each link is
    sorted again only log2(n) times.
    """

    def __init__(self) -> None:
        self._segments: list[SpilledSegment] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, links: LinkColumns) -> None:
        if not len(links.ids):
            return
        self._count += len(links.ids)
        self._segments.append(SpilledSegment(links))
        while len(self._segments) > 1 and len(self._segments[-2]) < 2 * len(self._segments[-1]):
            self._merge(self._segments[-2:])

    def best(self, site: int) -> int:
        """The place of the site's best link here, or NOWHERE."""
        places = [NOWHERE]
        for segment, at in self._find_segments(site):
            row = segment.starts[at]
            places.append(place_of(int(segment.links.ranks[row]), int(segment.links.ids[row])))
        return min(places)

    def bests(self) -> Iterator[tuple[int, int]]:
        """Sites and the places of links of theirs, the best of each among them."""
        for segment in self._segments:
            has_more = segment.starts < segment.ends
            rows = segment.starts[has_more]
            ranks, ids = segment.links.ranks[rows].tolist(), segment.links.ids[rows].tolist()
            places = map(place_of, ranks, ids)
            yield from zip(segment.numbers[has_more].tolist(), places, strict=True)

    def pull(self, site: int, n: int) -> tuple[list[int], list[int]]:
        """Take out the site's best `n` links: their ids and ranks."""
        holding = list(self._find_segments(site))
        spans = [
            slice(segment.starts[at], min(segment.starts[at] + n, segment.ends[at]))
            for segment, at in holding
        ]
        pairs = list(zip(holding, spans, strict=True))
        ids = np.concatenate([segment.links.ids[span] for (segment, _), span in pairs])
        ranks = np.concatenate([segment.links.ranks[span] for (segment, _), span in pairs])
        source = np.repeat(np.arange(len(spans)), [span.stop - span.start for span in spans])
        chosen = np.lexsort((ids, ranks))[:n]
        for number, (segment, at) in enumerate(holding):
            segment.starts[at] += np.count_nonzero(source[chosen] == number)
        self._count -= len(chosen)
        return ids[chosen].tolist(), ranks[chosen].tolist()

    def ranks(self, site: int) -> Ranks:
        """The ranks of a site's links here, in no promised order."""
        found = [
            segment.links.ranks[segment.starts[at] : segment.ends[at]]
            for segment, at in self._find_segments(site)
        ]
        return np.concatenate(found) if found else np.empty(0, np.int64)

    def drop(self, site: int) -> int:
        """Forget a site's links; how many there were."""
        dropped = 0
        for segment, at in self._find_segments(site):
            dropped += int(segment.ends[at] - segment.starts[at])
            segment.starts[at] = segment.ends[at]
        self._count -= dropped
        return dropped

    def links(self) -> LinkColumns:
        """Everything here, in no promised order."""
        return _join(self._segments)

    def clear(self) -> None:
        self._segments, self._count = [], 0

    def _find_segments(self, site: int) -> Iterator[tuple[SpilledSegment, int]]:
        for segment in self._segments:
            at = segment.find(site)
            if at is not None:
                yield segment, at

    def _merge(self, segments: list[SpilledSegment]) -> None:
        joined = _join(segments)
        del self._segments[-len(segments) :]
        if len(joined.ids):
            self._segments.append(SpilledSegment(joined))


def _join(segments: list[SpilledSegment]) -> LinkColumns:
    if not segments:
        return LinkColumns(np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.int64))
    lefts = [segment.pick_remaining() for segment in segments]
    return LinkColumns(
        np.concatenate([left.sites for left in lefts]),
        np.concatenate([left.ranks for left in lefts]),
        np.concatenate([left.ids for left in lefts]),
    )
