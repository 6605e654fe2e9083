"""What a survey asks of a source is kept like any query, so that nothing is asked twice."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from msgspec import structs

from leadline.core.harvest import BLOCKED, Answer, Query, Record
from leadline.core.kept import Asked, Harvest, ResultPage
from leadline.core.ports import Store
from leadline.errors import FetchError
from leadline.harvester.session.pages import Pages, page_of

WHY = "to get to know the source"


class Surveyable(Protocol):
    """A source that also takes queries that nothing can match, and can be surveyed."""

    async def ask(self, query: Query) -> Answer: ...

    async def ask_nonsense(self, query: Query) -> Answer: ...


class KeptSurvey:
    """A source for a survey. What it was asked before, in whatever run, it answers from the store.

    Told to stop, it keeps the survey out, which then ends; `stopped` says why.
    """

    def __init__(
        self,
        source: Surveyable,
        store: Store,
        harvest: Harvest,
        *,
        reader_state: Callable[[], bytes],
        why_stop: Callable[[], str],
        now: Callable[[], float],
    ) -> None:
        self.harvest = harvest
        """With what the survey has spent and learned so far."""
        self.known = known_answers(store, harvest)
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
            self._waste(error.requests)
            raise
        if answer.kind == BLOCKED:
            self.stopped = f"blocked: {answer.why or 'the source keeps us out'}"
            self._waste(answer.requests)
            return answer
        await self._keep(query, answer)
        return answer

    async def _keep(self, query: Query, answer: Answer) -> None:
        harvests, number = self._store.harvests, self.harvest.id
        count = harvests.tally(number).queries + 1
        asked = Asked(count, query, self._now(), 0.0, 1.0, WHY, 1, is_survey=True)
        harvests.begin_query(number, asked)
        reader = self._reader_state()
        page = page_of(answer, asked, 1, self._now())
        page = harvests.add_page(number, page, answer.records, reader)
        pages = Pages(asked)
        pages.add(page)
        harvests.end_query(number, count, pages.outcome())
        subject = structs.replace(self.harvest.subject, reader=reader)
        self.harvest = structs.replace(self.harvest, subject=subject)
        self.known[query] = answer
        await asyncio.to_thread(self._store.flush)

    def spend(self, requests: int) -> str:
        """Count requests that were none of a survey's; the reason to send no more, or ''."""
        if requests:
            self._waste(requests)
        self.stopped = self.stopped or self._why_stop()
        return self.stopped

    def _waste(self, requests: int) -> None:
        self.harvest = structs.replace(self.harvest, requests=self.harvest.requests + requests)
        self._store.harvests.keep(self.harvest)


def known_answers(store: Store, harvest: Harvest) -> dict[Query, Answer]:
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
        known[surveyed[page.query]] = _answer_of(page, records)
    return known


def _answer_of(page: ResultPage, records: list[Record]) -> Answer:
    return Answer(
        page.kind,
        tuple(records),
        page.total,
        page.is_total_exact,
        page.turn,
        page.requests,
        page.url,
        page.why,
    )
