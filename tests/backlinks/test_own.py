"""Back-links out of stores, of this crawl and of another."""

from pathlib import Path

from leadline.backlinks import BackLinkSettings, open_backlinks
from leadline.backlinks.providers import OwnLinks
from leadline.core.store import Store
from leadline.core.url import Url
from leadline.store import open_store
from leadline_lab.server.fetcher import LabFetcher
from tests.lab.small_world import LinkedWorld
from tests.store.samples import candidate, record, site, state, take, url, visit

HOME = Url(f"http://{site(9)}/")


def crawled(store: Store, first: int, pages: int) -> Store:
    """A store in which pages of so many sites link to site 9."""
    numbers = range(first, first + pages)
    store.links.put([candidate(number, number) for number in numbers])
    for lease in take(store, pages):
        record(store, visit(lease), state(lease), [candidate(int(lease.id), 9, parent=lease.id)])
    return store


async def test_links_that_the_crawl_has_met_are_free() -> None:
    store = crawled(open_store(":memory:"), 0, 3)
    found = await OwnLinks([store.pages]).find_backlinks(HOME, 2)
    assert found == ((url(0, 0), url(1, 1)), 0)
    store.close()


async def test_another_crawl_is_asked_for_what_this_one_does_not_know(tmp_path: Path) -> None:
    crawled(open_store(tmp_path / "other"), 2, 3).close()
    store = crawled(open_store(tmp_path / "this"), 0, 3)
    settings = BackLinkSettings(file=str(tmp_path / "other"))
    with open_backlinks(settings, store.pages, LabFetcher(LinkedWorld())) as links:
        assert links is not None
        found = await links.find_backlinks(HOME, 20)
        few = await links.find_backlinks(HOME, 2)
    assert found.urls == tuple(url(number, number) for number in range(5))
    assert few.urls == (url(0, 0), url(1, 1))
    store.close()
