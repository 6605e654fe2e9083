"""How far the crawl in a database has come: sums that are kept, not counted."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections import Counter
from typing import NamedTuple

from leadline.core.crawl import Waiting
from leadline.frontier.ranks import SCORE_BITS
from leadline.store.index import Totals
from leadline.store.postgres.connecting import Connection, one_row
from leadline.store.postgres.schema import LEASED

_SUMS = """
    SELECT coalesce(sum(known), 0)::bigint, coalesce(sum(skipped), 0)::bigint,
        coalesce(sum(forms), 0)::bigint, coalesce(sum(searchable), 0)::bigint,
        coalesce((SELECT sum(visits) FROM tallies), 0)::bigint,
        (SELECT count(*) FROM waiting JOIN sites ON sites.id = waiting.site WHERE closed <> '')
    FROM workers
"""
_SITES = "SELECT count(*) FILTER (WHERE is_visited), count(*) FILTER (WHERE forms > 0) FROM sites"
_MOST = 1_000_000
"""Rows of `waiting` that are counted one by one; of more a part is."""
_ROW_BYTES = 52
"""Of `waiting`, as measured."""
_SIZE = "SELECT pg_relation_size('waiting')"
_TIERS = f"""
    SELECT waiting.rank >> {SCORE_BITS}, count(*) FROM waiting TABLESAMPLE SYSTEM (%s)
        JOIN sites ON sites.id = waiting.site WHERE closed = '' GROUP BY 1
"""
_FREE = f"""
    SELECT count(*) FROM sites WHERE closed = '' AND phase <> {LEASED}
        AND EXISTS (SELECT FROM waiting WHERE waiting.site = sites.id)
"""
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


def read_waiting(connection: Connection) -> Waiting:
    """Of a database that is shared: sites are sorted into their phases."""
    (size_bytes,) = one_row(connection, _SIZE)
    share = min(1.0, _MOST * _ROW_BYTES / max(1, size_bytes))
    rows = connection.execute(_TIERS, (100 * share,)).fetchall()
    tiers = {tier: round(count / share) for tier, count in rows}
    return Waiting(tiers, one_row(connection, _FREE)[0])


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
