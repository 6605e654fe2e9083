"""Links on their way into the shared database."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import LiteralString, NamedTuple

from psycopg.errors import UniqueViolation

from leadline.core.crawl import Candidate
from leadline.frontier.ranks import rank_of
from leadline.frontier.sieve import text_hashes
from leadline.store.postgres.connecting import Connection
from leadline.store.postgres.copying import Copier
from leadline.store.postgres.rows import URL_COLUMNS, WAITING_COLUMNS, url_row
from leadline.store.rows import Row, signed

# In a transaction that others see before it takes a number: see catalogue.
_NUMBERS = """
    WITH seen AS MATERIALIZED (SELECT pg_current_xact_id())
    SELECT nextval('url_ids') FROM seen, generate_series(1, %s)
"""
_COUNT = "UPDATE workers SET known = known + %s, skipped = skipped + %s WHERE id = %s"
# The list is not joined to the table of all URLs: before there are statistics the planner would
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


class Found(NamedTuple):
    """A link, and the version of the model that ranked it."""

    link: Candidate
    version: int


Keyed = tuple[Found, int]
"""With the hash of its URL, signed."""


def distinct(found: Sequence[Found]) -> list[Keyed]:
    """The links that can be new: a URL is wanted once, and skipped once before that."""
    wanted: set[int] = set()
    skipped: set[int] = set()
    chosen: list[Keyed] = []
    for one, key in zip(found, text_hashes(one.link.url for one in found), strict=True):
        met = skipped if one.link.skip else wanted
        if key not in wanted and key not in met:
            met.add(key)
            chosen.append((one, signed(key)))
    return chosen


def arrive(
    connection: Connection,
    copier: Copier,
    found: Sequence[Keyed],
    numbers: Mapping[str, int],
    worker: int,
    own: Collection[int] = (),
) -> int:
    """Take in those of the links that are new; how many. The sites that got links are noted, for
    the next lease to look at, but for one's `own`: a site's row is never touched here, so that
    deliveries that link to the same sites need not wait for each other."""
    while chosen := _unmet(connection, found):
        try:
            with connection.transaction():
                _take_in(connection, copier, chosen, numbers, worker, own)
        except UniqueViolation:
            continue  # another worker brought one of them since we asked: it is known now
        return len(chosen)
    return 0


def _take_in(
    connection: Connection,
    copier: Copier,
    chosen: Sequence[Keyed],
    numbers: Mapping[str, int],
    worker: int,
    own: Collection[int],
) -> None:
    ids = [id_ for (id_,) in connection.execute(_NUMBERS, (len(chosen),), binary=True)]
    # In the order of their indexes: neighbours share pages, and nobody waits in a circle. Rows are
    # made while the server takes in those before.
    by_hash = sorted(zip(ids, chosen, strict=True), key=lambda one: one[1][1])
    copier.write("urls", URL_COLUMNS, _url_rows(by_hash, numbers))
    waiting = [
        (id_, rank_of(link.priority.tier, link.priority.score), numbers[link.site], version)
        for id_, ((link, version), _) in zip(ids, chosen, strict=True)
        if not link.skip
    ]
    if waiting:
        waiting.sort(key=itemgetter(2, 1))
        copier.write("waiting", WAITING_COLUMNS, waiting)
    if woken := [note for note in _notes(waiting) if note[0] not in own]:
        copier.write("woken", "site, rank, version", woken)
    connection.execute(_COUNT, (len(chosen), len(chosen) - len(waiting), worker))


def _url_rows(numbered: Iterable[tuple[int, Keyed]], numbers: Mapping[str, int]) -> Iterator[Row]:
    for id_, ((link, _), key) in numbered:
        yield url_row(id_, key, numbers[link.site], link)


def _notes(waiting: Iterable[Row]) -> Iterator[Row]:
    """The best rank and the oldest version of each site, of rows in the order of their turns."""
    for site, rows in groupby(waiting, itemgetter(2)):
        of_site = list(rows)
        yield site, of_site[0][1], min(version for *_, version in of_site)


def _unmet(connection: Connection, chosen: Sequence[Keyed]) -> list[Keyed]:
    """Those that can be new: most links of most pages are not, and need not travel."""
    met = _known(connection, _MET, [key for _, key in chosen])
    left = [keyed for keyed in chosen if keyed[1] not in met]
    skipped = _known(connection, _SKIPPED, [key for one, key in left if one.link.skip])
    return [(one, key) for one, key in left if not one.link.skip or key not in skipped]


def _known(connection: Connection, query: LiteralString, keys: Sequence[int]) -> set[int]:
    if not keys:
        return set()
    # In the index's order, so that neighbours share its pages. As text: psycopg looks at each
    # number of a list to find its type.
    listed = "{" + ",".join(map(str, sorted(keys))) + "}"
    return {key for (key,) in connection.execute(query, (listed,), binary=True)}
