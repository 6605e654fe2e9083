"""The run that all workers are part of, and its budget."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

from leadline.core.crawl import Budget
from leadline.core.shared import (
    LEARNER,
    NOTHING_LEFT,
    PAUSED,
    RUNNING,
    STOPPED,
    Run,
    Team,
    Worker,
)
from leadline.store.postgres.connecting import Connection, one_row
from leadline.store.postgres.schema import READY, RESTING
from leadline.store.shared.tables import UNPAID

NO_LIMIT = 1 << 30

_RUN = "SELECT state, reason, pages, seconds, bytes, forms, number FROM run"
_BEGIN = f"""
    UPDATE run SET number = number + 1, state = '{RUNNING}', reason = '', pages = %s,
        seconds = %s, bytes = %s, forms = %s, begun_at = %s,
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


def read_run(connection: Connection) -> Run:
    state, reason, pages, seconds, size_bytes, forms, number = one_row(connection, _RUN)
    return Run(state, reason, Budget(pages, seconds, size_bytes, forms), number)


def begin(connection: Connection, budget: Budget, now: float) -> bool:
    return connection.execute(_BEGIN, (*_limits(budget), now)).rowcount == 1


def limit(connection: Connection, budget: Budget) -> None:
    connection.execute(_LIMIT, _limits(budget))


def pause(connection: Connection) -> None:
    connection.execute("UPDATE run SET state = %s WHERE state = %s", (PAUSED, RUNNING))


def resume(connection: Connection) -> None:
    connection.execute("UPDATE run SET state = %s WHERE state = %s", (RUNNING, PAUSED))


def stop(connection: Connection, reason: str) -> None:
    connection.execute(
        "UPDATE run SET state = %s, reason = %s WHERE state <> %s", (STOPPED, reason, STOPPED)
    )


def room(connection: Connection) -> int:
    """Links that may still be leased. Whoever asks is the only one to lease until the
    transaction ends; deliveries meanwhile turn links on lease into visits, never more."""
    connection.execute("SELECT FROM run FOR UPDATE")
    (left,) = one_row(connection, _ROOM)
    return NO_LIMIT if left is None else max(0, left)


def why_stop(connection: Connection, now: float) -> str:
    run = read_run(connection)
    if run.state == STOPPED:
        return run.reason or STOPPED
    pages, size_bytes, forms, begun_at = one_row(connection, _SPENT)
    spent = run.budget.spent(
        pages=pages, seconds=now - begun_at, size_bytes=size_bytes, forms=forms
    )
    return spent or ("" if one_row(connection, _BUSY)[0] else NOTHING_LEFT)


def read_workers(connection: Connection, now: float) -> list[Worker]:
    rows = connection.execute(_WORKERS, (now,)).fetchall()
    return [Worker(name, max(0.0, seen_s), out, visits) for name, seen_s, out, visits in rows]


def sign_off(connection: Connection, worker: str) -> None:
    connection.execute("UPDATE workers SET seen_at = '-infinity' WHERE name = %s", (worker,))


def read_team(connection: Connection) -> Team | None:
    """None if one process alone has had the store so far."""
    (now,) = one_row(connection, _NOW)
    workers = read_workers(connection, now)
    return Team(tuple(workers), *one_row(connection, _LEARNING, now)) if workers else None


def _limits(budget: Budget) -> tuple[int | None, float | None, int | None, int | None]:
    return budget.pages, budget.seconds, budget.bytes, budget.forms
