"""Which of several sources the next request of a common budget goes to. No I/O.

The value of a source is the number of new records that one more request is expected to bring: a
Gamma distribution over its recent yield, begun at what the other sources brought at first. The
best goes ahead; another one does when a draw from its own distribution reaches the best one's mean,
which is seldom when it is poor and often when little is known of it (Thompson sampling). A crawl
competes as well: its pages find doors, and a door brings what sources brought so far.
"""

import random
from collections.abc import Collection

from msgspec import Struct

_MEMORY_REQUESTS = 30.0
"""A source's yield falls while it is emptied: evidence older than this many of its requests counts
for little. About the requests after which the harvests measured in `docs/harvest-limits.md` change
from pages full of new records to repeats."""
_EARLY_REQUESTS = 30
"""A source's first requests, its survey among them, tell what to expect of one not yet asked."""
_PRIOR_REQUESTS = 3.0
"""What the expectation of a new source counts for against its own requests. It grows old with
them: a source that was emptied is not worth what new ones are."""
_PRIOR_YIELD = 5.0
"""New records a request while no source was asked; half a page of ten, the smallest usual one."""
_SURVEY_REQUESTS = 8
"""That a source usually takes before its first query of its own: nonsense, an empty query, a few
words. They bring little whatever the source is worth, and nothing if they are broken off, so that
they count for half, and a source that was begun goes ahead until they are over."""
_SURVEY_WEIGHT = 0.5
_DOOR_PRIOR = (1.0, 20.0)
"""Doors and pages before a crawl fetched any: real crawls from good seeds find one in about twenty
pages; it is outweighed after a few dozen."""


class SourceYield(Struct):
    """What one source brought."""

    requests: int = 0
    records: int = 0
    recent_requests: float = 0.0
    recent_records: float = 0.0
    prior_requests: float = _PRIOR_REQUESTS
    early_requests: int = 0
    early_records: int = 0

    def learn(self, requests: int, records: int) -> None:
        """Takes in the counts so far; those before are remembered."""
        asked, new = float(requests - self.requests), max(0, records - self.records)
        if asked <= 0 and not new:
            return
        if self.requests < _EARLY_REQUESTS:
            self.early_requests, self.early_records = requests, records
        if requests <= _SURVEY_REQUESTS:
            asked *= _SURVEY_WEIGHT
        kept = (1 - 1 / _MEMORY_REQUESTS) ** max(0, asked)
        self.recent_requests = self.recent_requests * kept + max(0, asked)
        self.recent_records = self.recent_records * kept + new
        self.prior_requests *= kept
        self.requests, self.records = requests, records


class RequestAllocator:
    """Compares sources by what their next request is expected to bring.

    Depends on the counts it was given and its random source alone.
    """

    def __init__(self, draw: random.Random | None = None) -> None:
        self._draw = draw or random.Random(0)
        self._yields: dict[str, SourceYield] = {}

    def learn(self, source: str, requests: int, records: int) -> None:
        """Takes in how many requests a source took so far, and the records it brought."""
        self._yields.setdefault(source, SourceYield()).learn(requests, records)

    def expect(self, source: str) -> float:
        """New records of its next request: the mean of its distribution."""
        shape, rate = self._posterior(source)
        return shape / rate

    def is_worth_asking(self, source: str, others: Collection[str]) -> bool:
        """Whether the next request may go to `source` while `others` could be asked instead. True
        for the best of them: some source may always be asked; and for one that is being surveyed,
        because half a survey is worth nothing."""
        if 0 < self._requests_of(source) < _SURVEY_REQUESTS:
            return True
        best = max((self.expect(other) for other in others if other != source), default=0.0)
        if self.expect(source) >= best:
            return True
        shape, rate = self._posterior(source)
        # Records come by the page, so that many of them are one piece of evidence.
        bulk = self._bulk()
        return self._draw.gammavariate(shape / bulk, bulk / rate) >= best

    def _requests_of(self, source: str) -> int:
        seen = self._yields.get(source)
        return seen.requests if seen is not None else 0

    def expect_of_crawl(self, pages: int) -> float:
        """Records a request that a crawl brings, which fetched `pages` so far: pages until a door
        is found, and then the requests and the records of sources as they were on average."""
        doors = (_DOOR_PRIOR[0] + len(self._yields)) / (_DOOR_PRIOR[1] + pages)
        known = [one for one in self._yields.values() if one.requests]
        requests = _EARLY_REQUESTS + sum(one.requests for one in known)
        records = _EARLY_REQUESTS * self._expect_of_new() + sum(one.records for one in known)
        count = 1 + len(known)
        return doors * records / count / (1 + doors * requests / count)

    def _posterior(self, source: str) -> tuple[float, float]:
        seen = self._yields.get(source) or SourceYield()
        shape = seen.prior_requests * self._expect_of_new() + seen.recent_records
        return max(shape, 1e-6), seen.prior_requests + seen.recent_requests

    def _expect_of_new(self) -> float:
        """What sources brought a request when they were new."""
        requests = sum(one.early_requests for one in self._yields.values())
        records = sum(one.early_records for one in self._yields.values())
        return (_EARLY_REQUESTS * _PRIOR_YIELD + records) / (_EARLY_REQUESTS + requests)

    def _bulk(self) -> float:
        return max(1.0, *(self.expect(source) for source in self._yields), 1.0)
