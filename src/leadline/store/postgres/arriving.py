"""Links on their way into the shared database."""
# ruff: noqa: S608 - only names of our own are put into queries

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import LiteralString, NamedTuple

from leadline.core.crawl import Candidate
from leadline.frontier.sieve import text_hash
from leadline.store.postgres.connecting import Connection, one_row
from leadline.store.postgres.copying import Copier
from leadline.store.postgres.rows import LINK_COLUMNS, URL_COLUMNS, link_row
from leadline.store.rows import Row, signed

_FACTS = URL_COLUMNS.removeprefix("id, ")
# No two lists are joined: a join by loops would take the square of their length, and the planner
# may choose that. So links that another transaction put since `unmet` are taken back afterwards.
_ARRIVE = f"""
    WITH numbered AS MATERIALIZED (
        SELECT nextval('url_ids') AS id, a.* FROM (SELECT * FROM arriving ORDER BY ord) AS a
    ), new AS (
        INSERT INTO urls (id, {_FACTS}) SELECT id, {_FACTS} FROM numbered ORDER BY hash
        ON CONFLICT DO NOTHING RETURNING skip
    ), waits AS (
        INSERT INTO waiting (id, rank, site, version)
        SELECT id, rank, site, version FROM numbered WHERE skip = '' ORDER BY site, rank
    ), woke AS (
        INSERT INTO woken (site, rank, version)
        SELECT site, min(rank), min(version) FROM numbered
        WHERE skip = '' AND NOT site = ANY(%s) GROUP BY site
    ), counted AS (
        UPDATE workers SET known = known + (SELECT count(*) FROM new),
            skipped = skipped + (SELECT count(*) FROM new WHERE skip <> '')
        WHERE id = %s
    )
    SELECT (SELECT count(*) FROM new), count(*), min(id), max(id) FROM numbered
"""
# Nor is a list joined to the table of all URLs: before there are statistics the planner would
# read the whole of it. The LIMIT keeps these lookups, each by its index, from becoming joins.
_MET = """
    SELECT hash FROM unnest(%s::bigint[]) AS hash
    WHERE (SELECT 1 FROM urls AS u WHERE u.hash = hash.hash AND u.skip = '' LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM ends AS e WHERE e.hash = hash.hash LIMIT 1) IS NOT NULL
"""
_SKIPPED = """
    SELECT hash FROM unnest(%s::bigint[]) AS hash
    WHERE (SELECT 1 FROM urls AS u WHERE u.hash = hash.hash AND u.skip <> '' LIMIT 1) IS NOT NULL
"""
_TAKE_BACK = """
    DELETE FROM waiting WHERE id BETWEEN %s AND %s
    AND NOT EXISTS (SELECT FROM urls WHERE urls.id = waiting.id)
"""


class Found(NamedTuple):
    """A link, and the version of the model that ranked it."""

    link: Candidate
    version: int


def distinct(found: Iterable[Found]) -> list[tuple[Found, int]]:
    """The links that can be new, with their hashes: a URL is wanted once, and skipped once
    before that."""
    wanted: set[int] = set()
    skipped: set[int] = set()
    chosen: list[tuple[Found, int]] = []
    for one in found:
        key = text_hash(one.link.url)
        met = skipped if one.link.skip else wanted
        if key not in wanted and key not in met:
            met.add(key)
            chosen.append((one, key))
    return chosen


def unmet(connection: Connection, chosen: Sequence[tuple[Found, int]]) -> list[tuple[Found, int]]:
    """Those that can be new: most links of most pages are not, and need not travel."""
    met = _known(connection, _MET, [key for _, key in chosen])
    left = [(one, key) for one, key in chosen if signed(key) not in met]
    skipped = _known(connection, _SKIPPED, [key for one, key in left if one.link.skip])
    return [(one, key) for one, key in left if not one.link.skip or signed(key) not in skipped]


def _known(connection: Connection, query: LiteralString, keys: Sequence[int]) -> set[int]:
    if not keys:
        return set()
    # In the index's order, so that neighbours share its pages. As text: psycopg looks at each
    # number of a list to find its type.
    listed = "{" + ",".join(map(str, sorted(map(signed, keys)))) + "}"
    return {key for (key,) in connection.execute(query, (listed,), binary=True)}


def arriving_rows(chosen: Iterable[tuple[Found, int]], numbers: Mapping[str, int]) -> Iterable[Row]:
    for order, ((link, version), key) in enumerate(chosen):
        yield link_row(order, link, key, numbers[link.site], version)


def stage(copier: Copier, rows: Iterable[Row]) -> None:
    """Bring rows to the server, for `arrive` in the same transaction."""
    copier.write("arriving", LINK_COLUMNS, rows)


def arrive(connection: Connection, worker: int, own: Collection[int] = ()) -> int:
    """Take in what was staged and is `unmet`; how many. The sites that got links are noted, for
    the next lease to look at, but for one's `own`: a site's row is never touched here, so that
    deliveries that link to the same sites need not wait for each other."""
    new, numbered, first, last = one_row(connection, _ARRIVE, list(own), worker)
    if new < numbered:
        connection.execute(_TAKE_BACK, (first, last))
    return int(new)
