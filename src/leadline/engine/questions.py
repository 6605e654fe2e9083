"""Puts a strategy's questions to a back-link provider, for workers on a shared store."""

from collections.abc import Callable

from leadline.core.crawl import Event, Question
from leadline.core.ports import BackLinks, Strategy
from leadline.core.shared import Shared
from leadline.engine.asking import wanted_of
from leadline.engine.calling import Calls
from leadline.engine.expand import LinkRules
from leadline.engine.lessons import Answered
from leadline.errors import FetchError

FOR_GOOD_S = 10 * 365 * 86_400.0
"""A question is asked once."""


class Questions:
    """What is asked counts against the run's budget of pages."""

    def __init__(
        self,
        shared: Shared,
        calls: Calls,
        backlinks: BackLinks | None,
        worker: str,
        now: Callable[[], float],
    ) -> None:
        self._shared = shared
        self._calls = calls
        self._backlinks = backlinks
        self._worker = worker
        self._now = now

    async def ask(
        self, question: Question, strategy: Strategy, rules: LinkRules, most: int
    ) -> Answered | None:
        """Let the pages named wait like any link; None when there was no answer."""
        if self._backlinks is None:
            return None
        if not await self._calls(lambda: self._may_ask(question)):
            return None
        try:
            answer = await self._backlinks.linking_to(question.url, most)
        except FetchError as error:
            await self._spend(error.requests)
            event = Event(self._now(), "not-answered", question.url, error.reason)
            await self._calls(lambda: self._shared.note(event))
            return None
        await self._spend(answer.requests)
        found = tuple(url for url in answer.urls if not rules.why_not(url))
        wanted = wanted_of(question, found, strategy.rank_answer(question, found))
        new = await self._calls(lambda: self._shared.put(wanted))
        detail = f"{len(answer.urls)} pages link there, {new} of them new: {question.why}"
        told = Event(self._now(), "asked", question.url, detail)
        await self._calls(lambda: self._shared.note(told))
        return Answered(question, found)

    def _may_ask(self, question: Question) -> bool:
        """Whether nobody else has asked it: workers come to the same question by themselves."""
        if self._shared.why_stop():
            return False
        name = f"question {question.url}"
        return self._shared.claim(name, self._worker, FOR_GOOD_S) is not None

    async def _spend(self, requests: int) -> None:
        if requests:
            await self._calls(lambda: self._shared.spend(self._worker, requests))
