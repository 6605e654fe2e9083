"""The sites of a crawl as columns."""

import numpy as np
from numpy.typing import NDArray

from leadline.core.catalogue import Catalogue, StateEntry
from leadline.core.url import Site
from leadline.ui.web.seen.column import Codes, Column

_BLOCKS = 2_000
"""Blocks of arrivals read at a time."""
_COUNTS = ("pages", "forms", "searchable", "errors", "errors_in_a_row")


class Sites:
    """Every site met so far by its number, as its last state and rank say."""

    def __init__(self) -> None:
        self.names: list[Site] = []
        self._numbers: dict[Site, int] = {}
        self.reasons = Codes()
        """Why sites are asked no more; the first one is '': open."""
        self.reasons[""]
        self.counts = {name: Column("i4") for name in _COUNTS}
        self.ready_at = Column("f8")
        self.delay_s = Column("f8")
        self.closed = Column("i2")
        self.tiers = Column("i4")
        """-1 for a site without a rank of its own."""
        self.scores = Column("f8")
        self.followed = Column("i8")
        """Candidates of each site that were not skipped."""
        self.known = 0
        self.skipped = 0
        self._places: NDArray[np.int64] = np.zeros(0, np.int64)
        self._state_mark = self._rank_mark = self._arrival_mark = 0

    def __len__(self) -> int:
        return len(self.names)

    def catch_up(self, catalogue: Catalogue) -> None:
        states, ranks = catalogue.states(self._state_mark), catalogue.ranks(self._rank_mark)
        self._count_arrivals(catalogue)
        # Names last: whatever was read before is of a site that has one.
        self._name(catalogue.sites(len(self.names)))
        for entry in states:
            self._take_state(entry)
        for rank in ranks:
            self._rank_mark = max(self._rank_mark, rank.mark)
            self.tiers.cells[rank.site] = -1 if rank.rank is None else rank.rank.tier
            self.scores.cells[rank.site] = 0.0 if rank.rank is None else rank.rank.score

    def find(self, site: str) -> int | None:
        return self._numbers.get(Site(site))

    def places(self) -> NDArray[np.int64]:
        """Where each site stands when all are sorted by name; sorted anew when there are more."""
        if len(self._places) != len(self.names):
            order = sorted(range(len(self.names)), key=self.names.__getitem__)
            self._places = np.zeros(len(order), np.int64)
            self._places[order] = np.arange(len(order))
        return self._places

    def waiting(self, visited: Column) -> int:
        """Candidates neither visited nor skipped, on open sites."""
        left = self.followed.cells.copy()
        visited.grow_to(len(left))
        left -= visited.cells[: len(left)]
        return int(left[self.closed.cells == 0].sum())

    def _name(self, found: list[Site]) -> None:
        before = len(self.names)
        self.names += found
        self._numbers.update(zip(found, range(before, len(self.names)), strict=True))
        columns = (*self.counts.values(), self.ready_at, self.delay_s, self.closed)
        for column in (*columns, self.tiers, self.scores, self.followed):
            column.grow_to(len(self.names))
        self.tiers.cells[before:] = -1

    def _take_state(self, entry: StateEntry) -> None:
        state, at = entry.state, entry.site
        self._state_mark = max(self._state_mark, entry.mark)
        for name, column in self.counts.items():
            column.cells[at] = getattr(state, name)
        self.ready_at.cells[at] = state.ready_at
        self.delay_s.cells[at] = state.delay_s
        self.closed.cells[at] = self.reasons[without_numbers(state.closed)]

    def _count_arrivals(self, catalogue: Catalogue) -> None:
        while found := catalogue.arrivals(self._arrival_mark, _BLOCKS):
            for block in found:
                counted = np.bincount(block.sites[~block.are_skipped])
                self.followed.grow_to(len(counted))
                self.followed.cells[: len(counted)] += counted
                self.known += len(block.sites)
                self.skipped += int(np.count_nonzero(block.are_skipped))
            self._arrival_mark = found[-1].last


def without_numbers(reason: str) -> str:
    """Reasons that differ only in a count are one.

    >>> without_numbers("gave up after 8 failures in a row")
    'gave up after N failures in a row'
    """
    return " ".join("N" if word.isdecimal() else word for word in reason.split())
