"""Bringing back what a store holds in memory from the tables of a database."""

import numpy as np

from leadline.errors import StoreError
from leadline.frontier import Frontier, SeenUrls
from leadline.frontier.links import LinkColumns
from leadline.store.index import CrawlIndex, digest_keys
from leadline.store.postgres.connection import Connection, one_row, read_integers
from leadline.store.postgres.reader import read_sums, read_totals
from leadline.store.rows import STATE_COLUMNS, state_of

_WAITING = (
    "SELECT waiting.site, waiting.rank, waiting.id FROM waiting JOIN sites ON"
    " sites.id = waiting.site WHERE sites.closed = '' ORDER BY waiting.id"
)


def recover(connection: Connection, frontier: Frontier) -> CrawlIndex:
    """The index as it was when the last transaction was committed."""
    index = CrawlIndex(frontier)
    _recover_sites(connection, index)
    (wanted,) = read_integers(connection, "SELECT hash FROM urls WHERE skip = ''", ["i8"])
    (ends,) = read_integers(connection, "SELECT hash FROM ends", ["i8"])
    (skipped,) = read_integers(connection, "SELECT hash FROM urls WHERE skip <> ''", ["i8"])
    index.seen_urls = SeenUrls(np.concatenate([wanted, ends]).view(np.uint64))
    index.skips = SeenUrls(skipped.view(np.uint64))
    digests = "SELECT site, digest FROM visits WHERE digest <> 0"
    index.digests = SeenUrls(digest_keys(*read_integers(connection, digests, ["i4", "i8"])))
    rows = connection.execute("SELECT signature FROM forms").fetchall()
    index.signatures = {signature for (signature,) in rows}
    index.totals = read_totals(connection)
    (last,) = one_row(connection, "SELECT coalesce(max(id), 0) FROM urls")
    index.begin_at(last, read_sums(connection).known)
    frontier.fill(waiting_links(connection))
    return index


def waiting_links(connection: Connection) -> LinkColumns:
    """Candidates neither visited nor skipped, on open sites."""
    sites, ranks, ids = read_integers(connection, _WAITING, ["i4", "i8", "i8"])
    return LinkColumns(sites.astype(np.int32), ranks, ids)


def _recover_sites(connection: Connection, index: CrawlIndex) -> None:
    frontier = index.frontier
    query = "SELECT id, site, rank, is_visited FROM sites ORDER BY id"
    for number, site, rank, is_visited in connection.execute(query):
        if frontier.number(site) != number:
            raise StoreError(f"the store is damaged: site {number} ({site}) is out of order")
        if rank is not None:
            frontier.rank(number, rank)
        if is_visited:
            index.visited.add(number)
    query = f"SELECT id, site, {STATE_COLUMNS} FROM site_states ORDER BY id"  # noqa: S608
    for number, site, *columns in connection.execute(query):
        state = index.states[site] = state_of(tuple(columns), site)
        frontier.rest(number, state.ready_at)
        if state.closed:
            frontier.close(number)
