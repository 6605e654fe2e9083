"""The sites that harvests on a shared store may ask: leased by name for as long as they are asked.

A crawl and harvests of other workers leave a site alone meanwhile.
"""

import asyncio
from collections.abc import Callable

from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.shared import Delivery, Shared, SiteLease
from leadline.core.url import Site, Url
from leadline.crawler.leases import OTHERS_TURN, LeaseTerms
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import LeaseOverError, SiteTakenError

TRIES = 5
AGAIN_S = 0.25
"""Between two tries for a site that another worker has."""


class HarvestLeases:
    """Permits of one worker's harvests. A lease is kept between requests, and changed for another
    in good time before it ends."""

    def __init__(
        self,
        shared: Shared,
        calls: StoreCalls,
        worker: str,
        terms: LeaseTerms,
        boot: Callable[[], float],
    ) -> None:
        self._shared = shared
        self._calls = calls
        self._worker = worker
        self._terms = terms
        self._boot = boot
        self._held: dict[Site, SiteLease] = {}
        self._locks: dict[Site, asyncio.Lock] = {}
        self.rest_s: Callable[[Site], float] = lambda _: 0.0
        """The pause a site has still to be given."""

    async def obtain(self, site: Site, url: Url) -> None:
        """Wait for the site. Raises SiteTakenError when that takes longer than a lease lasts."""
        async with self._locks.setdefault(site, asyncio.Lock()):
            lease = self._held.get(site)
            if lease is not None and lease.until - self._boot() > self._terms.reserve_s:
                return
            await self.give_back(site)
            self._held[site] = await self._await_turn(site, url)

    async def _await_turn(self, site: Site, url: Url) -> SiteLease:
        until = self._boot() + self._terms.lease_s
        while self._boot() < until:
            lease = await self._calls(
                lambda: self._shared.lease_site(
                    self._worker, site, for_s=self._terms.lease_s, pause_s=self._terms.pause_s
                )
            )
            if lease is not None:
                return lease
            await asyncio.sleep(AGAIN_S)
        raise SiteTakenError(url, OTHERS_TURN, AGAIN_S)

    def check(self, site: Site, url: Url) -> None:
        lease = self._held.get(site)
        if lease is None or self._boot() >= lease.until - self._terms.margin_s:
            raise LeaseOverError(url, "the lease of its site is over")

    async def give_back(self, site: Site) -> None:
        """Let others ask it, after its pause."""
        lease = self._held.pop(site, None)
        if lease is not None:
            over = Delivery(lease, rest_s=self.rest_s(site))
            await self._calls(lambda: self._shared.deliver([over]))

    async def close(self) -> None:
        for site in list(self._held):
            await self.give_back(site)


class LeasedFetcher:
    """Asks again when a lease ended between the wait for a site's turn and the request: nothing
    was sent then."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher

    async def fetch(self, request: Request) -> Response:
        for _ in range(TRIES):
            try:
                return await self._fetcher.fetch(request)
            except LeaseOverError:
                continue
        return await self._fetcher.fetch(request)

    def ready_at(self, site: Site) -> float:
        return self._fetcher.ready_at(site)

    def delay_of(self, site: Site) -> float:
        return self._fetcher.delay_of(site)

    async def close(self) -> None:
        await self._fetcher.close()
