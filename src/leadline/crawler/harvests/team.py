"""Harvests on a store that workers share: a form is one worker's at a time, and so is a site."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from msgspec import Struct

from leadline.config import Config
from leadline.core.crawl import Budget, Event
from leadline.core.harvest import HarvestSource
from leadline.core.http import Request, Response
from leadline.core.ports import Fetcher
from leadline.core.store import STOPPED, Claim, Delivery, HarvestStore, SiteLease, Store
from leadline.core.url import Site, Url
from leadline.crawler.harvests.assembly import make_pool
from leadline.crawler.harvests.source_opener import MakeOpener, make_opener
from leadline.crawler.leases import OTHERS_TURN, LeaseTerms
from leadline.crawler.network import (
    StoredRobots,
    StoredServers,
    add_trials,
    make_scope,
    make_worker_network,
)
from leadline.crawler.reader_losses import ReaderLosses
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.team import make_lease_terms
from leadline.errors import LeaseLostError, LeaseOverError, SiteTakenError, StoreUnreachableError
from leadline.harvester.session.pool import HarvestPool
from leadline.harvester.session.session import INTERRUPTED
from leadline.store.leases import boottime
from leadline.web.politeness import make_spacing

TRIES = 5
"""Requests whose lease may end just before they are sent, until that is an error."""
AGAIN_S = 0.25
"""Between two tries for a site that another worker has."""
HARVESTED = "harvested"
"""Why a run ended that was begun for harvests alone."""
WAIT_S = 0.5
"""Between two tries for forms that others have."""
_log = logging.getLogger(__name__)


class HarvestLeases:
    """The sites that one worker's harvests may ask, leased by name for as long as they are asked: a
    crawl and harvests of other workers leave them alone meanwhile.

    A lease is kept between requests, and changed for another in good time before it ends.
    """

    def __init__(
        self,
        store: Store,
        calls: StoreCalls,
        worker: str,
        terms: LeaseTerms,
        boot: Callable[[], float],
    ) -> None:
        self._store = store
        self._calls = calls
        self._worker = worker
        self._terms = terms
        self._boot = boot
        self._held: dict[Site, SiteLease] = {}
        self._locks: dict[Site, asyncio.Lock] = {}
        self.rest_s: Callable[[Site], float] = lambda _: 0.0
        """The pause that a site must still be given."""

    async def obtain(self, site: Site, url: Url) -> None:
        """Waits for the site. Raises SiteTakenError if that takes longer than a lease lasts."""
        terms = self._terms
        async with self._locks.setdefault(site, asyncio.Lock()):
            held = self._held.get(site)
            if held is not None and held.until - self._boot() > terms.reserve_s:
                return
            await self.give_back(site)
            until = self._boot() + terms.lease_s
            while self._boot() < until:
                lease = await self._calls(
                    lambda: self._store.links.lease_site(
                        self._worker, site, for_s=terms.lease_s, pause_s=terms.pause_s
                    )
                )
                if lease is not None:
                    self._held[site] = lease
                    return
                await asyncio.sleep(AGAIN_S)
            raise SiteTakenError(url, OTHERS_TURN, AGAIN_S)

    def check(self, site: Site, url: Url) -> None:
        lease = self._held.get(site)
        if lease is None or self._boot() >= lease.until - self._terms.margin_s:
            raise LeaseOverError(url, "the lease of its site is over")

    async def give_back(self, site: Site) -> None:
        """Lets others ask the site, after its pause."""
        lease = self._held.pop(site, None)
        if lease is not None:
            over = Delivery(lease, rest_s=self.rest_s(site))
            await self._calls(lambda: self._store.links.deliver([over]))

    async def close(self) -> None:
        for site in list(self._held):
            await self.give_back(site)


class LeasedFetcher:
    """Asks again if a lease ended between the wait for a site's turn and the request: nothing was
    sent then."""

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


class ClaimedStore(Struct, frozen=True):
    """The `SessionStore` of one form, under the claim on it."""

    harvests: HarvestStore
    note: Callable[[Event], None]

    def flush(self) -> None:
        """Nothing to do: every call is durable when it returns."""


class HarvestWorker:
    """Claims forms that nobody else has, one after the other, until all are done.

    What a worker that died had asked and stored is continued by the next one.
    """

    def __init__(
        self,
        name: str,
        config: Config,
        store: Store,
        calls: StoreCalls,
        fetcher: Fetcher,
        opener: MakeOpener = make_opener,
    ) -> None:
        self._name = name
        self._config = config
        self._store = store
        self._calls = calls
        self._fetcher = fetcher
        self._opener = opener
        self._is_leaving = False
        self._pools: set[HarvestPool] = set()
        self.reasons: dict[str, str] = {}
        """Why each harvest of this worker stopped, by the form's signature."""

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Ends after the requests under way; others may continue with the forms."""
        self._is_leaving = True
        for pool in self._pools:
            pool.stop(reason)

    async def run(self, subjects: Sequence[HarvestSource]) -> None:
        number = (await self._calls(self._store.run.state)).number
        left = {subject.signature: subject for subject in subjects}
        places = asyncio.Semaphore(self._config.harvest.concurrency)
        while left and not self._is_leaving:
            if (await self._calls(self._store.run.state)).state == STOPPED:
                break
            done = await asyncio.gather(
                *(self._try(subject, number, places) for subject in left.values())
            )
            for signature in [one for one in done if one]:
                del left[signature]
            if left:
                await asyncio.sleep(WAIT_S)

    async def _try(self, subject: HarvestSource, run: int, places: asyncio.Semaphore) -> str:
        """Its signature if it is done, by whomever; '' if it is to be tried again."""
        key = f"harvested:{run}:{subject.signature}"
        async with places:
            if self._is_leaving:
                return ""
            if await self._calls(lambda: self._store.load(key)) is not None:
                return subject.signature
            claim = await self._calls(lambda: self._claim(subject))
            if claim is None:
                return ""
            try:
                reason = await self._harvest(subject, claim)
            except (LeaseLostError, StoreUnreachableError) as error:
                _log.warning("the harvest of %s was dropped: %s", subject.signature, error)
                return ""
            self.reasons[subject.signature] = reason
            if not self._is_leaving:
                await self._calls(lambda: self._store.save(key, reason.encode()))
            await self._calls(lambda: self._store.learning.release(claim))
            return subject.signature

    def _claim(self, subject: HarvestSource) -> Claim | None:
        name = f"form {subject.signature}"
        return self._store.learning.claim(name, self._name, self._config.cluster.learner_timeout_s)

    async def _harvest(self, subject: HarvestSource, claim: Claim) -> str:
        """Harvests the form while the claim holds. Raises LeaseLostError, StoreUnreachableError."""
        store = ClaimedStore(self._store.claimed_harvests(claim), self._store.note)
        pool = make_pool(self._config, store, self._fetcher, self._opener)
        self._pools.add(pool)
        pool.offer(subject)
        renewal = asyncio.create_task(self._renew_claim(subject))
        harvest = asyncio.create_task(pool.finish())
        try:
            await asyncio.wait({renewal, harvest}, return_when=asyncio.FIRST_COMPLETED)
            if renewal.done():
                renewal.result()
            await harvest
        finally:
            renewal.cancel()
            harvest.cancel()
            await asyncio.gather(renewal, harvest, return_exceptions=True)
            self._pools.discard(pool)
            await pool.finish(at_once=True)
        return pool.reasons.get(subject.signature, "")

    async def _renew_claim(self, subject: HarvestSource) -> None:
        """Renews the claim until cancelled. Raises LeaseLostError if it has passed to another."""
        while True:
            await asyncio.sleep(self._config.cluster.learner_timeout_s / 3)
            if await self._calls(lambda: self._claim(subject)) is None:
                raise LeaseLostError(f"the form {subject.signature} has passed to another worker")


def begin_harvest_run(store: Store) -> bool:
    """Begins a run for harvests alone, unless one is under way; whether this call did."""
    return store.run.begin(Budget())


@asynccontextmanager
async def open_harvest_worker(
    config: Config, store: Store, name: str, opener: MakeOpener = make_opener
) -> AsyncIterator[HarvestWorker]:
    """A worker for harvests, ready to run; closed at the end."""
    calls = StoreCalls()
    leases = HarvestLeases(store, calls, name, make_lease_terms(config), boottime)
    rules = StoredRobots(store, calls)
    servers = StoredServers(store.servers, calls, make_spacing(config.politeness))
    network = make_worker_network(config, make_scope(config, []))
    leased = LeasedFetcher(network(leases, rules, servers))
    fetcher = add_trials(config, leased, ReaderLosses(store, calls, time.time))
    leases.rest_s = lambda site: max(0.0, fetcher.ready_at(site) - time.time())
    try:
        yield HarvestWorker(name, config, store, calls, fetcher, opener)
    finally:
        await leases.close()
        await fetcher.close()
        await rules.close()
