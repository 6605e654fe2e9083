"""The loop of one harvest: choose, ask, turn pages, keep, learn, until something ends it."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Mapping

from msgspec import Struct, structs

from leadline.core.crawl import Event
from leadline.core.harvest import Answer, Query
from leadline.core.kept import OPEN, OVER, Asked, Harvest, Tally
from leadline.core.ports import QueryPolicy, Source, Store
from leadline.core.url import Site
from leadline.harvester.coverage import Coverage, CoverageMonitor
from leadline.harvester.session.details import Details, Look
from leadline.harvester.session.limits import Limits, Waits, Worth
from leadline.harvester.session.pages import Pages, page_of
from leadline.harvester.session.patience import Got, Patience
from leadline.harvester.session.resuming import Holdings, Learners, take_up
from leadline.harvester.session.watching import Watch

INTERRUPTED = "interrupted"
STOP_ORDERED = "stopped by order"
"""Of a crawl that was told to stop over its desk, and of the harvests beside it."""
NOTHING_LEFT = "nothing left worth asking"
NOTHING_FOUND = "nothing was found by any"
_FOR_NOW = ("budget", "blocked", INTERRUPTED, "terminated", "gave up", STOP_ORDERED)
"""Reasons beginning so end a run; the harvest may go on in another one."""


def _uncounted(_query: Query) -> None:
    return None


class Parts(Struct, frozen=True):
    """What a harvest is put together from."""

    store: Store
    source: Source
    policy: QueryPolicy
    holdings: Holdings
    reader_state: Callable[[], bytes] | None = None
    """What was learned about reading the answers, if that is to be kept."""
    known: Mapping[Query, Answer] = {}
    """First pages that are had already: no query is sent twice."""
    look: Look | None = None
    """Fetches the own page of a record; without it none is fetched."""
    monitor: CoverageMonitor | None = None
    """Estimates coverage and says when to stop; without it one that knows nothing of the form."""
    count_matches: Callable[[Query], int | None] = _uncounted
    """`count_held_matches` of a query about to be asked."""


class Plan(Struct, frozen=True):
    """How a harvest is run."""

    limits: Limits = Limits()
    worth: Worth = Worth()
    waits: Waits = Waits()


class Progress(Struct, frozen=True):
    """How far a harvest has come, at one moment."""

    site: Site
    signature: str
    tally: Tally
    lately: float
    """New records a request, of the latest requests."""
    coverage: Coverage | None = None
    """Of the database; None before anything came."""
    resting: str = ""
    """Why nothing is asked at the moment; '' while something is."""


def _go_on() -> str:
    return ""


class Session:
    """One run of a harvest.

    States: running, stopping (told to; the request under way ends), stopped. Cut off at any
    instant, the next session of the same harvest goes on with the page this one had not got:
    what an answer brought is durable before the next request is sent.
    """

    def __init__(
        self,
        harvest: Harvest,
        parts: Parts,
        plan: Plan,
        *,
        why_stop: Callable[[], str] = _go_on,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`why_stop` is asked before each request, for reasons from outside."""
        self.harvest = harvest
        self._parts = parts
        self._plan = plan
        self._outside = why_stop
        self._monitor = parts.monitor or CoverageMonitor()
        self._now = now
        self._sleep = sleep
        self._watch = Watch(plan.worth)
        self._patience = Patience(plan.waits, self._pause, self.why_stop)
        self._stop_reason = ""
        self._stopping = asyncio.Event()
        self._resting = ""
        self._is_asking = False
        self._begun_at = now()

    def stop(self, reason: str = INTERRUPTED) -> None:
        """End after the request under way."""
        self._stop_reason = self._stop_reason or reason
        self._stopping.set()

    @property
    def progress(self) -> Progress:
        subject, tally = self.harvest.subject, self._tally
        coverage = self._monitor.coverage(tally.records) if tally.records else None
        rate = self._watch.lately
        return Progress(subject.site, subject.signature, tally, rate, coverage, self._resting)

    @property
    def is_asking(self) -> bool:
        """A request is under way."""
        return self._is_asking

    async def run(self) -> str:
        """Draw up records until there is a reason to stop; the reason."""
        self._begun_at = self._now()
        self._keep(state=OPEN, reason="")
        self._note("harvest-started", self._parts.policy.name)
        reason = await self._draw()
        self._keep(state=OPEN if reason.startswith(_FOR_NOW) else OVER, reason=reason)
        self._note("harvest-stopped", reason)
        await self._flush()
        return reason

    def why_stop(self, *, is_query_next: bool = False) -> str:
        """The reason to send nothing more; '' while there is none."""
        seconds = self._now() - self._begun_at
        spent = self._plan.limits.spent(self._tally, seconds, is_query_next=is_query_next)
        return self._stop_reason or self._outside() or spent

    async def _draw(self) -> str:
        parts = self._parts
        harvests = parts.store.harvests
        learners = Learners(
            parts.holdings, parts.policy, self._monitor, self._watch, parts.count_matches
        )
        pages = await take_up(harvests, self.harvest, learners)
        while True:
            if pages is not None and (reason := await self._read(pages)):
                self._break_off(pages)
                return reason
            if reason := await self._look_at_records():
                return reason
            chosen = self._choose()
            if isinstance(chosen, str):
                return chosen
            pages = Pages(chosen, parts.count_matches(chosen.query))

    async def _look_at_records(self) -> str:
        look = self._parts.look
        if look is None:
            return ""
        store = self._parts.store
        details = Details(store, self.harvest.id, look, self._patience, self._now)
        return await details.catch_up(self.why_stop)

    def _choose(self) -> Asked | str:
        """The next query, kept; or the reason to stop."""
        if reason := self.why_stop(is_query_next=True) or self._watch.why_over():
            return reason
        choice = self._parts.policy.choose()
        if choice is None:
            return self._why_nothing_left()
        if reason := self._monitor.why_stop(choice):
            return reason
        asked = Asked(
            self._tally.queries + 1,
            choice.query,
            self._now(),
            choice.fresh,
            choice.requests,
            choice.why,
            choice.max_pages,
        )
        self._parts.store.harvests.begin_query(self.harvest.id, asked)
        return asked

    def _why_nothing_left(self) -> str:
        tally = self._tally
        is_vain = tally.queries and not tally.records
        return f"{NOTHING_FOUND} of {tally.queries} queries" if is_vain else NOTHING_LEFT

    async def _read(self, pages: Pages) -> str:
        """Read an answer as far as it is worth it; a reason to stop the harvest, or ''."""
        self._leave_early(pages)
        while not pages.end:
            if reason := self.why_stop():
                return reason
            got = await self._ask(pages)
            if got.is_over:
                return got.why
            if got.answer is None:
                pages.fail(got.why)
            else:
                await self._take_in(pages, got.answer)
            self._leave_early(pages)
        self._learn(pages)
        return ""

    def _break_off(self, pages: Pages) -> None:
        """Counts the part of an answer that the end of the run cuts short."""
        if pages.count:
            self._monitor = self._monitor.with_part(pages.outcome(), pages.keys)

    async def _ask(self, pages: Pages) -> Got:
        source, query, turn = self._parts.source, pages.asked.query, pages.turn
        if turn is None and query in self._parts.known:
            return Got(structs.replace(self._parts.known[query], requests=0))
        self._is_asking = True
        try:
            if turn is None:
                got = await self._patience.ask(lambda: source.ask(query))
            else:
                got = await self._patience.ask(lambda: source.turn(query, turn))
        finally:
            self._is_asking = False
        pages.requests += got.wasted
        if got.wasted:
            self._keep(requests=self.harvest.requests + got.wasted)
        return got

    async def _take_in(self, pages: Pages, answer: Answer) -> None:
        page = page_of(answer, pages.asked, pages.count + 1, self._now())
        reader = self._reader_state()
        harvests = self._parts.store.harvests
        page = harvests.add_page(self.harvest.id, page, answer.records, reader)
        await self._flush()
        self._parts.holdings.add_all(answer.records)
        pages.add(page)

    def _reader_state(self) -> bytes | None:
        """What is known about reading answers; None when nothing was learned since."""
        state = self._parts.reader_state() if self._parts.reader_state is not None else None
        if state is None or state == self.harvest.subject.reader:
            return None
        subject = structs.replace(self.harvest.subject, reader=state)
        self.harvest = structs.replace(self.harvest, subject=subject)
        return state

    def _leave_early(self, pages: Pages) -> None:
        """An answer that begins like another one goes on like it, and the policy may know of
        something better to ask than the next page."""
        if pages.end or not pages.count:
            return
        earlier = self._watch.same_as(pages)
        if earlier is not None:
            pages.leave(f"the same answer as to query {earlier}")
        elif not self._parts.policy.goes_on(pages.reading()):
            pages.leave("the next page is not worth its request")

    def _learn(self, pages: Pages) -> None:
        outcome = pages.outcome()
        self._parts.store.harvests.end_query(self.harvest.id, pages.asked.number, outcome)
        for remark in self._watch.note(pages, outcome):
            self._note("harvest-noted", remark)
        self._monitor.learn(outcome, pages.keys, pages.held_matches, expected=pages.asked.fresh)
        self._parts.policy.learn(outcome)

    async def _pause(self, seconds: float, why: str) -> None:
        self._note("harvest-paused", f"{seconds:.0f} s: {why}")
        self._resting = why
        stopping = asyncio.ensure_future(self._stopping.wait())
        resting = asyncio.ensure_future(self._sleep(min(seconds, self._left_s())))
        try:
            await asyncio.wait({stopping, resting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._resting = ""
            stopping.cancel()
            resting.cancel()

    def _left_s(self) -> float:
        """Until the time of this run is up."""
        limit = self._plan.limits.seconds
        return math.inf if limit is None else max(0.0, self._begun_at + limit - self._now())

    @property
    def _tally(self) -> Tally:
        return self._parts.store.harvests.tally(self.harvest.id)

    async def _flush(self) -> None:
        # The writing thread is waited for elsewhere, or other sources would wait with this one.
        await asyncio.to_thread(self._parts.store.flush)

    def _keep(self, **changes: object) -> None:
        self.harvest = structs.replace(self.harvest, **changes)
        self._parts.store.harvests.keep(self.harvest)

    def _note(self, kind: str, detail: str) -> None:
        self._parts.store.note(Event(self._now(), kind, self.harvest.subject.signature, detail))
