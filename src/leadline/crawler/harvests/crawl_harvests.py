"""Harvests during a crawl: which of the forms that it finds are harvested while it runs."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol

from msgspec import Struct

from leadline.core.crawl import LIKELY, Event, JudgedForm
from leadline.core.harvest import OVER, HarvestSource
from leadline.core.store import Store
from leadline.core.url import Site, site_of
from leadline.crawler.network import PausableFetcher
from leadline.forms.settings import SubmitSettings
from leadline.forms.submit import why_refused
from leadline.harvester.session.pool import HarvestPool
from leadline.harvester.session.session import HarvestProgress

_FIRST_PAGES = 20
"""Of a crawl, whatever its harvests bring: about what finding a second source takes."""
_EXPLORED = 0.1
"""Share of a budget that looks for more sources while the known ones bring more."""


CompareDoors = Callable[[HarvestSource, HarvestSource], Awaitable[str]]
"""Why the second door of a site is not harvested beside the first, or ''."""


class HarvestsOfCrawl(Protocol):
    """What a crawl needs of the harvests that run with it."""

    @property
    def requests(self) -> int:
        """Requests spent on harvests, in all runs on this store."""
        ...

    @property
    def is_busy(self) -> bool: ...

    @property
    def progress(self) -> list[HarvestProgress]:
        """How each harvest of this run goes."""
        ...

    def start(self, why_stop: Callable[[], str]) -> None:
        """Continues with what earlier runs found. `why_stop` has the crawl's reasons to stop."""
        ...

    def count_pages_left(self, limit: int, own: int) -> int:
        """Pages a crawl that spent `own` may still ask for, of a budget of `limit`."""
        ...

    def offer(self, judged: JudgedForm) -> bool:
        """Whether the form is harvested from here on."""
        ...

    def pause(self) -> None:
        """Sends nothing until `resume`."""
        ...

    def resume(self) -> None: ...

    async def stop(self, reason: str, *, at_once: bool) -> None:
        """Stops every harvest after the request under way, or before its answer."""
        ...


class NoHarvests:
    """A crawl that only finds forms."""

    requests = 0
    is_busy = False

    @property
    def progress(self) -> list[HarvestProgress]:
        return []

    def start(self, why_stop: Callable[[], str]) -> None:
        """Nothing to do."""

    def count_pages_left(self, limit: int, own: int) -> int:
        return limit - own

    def offer(self, judged: JudgedForm) -> bool:  # noqa: ARG002
        return False

    def pause(self) -> None:
        """Nothing to do."""

    def resume(self) -> None:
        """Nothing to do."""

    async def stop(self, reason: str, *, at_once: bool) -> None:
        """Nothing to do."""


class HandoverRules(Struct, frozen=True):
    """Which forms are harvested, and how a budget is shared."""

    submit: SubmitSettings
    min_relevant: float = LIKELY
    share: float = 0.5
    """Of the crawl's budget, what it leaves to harvests while any is under way, unless they
    compete."""


class CrawlHarvests:
    """Harvests forms that are relevant enough and may be submitted, each database once.

    Two forms that are sent to one address ask one database: the second is skipped. Any other form
    of a site is first asked for what an earlier one found.
    """

    def __init__(
        self,
        pool: HarvestPool,
        store: Store,
        rules: HandoverRules,
        fetcher: PausableFetcher | None = None,
        compare: CompareDoors | None = None,
    ) -> None:
        """`fetcher` is the pool's way to the Web; without it harvests cannot be paused."""
        self.pool = pool
        self._fetcher = fetcher
        self._compare = compare
        self._earlier: dict[Site, HarvestSource] = {}
        """The last form of each site that is harvested in this run."""
        self._store = store
        self._rules = rules
        self._considered: set[str] = set()
        self._targets: set[tuple[str, str]] = set()

    @property
    def requests(self) -> int:
        return self.pool.requests

    @property
    def is_busy(self) -> bool:
        return self.pool.is_busy

    @property
    def progress(self) -> list[HarvestProgress]:
        return [session.progress for session in self.pool.sessions()]

    def start(self, why_stop: Callable[[], str]) -> None:
        self.pool.why_stop = why_stop
        for stored in self._store.reader.forms():
            self.offer(stored.judged)

    def count_pages_left(self, limit: int, own: int) -> int:
        left = limit - own - self.requests - self.pool.under_way
        if not self.is_busy:
            return left
        allocator = self.pool.allocator
        if allocator is None:
            return min(left, int(limit * (1.0 - self._rules.share)) - own)
        if allocator.expect_of_crawl(own) >= self.pool.best_yield:
            return left
        explored = _FIRST_PAGES + int(_EXPLORED * (own + self.requests)) - own
        return min(left, explored)

    def offer(self, judged: JudgedForm) -> bool:
        if judged.relevant < self._rules.min_relevant or judged.signature in self._considered:
            return False
        self._considered.add(judged.signature)
        form = judged.form
        target = form.method, str(form.action).partition("?")[0]
        if target in self._targets or why_refused(form, judged.searchable, self._rules.submit):
            return False
        self._targets.add(target)
        subject = make_source(judged)
        head = self._store.harvests.find(judged.signature)
        is_over = head is not None and head.state == OVER
        if is_over or self.pool.why_not(subject.site):
            return False
        event = Event(self.pool.now(), "handed-over", judged.signature, form.page)
        self._store.note(event)
        earlier = self._earlier.get(subject.site)
        check = (
            partial(self._compare, earlier, subject)
            if self._compare is not None and earlier is not None
            else None
        )
        is_taken = self.pool.offer(subject, check)
        if is_taken:
            self._earlier[subject.site] = subject
        return is_taken

    def pause(self) -> None:
        if self._fetcher is not None:
            self._fetcher.pause()

    def resume(self) -> None:
        if self._fetcher is not None:
            self._fetcher.resume()

    async def stop(self, reason: str, *, at_once: bool) -> None:
        self.pool.stop(reason)
        await self.pool.finish(at_once=at_once)


def make_source(judged: JudgedForm) -> HarvestSource:
    """A judged form as something to harvest."""
    form = judged.form
    return HarvestSource(
        judged.signature, site_of(form.action or form.page), form, judged.searchable
    )
