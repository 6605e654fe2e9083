"""What every store holds in memory of a harvest under way: known keys, the last page, sums."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec import structs

from leadline.core.harvest import Harvest, HarvestCounts, Record, ResultPage
from leadline.errors import StoreError
from leadline.frontier.seen_urls import SeenUrls, text_hashes

BEFORE_ALL = (0, 0)


@dataclass(slots=True)
class Account:
    """Takes 16 to 32 bytes a record."""

    keys: SeenUrls = field(default_factory=SeenUrls)
    last: tuple[int, int] = BEFORE_ALL
    """Query and number of the last page."""
    tally: HarvestCounts = field(default_factory=HarvestCounts)

    def admit(self, page: ResultPage, records: Sequence[Record]) -> tuple[ResultPage, list[bool]]:
        """The page with its keys, and which of its records are new; they are known from here on."""
        if (page.query, page.number) <= self.last:
            raise StoreError(f"page {page.number} of query {page.query} is recorded already")
        hashes = text_hashes([record.key for record in records])
        are_new = self.keys.add(hashes)
        self.last = page.query, page.number
        self.tally = structs.replace(
            self.tally,
            pages=self.tally.pages + 1,
            requests=self.tally.requests + page.requests,
            records=self.tally.records + sum(are_new),
            sightings=self.tally.sightings + len(records),
        )
        return structs.replace(page, keys=tuple(hashes), fresh=sum(are_new)), are_new

    def count_query(self, number: int) -> None:
        if number != self.tally.queries + 1:
            raise StoreError(f"query {number} does not follow on {self.tally.queries}")
        self.tally = structs.replace(self.tally, queries=self.tally.queries + 1)

    def count_detail(self, requests: int) -> None:
        self.tally = structs.replace(
            self.tally, details=self.tally.details + 1, requests=self.tally.requests + requests
        )

    def count_requests(self, more: int) -> None:
        self.tally = structs.replace(self.tally, requests=self.tally.requests + more)


def with_reader(head: Harvest, reader: bytes | None) -> Harvest:
    """The harvest with what is known about reading its answers; None: as before."""
    if reader is None:
        return head
    return structs.replace(head, subject=structs.replace(head.subject, reader=reader))
