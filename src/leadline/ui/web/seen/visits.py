"""The visits of a crawl as columns: 50 bytes each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from leadline.core.catalogue import Catalogue, VisitColumns
from leadline.core.url import Url
from leadline.frontier.sieve import text_hash
from leadline.ui.web.seen.column import Codes, Column

BATCH = 20_000
"""Visits read at a time."""
PAGE = "page"


class Visits:
    """All visits so far, in order of recording."""

    def __init__(self) -> None:
        self.mark = 0
        self.outcome_names = Codes()
        self.marks = Column("i8")
        self.numbers = Column("i8")
        self.sites = Column("i4")
        self.outcomes = Column("i2")
        self.ats = Column("f8")
        self.forms = Column("i4")
        self.ends = Column("u8")
        """Hashes of where redirects led; 0 where there was none."""
        self.of_site = Column("i8")
        """How many each site got."""
        self.size_bytes = 0
        self.requests = 0

    def __len__(self) -> int:
        return len(self.marks)

    def catch_up(self, catalogue: Catalogue) -> None:
        while (found := catalogue.visits(self.mark, BATCH)).marks:
            self._take(found)

    @property
    def are_pages(self) -> NDArray[np.bool_]:
        is_page: NDArray[np.bool_] = self.outcomes.cells == self.outcome_names.find(PAGE)
        return is_page

    def by_outcome(self) -> dict[str, int]:
        """Most first."""
        counted = np.bincount(self.outcomes.cells, minlength=len(self.outcome_names.words))
        pairs = zip(self.outcome_names.words, counted.tolist(), strict=True)
        return dict(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))

    def ending_at(self, url: Url) -> int | None:
        """The mark of the first visit that was redirected there."""
        found = np.flatnonzero(self.ends.cells == np.uint64(text_hash(url)))
        return int(self.marks.cells[found[0]]) if len(found) else None

    def marks_of_site(self, site: int) -> list[int]:
        marks: list[int] = self.marks.cells[self.sites.cells == site].tolist()
        return marks

    def _take(self, found: VisitColumns) -> None:
        self.mark = found.marks[-1]
        self.marks.extend(found.marks)
        self.numbers.extend(found.numbers)
        sites = _array(found.sites, "i4")
        self.sites.extend(sites)
        self.outcomes.extend([self.outcome_names[outcome] for outcome in found.outcomes])
        self.ats.extend(found.ats)
        self.forms.extend(found.forms)
        self.ends.extend([0 if end is None else text_hash(end) for end in found.ends])
        counted = np.bincount(sites)
        self.of_site.grow_to(len(counted))
        self.of_site.cells[: len(counted)] += counted
        self.size_bytes += sum(found.sizes)
        self.requests += sum(found.requests)


def _array(values: object, kind: str) -> NDArray[Any]:
    return np.asarray(values, kind)
