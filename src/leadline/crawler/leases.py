"""The sites a worker may ask, and until when."""

import asyncio
import math
from collections.abc import Awaitable, Callable

from msgspec import Struct

from leadline.core.store import Delivery, LinkStore, SiteLease
from leadline.core.url import Site, Url
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import LeaseOverError, SiteTakenError

OTHERS_TURN = "another worker may ask its site now"
OTHERS_TURN_S = 1.0
"""After which it is asked again for a site that another worker has."""


class LeaseTerms(Struct, frozen=True):
    """On which terms a worker leases."""

    width: int = 64
    """Sites asked at the same time, at most."""
    urls: int = 10
    """Links of one lease."""
    turn: int = 10
    """Of these, how many are asked for; those that are passed over do not count."""
    lease_s: float = 120.0
    margin_s: float = 2.0
    """No request leaves later than this before the end of its lease."""
    reserve_s: float = 30.0
    """No link is begun later than this before the end: its page must be delivered in time."""
    pause_s: float = 1.0
    """The least pause between two requests to a site, whoever sends them."""
    batch: int = 100
    """Visits after which what was done is delivered, at the latest."""
    batch_s: float = 0.5
    """The same in seconds."""
    claim_s: float = 20.0
    """How long the learner's claim lasts after its last sign of life."""
    is_alone: bool = False
    """Whether no other process uses the store: leases need no end, calls cost nothing."""


def make_sole_terms(width: int) -> LeaseTerms:
    """For the one process of a crawl: a link at a time, delivered at once.

    So a model that has just changed ranks the very next link.
    """
    return LeaseTerms(
        width, urls=1, turn=1, lease_s=math.inf, pause_s=0.0, batch=1, batch_s=0.0, is_alone=True
    )


class SoleLeases:
    """Permits of the only process on a store: its fetcher alone keeps the pauses."""

    def take(self, lease: SiteLease) -> None:
        """Nothing to do."""

    def drop(self, lease: SiteLease) -> None:
        """Nothing to do."""

    def left_s(self, lease: SiteLease) -> float:  # noqa: ARG002
        return math.inf

    def settle(self, rest_s: Callable[[Site], float]) -> list[Delivery]:  # noqa: ARG002
        return []


class SiteLeases:
    """Permits of one worker: a request leaves only under a lease with time left.

    A site that a redirect leads to is leased by name for as long as the visit takes that was
    redirected; while another worker has it, it counts as busy.
    """

    def __init__(
        self,
        links: LinkStore,
        calls: StoreCalls,
        worker: str,
        terms: LeaseTerms,
        boot: Callable[[], float],
    ) -> None:
        self._links = links
        self._calls = calls
        self._worker = worker
        self._terms = terms
        self._boot = boot
        self._until: dict[Site, float] = {}
        self._borrowed: dict[Site, SiteLease] = {}
        self._users: dict[Site, set[object]] = {}
        self.delay_of: Callable[[Site], float] = lambda _: 0.0
        """The pause a site wants, as the fetcher knows it."""
        self.led_to: Callable[[Site], Awaitable[None]] = _nothing
        """Called before a site is asked that a redirect leads to."""

    def take(self, lease: SiteLease) -> None:
        self._until[lease.site.site] = lease.until

    def drop(self, lease: SiteLease) -> None:
        self._until.pop(lease.site.site, None)

    def left_s(self, lease: SiteLease) -> float:
        """Seconds until the lease is over."""
        return lease.until - self._boot()

    async def obtain(self, site: Site, url: Url) -> None:
        """Lease the site by name, if it is not leased. Raises SiteTakenError."""
        if site not in self._until:
            terms = self._terms
            lease = await self._calls(
                lambda: self._links.lease_site(
                    self._worker, site, for_s=terms.lease_s, pause_s=terms.pause_s
                )
            )
            if lease is None:
                raise SiteTakenError(url, OTHERS_TURN, OTHERS_TURN_S)
            self._until[site] = lease.until
            self._borrowed[site] = lease
            self._users[site] = {asyncio.current_task()}
            await self.led_to(site)
        if site in self._borrowed:
            self._users.setdefault(site, set()).add(asyncio.current_task())

    def check(self, site: Site, url: Url) -> None:
        # Who asks next comes no sooner than `pause_s` after the lease; a site that wants more
        # must have been asked that much earlier.
        terms = self._terms
        margin_s = max(terms.margin_s, self.delay_of(site) - terms.pause_s)
        if self._boot() >= self._until.get(site, 0.0) - margin_s:
            raise LeaseOverError(url, "the lease of its site is over")

    def settle(self, rest_s: Callable[[Site], float]) -> list[Delivery]:
        """What the visit of this task borrowed and nobody else uses, to be given back."""
        task, over = asyncio.current_task(), []
        for site in list(self._borrowed):
            users = self._users[site]
            users.discard(task)
            if not users:
                lease = self._borrowed.pop(site)
                del self._users[site], self._until[site]
                over.append(Delivery(lease, rest_s=rest_s(site)))
        return over


async def _nothing(_site: Site) -> None:
    pass
