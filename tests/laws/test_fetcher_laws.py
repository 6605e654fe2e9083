"""What every Fetcher keeps, whatever it fetches from."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from msgspec import structs

from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.url import Site, Url, path_of, site_of
from leadline.plugins import NoSettings
from leadline.testing import LawBrokenError
from leadline.testing import fetcher_laws as laws
from leadline.web.archive import ArchiveWriter, ArchivingFetcher, ReplayFetcher
from leadline.web.fetchers import BaseFetcher
from leadline_lab.reply import Reply
from leadline_lab.server.fetcher import LabFetcher
from tests.server.good import GoodSite
from tests.server.wire import Ask
from tests.web.rig import fetching, get, url_of

DELAY_S = 0.05
Making = Callable[[GoodSite, Path], AbstractAsyncContextManager[Fetcher]]


@asynccontextmanager
async def live(site: GoodSite, _folder: Path) -> AsyncIterator[Fetcher]:
    async with fetching(site, politeness={"delay_s": DELAY_S}) as fetcher:
        yield fetcher


@asynccontextmanager
async def archiving(site: GoodSite, folder: Path) -> AsyncIterator[Fetcher]:
    async with live(site, folder) as inner:
        fetcher = ArchivingFetcher(inner, ArchiveWriter(folder))
        yield fetcher
        await fetcher.close()


def archives(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.warc.gz"))


@asynccontextmanager
async def replaying(site: GoodSite, folder: Path) -> AsyncIterator[Fetcher]:
    async with fetching(site) as inner:
        recorder = ArchivingFetcher(inner, ArchiveWriter(folder))
        for n in range(site.town.pages):
            await recorder.fetch(Request(url_of(site.town.url(n))))
        await recorder.close()
    site.log.clear()
    fetcher = ReplayFetcher(archives(folder))
    yield fetcher
    await fetcher.close()


class TownWorld:
    """The site's pages without its server, as a world of the lab."""

    def __init__(self, site: GoodSite) -> None:
        self._site = site

    def answer(self, request: Request, now: float) -> Reply:  # noqa: ARG002 (the signature)
        host = site_of(request.url)
        if not host.endswith(".test"):
            return Reply(0, fault="unknown host")
        ask = Ask(request.method, path_of(request.url), host, {})
        head, _, body = self._site.page(ask).partition(b"\r\n\r\n")
        kind = head.partition(b"Content-Type: ")[2].partition(b"\r\n")[0].decode()
        return Reply(int(head.split(b" ")[1]), (("content-type", kind),), body)


@asynccontextmanager
async def in_process(site: GoodSite, _folder: Path) -> AsyncIterator[Fetcher]:
    fetcher = LabFetcher(TownWorld(site))
    yield fetcher
    await fetcher.close()


FETCHERS: dict[str, Making] = {
    "http": live,
    "archiving": archiving,
    "replay": replaying,
    "lab": in_process,
}


@pytest.fixture(params=FETCHERS)
def making(request: pytest.FixtureRequest) -> Making:
    return FETCHERS[request.param]


def logged(site: GoodSite) -> list[laws.LoggedRequest]:
    return [laws.LoggedRequest(one.host, one.path, one.start, one.end) for one in site.log]


async def test_it_fetches_what_is_there(making: Making, tmp_path: Path) -> None:
    async with GoodSite(pages=20, hosts=4) as site, making(site, tmp_path) as fetcher:
        pages = {url_of(site.town.url(n)): site.town.html(n) for n in range(20)}
        await laws.fetches_what_is_there(fetcher, pages)


async def test_robots_txt_is_obeyed(making: Making, tmp_path: Path) -> None:
    async with GoodSite(pages=4, hosts=2) as site, making(site, tmp_path) as fetcher:
        await laws.obeys_robots(fetcher, laws.FORBIDDEN)
        assert not [entry for entry in site.log if entry.path.startswith("/private/")]


async def test_robots_txt_comes_first(making: Making, tmp_path: Path) -> None:
    async with GoodSite(pages=4, hosts=2) as site, making(site, tmp_path) as fetcher:
        await fetcher.fetch(get("/", "site1.test"))
        assert [entry.path for entry in site.log][:1] in ([], ["/robots.txt"])


@pytest.mark.parametrize("hosts", [1, 3])
async def test_a_site_gets_one_request_at_a_time_and_its_pause(
    making: Making, tmp_path: Path, hosts: int
) -> None:
    async with (
        GoodSite(pages=20, hosts=hosts, latency_s=0.005) as site,
        making(site, tmp_path) as fetcher,
    ):
        await asyncio.gather(*(fetcher.fetch(Request(url_of(site.town.url(n)))) for n in range(20)))
        laws.keeps_one_request_at_a_time(logged(site), DELAY_S)


@pytest.mark.parametrize("url", laws.UNREACHABLE)
async def test_only_fetch_errors_are_raised(making: Making, tmp_path: Path, url: Url) -> None:
    async with GoodSite(pages=2, hosts=1) as site, making(site, tmp_path) as fetcher:
        await laws.raises_only_fetch_errors(fetcher, [url])


async def test_ready_at_is_a_moment_and_passes(making: Making, tmp_path: Path) -> None:
    async with GoodSite(pages=2, hosts=1) as site, making(site, tmp_path) as fetcher:
        assert fetcher.ready_at(Site("site0.test")) <= time.time()
        await laws.says_when_a_site_is_ready(fetcher, url_of("http://site0.test/"), DELAY_S)


class Rude(BaseFetcher):
    """Breaks one law, by name."""

    async def fetch(self, request: Request) -> Response:
        if self.name == "raises" and "no/such" in request.url:
            raise ValueError(request.url)
        response = await self.http.fetch(request)
        return structs.replace(response, body=b"") if self.name == "changes" else response

    def ready_at(self, site: Site) -> float:
        return self.http.ready_at(site) + (60 if self.name == "tires" else 0)


@pytest.mark.parametrize(
    ("name", "law"),
    [
        ("raises", "only FetchError is raised"),
        ("changes", "returns what the site sent"),
        ("tires", "ready again"),
    ],
)
def test_a_fetcher_that_breaks_a_law_is_told_which(name: str, law: str) -> None:
    def make(http: Fetcher) -> Fetcher:
        fetcher = Rude(NoSettings(), http)
        fetcher.name = name
        return fetcher

    with pytest.raises(LawBrokenError, match=law):
        laws.check_fetcher(make)


def test_a_fetcher_of_ones_own_keeps_the_laws_by_its_base() -> None:
    laws.check_fetcher(lambda http: BaseFetcher(NoSettings(), http))
