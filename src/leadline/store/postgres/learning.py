"""Lessons, models and claims in the database."""

from leadline.core.store import Claim, PublishedModel, StoredLesson
from leadline.errors import LeaseLostError
from leadline.store.postgres.connection import Connection, one_row
from leadline.store.postgres.schema import LOCK, TELLING
from leadline.store.postgres.session import Session

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
        with self._session.held() as connection:
            row = connection.execute(
                "SELECT version, state, upto FROM models WHERE version > %s"
                " ORDER BY version DESC LIMIT 1",
                (newer_than,),
            ).fetchone()
        return None if row is None else PublishedModel(*row)

    def claim(self, name: str, worker: str, for_s: float) -> Claim | None:
        until = self._session.boot() + for_s
        with self._session.held() as connection:
            now = self._session.moment(connection).now
            values = {"name": name, "worker": worker, "now": now, "until": now + for_s}
            row = connection.execute(_CLAIM, values).fetchone()
        return None if row is None else Claim(name, worker, row[0], until)

    def release(self, claim: Claim) -> None:
        with self._session.held() as connection:
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
