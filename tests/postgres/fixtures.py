"""PostgreSQL for tests: one server for all of them, a database for each."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from leadline.store.postgres.connection import connect
from leadline.store.postgres.schema import migrate
from tests.postgres.server import NoServerError, Server

DATABASE = "crawl"

_EMPTY = """
    DO $$ DECLARE name regclass; BEGIN
        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name LIKE 'leadline%';
        FOR name IN SELECT oid FROM pg_class
                WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
                AND relname <> 'leadline_format' LOOP
            EXECUTE 'DELETE FROM ' || name;
        END LOOP;
        PERFORM setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S';
        INSERT INTO clock VALUES (0);
        INSERT INTO run VALUES (0, 'stopped', '', NULL, NULL, NULL, NULL, 0, 0, true);
        INSERT INTO workers (id, name) VALUES (0, '');
    END $$
"""


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """A server that is quick and would not survive a power cut."""
    try:
        server = Server()
    except NoServerError as error:
        pytest.skip(str(error))
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {DATABASE}")
    with connect(server.url(DATABASE)) as connection:
        migrate(connection, server.url(DATABASE))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _admin(postgres_server: Server) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_server.url(DATABASE), autocommit=True) as admin:
        yield admin


@pytest.fixture
def postgres_url(postgres_server: Server, _admin: psycopg.Connection) -> Iterator[str]:
    """A database with an empty store. What a test left connected is cut off at its end."""
    yield postgres_server.url(DATABASE)
    _admin.execute(_EMPTY)


def empty(url: str) -> None:
    """Leave nothing in a database but its tables, and nobody connected."""
    with psycopg.connect(url, autocommit=True) as admin:
        admin.execute(_EMPTY)


@pytest.fixture
def bare_url(postgres_server: Server) -> Iterator[str]:
    """A database without anything in it."""
    with database(postgres_server, "bare") as url:
        yield url


@contextmanager
def database(server: Server, name: str) -> Iterator[str]:
    """A database of one's own, for a while."""
    with psycopg.connect(server.url(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield server.url(name)
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def place_of(kind: str, request: pytest.FixtureRequest, folder: Path) -> str | Path:
    """Where a store of a kind is to be opened."""
    if kind != "postgres":
        return folder / "crawl.db"
    url: str = request.getfixturevalue("postgres_url")
    return url
