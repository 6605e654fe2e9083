"""What a store file says of harvests."""
# ruff: noqa: S608 - the only words put into queries are column lists of harvests.rows

from collections.abc import Iterator

import numpy as np

from leadline.core.harvest import (
    Harvest,
    HarvestCounts,
    HarvestId,
    Record,
    ResultPage,
    StoredQuery,
    StoredRecord,
)
from leadline.core.url import Url
from leadline.frontier.seen_urls import SeenUrls
from leadline.store.harvests.rows import (
    BEFORE_ALL,
    EARLIER_QUERY_COLUMNS,
    HARVEST_COLUMNS,
    OUTCOME_COLUMNS,
    PAGE_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
    Account,
    Row,
    harvest_of,
    kept_of,
    page_of,
    query_of,
    record_of,
)
from leadline.store.reading import LOOKUPS, PAGE_ROWS, Reader
from leadline.store.rows import signed, unsigned

_DETAIL = "(SELECT d.cells FROM details AS d WHERE d.harvest = t.harvest AND d.record = t.id)"


class TableHarvests:
    """Read access to the harvests of a store. Sees what is committed."""

    def __init__(self, reader: Reader, *, has_held_matches: bool = True) -> None:
        """Without `has_held_matches` the file is older than that column."""
        self._query_columns = QUERY_COLUMNS if has_held_matches else EARLIER_QUERY_COLUMNS
        self._all = reader.all
        self._rows = reader.rows

    def all(self) -> Iterator[Harvest]:
        return map(harvest_of, self._all(f"SELECT {HARVEST_COLUMNS} FROM harvests ORDER BY id"))

    def find(self, signature: str) -> Harvest | None:
        query = f"SELECT {HARVEST_COLUMNS} FROM harvests WHERE signature = ?"
        rows = self._all(query, signature)
        return harvest_of(rows[0]) if rows else None

    def queries(self, harvest: HarvestId) -> Iterator[StoredQuery]:
        after = 0
        query = (
            f"SELECT {self._query_columns}, {OUTCOME_COLUMNS} FROM queries"
            " WHERE harvest = ? AND number > ? ORDER BY number LIMIT ?"
        )
        while rows := self._all(query, harvest, after, PAGE_ROWS):
            found = [query_of(row) for row in rows]
            yield from found
            after = found[-1].number

    def pages(self, harvest: HarvestId) -> Iterator[tuple[ResultPage, list[Record]]]:
        """Reads records where they were first seen in one go, and looks up those seen again."""
        fresh = self._record_rows(harvest)
        for page in self._pages(harvest):
            held = {
                row[2]: record_of(row) for _, row in zip(range(page.fresh), fresh, strict=False)
            }
            keys = [signed(key) for key in page.keys]
            held.update(self._lookup(harvest, [key for key in keys if key not in held]))
            yield page, [held[key] for key in keys]

    def records(self, harvest: HarvestId | None = None) -> Iterator[StoredRecord]:
        return map(kept_of, self._record_rows(harvest, f", {_DETAIL}"))

    def without_detail(self, harvest: HarvestId, limit: int) -> list[tuple[int, Url]]:
        query = (
            "SELECT id, url FROM records WHERE harvest = ?1 AND url IS NOT NULL AND id >"
            " (SELECT coalesce(max(record), 0) FROM details WHERE harvest = ?1)"
            " ORDER BY id LIMIT ?2"
        )
        return self._all(query, harvest, limit)

    def account(self, harvest: HarvestId) -> Account:
        """What the store holds in memory of a harvest, brought back."""
        rows = self._rows("SELECT hash FROM records WHERE harvest = ?", harvest)
        keys = np.fromiter((unsigned(key) for (key,) in rows), np.uint64)
        last = self._all(
            "SELECT query, number FROM result_pages WHERE harvest = ? ORDER BY seq DESC LIMIT 1",
            harvest,
        )
        return Account(SeenUrls(keys), last[0] if last else BEFORE_ALL, self.tally(harvest))

    def tally(self, harvest: HarvestId) -> HarvestCounts:
        (sums,) = self._all(
            "SELECT (SELECT count(*) FROM queries WHERE harvest = ?1),"
            " count(*), coalesce(sum(requests), 0), coalesce(sum(fresh), 0),"
            " coalesce(sum(length(keys)) / 8, 0) FROM result_pages WHERE harvest = ?1",
            harvest,
        )
        (details,) = self._all(
            "SELECT count(*), coalesce(sum(requests), 0) FROM details WHERE harvest = ?", harvest
        )
        ((others,),) = self._all("SELECT requests FROM harvests WHERE id = ?", harvest)
        queries, pages, requests, records, sightings = sums
        spent = requests + details[1] + others
        return HarvestCounts(queries, pages, spent, records, sightings, details[0])

    def last_id(self) -> int:
        ((number,),) = self._all("SELECT coalesce(max(id), 0) FROM harvests")
        return int(number)

    def _pages(self, harvest: HarvestId) -> Iterator[ResultPage]:
        query = (
            f"SELECT seq, {PAGE_COLUMNS} FROM result_pages"
            " WHERE harvest = ? AND seq > ? ORDER BY seq LIMIT ?"
        )
        after = 0
        while rows := self._all(query, harvest, after, PAGE_ROWS):
            yield from (page_of(row[1:]) for row in rows)
            after = rows[-1][0]

    def _record_rows(self, harvest: HarvestId | None, more: str = "") -> Iterator[Row]:
        """In the order of first sight; `more` columns behind the others."""
        query = (
            f"SELECT id, {RECORD_COLUMNS}{more} FROM records AS t"
            " WHERE id > ?1 AND (harvest = ?2 OR ?2 IS NULL) ORDER BY id LIMIT ?3"
        )
        after = 0
        while rows := self._all(query, after, harvest, PAGE_ROWS):
            yield from rows
            after = rows[-1][0]

    def _lookup(self, harvest: HarvestId, keys: list[int]) -> dict[int, Record]:
        found: dict[int, Record] = {}
        for start in range(0, len(keys), LOOKUPS):
            asked = keys[start : start + LOOKUPS]
            query = (
                f"SELECT {RECORD_COLUMNS} FROM records"
                f" WHERE harvest = ? AND hash IN ({', '.join('?' * len(asked))})"
            )
            found.update({row[1]: record_of(row) for row in self._all(query, harvest, *asked)})
        return found
