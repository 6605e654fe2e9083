"""Sends a strategy's backlink queries to a provider, and counts what that costs."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Protocol

from leadline.core.crawl import BacklinkQuery, Candidate, Event, Priority, Skip
from leadline.core.ports import BacklinkAnswer, Backlinks, PageSearch
from leadline.core.store import NOTHING_LEFT, Store
from leadline.core.url import Url, site_of
from leadline.crawler.links import LinkRules
from leadline.crawler.store_calls import StoreCalls
from leadline.errors import FetchError, SiteBusyError

FOR_GOOD_S = 10 * 365 * 86_400.0
"""Of several workers one sends a query, once."""
QUERYING = "asking"
"""The claim of the worker that sent the last query."""
SPREAD_S = 1.0
"""For so long no other worker sends any: until all have heard of this one."""
TRIES = 20
"""Of a query while the provider is busy."""
MOST_WAIT_S = 5.0
"""Between two of them."""


class BacklinkRanker(Protocol):
    """Whose queries they are; as `Strategy`."""

    def note_backlink_query(self, query: BacklinkQuery) -> None: ...

    def rank_backlinks(
        self, query: BacklinkQuery, found: Sequence[Url]
    ) -> Sequence[Priority | Skip]: ...


class BacklinkQueries:
    """One after the other, whichever worker sends it: what is not sent now is sent because of a
    later page. Queries count against the run's budget of pages."""

    def __init__(
        self,
        store: Store,
        calls: StoreCalls,
        backlinks: Backlinks | None,
        worker: str,
        now: Callable[[], float],
    ) -> None:
        self._store = store
        self._calls = calls
        self._backlinks = backlinks
        self._worker = worker
        self._now = now
        self._is_claiming = False
        self._left = asyncio.Event()
        self.requests = 0
        """Spent by this worker."""

    def leave(self) -> None:
        """Stop waiting for a busy provider."""
        self._left.set()

    async def claim(self, query: BacklinkQuery, ranker: BacklinkRanker) -> bool:
        """Whether this worker is to `send` the query: there is a provider, the budget is not
        spent, and no other worker has just sent one. The ranker hears of a query that is sent, so
        that further pages do not raise it again."""
        if self._backlinks is None or self._is_claiming:
            return False
        if query.words and not isinstance(self._backlinks, PageSearch):
            return False
        self._is_claiming = True
        try:
            may_send, is_first = await self._calls(lambda: self._claim(query))
        finally:
            self._is_claiming = False
        if may_send:
            ranker.note_backlink_query(query)
        return is_first

    async def send(
        self, query: BacklinkQuery, ranker: BacklinkRanker, rules: LinkRules, most: int
    ) -> None:
        """Let up to `most` pages found wait like any link. A query that fails is noted, and the
        crawl continues without its answer."""
        if self._backlinks is None:
            return
        try:
            answer = await self._answer(self._backlinks, query, most)
        except FetchError as error:
            event = Event(self._now(), "not-answered", query.url, error.reason)
            await self._calls(lambda: self._store.note(event))
            return
        found = tuple(
            url
            for url in answer.urls
            if not rules.why_not(url) and not rules.why_harmful(url, "", "")
        )
        wanted = _make_candidates(query, found, ranker.rank_backlinks(query, found))
        new = await self._calls(lambda: self._store.links.put(wanted))
        what = f"for {query.words!r}" if query.words else "link there"
        detail = f"{len(answer.urls)} pages {what}, {new} of them new: {query.why}"
        sent = Event(self._now(), "asked", query.url, detail)
        await self._calls(lambda: self._store.note(sent))

    def _claim(self, query: BacklinkQuery) -> tuple[bool, bool]:
        """Whether this worker may send a query now, and whether no other has sent this one:
        workers come to the same query by themselves."""
        learning, worker = self._store.learning, self._worker
        # The last page of all may be the one that raises the query.
        is_over = self._store.run.stop_reason() not in ("", NOTHING_LEFT)
        if is_over or learning.claim(QUERYING, worker, SPREAD_S) is None:
            return False, False
        subject = f"question {query.words or query.url}"
        return True, learning.claim(subject, worker, FOR_GOOD_S) is not None

    async def _answer(
        self, backlinks: Backlinks, query: BacklinkQuery, most: int
    ) -> BacklinkAnswer:
        """Raises FetchError. A busy provider is waited for: unlike a page, a query is not put
        back."""
        for _ in range(TRIES - 1):
            try:
                return await self._try(backlinks, query, most)
            except SiteBusyError as error:
                wait_s = min(MOST_WAIT_S, error.retry_after_s or MOST_WAIT_S)
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._left.wait()
            if self._left.is_set():
                break
        return await self._try(backlinks, query, most)

    async def _try(self, backlinks: Backlinks, query: BacklinkQuery, most: int) -> BacklinkAnswer:
        try:
            if query.words and isinstance(backlinks, PageSearch):
                answer = await backlinks.find_pages(query.words, most)
            else:
                answer = await backlinks.find_backlinks(query.url, most)
        except FetchError as error:
            await self._spend(error.requests)
            raise
        await self._spend(answer.requests)
        return answer

    async def _spend(self, requests: int) -> None:
        if requests:
            self.requests += requests
            await self._calls(lambda: self._store.run.spend(self._worker, requests))


def _make_candidates(
    query: BacklinkQuery, found: Sequence[Url], verdicts: Sequence[Priority | Skip]
) -> list[Candidate]:
    """The pages of an answer that are worth a visit."""
    return [
        Candidate(url, site_of(url), verdict, anchor=_name_finding(query))
        for url, verdict in zip(found, verdicts, strict=True)
        if isinstance(verdict, Priority)
    ]


def _name_finding(query: BacklinkQuery) -> str:
    """What stands for the anchor of a page that was found."""
    return f"found for {query.words}" if query.words else f"links to {query.url}"
