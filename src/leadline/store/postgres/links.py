"""The links that wait in a PostgreSQL database, leased to many workers."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from leadline.core.crawl import LIKELY, Candidate, JudgedForm, Priority, SiteState, Skipped
from leadline.core.store import RUNNING, Delivery, LinkRanking, SiteLease
from leadline.core.url import Site
from leadline.frontier.ranks import SCORE_BITS, rank_of
from leadline.store.index import PASSED_OVER
from leadline.store.postgres.connection import Connection, Copier, one_row
from leadline.store.postgres.deliveries import (
    WAITING_COLUMNS,
    AcceptedDelivery,
    FoundLink,
    accept_deliveries,
    add_links,
    distinct_links,
    lock_sites,
    sites_of,
    store_events,
    store_forms,
    store_sites,
    store_visits,
)
from leadline.store.postgres.lease_sql import (
    NOTES_AT_A_TIME,
    LeaseHolder,
    LeaseShare,
    find_next_ready,
    lease_best,
    lease_named,
    sort_sites,
    wake_sites,
)
from leadline.store.postgres.reader import PostgresReader
from leadline.store.postgres.run import NO_LIMIT, find_room
from leadline.store.postgres.session import Session, SiteNumbers
from leadline.store.rows import judge_again, rejudged_row

ALONE = 0
"""The worker that stands for whoever puts links without leasing any."""

_ONE_BY_ONE = (
    "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;"
    " SET LOCAL enable_seqscan = off"
)
"""Rows are locked in the order in which they come: nobody waits for each other in a circle."""
_RANK_SITES = f"""
    UPDATE sites SET rank = again.rank, score = again.score, mark = nextval('marks')
    FROM (SELECT * FROM ranking ORDER BY id) AS again
    WHERE sites.id = again.id AND sites.rank IS DISTINCT FROM again.rank
        AND NOT (%s AND (pages + errors > 0
            OR coalesce(best >> {SCORE_BITS} < again.rank >> {SCORE_BITS}, false)))
"""
_REOPEN = """
    UPDATE sites SET closed = '', rank = NULL, score = NULL, mark = nextval('marks')
    WHERE closed <> '' AND errors_in_a_row = 0
"""
_CLOSE = """
    UPDATE sites SET closed = %s, has_state = true, mark = nextval('marks')
    WHERE id = ANY(%s) AND closed = '' RETURNING site
"""


_REJUDGE = "UPDATE forms SET relevant = %s, judged = %s WHERE signature = %s"
_COUNT_FORMS = """
    UPDATE sites SET forms = greatest(0, forms + %s), mark = nextval('marks') WHERE site = %s
"""
_COUNT_ALL_FORMS = """
    UPDATE workers SET forms = forms + %s WHERE id = (SELECT min(id) FROM workers)
"""


class PostgresLinks:
    """Keeps the guarantees of `LinkStore` across the death of any process, the server's too."""

    def __init__(self, session: Session, numbers: SiteNumbers, reader: PostgresReader) -> None:
        self._session = session
        self._numbers = numbers
        self._reader = reader
        self._noted = 0
        """Links put since sites were looked at."""
        self._sort()

    def put(self, candidates: Iterable[Candidate]) -> int:
        found = distinct_links([FoundLink(candidate, 0) for candidate in candidates])
        with self._session.hold_connection() as connection:
            numbers = self._numbers.sites(connection, (link.site for (link, _), _ in found))
            new = add_links(connection, self._session.copier, found, numbers, ALONE)
            self._noted += new
            if self._noted >= NOTES_AT_A_TIME:
                wake_sites(connection, self._session.moment(connection))
                self._noted = 0
            return new

    def lease(
        self,
        worker: str,
        *,
        sites: int,
        urls: int,
        turn: int | None = None,
        for_s: float,
        pause_s: float = 0.0,
        ranking: LinkRanking | None = None,
    ) -> list[SiteLease]:
        until = self._session.boot() + for_s
        with self._session.hold_connection() as connection:
            self._session.end_still(connection)
            moment = self._session.moment(connection)
            number = self._touch_worker(connection, worker, moment.now)
            wake_sites(connection, moment)
            if moment.state != RUNNING:
                return []
            with connection.transaction():
                room = NO_LIMIT if moment.pages is None else find_room(connection)
                leased = lease_best(
                    connection,
                    LeaseHolder(number, moment.now + for_s, pause_s),
                    LeaseShare(sites, urls, urls if turn is None else turn, room),
                    ranking,
                )
        return [SiteLease(one.state, one.epoch, until, one.links) for one in leased]

    def lease_site(
        self, worker: str, site: Site, *, for_s: float, pause_s: float = 0.0
    ) -> SiteLease | None:
        until = self._session.boot() + for_s
        with self._session.hold_connection() as connection:
            self._session.end_still(connection)
            moment = self._session.moment(connection)
            number = self._touch_worker(connection, worker, moment.now)
            wake_sites(connection, moment)
            if moment.state != RUNNING:
                return None
            of_site = self._numbers.sites(connection, [site])[site]
            terms = LeaseHolder(number, moment.now + for_s, pause_s)
            leased = lease_named(connection, terms, of_site, moment.now)
        return None if leased is None else SiteLease(leased.state, leased.epoch, until, ())

    def wait_s(self) -> float | None:
        with self._session.hold_connection() as connection:
            at = find_next_ready(connection)
            return None if at is None else max(0.0, at - self._session.now(connection))

    def deliver(self, deliveries: Sequence[Delivery]) -> list[SiteLease]:
        if not deliveries:
            return []
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            numbers = self._numbers.sites(connection, sites_of(deliveries))
            with connection.transaction():
                sites = [numbers[delivery.lease.site.site] for delivery in deliveries]
                held = lock_sites(connection, sites)
                kept = accept_deliveries(connection, deliveries, held)
                if kept:
                    self._keep(connection, kept, numbers, now)
        accepted = {id(one.delivery) for one in kept}
        return [one.lease for one in deliveries if id(one) not in accepted]

    def rank_sites(
        self, ranks: Sequence[tuple[Site, Priority | None]], *, waiting: bool = False
    ) -> None:
        if not ranks:
            return
        with self._session.hold_connection() as connection:
            numbers = self._numbers.sites(connection, (site for site, _ in ranks))
            columns = rank_columns({numbers[site]: rank for site, rank in ranks})
            with connection.transaction():
                connection.execute(_ONE_BY_ONE, prepare=False)
                self._session.copier.write("ranking", "id, rank, score", zip(*columns, strict=True))
                connection.execute(_RANK_SITES, (waiting,))

    def reopen_sites(self) -> int:
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            with connection.transaction():
                wait_again(connection, self._session.copier)
                opened = connection.execute(_REOPEN).rowcount
                sort_sites(connection, now)
            return opened

    def close_sites(self, is_meant: Callable[[Site], bool], why: str) -> list[Site]:
        query = "SELECT id, site FROM sites WHERE closed = '' ORDER BY id"
        meant = [number for number, site in self._reader.rows(query) if is_meant(site)]
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            with connection.transaction():
                closed = connection.execute(_CLOSE, (why, meant)).fetchall()
                sort_sites(connection, now)
        return [site for (site,) in closed]

    def rejudge_forms(self, relevant: Mapping[str, float | JudgedForm]) -> None:
        met = self._reader.forms_signed(list(relevant))
        changes: Counter[Site] = Counter()
        rows = []
        for form in met:
            judged = judge_again(form.judged, relevant[form.judged.signature])
            changes[form.site] += (judged.relevant >= LIKELY) - (form.judged.relevant >= LIKELY)
            rows.append(rejudged_row(judged))
        with self._session.hold_connection() as connection, connection.transaction():
            with connection.cursor() as cursor:
                cursor.executemany(_REJUDGE, rows)
                cursor.executemany(_COUNT_FORMS, [(n, site) for site, n in changes.items() if n])
            connection.execute(_COUNT_ALL_FORMS, (changes.total(),))

    def skipped_links(self) -> Iterator[Skipped]:
        return self._reader.skipped_links()

    def site(self, site: Site) -> SiteState:
        return self._reader.site(site)

    def _sort(self) -> None:
        """Sort all sites, if a process that had the store alone left them unsorted."""
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            with connection.transaction():
                if not one_row(connection, "SELECT is_sorted FROM run FOR UPDATE")[0]:
                    sort_sites(connection, now)
                    connection.execute(
                        "SELECT setval(pg_get_serial_sequence('harvests', 'id'),"
                        " greatest(1, max(id)), max(id) IS NOT NULL) FROM harvests"
                    )
                    connection.execute("UPDATE run SET is_sorted = true")

    def _touch_worker(self, connection: Connection, worker: str, now: float) -> int:
        number = self._numbers.worker(connection, worker)
        connection.execute("UPDATE workers SET seen_at = %s WHERE id = %s", (now, number))
        return number

    def _keep(
        self,
        connection: Connection,
        kept: Sequence[AcceptedDelivery],
        numbers: dict[str, int],
        now: float,
    ) -> None:
        copier, worker = self._session.copier, kept[0].held.worker
        found = [
            FoundLink(c, done.version) for one in kept for done in one.done for c in done.found
        ]
        store_visits(connection, copier, kept)
        own = {one.held.id for one in kept}
        add_links(connection, copier, distinct_links(found), numbers, worker, own)
        store_forms(connection, kept)
        store_events(copier, kept)
        store_sites(connection, kept, now)


def wait_again(connection: Connection, copier: Copier) -> None:
    """Let what was passed over wait again, as if it had not been looked at."""
    rows = connection.execute(
        "WITH gone AS (DELETE FROM visits WHERE outcome = %s RETURNING id)"
        " SELECT u.id, u.tier, u.score, u.site FROM gone JOIN urls AS u USING (id) ORDER BY u.id",
        (PASSED_OVER,),
    ).fetchall()
    connection.execute("DELETE FROM tallies WHERE outcome = %s", (PASSED_OVER,))
    if rows:
        waiting = [(id_, rank_of(tier, score), site, 0) for id_, tier, score, site in rows]
        copier.write("waiting", WAITING_COLUMNS, waiting)


def rank_columns(ranks: Mapping[int, Priority | None]) -> list[Sequence[object]]:
    """Numbers of sites, their ranks, the scores these were made from."""
    chosen = [ranks[site] for site in sorted(ranks)]
    numbers = [None if p is None else rank_of(p.tier, p.score) for p in chosen]
    return [sorted(ranks), numbers, [None if p is None else float(p.score) for p in chosen]]
