"""The tables of a database, and what becomes of other ones."""

from contextlib import closing

import psycopg
import pytest

from leadline.errors import StoreError, StoreVersionError
from leadline.store import has_store, open_shared_store, open_store, open_store_view
from leadline.store.postgres.connection import connect
from leadline.store.postgres.schema import MIGRATIONS, migrate
from tests.store.samples import candidate, site


def test_an_empty_database_becomes_a_store_when_it_is_opened(bare_url: str) -> None:
    assert not has_store(bare_url)
    for refuse in (open_store_view, open_shared_store):
        with pytest.raises(StoreError, match="leadline db init"):
            refuse(bare_url)
    store = open_store(bare_url)
    store.links.put([candidate(1)])
    store.close()
    assert has_store(bare_url)


def test_tables_are_made_once(bare_url: str) -> None:
    with connect(bare_url) as connection:
        assert migrate(connection, bare_url) == 0
        assert migrate(connection, bare_url) == len(MIGRATIONS)


def test_a_store_of_the_first_version_is_brought_up_to_date(bare_url: str) -> None:
    with connect(bare_url) as connection:
        migrate(connection, bare_url, upto=1)
        connection.execute("INSERT INTO sites (id, site) VALUES (0, %s)", (site(0),))
    with pytest.raises(StoreVersionError, match="leadline db migrate"):
        open_shared_store(bare_url)
    with connect(bare_url) as connection:
        assert migrate(connection, bare_url) == 1
    with closing(open_shared_store(bare_url)) as shared:
        shared.links.put([candidate(1, 0), candidate(2, 1)])
    with connect(bare_url) as connection:
        names = connection.execute("SELECT site, id FROM names ORDER BY id").fetchall()
        assert names == connection.execute("SELECT site, id FROM sites ORDER BY id").fetchall()
        assert names == [(site(0), 0), (site(1), 1)]


def test_a_store_of_a_later_version_is_left_alone(bare_url: str) -> None:
    open_store(bare_url).close()
    with psycopg.connect(bare_url, autocommit=True) as connection:
        connection.execute("UPDATE leadline_format SET version = 99")
    for opener in (open_store, open_store_view):
        with pytest.raises(StoreVersionError, match="upgrade"):
            opener(bare_url)


def test_a_database_of_something_else_is_left_alone(bare_url: str) -> None:
    with psycopg.connect(bare_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE urls (recipe text)")
    with pytest.raises(StoreError, match="something else"):
        open_store(bare_url)
