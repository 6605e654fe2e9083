"""The loop of one harvest: choose, ask, read pages, store, learn, until something ends it."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Protocol

from msgspec import Struct, structs

from leadline.core.crawl import Event
from leadline.core.harvest import (
    OPEN,
    OVER,
    REFUSED,
    Answer,
    Harvest,
    HarvestCounts,
    Query,
    Record,
    StoredQuery,
)
from leadline.core.ports import QueryPolicy, Source
from leadline.core.store import SessionStore
from leadline.core.url import Site
from leadline.errors import FetchError
from leadline.frontier.seen_urls import text_hashes
from leadline.harvester.beliefs import Evidence, doubt_event
from leadline.harvester.coverage import Coverage, CoverageMonitor
from leadline.harvester.session.answer_pages import AnswerPages, AnswerWatch, make_result_page
from leadline.harvester.session.control_queries import CHANGED, ControlQueries, Relearn
from leadline.harvester.session.record_pages import DetailPages, FetchDetail, RecordPages
from leadline.harvester.session.retries import (
    AskResult,
    GiveUpRules,
    HarvestBudget,
    Retrier,
    RetryRules,
)
from leadline.harvester.session.suspicion import ControlAnswer, Suspicion

_PAGES_PER_TURN = 50
"""Stored pages replayed before others in the event loop get their turn."""
INTERRUPTED = "interrupted"
STOP_ORDERED = "stopped by order"
"""The reason of a crawl that an order in its inbox stopped, and of its harvests."""
NOTHING_LEFT = "nothing left worth asking"
NOTHING_FOUND = "nothing was found by any"
_FOR_NOW = ("budget", "blocked", INTERRUPTED, "terminated", "gave up", STOP_ORDERED, CHANGED)
"""Reasons that begin so end a run; the harvest may continue in another one."""


class RecordHolder(Protocol):
    """The records acquired, as policies see them: `Holdings`, or less in tests."""

    def add_all(self, records: Iterable[Record]) -> int:
        """Adds each record once, by its key; how many are new."""
        ...


def count_nothing(_query: Query) -> None:
    return None


def _unknown_request(_query: Query) -> str:
    return "not known"


def hash_key(key: str) -> int:
    """A record's key as the keys of stored pages."""
    return int(text_hashes([key])[0])


def drop_empty(query: Query) -> Query:
    """The query without controls that are left empty: a survey names the box that it leaves so."""
    return Query(tuple(pair for pair in query.values if pair[1]))


class OpenedSource(Struct, frozen=True):
    """A source that can be asked, and what asks it."""

    harvest: Harvest
    """With what was learned about its source."""
    source: Source
    policy: QueryPolicy
    holdings: RecordHolder
    reader_state: Callable[[], bytes] | None = None
    """What was learned about reading the answers, if that is to be stored."""
    known: Mapping[Query, Answer] = {}
    """First pages of queries asked before: no query is sent twice."""
    monitor: CoverageMonitor | None = None
    """Estimates coverage and says when to stop; without it one that knows nothing of the form."""
    count_matches: Callable[[Query], int | None] = count_nothing
    """`count_held_matches` of a query about to be asked."""
    sends: Callable[[Query], str] = _unknown_request
    """What would be sent for a query, in full."""
    type_words: Callable[[str], Query] | None = None
    """A query that types a text and asks for nothing else; None if nothing can be typed. Without
    it a source that invents its records is not told from others."""
    relearn: Relearn | None = None
    """Learns anew how the source answers, when it shows pages of another layout."""


class SessionPlan(Struct, frozen=True):
    """How a harvest is run."""

    budget: HarvestBudget = HarvestBudget()
    give_up: GiveUpRules = GiveUpRules()
    retries: RetryRules = RetryRules()


class HarvestProgress(Struct, frozen=True):
    """How far a harvest has come, at one moment."""

    site: Site
    signature: str
    tally: HarvestCounts
    recent_yield: float
    """New records per request, of the latest requests."""
    coverage: Coverage | None = None
    """Of the database; None before anything came."""
    pause_reason: str = ""
    """Why nothing is asked at the moment; '' while something is."""


def _no_reason() -> str:
    return ""


TakeTurn = Callable[[], Awaitable[None]]


async def _go_ahead() -> None:
    return None


class HarvestSession:
    """One run of a harvest.

    States: running, stopping (told to; the request under way ends), stopped. If it is killed at any
    moment, the next session of the same harvest continues with the page that this one had not got:
    what an answer brought is durable before the next request is sent.
    """

    def __init__(
        self,
        store: SessionStore,
        opened: OpenedSource,
        plan: SessionPlan,
        *,
        fetch_detail: FetchDetail | None = None,
        why_stop: Callable[[], str] = _no_reason,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`why_stop` is asked before each request, for reasons from outside. Without `fetch_detail`
        no record's own page is fetched."""
        self.harvest = opened.harvest
        self._store = store
        self._opened = opened
        self._fetch_detail = fetch_detail
        self._plan = plan
        self._outside = why_stop
        self.take_turn: TakeTurn = _go_ahead
        """Awaited before each request: another source may be worth more."""
        self._monitor = opened.monitor or CoverageMonitor()
        self._now = now
        self._sleep = sleep
        self._known = {drop_empty(query): answer for query, answer in opened.known.items()}
        self._watch = AnswerWatch(plan.give_up)
        self._suspicion = Suspicion()
        self._controls = ControlQueries()
        self._retrier = Retrier(plan.retries, self._pause, self.why_stop)
        self._stop_reason = ""
        self._stopping = asyncio.Event()
        self._pause_reason = ""
        self._is_asking = False
        self._begun_at = now()

    def stop(self, reason: str = INTERRUPTED) -> None:
        """Ends after the request under way."""
        self._stop_reason = self._stop_reason or reason
        self._stopping.set()

    @property
    def progress(self) -> HarvestProgress:
        subject, tally = self.harvest.subject, self._tally
        coverage = self._monitor.coverage(tally.records) if tally.records else None
        rate = self._watch.recent_yield
        return HarvestProgress(
            subject.site, subject.signature, tally, rate, coverage, self._pause_reason
        )

    @property
    def is_asking(self) -> bool:
        """A request is under way."""
        return self._is_asking

    @property
    def is_pausing(self) -> bool:
        """Nothing is asked at the moment."""
        return bool(self._pause_reason)

    async def run(self) -> str:
        """Extracts records until there is a reason to stop; the reason."""
        self._begun_at = self._now()
        self._store_head(state=OPEN, reason="")
        self._note("harvest-started", self._opened.policy.name)
        reason = await self._extract()
        self._store_head(state=OPEN if reason.startswith(_FOR_NOW) else OVER, reason=reason)
        self._note("harvest-stopped", reason)
        await self._flush()
        return reason

    def why_stop(self, *, is_query_next: bool = False) -> str:
        """The reason to send nothing more; '' while there is none."""
        seconds = self._now() - self._begun_at
        spent = self._plan.budget.why_spent(self._tally, seconds, is_query_next=is_query_next)
        return self._stop_reason or self._outside() or spent

    async def _extract(self) -> str:
        """Asks query after query; the reason to stop."""
        pages = await self._resume()
        while True:
            if pages is not None and (reason := await self._read(pages)):
                if pages.count:
                    self._monitor = self._monitor.with_part(pages.outcome(), pages.keys)
                return reason
            if self._controls.is_alarmed and (reason := await self._test_layout()):
                return reason
            if self._fetch_detail is not None:
                details = RecordPages(
                    *(self._store, self.harvest.id, self._fetch_detail, self._retrier, self._now),
                    self._fetch_detail if isinstance(self._fetch_detail, DetailPages) else None,
                )
                if reason := await details.catch_up(self.why_stop):
                    return reason
            chosen = self._choose()
            if isinstance(chosen, str):
                return chosen
            pages = AnswerPages(chosen)

    async def _resume(self) -> AnswerPages | None:
        """Replays what the store has of earlier runs, in order; the answer that was not read to its
        end, if any. Of a survey only the records count: a policy learns from its own queries."""
        opened, harvests = self._opened, self._store.harvests
        stored = harvests.pages(self.harvest.id)
        following = next(stored, None)
        count = 0
        for asked in harvests.queries(self.harvest.id):
            pages = AnswerPages(asked)
            while following is not None and following[0].query == asked.number:
                page, records = following
                opened.holdings.add_all(records)
                self._suspicion.note_records(records)
                pages.add(page)
                count += 1
                if count % _PAGES_PER_TURN == 0:
                    await asyncio.sleep(0)
                following = next(stored, None)
            if asked.outcome is None:
                return pages
            self._monitor.learn_query(asked, asked.outcome, pages.keys)
            self._controls.learn(pages, asked.outcome)
            if self._controls.is_alarmed:
                # The run that asked this tested it.
                self._controls.rest()
            if asked.is_survey:
                self._watch.note_survey(asked.outcome)
            else:
                self._watch.note(pages, asked.outcome)
                opened.policy.learn(asked.outcome)
        return None

    def _choose(self) -> StoredQuery | str:
        """The next query, stored; or the reason to stop."""
        if reason := self.why_stop(is_query_next=True) or self._watch.why_over():
            return reason
        choice = self._opened.policy.choose()
        if choice is None:
            tally = self._tally
            is_vain = tally.queries and not tally.records
            return f"{NOTHING_FOUND} of {tally.queries} queries" if is_vain else NOTHING_LEFT
        if reason := self._monitor.why_stop(choice):
            return reason
        asked = StoredQuery(
            self._tally.queries + 1,
            choice.query,
            self._now(),
            choice.fresh,
            choice.requests,
            choice.why,
            choice.max_pages,
            held_matches=self._opened.count_matches(choice.query),
        )
        self._store.harvests.begin_query(self.harvest.id, asked)
        return asked

    async def _read(self, pages: AnswerPages) -> str:
        """Reads an answer as far as it is worth it; a reason to stop the harvest, or ''."""
        self._leave_early(pages)
        while not pages.end:
            await self.take_turn()
            if reason := self.why_stop():
                return reason
            got = await self._ask(pages)
            if got.is_over:
                return got.why
            if got.answer is None:
                pages.fail(got.why)
            else:
                await self._store_page(pages, got.answer)
                if reason := await self._examine():
                    return reason
            self._leave_early(pages)
        self._learn(pages)
        return ""

    async def _ask(self, pages: AnswerPages) -> AskResult:
        source, query, turn = self._opened.source, pages.asked.query, pages.next_page
        known = self._known.get(drop_empty(query)) if turn is None else None
        if known is not None:
            return AskResult(structs.replace(known, requests=0))
        self._is_asking = True
        try:
            if turn is None:
                got = await self._retrier.ask(lambda: source.ask(query))
            else:
                got = await self._retrier.ask(lambda: source.fetch_next_page(query, turn))
        finally:
            self._is_asking = False
        pages.requests += got.wasted
        if got.wasted:
            self._store_head(requests=self.harvest.requests + got.wasted)
        return await self._doubt_block(pages, got) if got.is_doubtful else got

    async def _doubt_block(self, pages: AnswerPages, got: AskResult) -> AskResult:
        """The same if the source keeps out what it answered before, too; else a refusal of this
        query, or the end of this answer."""
        evidence = await self._controls.test_block(pages, got.why, self._ask_once)
        if evidence is None:
            return got
        self._note_doubt(evidence)
        if not evidence.against:
            return got
        refused = Answer(REFUSED, requests=0, why=f"{got.why}, while other queries are answered")
        return AskResult(refused, got.wasted)

    async def _test_layout(self) -> str:
        """Tests whether answers look as they did; if not, learns them anew. The reason to stop if
        that does not help, else ''."""
        evidence = await self._controls.test_layout(self._ask_once, hash_key)
        if evidence is None:
            return ""
        self._note_doubt(evidence)
        if not evidence.against:
            return ""
        self._note("harvest-alarmed", evidence.why)
        if self._opened.relearn is not None and not self.why_stop():
            spent = await self._opened.relearn()
            self._store_head(requests=self.harvest.requests + spent)
            again = await self._controls.test_layout(self._ask_once, hash_key)
            if again is not None and not again.against:
                self._note_doubt(again)
                return ""
        return f"{CHANGED}: {evidence.why}; its pages look different, or it was emptied"

    async def _ask_once(self, query: Query) -> Answer | None:
        """A control query, tried once; None if it cannot be answered now. It costs a request
        whatever comes, and none if nothing more may be spent."""
        if self.why_stop():
            return None
        self._is_asking = True
        answer = None
        try:
            answer = await self._opened.source.ask(query)
            spent = answer.requests
        except FetchError as error:
            spent = error.requests
        finally:
            self._is_asking = False
        self._store_head(requests=self.harvest.requests + spent)
        return answer

    def _note_doubt(self, evidence: Evidence) -> None:
        signature = self.harvest.subject.signature
        self._store.note(doubt_event(self._now(), signature, evidence))

    async def _store_page(self, pages: AnswerPages, answer: Answer) -> None:
        page = make_result_page(answer, pages.asked, pages.count + 1, self._now())
        reader = self._reader_state()
        harvests = self._store.harvests
        page = harvests.add_page(self.harvest.id, page, answer.records, reader)
        await self._flush()
        self._opened.holdings.add_all(answer.records)
        self._suspicion.note_records(answer.records)
        pages.add(page)

    async def _examine(self) -> str:
        """Asks control queries if there is cause to doubt the source; the reason to stop, or ''.
        What they bring is not stored: it may be invented."""
        tally = self._tally
        if not self._suspicion.is_due(tally.records, tally.sightings):
            return ""
        type_words, controls = self._opened.type_words, list[ControlAnswer]()
        if type_words is None:
            return ""
        for text, key in self._suspicion.make_controls(tally.records):
            if self.why_stop():
                return ""
            got = await self._ask_control(type_words(text))
            if got.is_over:
                return got.why
            if got.answer is not None:
                controls.append(ControlAnswer(key, got.answer))
        verdict = self._suspicion.judge(controls)
        if verdict:
            self._note("harvest-suspected", verdict)
        return verdict

    async def _ask_control(self, query: Query) -> AskResult:
        self._is_asking = True
        try:
            got = await self._retrier.ask(lambda: self._opened.source.ask(query))
        finally:
            self._is_asking = False
        spent = got.wasted + (got.answer.requests if got.answer is not None else 0)
        self._store_head(requests=self.harvest.requests + spent)
        return got

    def _reader_state(self) -> bytes | None:
        """What is known about reading answers; None if nothing was learned since."""
        state = self._opened.reader_state() if self._opened.reader_state is not None else None
        if state is None or state == self.harvest.subject.reader:
            return None
        subject = structs.replace(self.harvest.subject, reader=state)
        self.harvest = structs.replace(self.harvest, subject=subject)
        return state

    def _leave_early(self, pages: AnswerPages) -> None:
        """Leaves an answer that begins like another one, because it continues like it, or whose
        next page the policy finds less worth than another query."""
        if pages.end or not pages.count:
            return
        earlier = self._watch.same_as(pages)
        if earlier is not None:
            pages.leave(f"the same answer as to query {earlier}")
        elif not self._opened.policy.goes_on(pages.make_reading()):
            pages.leave("the next page is not worth its request")

    def _learn(self, pages: AnswerPages) -> None:
        outcome = pages.outcome()
        self._store.harvests.end_query(self.harvest.id, pages.asked.number, outcome)
        for remark in self._watch.note(pages, outcome):
            self._note("harvest-noted", remark)
        self._monitor.learn_query(pages.asked, outcome, pages.keys)
        self._controls.learn(pages, outcome)
        self._suspicion.note_answer(
            outcome.returned, outcome.total, is_exact=outcome.is_total_exact
        )
        self._opened.policy.learn(outcome)

    async def _pause(self, seconds: float, why: str) -> None:
        self._note("harvest-paused", f"{seconds:.0f} s: {why}")
        self._pause_reason = why
        is_told = asyncio.ensure_future(self._stopping.wait())
        is_over = asyncio.ensure_future(self._sleep(min(seconds, self._left_s())))
        try:
            await asyncio.wait({is_told, is_over}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._pause_reason = ""
            is_told.cancel()
            is_over.cancel()

    def _left_s(self) -> float:
        """Seconds until the time of this run is up."""
        limit = self._plan.budget.seconds
        return math.inf if limit is None else max(0.0, self._begun_at + limit - self._now())

    @property
    def _tally(self) -> HarvestCounts:
        return self._store.harvests.tally(self.harvest.id)

    async def _flush(self) -> None:
        # Waits for the writing thread in a thread of its own: other sources must not wait with it.
        await asyncio.to_thread(self._store.flush)

    def _store_head(self, **changes: object) -> None:
        self.harvest = structs.replace(self.harvest, **changes)
        self._store.harvests.keep(self.harvest)

    def _note(self, kind: str, detail: str) -> None:
        self._store.note(Event(self._now(), kind, self.harvest.subject.signature, detail))
