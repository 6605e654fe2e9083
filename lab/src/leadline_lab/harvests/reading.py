"""Reads one answer page by page, as far as the policy, the choice and the budget allow: the same
as the session of a harvest does, without its store and its waiting."""

from collections.abc import Iterator
from typing import Protocol

from leadline.core.harvest import Answer, Choice, Outcome, Query, Reading
from leadline.core.ports import QueryPolicy
from leadline.harvester.holdings import Holdings

_SURELY_MORE = 0.9
"""A total that is only estimated must exceed what was shown by a tenth to mean a cap."""


class Answering(Protocol):
    """A source that is asked page by page, from 1 on."""

    def answer(self, query: Query, page: int) -> Answer: ...


class Read:
    """What the pages of an answer add up to. New records go to the holdings."""

    def __init__(self, choice: Choice, holdings: Holdings) -> None:
        self.choice = choice
        self.keys: dict[str, None] = {}
        """Of the distinct records that came, in their order."""
        self._holdings = holdings
        self._pages: list[Answer] = []
        self._listed = 0
        self._fresh = 0
        self._latest = 0

    def pages(self, source: Answering, policy: QueryPolicy, most: int) -> Iterator[Answer]:
        """Ask for one page after another, `most` at most."""
        most = min(most, self.choice.max_pages or most)
        while len(self._pages) < most:
            answer = source.answer(self.choice.query, len(self._pages) + 1)
            self._add(answer)
            yield answer
            if answer.next_page is None or not policy.goes_on(self._reading()):
                return

    def outcome(self) -> Outcome:
        first, is_left = self._pages[0], self._pages[-1].next_page is not None
        least = 1.0 if first.is_total_exact else _SURELY_MORE
        return Outcome(
            self.choice.query,
            first.kind,
            returned=len(self.keys),
            fresh=self._fresh,
            total=first.total,
            is_total_exact=first.is_total_exact,
            pages=len(self._pages),
            requests=len(self._pages),
            is_cut=not is_left and first.total is not None and self._listed < least * first.total,
            is_left=is_left,
        )

    def _add(self, answer: Answer) -> None:
        self._pages.append(answer)
        self.keys.update((record.key, None) for record in answer.records)
        self._listed += len(answer.records)
        self._latest = self._holdings.add_all(answer.records)
        self._fresh += self._latest

    def _reading(self) -> Reading:
        first, pages = self._pages[0], len(self._pages)
        return Reading(
            self.choice.query,
            pages=pages,
            requests=pages,
            returned=len(self.keys),
            fresh=self._fresh,
            latest=self._latest,
            total=first.total,
            is_total_exact=first.is_total_exact,
        )
