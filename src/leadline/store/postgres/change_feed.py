"""A database read in pieces, by who keeps up with it while many workers write it."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

import numpy as np

from leadline.core.change_feed import ArrivalColumns, RankEntry, StateEntry
from leadline.core.crawl import Priority
from leadline.core.store import Team
from leadline.frontier.ranks import SCORE_BITS
from leadline.store.change_feed import TableChangeFeed
from leadline.store.postgres.connection import one_row, read_integers, translate_errors
from leadline.store.postgres.reader import PostgresReader, checked_reader
from leadline.store.postgres.run import read_team
from leadline.store.rows import STATE_COLUMNS, state_of

ROWS_A_BLOCK = 1_000
"""Candidates read for each block that may be told: blocks end where a number is missing."""

_SEQUENCES = {
    "visits": "visits_seq_seq",
    "forms": "forms_id_seq",
    "events": "events_id_seq",
    "urls": "url_ids",
    "sites": "marks",
    "harvests": "harvests_id_seq",
    "result_pages": "result_pages_seq_seq",
}
_LAST = f"SELECT {', '.join(f'(SELECT last_value FROM {name})' for name in _SEQUENCES.values())}"
_RUNNING = (
    "SELECT pg_snapshot_xmin(s)::text::bigint, pg_snapshot_xmax(s)::text::bigint"
    " FROM pg_current_snapshot() AS s"
)


class PostgresChangeFeed(TableChangeFeed):
    """Keeps the guarantees of `ChangeFeed` while many write.

    Numbers are given before their transactions are committed, so a lower one may appear after a
    higher one. What is told ends at numbers that were given before the oldest transaction still
    running began: whoever writes is in a transaction that others see before it takes a number.
    """

    _reader: PostgresReader

    def __init__(self, url: str) -> None:
        reader = checked_reader(url)
        super().__init__(reader, has_harvests=True)
        self._url = url
        self._safe = dict.fromkeys(_SEQUENCES, 0)
        self._next: tuple[int, dict[str, int]] | None = None
        """Marks that are safe once all transactions before this one have ended."""

    def arrivals(self, after: int, limit: int) -> list[ArrivalColumns]:
        most = limit * ROWS_A_BLOCK
        query = (
            f"SELECT id, site, (skip <> '')::integer FROM urls WHERE id > {int(after)}"
            f" AND id <= {self._upto('urls')} ORDER BY id LIMIT {most}"
        )
        with translate_errors(self._url):
            columns = read_integers(self._reader.connection, query, ["i8", "i4", "i4"])
        ids, sites, are_skipped = columns
        ends = np.append(np.flatnonzero(np.diff(ids) > 1) + 1, len(ids))[:limit]
        starts = np.concatenate([[0], ends[:-1]])
        return [
            ArrivalColumns(int(ids[a]), sites[a:b].astype(np.int32), are_skipped[a:b] != 0)
            for a, b in zip(starts.tolist(), ends.tolist(), strict=True)
            if b > a
        ]

    def states(self, after: int) -> list[StateEntry]:
        query = (
            f"SELECT mark, id, {STATE_COLUMNS}, site FROM"
            " (SELECT s.*, sites.mark FROM site_states AS s JOIN sites USING (id)) AS t"
            " WHERE mark > ? AND mark <= ? ORDER BY mark"
        )
        rows = self._reader.rows(query, after, self._upto("sites"))
        return [
            StateEntry(mark, site, state_of(tuple(columns), name))
            for mark, site, *columns, name in rows
        ]

    def ranks(self, after: int) -> list[RankEntry]:
        query = "SELECT mark, id, rank, score FROM sites WHERE mark > ? AND mark <= ? ORDER BY mark"
        rows = self._reader.rows(query, after, self._upto("sites"))
        return [
            RankEntry(mark, site, None if rank is None else Priority(rank >> SCORE_BITS, score))
            for mark, site, rank, score in rows
        ]

    def team(self) -> Team | None:
        with translate_errors(self._url):
            return read_team(self._reader.connection)

    def _upto(self, table: str) -> int:
        with translate_errors(self._url):
            connection = self._reader.connection
            last = dict(zip(_SEQUENCES, one_row(connection, _LAST), strict=True))
            oldest, end = one_row(connection, _RUNNING)
        if oldest == end:
            self._safe, self._next = last, None
        elif self._next is None:
            self._next = end, last
        elif oldest >= self._next[0]:
            self._safe, self._next = self._next[1], (end, last)
        return self._safe[table]
