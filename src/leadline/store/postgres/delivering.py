"""What workers brought, into the shared database: all of a delivery, or nothing."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from leadline.core.crawl import LIKELY, JudgedForm, SiteState, Visit
from leadline.core.shared import Completion, Delivery
from leadline.core.url import Site
from leadline.frontier.ranks import rank_of
from leadline.store.index import PASSED_OVER
from leadline.store.postgres.batch import ends_of
from leadline.store.postgres.connecting import Connection
from leadline.store.postgres.copying import Copier, storable
from leadline.store.postgres.leasing import site_state
from leadline.store.postgres.rows import STATE_COLUMNS, VISIT_COLUMNS, state_cells, tallies_of
from leadline.store.postgres.schema import IDLE, LEASED, READY, RESTING
from leadline.store.postgres.statements import TALLY
from leadline.store.rows import EVENT_COLUMNS, Row, event_row, form_row, visit_row

_HOLD = f"""
    SELECT id, site, epoch, worker, out, {STATE_COLUMNS} FROM sites
    WHERE id = ANY(%s) AND phase = {LEASED} ORDER BY id FOR UPDATE
"""
_DONE = "DELETE FROM waiting WHERE id = ANY(%s) RETURNING id"
# What it had before its first visit is over.
_KEEPS_RANK = "d.rank IS NULL AND (sites.pages + sites.errors > 0 OR d.pages + d.errors = 0)"
_SITES = f"""
    UPDATE sites SET pages = d.pages, forms = d.forms, searchable = d.searchable,
        errors = d.errors, errors_in_a_row = d.errors_in_a_row, delay_s = d.delay_s,
        closed = d.closed, has_state = has_state OR d.is_changed,
        is_visited = sites.is_visited OR d.is_visited,
        rank = CASE WHEN {_KEEPS_RANK} THEN sites.rank ELSE d.rank END,
        score = CASE WHEN {_KEEPS_RANK} THEN sites.score ELSE d.score END,
        mark = CASE WHEN d.is_changed THEN nextval('marks') ELSE mark END,
        out = CASE WHEN d.is_over THEN 0 ELSE out - d.done END,
        worker = CASE WHEN d.is_over THEN NULL ELSE worker END,
        best = CASE WHEN d.is_over THEN b.rank ELSE best END,
        phase = CASE WHEN NOT d.is_over THEN {LEASED}
            WHEN d.closed <> '' OR b.rank IS NULL THEN {IDLE}
            WHEN d.rest_s > 0 THEN {RESTING} ELSE {READY} END,
        ready_at = CASE WHEN d.is_over THEN %s + d.rest_s ELSE ready_at END,
        wake_at = CASE WHEN d.is_over THEN %s + d.rest_s ELSE wake_at END
    FROM unnest(%s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::int[], %s::float8[],
        %s::text[], %s::bool[], %s::bool[], %s::bigint[], %s::float8[], %s::int[], %s::bool[],
        %s::float8[]) AS d (id, pages, forms, searchable, errors, errors_in_a_row, delay_s, closed,
        is_changed, is_visited, rank, score, done, is_over, rest_s)
        LEFT JOIN LATERAL (SELECT min(rank) AS rank FROM waiting WHERE waiting.site = d.id) AS b
        ON true
    WHERE sites.id = d.id
"""
_SEEN = """
    UPDATE workers SET out = out - %s, seen_at = greatest(seen_at, %s) WHERE id = %s
"""
_MET_AGAIN = """
    WITH met AS (
        SELECT signature FROM forms WHERE signature = ANY(%s) ORDER BY signature FOR UPDATE
    )
    UPDATE forms SET sightings = sightings + again.times
    FROM unnest(%s::text[], %s::int[]) AS again (signature, times) JOIN met USING (signature)
    WHERE forms.signature = again.signature RETURNING forms.signature
"""
_MET = f"""
    WITH kept AS (
        INSERT INTO forms (signature, site, visit, at, searchable, relevant, sightings, judged)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT (signature) DO UPDATE SET sightings = forms.sightings + excluded.sightings
        RETURNING xmax = 0 AS is_new, relevant, searchable
    )
    UPDATE workers SET
        forms = forms + (SELECT count(*) FROM kept
            WHERE is_new AND relevant >= {LIKELY} AND relevant <> 'NaN'),
        searchable = searchable + (SELECT count(*) FROM kept
            WHERE is_new AND kept.searchable >= {LIKELY} AND kept.searchable <> 'NaN')
    WHERE id = %s
"""


class Held(NamedTuple):
    """A site whose lease is in force, locked until the transaction ends."""

    id: int
    epoch: int
    worker: int
    out: int
    state: SiteState


class Kept(NamedTuple):
    """A delivery that is accepted, without what was delivered before."""

    delivery: Delivery
    held: Held
    done: tuple[Completion, ...]


def hold(connection: Connection, sites: Sequence[int]) -> dict[str, Held]:
    """Lock the sites that are on lease, by name."""
    rows = connection.execute(_HOLD, (sorted(sites),)).fetchall()
    return {
        site: Held(id_, epoch, worker, out, site_state(site, state))
        for id_, site, epoch, worker, out, *state in rows
    }


def accept(
    connection: Connection, deliveries: Sequence[Delivery], held: dict[str, Held]
) -> list[Kept]:
    """Those whose lease is in force; links that are visited now wait no more."""
    kept = [
        (delivery, site)
        for delivery in deliveries
        if (site := held.get(delivery.lease.site.site)) and site.epoch == delivery.lease.epoch
    ]
    numbers = [done.visit.id for delivery, _ in kept for done in delivery.done]
    waited = {id_ for (id_,) in connection.execute(_DONE, (numbers,))} if numbers else set()
    return [
        Kept(delivery, site, tuple(done for done in delivery.done if done.visit.id in waited))
        for delivery, site in kept
    ]


def keep_visits(connection: Connection, copier: Copier, kept: Sequence[Kept]) -> None:
    rows = [visit_row(done.visit, one.held.id) for one in kept for done in one.done]
    if not rows:
        return
    copier.write("visits", VISIT_COLUMNS, rows)
    by_worker: dict[int, list[Visit]] = {}
    for one in kept:
        by_worker.setdefault(one.held.worker, []).extend(done.visit for done in one.done)
    tallies = [(w, *tally) for w in sorted(by_worker) for tally in tallies_of(by_worker[w])]
    ends = ends_of(done.visit for one in kept for done in one.done)
    with connection.cursor() as cursor:
        cursor.executemany(TALLY, tallies)
        if ends:
            cursor.executemany("INSERT INTO ends VALUES (%s) ON CONFLICT DO NOTHING", ends)


def keep_forms(connection: Connection, kept: Sequence[Kept]) -> None:
    met: dict[str, tuple[JudgedForm, Kept, Visit]] = {}
    times: Counter[str] = Counter()
    for one in kept:
        for done in one.done:
            for judged in done.forms:
                met.setdefault(judged.signature, (judged, one, done.visit))
                times[judged.signature] += 1
    if not met:
        return
    names = sorted(met)
    counted = [times[name] for name in names]
    again = connection.execute(_MET_AGAIN, (names, names, counted)).fetchall()
    for name in sorted(met.keys() - {name for (name,) in again}):
        judged, one, visit = met[name]
        *facts, _, packed = form_row(judged, one.held.id, visit)
        row = storable((*facts, times[name], packed, one.held.worker))
        connection.execute(_MET, row)


def keep_words(copier: Copier, kept: Sequence[Kept]) -> None:
    """Events and lessons, in their order."""
    done = [done for one in kept for done in one.done]
    events = [event_row(event) for one in done for event in one.events]
    if events:
        copier.write("events", EVENT_COLUMNS, events)
    lessons = [(one.lesson,) for one in done if one.lesson]
    if lessons:
        copier.write("lessons", "body", lessons)


def keep_sites(connection: Connection, kept: Sequence[Kept], now: float) -> None:
    """The sites as they are left, free again where the lease is over."""
    columns = [list(column) for column in zip(*map(_site_row, kept), strict=True)]
    connection.execute(_SITES, (now, now, *columns))
    back: Counter[int] = Counter()
    for one in kept:
        back[one.held.worker] += one.held.out if one.delivery.is_over else len(one.done)
    for worker in sorted(back):
        connection.execute(_SEEN, (back[worker], now, worker))


def _site_row(kept: Kept) -> Row:
    delivery, held, done = kept
    state = done[-1].site if done else held.state
    ranks = [one.rank for one in done if one.rank is not None]
    rank, score = (
        (rank_of(ranks[-1].tier, ranks[-1].score), ranks[-1].score) if ranks else (None,) * 2
    )
    is_visited = any(one.visit.outcome != PASSED_OVER for one in done)
    cells = storable(state_cells(state))
    over = min(len(done), held.out), delivery.is_over, delivery.rest_s
    return (held.id, *cells, bool(done), is_visited, rank, score, *over)


def sites_of(deliveries: Sequence[Delivery]) -> set[Site]:
    """All sites that are spoken of."""
    names = {delivery.lease.site.site for delivery in deliveries}
    for delivery in deliveries:
        for done in delivery.done:
            names.update(link.site for link in done.found)
    return names
