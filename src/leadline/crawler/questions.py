"""Puts a strategy's questions to a back-link provider, for workers on a shared store."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from leadline.core.crawl import BacklinkQuery, Event, Priority, Skip
from leadline.core.ports import BacklinkAnswer, Backlinks
from leadline.core.shared import Shared
from leadline.core.url import Url
from leadline.crawler.asking import wanted_of
from leadline.crawler.links import LinkRules
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import FetchError, SiteBusyError

FOR_GOOD_S = 10 * 365 * 86_400.0
"""A question is asked once."""
ASKING = "asking"
"""The claim of who asked last."""
SPREAD_S = 1.0
"""For so long nobody else asks anything: until all have heard of the question."""
TRIES = 20
"""Of a question while the service is busy."""
MOST_WAIT_S = 5.0
"""Between two of them."""


class Asking(Protocol):
    """Whose questions they are; as `Strategy`."""

    def note_backlink_query(self, question: BacklinkQuery) -> None: ...

    def rank_backlinks(
        self, question: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]: ...


class Questions:
    """One after the other, whoever asks: what is not asked now is asked because of a later page.
    What is asked counts against the run's budget of pages."""

    def __init__(
        self,
        shared: Shared,
        calls: StoreCalls,
        backlinks: Backlinks | None,
        worker: str,
        now: Callable[[], float],
    ) -> None:
        self._shared = shared
        self._calls = calls
        self._backlinks = backlinks
        self._worker = worker
        self._now = now
        self._is_claiming = False
        self._left = asyncio.Event()

    @property
    def can_ask(self) -> bool:
        """Whether there is anybody to ask, and this worker is not about to."""
        return self._backlinks is not None and not self._is_claiming

    def leave(self) -> None:
        """Wait for nobody any more."""
        self._left.set()

    async def ask(
        self, question: BacklinkQuery, asking: Asking, rules: LinkRules, most: int
    ) -> None:
        """Let the pages named wait like any link, unless somebody else has just asked."""
        if self._backlinks is None or not self.can_ask:
            return
        self._is_claiming = True
        try:
            may_ask, is_first = await self._calls(lambda: self._claimed(question))
        finally:
            self._is_claiming = False
        if not may_ask:
            return
        asking.note_backlink_query(question)
        if is_first:
            await self._put(self._backlinks, question, asking, rules, most)

    def _claimed(self, question: BacklinkQuery) -> tuple[bool, bool]:
        """Whether this worker may ask something now, and whether nobody has asked this: workers
        come to the same question by themselves."""
        shared, worker = self._shared, self._worker
        if shared.why_stop() or shared.claim(ASKING, worker, SPREAD_S) is None:
            return False, False
        name = f"question {question.url}"
        return True, shared.claim(name, worker, FOR_GOOD_S) is not None

    async def _put(
        self,
        backlinks: Backlinks,
        question: BacklinkQuery,
        asking: Asking,
        rules: LinkRules,
        most: int,
    ) -> None:
        try:
            answer = await self._answer(backlinks, question, most)
        except FetchError as error:
            event = Event(self._now(), "not-answered", question.url, error.reason)
            await self._calls(lambda: self._shared.note(event))
            return
        found = tuple(url for url in answer.urls if not rules.why_not(url))
        wanted = wanted_of(question, found, asking.rank_backlinks(question, found))
        new = await self._calls(lambda: self._shared.put(wanted))
        detail = f"{len(answer.urls)} pages link there, {new} of them new: {question.why}"
        told = Event(self._now(), "asked", question.url, detail)
        await self._calls(lambda: self._shared.note(told))

    async def _answer(
        self, backlinks: Backlinks, question: BacklinkQuery, most: int
    ) -> BacklinkAnswer:
        """Raises FetchError. A service that another worker asks, or that must rest, is waited for:
        unlike a page, a question is not put back."""
        for _ in range(TRIES - 1):
            try:
                return await self._tried(backlinks, question, most)
            except SiteBusyError as error:
                wait_s = min(MOST_WAIT_S, error.retry_after_s or MOST_WAIT_S)
            if await self._is_leaving(wait_s):
                break
        return await self._tried(backlinks, question, most)

    async def _tried(
        self, backlinks: Backlinks, question: BacklinkQuery, most: int
    ) -> BacklinkAnswer:
        try:
            answer = await backlinks.find_backlinks(question.url, most)
        except FetchError as error:
            await self._spend(error.requests)
            raise
        await self._spend(answer.requests)
        return answer

    async def _is_leaving(self, wait_s: float) -> bool:
        """Whether `leave` is called meanwhile."""
        with suppress(TimeoutError):
            async with asyncio.timeout(wait_s):
                await self._left.wait()
        return self._left.is_set()

    async def _spend(self, requests: int) -> None:
        if requests:
            await self._calls(lambda: self._shared.spend(self._worker, requests))
