"""How far the crawl in a database has come: sums that are kept, not counted."""

from collections import Counter
from typing import NamedTuple

from leadline.store.ledger import Totals
from leadline.store.postgres.connecting import Connection, one_row

_SUMS = """
    SELECT coalesce(sum(known), 0)::bigint, coalesce(sum(skipped), 0)::bigint,
        coalesce(sum(forms), 0)::bigint, coalesce(sum(searchable), 0)::bigint,
        coalesce((SELECT sum(visits) FROM tallies), 0)::bigint,
        (SELECT count(*) FROM waiting JOIN sites ON sites.id = waiting.site WHERE closed <> '')
    FROM workers
"""
_SITES = "SELECT count(*) FILTER (WHERE is_visited), count(*) FILTER (WHERE forms > 0) FROM sites"
_TALLIES = """
    SELECT outcome, sum(visits)::bigint, sum(requests)::bigint, sum(size_bytes)::bigint
    FROM tallies GROUP BY outcome HAVING sum(visits) > 0 ORDER BY outcome
"""


class Sums(NamedTuple):
    known: int
    skipped: int
    forms: int
    searchable: int
    waiting: int
    """On open sites."""
    visited: int
    """Sites."""
    deep_sites: int


def read_sums(connection: Connection) -> Sums:
    known, skipped, forms, searchable, visits, on_closed = one_row(connection, _SUMS)
    visited, deep = one_row(connection, _SITES)
    waiting = known - skipped - visits - on_closed
    return Sums(known, skipped, forms, searchable, waiting, visited, deep)


def read_totals(connection: Connection) -> Totals:
    sums = read_sums(connection)
    rows = connection.execute(_TALLIES).fetchall()
    return Totals(
        requests=sum(row[2] for row in rows),
        size_bytes=sum(row[3] for row in rows),
        forms=sums.forms,
        searchable=sums.searchable,
        deep_sites=sums.deep_sites,
        skipped=sums.skipped,
        outcomes=Counter({row[0]: row[1] for row in rows}),
    )
