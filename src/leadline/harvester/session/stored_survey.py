"""Surveys a source. Its queries are stored like any query, so that nothing is asked twice."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from typing import Protocol

from msgspec import structs

from leadline.core.harvest import (
    BLOCKED,
    NOTHING,
    RECORD,
    REFUSED,
    RESULTS,
    UNCLEAR,
    Answer,
    Harvest,
    Query,
    Record,
    ResultPage,
    StoredQuery,
)
from leadline.core.http import Request
from leadline.core.page import Form, Page
from leadline.core.ports import Fetcher
from leadline.core.store import SessionStore
from leadline.core.url import Url
from leadline.errors import (
    AddressRefusedError,
    BudgetSpentError,
    FetchError,
    OutOfScopeError,
    RobotsDeniedError,
    SiteBusyError,
)
from leadline.harvester import beliefs
from leadline.harvester.beliefs import Evidence, doubt_event
from leadline.harvester.reply import reply_of
from leadline.harvester.session.answer_pages import AnswerPages, make_result_page
from leadline.harvester.survey.results import SurveyProbe, SurveyResult
from leadline.harvester.survey.site_words import MOST_PAGES, choose_page_to_read, collect_site_words

_CLOSED = (RobotsDeniedError, AddressRefusedError, OutOfScopeError)
"""Failures that any further query would meet as well."""
_MOST_FAILURES = 3
"""In a row, after which a source is left alone."""
SURVEY_REASON = "to get to know the source"


class Surveyable(Protocol):
    """A source that also takes queries that nothing can match."""

    async def ask(self, query: Query) -> Answer: ...

    async def ask_nonsense(self, query: Query) -> Answer: ...


def _ignore_answer(_probe: SurveyProbe, _answer: Answer) -> None:
    pass


async def run_survey(
    source: Surveyable,
    steps: Generator[SurveyProbe, Answer, SurveyResult],
    on_answer: Callable[[SurveyProbe, Answer], None] = _ignore_answer,
) -> SurveyResult:
    """Asks until nothing more needs to be known; `on_answer` gets each answer, records and all.

    Raises SiteBusyError if the source wants to be left alone: the answers so far can be sent to
    another survey of the same interface, which continues from there.
    """
    failures = 0
    try:
        probe = next(steps)
        while True:
            answer, has_failed = await _ask_probe(source, probe)
            failures = failures + 1 if has_failed else 0
            if failures == _MOST_FAILURES:
                answer = structs.replace(answer, kind=BLOCKED)
            on_answer(probe, answer)
            probe = steps.send(answer)
    except StopIteration as end:
        found: SurveyResult = end.value
        return found


async def _ask_probe(source: Surveyable, probe: SurveyProbe) -> tuple[Answer, bool]:
    """The answer, and whether it stands for none at all."""
    try:
        ask = source.ask_nonsense if probe.is_nonsense else source.ask
        return await ask(probe.query), False
    except SiteBusyError:
        raise
    except FetchError as error:
        kind = BLOCKED if isinstance(error, _CLOSED) else UNCLEAR
        return Answer(kind, requests=error.requests, why=error.reason), True


class StoredSurvey:
    """A source for a survey that answers from the store what it was asked before, in whatever run.

    Once it is to stop it answers BLOCKED, which ends the survey; `stopped` says why.
    """

    def __init__(
        self,
        source: Surveyable,
        store: SessionStore,
        harvest: Harvest,
        *,
        reader_state: Callable[[], bytes],
        why_stop: Callable[[], str],
        now: Callable[[], float],
    ) -> None:
        self.harvest = harvest
        """The harvest with what the survey has spent and learned so far."""
        self.known = load_survey_answers(store, harvest)
        self.stopped = ""
        self._source = source
        self._store = store
        self._reader_state = reader_state
        self._why_stop = why_stop
        self._now = now

    async def ask(self, query: Query) -> Answer:
        return await self._ask(query, self._source.ask)

    async def ask_nonsense(self, query: Query) -> Answer:
        return await self._ask(query, self._source.ask_nonsense)

    async def _ask(self, query: Query, send: Callable[[Query], Awaitable[Answer]]) -> Answer:
        if query in self.known:
            return self.known[query]
        self.stopped = self.stopped or self._why_stop()
        if self.stopped:
            return Answer(BLOCKED, requests=0, why=self.stopped)
        try:
            answer = await send(query)
        except FetchError as error:
            self._count_requests(error.requests)
            if isinstance(error, BudgetSpentError):
                self.stopped = error.reason
                return Answer(BLOCKED, requests=0, why=error.reason)
            raise
        if answer.kind == BLOCKED:
            why = answer.why or "the source keeps us out"
            self._count_requests(answer.requests)
            if not await self._is_for_one_query(query, why):
                self.stopped = f"blocked: {why}"
                return answer
            said = f"{why}, while other queries are answered"
            answer = structs.replace(answer, kind=REFUSED, requests=0, why=said)
        await self._store_answer(query, answer)
        return answer

    async def _is_for_one_query(self, query: Query, why: str) -> bool:
        """Whether the source still answers what it answered before: one odd page is no ban. Costs a
        request if anything was answered. Nonsense that found nothing is looked up as well: where
        short words are forbidden, it may be all that was answered so far."""
        answered = (RESULTS, RECORD, NOTHING)
        controls = [one for one, a in self.known.items() if a.kind in answered and one != query]
        control = min(controls, key=lambda one: answered.index(self.known[one].kind), default=None)
        if control is None or self._why_stop():
            return False
        try:
            answer = await self._source.ask(control)
        except FetchError as error:
            self._count_requests(error.requests)
            return False
        self._count_requests(answer.requests)
        is_answered = answer.kind == self.known[control].kind or answer.kind in (RESULTS, RECORD)
        said = f"{query.text!r} got {why!r}; {control.text!r} is " + (
            "answered" if is_answered else "kept out as well"
        )
        evidence = Evidence(beliefs.BLOCKED, not is_answered, is_answered, said)
        self._store.note(doubt_event(self._now(), self.harvest.subject.signature, evidence))
        return is_answered

    async def _store_answer(self, query: Query, answer: Answer) -> None:
        harvests, number = self._store.harvests, self.harvest.id
        count = harvests.tally(number).queries + 1
        asked = StoredQuery(count, query, self._now(), 0.0, 1.0, SURVEY_REASON, 1, is_survey=True)
        harvests.begin_query(number, asked)
        reader = self._reader_state()
        page = make_result_page(answer, asked, 1, self._now())
        page = harvests.add_page(number, page, answer.records, reader)
        pages = AnswerPages(asked)
        pages.add(page)
        harvests.end_query(number, count, pages.outcome())
        subject = structs.replace(self.harvest.subject, reader=reader)
        self.harvest = structs.replace(self.harvest, subject=subject)
        self.known[query] = answer
        await asyncio.to_thread(self._store.flush)

    def spend(self, requests: int) -> str:
        """Counts requests beside the survey's; the reason to send no more, or ''."""
        if requests:
            self._count_requests(requests)
        self.stopped = self.stopped or self._why_stop()
        return self.stopped

    def _count_requests(self, requests: int) -> None:
        self.harvest = structs.replace(self.harvest, requests=self.harvest.requests + requests)
        self._store.harvests.keep(self.harvest)


def load_survey_answers(store: SessionStore, harvest: Harvest) -> dict[Query, Answer]:
    """First pages that a survey brought in earlier runs, by query."""
    surveyed: dict[int, Query] = {}
    for asked in store.harvests.queries(harvest.id):
        if not asked.is_survey:
            break
        surveyed[asked.number] = asked.query
    known: dict[Query, Answer] = {}
    pages = store.harvests.pages(harvest.id) if surveyed else iter(())
    for page, records in pages:
        if page.query not in surveyed:
            break
        known[surveyed[page.query]] = _restore_answer(page, records)
    return known


def _restore_answer(page: ResultPage, records: list[Record]) -> Answer:
    return Answer(
        page.kind,
        tuple(records),
        page.total,
        page.is_total_exact,
        page.next_page,
        page.requests,
        page.url,
        page.why,
    )


async def read_site_words(
    form: Form, page: Page, fetcher: Fetcher, spend: Callable[[int], str]
) -> tuple[str, ...]:
    """Reads a few further pages of a form's site, for words to begin with. `spend` counts requests
    and says whether there is a reason to send no more; it is called before each with 0. Pages that
    cannot be fetched are skipped."""
    pages, known = [page], list[Url]()
    for _ in range(MOST_PAGES):
        url = choose_page_to_read(form, pages, known)
        if url is None or spend(0):
            break
        known.append(url)
        try:
            response = await fetcher.fetch(Request(url, referrer=form.page))
        except FetchError as error:
            spend(error.requests)
            continue
        spend(response.requests)
        pages.append(reply_of(response).page)
    return collect_site_words(form, pages)
