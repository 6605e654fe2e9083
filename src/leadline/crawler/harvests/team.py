"""Harvests shared out to the workers on one store: a form is one worker's at a time."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import cast

from msgspec import Struct

from leadline.config import Config
from leadline.core.crawl import Budget, Event
from leadline.core.kept import Subject
from leadline.core.ports import Fetcher, Harvests, Store
from leadline.core.shared import STOPPED, Claim, Shared
from leadline.crawler.harvests.leases import HarvestLeases, LeasedFetcher
from leadline.crawler.harvests.opening import opener_of
from leadline.crawler.harvests.wire import OpenerOf, harvester_of
from leadline.crawler.network import StoredRobots, make_scope, worker_network
from leadline.crawler.shared_ports import ports_of
from leadline.crawler.store_calls import StoreCalls
from leadline.crawler.team import terms_of
from leadline.errors import LeaseLostError, StoreUnreachableError
from leadline.harvester.session.session import INTERRUPTED
from leadline.harvester.session.several import Harvester
from leadline.store.leases import boottime

HARVESTED = "harvested"
"""Why a run ended that was begun for harvests alone."""
WAIT_S = 0.5
"""Between two looks at forms that others have."""

_log = logging.getLogger(__name__)


class ClaimedStore(Struct, frozen=True):
    """What a harvest needs of a store, under the claim on its form."""

    harvests: Harvests
    note: Callable[[Event], None]

    def flush(self) -> None:
        """Nothing to do: every call is durable when it returns."""


class HarvestWorker:
    """Takes forms that nobody else has, one after the other, until all are done.

    What a worker that died had asked and kept is taken up by the next one.
    """

    def __init__(
        self,
        name: str,
        config: Config,
        shared: Shared,
        calls: StoreCalls,
        fetcher: Fetcher,
        opener: OpenerOf = opener_of,
    ) -> None:
        self._name = name
        self._config = config
        self._shared = shared
        self._calls = calls
        self._fetcher = fetcher
        self._opener = opener
        self._is_leaving = False
        self._harvesters: set[Harvester] = set()
        self.reasons: dict[str, str] = {}
        """Why each harvest of this worker stopped, by the form's signature."""

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Finish the requests under way, and end; the forms are for others to go on with."""
        self._is_leaving = True
        for harvester in self._harvesters:
            harvester.stop(reason)

    async def run(self, subjects: Sequence[Subject]) -> None:
        number = (await self._calls(self._shared.run)).number
        left = {subject.signature: subject for subject in subjects}
        places = asyncio.Semaphore(self._config.harvest.concurrency)
        while left and not self._is_leaving and not await self._is_stopped():
            done = await asyncio.gather(
                *(self._try(subject, number, places) for subject in left.values())
            )
            for signature in [one for one in done if one]:
                del left[signature]
            if left:
                await asyncio.sleep(WAIT_S)

    async def _is_stopped(self) -> bool:
        return (await self._calls(self._shared.run)).state == STOPPED

    async def _try(self, subject: Subject, run: int, places: asyncio.Semaphore) -> str:
        """Its signature when it is done, by whomever; '' when it is to be looked at again."""
        key = f"harvested:{run}:{subject.signature}"
        async with places:
            if self._is_leaving:
                return ""
            if await self._calls(lambda: self._shared.load(key)) is not None:
                return subject.signature
            claim = await self._calls(lambda: self._claim(subject))
            if claim is None:
                return ""
            try:
                reason = await self._draw(subject, claim)
            except (LeaseLostError, StoreUnreachableError) as error:
                _log.warning("the harvest of %s was dropped: %s", subject.signature, error)
                return ""
            self.reasons[subject.signature] = reason
            if not self._is_leaving:
                await self._calls(lambda: self._shared.save(key, reason.encode()))
            await self._calls(lambda: self._shared.release(claim))
            return subject.signature

    def _claim(self, subject: Subject) -> Claim | None:
        name = f"form {subject.signature}"
        return self._shared.claim(name, self._name, self._config.cluster.learner_timeout_s)

    async def _draw(self, subject: Subject, claim: Claim) -> str:
        """Harvest the form while the claim holds. Raises LeaseLostError, StoreUnreachableError."""
        kept = ClaimedStore(self._shared.harvests(claim), self._shared.note)
        # Harvests use no more of a store than that.
        store = cast(Store, kept)
        harvester = harvester_of(self._config, store, self._fetcher, self._opener)
        self._harvesters.add(harvester)
        harvester.offer(subject)
        prolonging = asyncio.create_task(self._prolong(subject))
        drawing = asyncio.create_task(harvester.finish())
        try:
            await asyncio.wait({prolonging, drawing}, return_when=asyncio.FIRST_COMPLETED)
            if prolonging.done():
                prolonging.result()
            await drawing
        finally:
            prolonging.cancel()
            drawing.cancel()
            await asyncio.gather(prolonging, drawing, return_exceptions=True)
            self._harvesters.discard(harvester)
            await harvester.finish(at_once=True)
        return harvester.reasons.get(subject.signature, "")

    async def _prolong(self, subject: Subject) -> None:
        """Keep the claim, until cancelled. Raises LeaseLostError when it has passed on."""
        while True:
            await asyncio.sleep(self._config.cluster.learner_timeout_s / 3)
            if await self._calls(lambda: self._claim(subject)) is None:
                raise LeaseLostError(f"the form {subject.signature} has passed to another worker")


def begin_harvest(shared: Shared) -> bool:
    """Begin a run for harvests alone, unless one is going on; whether this call did."""
    return shared.begin(Budget())


@asynccontextmanager
async def harvesting(
    config: Config, shared: Shared, name: str, opener: OpenerOf = opener_of
) -> AsyncIterator[HarvestWorker]:
    """A worker for harvests, ready to run; closed at the end."""
    calls = StoreCalls()
    leases = HarvestLeases(shared, calls, name, terms_of(config), boottime)
    rules = StoredRobots(ports_of(shared), calls)
    fetcher = LeasedFetcher(worker_network(config, make_scope(config, []))(leases, rules))
    leases.rest_s = lambda site: max(0.0, fetcher.ready_at(site) - time.time())
    try:
        yield HarvestWorker(name, config, shared, calls, fetcher, opener)
    finally:
        await leases.close()
        await fetcher.close()
        await rules.close()
