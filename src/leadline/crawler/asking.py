"""Asks who links to a page, and keeps account of what that costs."""

from collections.abc import Callable, Sequence

from leadline.core.crawl import BacklinkQuery, Candidate, Event, Priority, Skip
from leadline.core.ports import Backlinks, Store, Strategy
from leadline.core.url import Url, site_of
from leadline.crawler.links import LinkRules
from leadline.errors import FetchError

_KEY = "asked"


class Asker:
    """Puts a strategy's questions to a back-link provider; what it names waits like any link."""

    def __init__(
        self,
        backlinks: Backlinks | None,
        store: Store,
        now: Callable[[], float],
    ) -> None:
        self._backlinks = backlinks
        self._store = store
        self._now = now
        kept = store.load(_KEY)
        self.requests = int(kept) if kept else 0
        """Spent in all, also in earlier runs."""

    async def ask(
        self, question: BacklinkQuery, strategy: Strategy, rules: LinkRules, most: int
    ) -> None:
        """Take in up to `most` pages that link there, as the strategy that asks ranks them.

        An answer that cannot be had is noted, and the crawl goes on without it.
        """
        if self._backlinks is None:
            return
        strategy.note_backlink_query(question)
        try:
            answer = await self._backlinks.find_backlinks(question.url, most)
        except FetchError as error:
            self._spend(error.requests)
            self._store.note(Event(self._now(), "not-answered", question.url, error.reason))
            return
        self._spend(answer.requests)
        found = [url for url in answer.urls if not rules.why_not(url)]
        verdicts = strategy.rank_backlinks(question, found)
        new = self._store.put(wanted_of(question, found, verdicts))
        detail = f"{len(answer.urls)} pages link there, {new} of them new: {question.why}"
        self._store.note(Event(self._now(), "asked", question.url, detail))

    def _spend(self, requests: int) -> None:
        self.requests += requests
        self._store.save(_KEY, str(self.requests).encode())


def wanted_of(
    question: BacklinkQuery, found: Sequence[Url], verdicts: Sequence[Priority | Skip]
) -> list[Candidate]:
    """The pages of an answer that are worth a visit."""
    return [
        _candidate(url, verdict, question)
        for url, verdict in zip(found, verdicts, strict=True)
        if isinstance(verdict, Priority)
    ]


def _candidate(url: Url, priority: Priority, question: BacklinkQuery) -> Candidate:
    return Candidate(url, site_of(url), priority, anchor=f"links to {question.url}")
