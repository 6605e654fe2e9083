"""Shared stores for testing, with clocks that go as the test says."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from typing import Protocol

import psycopg
import pytest

from leadline.core.store import Store
from leadline.store.leases import StoreClock
from leadline.store.memory import MemoryStore
from leadline.store.postgres.store import PostgresStore
from leadline.store.sqlite import SqliteStore

MIDDAY = 1_700_000_000.0


class Clocks:
    """What the clocks of a world show."""

    def __init__(self) -> None:
        self.elapsed = 0.0
        self.set_by = 0.0
        self.lost: dict[str, float] = {}

    def wall(self) -> float:
        return MIDDAY + self.elapsed + self.set_by

    def boottime(self, machine: str = "") -> float:
        return 1_000.0 + self.elapsed - self.lost.get(machine, 0.0)

    def stand_still(self, machine: str, seconds: float) -> None:
        self.elapsed += seconds
        self.lost[machine] = self.lost.get(machine, 0.0) + seconds


class StoreWorld(Protocol):
    """A store, the machines that use it, and their clocks."""

    def open(self, machine: str) -> Store: ...

    def wait(self, seconds: float) -> None:
        """Time goes by, on every clock."""
        ...

    def set_clock(self, by_s: float) -> None:
        """Somebody sets the store's clock."""
        ...

    def stand_still(self, machine: str, seconds: float) -> None:
        """Time goes by for all but one machine."""
        ...

    def boottime(self) -> float:
        """CLOCK_BOOTTIME of the machines that never stood still."""
        ...


class OneProcessWorld:
    """A store that one process has, whatever machines take part: there is one clock."""

    def __init__(self, open_one: Callable[[StoreClock], Store]) -> None:
        self._clocks = Clocks()
        self._store = open_one(StoreClock(self._clocks.wall, self._clocks.boottime))

    def open(self, machine: str) -> Store:  # noqa: ARG002
        return self._store

    def wait(self, seconds: float) -> None:
        self._clocks.elapsed += seconds

    def set_clock(self, by_s: float) -> None:
        self._clocks.set_by += by_s

    def stand_still(self, machine: str, seconds: float) -> None:  # noqa: ARG002
        self._clocks.elapsed += seconds

    def boottime(self) -> float:
        return self._clocks.boottime()

    def close(self) -> None:
        self._store.close()


class DatabaseWorld:
    """Each machine has a session of its own. The server's clock stands in a table: time goes by
    when the test says so."""

    def __init__(self, url: str, undo: ExitStack) -> None:
        self._url = url
        self._undo = undo
        self._clocks = Clocks()
        self._connection = undo.enter_context(psycopg.connect(url, autocommit=True))
        self._connection.execute("CREATE TABLE IF NOT EXISTS test_clock (now float8)")
        self._connection.execute("INSERT INTO test_clock VALUES (0)")
        self._tick()

    def open(self, machine: str) -> Store:
        clock = "to_timestamp((SELECT now FROM test_clock))"
        opened = PostgresStore(self._url, machine, lambda: self._clocks.boottime(machine), clock)
        self._undo.callback(opened.close)
        return opened

    def wait(self, seconds: float) -> None:
        self._clocks.elapsed += seconds
        self._tick()

    def set_clock(self, by_s: float) -> None:
        self._clocks.set_by += by_s
        self._tick()

    def stand_still(self, machine: str, seconds: float) -> None:
        self._clocks.stand_still(machine, seconds)
        self._tick()

    def boottime(self) -> float:
        return self._clocks.boottime()

    def _tick(self) -> None:
        self._connection.execute("UPDATE test_clock SET now = %s", (self._clocks.wall(),))


@contextmanager
def _one_process_memory(_: pytest.FixtureRequest) -> Iterator[StoreWorld]:
    yield OneProcessWorld(lambda clock: MemoryStore(2, clock))


@contextmanager
def _one_process_sqlite(request: pytest.FixtureRequest) -> Iterator[StoreWorld]:
    folder = request.getfixturevalue("tmp_path")
    with closing(
        OneProcessWorld(lambda clock: SqliteStore(folder / "crawl.db", 2, clock=clock))
    ) as world:
        yield world


@contextmanager
def _database(request: pytest.FixtureRequest) -> Iterator[StoreWorld]:
    with ExitStack() as undo:
        yield DatabaseWorld(request.getfixturevalue("postgres_url"), undo)


STORE_WORLDS: Mapping[str, Callable[[pytest.FixtureRequest], AbstractContextManager[StoreWorld]]]
STORE_WORLDS = {
    "memory": _one_process_memory,
    "postgres": _database,
    "sqlite": _one_process_sqlite,
}
