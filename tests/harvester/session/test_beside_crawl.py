"""Harvests open what they need of a store file: also while a crawl writes it."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from leadline.config import Config, load_config
from leadline.core.crawl import Budget
from leadline.core.url import Url, site_of
from leadline.crawler.harvests.assembly import harvest_forms_async
from leadline.crawler.links import make_seed
from leadline.errors import StoreLockedError
from leadline.store import open_harvests, open_store, open_store_view
from leadline.store.sqlite import SqliteStore
from tests.harvester.session.http_shelf import HOME, ShelfSite, opening
from tests.harvester.session.sources import WORDS, Shelf
from tests.store.harvest_samples import subject

SHELF = site_of(Url(HOME))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.leadline"


@pytest.fixture
def crawled(path: Path) -> Iterator[SqliteStore]:
    """The store of a crawl that runs, and has the site of the shelf before it."""
    with closing(SqliteStore(path)) as store:
        store.links.put([make_seed(Url(HOME)), make_seed(Url("http://other.test/"))])
        store.run.begin(Budget())
        store.flush()
        yield store


@pytest.fixture
def config(path: Path) -> Callable[[ShelfSite], Config]:
    def make(site: ShelfSite) -> Config:
        settings = {
            "web.resolve": {"*": site.address},
            "web.allow_private": True,
            "politeness.delay_s": 0.0,
            "harvest.min_yield": 0.0,
            "store.path": str(path),
        }
        return load_config(settings=settings)[0]

    return make


async def test_a_site_that_the_crawl_has_left_is_harvested_beside_it(
    crawled: SqliteStore, path: Path, config: Callable[[ShelfSite], Config]
) -> None:
    crawled.links.close_sites(lambda site: site == SHELF, "one form was wanted")
    crawled.flush()
    async with ShelfSite(Shelf()) as site:
        result = await harvest_forms_async(config(site), HOME, opener=opening(WORDS[:2]))
    assert result.harvests[0].tally.records > 0
    crawled.links.put([make_seed(Url("http://third.test/"))])
    crawled.flush()
    with closing(open_store_view(path)) as view:
        assert sum(1 for _ in view.harvests.records()) == result.harvests[0].tally.records
        assert any(event.kind == "harvest-stopped" for event in view.reader.events())


async def test_a_site_that_the_crawl_may_ask_is_left_to_it(
    crawled: SqliteStore, config: Callable[[ShelfSite], Config]
) -> None:
    assert not crawled.reader.site(SHELF).closed
    async with ShelfSite(Shelf()) as site:
        with pytest.raises(StoreLockedError, match="may ask"):
            await harvest_forms_async(config(site), HOME, opener=opening(WORDS[:2]))


def test_one_process_writes_harvests_of_a_file(crawled: SqliteStore, path: Path) -> None:
    with closing(open_harvests(path)) as harvests:
        with pytest.raises(StoreLockedError, match="harvests into"):
            open_harvests(path)
        with pytest.raises(StoreLockedError, match="harvests into"):
            crawled.harvests.begin(subject(), 1.0)
        head = harvests.harvests.begin(subject(), 1.0)
    assert crawled.harvests.find(subject().signature) is None
    other = subject("other")
    assert crawled.harvests.begin(other, 2.0).id == head.id + 1
    with pytest.raises(StoreLockedError, match="harvests into"):
        open_harvests(path)


def test_a_crawl_opens_the_store_that_harvests_made(path: Path) -> None:
    with closing(open_harvests(path)) as harvests:
        harvests.harvests.begin(subject(), 1.0)
        harvests.save("key", b"value")
        assert harvests.load("key") == b"value"
    with closing(open_store(path)) as store:
        assert store.harvests.find(subject().signature) is not None
        assert store.load("key") == b"value"
