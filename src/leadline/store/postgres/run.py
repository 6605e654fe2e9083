"""The run that all workers on a database are part of, what they learn, and their claims."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from leadline.core.crawl import Budget
from leadline.core.store import (
    LEARNER,
    NOTHING_LEFT,
    PAUSED,
    RUNNING,
    STOPPED,
    Claim,
    PublishedModel,
    RunState,
    StoredLesson,
    Team,
    WorkerStatus,
)
from leadline.errors import LeaseLostError
from leadline.store.index import UNPAID
from leadline.store.postgres.connection import Connection, one_row
from leadline.store.postgres.reader import read_run
from leadline.store.postgres.schema import LOCK, READY, RESTING, TELLING
from leadline.store.postgres.session import Session, SiteNumbers

NO_LIMIT = 1 << 30

_BEGIN = f"""
    UPDATE run SET number = number + 1, state = '{RUNNING}', reason = '', pages = %s,
        seconds = %s, bytes = %s, forms = %s, begun_at = %s, since = %s,
        begun_bytes = coalesce((SELECT sum(size_bytes) FROM tallies), 0)
    WHERE state = '{STOPPED}'
"""
_LIMIT = "UPDATE run SET pages = %s, seconds = %s, bytes = %s, forms = %s"
_UNPAID = ", ".join(f"'{outcome}'" for outcome in sorted(UNPAID))
_PAID = f"""
    coalesce((SELECT sum(visits) FROM tallies WHERE outcome NOT IN ({_UNPAID})), 0)
    + coalesce((SELECT sum(spent) FROM workers), 0)
"""
_ROOM = f"""
    SELECT (pages - coalesce((SELECT sum(out) FROM workers), 0) - ({_PAID}))::bigint FROM run
"""
_SPENT = f"""
    SELECT ({_PAID})::bigint, (coalesce((SELECT sum(size_bytes) FROM tallies), 0)
        - begun_bytes)::bigint, coalesce((SELECT sum(forms) FROM workers), 0)::bigint, begun_at
    FROM run
"""
_BUSY = f"""
    SELECT EXISTS (SELECT FROM sites WHERE phase = {READY})
        OR EXISTS (SELECT FROM sites WHERE phase >= {RESTING}) OR EXISTS (SELECT FROM woken)
"""
_WORKERS = """
    SELECT name, %s - seen_at, out, coalesce((SELECT sum(visits) FROM tallies
        WHERE tallies.worker = workers.id), 0)::bigint
    FROM workers WHERE name <> '' ORDER BY name COLLATE "C"
"""
_NOW = "SELECT extract(epoch FROM clock_timestamp())::double precision + shift FROM clock"
_LEARNING = f"""
    SELECT coalesce((SELECT worker FROM claims WHERE name = '{LEARNER}' AND until > %s), ''),
        coalesce((SELECT max(version) FROM models), 0), (SELECT count(*) FROM lessons)
"""


class PostgresRun:
    """Keeps the guarantees of `RunStore`. Times in the table are crawl time."""

    def __init__(self, session: Session, numbers: SiteNumbers) -> None:
        self._session = session
        self._numbers = numbers

    def begin(self, budget: Budget) -> bool:
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            return connection.execute(_BEGIN, (*_limits(budget), now, now)).rowcount == 1

    def set_budget(self, budget: Budget) -> None:
        with self._session.hold_connection() as connection:
            connection.execute(_LIMIT, _limits(budget))

    def pause(self) -> None:
        query = "UPDATE run SET state = %s, since = %s WHERE state = %s"
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            connection.execute(query, (PAUSED, now, RUNNING))

    def resume(self) -> None:
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            connection.execute(
                "UPDATE run SET state = %s, begun_at = begun_at + %s - since, since = %s"
                " WHERE state = %s",
                (RUNNING, now, now, PAUSED),
            )

    def stop(self, reason: str) -> None:
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            connection.execute(
                "UPDATE run SET state = %s, since = %s, reason = %s WHERE state <> %s",
                (STOPPED, now, reason, STOPPED),
            )

    def state(self) -> RunState:
        with self._session.hold_connection() as connection:
            return read_run(connection)

    def stop_reason(self) -> str:
        with self._session.hold_connection() as connection:
            run = read_run(connection)
            if not run.is_under_way:
                return run.reason or run.state
            pages, size_bytes, forms, begun_at = one_row(connection, _SPENT)
            until = self._session.now(connection) if run.state == RUNNING else run.since
            spent = run.budget.find_spent_limit(
                pages=pages, seconds=until - begun_at, size_bytes=size_bytes, forms=forms
            )
            return spent or ("" if one_row(connection, _BUSY)[0] else NOTHING_LEFT)

    def spend(self, worker: str, pages: int) -> None:
        with self._session.hold_connection() as connection:
            number = self._numbers.worker(connection, worker)
            query = "UPDATE workers SET spent = spent + %s WHERE id = %s"
            connection.execute(query, (pages, number))

    def workers(self) -> list[WorkerStatus]:
        with self._session.hold_connection() as connection:
            return _read_workers(connection, self._session.now(connection))

    def sign_off(self, worker: str) -> None:
        query = "UPDATE workers SET seen_at = '-infinity' WHERE name = %s"
        with self._session.hold_connection() as connection:
            connection.execute(query, (worker,))


def find_room(connection: Connection) -> int:
    """Links that may still be leased. Whoever asks is the only one to lease until the
    transaction ends; deliveries meanwhile turn links on lease into visits, never more."""
    connection.execute("SELECT FROM run FOR UPDATE")
    (left,) = one_row(connection, _ROOM)
    return NO_LIMIT if left is None else max(0, left)


def read_team(connection: Connection) -> Team | None:
    """None if nobody ever leased anything."""
    (now,) = one_row(connection, _NOW)
    workers = _read_workers(connection, now)
    return Team(tuple(workers), *one_row(connection, _LEARNING, now)) if workers else None


def _read_workers(connection: Connection, now: float) -> list[WorkerStatus]:
    rows = connection.execute(_WORKERS, (now,)).fetchall()
    return [WorkerStatus(name, max(0.0, seen_s), out, visits) for name, seen_s, out, visits in rows]


def _limits(budget: Budget) -> tuple[int | None, float | None, int | None, int | None]:
    return budget.pages, budget.seconds, budget.bytes, budget.forms


MODELS_KEPT = 3
"""A worker that is slow to fetch a model finds it still there."""

_TELL = """
    WITH untold AS (
        SELECT id FROM lessons WHERE number IS NULL ORDER BY id LIMIT %s
    ), ordered AS (
        SELECT id, nextval('lesson_numbers') AS number FROM (SELECT id FROM untold ORDER BY id) AS u
    )
    UPDATE lessons SET number = ordered.number FROM ordered WHERE lessons.id = ordered.id
"""
_CLAIM = """
    INSERT INTO claims VALUES (%(name)s, %(worker)s, 1, %(until)s)
    ON CONFLICT (name) DO UPDATE SET worker = excluded.worker, until = excluded.until,
        epoch = claims.epoch + (claims.worker <> excluded.worker)::integer
    WHERE claims.worker IN ('', excluded.worker) OR claims.until <= %(now)s
    RETURNING epoch
"""


class PostgresLearning:
    """Keeps the guarantees of `LearningStore`."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def lessons(self, after: int, limit: int) -> list[StoredLesson]:
        """Numbers are given when lessons are told: those of two deliveries may become visible in
        another order than they were written in, and none may be passed over."""
        query = "SELECT number, body FROM lessons WHERE number > %s ORDER BY number LIMIT %s"
        with self._session.transaction() as connection:
            connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK, TELLING))
            told = connection.execute(query, (after, limit)).fetchall()
            if len(told) < limit and connection.execute(_TELL, (limit,)).rowcount:
                told = connection.execute(query, (after, limit)).fetchall()
        return [StoredLesson(number, body) for number, body in told]

    def publish(self, model: PublishedModel) -> None:
        with self._session.transaction() as connection:
            now = self._session.now(connection)
            connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK, TELLING))
            (newest,) = one_row(connection, "SELECT coalesce(max(version), 0) FROM models")
            if newest >= model.version:
                raise LeaseLostError(f"model {newest} is there: another learner has taken over")
            row = model.version, model.state, model.upto, now
            connection.execute("INSERT INTO models VALUES (%s, %s, %s, %s)", row)
            connection.execute("DELETE FROM lessons WHERE number <= %s", (model.upto,))
            connection.execute(
                "DELETE FROM models WHERE version < (SELECT min(version) FROM"
                " (SELECT version FROM models ORDER BY version DESC LIMIT %s) AS kept)",
                (MODELS_KEPT,),
            )

    def model(self, newer_than: int = 0) -> PublishedModel | None:
        with self._session.hold_connection() as connection:
            row = connection.execute(
                "SELECT version, state, upto FROM models WHERE version > %s"
                " ORDER BY version DESC LIMIT 1",
                (newer_than,),
            ).fetchone()
        return None if row is None else PublishedModel(*row)

    def claim(self, name: str, worker: str, for_s: float) -> Claim | None:
        until = self._session.boot() + for_s
        with self._session.hold_connection() as connection:
            now = self._session.moment(connection).now
            values = {"name": name, "worker": worker, "now": now, "until": now + for_s}
            row = connection.execute(_CLAIM, values).fetchone()
        return None if row is None else Claim(name, worker, row[0], until)

    def release(self, claim: Claim) -> None:
        with self._session.hold_connection() as connection:
            connection.execute(
                "UPDATE claims SET worker = '' WHERE name = %s AND worker = %s AND epoch = %s",
                (claim.name, claim.worker, claim.epoch),
            )


def check_claim(connection: Connection, held: Claim) -> None:
    """Raise LeaseLostError unless the claim is still its holder's, until the transaction ends."""
    row = connection.execute(
        "SELECT 1 FROM claims WHERE name = %s AND worker = %s AND epoch = %s FOR SHARE",
        (held.name, held.worker, held.epoch),
    ).fetchone()
    if row is None:
        raise LeaseLostError(f"the claim on {held.name} has passed to another worker")
