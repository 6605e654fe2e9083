"""Fetchers of processes that share the sites they may ask."""

import pytest

from leadline.core.url import Site, Url
from leadline.errors import SiteTakenError
from leadline.web.fetcher import RETRY_TABLE
from tests.server.misbehaving import MisbehavingServer
from tests.web.rig import Shelf, fetching, get


class Shared:
    """A site that another process has asked before, and has at first."""

    def __init__(self, shelf: Shelf, known: dict[str, bytes], *, is_free: bool) -> None:
        self.shelf, self.known, self.is_free = shelf, known, is_free

    async def obtain(self, site: Site, url: Url) -> None:  # noqa: ARG002
        if not self.is_free:
            raise SiteTakenError(url, "another worker has it", 1.0)
        self.shelf.values.update(self.known)

    def check(self, site: Site, url: Url) -> None:
        pass


async def robots_of(server: MisbehavingServer) -> dict[str, bytes]:
    """What a process that asked the site before has kept of it."""
    shelf = Shelf()
    async with fetching(server, **shelf.hooks) as fetcher:
        await fetcher.fetch(get("/echo"))
    return shelf.values


async def test_a_site_that_another_has_is_left_alone_without_a_pause(
    server: MisbehavingServer,
) -> None:
    permits = Shared(Shelf(), {}, is_free=False)
    async with fetching(server, permits=permits, retries=RETRY_TABLE) as fetcher:
        before = fetcher.ready_at(Site("a.test"))
        with pytest.raises(SiteTakenError):
            await fetcher.fetch(get("/echo"))
        assert fetcher.ready_at(Site("a.test")) - before < 1.0
        permits.is_free = True
        assert (await fetcher.fetch(get("/echo"))).status == 200
    assert server.count("/echo") == 1


async def test_rules_that_come_with_a_site_are_not_asked_for_again(
    server: MisbehavingServer,
) -> None:
    known = await robots_of(server)
    assert server.count("/robots.txt") == 1
    shelf = Shelf()
    permits = Shared(shelf, known, is_free=True)
    async with fetching(server, permits=permits, **shelf.hooks) as fetcher:
        await fetcher.fetch(get("/echo"))
    assert server.count("/robots.txt") == 1
