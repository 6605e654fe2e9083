"""Whose turn it is: sites wake up, and are leased with their best links."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from leadline.core.crawl import CandidateId, Lease, SiteState
from leadline.core.store import RERANKED, LinkRanking
from leadline.core.url import Site
from leadline.frontier.links import feature_rows
from leadline.frontier.ranks import SCORE_BITS, priorities_of, priority_of, rank_of, ranks_of
from leadline.store.postgres.connection import Connection, Row, one_row
from leadline.store.postgres.schema import IDLE, LEASED, LOCK, NOTICING, READY, RESTING, RETURNING
from leadline.store.postgres.session import Moment
from leadline.store.rows import URL_COLUMNS, candidate_of

STATE_COLUMNS = "pages, forms, searchable, errors, errors_in_a_row, delay_s, closed"
AT_A_TIME = 1_000
"""Sites looked at by one lease; the next one goes on."""
NOTES_AT_A_TIME = 100_000
"""Notes of sites that got links, likewise: many are of the same sites."""

_BEST = "(SELECT min(rank) FROM waiting WHERE waiting.site = sites.id)"
_WAKE = f"""
    WITH due AS (
        SELECT id FROM sites WHERE phase = {RESTING} AND wake_at <= %(now)s
        ORDER BY wake_at LIMIT {AT_A_TIME} FOR UPDATE SKIP LOCKED
    )
    UPDATE sites SET phase = {READY} FROM due WHERE sites.id = due.id
"""
_RETURN = f"""
    WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock({LOCK}, {RETURNING}) AS is_ours
    ), due AS MATERIALIZED (
        SELECT id, worker, out FROM sites
        WHERE phase = {LEASED} AND wake_at <= %(now)s AND (SELECT is_ours FROM turn)
        ORDER BY wake_at LIMIT {AT_A_TIME} FOR UPDATE SKIP LOCKED
    ), back AS (
        UPDATE sites SET epoch = epoch + 1, worker = NULL, out = 0, best = {_BEST}, version = 0,
            phase = CASE WHEN closed <> '' OR {_BEST} IS NULL THEN {IDLE}
                WHEN ready_at > %(now)s THEN {RESTING} ELSE {READY} END,
            wake_at = ready_at
        FROM due WHERE sites.id = due.id
    )
    UPDATE workers SET out = workers.out - gone.out
    FROM (SELECT worker, sum(out) AS out FROM due GROUP BY worker) AS gone
    WHERE workers.id = gone.worker
"""
# Of a link that comes to a site, than the rank the site has while it was never visited.
_IS_BETTER = (
    f"pages + errors = 0 AND free.rank >> {SCORE_BITS} < coalesce(sites.rank, 0) >> {SCORE_BITS}"
)
# The planner cannot know how much was noted: no two lists are joined, for a join by loops would
# take the square of their length.
_NOTICE = f"""
    WITH turn AS MATERIALIZED (
        SELECT pg_try_advisory_xact_lock({LOCK}, {NOTICING}) AS is_ours
    ), gone AS (
        DELETE FROM woken WHERE (SELECT is_ours FROM turn) AND id <= (
            SELECT max(id) FROM (SELECT id FROM woken ORDER BY id LIMIT {NOTES_AT_A_TIME}) AS first
        ) RETURNING site, rank, version
    ), news AS MATERIALIZED (
        SELECT site, min(rank) AS rank, min(version) AS version FROM gone GROUP BY site
    ), free AS MATERIALIZED (
        SELECT news.* FROM news JOIN sites ON sites.id = news.site FOR UPDATE OF sites SKIP LOCKED
    ), later AS (
        INSERT INTO woken (site, rank, version) SELECT * FROM news EXCEPT SELECT * FROM free
    )
    UPDATE sites SET best = least(best, free.rank), version = least(sites.version, free.version),
        rank = CASE WHEN {_IS_BETTER} THEN NULL ELSE sites.rank END,
        score = CASE WHEN {_IS_BETTER} THEN NULL ELSE sites.score END,
        phase = CASE WHEN phase <> {IDLE} OR closed <> '' THEN phase
            WHEN ready_at > %(now)s THEN {RESTING} ELSE {READY} END,
        wake_at = CASE WHEN phase <> {IDLE} THEN wake_at ELSE ready_at END
    FROM free WHERE sites.id = free.site AND (best IS NULL OR free.rank < best
        OR free.version < sites.version OR (phase = {IDLE} AND closed = ''))
"""
_SORT = f"""
    UPDATE sites SET best = {_BEST}, version = 0,
        phase = CASE WHEN closed <> '' OR {_BEST} IS NULL THEN {IDLE}
            WHEN ready_at > %s THEN {RESTING} ELSE {READY} END,
        wake_at = ready_at
    WHERE phase <> {LEASED}
"""
_CHOOSE = f"""
    SELECT id, version FROM sites WHERE phase = {READY}
    ORDER BY coalesce(rank, best), best, id LIMIT %s FOR UPDATE SKIP LOCKED
"""
_LINKS = f"""
    SELECT chosen.place, waits.rank, {", ".join(f"u.{name}" for name in URL_COLUMNS.split(", "))}
    FROM unnest(%s::integer[]) WITH ORDINALITY AS chosen (site, place),
        LATERAL (SELECT id, rank FROM waiting WHERE waiting.site = chosen.site
            ORDER BY rank, id LIMIT %s) AS waits
        JOIN urls AS u ON u.id = waits.id
    ORDER BY chosen.place, waits.rank, waits.id
"""
_LEASE = f"""
    UPDATE sites SET phase = {LEASED}, epoch = epoch + 1, worker = %(worker)s, out = taken.out,
        lease_until = %(until)s, wake_at = %(until)s,
        ready_at = %(until)s + greatest(%(pause_s)s, delay_s)
    FROM unnest(%(sites)s::integer[], %(outs)s::integer[]) AS taken (id, out)
    WHERE sites.id = taken.id
    RETURNING sites.id, site, epoch, {STATE_COLUMNS}
"""
_OUT = "UPDATE workers SET out = out + %s WHERE id = %s"
_EMPTY = f"UPDATE sites SET phase = {IDLE}, best = NULL WHERE id = ANY(%s)"
_STALE = f"""
    SELECT stale.id, stale.rank, u.features
    FROM unnest(%s::integer[]) AS chosen (site),
        LATERAL (SELECT id, rank FROM waiting WHERE waiting.site = chosen.site AND version < %s
            ORDER BY rank, id LIMIT {RERANKED}) AS stale
        JOIN urls AS u ON u.id = stale.id
"""
_RANKED = """
    UPDATE waiting SET rank = again.rank, version = %s
    FROM unnest(%s::bigint[], %s::bigint[]) AS again (id, rank) WHERE waiting.id = again.id
"""


class LeasedSite(NamedTuple):
    state: SiteState
    epoch: int
    links: tuple[Lease, ...]


class LeaseHolder(NamedTuple):
    """For how long sites are leased, and to whom."""

    worker: int
    until: float
    """In crawl time."""
    pause_s: float


class LeaseShare(NamedTuple):
    """How much is leased, at most."""

    sites: int
    urls: int
    """Of each site."""
    turn: int
    """Of these, how many count as pages of the budget."""
    room: int
    """Pages left in the budget."""


def wake_sites(connection: Connection, moment: Moment) -> None:
    """Bring all sites whose time has come, and those that got links, to where they belong.

    What a crash undoes of it is found again: it need not be durable.
    """
    due = moment.has_rested, moment.has_expired, moment.has_news
    statements = [s for s, is_due in zip((_WAKE, _RETURN, _NOTICE), due, strict=True) if is_due]
    if not statements:
        return
    with connection.transaction(), connection.pipeline():
        connection.execute("SET LOCAL synchronous_commit = off")
        for statement in statements:
            connection.execute(statement, {"now": moment.now})


def sort_sites(connection: Connection, now: float) -> None:
    """`wake_sites` for all sites that are not on lease, whatever was noted of them."""
    connection.execute("DELETE FROM woken")
    connection.execute(_SORT, (now,))


def lease_best(
    connection: Connection, terms: LeaseHolder, share: LeaseShare, ranking: LinkRanking | None
) -> list[LeasedSite]:
    """The best ready sites with their best links; in a transaction."""
    # Each takes a page of the budget at least.
    chosen = connection.execute(_CHOOSE, (min(share.sites, share.room),)).fetchall()
    if ranking is not None:
        _rank_again(connection, [id_ for id_, v in chosen if v < ranking.version], ranking)
    ids = [id_ for id_, _ in chosen]
    rows = connection.execute(_LINKS, (ids, share.urls), binary=True).fetchall()
    links = {ids[place - 1]: list(cells) for place, cells in groupby(rows, itemgetter(0))}
    empty = [id_ for id_ in ids if id_ not in links]
    if empty:
        connection.execute(_EMPTY, (empty,))
    return _lease_chosen(connection, terms, share, links)


def _lease_chosen(
    connection: Connection, terms: LeaseHolder, share: LeaseShare, links: dict[int, list[Row]]
) -> list[LeasedSite]:
    taken: dict[int, list[Row]] = {}
    outs: list[int] = []
    room = share.room
    for id_, rows in links.items():
        if not room:
            break
        taken[id_] = rows if room >= share.turn else rows[:room]
        outs.append(min(share.turn, len(taken[id_])))
        room -= outs[-1]
    if not taken:
        return []
    told = connection.execute(
        _LEASE, {**terms._asdict(), "sites": list(taken), "outs": outs}
    ).fetchall()
    connection.execute(_OUT, (sum(outs), terms.worker))
    found = {id_: (site, epoch, state) for id_, site, epoch, *state in told}
    return [_of_rows(*found[id_], rows) for id_, rows in taken.items()]


def _of_rows(site: str, epoch: int, state: list[Any], rows: list[Row]) -> LeasedSite:
    links = tuple(_lease(rank, row, site) for _, rank, *row in rows)
    return LeasedSite(site_state(site, state), epoch, links)


def site_state(site: str, columns: Sequence[Any]) -> SiteState:
    """From STATE_COLUMNS; a leased site may be asked at once."""
    pages, forms, searchable, errors, errors_in_a_row, delay_s, closed = columns
    counts = pages, forms, searchable, errors, errors_in_a_row
    return SiteState(Site(site), *counts, delay_s=delay_s, closed=closed)


def _lease(rank: int, row: list[Any], site: str) -> Lease:
    candidate = candidate_of(tuple(row), Site(site))
    if rank != rank_of(candidate.priority.tier, candidate.priority.score):
        candidate = replace(candidate, priority=priority_of(rank, "ranked again"))
    return Lease(CandidateId(row[0]), candidate)


def _rank_again(connection: Connection, sites: list[int], ranking: LinkRanking) -> None:
    if not sites:
        return
    rows = connection.execute(_STALE, (sites, ranking.version)).fetchall()
    if rows:
        ids, ranks, features = zip(*rows, strict=True)
        tiers, scores = priorities_of(np.array(ranks, np.int64))
        ranking.score(tiers, scores, feature_rows(features, ranking.width))
        again = ranks_of(tiers, scores).tolist()
        connection.execute(_RANKED, (ranking.version, list(ids), again))
    connection.execute("UPDATE sites SET version = %s WHERE id = ANY(%s)", (ranking.version, sites))


_BY_NAME = f"""
    UPDATE sites SET phase = {LEASED}, epoch = epoch + 1, worker = %(worker)s, out = 0,
        lease_until = %(until)s, wake_at = %(until)s,
        ready_at = %(until)s + greatest(%(pause_s)s, delay_s)
    WHERE id = %(site)s AND phase <> {LEASED} AND ready_at <= %(now)s
    RETURNING site, epoch, {STATE_COLUMNS}
"""


def lease_named(
    connection: Connection, terms: LeaseHolder, site: int, now: float
) -> LeasedSite | None:
    """One site without links, if it is free and its pause is over."""
    values = {**terms._asdict(), "site": site, "now": now}
    row = connection.execute(_BY_NAME, values).fetchone()
    if row is None:
        return None
    name, epoch, *state = row
    return LeasedSite(site_state(name, state), epoch, ())


_WAIT = f"""
    SELECT CASE WHEN EXISTS (SELECT FROM sites WHERE phase = {READY}) OR EXISTS (SELECT FROM woken)
        THEN 0 ELSE (SELECT min(ready_at) FROM (
            SELECT greatest(wake_at, ready_at) AS ready_at FROM sites
            WHERE phase >= {RESTING} AND closed = ''
            AND EXISTS (SELECT FROM waiting WHERE waiting.site = sites.id)
            ORDER BY wake_at LIMIT {AT_A_TIME}) AS next) END
"""


def find_next_ready(connection: Connection) -> float | None:
    """The crawl time at which a site may be leased next; 0: now; None: nothing waits."""
    at: float | None = one_row(connection, _WAIT)[0]
    return at
