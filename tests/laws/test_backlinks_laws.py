"""The laws of the Backlinks port, run on every provider that can be set."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from leadline.backlinks import BackLinkSettings, open_backlinks
from leadline.backlinks.graph_import import import_graph
from leadline.backlinks.settings import PROVIDERS
from leadline.core.crawl import Candidate, Priority
from leadline.core.ports import BacklinkAnswer, Backlinks
from leadline.core.url import Url, site_of
from leadline.errors import FetchError
from leadline.store import open_store
from leadline.testing import LawBrokenError
from leadline.testing import fetcher_laws as laws
from tests.backlinks.graphs import write_graph
from tests.backlinks.servers import LinkServer, SearchServer
from tests.server.wire import LoopbackServer
from tests.store.samples import record, state, take, visit
from tests.web.rig import fetching

HOME, PAGE = Url("http://beta.de/"), Url("http://beta.de/about")
NAMED = [
    PAGE, HOME, "http://alpha.com/", "http://alpha.com/#top", "mailto:x@y.test", "nonsense",
    "http://ALPHA.com/hub", "http://shop.alpha.com/", "http://gamma.org/", "http://omega.org/",
]  # fmt: skip
"""What a careless service may say."""
SOURCES = ("http://alpha.com/", "http://shop.alpha.com/", "http://gamma.org/")
Opening = Callable[[Path], AbstractAsyncContextManager[Backlinks]]


@asynccontextmanager
async def opened(
    settings: BackLinkSettings, folder: Path, server: LoopbackServer | None = None
) -> AsyncIterator[Backlinks]:
    store = open_store(folder / "crawl.db")
    store.links.put([_candidate(url) for url in SOURCES])
    for lease in take(store, 9):
        found = [_candidate(f"{HOME}{lease.id}", lease.id), _candidate(PAGE, lease.id)]
        record(store, visit(lease), state(lease), found)
    async with fetching(server) as fetcher:
        with open_backlinks(settings, store.pages, fetcher) as links:
            assert links is not None
            yield links
    store.close()


def _candidate(text: str, parent: object = None) -> Candidate:
    url = Url(text)
    return Candidate(url, site_of(url), Priority(0, 0.0), parent=parent)  # type: ignore[arg-type]


@asynccontextmanager
async def own(folder: Path) -> AsyncIterator[Backlinks]:
    async with opened(BackLinkSettings(), folder) as links:
        yield links


@asynccontextmanager
async def searxng(folder: Path) -> AsyncIterator[Backlinks]:
    queries = {f"link:{url}": [str(named) for named in NAMED] for url in (HOME, PAGE)}
    settings = BackLinkSettings(provider="searxng", address="http://find.test/")
    async with SearchServer(queries) as server, opened(settings, folder, server) as links:
        yield links


@asynccontextmanager
async def service(folder: Path) -> AsyncIterator[Backlinks]:
    settings = BackLinkSettings(provider="service", address="http://links.test/links")
    async with LinkServer([*NAMED, None]) as server, opened(settings, folder, server) as links:
        yield links


@asynccontextmanager
async def commoncrawl(folder: Path) -> AsyncIterator[Backlinks]:
    import_graph(*write_graph(folder), folder / "hosts.graph")
    settings = BackLinkSettings(provider="commoncrawl", file=str(folder / "hosts.graph"))
    async with opened(settings, folder) as links:
        yield links


OPENING: dict[str, Opening] = {
    "own": own,
    "searxng": searxng,
    "commoncrawl": commoncrawl,
    "service": service,
}


@pytest.fixture(params=sorted(set(PROVIDERS.own) - {"none"}))
async def links(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Backlinks]:
    async with OPENING[request.param](tmp_path) as provider:
        yield provider


@pytest.mark.parametrize("page", [HOME, PAGE])
@pytest.mark.parametrize("limit", [1, 2, 20])
async def test_at_most_as_many_as_asked_for_each_once_and_not_the_page(
    links: Backlinks, page: Url, limit: int
) -> None:
    await laws.names_distinct_other_pages(links, page, limit)


async def test_a_home_page_is_linked_to_by_other_sites(links: Backlinks) -> None:
    found = (await links.find_backlinks(HOME, 20)).urls
    assert len(found) >= 2
    assert site_of(HOME) not in {site_of(url) for url in found}


async def test_the_same_question_has_the_same_answer(links: Backlinks) -> None:
    await laws.answers_the_same_again(links, HOME)


@pytest.mark.parametrize("page", laws.ODD)
async def test_any_page_may_be_asked_about(links: Backlinks, page: Url) -> None:
    await laws.answers_about_any_page(links, page)


class Echo:
    """Names the page itself."""

    async def find_backlinks(self, url: Url, limit: int) -> BacklinkAnswer:
        return BacklinkAnswer((url,)[:limit])


def test_a_provider_that_breaks_a_law_is_told_which() -> None:
    with pytest.raises(LawBrokenError, match="the page itself is not named"):
        laws.check_backlinks(lambda _: Echo(), [PAGE])


@pytest.mark.parametrize("name", ["searxng", "service"])
async def test_only_fetch_errors_are_raised_by_one_that_is_gone(name: str, tmp_path: Path) -> None:
    settings = BackLinkSettings(provider=name, address="http://gone.test/")
    async with LinkServer() as server:
        pass
    async with opened(settings, tmp_path, server) as links:
        with pytest.raises(FetchError):
            await links.find_backlinks(HOME, 20)
