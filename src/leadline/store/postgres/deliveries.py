"""What workers brought, into the database: links, visits, forms; all of a delivery, or nothing."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import LiteralString, NamedTuple

from psycopg.errors import UniqueViolation

from leadline.core.crawl import LIKELY, Candidate, JudgedForm, SiteState, Visit
from leadline.core.store import Completion, Delivery
from leadline.core.url import Site
from leadline.frontier.ranks import rank_of
from leadline.frontier.seen_urls import text_hash, text_hashes
from leadline.store.index import PASSED_OVER
from leadline.store.postgres.connection import Connection, Copier, storable
from leadline.store.postgres.lease_sql import STATE_COLUMNS, site_state
from leadline.store.postgres.schema import IDLE, LEASED, READY, RESTING
from leadline.store.rows import (
    EVENT_COLUMNS,
    FORM_COLUMNS,
    Row,
    event_row,
    form_row,
    to_signed,
    visit_row,
)

URL_COLUMNS = (
    "id, hash, site, tier, score, parent, depth, url, why, anchor, around, tag_path, features, skip"
)
VISIT_COLUMNS = (
    "id, url, site, outcome, at, status, final_url, reason, elapsed_s, size_bytes, requests, "
    "title, language, relevance, reward, links, forms, digest"
)
WAITING_COLUMNS = "id, rank, site, version"


def url_row(id_: int, key: int, site: int, link: Candidate) -> Row:
    """URL_COLUMNS; `key` is the hash of the URL, signed."""
    tier, score, why = link.priority
    return (
        *(id_, key, site, tier, score, link.parent, link.depth, link.url, why),
        *(link.anchor, link.around, link.tag_path, link.features, link.skip),
    )


def state_cells(state: SiteState) -> Row:
    """STATE_COLUMNS: all but the time from which it may be asked."""
    counts = state.pages, state.forms, state.searchable, state.errors, state.errors_in_a_row
    return (*counts, state.delay_s, state.closed)


def count_outcomes(visits: list[Visit]) -> list[tuple[str, int, int, int]]:
    """Visits, requests and bytes by outcome, in the order in which rows are locked."""
    sums: dict[str, list[int]] = {}
    for visit in visits:
        tally = sums.setdefault(visit.outcome, [0, 0, 0])
        tally[0] += 1
        tally[1] += visit.requests
        tally[2] += visit.size_bytes
    return [(outcome, *sums[outcome]) for outcome in sorted(sums)]  # type: ignore[misc]


TALLY = """
    INSERT INTO tallies VALUES (%s, %s, %s, %s, %s) ON CONFLICT (worker, outcome) DO UPDATE
    SET visits = tallies.visits + excluded.visits,
        requests = tallies.requests + excluded.requests,
        size_bytes = tallies.size_bytes + excluded.size_bytes
"""

# In a transaction that others see before it takes a number: see change_feed.
_NUMBERS = """
    WITH seen AS MATERIALIZED (SELECT pg_current_xact_id())
    SELECT nextval('url_ids') FROM seen, generate_series(1, %s)
"""
_COUNT = "UPDATE workers SET known = known + %s, skipped = skipped + %s WHERE id = %s"
# The list is not joined to the table of all URLs: before there are statistics the planner would
# read the whole of it. The LIMIT keeps these lookups, each by its index, from becoming joins.
_KNOWN = """
    SELECT hash FROM unnest(%s::bigint[]) AS hash
    WHERE (SELECT 1 FROM urls AS u WHERE u.hash = hash.hash AND u.skip = '' LIMIT 1) IS NOT NULL
    OR (SELECT 1 FROM ends AS e WHERE e.hash = hash.hash LIMIT 1) IS NOT NULL
"""
_SKIPPED = """
    SELECT hash FROM unnest(%s::bigint[]) AS hash
    WHERE (SELECT 1 FROM urls AS u WHERE u.hash = hash.hash AND u.skip <> '' LIMIT 1) IS NOT NULL
"""


class FoundLink(NamedTuple):
    """A link, and the version of the model that ranked it."""

    link: Candidate
    version: int


KeyedLink = tuple[FoundLink, int]
"""With the hash of its URL, signed."""


def distinct_links(found: Sequence[FoundLink]) -> list[KeyedLink]:
    """The links that can be new: a URL is wanted once, and skipped once before that."""
    wanted: set[int] = set()
    skipped: set[int] = set()
    chosen: list[KeyedLink] = []
    for one, key in zip(found, text_hashes(one.link.url for one in found), strict=True):
        met = skipped if one.link.skip else wanted
        if key not in wanted and key not in met:
            met.add(key)
            chosen.append((one, to_signed(key)))
    return chosen


def add_links(
    connection: Connection,
    copier: Copier,
    found: Sequence[KeyedLink],
    numbers: Mapping[str, int],
    worker: int,
    own: Collection[int] = (),
) -> int:
    """Take in those of the links that are new; how many. The sites that got links are noted, for
    the next lease to look at, but for one's `own`: a site's row is never touched here, so that
    deliveries that link to the same sites need not wait for each other."""
    while chosen := _keep_unknown(connection, found):
        try:
            with connection.transaction():
                _add_links(connection, copier, chosen, numbers, worker, own)
        except UniqueViolation:
            continue  # another worker brought one of them since we asked: it is known now
        return len(chosen)
    return 0


def _add_links(
    connection: Connection,
    copier: Copier,
    chosen: Sequence[KeyedLink],
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


def _url_rows(
    numbered: Iterable[tuple[int, KeyedLink]], numbers: Mapping[str, int]
) -> Iterator[Row]:
    for id_, ((link, _), key) in numbered:
        yield url_row(id_, key, numbers[link.site], link)


def _notes(waiting: Iterable[Row]) -> Iterator[Row]:
    """The best rank and the oldest version of each site, of rows in the order of their turns."""
    for site, rows in groupby(waiting, itemgetter(2)):
        of_site = list(rows)
        yield site, of_site[0][1], min(version for *_, version in of_site)


def _keep_unknown(connection: Connection, chosen: Sequence[KeyedLink]) -> list[KeyedLink]:
    """Those that can be new: most links of most pages are not, and need not travel."""
    met = _find_known(connection, _KNOWN, [key for _, key in chosen])
    left = [keyed for keyed in chosen if keyed[1] not in met]
    skipped = _find_known(connection, _SKIPPED, [key for one, key in left if one.link.skip])
    return [(one, key) for one, key in left if not one.link.skip or key not in skipped]


def _find_known(connection: Connection, query: LiteralString, keys: Sequence[int]) -> set[int]:
    if not keys:
        return set()
    # In the index's order, so that neighbours share its pages. As text: psycopg looks at each
    # number of a list to find its type.
    listed = "{" + ",".join(map(str, sorted(keys))) + "}"
    return {key for (key,) in connection.execute(query, (listed,), binary=True)}


def ends_of(visits: Iterable[Visit]) -> list[tuple[int]]:
    """The hashes of the ends of redirects, in the order in which rows are locked."""
    ends = {
        to_signed(text_hash(visit.final_url)) for visit in visits if visit.final_url is not None
    }
    return [(key,) for key in sorted(ends)]


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
        INSERT INTO forms ({FORM_COLUMNS}) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s)
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


class HeldSite(NamedTuple):
    """A site whose lease is in force, locked until the transaction ends."""

    id: int
    epoch: int
    worker: int
    out: int
    state: SiteState


class AcceptedDelivery(NamedTuple):
    """A delivery that is accepted, without what was delivered before."""

    delivery: Delivery
    held: HeldSite
    done: tuple[Completion, ...]


def lock_sites(connection: Connection, sites: Sequence[int]) -> dict[str, HeldSite]:
    """Lock the sites that are on lease, by name."""
    rows = connection.execute(_HOLD, (sorted(sites),)).fetchall()
    return {
        site: HeldSite(id_, epoch, worker, out, site_state(site, state))
        for id_, site, epoch, worker, out, *state in rows
    }


def accept_deliveries(
    connection: Connection, deliveries: Sequence[Delivery], held: dict[str, HeldSite]
) -> list[AcceptedDelivery]:
    """Those whose lease is in force; links that are visited now wait no more."""
    kept = [
        (delivery, site)
        for delivery in deliveries
        if (site := held.get(delivery.lease.site.site)) and site.epoch == delivery.lease.epoch
    ]
    numbers = [done.visit.id for delivery, _ in kept for done in delivery.done]
    waited = {id_ for (id_,) in connection.execute(_DONE, (numbers,))} if numbers else set()
    return [
        AcceptedDelivery(
            delivery, site, tuple(done for done in delivery.done if done.visit.id in waited)
        )
        for delivery, site in kept
    ]


def store_visits(connection: Connection, copier: Copier, kept: Sequence[AcceptedDelivery]) -> None:
    rows = [visit_row(done.visit, one.held.id) for one in kept for done in one.done]
    if not rows:
        return
    copier.write("visits", VISIT_COLUMNS, rows)
    by_worker: dict[int, list[Visit]] = {}
    for one in kept:
        by_worker.setdefault(one.held.worker, []).extend(done.visit for done in one.done)
    tallies = [(w, *tally) for w in sorted(by_worker) for tally in count_outcomes(by_worker[w])]
    ends = ends_of(done.visit for one in kept for done in one.done)
    with connection.cursor() as cursor:
        cursor.executemany(TALLY, tallies)
        if ends:
            cursor.executemany("INSERT INTO ends VALUES (%s) ON CONFLICT DO NOTHING", ends)


def store_forms(connection: Connection, kept: Sequence[AcceptedDelivery]) -> None:
    met: dict[str, tuple[JudgedForm, AcceptedDelivery, Completion]] = {}
    times: Counter[str] = Counter()
    for one in kept:
        for done in one.done:
            for judged in done.forms:
                met.setdefault(judged.signature, (judged, one, done))
                times[judged.signature] += 1
    if not met:
        return
    names = sorted(met)
    counted = [times[name] for name in names]
    again = connection.execute(_MET_AGAIN, (names, names, counted)).fetchall()
    for name in sorted(met.keys() - {name for (name,) in again}):
        judged, one, done = met[name]
        *facts, _, packed, topic = form_row(judged, one.held.id, done.visit, done.topic)
        row = storable((*facts, times[name], packed, topic, one.held.worker))
        connection.execute(_MET, row)


def store_events(copier: Copier, kept: Sequence[AcceptedDelivery]) -> None:
    """Events and lessons, in their order."""
    done = [done for one in kept for done in one.done]
    events = [event_row(event) for one in done for event in one.events]
    if events:
        copier.write("events", EVENT_COLUMNS, events)
    lessons = [(one.lesson,) for one in done if one.lesson]
    if lessons:
        copier.write("lessons", "body", lessons)


def store_sites(connection: Connection, kept: Sequence[AcceptedDelivery], now: float) -> None:
    """The sites as they are left, free again where the lease is over."""
    columns = [list(column) for column in zip(*map(_site_row, kept), strict=True)]
    connection.execute(_SITES, (now, now, *columns))
    back: Counter[int] = Counter()
    for one in kept:
        back[one.held.worker] += one.held.out if one.delivery.is_over else len(one.done)
    for worker in sorted(back):
        connection.execute(_SEEN, (back[worker], now, worker))


def _site_row(kept: AcceptedDelivery) -> Row:
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
