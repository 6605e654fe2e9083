"""Bringing back what a store holds in memory from what it has on disk."""
# ruff: noqa: S608 - the only words put into queries are column lists of store.rows

import sqlite3
from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leadline.core.crawl import LIKELY, Counts, Waiting
from leadline.errors import DamagedStoreError
from leadline.frontier import Frontier, SeenUrls
from leadline.frontier.links import LinkColumns
from leadline.frontier.ranks import SCORE_BITS, Ranks, rank_of
from leadline.frontier.seen_urls import Hashes, text_hash
from leadline.store.index import (
    FIRST_ID,
    PASSED_OVER,
    SKIPPED,
    CrawlIndex,
    Totals,
    counts_of,
    digest_keys,
)
from leadline.store.rows import STATE_COLUMNS, score_of, state_of
from leadline.store.sums import Sum, has_sums, read_sums, sum_of


class Arrivals(NamedTuple):
    """All known URLs as columns; the first cell belongs to candidate FIRST_ID."""

    hashes: Hashes
    sites: NDArray[np.int32]
    ranks: Ranks


def recover(connection: sqlite3.Connection, frontier: Frontier) -> CrawlIndex:
    """The index as it was when the last transaction was committed."""
    index = CrawlIndex(frontier)
    arrivals = read_arrivals(connection)
    _recover_sites(connection, index)
    is_skipped = arrivals.ranks == SKIPPED
    followed = arrivals.hashes[~is_skipped]
    index.seen_urls = SeenUrls(np.concatenate([followed, _redirect_ends(connection)]))
    index.skips = SeenUrls(arrivals.hashes[is_skipped])
    index.begin_at(FIRST_ID - 1 + len(arrivals.hashes), len(arrivals.hashes))
    _recover_visits(connection, index)
    index.signatures = {row[0] for row in connection.execute("SELECT signature FROM forms")}
    index.totals = read_totals(connection, arrivals)
    (index.lessons_told,) = connection.execute(
        "SELECT max((SELECT coalesce(max(id), 0) FROM lessons),"
        " (SELECT coalesce(max(upto), 0) FROM models))"
    ).fetchone()
    frontier.fill(waiting_links(connection, arrivals))
    return index


def read_arrivals(connection: sqlite3.Connection) -> Arrivals:
    columns: tuple[list[bytes], ...] = ([], [], [])
    known, next_id = 0, FIRST_ID
    # All of it is read anyway, and summing it takes a tenth of that.
    sums = {first: sum_ for first, _, sum_ in _arrival_sums(connection)}
    for first, *cells in connection.execute(
        "SELECT first, hashes, sites, ranks FROM arrivals ORDER BY first"
    ):
        if first != next_id:
            raise DamagedStoreError(f"the store is damaged: candidate {next_id} is missing")
        if first in sums and sums[first] != sum_of([(first, *cells)]):
            raise DamagedStoreError(
                f"the store is damaged: candidates from {first} on are not as they were written"
            )
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
        known += len(cells[0]) // 8
        next_id = FIRST_ID + known
    hashes, sites, ranks = (b"".join(column) for column in columns)
    return Arrivals(
        np.frombuffer(hashes, "<u8"), np.frombuffer(sites, "<i4"), np.frombuffer(ranks, "<i8")
    )


def _arrival_sums(connection: sqlite3.Connection) -> list[Sum]:
    return read_sums(connection, "arrivals") if has_sums(connection) else []


def waiting_links(connection: sqlite3.Connection, arrivals: Arrivals) -> LinkColumns:
    """Candidates neither visited nor skipped, on open sites."""
    waits = arrivals.ranks != SKIPPED
    visited = _integers(connection, "SELECT id FROM visits")
    waits[visited - FIRST_ID] = False
    closed = _integers(connection, "SELECT id FROM site_states WHERE closed != ''")
    waits &= ~np.isin(arrivals.sites, closed)
    at = np.flatnonzero(waits)
    return LinkColumns(arrivals.sites[at], arrivals.ranks[at], at + FIRST_ID)


def read_totals(connection: sqlite3.Connection, arrivals: Arrivals) -> Totals:
    visits = connection.execute("SELECT total(requests), total(size_bytes) FROM visits").fetchone()
    forms = connection.execute(
        "SELECT count(*) FILTER (WHERE relevant >= ?), count(*) FILTER (WHERE searchable >= ?)"
        " FROM forms",
        (LIKELY, LIKELY),
    ).fetchone()
    (deep,) = connection.execute("SELECT count(*) FROM site_states WHERE forms > 0").fetchone()
    outcomes = connection.execute("SELECT outcome, count(*) FROM visits GROUP BY outcome")
    return Totals(
        requests=int(visits[0]),
        size_bytes=int(visits[1]),
        forms=forms[0],
        searchable=forms[1],
        deep_sites=deep,
        skipped=int(np.count_nonzero(arrivals.ranks == SKIPPED)),
        outcomes=Counter(dict(outcomes)),
    )


def read_counts(connection: sqlite3.Connection) -> Counts:
    """Counts without an index: for those who only look."""
    arrivals = read_arrivals(connection)
    (sites,) = connection.execute(
        "SELECT count(DISTINCT site) FROM visits WHERE outcome <> ?", (PASSED_OVER,)
    ).fetchone()
    return counts_of(
        read_totals(connection, arrivals),
        sites=sites,
        known=len(arrivals.hashes),
        waiting=len(waiting_links(connection, arrivals).ids),
    )


def read_waiting(connection: sqlite3.Connection) -> Waiting:
    """What waits, without a frontier: leases are not known, so every site is taken to be free."""
    links = waiting_links(connection, read_arrivals(connection))
    tiers, counts = np.unique(links.ranks >> SCORE_BITS, return_counts=True)
    by_tier = dict(zip(tiers.tolist(), counts.tolist(), strict=True))
    return Waiting(by_tier, len(np.unique(links.sites)))


def _recover_sites(connection: sqlite3.Connection, index: CrawlIndex) -> None:
    frontier = index.frontier
    for number, site in connection.execute("SELECT id, site FROM sites ORDER BY id"):
        if frontier.number(site) != number:
            raise DamagedStoreError(f"the store is damaged: site {number} ({site}) is out of order")
    query = f"SELECT id, site, {STATE_COLUMNS} FROM site_states ORDER BY id"
    for number, site, *columns in connection.execute(query):
        state = index.states[site] = state_of(tuple(columns), site)
        frontier.rest(number, state.ready_at)
        if state.closed:
            frontier.close(number)
    ranks = connection.execute("SELECT site, tier, score FROM site_ranks ORDER BY seq")
    for number, tier, score in ranks:
        frontier.rank(number, None if tier is None else rank_of(tier, score_of(score)))


def _recover_visits(connection: sqlite3.Connection, index: CrawlIndex) -> None:
    sites = _integers(connection, "SELECT DISTINCT site FROM visits")
    index.visited = set(sites.tolist())
    rows = connection.execute("SELECT site, digest FROM visits WHERE digest != 0").fetchall()
    pairs = np.array(rows, np.int64).reshape(-1, 2)
    index.digests = SeenUrls(digest_keys(pairs[:, 0], pairs[:, 1]))


def _redirect_ends(connection: sqlite3.Connection) -> Hashes:
    ends = connection.execute("SELECT final_url FROM visits WHERE final_url IS NOT NULL")
    return np.array([text_hash(url) for (url,) in ends], np.uint64)


def _integers(connection: sqlite3.Connection, query: str) -> NDArray[np.int64]:
    return np.array([number for (number,) in connection.execute(query)], np.int64)
