"""A worker's session with the database: a connection, made anew when it breaks; the time."""
# ruff: noqa: S608 - only names and numbers of our own are put into queries

import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from leadline.core.crawl import Event
from leadline.core.url import Site
from leadline.store.postgres.connection import (
    IDLE_MS,
    Connection,
    Copier,
    connect,
    one_row,
    translate_errors,
)
from leadline.store.postgres.schema import (
    LEASED,
    LOCK,
    NUMBERING,
    RESTING,
    check_version,
    locked_error,
    try_lock,
)
from leadline.store.rows import EVENT_COLUMNS, event_row

TOLERANCE_S = 0.5
"""Smaller differences come from the way to the database and from clocks being trimmed."""


class Clock(NamedTuple):
    """What is known of a machine's clock."""

    offset: float
    """Crawl time minus CLOCK_BOOTTIME."""
    held_s: float = 0.0
    """How much crawl time was held back by other machines since this one looked last."""


class Measured(NamedTuple):
    """The offset lies between two bounds: it was asked for and told, which takes time."""

    low: float
    high: float


class Verdict(NamedTuple):
    clock: Clock
    move_s: float = 0.0
    """By how much crawl time is to be moved."""


def jump(before: Clock, now: Measured) -> float:
    """How far the offset moved, as far as that is certain; small moves are none."""
    if now.low > before.offset + TOLERANCE_S:
        return now.low - before.offset
    if now.high < before.offset - TOLERANCE_S:
        return now.high - before.offset
    return 0.0


def judge(before: Clock | None, now: Measured) -> Verdict:
    """What follows from a look at the clock."""
    if before is None:
        return Verdict(Clock((now.low + now.high) / 2))
    jump_s = jump(before, now)
    if not jump_s or -before.held_s - TOLERANCE_S <= jump_s < 0:
        return Verdict(Clock(min(max(before.offset, now.low), now.high)))
    return Verdict(Clock(before.offset), -jump_s)


NAME = "leadline worker"
"""Of a worker's session, as the server knows it."""
LOOK_S = 5.0
"""Between two looks for sessions that stand still."""
SAMPLES = 3
"""Looks at the server's clock before anything is concluded: the quickest answers bound it best."""

_MOMENT = f"""
    SELECT apart, time.now, state, pages,
        EXISTS (SELECT FROM sites WHERE phase = {RESTING} AND wake_at <= time.now),
        EXISTS (SELECT FROM sites WHERE phase = {LEASED} AND wake_at <= time.now),
        EXISTS (SELECT FROM woken)
    FROM (SELECT {{}} + shift AS now FROM clock OFFSET 0) AS time, run
        LEFT JOIN clocks ON machine = %s
"""
_END_STILL = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND application_name = %s
    AND pid <> pg_backend_pid() AND state <> 'idle' AND wait_event_type = 'Client'
    AND state_change < clock_timestamp() - make_interval(secs => %s)
"""
_SESSION = (
    # A plan made when tables were small would stay. Compiling plans takes longer than they run.
    "SET plan_cache_mode = force_custom_plan; SET jit = off; SET random_page_cost = 1.1;"
    # Who finds that another was first looks again, in the same transaction.
    "SET default_transaction_isolation = 'read committed'"
)
_STAGE = """
    CREATE TEMP TABLE ranking (id integer, rank bigint, score double precision)
        ON COMMIT DELETE ROWS
"""


class Moment(NamedTuple):
    """What holds when a call begins."""

    now: float
    """Crawl time."""
    state: str
    """Of the run."""
    pages: int | None
    """Its budget."""
    has_rested: bool = True
    """Whether the pause of some site may be over."""
    has_expired: bool = True
    """Whether some lease may be over time."""
    has_news: bool = True
    """Whether some site got links."""


class Session:
    """Calls take turns. Nothing is kept here that may not be forgotten at any time.

    `clock` is the server's clock in SQL, `boot` CLOCK_BOOTTIME of the machine named `machine`.
    """

    def __init__(self, url: str, machine: str, boot: Callable[[], float], clock: str) -> None:
        self.url = url
        self.machine = machine
        self.boot = boot
        self._wall = f"extract(epoch FROM {clock})::double precision"
        self._moment = _MOMENT.format(self._wall)
        self._lock = threading.RLock()
        self._connection: Connection | None = None
        self._looked_at = boot()
        self.copier: Copier
        with self.hold_connection():
            pass

    @contextmanager
    def hold_connection(self) -> Iterator[Connection]:
        """The connection, for one call; psycopg's errors become ours."""
        with self._lock, translate_errors(self.url):
            yield self._connect()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        with self.hold_connection() as connection, connection.transaction():
            yield connection

    def moment(self, connection: Connection) -> Moment:
        """The time and the run, after looking whether a clock was set."""
        before = self.boot()
        apart, *found = one_row(connection, self._moment, self.machine)
        moment = Moment(*found)
        if apart is None or abs(moment.now - before - apart) > TOLERANCE_S / 2:
            return Moment(self._settle(connection), moment.state, moment.pages)
        return moment

    def now(self, connection: Connection) -> float:
        """Crawl time, for who only looks."""
        return float(one_row(connection, f"SELECT {self._wall} + shift FROM clock")[0])

    def end_still(self, connection: Connection, still_s: float = IDLE_MS / 1_000) -> None:
        """Now and then, end sessions of workers that have stood still within a statement or a
        pipeline: the server's own limits do not count the time that it waits for the rest of one.
        """
        if self.boot() - self._looked_at >= min(LOOK_S, still_s):
            connection.execute(_END_STILL, (NAME, still_s))
            self._looked_at = self.boot()

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _connect(self) -> Connection:
        if self._connection is None or self._connection.closed:
            with ExitStack() as unless_prepared:
                connection = connect(self.url, name=NAME)
                unless_prepared.callback(connection.close)
                self._prepare(connection)
                unless_prepared.pop_all()
            self._connection = connection
        return self._connection

    def _prepare(self, connection: Connection) -> None:
        check_version(connection, self.url)
        if not try_lock(connection, is_shared=True):
            raise locked_error(self.url)
        connection.execute(_SESSION)
        connection.execute(_STAGE)
        connection.prepare_threshold = 0
        self.copier = Copier(connection)

    def _settle(self, connection: Connection) -> float:
        """Look well, and move crawl time if a clock was set (store.postgres.clocks)."""
        with connection.transaction():
            (shift,) = one_row(connection, "SELECT shift FROM clock FOR UPDATE")
            now, measured = self._measure(connection, shift)
            query = "SELECT apart, held_s FROM clocks WHERE machine = %s"
            row = connection.execute(query, (self.machine,)).fetchone()
            verdict = judge(None if row is None else Clock(*row), measured)
            if verdict.move_s:
                self._move(connection, verdict.move_s)
            connection.execute(
                "INSERT INTO clocks VALUES (%s, %s, %s) ON CONFLICT (machine) DO UPDATE"
                " SET apart = excluded.apart, held_s = excluded.held_s",
                (self.machine, *verdict.clock),
            )
        return now + verdict.move_s

    def _measure(self, connection: Connection, shift: float) -> tuple[float, Measured]:
        now, lows, highs = 0.0, [], []
        for _ in range(SAMPLES):
            before = self.boot()
            (now,) = one_row(connection, f"SELECT {self._wall} + %s", shift)
            lows.append(now - self.boot())
            highs.append(now - before)
        return now, Measured(max(lows), min(highs))

    def _move(self, connection: Connection, move_s: float) -> None:
        connection.execute("UPDATE clock SET shift = shift + %s", (move_s,))
        connection.execute("UPDATE clocks SET held_s = held_s + %s", (max(0.0, -move_s),))
        (at,) = one_row(connection, f"SELECT {self._wall}")
        connection.execute(
            f"INSERT INTO events ({EVENT_COLUMNS}) VALUES (%s, %s, %s, %s)",
            event_row(Event(at, "clock", self.machine, f"{-move_s:+.1f} s")),
        )


def this_machine() -> str:
    """Names this machine as long as it runs: CLOCK_BOOTTIME begins anew with the next start."""
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


MOST_REMEMBERED = 200_000
"""Sites whose numbers are kept in memory, at 150 bytes each."""

_FIND_SITES = "SELECT site, id FROM names WHERE site = ANY(%s)"
_ADD_SITES = """
    WITH new AS (
        INSERT INTO sites (id, site)
        SELECT (SELECT coalesce(max(id), -1) FROM sites) + row_number() OVER (ORDER BY name), name
        FROM unnest(%s::text[]) AS name WHERE NOT EXISTS (SELECT FROM names WHERE site = name)
        RETURNING site, id
    )
    INSERT INTO names SELECT site, id FROM new
"""


class SiteNumbers:
    """Sites get numbers without gaps, which rise in the order in which others get to see them:
    new ones are added one process after the other, in a transaction of their own. It need not be
    durable by itself, because whatever uses the numbers is committed later."""

    def __init__(self) -> None:
        self._sites: dict[str, int] = {}
        self._workers: dict[str, int] = {}

    def sites(self, connection: Connection, names: Iterable[Site]) -> dict[str, int]:
        """A table of at least these sites, added where they are new. Not inside a transaction."""
        wanted = set(names)
        known = self.known_sites(connection, wanted)
        missing = [name for name in wanted if name not in known]
        if missing:
            self._sites.update(_add_sites(connection, sorted(missing)))
        return self._sites

    def known_sites(self, connection: Connection, names: Collection[Site]) -> dict[str, int]:
        """A table of those of the sites that there are."""
        self._forget_some()
        unknown = [name for name in names if name not in self._sites]
        if unknown:
            self._sites.update(connection.execute(_FIND_SITES, (unknown,)).fetchall())
        return self._sites

    def worker(self, connection: Connection, name: str) -> int:
        if name not in self._workers:
            connection.execute(
                "INSERT INTO workers (name) VALUES (%s) ON CONFLICT (name) DO NOTHING", (name,)
            )
            query = "SELECT id FROM workers WHERE name = %s"
            (self._workers[name],) = one_row(connection, query, name)
        return self._workers[name]

    def _forget_some(self) -> None:
        if len(self._sites) > MOST_REMEMBERED:
            self._sites = {}


def _add_sites(connection: Connection, names: list[str]) -> dict[str, int]:
    with connection.transaction():
        connection.execute("SET LOCAL synchronous_commit = off")
        connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", (LOCK, NUMBERING))
        connection.execute(_ADD_SITES, (names,))
        return dict(connection.execute(_FIND_SITES, (names,)).fetchall())
