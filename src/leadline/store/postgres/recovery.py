"""Bringing back what a store holds in memory from the tables of a database."""

import numpy as np

from leadline.errors import StoreError
from leadline.frontier import Frontier, Sieve
from leadline.frontier.tail import Spilled
from leadline.store.ledger import Ledger, digest_keys
from leadline.store.postgres.connecting import Connection, one_row
from leadline.store.postgres.copying import read_integers
from leadline.store.postgres.counting import read_sums, read_totals
from leadline.store.rows import STATE_COLUMNS, state_of

_WAITING = (
    "SELECT waiting.site, waiting.rank, waiting.id FROM waiting JOIN sites ON"
    " sites.id = waiting.site WHERE sites.closed = '' ORDER BY waiting.id"
)


def recover(connection: Connection, frontier: Frontier) -> Ledger:
    """The ledger as it was when the last transaction was committed."""
    ledger = Ledger(frontier)
    _recover_sites(connection, ledger)
    (wanted,) = read_integers(connection, "SELECT hash FROM urls WHERE skip = ''", ["i8"])
    (ends,) = read_integers(connection, "SELECT hash FROM ends", ["i8"])
    (skipped,) = read_integers(connection, "SELECT hash FROM urls WHERE skip <> ''", ["i8"])
    ledger.sieve = Sieve(np.concatenate([wanted, ends]).view(np.uint64))
    ledger.skips = Sieve(skipped.view(np.uint64))
    digests = "SELECT site, digest FROM visits WHERE digest <> 0"
    ledger.digests = Sieve(digest_keys(*read_integers(connection, digests, ["i4", "i8"])))
    rows = connection.execute("SELECT signature FROM forms").fetchall()
    ledger.signatures = {signature for (signature,) in rows}
    ledger.totals = read_totals(connection)
    (last,) = one_row(connection, "SELECT coalesce(max(id), 0) FROM urls")
    ledger.begin_at(last, read_sums(connection).known)
    frontier.fill(waiting_links(connection))
    return ledger


def waiting_links(connection: Connection) -> Spilled:
    """Candidates neither visited nor skipped, on open sites."""
    sites, ranks, ids = read_integers(connection, _WAITING, ["i4", "i8", "i8"])
    return Spilled(sites.astype(np.int32), ranks, ids)


def _recover_sites(connection: Connection, ledger: Ledger) -> None:
    frontier = ledger.frontier
    query = "SELECT id, site, rank, is_visited FROM sites ORDER BY id"
    for number, site, rank, is_visited in connection.execute(query):
        if frontier.number(site) != number:
            raise StoreError(f"the store is damaged: site {number} ({site}) is out of order")
        if rank is not None:
            frontier.rank(number, rank)
        if is_visited:
            ledger.visited.add(number)
    query = f"SELECT id, site, {STATE_COLUMNS} FROM site_states ORDER BY id"  # noqa: S608
    for number, site, *columns in connection.execute(query):
        state = ledger.states[site] = state_of(tuple(columns), site)
        frontier.rest(number, state.ready_at)
        if state.closed:
            frontier.close(number)
