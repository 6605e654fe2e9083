"""The store in a PostgreSQL database that many workers share."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from collections.abc import Callable, Iterator, Sequence

from leadline.core.crawl import (
    Budget,
    Candidate,
    CandidateId,
    Counts,
    Event,
    Priority,
    SiteState,
    Skipped,
    Waiting,
)
from leadline.core.inbox import Inbox
from leadline.core.ports import Harvests
from leadline.core.shared import (
    RUNNING,
    Claim,
    Completion,
    Delivery,
    Lesson,
    Model,
    Ranking,
    Run,
    SiteLease,
    Worker,
)
from leadline.core.url import Site, Url
from leadline.errors import LeaseLostError
from leadline.frontier.ranks import SCORE_BITS
from leadline.frontier.sieve import text_hashes
from leadline.store.harvests.reading import HarvestReader
from leadline.store.leases import boottime
from leadline.store.postgres import delivering, learning, leasing, running
from leadline.store.postgres.arriving import Found, arrive, distinct
from leadline.store.postgres.batch import ALONE, rank_columns, wait_again
from leadline.store.postgres.connecting import Connection, connect, one_row, translated
from leadline.store.postgres.copying import storable
from leadline.store.postgres.counting import read_waiting
from leadline.store.postgres.inbox import PostgresInbox
from leadline.store.postgres.leasing import Share, Terms
from leadline.store.postgres.line import Line, this_machine
from leadline.store.postgres.naming import Numbers
from leadline.store.postgres.reading import PostgresReader
from leadline.store.postgres.schema import make_if_absent
from leadline.store.postgres.shared_harvests import SharedHarvests
from leadline.store.postgres.statements import NOTE, SAVE
from leadline.store.rows import URL_COLUMNS, candidate_of, event_row, signed

_KNOWN = """
    SELECT EXISTS (SELECT FROM urls WHERE urls.hash = a.hash AND skip = '' AND urls.url = a.url)
        OR EXISTS (SELECT FROM ends WHERE ends.hash = a.hash)
    FROM unnest(%s::bigint[], %s::text[]) WITH ORDINALITY AS a (hash, url, place) ORDER BY place
"""
_HAS_FORMS = "SELECT signature FROM forms WHERE signature = ANY(%s)"
_HAS_DIGESTS = """
    SELECT EXISTS (SELECT FROM visits WHERE visits.digest = a.digest AND visits.digest <> 0
        AND visits.site = a.site)
    FROM unnest(%s::bigint[], %s::integer[]) WITH ORDINALITY AS a (digest, site, place)
    ORDER BY place
"""
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
_PATH = """
    WITH RECURSIVE steps (id, parent, place) AS (
        SELECT id, parent, 1 FROM urls WHERE id = %s
        UNION ALL
        SELECT urls.id, urls.parent, place + 1 FROM steps JOIN urls ON urls.id = steps.parent
        WHERE place < %s AND steps.parent < steps.id
    )
    SELECT {} , sites.site FROM steps JOIN urls AS u ON u.id = steps.id
        JOIN sites ON sites.id = u.site ORDER BY place DESC
""".format(", ".join(f"u.{name}" for name in URL_COLUMNS.split(", ")))


class PostgresShared:
    """Keeps the guarantees of `Shared` across the death of any process, the server's too.

    `machine` and `boot` are this machine's name and CLOCK_BOOTTIME, `clock` the server's clock in
    SQL: only tests say other ones.
    """

    def __init__(
        self,
        url: str,
        machine: str | None = None,
        boot: Callable[[], float] = boottime,
        clock: str = "clock_timestamp()",
    ) -> None:
        self._line = Line(url, machine or this_machine(), boot, clock)
        self._numbers = Numbers()
        self._reader = PostgresReader(url)
        self._desk = PostgresInbox(url)
        self._noted = 0
        """Links put since sites were looked at."""
        self._sort()

    def begin(self, budget: Budget) -> bool:
        with self._line.held() as connection:
            return running.begin(connection, budget, self._line.moment(connection).now)

    def limit(self, budget: Budget) -> None:
        with self._line.held() as connection:
            running.limit(connection, budget)

    def pause(self) -> None:
        with self._line.held() as connection:
            running.pause(connection)

    def resume(self) -> None:
        with self._line.held() as connection:
            running.resume(connection)

    def stop(self, reason: str) -> None:
        with self._line.held() as connection:
            running.stop(connection, reason)

    def run(self) -> Run:
        with self._line.held() as connection:
            return running.read_run(connection)

    def why_stop(self) -> str:
        with self._line.held() as connection:
            return running.why_stop(connection, self._line.now(connection))

    def spend(self, worker: str, pages: int) -> None:
        with self._line.held() as connection:
            number = self._numbers.worker(connection, worker)
            query = "UPDATE workers SET spent = spent + %s WHERE id = %s"
            connection.execute(query, (pages, number))

    def workers(self) -> list[Worker]:
        with self._line.held() as connection:
            return running.read_workers(connection, self._line.now(connection))

    def sign_off(self, worker: str) -> None:
        with self._line.held() as connection:
            running.sign_off(connection, worker)

    def put(self, candidates: Sequence[Candidate]) -> int:
        found = distinct([Found(candidate, 0) for candidate in candidates])
        with self._line.held() as connection:
            numbers = self._numbers.sites(connection, (link.site for (link, _), _ in found))
            new = arrive(connection, self._line.copier, found, numbers, ALONE)
            self._noted += new
            if self._noted >= leasing.NOTES_AT_A_TIME:
                leasing.wake(connection, self._line.moment(connection))
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
        ranking: Ranking | None = None,
    ) -> list[SiteLease]:
        until = self._line.boot() + for_s
        with self._line.held() as connection:
            self._line.end_still(connection)
            moment = self._line.moment(connection)
            number = self._seen(connection, worker, moment.now)
            leasing.wake(connection, moment)
            if moment.state != RUNNING:
                return []
            with connection.transaction():
                room = running.NO_LIMIT if moment.pages is None else running.room(connection)
                leased = leasing.lease_best(
                    connection,
                    Terms(number, moment.now + for_s, pause_s),
                    Share(sites, urls, urls if turn is None else turn, room),
                    ranking,
                )
        return [SiteLease(one.state, one.epoch, until, one.links) for one in leased]

    def lease_site(
        self, worker: str, site: Site, *, for_s: float, pause_s: float = 0.0
    ) -> SiteLease | None:
        until = self._line.boot() + for_s
        with self._line.held() as connection:
            self._line.end_still(connection)
            moment = self._line.moment(connection)
            number = self._seen(connection, worker, moment.now)
            leasing.wake(connection, moment)
            if moment.state != RUNNING:
                return None
            of_site = self._numbers.sites(connection, [site])[site]
            terms = Terms(number, moment.now + for_s, pause_s)
            leased = leasing.lease_named(connection, terms, of_site, moment.now)
        return None if leased is None else SiteLease(leased.state, leased.epoch, until, ())

    def wait_s(self) -> float | None:
        with self._line.held() as connection:
            at = leasing.next_turn(connection)
            return None if at is None else max(0.0, at - self._line.now(connection))

    def complete(
        self,
        lease: SiteLease,
        done: Sequence[Completion],
        *,
        rest_s: float = 0.0,
        is_over: bool = True,
    ) -> None:
        if self.deliver([Delivery(lease, tuple(done), rest_s, is_over)]):
            raise LeaseLostError(f"the lease of {lease.site.site} has passed to another worker")

    def deliver(self, deliveries: Sequence[Delivery]) -> list[SiteLease]:
        if not deliveries:
            return []
        with self._line.held() as connection:
            now = self._line.moment(connection).now
            numbers = self._numbers.sites(connection, delivering.sites_of(deliveries))
            with connection.transaction():
                sites = [numbers[delivery.lease.site.site] for delivery in deliveries]
                held = delivering.hold(connection, sites)
                kept = delivering.accept(connection, deliveries, held)
                if kept:
                    self._keep(connection, kept, numbers, now)
        accepted = {id(one.delivery) for one in kept}
        return [one.lease for one in deliveries if id(one) not in accepted]

    def rank_sites(
        self, ranks: Sequence[tuple[Site, Priority | None]], *, waiting: bool = False
    ) -> None:
        if not ranks:
            return
        with self._line.held() as connection:
            numbers = self._numbers.sites(connection, (site for site, _ in ranks))
            columns = rank_columns({numbers[site]: rank for site, rank in ranks})
            with connection.transaction():
                connection.execute(_ONE_BY_ONE, prepare=False)
                self._line.copier.write("ranking", "id, rank, score", zip(*columns, strict=True))
                connection.execute(_RANK_SITES, (waiting,))

    def reopen(self) -> int:
        with self._line.held() as connection:
            now = self._line.moment(connection).now
            with connection.transaction():
                wait_again(connection, self._line.copier)
                opened = connection.execute(_REOPEN).rowcount
                leasing.sort_sites(connection, now)
            return opened

    def skipped(self) -> Iterator[Skipped]:
        return self._reader.skipped()

    def site(self, site: Site) -> SiteState:
        return self._reader.site(site)

    def known(self, urls: Sequence[Url]) -> list[bool]:
        hashes = [signed(key) for key in text_hashes(urls)]
        with self._line.held() as connection:
            rows = connection.execute(_KNOWN, (hashes, list(storable(tuple(urls)))))
            return [is_known for (is_known,) in rows]

    def has_forms(self, signatures: Sequence[str]) -> list[bool]:
        with self._line.held() as connection:
            rows = connection.execute(_HAS_FORMS, (list(signatures),))
            met = {signature for (signature,) in rows}
        return [signature in met for signature in signatures]

    def has_digests(self, texts: Sequence[tuple[Site, int]]) -> list[bool]:
        with self._line.held() as connection:
            numbers = self._numbers.known_sites(connection, {site for site, _ in texts})
            digests = [signed(digest) for _, digest in texts]
            sites = [numbers.get(site, -1) for site, _ in texts]
            return [has for (has,) in connection.execute(_HAS_DIGESTS, (digests, sites))]

    def path(self, visit: CandidateId, length: int) -> list[Candidate]:
        if length < 1:
            return []
        with self._line.held() as connection:
            rows = connection.execute(_PATH, (visit, length)).fetchall()
        return [candidate_of(row[:-1], row[-1]) for row in rows]

    def linking(self, target: Url, limit: int) -> list[Url]:
        return self._reader.linking(target, limit)

    def lessons(self, after: int, limit: int) -> list[Lesson]:
        with self._line.transaction() as connection:
            return learning.lessons(connection, after, limit)

    def publish(self, model: Model) -> None:
        with self._line.transaction() as connection:
            learning.publish(connection, model, self._line.now(connection))

    def model(self, newer_than: int = 0) -> Model | None:
        with self._line.held() as connection:
            return learning.newest_model(connection, newer_than)

    def claim(self, name: str, worker: str, for_s: float) -> Claim | None:
        until = self._line.boot() + for_s
        with self._line.held() as connection:
            now = self._line.moment(connection).now
            epoch = learning.claim(connection, name, worker, now, now + for_s)
        return None if epoch is None else Claim(name, worker, epoch, until)

    def release(self, claim: Claim) -> None:
        with self._line.held() as connection:
            learning.release(connection, claim)

    def save(self, key: str, value: bytes) -> None:
        with self._line.held() as connection:
            connection.execute(SAVE, (key, value))

    def load(self, key: str) -> bytes | None:
        with self._line.held() as connection:
            row = connection.execute("SELECT value FROM saved WHERE key = %s", (key,)).fetchone()
        return None if row is None else row[0]

    def note(self, event: Event) -> None:
        with self._line.held() as connection:
            connection.execute(NOTE, storable(event_row(event)))

    def counts(self) -> Counts:
        return self._reader.counts()

    def waiting(self) -> Waiting:
        with self._line.held() as connection:
            return read_waiting(connection)

    def harvests(self, claim: Claim) -> Harvests:
        return SharedHarvests(self._line, claim, HarvestReader(self._reader))

    @property
    def inbox(self) -> Inbox:
        return self._desk

    def close(self) -> None:
        self._line.close()
        self._reader.close()

    def _sort(self) -> None:
        """Sort all sites, if a process that had the store alone left them unsorted."""
        with self._line.held() as connection:
            now = self._line.moment(connection).now
            with connection.transaction():
                if not one_row(connection, "SELECT is_sorted FROM run FOR UPDATE")[0]:
                    leasing.sort_sites(connection, now)
                    connection.execute(
                        "SELECT setval(pg_get_serial_sequence('harvests', 'id'),"
                        " greatest(1, max(id)), max(id) IS NOT NULL) FROM harvests"
                    )
                    connection.execute("UPDATE run SET is_sorted = true")

    def _seen(self, connection: Connection, worker: str, now: float) -> int:
        number = self._numbers.worker(connection, worker)
        connection.execute("UPDATE workers SET seen_at = %s WHERE id = %s", (now, number))
        return number

    def _keep(
        self,
        connection: Connection,
        kept: Sequence[delivering.Kept],
        numbers: dict[str, int],
        now: float,
    ) -> None:
        copier, worker = self._line.copier, kept[0].held.worker
        found = [Found(c, done.version) for one in kept for done in one.done for c in done.found]
        delivering.keep_visits(connection, copier, kept)
        own = {one.held.id for one in kept}
        arrive(connection, copier, distinct(found), numbers, worker, own)
        delivering.keep_forms(connection, kept)
        delivering.keep_words(copier, kept)
        delivering.keep_sites(connection, kept, now)


def open_shared(url: str, *, is_new: bool = False) -> PostgresShared:
    """The database at `url`, shared with others; with `is_new` the store is made where there is
    none. Raises StoreError else, StoreLockedError while one process has it alone."""
    if is_new:
        with translated(url), connect(url) as connection:
            make_if_absent(connection, url)
    return PostgresShared(url)
