"""The harvests of a store file read in pieces."""
# ruff: noqa: S608 - the only words put into queries are column lists of harvests.rows

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from leadline.core.change_feed import DetailSums, HarvestHead, PageEntry
from leadline.core.harvest import HarvestId, StoredQuery, StoredRecord
from leadline.errors import StoreError
from leadline.store.harvests.rows import (
    EARLIER_QUERY_COLUMNS,
    OUTCOME_COLUMNS,
    QUERY_COLUMNS,
    RECORD_COLUMNS,
    kept_of,
    query_of,
)
from leadline.store.reading import LOOKUPS, Reader
from leadline.store.rows import Row

LARGEST = (1 << 63) - 1
_HEAD = "id, signature, site, policy, at, state, reason, requests"
_DETAIL = "(SELECT d.cells FROM details AS d WHERE d.harvest = t.harvest AND d.record = t.id)"


class HarvestChangeFeed:
    """The half of a catalogue that tells of harvests."""

    def __init__(
        self, reader: Reader, *, has_harvests: bool, has_held_matches: bool = True
    ) -> None:
        """Without harvests the file is older than these are, and has none; without
        `has_held_matches` it is older than that column."""
        self._query_columns = QUERY_COLUMNS if has_held_matches else EARLIER_QUERY_COLUMNS
        self._reader = reader
        self._has_harvests = has_harvests

    def harvests(self, after: int, limit: int) -> list[HarvestHead]:
        query = f"SELECT {_HEAD} FROM harvests WHERE id > ? AND id <= ? ORDER BY id LIMIT ?"
        rows = self._query_rows(query, after, self._upto("harvests"), limit)
        return [HarvestHead(*row) for row in rows]

    def harvest(self, number: HarvestId) -> HarvestHead:
        rows = self._query_rows(f"SELECT {_HEAD} FROM harvests WHERE id = ?", number)
        if not rows:
            raise StoreError(f"{self._reader.place} has no harvest {number}")
        return HarvestHead(*rows[0])

    def result_pages(self, after: int, limit: int) -> list[PageEntry]:
        query = (
            "SELECT seq, harvest, query, requests, keys, fresh, kind, total, is_total_exact"
            " FROM result_pages"
            " WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
        )
        rows = self._query_rows(query, after, self._upto("result_pages"), limit)
        return [
            PageEntry(
                mark, of, query, spent, np.frombuffer(keys, "<u8"), fresh, kind, total, bool(exact)
            )
            for mark, of, query, spent, keys, fresh, kind, total, exact in rows
        ]

    def details(self, harvest: HarvestId, after: int) -> DetailSums:
        query = (
            "SELECT coalesce(max(record), ?2), count(*), coalesce(sum(requests), 0) FROM details"
            " WHERE harvest = ?1 AND record > ?2"
        )
        rows = self._query_rows(query, harvest, after)
        return DetailSums(*rows[0]) if rows else DetailSums(after, 0, 0)

    def record_keys(
        self, harvest: HarvestId, after: int
    ) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """The first time from the index alone, which is a tenth of the table; a few rows later on
        from the end of the table."""
        # A plus sign keeps the index out of it.
        claim = "harvest = ? AND id > ?" if not after else "+harvest = ? AND id > ?"
        query = f"SELECT id, hash FROM records WHERE {claim}"
        cells = np.array(self._query_rows(query, harvest, after), np.int64).reshape(-1, 2)
        cells = cells[np.argsort(cells[:, 0])]
        return cells[:, 0].copy(), cells[:, 1].copy().view(np.uint64)

    def records_numbered(self, numbers: Sequence[int]) -> list[StoredRecord]:
        query = f"SELECT id, {RECORD_COLUMNS}, {_DETAIL} FROM records AS t WHERE id IN"
        return [kept_of(row) for row in self._rows_of(query, numbers)] if self._has_harvests else []

    def queries(self, harvest: HarvestId, after: int, limit: int) -> list[StoredQuery]:
        query = (
            f"SELECT {self._query_columns}, {OUTCOME_COLUMNS} FROM queries"
            " WHERE harvest = ? AND number > ? ORDER BY number LIMIT ?"
        )
        return [query_of(row) for row in self._query_rows(query, harvest, after, limit)]

    def query_count(self, harvest: HarvestId) -> int:
        rows = self._query_rows("SELECT max(number) FROM queries WHERE harvest = ?", harvest)
        return int(rows[0][0] or 0) if rows else 0

    def _upto(self, table: str) -> int:  # noqa: ARG002
        """The mark up to which all rows of a table are there: one writer commits in order."""
        return LARGEST

    def _query_rows(self, query: str, *values: object) -> list[Row]:
        return self._reader.all(query, *values) if self._has_harvests else []

    def _rows_of(self, query: str, numbers: Sequence[int]) -> list[Row]:
        """Rows whose first column is one of the numbers, in their order; `query` ends in IN."""
        found: dict[int, Row] = {}
        for start in range(0, len(numbers), LOOKUPS):
            asked = [int(number) for number in numbers[start : start + LOOKUPS]]
            places = ", ".join("?" * len(asked))
            found.update((row[0], row) for row in self._reader.all(f"{query} ({places})", *asked))
        return [found[number] for number in map(int, numbers) if number in found]
