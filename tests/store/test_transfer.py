"""Stores carried from a file to a database and back."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from numpy.typing import NDArray

from leadline.core.crawl import FeatureRows, Priority
from leadline.core.inbox import FORM, RIGHT, STOP, Label, Order
from leadline.core.ports import Scores
from leadline.core.store import Store
from leadline.errors import ConfigError, StoreLockedError
from leadline.store import open_store, open_store_view
from leadline.store.postgres.store import PostgresStore
from leadline.store.transfer.copying import copy_store
from leadline.store.transfer.sqlite import COLUMNS
from tests.store.samples import candidate, record, rescore, site, state, take, visit
from tests.store.test_durability import fill, fill_harvest, harvest_snapshot, snapshot


def by_tier(tiers: NDArray[np.int32], scores: Scores, _: FeatureRows) -> None:
    scores += tiers


def fill_all(store: Store) -> None:
    """One of everything, and some things that databases keep in different ways."""
    fill(store)
    fill_harvest(store)
    store.links.put([candidate(50, 1, score=math.inf), candidate(51, 1, tier=9)])
    (lease,) = take(store, 1)
    found = [candidate(60, parent=lease.id), candidate(61, skip="no", parent=lease.id)]
    record(store, visit(lease, relevance=math.nan, title="a\0b"), state(lease), found)
    rescore(store, by_tier)
    store.inbox.give(Order(STOP, 1.0))
    store.inbox.finish(1, 2.0, "stopped")
    store.inbox.label([Label(FORM, "one", RIGHT, 1.0, before=0.4)])
    store.flush()


def told(store: Any) -> str:
    """What is the same wherever it is kept, as text: numbers that are none are equal there."""
    found = (
        snapshot(store),
        harvest_snapshot(store),
        store.inbox.orders(),
        store.inbox.labels(),
        list(getattr(store, "links", store.reader).skipped_links()),
        store.pages.backlinks(candidate(60).url, 9),
    )
    return repr(found).replace("\ufffd", "\\x00")


def turns(place: Path | str) -> list[tuple[str, Priority]]:
    """In which order its links are given out."""
    store = open_store(place, width=2)
    taken = [lease for _ in range(3) for lease in take(store, 9)]
    store.close()
    return [(lease.candidate.url, lease.candidate.priority) for lease in taken]


def test_a_store_is_the_same_in_a_database_and_back(bare_url: str, tmp_path: Path) -> None:
    first, second = tmp_path / "one.leadline", tmp_path / "two.leadline"
    store = open_store(first, width=2)
    fill_all(store)
    before = told(store)
    store.close()
    tables: list[str] = []
    counts = copy_store(str(first), bare_url, lambda table, _: tables.append(table))
    assert tables == list(counts) == list(COLUMNS)
    assert (counts["visits"], counts["records"], counts["labels"]) == (3, 3, 1)
    with_database = open_store_view(bare_url)
    assert told(with_database) == before
    with_database.close()
    assert copy_store(bare_url, str(second)) == counts
    assert not second.with_name("two.leadline.part").exists()
    again = open_store_view(second)
    assert told(again) == before
    again.close()
    assert turns(first) == turns(bare_url) == turns(second)


def test_numbers_with_gaps_become_numbers_without(postgres_url: str, tmp_path: Path) -> None:
    shared = PostgresStore(postgres_url)
    shared.links.put([candidate(1), candidate(2)])
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("SELECT nextval('url_ids') FROM generate_series(1, 100)")
    shared.links.put([candidate(3), candidate(4)])
    shared.close()
    store = open_store(postgres_url)
    (lease,) = take(store, 1)
    record(store, visit(lease), state(lease), [candidate(5, 1, parent=lease.id)])
    store.close()
    path = tmp_path / "c.leadline"
    copy_store(postgres_url, str(path))
    copied = open_store(path)
    assert copied.reader.counts().known == 5
    assert [
        found[0] for n in range(1, 5) if (found := copied.reader.candidate(candidate(n).url))
    ] == [*(1, 2, 3, 4)]
    (lease,) = take(copied, 1)[-1:]
    assert copied.pages.path(lease.id)[-1].site == lease.candidate.site
    copied.close()


def test_a_database_that_holds_a_store_is_left_alone(postgres_url: str, tmp_path: Path) -> None:
    path = tmp_path / "c.leadline"
    store = open_store(path)
    store.links.put([candidate(1)])
    store.close()
    copy_store(str(path), postgres_url)
    with pytest.raises(ConfigError, match="holds a store already"):
        copy_store(str(path), postgres_url)
    with pytest.raises(ConfigError, match="there already"):
        copy_store(postgres_url, str(path))


def test_what_fails_leaves_nothing_behind(postgres_url: str, tmp_path: Path) -> None:
    path = tmp_path / "c.leadline"
    store = open_store(path)
    store.links.put([candidate(1), candidate(2, 1)])
    store.links.rank_sites([(site(1), Priority(0, 1.0))])
    store.close()

    def fail(table: str, _: int) -> None:
        if table == "records":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy_store(str(path), postgres_url, fail)
    reader = open_store_view(postgres_url)
    assert (reader.reader.counts().known, list(reader.reader.sites())) == (0, [])
    reader.close()
    copy_store(str(path), postgres_url)
    other = tmp_path / "other.leadline"
    with pytest.raises(KeyboardInterrupt):
        copy_store(postgres_url, str(other), fail)
    assert list(tmp_path.glob("other*")) == []


def test_a_store_that_is_written_is_not_copied(postgres_url: str, tmp_path: Path) -> None:
    path = tmp_path / "c.leadline"
    store = open_store(path)
    with pytest.raises(StoreLockedError):
        copy_store(str(path), postgres_url)
    store.close()
    shared = PostgresStore(postgres_url)
    with pytest.raises(StoreLockedError):
        copy_store(postgres_url, str(tmp_path / "new.leadline"))
    shared.close()


@pytest.mark.parametrize(
    ("source", "target"),
    [("a.leadline", "b.leadline"), ("postgresql:///a", "postgresql:///b"), (":memory:", "b")],
)
def test_only_a_file_and_a_database_can_be_copied(source: str, target: str) -> None:
    with pytest.raises(ConfigError):
        copy_store(source, target)
